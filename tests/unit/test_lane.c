/* test_lane.c - model/lane.h and the batch that lists lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/batch.h"
#include "model/lane.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static void test_an_empty_table_can_be_released(void **state)
{
    struct tt_lanes t = {0};

    (void)state;
    tt_lanes_release(&t);
    tt_lanes_release(&t);
    assert_int_equal(t.count, 0);
}

#define NONE                                                                   \
    {                                                                          \
        0, TT_ID_MISSING, false                                                \
    }
#define INT(n)                                                                 \
    {                                                                          \
        (uint64_t)(n), TT_ID_INTEGER, false                                    \
    }
#define BIG(n)                                                                 \
    {                                                                          \
        (n), TT_ID_UNSIGNED, false                                             \
    }
#define TEXT(n)                                                                \
    {                                                                          \
        (n), TT_ID_TEXT, false                                                 \
    }

/* Lanes that differ in one thing each. */
static const struct tt_lane lanes[] = {
    {NONE, NONE, 0},
    {NONE, NONE, 1},
    {NONE, NONE, 2},
    {INT(0), NONE, 0},
    {NONE, INT(0), 0},
    {INT(0), INT(0), 0},
    {INT(1), INT(2), 0},
    {INT(2), INT(1), 0},
    {INT(1), INT(2), 1},
    {INT(-1), INT(2), 0},
    {BIG(UINT64_MAX), INT(2), 0},
    {TEXT(1), INT(2), 0},
    {INT(1), TEXT(2), 0},
    {INT(INT64_MAX), INT(INT64_MIN), 0},
    {INT(INT64_MIN), INT(INT64_MAX), 0},
};

static void test_lanes_get_numbers_as_they_first_come(void **state)
{
    struct tt_lanes t = {0};

    (void)state;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT(lanes); i++)
            assert_int_equal(tt_lanes_add(&t, &lanes[i]), i);
    assert_int_equal(t.count, COUNT(lanes));
    for (uint32_t i = 0; i < COUNT(lanes); i++) {
        assert_int_equal(t.lane[i].side, lanes[i].side);
        assert_true(tt_id_equal(t.lane[i].pid, lanes[i].pid));
        assert_true(tt_id_equal(t.lane[i].tid, lanes[i].tid));
    }
    tt_lanes_release(&t);
}

static void test_an_id_is_its_kind_and_its_value(void **state)
{
    const struct tt_id ids[] = {NONE,    INT(0),          INT(1),
                                INT(-1), BIG(UINT64_MAX), TEXT(0),
                                TEXT(1)};

    (void)state;
    for (size_t i = 0; i < COUNT(ids); i++)
        for (size_t n = 0; n < COUNT(ids); n++)
            assert_int_equal(tt_id_equal(ids[i], ids[n]), i == n);
}

/* Pids and tids as they come in large traces. */
static const struct {
    uint64_t pid_step;
    uint64_t tid_step;
} patterns[] = {
    {0, 1}, {1, 0}, {1, 1}, {0, 4096}, {UINT64_C(1) << 32, 1}, {1, UINT64_MAX},
};

static void test_a_trace_may_have_very_many_lanes(void **state)
{
    const uint32_t count = 100000;

    (void)state;
    for (size_t p = 0; p < COUNT(patterns); p++) {
        struct tt_lanes t = {0};

        for (int round = 0; round < 2; round++) {
            for (uint32_t i = 0; i < count; i++) {
                struct tt_lane lane = {INT(i * patterns[p].pid_step),
                                       INT(i * patterns[p].tid_step), 0};

                assert_int_equal(tt_lanes_add(&t, &lane), i);
            }
        }
        assert_int_equal(t.count, count);
        tt_lanes_release(&t);
    }
}

static void test_a_new_batch_is_empty(void **state)
{
    struct tt_batch *b = tt_batch_create();

    (void)state;
    assert_non_null(b);
    assert_int_equal(b->count, 0);
    assert_int_equal(b->slots, 0);
    assert_int_equal(b->texts, 0);
    assert_int_equal(b->fresh_count, 0);
    assert_int_equal(b->lanes, 0);
    for (int kind = 0; kind < TT_ANOMALY_COUNT; kind++) {
        assert_int_equal(b->anomalies.count[kind], 0);
        assert_int_equal(b->anomalies.first_position[kind], TT_NO_POSITION);
    }
    tt_batch_free(b);
    tt_batch_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_table_can_be_released),
        cmocka_unit_test(test_lanes_get_numbers_as_they_first_come),
        cmocka_unit_test(test_an_id_is_its_kind_and_its_value),
        cmocka_unit_test(test_a_trace_may_have_very_many_lanes),
        cmocka_unit_test(test_a_new_batch_is_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
