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

/* Of a number that takes more than 64 bits. */
static const struct {
    u128 above;
    u128 below;
    double ratio;
} wide_ratios[] = {
    {WIDE(0x0u, 0x1u), WIDE(0xffffffffu, 0xffffffffffffffffu),
     0x1.0000000000000p-96},
    {WIDE(0xffffffffu, 0xffffffffffffffffu),
     WIDE(0xffffffffu, 0xffffffffffffffffu), 0x1.0000000000000p+0},
    {WIDE(0xffffffffffffffffu, 0xffffffffffffffffu),
     WIDE(0xffffffffu, 0xffffffffffffffffu), 0x1.0000000000000p+32},
    {WIDE(0xffffffffffffffffu, 0xffffffffffffffffu), WIDE(0x1u, 0x0u),
     0x1.0000000000000p+64},
    {WIDE(0x1u, 0x0u), WIDE(0x1u, 0x1u), 0x1.0000000000000p+0},
    {WIDE(0x20000000u, 0x10000000000u), WIDE(0x20000000u, 0x0u),
     0x1.0000000000000p+0},
    {WIDE(0x20000000u, 0x10000000001u), WIDE(0x20000000u, 0x0u),
     0x1.0000000000001p+0},
    {WIDE(0x20000000u, 0xffffffffffu), WIDE(0x20000000u, 0x0u),
     0x1.0000000000000p+0},
    {WIDE(0xc0u, 0x0u), WIDE(0x80000000u, 0x0u), 0x1.8000000000000p-24},
    {WIDE(0x3u, 0x5bc8fbbcbde5c099u), WIDE(0x3u, 0x77330bdbd7210dffu),
     0x1.f02de5d60b453p-1},
    {WIDE(0x0u, 0xd464138a6233255u), WIDE(0x3c0u, 0x5f2dd97f1cfb10f7u),
     0x1.c4ecdb8c933efp-15},
    {WIDE(0x0u, 0x8b33e968617959cfu), WIDE(0x1u, 0x3fd4235992edcf45u),
     0x1.bdb001df1197ep-2},
    {WIDE(0x0u, 0x478c28687c966du), WIDE(0xc40u, 0xde11cc9dea959c21u),
     0x1.75b21e03b8f95p-22},
    {WIDE(0x1cc11d357u, 0xc30d8b7628dbd25fu), WIDE(0xe3u, 0x9e115e4b9e30691du),
     0x1.02b802dff5fcep+25},
    {WIDE(0x0u, 0x21da8979u), WIDE(0x0u, 0xc60a3cab359eeefbu),
     0x1.5e17a7f02c1fcp-35},
    {WIDE(0x0u, 0x154df561d81u), WIDE(0x19753u, 0xf6236bf2504b74bbu),
     0x1.ac7799c89b767p-41},
    {WIDE(0x0u, 0x1e1c792e81d66du), WIDE(0x1c99u, 0xf7108e96f770c227u),
     0x1.0d837b5fd40f1p-24},
    {WIDE(0x35c76f18au, 0x585a01c4c7d6df1u), WIDE(0x21cu, 0x254cb864ef901b93u),
     0x1.97d05df6ea5fbp+24},
    {WIDE(0x0u, 0xa9e9u), WIDE(0x960d5u, 0x9a656aafd1412585u),
     0x1.21e11493600acp-68},
    {WIDE(0x0u, 0x1u), WIDE(0x16be13u, 0x4f59672710e6d8e7u),
     0x1.6834fa4d5b863p-85},
    {WIDE(0x286bu, 0xb24891917b121dc5u), WIDE(0xb46u, 0x78f845f57b3120dfu),
     0x1.caddc9a6c3a17p+1},
};

static void test_quotients_of_sums_are_rounded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wide_ratios) / sizeof(wide_ratios[0]); i++) {
        double ratio = tt_ratio(wide_ratios[i].above, wide_ratios[i].below);

        if (ratio != wide_ratios[i].ratio)
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
        cmocka_unit_test(test_quotients_of_sums_are_rounded_once),
        cmocka_unit_test(test_nothing_is_a_part_of_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
