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
    assert_null(tt_idmap_get(&m, UINT64_MAX, UINT64_MAX));
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
    static const uint64_t n[] = {0,          1,         2,
                                 UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN,
                                 UINT64_MAX};
    const size_t count = sizeof(n) / sizeof(*n);
    struct tt_idmap m = {0};

    (void)state;
    for (size_t i = 0; i < count * count; i++) {
        assert_null(tt_idmap_get(&m, n[i / count], n[i % count]));
        assert_non_null(
            tt_idmap_put(&m, n[i / count], n[i % count], (uint32_t)i));
    }
    for (size_t i = 0; i < count * count; i++)
        assert_int_equal(*tt_idmap_get(&m, n[i / count], n[i % count]), i);
    assert_int_equal(m.count, count * count);
    tt_idmap_release(&m);
}

/* Keys as a trace has them: dense, in steps, in the high half. */
struct keys {
    uint64_t high_step;
    uint64_t low_step;
};

static const struct keys patterns[] = {
    {0, 1},
    {1, 1000},
    {1, 1},
    {0, 1000000000},
    {UINT64_C(1) << 32, 0},
    {0, UINT64_C(1) << 32},
    {UINT64_MAX, UINT64_MAX},
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
            assert_null(tt_idmap_get(&m, i * k->high_step ^ (uint64_t)1 << 60,
                                     i * k->low_step));
        }
        tt_idmap_release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_map_has_nothing),
        cmocka_unit_test(test_only_a_new_key_gets_the_value),
        cmocka_unit_test(test_a_value_can_be_changed_in_place),
        cmocka_unit_test(test_both_numbers_make_the_key),
        cmocka_unit_test(test_many_keys_of_any_pattern_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
