/* cmd_tree.c - t2t tree: calls and the GPU events below them, as a tree. */
#include "cmd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "node.h"
#include "options.h"
#include "print.h"

#define FIGURES 41u           /* columns before the names */
#define LEAST_NAME 30u        /* columns that names keep */
#define GUIDE_COLUMNS 2u      /* for each level */
#define MOST_GUIDES 512u      /* levels that are drawn */
#define GUIDE "\xe2\x94\x82 " /* a vertical line */
#define GUIDE_BYTES (sizeof(GUIDE) - 1)

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

struct tree_options {
    const char *output;
    const char *args;
    uint64_t min_dur_ns;
    uint32_t depth;
    int format;
    int time_unit;
    bool gpu_only;
};

static const struct option_row options[] = {
    {"depth", 0, "N", OPTION_NUMBER, offsetof(struct tree_options, depth),
     "go down N levels; 0: no children", NULL},
    {"gpu-only", 0, NULL, OPTION_FLAG, offsetof(struct tree_options, gpu_only),
     "leave out what has no GPU event below", NULL},
    {"min-dur", 0, "T", OPTION_TIME, offsetof(struct tree_options, min_dur_ns),
     "leave out what is shorter, and so is all below", NULL},
    {"args", 0, "KEY[,KEY]...", OPTION_TEXT,
     offsetof(struct tree_options, args), "print these arguments", NULL},
    OPTION_FORMAT(tree_options, format, formats, "text|json"),
    OPTION_OUTPUT(tree_options, output),
    OPTION_TIME_UNIT(tree_options, time_unit),
    OPTIONS_END,
};

struct tree {
    const struct tree_options *options;
    struct nodes nodes;
    struct output out;
    uint8_t *keep; /* nodes that are long enough, or NULL for all; owned */
    t2t_id *end;   /* ends of the open subtrees, owned */
    size_t depth;  /* how many are open */
    size_t cap;
    uint32_t lane;                         /* of the heading printed last */
    size_t width;                          /* of the terminal; 0: unlimited */
    size_t guides;                         /* most levels that are drawn */
    char guide[MOST_GUIDES * GUIDE_BYTES]; /* of so many levels */
    struct json json;
    char *keys; /* of --args, with NULs between; owned */
    size_t key_count;
};

/* Splits the keys of --args. */
static int split_keys(struct tree *t)
{
    const char *args = t->options->args;

    if (!args)
        return EXIT_DONE;
    t->keys = strdup(args);
    if (!t->keys)
        return out_of_memory();
    t->key_count = 1;
    for (char *p = t->keys; *p; p++) {
        if (*p == ',') {
            *p = '\0';
            t->key_count++;
        }
    }
    return EXIT_DONE;
}

/* Marks the nodes that take long enough, and all above them. */
static int mark_long(struct tree *t)
{
    struct t2t_element e;

    if (!t->options->min_dur_ns)
        return EXIT_DONE;
    t->keep = calloc((size_t)t->nodes.info.node_count + 1, 1);
    if (!t->keep)
        return out_of_memory();
    for (t2t_id id = t->nodes.info.node_count; id--;) {
        int status = node_get(&t->nodes, id, &e);

        if (status)
            return status;
        if (e.dur_ns >= t->options->min_dur_ns)
            t->keep[id] = 1;
        if (t->keep[id] && e.parent != T2T_NO_ID)
            t->keep[e.parent] = 1;
    }
    return EXIT_DONE;
}

/* Whether a subtree is to be printed at all. */
static bool is_wanted(const struct tree *t, t2t_id id)
{
    if (t->keep && !t->keep[id])
        return false;
    return !t->options->gpu_only || t2t_index_gpu_count(t->nodes.index, id);
}

/* Closes the subtrees that end at or before `id` and opens that of `e`. */
static int open_subtree(struct tree *t, const struct t2t_element *e)
{
    t2t_id *end;

    while (t->depth && t->end[t->depth - 1] <= e->id)
        t->depth--;
    if (t->depth == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 256;
        end = realloc(t->end, t->cap * sizeof(*end));
        if (!end)
            return out_of_memory();
        t->end = end;
    }
    t->end[t->depth++] = e->id + e->size;
    return EXIT_DONE;
}

/* Prints the heading of the lane of a root, if it is another one. */
static void put_lane(struct tree *t, const struct t2t_element *e)
{
    FILE *to = t->out.to;
    struct t2t_lane lane;

    if (t->depth != 1 || e->lane == t->lane ||
        t2t_index_lane(t->nodes.index, e->lane, &lane))
        return;
    t->lane = e->lane;
    (void)fputs("\n== ", to);
    print_lane(to, &lane);
    if (e->parent == T2T_NO_ID && (e->flags & T2T_GPU))
        (void)fputs(", without a launch", to);
    (void)putc('\n', to);
}

/* Prints the columns before the name. */
static void put_figures(const struct tree *t, const struct t2t_element *e)
{
    uint32_t gpu = t2t_index_gpu_count(t->nodes.index, e->id);
    uint64_t sum_ns = t2t_index_gpu_sum_ns(t->nodes.index, e->id);
    enum t2t_time_unit unit = t->nodes.unit;
    char dur[TIME_MAX];
    char sum[TIME_MAX];

    time_text(dur, e->dur_ns, unit);
    time_text(sum, sum_ns, unit);
    (void)fprintf(t->out.to, "%8" PRIu32 " %10s ", e->id, dur);
    if (gpu && !(e->flags & T2T_GPU))
        (void)fprintf(t->out.to, "%7" PRIu32 " %10s  ", gpu, sum);
    else
        (void)fprintf(t->out.to, "%20s", "");
}

/*
 * Prints the guides of the levels above, or as many as there is room for and
 * how many levels there are; returns the columns.
 */
static size_t put_guides(const struct tree *t)
{
    size_t levels = t->depth - 1;
    size_t drawn = levels < t->guides ? levels : t->guides;
    size_t columns = drawn * GUIDE_COLUMNS;
    char number[24];
    size_t len = 0;

    if (levels > drawn) {
        len = (size_t)snprintf(number, sizeof(number), "%zu ", levels);
        len += len % GUIDE_COLUMNS;
        (void)fprintf(t->out.to, "%-*s", (int)len, number);
    }
    if (len < columns)
        (void)fwrite(t->guide, GUIDE_BYTES, (columns - len) / GUIDE_COLUMNS,
                     t->out.to);
    return columns > len ? columns : len;
}

/* Prints text in at most `left` columns, or whole when there is no limit;
 * returns what is left. */
static size_t put_cut(const struct tree *t, struct t2t_text text, size_t left)
{
    char cut[CUT_MAX];
    size_t used;
    size_t len;

    if (!t->width) {
        print_text(t->out.to, text);
        return left;
    }
    if (left < 2)
        return 0;
    len = text_cut(cut, text, left, &used);
    (void)fwrite(cut, 1, len, t->out.to);
    return left > used ? left - used : 0;
}

static size_t put_static(const struct tree *t, const char *text, size_t left)
{
    return put_cut(t, (struct t2t_text){text, strlen(text)}, left);
}

/* Prints the arguments that were asked for and that the node has. */
static int put_arguments(struct tree *t, const struct t2t_element *e,
                         size_t left)
{
    const char *key = t->keys;

    for (size_t i = 0; i < t->key_count; i++, key += strlen(key) + 1) {
        struct t2t_text json;
        struct t2t_error err;
        enum t2t_status st =
            t2t_cursor_argument(t->nodes.cursor, e->id, key, &json, &err);

        if (st == T2T_NOT_FOUND)
            continue;
        if (st)
            return fail(t->nodes.in->path, &err);
        left = put_static(t, "  ", left);
        left = put_static(t, key, left);
        left = put_static(t, "=", left);
        left = put_cut(t, json, left);
    }
    return EXIT_DONE;
}

static int put_text(struct tree *t, const struct t2t_element *e)
{
    struct t2t_text name = t2t_index_string(t->nodes.index, e->name);
    size_t left = t->width;
    size_t used;
    int status = EXIT_DONE;

    if (!name.ptr)
        name = (struct t2t_text){"(no name)", 9};
    put_lane(t, e);
    put_figures(t, e);
    used = FIGURES - 1 + put_guides(t);
    left = left > used ? left - used : 0;
    if (e->flags & T2T_GPU)
        left = put_static(t, "=> ", left);
    left = put_cut(t, name, left);
    if (t->keys)
        status = put_arguments(t, e, left);
    (void)putc('\n', t->out.to);
    return status;
}

static int json_arguments(struct tree *t, const struct t2t_element *e)
{
    const char *key = t->keys;

    json_open(&t->json, "args", '{');
    for (size_t i = 0; i < t->key_count; i++, key += strlen(key) + 1) {
        struct t2t_text json;
        struct t2t_error err;
        enum t2t_status st =
            t2t_cursor_argument(t->nodes.cursor, e->id, key, &json, &err);

        if (st == T2T_NOT_FOUND)
            continue;
        if (st)
            return fail(t->nodes.in->path, &err);
        json_raw(&t->json, key, json);
    }
    json_close(&t->json, '}');
    return EXIT_DONE;
}

static int put_json(struct tree *t, const struct t2t_element *e)
{
    int status;

    if (t->json.comma)
        (void)fputs(",\n", t->out.to);
    t->json.comma = false;
    json_open(&t->json, NULL, '{');
    status = json_node(&t->nodes, &t->json, e);
    if (!status && t->keys)
        status = json_arguments(t, e);
    json_close(&t->json, '}');
    return status;
}

/* Prints the wanted nodes from `id` on, up to `end`. */
static int put_nodes(struct tree *t, t2t_id id, t2t_id end)
{
    while (id < end && !ferror(t->out.to)) {
        struct t2t_element e;
        int status = node_get(&t->nodes, id, &e);

        if (status)
            return status;
        if (!is_wanted(t, id)) {
            id += e.size;
            continue;
        }
        status = open_subtree(t, &e);
        if (!status)
            status = t->options->format == FORMAT_JSON ? put_json(t, &e)
                                                       : put_text(t, &e);
        if (status)
            return status;
        id += t->depth > t->options->depth ? e.size : 1;
    }
    return EXIT_DONE;
}

static void put_heading(const struct tree *t)
{
    const char *unit = time_unit_words[t->nodes.unit];
    char dur[24] = "duration";
    char sum[24] = "GPU sum";

    if (t->nodes.unit != T2T_AUTO) {
        (void)snprintf(dur, sizeof(dur), "dur (%s)", unit);
        (void)snprintf(sum, sizeof(sum), "sum (%s)", unit);
    }
    (void)fprintf(t->out.to, "%8s %10s %7s %10s  %s\n", "id", dur, "GPU ev.",
                  sum, "name (=> on a GPU)");
}

/* How many levels of guides leave room for names. */
static void set_width(struct tree *t)
{
    size_t room;

    for (size_t i = 0; i < MOST_GUIDES; i++)
        memcpy(t->guide + i * GUIDE_BYTES, GUIDE, GUIDE_BYTES);
    t->width = output_width(&t->out);
    t->guides = MOST_GUIDES;
    if (!t->width)
        return;
    if (t->width < FIGURES + LEAST_NAME)
        t->width = FIGURES + LEAST_NAME;
    room = t->width - FIGURES - LEAST_NAME;
    t->guides = room / GUIDE_COLUMNS;
    if (t->guides < 4)
        t->guides = 4;
}

static int put_tree(struct tree *t, t2t_id first, t2t_id end)
{
    int status;

    t->json.to = t->out.to;
    t->lane = T2T_NO_ID;
    if (t->options->format != FORMAT_JSON) {
        set_width(t);
        put_heading(t);
        return put_nodes(t, first, end);
    }
    (void)putc('[', t->out.to);
    status = put_nodes(t, first, end);
    (void)fputs("]\n", t->out.to);
    return status;
}

/* The nodes to print: all, or those of the subtree that was asked for. */
static int find_range(const struct command *self, struct tree *t,
                      const char *node, t2t_id *first, t2t_id *end)
{
    struct t2t_element e;
    int status;

    *first = 0;
    *end = t->nodes.info.node_count;
    if (!node) {
        t2t_index_will_scan(t->nodes.index);
        return EXIT_DONE;
    }
    status = node_find(self, &t->nodes, node, &e);
    if (status)
        return status;
    if (!e.in_tree)
        return wrong_use(self, "element %s is outside the tree", node);
    *first = e.id;
    *end = e.id + e.size;
    return EXIT_DONE;
}

static int tree(const struct command *self, const struct tree_options *o,
                const struct input *in, const char *node)
{
    struct tree t = {.options = o};
    t2t_id first;
    t2t_id end;
    int status = nodes_open(&t.nodes, in, o->time_unit);

    if (!status)
        status = split_keys(&t);
    if (!status)
        status = find_range(self, &t, node, &first, &end);
    if (!status)
        status = mark_long(&t);
    if (!status)
        status = output_open(self, &t.out, o->output, in);
    if (!status) {
        status = put_tree(&t, first, end);
        status = output_close(&t.out, status);
    }
    free(t.keep);
    free(t.end);
    free(t.keys);
    nodes_close(&t.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct tree_options o = {.depth = UINT32_MAX};
    struct input in;
    int first;
    int status = options_parse(self, argc, argv, &o, &first);

    if (status >= 0)
        return status;
    if (argc - first != 1 && argc - first != 2)
        return wrong_use(self, "tree takes an index and perhaps a node");
    status = input_open(&in, argv[first]);
    if (status)
        return status;
    status = tree(self, &o, &in, argv[first + 1]);
    input_close(&in);
    return status;
}

const struct command cmd_tree = {
    "tree",
    "INDEX [NODE]",
    "calls and their GPU events as a tree",
    "\n"
    "NODE is an id, as tree prints them, or @N for the N-th element of\n"
    "traceEvents: only what is below it is printed.  A line has the id, the\n"
    "duration, how many GPU events are below and the sum of their durations.\n"
    "Where a tree is too deep for the terminal, the depth stands before the\n"
    "name.\n",
    options,
    run,
};
