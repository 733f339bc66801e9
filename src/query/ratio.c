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

double tt_ratio(u128 above, uint64_t below)
{
    u128 quotient;
    uint64_t top;
    int up;
    int down;

    if (!below)
        return (double)NAN;
    if (!above)
        return 0;
    /* At least 64 bits of the quotient, then 64 of them of which the lowest
     * also says whether anything was left: enough to round as the exact one. */
    up = 128 - bits_of(above);
    above <<= up;
    quotient = above / below;
    down = bits_of(quotient) - 64;
    top = (uint64_t)(quotient >> down);
    if (quotient & (((u128)1 << down) - 1) || above % below)
        top |= 1;
    return ldexp((double)top, down - up);
}

double tt_percent(uint64_t part, uint64_t total)
{
    return tt_ratio((u128)part * 100, total);
}
