/* test_ratio.c - query/ratio.h: tt_ratio(); percentages are in test_timeline.c
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/ratio.h"

typedef unsigned __int128 u128;

#define WIDE(high, low) ((u128)(high) << 64 | (low))

/* Quotients, rounded once by exact arithmetic elsewhere. */
static const struct {
    uint64_t high; /* of what stands above */
    uint64_t low;
    uint64_t below;
    double ratio;
} ratios[] = {
    {0, 0, 1, 0x0p+0},
    {0, 0, UINT64_MAX, 0x0p+0},
    {0, 1, 3, 0x1.5555555555555p-2},
    {0, 1, UINT64_MAX, 0x1p-64},
    {0, (1ull << 53) + 1, 1, 0x1p+53}, /* half way: to even */
    {0, (1ull << 53) + 3, 1, 0x1.0000000000002p+53},
    {0, (1ull << 55) + 5, 4, 0x1.0000000000001p+53}, /* a bit above it */
    {0, (1ull << 55) + 3, 4, 0x1p+53},               /* a bit below it */
    {(1ull << 63) + (1ull << 10), 0, 1ull << 20, 0x1p+107},
    {(1ull << 63) + (1ull << 10), 1, 1ull << 20, 0x1.0000000000001p+107},
    {UINT64_MAX, UINT64_MAX, 1, 0x1p+128},
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x1p+64},
    {1, 0, 2, 0x1p+63},
    {1, 0, UINT64_MAX, 0x1p+0},
};

static void test_quotients_are_rounded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
        double ratio =
            tt_ratio(WIDE(ratios[i].high, ratios[i].low), ratios[i].below);

        if (ratio != ratios[i].ratio)
            fail_msg("ratio %zu is %a", i, ratio);
    }
}

static void test_nothing_is_a_part_of_zero(void **state)
{
    (void)state;
    assert_true(isnan(tt_ratio(0, 0)));
    assert_true(isnan(tt_ratio(1, 0)));
    assert_true(isnan(tt_ratio(WIDE(UINT64_MAX, UINT64_MAX), 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotients_are_rounded_once),
        cmocka_unit_test(test_nothing_is_a_part_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
