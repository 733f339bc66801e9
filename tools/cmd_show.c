/* cmd_show.c - t2t show: all that is known of an element. */
#include "cmd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "input.h"
#include "node.h"
#include "options.h"
#include "print.h"
#include "scan.h"

#define FEW 20u /* lines of a list without --all */
#define LEAST_LINE 40u
#define LEAST_TIMES 60u /* columns of a terminal for durations of others */
#define LABEL_COLUMNS 15
#define KEY_COLUMNS 22u

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

struct show_options {
    const char *output;
    int format;
    int time_unit;
    int color;
    bool all;
};

static const struct option_row options[] = {
    {"all", 'a', NULL, OPTION_FLAG, offsetof(struct show_options, all),
     "print long lists whole; JSON is always whole", NULL},
    OPTION_FORMAT(show_options, format, formats, "text|json"),
    OPTION_OUTPUT(show_options, output),
    OPTION_TIME_UNIT(show_options, time_unit),
    OPTION_COLOR(show_options, color),
    OPTIONS_END,
};

struct show {
    const struct show_options *options;
    struct nodes nodes;
    struct output out;
    struct json json;
};

/* Prints what stands at the start of a line. */
static void put_label(const struct show *s, const char *label)
{
    struct line line = {.out = &s->out};

    line_paint(&line, PAINT_DIM);
    line_put(&line, "  %-*s", LABEL_COLUMNS - 2, label);
    line_paint(&line, PAINT_NOT);
}

static void put_heading(const struct show *s, const char *heading)
{
    struct line line = {.out = &s->out};

    line_end(&line);
    line_paint(&line, PAINT_BOLD);
    line_put(&line, "  %s", heading);
    line_paint(&line, PAINT_NOT);
    line_end(&line);
}

/* Prints a line about another element: id, times, name. */
static int put_other(const struct show *s, const char *label, t2t_id id)
{
    struct line line = {.out = &s->out};
    char dur[TIME_MAX];
    struct t2t_element e;
    int status = node_get(&s->nodes, id, &e);

    if (status)
        return status;
    time_with_unit(dur, e.dur_ns, s->nodes.unit);
    line_paint(&line, PAINT_DIM);
    line_put(&line, "  %-*s%8" PRIu32, LABEL_COLUMNS - 2, label, id);
    line_paint(&line, PAINT_NOT);
    if (!s->out.width || s->out.width >= LEAST_TIMES)
        line_put(&line, " %10s", dur);
    line_put(&line, "  ");
    line_node(&line, &s->nodes, &e, LINE_NO_LIMIT);
    line_end(&line);
    return EXIT_DONE;
}

/* Prints that there are more, if there are. */
static void put_more(const struct show *s, uint64_t more)
{
    char count[COUNT_MAX];

    if (!more)
        return;
    count_text(count, more);
    put_label(s, "");
    (void)fprintf(s->out.to, "%8s and %s more (--all)\n", "", count);
}

/* How many of `count` lines of a list are printed. */
static uint32_t few(const struct show *s, uint32_t count)
{
    return s->options->all || count < FEW ? count : FEW;
}

static void put_when(const struct show *s, const struct t2t_element *e)
{
    FILE *to = s->out.to;
    char start[TIME_MAX];

    put_label(s, "start");
    start_text(start, &s->nodes, e, true);
    (void)fprintf(to, "%s\n", start);
    put_label(s, "duration");
    print_duration(&s->nodes, to, e->dur_ns);
    (void)putc('\n', to);
}

static int put_where(const struct show *s, const struct t2t_element *e)
{
    FILE *to = s->out.to;
    struct line line = {.out = &s->out, .used = LABEL_COLUMNS};
    struct t2t_error err;
    struct t2t_lane lane;
    int status = EXIT_DONE;
    uint32_t position;
    uint64_t offset;

    if (t2t_cursor_position(s->nodes.cursor, e->id, &position, &err) ||
        t2t_cursor_offset(s->nodes.cursor, e->id, &offset, &err))
        return fail(s->nodes.in->path, &err);
    if (e->lane != T2T_NO_ID &&
        !t2t_index_lane(s->nodes.index, e->lane, &lane)) {
        put_label(s, "on");
        status = line_lane(&line, &lane);
        line_end(&line);
    }
    put_label(s, "position");
    (void)fprintf(to, "@%" PRIu32 ", at byte %" PRIu64 " of the trace\n",
                  position, offset);
    return status;
}

static void put_kind(const struct show *s, const struct t2t_element *e)
{
    const char *layer = e->in_tree ? layer_name(e->layer) : NULL;
    struct t2t_text category = t2t_index_category(s->nodes.index, e->category);
    FILE *to = s->out.to;

    put_label(s, "category");
    if (category.ptr)
        print_text(to, category);
    else
        (void)putc('-', to);
    (void)fprintf(to, " (%s%s%s%s%s)\n", layer ? "layer " : "outside the tree",
                  layer ? layer : "", e->flags & T2T_ROOT_OP ? ", root" : "",
                  e->flags & T2T_CROSSED ? ", crossed another call" : "",
                  e->flags & T2T_CUT ? ", cut at its parent's end" : "");
}

/* Reads the name of a GPU event; false for what is none, or has no name. */
static bool read_name(const struct show *s, const struct t2t_element *e,
                      struct t2t_kernel_name *name)
{
    struct t2t_text text = t2t_index_string(s->nodes.index, e->name);

    t2t_kernel_name_parse(text, name);
    return text.ptr && (e->flags & T2T_GPU);
}

/* Prints a part of a line of several, if there is one. */
static void put_part(const struct show *s, bool *some, const char *before,
                     struct t2t_text text)
{
    if (!text.ptr)
        return;
    if (!*some)
        put_label(s, "name");
    (void)fprintf(s->out.to, "%s%s", *some ? "; " : "", before);
    print_text(s->out.to, text);
    *some = true;
}

/* Prints a line of what the name of a GPU event says, if it says anything. */
static void put_name(const struct show *s, const struct t2t_element *e)
{
    static const enum t2t_kernel_column columns[] = {T2T_KERNEL_TRANSPOSE,
                                                     T2T_KERNEL_TILE,
                                                     T2T_KERNEL_DTYPE};
    char room[T2T_KERNEL_TEXT_MAX];
    struct t2t_kernel_name name;
    bool some = false;

    if (!read_name(s, e, &name))
        return;
    if (!t2t_text_equal(name.base, t2t_index_string(s->nodes.index, e->name)))
        put_part(s, &some, "base ", name.base);
    put_part(s, &some, "family ", t2t_kernel_family_text(name.family));
    put_part(s, &some, "", t2t_text_of(name.gemm.is_gemm ? "gemm" : NULL));
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        struct t2t_text text = t2t_kernel_name_text(&name, columns[i], room);

        if (text.ptr) {
            (void)putc(' ', s->out.to);
            print_text(s->out.to, text);
        }
    }
    put_part(s, &some, "", t2t_triton_kind_text(name.triton.kind));
    if (name.triton.ops.ptr) {
        (void)fputs(" of ", s->out.to);
        print_text(s->out.to, name.triton.ops);
    }
    if (some)
        (void)putc('\n', s->out.to);
}

/* The inside of a string; what a forged index has there may be none. */
static struct t2t_text unquoted(struct t2t_text json)
{
    if (json.len < 2 || json.ptr[0] != '"' || json.ptr[json.len - 1] != '"')
        return json;
    return (struct t2t_text){json.ptr + 1, json.len - 2};
}

/* Prints a key, which has its quotes, and a JSON value. */
static void put_argument(const struct show *s, struct t2t_text key,
                         struct t2t_text json)
{
    struct line line = {.out = &s->out};
    char cut[CUT_MAX];
    size_t used;
    size_t len = text_cut(cut, unquoted(key), CUT_COLUMNS, &used);

    line_put(&line, "    ");
    (void)fwrite(cut, 1, len, s->out.to);
    line_put(&line, "%*s  ", used < KEY_COLUMNS ? (int)(KEY_COLUMNS - used) : 0,
             "");
    print_text(s->out.to, json);
    line_end(&line);
}

static int put_arguments(const struct show *s, const struct t2t_element *e)
{
    struct t2t_text key;
    struct t2t_text json;
    struct t2t_error err;
    enum t2t_status st = T2T_OK;

    for (uint32_t n = 0; !st; n++) {
        st = t2t_cursor_argument_at(s->nodes.cursor, e->id, n, &key, &json,
                                    &err);
        if (st < 0)
            return fail(s->nodes.in->path, &err);
        if (!st && !n)
            put_heading(s, "arguments");
        if (!st)
            put_argument(s, key, json);
    }
    return EXIT_DONE;
}

/* Whether other lines and keys say what the member does. */
static bool is_known(const struct show *s, const struct t2t_element *e,
                     struct t2t_text key, struct t2t_text value)
{
    char first = *value.ptr;

    if (scan_is(key, "name"))
        return e->name != T2T_NO_ID && first == '"';
    if (scan_is(key, "cat"))
        return first == '"' &&
               t2t_index_category(s->nodes.index, e->category).ptr;
    if (scan_is(key, "ph"))
        return e->phase && first == '"';
    if (scan_is(key, "ts"))
        return e->has_start;
    if (scan_is(key, "dur"))
        return e->dur_ns || (value.len == 1 && first == '0');
    if (scan_is(key, "args"))
        return first == '{';
    return scan_is(key, "pid") || scan_is(key, "tid");
}

/* Goes through the members that nothing else says: prints them. */
static int put_fields(struct show *s, const struct t2t_element *e, bool json)
{
    struct t2t_text text;
    struct t2t_text key;
    struct t2t_text value;
    struct t2t_error err;
    struct scan scan;
    bool some = false;

    if (t2t_cursor_json(s->nodes.cursor, e->id, &text, &err))
        return fail(s->nodes.in->path, &err);
    if (!scan_open(&scan, text, '{'))
        return EXIT_DONE;
    while (scan_member(&scan, &key, &value)) {
        if (is_known(s, e, key, value))
            continue;
        if (json) {
            json_raw_key(&s->json, key);
            json_raw(&s->json, NULL, value);
            continue;
        }
        if (!some)
            put_heading(s, "other fields");
        some = true;
        put_argument(s, key, value);
    }
    return EXIT_DONE;
}

static int put_links(const struct show *s, const struct t2t_element *e)
{
    const t2t_index *index = s->nodes.index;
    t2t_id module = t2t_index_module(index, e->id);
    t2t_id forward = t2t_index_forward(index, e->id);
    t2t_id launch = t2t_index_launch(index, e->id);
    struct t2t_text class = node_class(&s->nodes, e);
    uint32_t count = 0;
    t2t_id backward;
    int status = EXIT_DONE;

    if (class.ptr) {
        put_label(s, "class");
        print_text(s->out.to, class);
        (void)putc('\n', s->out.to);
    }
    if (module != T2T_NO_ID)
        status = put_other(s, "module", module);
    if (!status && launch != T2T_NO_ID)
        status = put_other(s, "launch", launch);
    if (!status && forward != T2T_NO_ID)
        status = put_other(s, "forward", forward);
    while (t2t_index_backward(index, e->id, count) != T2T_NO_ID)
        count++;
    for (uint32_t i = 0; !status && i < few(s, count); i++) {
        backward = t2t_index_backward(index, e->id, i);
        status = put_other(s, i ? "" : "backward", backward);
    }
    if (!status)
        put_more(s, count - few(s, count));
    return status;
}

/* Prints the calls above, outermost first. */
static int put_ancestors(const struct show *s, const struct t2t_element *e)
{
    struct t2t_element up = *e;
    uint32_t count = 0;
    t2t_id *ids;
    int status = EXIT_DONE;

    while (!status && up.parent != T2T_NO_ID) {
        count++;
        status = node_get(&s->nodes, up.parent, &up);
    }
    if (status || !count)
        return status;
    ids = calloc(count, sizeof(*ids));
    if (!ids)
        return out_of_memory();
    up = *e;
    for (uint32_t i = count; !status && i--;) {
        ids[i] = up.parent;
        status = node_get(&s->nodes, up.parent, &up);
    }
    put_heading(s, "called by, outermost first");
    for (uint32_t i = 0; !status && i < count; i++)
        status = put_other(s, "", ids[i]);
    free(ids);
    return status;
}

static int put_children(const struct show *s, const struct t2t_element *e)
{
    t2t_id child = t2t_index_first_child(s->nodes.index, e->id);
    uint32_t most = few(s, UINT32_MAX);
    uint32_t count = 0;
    int status = EXIT_DONE;

    if (child != T2T_NO_ID)
        put_heading(s, "children");
    while (!status && child != T2T_NO_ID) {
        if (count < most)
            status = put_other(s, "", child);
        count++;
        child = t2t_index_next_sibling(s->nodes.index, child);
    }
    if (!status)
        put_more(s, count > most ? count - most : 0);
    return status;
}

static int put_gpu_events(const struct show *s, const struct t2t_element *e)
{
    uint32_t count = t2t_index_gpu_count(s->nodes.index, e->id);
    uint32_t rank = t2t_index_gpu_rank(s->nodes.index, e->id);
    const t2t_id *ids;
    char number[COUNT_MAX];
    char sum[TIME_MAX];
    char heading[COUNT_MAX + TIME_MAX + 40];
    uint32_t all;
    int status = EXIT_DONE;

    if (!count || (e->flags & T2T_GPU))
        return EXIT_DONE;
    ids = t2t_index_gpu_nodes(s->nodes.index, &all);
    count_text(number, count);
    time_with_unit(sum, t2t_index_gpu_sum_ns(s->nodes.index, e->id),
                   s->nodes.unit);
    (void)snprintf(heading, sizeof(heading),
                   "GPU events below: %s, together %s", number, sum);
    put_heading(s, heading);
    for (uint32_t i = 0; !status && i < few(s, count) && rank + i < all; i++)
        status = put_other(s, "", ids[rank + i]);
    if (!status)
        put_more(s, count - few(s, count));
    return status;
}

static int put_text(struct show *s, const struct t2t_element *e)
{
    struct line line = {.out = &s->out};
    enum paint paint = node_paint(&s->nodes, e);
    int status;

    line_put(&line, "%" PRIu32 "  ", e->id);
    line_paint(&line, paint ? paint : PAINT_BOLD);
    print_text(s->out.to, node_name(&s->nodes, e)); /* whole, at least here */
    line_paint(&line, PAINT_NOT);
    line_end(&line);
    put_kind(s, e);
    put_name(s, e);
    put_when(s, e);
    status = put_where(s, e);
    if (!status)
        status = put_links(s, e);
    if (!status)
        status = put_arguments(s, e);
    if (!status)
        status = put_fields(s, e, false);
    if (!status)
        status = put_ancestors(s, e);
    if (!status)
        status = put_children(s, e);
    if (!status)
        status = put_gpu_events(s, e);
    return status;
}

static int json_arguments(struct show *s, const struct t2t_element *e)
{
    struct t2t_text key;
    struct t2t_text json;
    struct t2t_error err;
    enum t2t_status st = T2T_OK;

    json_open(&s->json, "args", '{');
    for (uint32_t n = 0; !st; n++) {
        st = t2t_cursor_argument_at(s->nodes.cursor, e->id, n, &key, &json,
                                    &err);
        if (st < 0)
            return fail(s->nodes.in->path, &err);
        if (!st) {
            json_raw_key(&s->json, key);
            json_raw(&s->json, NULL, json);
        }
    }
    json_close(&s->json, '}');
    return EXIT_DONE;
}

/* The ids above, innermost first, those of the children and of GPU events. */
static int json_lists(struct show *s, const struct t2t_element *e)
{
    uint32_t rank = t2t_index_gpu_rank(s->nodes.index, e->id);
    uint32_t count = t2t_index_gpu_count(s->nodes.index, e->id);
    struct t2t_element up = *e;
    const t2t_id *ids;
    uint32_t all;
    t2t_id child;
    int status = EXIT_DONE;

    json_open(&s->json, "ancestors", '[');
    while (!status && up.parent != T2T_NO_ID) {
        json_id(&s->json, NULL, up.parent);
        status = node_get(&s->nodes, up.parent, &up);
    }
    json_close(&s->json, ']');
    json_open(&s->json, "children", '[');
    child = t2t_index_first_child(s->nodes.index, e->id);
    for (; child != T2T_NO_ID;
         child = t2t_index_next_sibling(s->nodes.index, child))
        json_id(&s->json, NULL, child);
    json_close(&s->json, ']');
    json_open(&s->json, "gpu_event_ids", '[');
    ids = t2t_index_gpu_nodes(s->nodes.index, &all);
    for (uint32_t i = 0; i < count && rank + i < all; i++)
        json_id(&s->json, NULL, ids[rank + i]);
    json_close(&s->json, ']');
    return status;
}

static void json_transpose(struct json *j, const char *key,
                           enum t2t_transpose transpose)
{
    if (transpose == T2T_TRANSPOSE_UNKNOWN)
        json_null(j, key);
    else
        json_bool(j, key, transpose == T2T_TRANSPOSE_YES);
}

/* A number; null for 0. */
static void json_size(struct json *j, const char *key, uint32_t size)
{
    if (size)
        json_unsigned(j, key, size);
    else
        json_null(j, key);
}

/* What the name of a GPU event says. */
static void json_name(struct show *s, const struct t2t_element *e)
{
    struct t2t_kernel_name name;
    const struct t2t_kernel_gemm *gemm = &name.gemm;
    struct json *j = &s->json;

    json_open(j, "kernel", '{');
    if (read_name(s, e, &name)) {
        json_text(j, "base_name", name.base);
        json_text(j, "family", t2t_kernel_family_text(name.family));
        json_bool(j, "gemm", gemm->is_gemm);
        json_transpose(j, "transpose_a", gemm->transpose_a);
        json_transpose(j, "transpose_b", gemm->transpose_b);
        json_size(j, "tile_m", gemm->tile_m);
        json_size(j, "tile_n", gemm->tile_n);
        json_size(j, "tile_k", gemm->tile_k);
        json_text(j, "type_a", t2t_kernel_type_text(gemm->type_a));
        json_text(j, "type_b", t2t_kernel_type_text(gemm->type_b));
        json_text(j, "type_out", t2t_kernel_type_text(gemm->type_out));
        json_text(j, "type_compute", t2t_kernel_type_text(gemm->type_compute));
        json_text(j, "triton_kind", t2t_triton_kind_text(name.triton.kind));
        json_text(j, "triton_ops", name.triton.ops);
        if (name.triton.kind)
            json_unsigned(j, "triton_number", name.triton.number);
        else
            json_null(j, "triton_number");
    }
    json_close(j, '}');
}

static int put_json(struct show *s, const struct t2t_element *e)
{
    struct t2t_error err;
    uint64_t offset;
    int status;

    if (t2t_cursor_offset(s->nodes.cursor, e->id, &offset, &err))
        return fail(s->nodes.in->path, &err);
    s->json.comma = false;
    json_open(&s->json, NULL, '{');
    status = json_node(&s->nodes, &s->json, e, node_module(&s->nodes, e->id));
    json_unsigned(&s->json, "offset", offset);
    json_name(s, e);
    if (!status)
        status = json_lists(s, e);
    if (!status)
        status = json_arguments(s, e);
    json_open(&s->json, "fields", '{');
    if (!status)
        status = put_fields(s, e, true);
    json_close(&s->json, '}');
    json_close(&s->json, '}');
    (void)putc('\n', s->out.to);
    return status;
}

/* Prints the elements named by the words at `node`. */
static int put_elements(const struct command *self, struct show *s, char **node)
{
    bool json = s->options->format == FORMAT_JSON;
    int status = EXIT_DONE;

    json_init(&s->json, s->out.to);
    output_dress(&s->out, LEAST_LINE, s->options->color);
    for (char **word = node; !status && *word; word++) {
        struct t2t_element e;

        status = node_find(self, &s->nodes, *word, &e);
        if (!status && !json && word != node)
            (void)putc('\n', s->out.to);
        if (!status)
            status = json ? put_json(s, &e) : put_text(s, &e);
    }
    return status;
}

static int show(const struct command *self, const void *parsed,
                const struct input *in, char **rest)
{
    const struct show_options *o = parsed;
    struct show s = {.options = o};
    int status = nodes_open(&s.nodes, in, o->time_unit);

    if (!status)
        status = output_open(self, &s.out, o->output, in);
    if (!status) {
        status = put_elements(self, &s, rest);
        status = output_close(&s.out, status);
    }
    nodes_close(&s.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct show_options o = {.format = FORMAT_TEXT};

    return input_run(self, argc, argv, &o, show);
}

const struct command cmd_show = {
    "show",
    "INDEX NODE...",
    "all about one call or GPU event",
    "\n"
    "NODE is an id, as tree prints them, or @N for the N-th element of\n"
    "traceEvents.  Times count from the earliest start in the tree.  JSON is\n"
    "one object a NODE, each on a line.\n",
    options,
    run,
    "  t2t show rank0.json.gz 1234\n"
    "  t2t show rank0.json.gz @0 --format json | jq .args\n",
    NULL,
};
