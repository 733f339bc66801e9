/*
 * merge/slice.h - lanes cut in time.
 *
 * A lane may hold nine tenths of a trace, so lanes alone are no work for many
 * threads.  A lane is a few sorted runs: it is cut before an event that starts
 * later than the one before it, and of each run that part is taken.
 */
#ifndef TT_MERGE_SLICE_H
#define TT_MERGE_SLICE_H

#include "merge/order.h"
#include "merge/trace.h"

/* A lane of more runs than this is not cut: to cut them all takes longer than
 * is gained. */
#define TT_SLICE_RUNS 256

/* Events of a lane that nest one after the other. */
struct tt_slice {
    uint32_t lane;
    uint32_t events;
    bool is_first; /* of the lane */
    bool is_last;
    bool is_whole;                /* the whole lane; there is no more to know */
    uint32_t from[TT_SLICE_RUNS]; /* of each run, its first event */
    uint32_t end[TT_SLICE_RUNS];  /* and the one behind its last */
};

/* Goes through lanes. */
struct tt_slicer {
    const struct tt_trace *trace; /* not owned, nor the lanes */
    const uint32_t *lane;         /* numbers, in the order wanted */
    size_t at;                    /* which is next, or under way */
    uint32_t events;              /* that a slice is to have, about */
    bool inside;                  /* the lane is under way */
    uint32_t left;                /* events of it */
    uint32_t from[TT_SLICE_RUNS]; /* where its next slice begins */
};

/* The next slice, of any number of events, down to none in an empty lane.
 * False: there are no more. */
bool tt_slicer_next(struct tt_slicer *s, struct tt_slice *out);

/* Starts to go through a slice, as tt_order_begin() does. */
enum t2t_status tt_slice_begin(const struct tt_slice *s,
                               const struct tt_trace *trace,
                               struct tt_order *order);

#endif
