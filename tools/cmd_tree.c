/* cmd_tree.c - t2t tree: calls and the GPU events below them, as a tree. */
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
#define LEAST_LINE 40u   /* columns of a terminal */
#define LEAST_NAME 31u   /* columns that names keep; others are left out */
#define GUIDE_COLUMNS 2u /* for each level */
#define MOST_GUIDES 512u /* levels that are drawn */
#define GUIDE_MAX 4u     /* bytes of a guide: a vertical line, a space */

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

struct tree_options {
    const char *output;
    const char *args;
    uint64_t min_dur_ns;
    uint32_t depth;
    int format;
    int time_unit;
    int color;
    bool gpu_only;
    bool backward;
};

static const struct option_row options[] = {
    {"depth", 0, "N", OPTION_NUMBER, offsetof(struct tree_options, depth),
     "go down N levels; 0: no children", NULL},
    {"gpu-only", 0, NULL, OPTION_FLAG, offsetof(struct tree_options, gpu_only),
     "leave out what has no GPU event below", NULL},
    {"min-dur", 0, "T", OPTION_TIME, offsetof(struct tree_options, min_dur_ns),
     "leave out what is shorter, and so is all below", NULL},
    {"backward", 'b', NULL, OPTION_FLAG,
     offsetof(struct tree_options, backward),
     "print backward events below their operation", NULL},
    {"args", 0, "KEY[,KEY]...", OPTION_TEXT,
     offsetof(struct tree_options, args), "print these arguments", NULL},
    OPTION_FORMAT(tree_options, format, formats, "text|json"),
    OPTION_OUTPUT(tree_options, output),
    OPTION_TIME_UNIT(tree_options, time_unit),
    OPTION_COLOR(tree_options, color),
    OPTIONS_END,
};

/* A subtree that is open. */
struct subtree {
    t2t_id end;    /* behind it */
    t2t_id module; /* the nearest module frame, its root included */
};

struct tree {
    const struct tree_options *options;
    struct nodes nodes;
    struct output out;
    struct keys keys;
    uint8_t *keep; /* nodes that are long enough, or NULL for all; owned */
    struct subtree *open; /* owned */
    size_t depth;         /* how many are open */
    size_t cap;
    uint32_t lane;                       /* of the heading printed last */
    size_t figures;                      /* columns before the guides */
    bool count;                          /* print the columns of GPU events, */
    bool sum;                            /* and of the sum of their durations */
    size_t guides;                       /* most levels that are drawn */
    size_t guide_bytes;                  /* of one level */
    char guide[MOST_GUIDES * GUIDE_MAX]; /* of so many levels */
    struct json json;
};

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

/*
 * Closes the subtrees that end at or before `e` and opens that of `e`.
 *
 * @param module  set to the nearest module frame above `e`.
 */
static int open_subtree(struct tree *t, const struct t2t_element *e,
                        t2t_id *module)
{
    bool first = !t->cap;
    struct subtree *open;

    while (t->depth && t->open[t->depth - 1].end <= e->id)
        t->depth--;
    if (t->depth == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 256;
        open = realloc(t->open, t->cap * sizeof(*open));
        if (!open)
            return out_of_memory();
        t->open = open;
    }
    if (t->depth)
        *module = t->open[t->depth - 1].module;
    else
        *module = first ? t2t_index_module(t->nodes.index, e->id) : T2T_NO_ID;
    t->open[t->depth++] =
        (struct subtree){e->id + e->size,
                         t2t_index_is_module(t->nodes.index, e->id) ? e->id
                                                                    : *module};
    return EXIT_DONE;
}

/* Prints the heading of the lane of a root, if it is another one. */
static int put_lane(struct tree *t, const struct t2t_element *e)
{
    struct line line = {.out = &t->out};
    struct t2t_lane lane;
    int status;

    if (t->depth != 1 || e->lane == t->lane ||
        t2t_index_lane(t->nodes.index, e->lane, &lane))
        return EXIT_DONE;
    t->lane = e->lane;
    line_end(&line);
    line_paint(&line, PAINT_BOLD);
    line_static(&line, "== ");
    status = line_lane(&line, &lane);
    if (e->parent == T2T_NO_ID && (e->flags & T2T_GPU))
        line_static(&line, ", without a launch");
    line_paint(&line, PAINT_NOT);
    line_end(&line);
    return status;
}

/* Prints the columns before the name. */
static void put_figures(const struct tree *t, struct line *line,
                        const struct t2t_element *e)
{
    uint32_t gpu = t2t_index_gpu_count(t->nodes.index, e->id);
    uint64_t sum_ns = t2t_index_gpu_sum_ns(t->nodes.index, e->id);
    enum t2t_time_unit unit = t->nodes.unit;
    char dur[TIME_MAX];
    char sum[TIME_MAX];

    time_text(dur, e->dur_ns, unit);
    time_text(sum, sum_ns, unit);
    line_paint(line, PAINT_DIM);
    line_put(line, "%*" PRIu32, ID_COLUMNS, e->id);
    line_paint(line, PAINT_NOT);
    line_put(line, " %*s", TIME_COLUMNS, dur);
    if (gpu && !(e->flags & T2T_GPU)) {
        if (t->count)
            line_put(line, " %*" PRIu32, COUNT_COLUMNS, gpu);
        if (t->sum)
            line_put(line, " %*s", TIME_COLUMNS, sum);
    }
    if (line->used < t->figures)
        line_put(line, "%*s", (int)(t->figures - line->used), "");
    else
        line_put(line, "  "); /* a figure is longer than its column */
}

/* Prints guides for `levels`, or as many as there is room for and how many
 * levels there are. */
static void put_guides(const struct tree *t, struct line *line, size_t levels)
{
    size_t drawn = levels < t->guides ? levels : t->guides;
    size_t columns = drawn * GUIDE_COLUMNS;
    char number[24];
    size_t len = 0;

    line_paint(line, PAINT_DIM);
    if (levels > drawn) {
        len = (size_t)snprintf(number, sizeof(number), "%zu ", levels);
        len += len % GUIDE_COLUMNS;
        line_put(line, "%-*s", (int)len, number);
    }
    if (len < columns) {
        (void)fwrite(t->guide, t->guide_bytes, (columns - len) / GUIDE_COLUMNS,
                     t->out.to);
        line->used += columns - len;
    }
    line_paint(line, PAINT_NOT);
}

/* Prints the backward events of a forward operation, a line each. */
static int put_backward(struct tree *t, const struct t2t_element *e)
{
    struct line line = {.out = &t->out};
    uint32_t n = 0;
    t2t_id id;

    while ((id = t2t_index_backward(t->nodes.index, e->id, n++)) != T2T_NO_ID) {
        struct t2t_element b;
        int status = node_get(&t->nodes, id, &b);

        if (status)
            return status;
        if (!is_wanted(t, id))
            continue;
        put_figures(t, &line, &b);
        put_guides(t, &line, t->depth);
        line_static(&line, "<= backward: ");
        line_text(&line, node_name(&t->nodes, &b));
        line_end(&line);
    }
    return EXIT_DONE;
}

static int put_text(struct tree *t, const struct t2t_element *e)
{
    struct line line = {.out = &t->out};
    int status = put_lane(t, e);

    if (status)
        return status;
    put_figures(t, &line, e);
    put_guides(t, &line, t->depth - 1);
    if (e->flags & T2T_GPU)
        line_static(&line, "=> ");
    status = keys_put(&t->keys, &t->nodes, e, &line);
    line_end(&line);
    if (!status && t->options->backward)
        status = put_backward(t, e);
    return status;
}

static int put_json(struct tree *t, const struct t2t_element *e, t2t_id module)
{
    int status;

    if (t->json.comma)
        (void)fputs(",\n", t->out.to);
    t->json.comma = false;
    json_open(&t->json, NULL, '{');
    status = json_node(&t->nodes, &t->json, e, module);
    if (!status)
        status = keys_json(&t->keys, &t->nodes, e, &t->json);
    json_close(&t->json, '}');
    return status;
}

/* Prints the wanted nodes from `id` on, up to `end`. */
static int put_nodes(struct tree *t, t2t_id id, t2t_id end)
{
    while (id < end && !ferror(t->out.to)) {
        struct t2t_element e;
        t2t_id module = T2T_NO_ID;
        int status = node_get(&t->nodes, id, &e);

        if (status)
            return status;
        if (!is_wanted(t, id)) {
            id += e.size;
            continue;
        }
        status = open_subtree(t, &e, &module);
        if (!status && t->options->format == FORMAT_JSON)
            status = put_json(t, &e, module);
        else if (!status)
            status = put_text(t, &e);
        if (status)
            return status;
        id += t->depth > t->options->depth ? e.size : 1;
    }
    return EXIT_DONE;
}

static void put_heading(const struct tree *t)
{
    const char *unit = time_unit_words[t->nodes.unit];
    struct line line = {.out = &t->out};
    char dur[24] = "duration";
    char sum[24] = "GPU sum";

    if (t->nodes.unit != T2T_AUTO) {
        (void)snprintf(dur, sizeof(dur), "dur (%s)", unit);
        (void)snprintf(sum, sizeof(sum), "sum (%s)", unit);
    }
    line_paint(&line, PAINT_BOLD);
    line_put(&line, "%*s %*s", ID_COLUMNS, "id", TIME_COLUMNS, dur);
    if (t->count)
        line_put(&line, " %*s", COUNT_COLUMNS, "GPU ev.");
    if (t->sum)
        line_put(&line, " %*s", TIME_COLUMNS, sum);
    line_put(&line, "  name (=> on a GPU)");
    line_paint(&line, PAINT_NOT);
    line_end(&line);
}

/* Leaves out what a narrow terminal has no room for. */
static void choose_columns(struct tree *t)
{
    size_t width = t->out.width;

    t->figures = ID_COLUMNS + 1 + TIME_COLUMNS + 2;
    t->sum = !width || width >= t->figures + 1 + TIME_COLUMNS + LEAST_NAME;
    if (t->sum)
        t->figures += 1 + TIME_COLUMNS;
    t->count = t->sum &&
               (!width || width >= t->figures + 1 + COUNT_COLUMNS + LEAST_NAME);
    if (t->count)
        t->figures += 1 + COUNT_COLUMNS;
}

/* How many levels of guides leave room for names. */
static void set_guides(struct tree *t)
{
    const char *guide = output_ascii() ? "| " : "\xe2\x94\x82 ";
    size_t least = t->count ? 4 : 2;
    size_t names = t->figures + LEAST_NAME;

    t->guide_bytes = strlen(guide);
    for (size_t i = 0; i < MOST_GUIDES; i++)
        memcpy(t->guide + i * t->guide_bytes, guide, t->guide_bytes);
    t->guides = MOST_GUIDES;
    if (!t->out.width)
        return;
    t->guides = 0;
    if (t->out.width > names)
        t->guides = (t->out.width - names) / GUIDE_COLUMNS;
    if (t->guides < least)
        t->guides = least;
}

static int put_tree(struct tree *t, t2t_id first, t2t_id end)
{
    int status;

    json_init(&t->json, t->out.to);
    t->lane = T2T_NO_ID;
    if (t->options->format != FORMAT_JSON) {
        output_dress(&t->out, LEAST_LINE, t->options->color);
        choose_columns(t);
        set_guides(t);
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

static int tree(const struct command *self, const void *parsed,
                const struct input *in, char **rest)
{
    const struct tree_options *o = parsed;
    struct tree t = {.options = o};
    t2t_id first;
    t2t_id end;
    int status;

    if (o->backward && o->format == FORMAT_JSON)
        return wrong_use(self, "--backward is for text: JSON always names "
                               "backward events");
    status = nodes_open(&t.nodes, in, o->time_unit);
    if (!status)
        status = keys_open(&t.keys, self, o->args);
    if (!status)
        status = find_range(self, &t, rest[0], &first, &end);
    if (!status)
        status = mark_long(&t);
    if (!status)
        status = output_open(self, &t.out, o->output, in);
    if (!status) {
        status = put_tree(&t, first, end);
        status = output_close(&t.out, status);
    }
    free(t.keep);
    free(t.open);
    keys_close(&t.keys);
    nodes_close(&t.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct tree_options o = {.depth = UINT32_MAX};

    return input_run(self, argc, argv, &o, tree);
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
    "name; a narrow terminal has no columns of GPU events.  Arguments that "
    "have\n"
    "no room behind the name stand below it.  --backward prints what an\n"
    "operation cost in backward, in lines marked <=, also where those events\n"
    "are printed as nodes of another lane.\n",
    options,
    run,
    "  t2t tree rank0.json.gz --gpu-only --min-dur 1ms | less -S\n"
    "  t2t tree rank0.json.gz 1234 --depth 3 --args 'Input Dims'\n",
    NULL,
};
