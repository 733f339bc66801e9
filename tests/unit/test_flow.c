/* test_flow.c - merge/flow.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "made_trace.h"
#include "merge/flow.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define FLOWS 6
#define SHOWN 8
#define NONE TT_NO_NODE

/* An operation as the numbering of nodes shows it. */
struct shown {
    uint32_t node;
    uint64_t tid;
    int64_t start_ns;
    uint32_t engine;
    uint32_t position;
    uint64_t number; /* with TT_B_SET in `flags` */
    unsigned flags;
};

struct row {
    struct made flow[FLOWS];
    struct shown shown[SHOWN]; /* up to the first of node 0 */
    const char *links;         /* "backward>forward" */
};

/* The number of thread (1, tid) of the trace; some other one if it has none. */
static uint32_t thread_of(const struct tt_trace *t, uint64_t tid)
{
    for (uint32_t i = 0; i < t->threads.count; i++)
        if (t->threads.lane[i].pid.value == 1 &&
            t->threads.lane[i].tid.value == tid)
            return i;
    return 1000 + (uint32_t)tid;
}

static void show(struct tt_flows *f, const struct tt_trace *t,
                 const struct shown *s)
{
    struct tt_event e = {.start_ns = s->start_ns,
                         .end_ns = s->start_ns + 1,
                         .b = s->number,
                         .position = s->position,
                         .flags = (uint16_t)s->flags,
                         .layer = T2T_LAYER_OPERATION};
    struct tt_shown shown = {.event = &e,
                             .thread = thread_of(t, s->tid),
                             .node = s->node,
                             .engine = s->engine};

    if (tt_flows_find(f, &shown))
        assert_int_equal(tt_flows_show(f, &shown), T2T_OK);
}

static void describe(const struct tt_flows *f, char *to, size_t cap)
{
    size_t len = 0;

    to[0] = '\0';
    for (size_t i = 0; i < f->links; i++)
        len += (size_t)snprintf(to + len, cap - len, "%s%u>%u", i ? " " : "",
                                f->link[i].backward, f->link[i].forward);
}

static void assert_links(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tt_flows f = {0};
        struct tt_trace t;
        char got[128];
        size_t n = 0;

        while (n < FLOWS && rows[i].flow[n].name)
            n++;
        make_trace(&t, rows[i].flow, n);
        t.has_engine = true;
        assert_int_equal(tt_flows_read(&f, &t), T2T_OK);
        for (n = 0; n < SHOWN && rows[i].shown[n].node; n++)
            show(&f, &t, &rows[i].shown[n]);
        assert_int_equal(tt_flows_join(&f), T2T_OK);
        describe(&f, got, sizeof(got));
        assert_string_equal(got, rows[i].links);
        tt_flows_release(&f);
        tt_flows_release(&f);
        tt_trace_release(&t);
    }
}

/* ---- by flow ------------------------------------------------------------- */

#define FLOW(ph, id, tid, start, more)                                         \
    MADE("flow", NONE, 1, tid, start, start, .a = (id), .phase = (ph),         \
         .flags = TT_FLOW_FORWARD | (more))
#define S(id, tid, start) FLOW('s', id, tid, start, 0)
#define F(id, tid, start) FLOW('f', id, tid, start, 0)
#define AT(node, tid, start, engine, position)                                 \
    {                                                                          \
        node, tid, start, engine, position, 0, 0                               \
    }

static void test_a_flow_links_the_operations_at_its_ends(void **state)
{
    static const struct row rows[] = {
        {{{0}}, {{0}}, ""},
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 1, 10, NONE, 0), AT(8, 2, 50, NONE, 1)},
         "8>3"},
        {{F(5, 2, 50), S(5, 1, 10)},
         {AT(3, 1, 10, NONE, 0), AT(8, 2, 50, NONE, 1)},
         "8>3"},
        /* the link is that of the engine's event */
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 1, 10, NONE, 0), AT(7, 2, 49, 7, 1), AT(8, 2, 50, 7, 2)},
         "7>3"},
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 1, 10, 2, 0), AT(8, 2, 50, 8, 2)},
         "8>3"},
        /* of several operations at an end the last in the file */
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 1, 10, NONE, 9), AT(4, 1, 10, NONE, 4), AT(8, 2, 50, NONE, 7),
          AT(9, 2, 50, NONE, 8)},
         "9>3"},
        /* nothing at an end */
        {{S(5, 1, 10), F(5, 2, 50)}, {AT(3, 1, 10, NONE, 0)}, ""},
        {{S(5, 1, 10), F(5, 2, 50)}, {AT(8, 2, 50, NONE, 0)}, ""},
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 1, 11, NONE, 0), AT(8, 2, 50, NONE, 1)},
         ""},
        {{S(5, 1, 10), F(5, 2, 50)},
         {AT(3, 2, 10, NONE, 0), AT(8, 2, 50, NONE, 1)},
         ""},
        /* an end only */
        {{S(5, 1, 10)}, {AT(3, 1, 10, NONE, 0)}, ""},
        {{F(5, 1, 10)}, {AT(3, 1, 10, NONE, 0)}, ""},
        {{S(5, 1, 10), F(6, 2, 50)},
         {AT(3, 1, 10, NONE, 0), AT(8, 2, 50, NONE, 1)},
         ""},
        {{S(5, 1, INT64_MIN), F(5, 2, INT64_MAX - 1)},
         {AT(3, 1, INT64_MIN, NONE, 0), AT(8, 2, INT64_MAX - 1, NONE, 1)},
         "8>3"},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

/* Forward operations 1 and 2, backward operations 7 and 8. */
#define FOUR                                                                   \
    {                                                                          \
        AT(1, 1, 10, NONE, 0), AT(2, 1, 20, NONE, 1), AT(7, 2, 70, NONE, 2),   \
            AT(8, 2, 80, NONE, 3)                                              \
    }

static void test_the_first_of_several_flows_counts(void **state)
{
    static const struct row rows[] = {
        {{S(5, 1, 10), S(5, 1, 20), F(5, 2, 70)}, FOUR, "7>1"},
        {{S(5, 1, 20), S(5, 1, 10), F(5, 2, 70)}, FOUR, "7>2"},
        {{S(5, 1, 10), F(5, 2, 70), F(5, 2, 80)}, FOUR, "7>1"},
        {{S(5, 1, 10), F(5, 2, 80), F(5, 2, 70)}, FOUR, "8>1"},
        /* two flows to one event */
        {{S(5, 1, 10), F(5, 2, 70), S(6, 1, 20), F(6, 2, 70)}, FOUR, "7>1"},
        {{S(6, 1, 20), F(6, 2, 70), S(5, 1, 10), F(5, 2, 70)}, FOUR, "7>2"},
        /* two flows from one event */
        {{S(5, 1, 10), F(5, 2, 80), S(6, 1, 10), F(6, 2, 70)}, FOUR, "7>1 8>1"},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_ids_of_flows_are_told_apart(void **state)
{
    static const struct row rows[] = {
        {{FLOW('s', 5, 1, 10, TT_A_TEXT), F(5, 2, 70)}, FOUR, ""},
        {{FLOW('s', 5, 1, 10, TT_A_TEXT), FLOW('f', 5, 2, 70, TT_A_TEXT)},
         FOUR,
         "7>1"},
        {{FLOW('s', UINT64_MAX, 1, 10, TT_A_NEGATIVE), F(UINT64_MAX, 2, 70)},
         FOUR,
         ""},
        {{FLOW('s', UINT64_MAX, 1, 10, TT_A_NEGATIVE),
          FLOW('f', UINT64_MAX, 2, 70, TT_A_NEGATIVE)},
         FOUR,
         "7>1"},
        {{FLOW('s', 0, 1, 10, TT_A_SET), FLOW('f', 0, 2, 70, TT_A_SET)},
         FOUR,
         "7>1"},
        {{FLOW('s', 0, 1, 10, 0), FLOW('f', 0, 2, 70, 0)}, FOUR, ""},
        {{MADE("ac2g", NONE, 1, 1, 10, 10, .a = 5, .phase = 's',
               .flags = TT_FLOW_LAUNCH),
          F(5, 2, 70)},
         FOUR,
         ""},
        {{FLOW('t', 5, 1, 10, 0)}, FOUR, ""},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

/* ---- by number ----------------------------------------------------------- */

#define TYPED (TT_B_SET | TT_FWD_SET)
#define FWD(node, tid, start, position, number)                                \
    {                                                                          \
        node, tid, start, NONE, position, number, TYPED | TT_FWD_ZERO          \
    }
#define BWD(node, tid, start, position, number)                                \
    {                                                                          \
        node, tid, start, node, position, number, TYPED | TT_ENGINE            \
    }
/* Without a Fwd thread id. */
#define OLD_FWD(node, tid, start, position, number)                            \
    {                                                                          \
        node, tid, start, NONE, position, number, TT_B_SET                     \
    }
#define OLD_BWD(node, tid, start, position, number)                            \
    {                                                                          \
        node, tid, start, node, position, number, TT_B_SET | TT_ENGINE         \
    }

static void test_the_rest_is_linked_by_sequence_number(void **state)
{
    static const struct row rows[] = {
        {{{0}}, {FWD(1, 1, 10, 0, 5), BWD(7, 2, 70, 1, 5)}, "7>1"},
        {{{0}}, {FWD(1, 1, 10, 0, 5), BWD(7, 1, 70, 1, 5)}, "7>1"},
        {{{0}}, {FWD(1, 1, 10, 0, 5), BWD(7, 2, 70, 1, 6)}, ""},
        {{{0}}, {FWD(1, 1, 10, 0, 0), BWD(7, 2, 70, 1, 0)}, "7>1"},
        /* the last to start before it, of equal starts the first in the file */
        {{{0}},
         {FWD(1, 1, 10, 0, 5), FWD(2, 1, 20, 1, 5), BWD(7, 2, 70, 2, 5)},
         "7>2"},
        {{{0}},
         {FWD(1, 1, 10, 1, 5), FWD(2, 1, 10, 0, 5), BWD(7, 2, 70, 2, 5)},
         "7>2"},
        {{{0}},
         {FWD(1, 1, 10, 0, 5), FWD(2, 1, 80, 1, 5), BWD(7, 2, 70, 2, 5)},
         "7>1"},
        {{{0}}, {FWD(1, 1, 70, 0, 5), BWD(7, 2, 70, 1, 5)}, ""},
        {{{0}}, {FWD(1, 1, 69, 9, 5), BWD(7, 2, 70, 1, 5)}, "7>1"},
        /* all backward operations of a number */
        {{{0}},
         {FWD(1, 1, 10, 0, 5), BWD(7, 2, 70, 1, 5), BWD(8, 3, 80, 2, 5),
          BWD(9, 2, 70, 3, 5)},
         "7>1 8>1 9>1"},
        {{{0}},
         {FWD(1, 1, 10, 0, 5), BWD(7, 2, 20, 1, 5), FWD(2, 1, 30, 2, 5),
          BWD(8, 2, 40, 3, 5)},
         "7>1 8>2"},
        /* a thread that is not 0 says it is no forward operation */
        {{{0}}, {{1, 1, 10, NONE, 0, 5, TYPED}, BWD(7, 2, 70, 1, 5)}, ""},
        {{{0}},
         {FWD(1, 1, 10, 0, 5),
          {2, 1, 20, NONE, 1, 5, TYPED},
          BWD(7, 2, 70, 2, 5)},
         "7>1"},
        /* numbers of another sign, or none */
        {{{0}},
         {{1, 1, 10, NONE, 0, UINT64_MAX, TYPED | TT_FWD_ZERO | TT_B_NEGATIVE},
          BWD(7, 2, 70, 1, UINT64_MAX)},
         ""},
        {{{0}},
         {FWD(1, 1, 10, 0, UINT64_MAX), BWD(7, 2, 70, 1, UINT64_MAX)},
         "7>1"},
        {{{0}},
         {{1, 1, 10, NONE, 0, 0, TT_FWD_SET | TT_FWD_ZERO},
          {7, 2, 70, 7, 1, 0, TT_FWD_SET | TT_ENGINE}},
         ""},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_without_thread_ids_it_is_on_another_thread(void **state)
{
    static const struct row rows[] = {
        {{{0}}, {OLD_FWD(1, 1, 10, 0, 5), OLD_BWD(7, 2, 70, 1, 5)}, "7>1"},
        {{{0}}, {OLD_FWD(1, 1, 10, 0, 5), OLD_BWD(7, 1, 70, 1, 5)}, ""},
        {{{0}},
         {OLD_FWD(1, 1, 10, 0, 5), OLD_FWD(2, 2, 20, 1, 5),
          OLD_BWD(7, 2, 70, 2, 5)},
         "7>1"},
        {{{0}},
         {OLD_FWD(1, 1, 10, 0, 5), OLD_FWD(2, 2, 20, 1, 5),
          OLD_FWD(3, 2, 30, 2, 5), OLD_BWD(7, 2, 70, 3, 5)},
         "7>1"},
        {{{0}},
         {OLD_FWD(1, 1, 10, 0, 5), OLD_FWD(2, 2, 20, 1, 5),
          OLD_FWD(3, 1, 30, 2, 5), OLD_BWD(7, 1, 70, 3, 5)},
         "7>2"},
        {{{0}},
         {OLD_FWD(1, 1, 10, 0, 5), OLD_FWD(2, 2, 20, 1, 5),
          OLD_FWD(3, 3, 20, 2, 5), OLD_BWD(7, 2, 70, 3, 5)},
         "7>3"},
        {{{0}},
         {OLD_FWD(1, 1, 20, 1, 5), OLD_FWD(2, 1, 20, 0, 5),
          OLD_BWD(7, 2, 70, 2, 5)},
         "7>2"},
        /* two of one start, the first of them on the event's own thread */
        {{{0}},
         {OLD_FWD(1, 1, 20, 0, 5), OLD_FWD(2, 2, 20, 1, 5),
          OLD_BWD(7, 1, 70, 2, 5)},
         "7>2"},
        /* one of the number without is enough */
        {{{0}}, {FWD(1, 1, 10, 0, 5), OLD_BWD(7, 1, 70, 1, 5)}, ""},
        {{{0}}, {OLD_FWD(1, 1, 10, 0, 5), BWD(7, 1, 70, 1, 5)}, ""},
        {{{0}},
         {{1, 1, 10, NONE, 0, 5, TYPED}, OLD_BWD(7, 2, 70, 1, 5)},
         "7>1"},
        /* one of another number is not */
        {{{0}},
         {FWD(1, 1, 10, 0, 5), OLD_FWD(2, 1, 10, 1, 6), BWD(7, 1, 70, 2, 5)},
         "7>1"},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_a_flow_comes_before_a_number(void **state)
{
    static const struct row rows[] = {
        {{S(9, 1, 10), F(9, 2, 70)},
         {FWD(1, 1, 10, 0, 4), FWD(2, 1, 20, 1, 5), BWD(7, 2, 70, 2, 5)},
         "7>1"},
        {{S(9, 1, 10), F(9, 2, 70)},
         {FWD(1, 1, 10, 0, 4), FWD(2, 1, 20, 1, 5), BWD(7, 2, 70, 2, 5),
          BWD(8, 2, 80, 3, 5)},
         "7>1 8>2"},
    };

    (void)state;
    assert_links(rows, COUNT(rows));
}

static void test_without_backward_operations_numbers_are_not_kept(void **state)
{
    static const struct shown op = FWD(1, 1, 10, 0, 5);
    struct tt_flows f = {0};
    struct tt_trace t;

    (void)state;
    make_trace(&t, NULL, 0);
    assert_int_equal(tt_flows_read(&f, &t), T2T_OK);
    show(&f, &t, &op);
    assert_int_equal(f.sequenced.count, 0);
    assert_int_equal(tt_flows_join(&f), T2T_OK);
    assert_int_equal(f.links, 0);
    tt_flows_release(&f);
    tt_trace_release(&t);
}

static void test_many_operations_are_linked_by_number(void **state)
{
    const uint32_t half = 50000;
    struct tt_flows f = {0};
    struct tt_trace t;

    (void)state;
    make_trace(&t, NULL, 0);
    t.has_engine = true;
    assert_int_equal(tt_flows_read(&f, &t), T2T_OK);
    for (uint32_t i = 0; i < half; i++) {
        const struct shown fwd = FWD(1 + i, 1, i, i, i / 2);

        show(&f, &t, &fwd);
    }
    for (uint32_t i = 0; i < half; i++) { /* backwards, as it is */
        const struct shown bwd =
            BWD(1 + half + i, 2, half + i, half + i, (half - 1 - i) / 2);

        show(&f, &t, &bwd);
    }
    assert_int_equal(tt_flows_join(&f), T2T_OK);
    assert_int_equal(f.links, half);
    for (uint32_t i = 0; i < half; i++) {
        assert_int_equal(f.link[i].backward, 1 + half + i);
        assert_int_equal(f.link[i].forward,
                         1 + ((half - 1 - i) / 2 * 2 + 1)); /* the later */
    }
    tt_flows_release(&f);
    tt_trace_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flow_links_the_operations_at_its_ends),
        cmocka_unit_test(test_the_first_of_several_flows_counts),
        cmocka_unit_test(test_ids_of_flows_are_told_apart),
        cmocka_unit_test(test_the_rest_is_linked_by_sequence_number),
        cmocka_unit_test(test_without_thread_ids_it_is_on_another_thread),
        cmocka_unit_test(test_a_flow_comes_before_a_number),
        cmocka_unit_test(test_without_backward_operations_numbers_are_not_kept),
        cmocka_unit_test(test_many_operations_are_linked_by_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
