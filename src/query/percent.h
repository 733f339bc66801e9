/*
 * query/percent.h - percentages, rounded once from exact sums.
 */
#ifndef TT_QUERY_PERCENT_H
#define TT_QUERY_PERCENT_H

#include <stdint.h>

/* The double nearest to 100 * part / total; NaN when total is 0. */
double tt_percent(uint64_t part, uint64_t total);

#endif
