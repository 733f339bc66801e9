/* cmd_find.c - t2t find: elements by name, kind, time or module. */
#include "cmd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "keys.h"
#include "node.h"
#include "options.h"
#include "print.h"

#define ID_COLUMNS 8
#define TIME_COLUMNS 10
#define COUNT_COLUMNS 7
#define KIND_COLUMNS 6     /* of nodes */
#define OUTSIDE_COLUMNS 17 /* of categories outside the tree */
#define LEAST_NAME 30u     /* columns for which others are left out */
#define LEAST_GPU 13u      /* the same, of those of GPU events below */
#define LEAST_LINE 40u

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};
static const char *const layers[] = {"any",    "python", "operation",
                                     "launch", "gpu",    NULL};
static const char *const orders[] = {"id", "dur", "gpu", "start", NULL};

struct find_options {
    const char *output;
    const char *category;
    const char *module;
    const char *args;
    uint64_t min_dur_ns;
    struct time_range between;
    uint32_t top; /* UINT32_MAX without --top */
    int layer;    /* -1 without --layer */
    int order;
    int format;
    int time_unit;
    int color;
    bool regex;
    bool ignore_case;
    bool outside;
};

#define FIELD(member) offsetof(struct find_options, member)

static const struct option_row options[] = {
    {"regex", 'E', NULL, OPTION_FLAG, FIELD(regex),
     "PATTERN is a Perl-compatible regular expression", NULL},
    {"ignore-case", 'i', NULL, OPTION_FLAG, FIELD(ignore_case),
     "PATTERN matches in any case", NULL},
    {"cat", 0, "CATEGORY", OPTION_TEXT, FIELD(category),
     "of this category, such as kernel", NULL},
    {"layer", 0, "any|python|operation|launch|gpu", OPTION_WORD, FIELD(layer),
     "of this layer", layers},
    {"module", 0, "MODULE", OPTION_TEXT, FIELD(module),
     "with this module above: see below", NULL},
    {"min-dur", 0, "T", OPTION_TIME, FIELD(min_dur_ns), "not shorter than T",
     NULL},
    {"between", 0, "T T", OPTION_RANGE, FIELD(between),
     "that start between these times", NULL},
    {"outside", 0, NULL, OPTION_FLAG, FIELD(outside),
     "also what is outside the tree", NULL},
    {"sort", 0, "id|dur|gpu|start", OPTION_WORD, FIELD(order),
     "largest dur or gpu first; id is the default", orders},
    {"top", 'n', "N", OPTION_COUNT, FIELD(top), "only the first N", NULL},
    {"args", 0, "KEY[,KEY]...", OPTION_TEXT, FIELD(args),
     "print these arguments", NULL},
    OPTION_FORMAT(find_options, format, formats, "text|json"),
    OPTION_OUTPUT(find_options, output),
    OPTION_TIME_UNIT(find_options, time_unit),
    OPTION_COLOR(find_options, color),
    OPTIONS_END,
};

struct find {
    const struct find_options *options;
    struct nodes nodes;
    struct output out;
    struct keys keys;
    t2t_id *id; /* what is found, owned */
    uint32_t count;
    uint32_t matched;
    bool outside; /* elements outside the tree are looked at */
    bool start;   /* print the columns of starts, */
    bool gpu;     /* of GPU events below: something has them, and they fit, */
    int kind;     /* and of kinds: its width */
};

/* Whether elements of the category are outside the tree: who asks for it wants
 * those. */
static bool is_outside(const struct find *f, const char *category)
{
    for (uint32_t i = 0; i < f->nodes.info.category_count; i++)
        if (t2t_text_equal(t2t_index_category(f->nodes.index, i),
                           t2t_text_of(category)))
            return !t2t_index_category_layer(f->nodes.index, i);
    return false;
}

/* A time of an option, from the origin on, on the trace's clock; past the last
 * time there is, or before the first, that. */
static int64_t on_clock(const struct find *f, int64_t ns)
{
    int64_t sum;

    if (__builtin_add_overflow(f->nodes.info.origin_ns, ns, &sum))
        return ns < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static int search(const struct command *self, struct find *f,
                  const char *pattern)
{
    const struct find_options *o = f->options;
    struct t2t_filter filter = {
        .name = o->regex ? NULL : pattern,
        .regex = o->regex ? pattern : NULL,
        .ignore_case = o->ignore_case,
        .category = o->category,
        .layer = o->layer > 0 ? (enum t2t_layer)o->layer : T2T_LAYER_NONE,
        .module = o->module,
        .min_dur_ns = o->min_dur_ns,
        .between = o->between.given,
        .from_ns = on_clock(f, o->between.from_ns),
        .to_ns = on_clock(f, o->between.to_ns),
        .outside = o->outside,
        .order = (enum t2t_find_order)o->order,
        .top = o->top,
    };
    struct t2t_error err;
    enum t2t_status st;

    if (o->category && is_outside(f, o->category))
        filter.outside = true;
    f->outside = filter.outside;
    st =
        t2t_find(f->nodes.index, &filter, &f->id, &f->count, &f->matched, &err);
    if (!st && !f->matched)
        st = t2t_selection_check(f->nodes.index,
                                 &(struct t2t_selection){.module = o->module},
                                 &err);
    if (st == T2T_ERR_USAGE)
        return wrong_use(self, "%s", err.text);
    return st ? fail(f->nodes.in->path, &err) : EXIT_DONE;
}

/* Chooses the columns: those that say something, and fit. */
static int choose_columns(struct find *f)
{
    const size_t gpu = COUNT_COLUMNS + TIME_COLUMNS + 2;
    size_t others = ID_COLUMNS + 1 + TIME_COLUMNS + 2;

    f->kind = KIND_COLUMNS;
    for (uint32_t i = 0; i < f->count; i++) {
        struct t2t_element e;
        int status = node_get(&f->nodes, f->id[i], &e);

        if (status)
            return status;
        if (!e.in_tree)
            f->kind = OUTSIDE_COLUMNS;
        else if (!(e.flags & T2T_GPU) &&
                 t2t_index_gpu_count(f->nodes.index, e.id))
            f->gpu = true;
        if (f->gpu && f->kind != KIND_COLUMNS)
            break;
    }
    others += (size_t)f->kind + 2;
    f->gpu =
        f->gpu && (!f->out.width || f->out.width >= others + gpu + LEAST_GPU);
    if (f->gpu)
        others += gpu;
    f->start = f->options->order == T2T_BY_START || !f->out.width ||
               f->out.width >= others + TIME_COLUMNS + 1 + LEAST_NAME;
    return EXIT_DONE;
}

/* The heading of a column of times. */
static void put_time_heading(struct line *line, const struct find *f,
                             const char *name, const char *brief)
{
    char text[24];

    (void)snprintf(text, sizeof(text), "%s", name);
    if (f->nodes.unit != T2T_AUTO)
        (void)snprintf(text, sizeof(text), "%s (%s)", brief,
                       time_unit_words[f->nodes.unit]);
    line_put(line, " %*s", TIME_COLUMNS, text);
}

static void put_heading(const struct find *f)
{
    struct line line = {.out = &f->out};

    line_paint(&line, PAINT_BOLD);
    line_put(&line, "%*s", ID_COLUMNS, "id");
    if (f->start)
        put_time_heading(&line, f, "start", "start");
    put_time_heading(&line, f, "duration", "dur");
    if (f->gpu) {
        line_put(&line, " %*s", COUNT_COLUMNS, "GPU ev.");
        put_time_heading(&line, f, "GPU sum", "sum");
    }
    line_put(&line, "  %-*s  name", f->kind, "kind");
    line_paint(&line, PAINT_NOT);
    line_end(&line);
}

static int put_line(const struct find *f, const struct t2t_element *e)
{
    uint32_t gpu = t2t_index_gpu_count(f->nodes.index, e->id);
    struct line line = {.out = &f->out};
    char time[TIME_MAX];
    int status;

    line_paint(&line, PAINT_DIM);
    line_put(&line, "%*" PRIu32, ID_COLUMNS, e->id);
    line_paint(&line, PAINT_NOT);
    if (f->start) {
        start_text(time, &f->nodes, e, false);
        line_put(&line, " %*s", TIME_COLUMNS, time);
    }
    time_text(time, e->dur_ns, f->nodes.unit);
    line_put(&line, " %*s", TIME_COLUMNS, time);
    if (f->gpu && gpu && !(e->flags & T2T_GPU)) {
        time_text(time, t2t_index_gpu_sum_ns(f->nodes.index, e->id),
                  f->nodes.unit);
        line_put(&line, " %*" PRIu32 " %*s", COUNT_COLUMNS, gpu, TIME_COLUMNS,
                 time);
    } else if (f->gpu) {
        line_put(&line, "%*s", COUNT_COLUMNS + TIME_COLUMNS + 2, "");
    }
    line_put(&line, "  ");
    line_cell(&line, node_kind(&f->nodes, e), (size_t)f->kind, false);
    line_put(&line, "  ");
    status = keys_put(&f->keys, &f->nodes, e, &line);
    line_end(&line);
    return status;
}

/* Says how many were found, of what. */
static void put_total(const struct find *f)
{
    const struct t2t_index_info *i = &f->nodes.info;
    FILE *to = f->out.to;
    bool narrow = f->out.width && f->out.width < 80;
    char count[COUNT_MAX];
    uint32_t all;

    if (f->count) {
        count_text(count, f->count);
        (void)fprintf(to, "\n%s", count);
        count_text(count, f->matched);
        if (f->count < f->matched)
            (void)fprintf(to, " of %s found", count);
        else
            (void)fputs(" found", to);
    } else {
        (void)fputs("nothing found", to);
    }
    all = f->outside ? i->element_count : i->node_count;
    count_text(count, all);
    (void)fprintf(to, " among %s %s%s%s\n", count,
                  f->outside ? "element" : "node", all == 1 ? "" : "s",
                  f->outside || narrow
                      ? ""
                      : " of the tree (--outside: everywhere)");
}

static int put_text(struct find *f)
{
    int status = choose_columns(f);

    if (!status && f->count)
        put_heading(f);
    for (uint32_t i = 0; !status && i < f->count && !ferror(f->out.to); i++) {
        struct t2t_element e;

        status = node_get(&f->nodes, f->id[i], &e);
        if (!status)
            status = put_line(f, &e);
    }
    if (!status)
        put_total(f);
    return status;
}

static int put_json(struct find *f)
{
    struct json j;
    int status = nodes_prepare(&f->nodes, f->count);

    json_init(&j, f->out.to);
    (void)putc('[', f->out.to);
    for (uint32_t i = 0; !status && i < f->count && !ferror(f->out.to); i++) {
        struct t2t_element e;

        status = node_get(&f->nodes, f->id[i], &e);
        if (status)
            break;
        if (i)
            (void)fputs(",\n", f->out.to);
        j.comma = false;
        json_open(&j, NULL, '{');
        status = json_node(&f->nodes, &j, &e, node_module(&f->nodes, e.id));
        if (!status)
            status = keys_json(&f->keys, &f->nodes, &e, &j);
        json_close(&j, '}');
    }
    (void)fputs("]\n", f->out.to);
    return status;
}

/* Whether anything says what to look for, or how much of it. */
static bool is_limited(const struct find_options *o)
{
    return o->category || o->module || o->min_dur_ns || o->between.given ||
           o->top != UINT32_MAX || o->layer >= 0;
}

static int find(const struct command *self, const void *parsed,
                const struct input *in, char **rest)
{
    const struct find_options *o = parsed;
    struct find f = {.options = o};
    const char *pattern = rest[0];
    int status;

    if (!pattern && !is_limited(o))
        return wrong_use(self, "find takes a PATTERN ('' for all), or an "
                               "option that says what to find");
    if (!pattern && (o->regex || o->ignore_case))
        return wrong_use(self, "--%s needs a PATTERN",
                         o->regex ? "regex" : "ignore-case");
    status = nodes_open(&f.nodes, in, o->time_unit);
    if (!status)
        status = keys_open(&f.keys, self, o->args);
    if (!status)
        status = search(self, &f, pattern);
    if (!status)
        status = output_open(self, &f.out, o->output, in);
    if (!status) {
        output_dress(&f.out, LEAST_LINE, o->color);
        status = o->format == FORMAT_JSON ? put_json(&f) : put_text(&f);
        status = output_close(&f.out, status);
    }
    free(f.id);
    keys_close(&f.keys);
    nodes_close(&f.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct find_options o = {.top = UINT32_MAX, .layer = -1};

    return input_run(self, argc, argv, &o, find);
}

const struct command cmd_find = {
    "find",
    "INDEX [PATTERN]",
    "calls and GPU events by name, kind, time",
    "\n"
    "PATTERN is a part of the name, '' one of any name; beside an option that\n"
    "says what to find, such as --layer, or --top, it may be left out.\n"
    "All that is asked for must hold.  MODULE is a frame as in Linear_7, its\n"
    "class Linear, or a path of those, Model_0/Block_3.  A category such as\n"
    "user_annotation, whose elements are outside the tree, finds them too.\n"
    "Times count from the earliest start in the tree.  GPU sum is the sum of\n"
    "the durations of the GPU events below.  A narrow terminal has no column\n"
    "of starts, and one of less than 60 columns none of GPU events.\n",
    options,
    run,
    "  t2t find rank0.json.gz aten:: --sort gpu --top 10 --args 'Input Dims'\n"
    "  t2t find rank0.json.gz --layer gpu --sort dur --top 20\n"
    "  t2t find rank0.json.gz -E '^aten::(mm|addmm)$' --module Linear\n",
    NULL,
};
