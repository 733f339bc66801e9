/*
 * query/ratio.h - quotients of integers, rounded once.
 */
#ifndef TT_QUERY_RATIO_H
#define TT_QUERY_RATIO_H

#include <stdint.h>

/* The double nearest to above / below; NaN when `below` is 0. */
double tt_ratio(unsigned __int128 above, uint64_t below);

/* The double nearest to 100 * part / total; NaN when total is 0. */
double tt_percent(uint64_t part, uint64_t total);

#endif
