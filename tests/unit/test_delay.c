/* test_delay.c - query/delay.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/delay.h"

static void test_a_delay_stays_within_64_bits(void **state)
{
    (void)state;
    assert_int_equal(tt_delay(5, 12), 7);
    assert_int_equal(tt_delay(12, 5), -7);
    assert_int_equal(tt_delay(INT64_MIN, INT64_MAX), INT64_MAX);
    assert_int_equal(tt_delay(INT64_MAX, INT64_MIN), INT64_MIN);
    assert_int_equal(tt_delay(INT64_MIN, -1), INT64_MAX);
    assert_int_equal(tt_delay(INT64_MIN, 0), INT64_MAX);
    assert_int_equal(tt_delay(0, INT64_MIN), INT64_MIN);
}

static void test_those_below_zero_count_as_they_are(void **state)
{
    int64_t delay[] = {30, -10, 20, -5};
    struct tt_delays d;

    (void)state;
    tt_delays_summarize(&d, delay, 4);
    assert_int_equal(d.negative, 2);
    assert_int_equal(d.min, -10);
    assert_int_equal(d.max, 30);
    assert_int_equal(d.p99, 30);
    assert_true(d.mean == 8.75);
    assert_true(d.median == 7.5);
}

static void test_the_mean_may_be_below_zero(void **state)
{
    int64_t delay[] = {-3, -4};
    struct tt_delays d;

    (void)state;
    tt_delays_summarize(&d, delay, 2);
    assert_true(d.mean == -3.5);
    assert_true(d.median == -3.5);
}

static void test_one_in_a_hundred_is_past_p99(void **state)
{
    int64_t delay[201];
    struct tt_delays d;

    (void)state;
    for (int i = 0; i < 201; i++)
        delay[i] = 200 - i;
    tt_delays_summarize(&d, delay, 1);
    assert_int_equal(d.p99, 200);
    for (int i = 0; i < 201; i++)
        delay[i] = 200 - i;
    tt_delays_summarize(&d, delay, 100);
    assert_int_equal(d.p99, 199); /* of 101 to 200: the 99th */
    for (int i = 0; i < 201; i++)
        delay[i] = 200 - i;
    tt_delays_summarize(&d, delay, 101);
    assert_int_equal(d.p99, 199); /* of 100 to 200: the 100th */
    for (int i = 0; i < 201; i++)
        delay[i] = 200 - i;
    tt_delays_summarize(&d, delay, 201);
    assert_int_equal(d.p99, 198); /* of 0 to 200: the 199th */
}

static void test_sums_take_more_than_64_bits(void **state)
{
    int64_t delay[] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MIN};
    struct tt_delays d;

    (void)state;
    tt_delays_summarize(&d, delay, 3);
    assert_true(d.mean == 9223372036854775807.0);
    assert_true(d.median == 9223372036854775807.0);
    tt_delays_summarize(&d, delay + 3, 1);
    assert_true(d.mean == -9223372036854775808.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_delay_stays_within_64_bits),
        cmocka_unit_test(test_those_below_zero_count_as_they_are),
        cmocka_unit_test(test_the_mean_may_be_below_zero),
        cmocka_unit_test(test_one_in_a_hundred_is_past_p99),
        cmocka_unit_test(test_sums_take_more_than_64_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
