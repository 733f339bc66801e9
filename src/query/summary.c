/* summary.c - sum, mean, median, deviation, least and most. */
#include "query/summary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "query/ratio.h"

typedef unsigned __int128 u128;

static int compare_values(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/*
 * n * sum(d * d) - sum(d)^2, with d = value - least, which is n * (n - 1) times
 * the variance.  False when that takes more than 128 bits.
 */
static bool spread(const uint64_t *value, uint32_t count, u128 *out)
{
    u128 sum = 0;
    u128 squares = 0;

    for (uint32_t i = 0; i < count; i++) {
        u128 d = value[i] - value[0];

        sum += d; /* less than 2^96 */
        if (__builtin_add_overflow(squares, d * d, &squares))
            return false;
    }
    if (__builtin_mul_overflow(squares, (u128)count, &squares) ||
        __builtin_mul_overflow(sum, sum, &sum))
        return false;
    *out = squares - sum;
    return true;
}

/* The deviation of values that are centuries apart. */
static double wide_deviation(const uint64_t *value, uint32_t count, double mean)
{
    double squares = 0;

    for (uint32_t i = 0; i < count; i++) {
        double d = (double)value[i] - mean;

        squares += d * d;
    }
    return sqrt(squares / (count - 1));
}

/* That of ascending values. */
static double deviation(const uint64_t *value, uint32_t count, double mean)
{
    u128 above;

    if (count < 2)
        return (double)NAN;
    if (!spread(value, count, &above))
        return wide_deviation(value, count, mean);
    return sqrt(tt_ratio(above, (uint64_t)count * (count - 1)));
}

void tt_summarize(struct tt_summary *s, uint64_t *value, uint32_t count)
{
    u128 sum = 0;

    qsort(value, count, sizeof(*value), compare_values);
    for (uint32_t i = 0; i < count; i++)
        sum += value[i];
    *s = (struct tt_summary){.count = count,
                             .sum =
                                 sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum,
                             .min = value[0],
                             .max = value[count - 1]};
    s->mean = tt_ratio(sum, count);
    s->median = tt_ratio((u128)value[(count - 1) / 2] + value[count / 2], 2);
    s->std = deviation(value, count, s->mean);
}
