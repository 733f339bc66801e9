/* cmd_stack.c - t2t stack: who called a node. */
#include "cmd.h"

#include <inttypes.h>

#include "input.h"
#include "keys.h"
#include "node.h"
#include "options.h"
#include "print.h"

#define ID_COLUMNS 8
#define TIME_COLUMNS 10
#define KIND_COLUMNS 6
#define LEAST_LINE 40u
#define MOST_HOPS                                                              \
    64u /* backward to forward; a damaged index may have circles               \
         */

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

struct stack_options {
    const char *output;
    const char *args;
    int format;
    int time_unit;
    int color;
    bool through_backward;
};

#define FIELD(member) offsetof(struct stack_options, member)

static const struct option_row options[] = {
    {"through-backward", 'b', NULL, OPTION_FLAG, FIELD(through_backward),
     "from backward go on at the forward operation", NULL},
    {"args", 0, "KEY[,KEY]...", OPTION_TEXT, FIELD(args),
     "print these arguments", NULL},
    OPTION_FORMAT(stack_options, format, formats, "text|json"),
    OPTION_OUTPUT(stack_options, output),
    OPTION_TIME_UNIT(stack_options, time_unit),
    OPTION_COLOR(stack_options, color),
    OPTIONS_END,
};

struct stack {
    const struct stack_options *options;
    struct nodes nodes;
    struct output out;
    struct keys keys;
    struct json json;
    uint32_t hops; /* from backward to forward so far */
    t2t_id module; /* the nearest above the node printed last, if any; it is
                      that of its caller too, unless it is the caller */
};

static void put_heading(const struct stack *s)
{
    struct line line = {.out = &s->out};
    char dur[24] = "duration";

    if (s->nodes.unit != T2T_AUTO)
        (void)snprintf(dur, sizeof(dur), "dur (%s)",
                       time_unit_words[s->nodes.unit]);
    line_paint(&line, PAINT_BOLD);
    line_put(&line, "%*s %*s  %-*s  name", ID_COLUMNS, "id", TIME_COLUMNS, dur,
             KIND_COLUMNS, "kind");
    line_paint(&line, PAINT_NOT);
    line_end(&line);
}

static int put_line(struct stack *s, const struct t2t_element *e)
{
    struct line line = {.out = &s->out};
    char dur[TIME_MAX];
    int status;

    time_text(dur, e->dur_ns, s->nodes.unit);
    line_paint(&line, PAINT_DIM);
    line_put(&line, "%*" PRIu32, ID_COLUMNS, e->id);
    line_paint(&line, PAINT_NOT);
    line_put(&line, " %*s  ", TIME_COLUMNS, dur);
    line_cell(&line, node_kind(&s->nodes, e), KIND_COLUMNS, false);
    line_put(&line, "  ");
    status = keys_put(&s->keys, &s->nodes, e, &line);
    line_end(&line);
    return status;
}

/* Says on which lane the stack is. */
static int put_lane(const struct stack *s, const struct t2t_element *e)
{
    struct line line = {.out = &s->out};
    struct t2t_lane lane;
    int status;

    if (e->lane == T2T_NO_ID || t2t_index_lane(s->nodes.index, e->lane, &lane))
        return EXIT_DONE;
    line_paint(&line, PAINT_BOLD);
    line_static(&line, "== ");
    status = line_lane(&line, &lane);
    line_paint(&line, PAINT_NOT);
    line_end(&line);
    return status;
}

/* @param first  it is not the caller of the node printed last. */
static int put_json(struct stack *s, const struct t2t_element *e, bool first)
{
    int status;

    if (first || s->module == e->id)
        s->module = node_module(&s->nodes, e->id);
    json_open(&s->json, NULL, '{');
    status = json_node(&s->nodes, &s->json, e, s->module);
    if (!status)
        status = keys_json(&s->keys, &s->nodes, e, &s->json);
    json_close(&s->json, '}');
    return status;
}

/* Where the stack goes on above `e`, or T2T_NO_ID. */
static t2t_id above(struct stack *s, const struct t2t_element *e)
{
    t2t_id forward = T2T_NO_ID;
    struct line line = {.out = &s->out};

    if (s->options->through_backward && s->hops < MOST_HOPS)
        forward = t2t_index_forward(s->nodes.index, e->id);
    if (forward == T2T_NO_ID)
        return e->parent;
    s->hops++;
    if (s->options->format == FORMAT_JSON)
        return forward;
    line_paint(&line, PAINT_BOLD);
    line_put(&line, "-- %" PRIu32 " is backward of %" PRIu32 ":", e->id,
             forward);
    line_paint(&line, PAINT_NOT);
    line_end(&line);
    return forward;
}

static int put_stack(struct stack *s, const struct t2t_element *node)
{
    bool json = s->options->format == FORMAT_JSON;
    struct t2t_element e = *node;
    bool first = true;
    int status = EXIT_DONE;

    s->hops = 0;
    s->json.comma = false;
    if (json)
        json_open(&s->json, NULL, '[');
    else
        status = put_lane(s, &e);
    while (!status && !ferror(s->out.to)) {
        uint32_t lane = e.lane;
        t2t_id up;

        status = json ? put_json(s, &e, first) : put_line(s, &e);
        if (status)
            break;
        up = above(s, &e);
        if (up == T2T_NO_ID)
            break;
        first = up != e.parent;
        status = node_get(&s->nodes, up, &e);
        if (!status && !json && e.lane != lane)
            status = put_lane(s, &e);
    }
    if (json) {
        json_close(&s->json, ']');
        (void)putc('\n', s->out.to);
    }
    return status;
}

/* Prints the stacks of the nodes named by the words at `node`. */
static int put_stacks(const struct command *self, struct stack *s, char **node)
{
    bool json = s->options->format == FORMAT_JSON;
    int status = EXIT_DONE;

    json_init(&s->json, s->out.to);
    output_dress(&s->out, LEAST_LINE, s->options->color);
    for (char **word = node; !status && *word; word++) {
        struct t2t_element e;

        status = node_find(self, &s->nodes, *word, &e);
        if (status)
            break;
        if (!e.in_tree)
            return wrong_use(self, "element %s is outside the tree", *word);
        if (!json && word == node)
            put_heading(s);
        else if (!json)
            (void)putc('\n', s->out.to);
        status = put_stack(s, &e);
    }
    return status;
}

static int stack(const struct command *self, const void *parsed,
                 const struct input *in, char **rest)
{
    const struct stack_options *o = parsed;
    struct stack s = {.options = o};
    int status = nodes_open(&s.nodes, in, o->time_unit);

    if (!status)
        status = keys_open(&s.keys, self, o->args);
    if (!status)
        status = output_open(self, &s.out, o->output, in);
    if (!status) {
        status = put_stacks(self, &s, rest);
        status = output_close(&s.out, status);
    }
    keys_close(&s.keys);
    nodes_close(&s.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct stack_options o = {.format = FORMAT_TEXT};

    return input_run(self, argc, argv, &o, stack);
}

const struct command cmd_stack = {
    "stack",
    "INDEX NODE...",
    "who called a node, up to the root",
    "\n"
    "NODE is an id, as tree and find print them, or @N for the N-th element "
    "of\n"
    "traceEvents.  The node itself comes first and its root last, as "
    "debuggers\n"
    "and py-spy print stacks; a GPU event is called by its launch.  With\n"
    "--through-backward a stack that meets a backward event goes on, instead "
    "of\n"
    "with its caller, with the forward operation that it belongs to.  JSON is\n"
    "one array a NODE, each on a line.\n",
    options,
    run,
    "  t2t stack rank0.json.gz 1234 --through-backward\n",
    NULL,
};
