/* test_order.c - merge/order.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <trace2tree/index.h>

#include "base/vec.h"
#include "merge/order.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define PYTHON T2T_LAYER_PYTHON
#define OPERATION T2T_LAYER_OPERATION
#define LAUNCH T2T_LAYER_LAUNCH
#define NEGATIVE (TT_A_SET | TT_A_NEGATIVE)

/* Events in nesting order, each before the next by one reason. */
static const struct tt_event ordered[] = {
    {.start_ns = INT64_MIN, .layer = LAUNCH},
    {.start_ns = -1, .layer = LAUNCH},
    {.start_ns = 0,
     .layer = PYTHON,
     .a = (uint64_t)INT64_MIN,
     .flags = NEGATIVE},
    {.start_ns = 0, .layer = PYTHON, .a = (uint64_t)-5, .flags = NEGATIVE},
    {.start_ns = 0, .layer = PYTHON, .a = 0, .flags = TT_A_SET},
    {.start_ns = 0, .layer = PYTHON, .a = 9, .flags = TT_A_SET},
    {.start_ns = 0, .layer = PYTHON, .a = INT64_MAX, .flags = TT_A_SET},
    {.start_ns = 0, .layer = PYTHON, .a = UINT64_MAX, .flags = TT_A_SET},
    {.start_ns = 0, .layer = PYTHON},
    {.start_ns = 0, .layer = OPERATION, .a = 3, .flags = TT_A_SET},
    {.start_ns = 0, .layer = OPERATION},
    {.start_ns = 0, .layer = LAUNCH},
    {.start_ns = 1, .layer = PYTHON, .a = 1, .flags = TT_A_SET},
    {.start_ns = INT64_MAX, .layer = PYTHON},
};

/* Events of which neither comes first: position decides. */
static const struct tt_event ties[][2] = {
    {{.layer = PYTHON}, {.layer = PYTHON}},
    {{.layer = PYTHON, .a = 7}, {.layer = PYTHON, .a = 5}}, /* not set */
    {{.layer = OPERATION, .a = 7, .flags = TT_A_SET},
     {.layer = OPERATION, .a = 7, .flags = TT_A_SET}},
    {{.layer = LAUNCH, .a = 7, .flags = TT_A_SET},
     {.layer = LAUNCH, .a = 5, .flags = TT_A_SET}},
    {{.layer = T2T_LAYER_GPU, .a = 7, .flags = TT_A_SET},
     {.layer = T2T_LAYER_GPU, .a = 5, .flags = TT_A_SET}},
    {{.layer = OPERATION, .end_ns = 9}, {.layer = OPERATION, .end_ns = 5}},
    {{.layer = OPERATION, .b = 9, .flags = TT_B_SET}, {.layer = OPERATION}},
};

static void test_start_layer_and_recorded_id_make_the_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ordered); i++)
        for (size_t n = 0; n < COUNT(ordered); n++)
            assert_int_equal(tt_order_keeps(&ordered[i], &ordered[n]), i <= n);
}

static void test_equal_events_stay_in_file_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ties); i++) {
        assert_true(tt_order_keeps(&ties[i][0], &ties[i][1]));
        assert_true(tt_order_keeps(&ties[i][1], &ties[i][0]));
    }
}

/* A lane of events as they stand; its runs as the inbox would find them. */
static void make_lane(struct tt_lane_events *lane, const struct tt_event *e,
                      size_t count)
{
    *lane = (struct tt_lane_events){0};
    for (size_t i = 0; i < count; i++) {
        struct tt_event *to = tt_blocks_add(&lane->events, sizeof(*to));

        assert_non_null(to);
        *to = e[i];
        to->position = (uint32_t)i;
        if (i && !tt_order_keeps(tt_lane_event(lane, i - 1), to)) {
            assert_true(tt_vec_room(&lane->run, &lane->run_cap, lane->runs,
                                    sizeof(*lane->run)));
            lane->run[lane->runs++] = (uint32_t)i;
        }
    }
}

static void free_lane(struct tt_lane_events *lane)
{
    tt_blocks_release(&lane->events);
    free(lane->run);
}

/* Whether all events come, each where it belongs. */
static void assert_order(const struct tt_event *events, size_t count)
{
    const struct tt_event *before = NULL;
    const struct tt_event *e;
    struct tt_lane_events lane;
    struct tt_order order;
    char *seen = calloc(count + 1, 1);
    size_t n = 0;

    assert_non_null(seen);
    make_lane(&lane, events, count);
    assert_int_equal(tt_order_begin(&order, &lane), T2T_OK);
    for (; (e = tt_order_next(&order)); before = e, n++) {
        assert_true(e->position < count);
        assert_false(seen[e->position]++);
        if (!before)
            continue;
        assert_true(tt_order_keeps(before, e));
        if (tt_order_keeps(e, before)) /* a tie */
            assert_true(before->position < e->position);
    }
    assert_int_equal(n, count);
    assert_null(tt_order_next(&order));
    tt_order_end(&order);
    free_lane(&lane);
    free(seen);
}

static void test_a_lane_in_order_is_one_run(void **state)
{
    struct tt_lane_events lane;

    (void)state;
    for (size_t count = 0; count <= COUNT(ordered); count++) {
        make_lane(&lane, ordered, count);
        assert_int_equal(lane.runs, 0);
        free_lane(&lane);
        assert_order(ordered, count);
    }
}

/* All orders of four events of which two are equal. */
static void test_every_order_of_a_few_events_is_sorted(void **state)
{
    static const int64_t starts[] = {0, 1, 1, 2};

    (void)state;
    for (int n = 0; n < 256; n++) {
        struct tt_event e[4] = {{.layer = PYTHON}};

        for (int i = 0; i < 4; i++)
            e[i] = (struct tt_event){.start_ns = starts[n >> 2 * i & 3],
                                     .layer = PYTHON};
        for (size_t count = 0; count <= 4; count++)
            assert_order(e, count);
    }
}

/* Starts made of sorted runs, ascending inside, of these lengths. */
static const size_t run_lengths[][8] = {
    {1, 1},
    {100000},
    {1, 99999},
    {99999, 1},
    {50000, 50000},
    {3, 5, 7, 11, 13, 17, 19, 23},
    {30000, 1, 30000, 1, 1},
};

static void test_runs_of_any_length_are_merged(void **state)
{
    struct tt_event *e = calloc(100000, sizeof(*e));

    (void)state;
    assert_non_null(e);
    for (size_t i = 0; i < COUNT(run_lengths); i++) {
        size_t count = 0;

        for (size_t r = 0; r < 8; r++)
            for (size_t n = 0; n < run_lengths[i][r]; n++)
                e[count++] = (struct tt_event){.start_ns = (int64_t)(n / 2),
                                               .layer = PYTHON};
        assert_order(e, count);
    }
    free(e);
}

static void test_many_events_in_no_order_are_sorted(void **state)
{
    const size_t count = 50000;
    struct tt_event *e = calloc(count, sizeof(*e));
    uint32_t random = 1;

    (void)state;
    assert_non_null(e);
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        e[i].start_ns = random >> 20;
        e[i].layer = (uint8_t)(PYTHON + (random >> 16) % 3);
        e[i].a = random >> 12 & 7;
        e[i].flags = random >> 10 & 1 ? TT_A_SET : 0;
    }
    assert_order(e, count);
    for (size_t i = 0; i < count; i++) /* each event a run of its own */
        e[i] = (struct tt_event){.start_ns = -(int64_t)i, .layer = PYTHON};
    assert_order(e, count);
    free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_layer_and_recorded_id_make_the_order),
        cmocka_unit_test(test_equal_events_stay_in_file_order),
        cmocka_unit_test(test_a_lane_in_order_is_one_run),
        cmocka_unit_test(test_every_order_of_a_few_events_is_sorted),
        cmocka_unit_test(test_runs_of_any_length_are_merged),
        cmocka_unit_test(test_many_events_in_no_order_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
