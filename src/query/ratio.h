/*
 * query/ratio.h - quotients of integers, rounded once.
 */
#ifndef TT_QUERY_RATIO_H
#define TT_QUERY_RATIO_H

#include <stdint.h>

/* The double nearest to above / below, which is less than 2^96; NaN when it is
 * 0. */
double tt_ratio(unsigned __int128 above, unsigned __int128 below);

/* The double nearest to 100 * part / total, sums of 2^32 durations at most; NaN
 * when total is 0. */
double tt_percent(unsigned __int128 part, unsigned __int128 total);

#endif
