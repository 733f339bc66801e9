/* test_idmap.c - base/idmap.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/idmap.h"

static void test_an_empty_map_has_nothing(void **state)
{
    struct tt_idmap m = {0};

    (void)state;
    assert_null(tt_idmap_get(&m, 0, 0));
    assert_null(tt_idmap_get(&m, UINT32_MAX - 1, UINT64_MAX));
    tt_idmap_release(&m);
    tt_idmap_release(&m);
}

static void test_only_a_new_key_gets_the_value(void **state)
{
    struct tt_idmap m = {0};

    (void)state;
    assert_int_equal(*tt_idmap_put(&m, 1, 2, 30), 30);
    assert_int_equal(*tt_idmap_put(&m, 1, 2, 40), 30);
    assert_int_equal(*tt_idmap_get(&m, 1, 2), 30);
    assert_int_equal(m.count, 1);
    tt_idmap_release(&m);
}

static void test_a_value_can_be_changed_in_place(void **state)
{
    struct tt_idmap m = {0};

    (void)state;
    *tt_idmap_put(&m, 1, 2, 30) = 31;
    assert_int_equal(*tt_idmap_get(&m, 1, 2), 31);
    *tt_idmap_get(&m, 1, 2) = UINT32_MAX;
    assert_int_equal(*tt_idmap_put(&m, 1, 2, 0), UINT32_MAX);
    tt_idmap_release(&m);
}

static void test_both_numbers_make_the_key(void **state)
{
    static const uint32_t high[] = {0, 1, 2, INT32_MAX, UINT32_MAX - 1};
    static const uint64_t low[] = {0,          1,         2,
                                   UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN,
                                   UINT64_MAX};
    const size_t lows = sizeof(low) / sizeof(*low);
    const size_t count = sizeof(high) / sizeof(*high) * lows;
    struct tt_idmap m = {0};

    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_null(tt_idmap_get(&m, high[i / lows], low[i % lows]));
        assert_non_null(
            tt_idmap_put(&m, high[i / lows], low[i % lows], (uint32_t)i));
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(*tt_idmap_get(&m, high[i / lows], low[i % lows]), i);
    assert_int_equal(m.count, count);
    tt_idmap_release(&m);
}

/* Keys as a trace has them: dense, in steps, in the high half. */
struct keys {
    uint32_t high_step;
    uint64_t low_step;
};

static const struct keys patterns[] = {
    {0, 1},
    {1, 1000},
    {1, 1},
    {0, 4},
    {0, 1000000000},
    {1, 0},
    {0, UINT64_C(1) << 32},
    {1, UINT64_MAX},
};

static void test_many_keys_of_any_pattern_are_found(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
        const struct keys *k = &patterns[p];
        struct tt_idmap m = {0};

        for (uint32_t i = 0; i < 100000; i++)
            assert_int_equal(*tt_idmap_put(&m, i * k->high_step,
                                           i * k->low_step, i),
                             i);
        assert_int_equal(m.count, 100000);
        for (uint32_t i = 0; i < 100000; i++) {
            assert_int_equal(*tt_idmap_get(&m, i * k->high_step,
                                           i * k->low_step),
                             i);
            assert_null(
                tt_idmap_get(&m, i * k->high_step ^ 1u << 28, i * k->low_step));
        }
        tt_idmap_release(&m);
    }
}

static void test_reserved_room_is_not_taken_twice(void **state)
{
    struct tt_idmap m = {0};
    size_t slots;

    (void)state;
    *tt_idmap_put(&m, 7, 7, 7) = 8;
    assert_true(tt_idmap_reserve(&m, 1000));
    slots = m.slots;
    assert_true(slots >= 2000);
    for (uint32_t i = 0; i < 999; i++)
        assert_non_null(tt_idmap_put(&m, 0, i, i));
    assert_true(tt_idmap_reserve(&m, 1000));
    assert_int_equal(m.slots, slots);
    assert_int_equal(*tt_idmap_get(&m, 7, 7), 8);
    assert_int_equal(*tt_idmap_get(&m, 0, 998), 998);
    tt_idmap_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_map_has_nothing),
        cmocka_unit_test(test_only_a_new_key_gets_the_value),
        cmocka_unit_test(test_a_value_can_be_changed_in_place),
        cmocka_unit_test(test_both_numbers_make_the_key),
        cmocka_unit_test(test_many_keys_of_any_pattern_are_found),
        cmocka_unit_test(test_reserved_room_is_not_taken_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
