/* ratio.c - a quotient of integers as the nearest double. */
#include "query/ratio.h"

#include <math.h>

typedef unsigned __int128 u128;

/* How many bits `v`, not 0, takes. */
static int bits_of(u128 v)
{
    uint64_t high = (uint64_t)(v >> 64);

    if (high)
        return 128 - __builtin_clzll(high);
    return 64 - __builtin_clzll((uint64_t)v);
}

/*
 * The quotient comes in digits of 32 bits until it has 64: the first has more,
 * as `above` then has 128 bits and `below` at most 96, and what is left of it
 * is less than `below`.
 */
double tt_ratio(u128 above, u128 below)
{
    u128 quotient;
    u128 left;
    uint64_t top;
    int up;
    int down;

    if (!below)
        return (double)NAN;
    if (!above)
        return 0;
    up = 128 - bits_of(above);
    above <<= up;
    quotient = above / below;
    left = above % below;
    for (; bits_of(quotient) < 64; up += 32) {
        left <<= 32;
        quotient = quotient << 32 | left / below;
        left %= below;
    }
    /* 64 bits of which the lowest also says whether anything was left: enough
     * to round as the exact one */
    down = bits_of(quotient) - 64;
    top = (uint64_t)(quotient >> down);
    if (quotient & (((u128)1 << down) - 1) || left)
        top |= 1;
    return ldexp((double)top, down - up);
}

double tt_percent(u128 part, u128 total)
{
    return tt_ratio(part * 100, total);
}
