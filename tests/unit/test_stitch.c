/* test_stitch.c - merge/stitch.h: the same tree as without help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_trace.h"
#include "merge/tree.h"

#define MOST_HELPERS 3

/* A tree and all that came with it. */
struct grown {
    struct tt_trace trace;
    struct tt_tree tree;
    struct tt_placed *placed;
    size_t count;
    size_t nodes;
    size_t gpu_events;
};

static enum t2t_status keep(void *owner, struct tt_placed_block **block,
                            struct t2t_error *err)
{
    struct grown *g = owner;

    (void)err;
    for (size_t i = 0; i < (*block)->count; i++)
        g->placed[g->count++] = tt_placed_get(*block, i);
    g->nodes += (*block)->nodes;
    g->gpu_events += (*block)->gpu_events;
    tt_placed_clear(*block);
    return T2T_OK;
}

static void grow(struct grown *g, const struct made *rows, size_t count,
                 const struct tt_stitching *how)
{
    static struct tt_placed_block block;
    struct tt_sink sink = {g, keep, &block};

    tt_placed_clear(&block);
    *g = (struct grown){.count = 0};
    make_trace(&g->trace, rows, count);
    g->placed = calloc(count + 1, sizeof(*g->placed));
    assert_non_null(g->placed);
    assert_int_equal(tt_tree_make(&g->tree, &g->trace, how, &sink, NULL),
                     T2T_OK);
    assert_int_equal(g->count, count);
    assert_int_equal(g->tree.next, g->trace.node_count);
    assert_int_equal(g->nodes, g->trace.node_count);
    assert_int_equal(g->gpu_events, g->trace.gpu_count);
}

static void drop(struct grown *g)
{
    tt_tree_release(&g->tree);
    tt_trace_release(&g->trace);
    free(g->placed);
}

static void assert_same_lanes(const struct tt_trace *a,
                              const struct tt_trace *b)
{
    assert_int_equal(a->lane_count, b->lane_count);
    for (size_t i = 0; i < a->lane_count; i++) {
        assert_int_equal(a->lane[i].place, b->lane[i].place);
        assert_int_equal(a->lane[i].first_node, b->lane[i].first_node);
        assert_int_equal(a->lane[i].node_count, b->lane[i].node_count);
        assert_int_equal(a->lane[i].start_ns, b->lane[i].start_ns);
        assert_int_equal(a->lane[i].end_ns, b->lane[i].end_ns);
    }
}

static void assert_same(const struct grown *a, const struct grown *b)
{
    for (size_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->placed[i], &b->placed[i], sizeof(*a->placed));
    assert_memory_equal(a->tree.size, b->tree.size,
                        a->tree.next * sizeof(*a->tree.size));
    assert_int_equal(a->tree.has_origin, b->tree.has_origin);
    assert_int_equal(a->tree.origin_ns, b->tree.origin_ns);
    assert_int_equal(a->tree.last_end_ns, b->tree.last_end_ns);
    assert_int_equal(a->tree.flows.links, b->tree.flows.links);
    if (a->tree.flows.links)
        assert_memory_equal(a->tree.flows.link, b->tree.flows.link,
                            a->tree.flows.links * sizeof(struct tt_link));
    assert_memory_equal(a->trace.anomalies.count, b->trace.anomalies.count,
                        sizeof(a->trace.anomalies.count));
    assert_memory_equal(a->trace.anomalies.first_position,
                        b->trace.anomalies.first_position,
                        sizeof(a->trace.anomalies.first_position));
    assert_same_lanes(&a->trace, &b->trace);
}

static void help_all(void *tasks)
{
    while (tt_tasks_help(tasks, true))
        continue;
}

/* Makes the tree of the rows alone, and in strips of about so many events. */
static void compare(const struct made *rows, size_t count, uint32_t events,
                    size_t helpers)
{
    static struct grown alone, stitched;
    struct tt_tasks tasks;
    const struct tt_stitching serial = {&tasks, 0, events};
    const struct tt_stitching how = {&tasks, 2 + helpers, events};
    uv_thread_t thread[MOST_HELPERS];

    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    for (size_t i = 0; i < helpers; i++)
        assert_int_equal(uv_thread_create(&thread[i], help_all, &tasks), 0);
    grow(&alone, rows, count, &serial);
    grow(&stitched, rows, count, &how);
    assert_same(&alone, &stitched);
    assert_null(tasks.queue);
    drop(&alone);
    drop(&stitched);
    tt_tasks_close(&tasks);
    for (size_t i = 0; i < helpers; i++)
        assert_int_equal(uv_thread_join(&thread[i]), 0);
    tt_tasks_release(&tasks);
}

/* ---- any lanes ----------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static uint64_t below(uint64_t *random, uint64_t bound)
{
    return next_random(random) % bound;
}

/* How the rows of a trace are. */
struct style {
    uint64_t span;    /* of starts */
    uint64_t longest; /* call, of some */
    uint64_t shortest;
    uint64_t tids;
    uint64_t ids; /* recorded; few are found often */
    bool sorted;  /* a profiler writes them so */
};

static void make_flow(struct made *m, uint64_t *random, const struct style *s)
{
    m->layer = T2T_LAYER_NONE;
    m->phase = below(random, 2) ? 's' : 'f';
    m->flags = TT_FLOW_FORWARD;
    m->a = below(random, s->ids) + 1;
}

static void make_call(struct made *m, uint64_t *random, const struct style *s)
{
    m->a = below(random, 4) ? below(random, s->ids) + 1 : 0;
    m->b = below(random, 4) ? below(random, s->ids) + 1 : 0;
    switch (below(random, 4)) {
    case 0:
        m->layer = T2T_LAYER_PYTHON;
        break;
    case 1:
        m->layer = T2T_LAYER_LAUNCH;
        break;
    default:
        m->layer = T2T_LAYER_OPERATION;
        if (below(random, 4) == 0)
            m->flags |= TT_ENGINE;
        if (below(random, 4) == 0)
            m->flags |= TT_FWD_SET | (below(random, 2) ? TT_FWD_ZERO : 0);
    }
}

static void make_row(struct made *m, uint64_t *random, const struct style *s)
{
    uint64_t kind = below(random, 16);
    uint64_t most = below(random, 8) ? s->shortest : s->longest;

    *m = (struct made){.name = "x", .pid = 1 + below(random, 2)};
    m->tid = 1 + below(random, s->tids);
    m->start_ns = (int64_t)below(random, s->span);
    m->end_ns = m->start_ns + (int64_t)below(random, most + 1);
    if (kind < 2) {
        m->layer = T2T_LAYER_GPU;
        m->pid = 0;
        m->a = below(random, s->ids + 1);
    } else if (kind == 2) {
        make_flow(m, random, s);
    } else {
        make_call(m, random, s);
    }
}

static int compare_starts(const void *a, const void *b)
{
    const struct made *x = a;
    const struct made *y = b;

    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void make_rows(struct made *rows, size_t count, uint64_t *random,
                      const struct style *s)
{
    for (size_t i = 0; i < count; i++)
        make_row(&rows[i], random, s);
    if (s->sorted)
        qsort(rows, count, sizeof(*rows), compare_starts);
}

static void test_any_lanes(void **state)
{
    enum { MOST = 300 };
    static struct made rows[MOST];
    uint64_t random = 1;

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        struct style s = {
            .span = 1 + below(&random, below(&random, 2) ? 20 : 2000),
            .longest = 1 + below(&random, 1000),
            .shortest = below(&random, 30),
            .tids = 1 + below(&random, 3),
            .ids = 1 + below(&random, below(&random, 2) ? 5 : 200),
            .sorted = below(&random, 4) > 0,
        };
        size_t count = 1 + below(&random, MOST);

        make_rows(rows, count, &random, &s);
        compare(rows, count, (uint32_t)(1 + below(&random, 40)),
                i % 20 ? 0 : 1 + i / 20 % MOST_HELPERS);
    }
}

/* ---- large ones ---------------------------------------------------------- */

/* Strips of the size that builds use: some are too small to be nested by
 * themselves, some lanes have too many runs. */
static void test_large_lanes(void **state)
{
    static const struct style styles[] = {
        {1000000, 3000, 30, 1, 100000, true},
        {1000000, 90000, 30, 5, 10, true},
        {500, 3, 30, 2, 100000, true}, /* hundreds start at once */
        {1000000, 200, 30, 2, 100000, false},
    };
    enum { COUNT = 60000 };
    static struct made rows[COUNT];
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
        make_rows(rows, COUNT, &random, &styles[i]);
        compare(rows, COUNT, TT_STITCH_EVENTS, i % 2 ? MOST_HELPERS : 0);
    }
}

/* More than a strip has room for: events with one start, GPU events of one
 * launch, odd ones, and a search that takes too long. */
static void test_what_a_strip_has_no_room_for(void **state)
{
    enum { COUNT = 40000 };
    static struct made rows[COUNT];

    (void)state;
    for (int64_t i = 0; i < COUNT; i++)
        rows[i] = (struct made)PY("x", i < 30000 ? 5 : i, 100000 - i);
    compare(rows, COUNT, TT_STITCH_EVENTS, 0);
    for (int64_t i = 0; i < COUNT; i++)
        rows[i] = i % 3 ? (struct made)GPU("k", i, i + 1, 1 + i / 30000)
                        : (struct made)LAUNCH("l", i / 3, i / 3 + 1,
                                              i % 30000 ? 9 : 1 + i / 30000);
    compare(rows, COUNT, TT_STITCH_EVENTS, 0);
    for (int64_t i = 0; i < COUNT; i++)
        rows[i] = (struct made)PY("x", i, i + 5);
    compare(rows, COUNT, TT_STITCH_EVENTS, 0);
    for (int64_t i = 0; i < COUNT; i++) {
        rows[i] = (struct made)PY("x", i, 1000000 - i);
        if (i % 2)
            rows[i].end_ns += 2;
        rows[i].a = (uint64_t)i + 1;
        rows[i].b = 1 + (uint64_t)i / 8000 * 8000;
    }
    compare(rows, COUNT, TT_STITCH_EVENTS, 0);
}

static void test_no_lanes(void **state)
{
    (void)state;
    compare(NULL, 0, 4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_lanes),
        cmocka_unit_test(test_large_lanes),
        cmocka_unit_test(test_what_a_strip_has_no_room_for),
        cmocka_unit_test(test_no_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
