/* test_summary.c - query/summary.h */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/summary.h"

#define TOP UINT64_MAX

/* Values in the order they come, and what is so of them. */
static const struct {
    uint64_t value[6];
    uint32_t count;
    struct tt_summary is; /* std -1: none */
} cases[] = {
    {{0}, 1, {1, 0, 0, 0, 0, 0, -1}},
    {{7}, 1, {1, 7, 7, 7, 7, 7, -1}},
    {{3, 1}, 2, {2, 4, 1, 3, 2, 2, 0x1.6a09e667f3bcdp+0}},
    {{1, 2, 2}, 3, {3, 5, 1, 2, 0x1.aaaaaaaaaaaabp+0, 2, 0x1.279a74590331cp-1}},
    {{4, 1, 2, 9}, 4, {4, 16, 1, 9, 4, 3, 0x1.c78e2aae37c78p+1}},
    {{5, 5, 5, 5, 5}, 5, {5, 25, 5, 5, 5, 5, 0}},
    {{2, 4, 4, 4, 5, 7},
     6,
     {6, 26, 2, 7, 0x1.1555555555555p+2, 4, 0x1.a20bd700c2c3ep+0}},
    /* far from 0, where squares of doubles have nothing left */
    {{(1ull << 63) + 2, 1ull << 63, (1ull << 63) + 1},
     3,
     {3, TOP, 1ull << 63, (1ull << 63) + 2, 0x1p+63, 0x1p+63, 1}},
    {{TOP}, 1, {1, TOP, TOP, TOP, 0x1p+64, 0x1p+64, -1}},
    {{TOP, TOP}, 2, {2, TOP, TOP, TOP, 0x1p+64, 0x1p+64, 0}},
    /* more than 128 bits */
    {{TOP, 0}, 2, {2, TOP, 0, TOP, 0x1p+63, 0x1p+63, 0x1.6a09e667f3bcdp+63}},
};

static void test_values_are_summarized(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tt_summary *is = &cases[i].is;
        uint64_t value[6];
        struct tt_summary s;

        memcpy(value, cases[i].value, sizeof(value));
        tt_summarize(&s, value, cases[i].count);
        assert_int_equal(s.count, is->count);
        assert_true(s.sum == is->sum && s.min == is->min && s.max == is->max);
        if (s.mean != is->mean || s.median != is->median)
            fail_msg("case %zu: mean %a, median %a", i, s.mean, s.median);
        if (is->std < 0 ? !isnan(s.std) : s.std != is->std)
            fail_msg("case %zu: std %a", i, s.std);
    }
}

static void test_values_are_sorted(void **state)
{
    uint64_t value[] = {9, 0, TOP, 4, 4};
    struct tt_summary s;

    (void)state;
    tt_summarize(&s, value, 5);
    assert_true(value[0] == 0 && value[1] == 4 && value[2] == 4 &&
                value[3] == 9 && value[4] == TOP);
}

/* Up to what fits 128 bits it is exact; past that it is within rounding. */
static void test_the_deviation_of_many_wide_values(void **state)
{
    enum { HALF = 50000 };
    uint64_t *value = malloc(2 * HALF * sizeof(*value));
    struct tt_summary s;
    double expected;

    (void)state;
    assert_non_null(value);
    for (size_t i = 0; i < HALF; i++) {
        value[2 * i] = 1ull << 62;
        value[2 * i + 1] = 3ull << 62;
    }
    tt_summarize(&s, value, 2 * HALF);
    expected = 0x1p+62 * sqrt(2.0 * HALF / (2.0 * HALF - 1));
    assert_true(s.mean == 0x1p+63);
    assert_true(fabs(s.std - expected) <= expected * 1e-14);
    free(value);
}

static void test_sums_stop_at_the_largest(void **state)
{
    (void)state;
    assert_true(tt_sum(0, 0) == 0);
    assert_true(tt_sum(TOP - 1, 1) == TOP);
    assert_true(tt_sum(TOP, 1) == TOP);
    assert_true(tt_sum(1ull << 63, 1ull << 63) == TOP);
    assert_true(tt_sum(TOP, TOP) == TOP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_summarized),
        cmocka_unit_test(test_values_are_sorted),
        cmocka_unit_test(test_the_deviation_of_many_wide_values),
        cmocka_unit_test(test_sums_stop_at_the_largest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
