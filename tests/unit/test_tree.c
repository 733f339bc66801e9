/* test_tree.c - merge/tree.h, with a sink that fills an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "made_trace.h"
#include "merge/tree.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define ROWS 12

/* A tree and what the sink was given. */
struct subject {
    struct tt_trace trace;
    struct tt_tree tree;
    struct tt_placed *placed; /* nodes, then elements outside */
    size_t nodes;
    size_t count;
    size_t fail_at; /* the element that fails, from 1; 0 for none */
};

static enum t2t_status keep(void *owner, struct tt_placed_block **block,
                            struct t2t_error *err)
{
    struct subject *s = owner;
    struct tt_placed_block *b = *block;

    if (b->nodes)
        assert_int_equal(s->nodes, s->count); /* nodes come first */
    s->nodes += b->nodes;
    for (size_t i = 0; i < b->count; i++) {
        if (s->count + 1 == s->fail_at)
            return tt_error(err, T2T_ERR_NO_SPACE, 42, "no space");
        if (i >= b->nodes)
            assert_int_equal(b->parent[i], TT_NO_NODE);
        s->placed[s->count++] = tt_placed_get(b, i);
    }
    tt_placed_clear(b);
    return T2T_OK;
}

static struct tt_sink sink_of(struct subject *s)
{
    static struct tt_placed_block block;

    tt_placed_clear(&block);
    return (struct tt_sink){s, keep, &block};
}

/* Without help. */
static const struct tt_stitching *nobody(void)
{
    static struct tt_tasks tasks;
    static struct tt_stitching how = {.tasks = &tasks};

    if (!how.events) {
        assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
        how.events = TT_STITCH_EVENTS;
    }
    return &how;
}

static enum t2t_status make(struct subject *s, const struct made *rows,
                            size_t count, struct t2t_error *err)
{
    struct tt_sink sink = sink_of(s);

    make_trace(&s->trace, rows, count);
    s->placed = calloc(count + 1, sizeof(*s->placed));
    assert_non_null(s->placed);
    return tt_tree_make(&s->tree, &s->trace, nobody(), &sink, err);
}

static void start(struct subject *s, const struct made *rows, size_t count)
{
    *s = (struct subject){0};
    assert_int_equal(make(s, rows, count, NULL), T2T_OK);
    assert_int_equal(s->count, count);
    assert_int_equal(s->nodes, s->trace.node_count);
    assert_int_equal(s->tree.next, s->trace.node_count);
}

static void stop(struct subject *s)
{
    tt_tree_release(&s->tree);
    tt_trace_release(&s->trace);
    free(s->placed);
}

static const char *name_of(const struct subject *s, size_t id)
{
    static char name[64];
    const struct tt_interned *i = &s->trace.strings.item[s->placed[id].name];

    (void)snprintf(name, sizeof(name), "%.*s", (int)i->len, i->ptr);
    return name;
}

/* "0a 1bX 1c": depth, name and flags of the nodes in preorder: crossed, cut,
 * root operation, GPU, linked. */
static void describe(const struct subject *s, char *to, size_t cap)
{
    static const char letters[] = "XCRGL";
    size_t depth[ROWS];

    to[0] = '\0';
    for (uint32_t id = 0; id < s->nodes; id++) {
        const struct tt_placed *p = &s->placed[id];
        size_t len = strlen(to);

        assert_true(p->parent == TT_NO_NODE || p->parent < id);
        depth[id] = p->parent == TT_NO_NODE ? 0 : depth[p->parent] + 1;
        len += (size_t)snprintf(to + len, cap - len, "%s%zu%s", id ? " " : "",
                                depth[id], name_of(s, id));
        for (int i = 0; i < 5; i++)
            if (p->flags >> i & 1)
                len += (size_t)snprintf(to + len, cap - len, "%c", letters[i]);
    }
}

/* Subtrees are ranges of ids, as the sizes say. */
static void assert_sizes(const struct subject *s)
{
    for (uint32_t id = 0; id < s->nodes; id++) {
        uint32_t size = 1;

        while (id + size < s->nodes &&
               s->placed[id + size].parent != TT_NO_NODE &&
               s->placed[id + size].parent >= id)
            size++;
        assert_int_equal(s->tree.size[id], size);
    }
}

struct row {
    struct made made[ROWS];
    const char *tree;
};

static void assert_trees(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct subject s;
        char got[256];
        size_t n = 0;

        while (n < ROWS && rows[i].made[n].name)
            n++;
        start(&s, rows[i].made, n);
        describe(&s, got, sizeof(got));
        assert_string_equal(got, rows[i].tree);
        assert_sizes(&s);
        stop(&s);
    }
}

static void test_calls_nest_by_time(void **state)
{
    static const struct row rows[] = {
        {{{0}}, ""},
        {{PY("a", 0, 9)}, "0a"},
        {{PY("a", 0, 9), PY("b", 1, 3), PY("c", 2, 3), PY("d", 3, 9)},
         "0a 1b 2c 1d"},
        {{PY("a", 0, 5), PY("b", 5, 9)}, "0a 0b"},
        {{PY("a", 0, 5), PY("b", 0, 5), PY("c", 0, 5)}, "0a 1b 2c"},
        {{PY("c", 2, 3), PY("b", 1, 4), PY("a", 0, 5)}, "0a 1b 2c"},
        {{PY("a", 0, 0), PY("b", 0, 5)}, "0a 0b"},
        {{PY("a", 0, 5), PY("b", 0, 0), PY("c", 5, 5)}, "0a 1b 0c"},
        {{PY("a", 0, 5), PY("b", 2, 2), PY("c", 2, 2), PY("d", 2, 4)},
         "0a 1b 1c 1d"},
        {{LAUNCH("l", 0, 5, 0), OP("o", 0, 5), PY("p", 0, 5)}, "0p 1oR 2l"},
        {{OP("o", 0, 9), PY("p", 1, 8), OP("q", 2, 3), OP("r", 9, 10)},
         "0oR 1p 2q 0rR"},
        {{PY("p", 0, 9), OP("o", 1, 4), OP("q", 4, 6)}, "0p 1oR 1qR"},
        {{PY("a", INT64_MIN, INT64_MAX), PY("b", -1, INT64_MAX),
          PY("c", INT64_MAX, INT64_MAX)},
         "0a 1b 0c"},
    };

    (void)state;
    assert_trees(rows, COUNT(rows));
}

static void test_a_crossing_loses_the_least_time(void **state)
{
    static const struct row rows[] = {
        /* 2 left of a, 10 past it: a ends */
        {{PY("a", 0, 10), PY("b", 8, 20)}, "0a 0bX"},
        /* 8 left of a, 1 past it: b is cut */
        {{PY("a", 0, 10), PY("b", 2, 11)}, "0a 1bXC"},
        {{PY("a", 0, 10), PY("b", 5, 15)}, "0a 1bXC"},
        {{PY("a", 0, 10), PY("b", 6, 15)}, "0a 0bX"},
        /* c pops b, and then it is in a */
        {{PY("a", 0, 30), PY("b", 0, 10), PY("c", 8, 20)}, "0a 1b 1cX"},
        {{PY("a", 0, 12), PY("b", 1, 10), PY("c", 9, 20)}, "0a 1b 0cX"},
        /* what was cut ends with its parent */
        {{PY("a", 0, 10), PY("b", 2, 11), PY("c", 9, 10), PY("d", 10, 11)},
         "0a 1bXC 2c 0d"},
        {{PY("a", 0, 10), PY("b", 2, 11), PY("c", 9, 11)}, "0a 1bXC 2cXC"},
        {{PY("a", 0, 10), PY("b", 2, 11), PY("c", 9, 13)}, "0a 1bXC 0cX"},
        /* differences that need all 64 bits */
        {{PY("a", INT64_MIN, 0), PY("b", INT64_MIN, INT64_MAX)}, "0a 1bXC"},
        {{PY("a", INT64_MIN, -1), PY("b", INT64_MIN, INT64_MAX)}, "0a 0bX"},
        {{PY("a", INT64_MIN, INT64_MAX - 1), PY("b", -9, INT64_MAX)},
         "0a 1bXC"},
    };

    (void)state;
    assert_trees(rows, COUNT(rows));
}

#define FRAME(n, s, e, id, parent)                                             \
    MADE(n, PYTHON, 1, 1, s, e, .a = (id), .b = (parent))
#define CALL(n, s, e, number, external)                                        \
    MADE(n, LAUNCH, 1, 1, s, e, .a = (number), .b = (external))
#define NUMBERED(n, s, e, external)                                            \
    MADE(n, OPERATION, 1, 1, s, e, .a = (external))

static void test_a_crossing_goes_by_the_recorded_parent(void **state)
{
    static const struct row rows[] = {
        {{FRAME("a", 0, 10, 1, 0), FRAME("b", 8, 20, 2, 1)}, "0a 1bXC"},
        {{FRAME("a", 0, 10, 1, 0), FRAME("b", 8, 20, 2, 7)}, "0a 0bX"},
        {{FRAME("a", 0, 30, 1, 0), FRAME("b", 0, 20, 2, 1),
          FRAME("c", 2, 21, 3, 1)},
         "0a 1b 1cX"},
        /* the innermost of those with the number */
        {{FRAME("a", 0, 30, 1, 0), FRAME("b", 0, 20, 1, 0),
          FRAME("c", 2, 21, 3, 1)},
         "0a 1b 2cXC"},
        {{NUMBERED("o", 0, 10, 5), CALL("l", 8, 20, 9, 5)}, "0oR 1lXC"},
        /* External id is the correlation again: it says nothing */
        {{NUMBERED("o", 0, 10, 5),
          MADE("l", LAUNCH, 1, 1, 8, 20, .a = 5, .b = 5, .flags = TT_B_OWN)},
         "0oR 0lX"},
        /* operations have no recorded parent */
        {{NUMBERED("o", 0, 10, 5),
          MADE("q", OPERATION, 1, 1, 8, 20, .a = 6, .b = 5)},
         "0oR 0qXR"},
        /* a number of another layer, or of another sign, is another */
        {{FRAME("a", 0, 10, 5, 0), CALL("l", 8, 20, 9, 5)}, "0a 0lX"},
        {{MADE("o", OPERATION, 1, 1, 0, 10, .a = UINT64_MAX),
          MADE("l", LAUNCH, 1, 1, 8, 20, .a = 9, .b = UINT64_MAX,
               .flags = TT_B_NEGATIVE)},
         "0oR 0lX"},
        {{MADE("a", PYTHON, 1, 1, 0, 10, .flags = TT_A_SET),
          MADE("b", PYTHON, 1, 1, 8, 20, .a = 2, .flags = TT_B_SET)},
         "0a 1bXC"},
        {{MADE("a", PYTHON, 1, 1, 0, 10, .flags = TT_A_SET),
          MADE("b", PYTHON, 1, 1, 8, 20, .a = 2)},
         "0a 0bX"},
        {{MADE("a", PYTHON, 1, 1, 0, 10, .a = 0),
          MADE("b", PYTHON, 1, 1, 8, 20, .a = 2, .flags = TT_B_SET)},
         "0a 0bX"},
    };

    (void)state;
    assert_trees(rows, COUNT(rows));
}

static void test_gpu_events_stand_below_their_launch(void **state)
{
    static const struct row rows[] = {
        {{GPU("k", 90, 95, 7), LAUNCH("l", 0, 5, 7)}, "0l 1kGL"},
        {{LAUNCH("l", 0, 5, 7), GPU("k", 90, 95, 7), GPU("j", 80, 99, 7),
          GPU("i", 80, 81, 7)},
         "0l 1jGL 1iGL 1kGL"},
        {{GPU("k", 90, 95, 7), GPU("j", 80, 99, 0), LAUNCH("l", 0, 5, 8)},
         "0l 0jG 0kG"},
        /* host calls below a launch, and its GPU events, by start; a host call
         * first when both start at once */
        {{LAUNCH("l", 0, 50, 7), PY("a", 10, 11), PY("b", 20, 21),
          GPU("k", 20, 25, 7), GPU("j", 15, 99, 7), GPU("i", 0, 1, 7)},
         "0l 1iGL 1a 1jGL 1b 1kGL"},
        /* the GPU events of an outer launch do not go into an inner one */
        {{LAUNCH("l", 0, 50, 7), LAUNCH("m", 10, 30, 8), PY("p", 25, 26),
          GPU("k", 12, 13, 7), GPU("j", 40, 41, 8), GPU("i", 20, 21, 8)},
         "0l 1m 2iGL 2p 2jGL 1kGL"},
        {{PY("p", 0, 9), LAUNCH("l", 1, 2, 7), PY("q", 3, 4),
          GPU("k", 50, 60, 7)},
         "0p 1l 2kGL 1q"},
    };

    (void)state;
    assert_trees(rows, COUNT(rows));
}

static void test_what_crosses_or_is_cut_is_counted(void **state)
{
    static const struct made rows[] = {PY("a", 0, 10), PY("b", 2, 11),
                                       PY("c", 9, 30)};
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_CROSSED], 2);
    assert_int_equal(s.trace.anomalies.first_position[TT_ANOMALY_CROSSED], 1);
    assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_CUT], 1);
    assert_int_equal(s.placed[1].dur_ns, 9); /* the stored one stays */
    stop(&s);
}

/* ---- what goes with a node ----------------------------------------------- */

static void test_nodes_come_with_all_their_fields(void **state)
{
    static const struct made rows[] = {
        MADE("x", NONE, 5, 5, 7, 9, .phase = 'i'),
        MADE("g", GPU, 0, 7, 30, 35, .a = 4),
        MADE("l", LAUNCH, 1, 1, INT64_MIN, INT64_MAX, .a = 4),
        MADE(NULL, OPERATION, 1, 1, 3, 4, .phase = 'B'),
    };
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.nodes, 3);
    assert_int_equal(s.placed[0].start_ns, INT64_MIN);
    assert_int_equal(s.placed[0].dur_ns, UINT64_MAX);
    assert_int_equal(s.placed[0].lane, 0);
    assert_int_equal(s.placed[0].position, 2);
    assert_string_equal(name_of(&s, 0), "l");
    assert_int_equal(s.placed[1].name, TT_NO_STRING);
    assert_int_equal(s.placed[1].phase, 'B');
    assert_int_equal(s.placed[1].parent, 0);
    assert_int_equal(s.placed[2].lane, 1);
    assert_int_equal(s.placed[2].dur_ns, 5);
    assert_int_not_equal(s.placed[2].category, s.placed[0].category);
    assert_int_equal(s.placed[3].lane, 2);
    assert_int_equal(s.placed[3].start_ns, 7);
    assert_int_equal(s.placed[3].dur_ns, 2);
    assert_int_equal(s.placed[3].position, 0);
    assert_int_equal(s.placed[3].phase, 'i');
    stop(&s);
}

static void test_elements_outside_follow_in_file_order(void **state)
{
    static const struct made rows[] = {
        MADE("c", NONE, 9, 9, 50, 50, .phase = 's'),
        PY("p", 0, 1),
        MADE("a", NONE, 1, 1, 10, 10, .phase = 'f'),
        MADE("b", PYTHON, 1, 1, 10, 10, .phase = 'i'),
    };
    static const uint32_t positions[] = {1, 0, 2, 3};
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.nodes, 1);
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(s.placed[i].position, positions[i]);
    stop(&s);
}

/* ---- lanes --------------------------------------------------------------- */

static void test_lanes_have_their_trees_as_a_range(void **state)
{
    static const struct made rows[] = {
        MADE("d", GPU, 0, 7, 60, 70, .a = 0),
        MADE("a", PYTHON, 1, 2, 5, 9, .a = 0),
        MADE("b", LAUNCH, 1, 1, 10, 20, .a = 3),
        MADE("c", GPU, 0, 8, 40, 50, .a = 3),
        MADE("x", NONE, 0, 0, 1, 2, .a = 0),
    };
    static const struct {
        uint32_t first_node, node_count;
        int64_t start_ns, end_ns;
    } lanes[] = {{0, 2, 10, 20}, /* pid 1 tid 1: the launch and its GPU event */
                 {2, 1, 5, 9},
                 {3, 1, 60, 70},
                 {4, 0, 40, 50}, /* its GPU event is under the launch */
                 {4, 0, 0, 0}};
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.trace.lane_count, COUNT(lanes));
    for (uint32_t i = 0; i < COUNT(lanes); i++) {
        const struct tt_lane_events *l = &s.trace.lane[s.tree.lane[i]];

        assert_int_equal(l->place, i);
        assert_int_equal(l->first_node, lanes[i].first_node);
        assert_int_equal(l->node_count, lanes[i].node_count);
        assert_int_equal(l->start_ns, lanes[i].start_ns);
        assert_int_equal(l->end_ns, lanes[i].end_ns);
    }
    stop(&s);
}

/* Pids in the order of the index. */
static const struct {
    struct tt_id id; /* of a text: a place in `texts` */
} pids[] = {
    {{0, TT_ID_MISSING, false}},
    {{(uint64_t)INT64_MIN, TT_ID_INTEGER, false}},
    {{(uint64_t)-1, TT_ID_INTEGER, false}},
    {{0, TT_ID_INTEGER, false}},
    {{10, TT_ID_INTEGER, false}},
    {{INT64_MAX, TT_ID_INTEGER, false}},
    {{(uint64_t)1 << 63, TT_ID_UNSIGNED, false}},
    {{UINT64_MAX, TT_ID_UNSIGNED, false}},
    {{0, TT_ID_TEXT, false}},
    {{1, TT_ID_TEXT, false}},
    {{2, TT_ID_TEXT, false}},
    {{3, TT_ID_TEXT, false}},
};

static const char *const texts[] = {"", "10a", "GPU 0", "\xc3\xa9"};

/* Adds the lane with pid `p` and tid `t` of a side to a trace. */
static void add_lane(struct tt_trace *trace, size_t p, size_t t, uint8_t side)
{
    struct tt_lane lane = {pids[p].id, pids[t].id, side};

    if (lane.pid.kind == TT_ID_TEXT)
        lane.pid.value = tt_intern_add(&trace->strings, texts[lane.pid.value],
                                       strlen(texts[lane.pid.value]));
    if (lane.tid.kind == TT_ID_TEXT)
        lane.tid.value = tt_intern_add(&trace->strings, texts[lane.tid.value],
                                       strlen(texts[lane.tid.value]));
    assert_int_not_equal(tt_trace_lane(trace, &lane), TT_LANES_FAILED);
}

static void test_lanes_go_by_side_then_pid_then_tid(void **state)
{
    const size_t count = COUNT(pids) * COUNT(pids) * 3;
    struct subject s = {0};
    struct tt_sink sink = sink_of(&s);

    (void)state;
    tt_trace_init(&s.trace, NULL);
    for (size_t i = 0; i < count; i++) { /* in some other order */
        size_t n = i * 61 % count;

        add_lane(&s.trace, n / COUNT(pids) % COUNT(pids), n % COUNT(pids),
                 (uint8_t)(n / COUNT(pids) / COUNT(pids)));
    }
    assert_int_equal(s.trace.lane_count, count);
    assert_int_equal(tt_tree_make(&s.tree, &s.trace, nobody(), &sink, NULL),
                     T2T_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(s.trace.lane[i].place, i * 61 % count);
    stop(&s);
}

/* ---- origin -------------------------------------------------------------- */

static const struct {
    struct made made[3];
    int64_t origin_ns;
    int64_t last_end_ns;
} spans[] = {
    {{{0}}, 0, 0},
    {{PY("a", 50, 90), PY("b", 40, 60)}, 40, 90},
    {{PY("a", 50, 90), GPU("k", 0, 100, 0)}, 50, 100},
    {{PY("a", 0, 90), GPU("k", 10, 20, 0)}, 0, 90},
    {{GPU("k", 0, 5, 0)}, 0, 5},
    {{GPU("k", 30, 35, 0), GPU("j", 0, 5, 0)}, 30, 35},
    {{PY("a", -50, -40)}, -50, -40},
    {{PY("a", INT64_MIN, INT64_MIN)}, INT64_MIN, INT64_MIN},
    {{MADE("x", NONE, 1, 1, -9, 999, .phase = 'X')}, 0, 0},
};

static void
test_the_origin_is_the_first_start_but_a_gpu_event_at_0(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(spans); i++) {
        struct subject s;
        size_t n = 0;

        while (n < 3 && spans[i].made[n].name)
            n++;
        start(&s, spans[i].made, n);
        assert_int_equal(s.tree.origin_ns, spans[i].origin_ns);
        assert_int_equal(s.tree.last_end_ns, spans[i].last_end_ns);
        stop(&s);
    }
}

/* ---- links, failures, sizes ---------------------------------------------- */

static void test_forward_links_are_pairs_of_ids(void **state)
{
    static const struct made rows[] = {
        MADE("f", OPERATION, 1, 1, 0, 9, .b = 5,
             .flags = TT_FWD_SET | TT_FWD_ZERO),
        MADE("e", OPERATION, 1, 2, 50, 60, .b = 5,
             .flags = TT_FWD_SET | TT_ENGINE),
        MADE("p", PYTHON, 1, 1, 0, 99, .a = 0),
    };
    struct subject s;

    (void)state;
    start(&s, rows, COUNT(rows));
    assert_int_equal(s.tree.flows.links, 1);
    assert_int_equal(s.tree.flows.link[0].backward, 2);
    assert_int_equal(s.tree.flows.link[0].forward, 1);
    stop(&s);
}

#define FLOW(ph, tid, start)                                                   \
    MADE("x", NONE, 1, tid, start, start, .a = 5, .phase = (ph),               \
         .flags = TT_FLOW_FORWARD)

static void test_a_flow_into_an_engine_event_is_a_link_of_it(void **state)
{
    static const struct made rows[] = {
        OP("f", 0, 9),
        MADE("e", OPERATION, 1, 2, 50, 60, .flags = TT_ENGINE),
        MADE("o", OPERATION, 1, 2, 51, 59, .a = 0),
        MADE("p", PYTHON, 1, 2, 52, 58, .a = 0),
        MADE("q", OPERATION, 1, 2, 53, 57, .a = 0),
        MADE("r", OPERATION, 1, 2, 70, 80, .a = 0),
        MADE("t", OPERATION, 1, 2, 71, 79, .a = 0),
        FLOW('s', 1, 0),
        FLOW('f', 2, 0)};
    /* where the flow ends, and the node that is linked to node 0 then */
    static const struct {
        int64_t end_ns;
        uint32_t backward;
    } ends[] = {{50, 1}, {51, 1}, {53, 1}, {70, 5}, {71, 6}};
    struct made made[COUNT(rows)];

    (void)state;
    memcpy(made, rows, sizeof(rows));
    for (size_t i = 0; i < COUNT(ends); i++) {
        struct subject s;

        made[COUNT(rows) - 1].start_ns = ends[i].end_ns;
        made[COUNT(rows) - 1].end_ns = ends[i].end_ns;
        start(&s, made, COUNT(made));
        assert_int_equal(s.tree.flows.links, 1);
        assert_int_equal(s.tree.flows.link[0].backward, ends[i].backward);
        assert_int_equal(s.tree.flows.link[0].forward, 0);
        stop(&s);
    }
}

static void test_a_sink_that_fails_ends_it(void **state)
{
    static const struct made rows[] = {LAUNCH("l", 0, 9, 1), PY("p", 2, 3),
                                       GPU("k", 5, 6, 1), GPU("j", 5, 6, 0),
                                       MADE("x", NONE, 1, 1, 0, 0,
                                            .phase = 'i')};

    (void)state;
    for (size_t at = 1; at <= COUNT(rows); at++) {
        struct subject s = {.fail_at = at};
        struct t2t_error err = {0};

        assert_int_equal(make(&s, rows, COUNT(rows), &err), T2T_ERR_NO_SPACE);
        assert_int_equal(err.code, T2T_ERR_NO_SPACE);
        assert_int_equal(err.offset, 42);
        assert_string_equal(err.text, "no space");
        assert_int_equal(s.count, at - 1);
        stop(&s);
        s = (struct subject){.fail_at = at};
        assert_int_equal(make(&s, rows, COUNT(rows), NULL), T2T_ERR_NO_SPACE);
        stop(&s);
    }
}

static void test_a_tree_may_be_very_deep_and_very_wide(void **state)
{
    const size_t half = 100000;
    struct made *rows = calloc(2 * half, sizeof(*rows));
    struct subject s;

    (void)state;
    assert_non_null(rows);
    for (size_t i = 0; i < half; i++) {
        int64_t t = (int64_t)i;

        rows[i] = (struct made)PY("d", t, (int64_t)(4 * half) - t);
        rows[half + i] =
            (struct made)PY("w", (int64_t)half + t, (int64_t)half + t + 1);
    }
    start(&s, rows, 2 * half);
    for (uint32_t id = 0; id < 2 * half; id++) {
        uint32_t below = id < half ? (uint32_t)(2 * half) - id : 1;
        uint32_t parent = id < half ? id - 1 : (uint32_t)half - 1;

        assert_int_equal(s.placed[id].parent, id ? parent : TT_NO_NODE);
        assert_int_equal(s.tree.size[id], below);
    }
    stop(&s);
    free(rows);
}

/* Enough calls in vain that the stack is indexed; then recorded parents far
 * down in it are found all the same, and calls that were popped are not. */
static void
test_recorded_parents_are_found_in_stacks_that_are_searched_a_lot(void **state)
{
    enum { DEEP = 4000, VAIN = 600, ABSENT = 1000000 };
    static const struct {
        uint64_t recorded;
        uint32_t parent;
    } found[] = {{2001, 2000}, {3001, DEEP + VAIN}, {11, 10}};
    size_t count = DEEP + VAIN + COUNT(found);
    struct made *rows = calloc(count, sizeof(*rows));
    const int64_t end = 100 * DEEP;
    struct subject s;

    (void)state;
    assert_non_null(rows);
    for (int64_t i = 0; i < (int64_t)count; i++) {
        rows[i] = (struct made)PY("f", i, i < DEEP ? end - i : end - DEEP + 2);
        rows[i].a = (uint64_t)i + 1;
        rows[i].b = i < DEEP ? 0 : ABSENT;
    }
    for (size_t i = 0; i < COUNT(found); i++)
        rows[DEEP + VAIN + i].b = found[i].recorded;
    rows[DEEP + VAIN + 1].end_ns = rows[DEEP + VAIN + 2].end_ns = end + 1;
    start(&s, rows, count);
    for (size_t i = 0; i < COUNT(found); i++)
        assert_int_equal(s.placed[DEEP + VAIN + i].parent, found[i].parent);
    stop(&s);
    free(rows);
}

/* Counts the questions down and then cancels. */
static bool count_down(void *left)
{
    return (*(int *)left)-- > 0;
}

/* Every loop asks at its first turn. */
static void test_it_can_be_canceled_in_every_loop(void **state)
{
    static const struct made rows[] = {
        OP("fwd", 0, 50),
        LAUNCH("l", 10, 20, 3),
        GPU("k", 30, 40, 3),
        GPU("j", 25, 30, 3),
        GPU("alone", 5, 9, 4),
        MADE("autograd::engine::evaluate_function: x", OPERATION, 1, 2, 60, 90,
             .b = 7, .flags = TT_ENGINE),
        MADE("op", OPERATION, 1, 2, 1, 9, .b = 7),
        MADE("fwdbwd", NONE, 1, 1, 0, 0, .a = 5, .flags = TT_FLOW_FORWARD,
             .phase = 's'),
        MADE("fwdbwd", NONE, 1, 2, 60, 60, .a = 5, .flags = TT_FLOW_FORWARD,
             .phase = 'f'),
    };
    struct tt_sink sink;
    enum t2t_status st = T2T_ERR_CANCELED;
    int questions = 0;

    (void)state;
    for (; st; questions++) {
        struct t2t_error err = {.code = T2T_OK};
        struct subject s = {.placed = calloc(COUNT(rows), sizeof(*s.placed))};
        int left = questions;
        struct tt_watch watch;

        assert_non_null(s.placed);
        make_trace(&s.trace, rows, COUNT(rows));
        tt_watch_init(&watch, count_down, &left);
        watch.interval_ns = watch.due_ns = 0;
        s.trace.watch = &watch;
        sink = sink_of(&s);
        st = tt_tree_make(&s.tree, &s.trace, nobody(), &sink, &err);
        assert_int_equal(err.code, st);
        if (st) {
            assert_int_equal(st, T2T_ERR_CANCELED);
            assert_string_equal(err.text, "canceled");
        } else {
            assert_int_equal(s.count, COUNT(rows));
        }
        stop(&s);
    }
    /* launches, owners and children of one lane, three loops for
     * flows, two for numbers, three lanes nested, elements outside */
    assert_in_range(questions, 11, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_nest_by_time),
        cmocka_unit_test(test_a_crossing_loses_the_least_time),
        cmocka_unit_test(test_a_crossing_goes_by_the_recorded_parent),
        cmocka_unit_test(test_gpu_events_stand_below_their_launch),
        cmocka_unit_test(test_what_crosses_or_is_cut_is_counted),
        cmocka_unit_test(test_nodes_come_with_all_their_fields),
        cmocka_unit_test(test_elements_outside_follow_in_file_order),
        cmocka_unit_test(test_lanes_have_their_trees_as_a_range),
        cmocka_unit_test(test_lanes_go_by_side_then_pid_then_tid),
        cmocka_unit_test(
            test_the_origin_is_the_first_start_but_a_gpu_event_at_0),
        cmocka_unit_test(test_forward_links_are_pairs_of_ids),
        cmocka_unit_test(test_a_flow_into_an_engine_event_is_a_link_of_it),
        cmocka_unit_test(test_a_sink_that_fails_ends_it),
        cmocka_unit_test(test_it_can_be_canceled_in_every_loop),
        cmocka_unit_test(test_a_tree_may_be_very_deep_and_very_wide),
        cmocka_unit_test(
            test_recorded_parents_are_found_in_stacks_that_are_searched_a_lot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
