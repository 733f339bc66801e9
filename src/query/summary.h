/*
 * query/summary.h - sum, mean, median, deviation, least and most of some
 * durations.
 */
#ifndef TT_QUERY_SUMMARY_H
#define TT_QUERY_SUMMARY_H

#include <stdint.h>

struct tt_summary {
    uint32_t count;
    uint64_t sum; /* UINT64_MAX if it is more */
    uint64_t min;
    uint64_t max;
    double mean;   /* each is rounded once from an exact quotient */
    double median; /* the mean of the two in the middle, if there are two */
    double std;    /* of a sample (n - 1); NaN for one value */
};

/* Summarizes `count` values, at least one, which it sorts. */
void tt_summarize(struct tt_summary *s, uint64_t *value, uint32_t count);

/* a + b, or UINT64_MAX if that is more. */
static inline uint64_t tt_sum(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

#endif
