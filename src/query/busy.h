/*
 * query/busy.h - how long something ran: lengths of unions of intervals.
 *
 * Intervals are half open, in nanoseconds.  Those that touch are one, empty
 * ones are nothing.
 */
#ifndef TT_QUERY_BUSY_H
#define TT_QUERY_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/status.h>

struct tt_interval {
    int64_t start_ns;
    int64_t end_ns; /* not before start_ns */
};

/* A union that grows by intervals that come by start.  All zero: nothing. */
struct tt_cover {
    uint64_t ns;      /* its length */
    int64_t start_ns; /* of all */
    int64_t end_ns;   /* covered up to here */
    bool any;
};

static inline void tt_cover_add(struct tt_cover *c, const struct tt_interval *v)
{
    int64_t from = v->start_ns;

    if (v->end_ns <= v->start_ns)
        return;
    if (!c->any)
        c->start_ns = v->start_ns;
    else if (from < c->end_ns)
        from = c->end_ns;
    if (!c->any || v->end_ns > c->end_ns) {
        c->ns += (uint64_t)v->end_ns - (uint64_t)from;
        c->end_ns = v->end_ns;
    }
    c->any = true;
}

/* The busy time of `count` intervals in any order, which it sorts by start. */
uint64_t tt_busy(struct tt_interval *v, uint32_t count);

/* Some intervals that follow each other in an array. */
struct tt_run {
    uint32_t first;
    uint32_t count;
    uint64_t busy_ns; /* to be found */
};

/*
 * Finds the busy time of each of `run_count` runs of the `count` intervals at
 * `v`.  Runs may lie in each other, as subtrees do, however deep: it takes
 * O((count + run_count) log), not the sum of their lengths.
 *
 * @return T2T_OK; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_busy_runs(const struct tt_interval *v, uint32_t count,
                             struct tt_run *run, uint32_t run_count,
                             struct t2t_error *err);

#endif
