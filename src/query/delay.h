/*
 * query/delay.h - times between two moments, which may be below 0.
 */
#ifndef TT_QUERY_DELAY_H
#define TT_QUERY_DELAY_H

#include <stdint.h>

struct tt_delays {
    uint32_t negative; /* how many are below 0 */
    int64_t min;
    int64_t max;
    int64_t p99;   /* the smallest that at least 99 of 100 do not exceed */
    double mean;   /* each is rounded once from an exact quotient */
    double median; /* the mean of the two in the middle, if there are two */
};

/* Summarizes `count` delays, at least one, which it sorts. */
void tt_delays_summarize(struct tt_delays *d, int64_t *delay, uint32_t count);

/* From one moment to another; no further from 0 than an int64_t is. */
static inline int64_t tt_delay(int64_t from_ns, int64_t to_ns)
{
    int64_t ns;

    if (__builtin_sub_overflow(to_ns, from_ns, &ns))
        return to_ns < from_ns ? INT64_MIN : INT64_MAX;
    return ns;
}

#endif
