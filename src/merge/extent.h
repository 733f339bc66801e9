/*
 * merge/extent.h - from when to when something goes on.
 */
#ifndef TT_MERGE_EXTENT_H
#define TT_MERGE_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/index.h>

#include "model/event.h"

struct tt_extent {
    bool has_events;
    bool has_origin;
    int64_t start_ns;  /* the first one */
    int64_t end_ns;    /* the last one */
    int64_t origin_ns; /* the first start but that of a GPU event at 0 */
};

static inline void tt_extent_add(struct tt_extent *x, const struct tt_event *e)
{
    bool zero = e->layer == T2T_LAYER_GPU && !e->start_ns;

    if (!zero && (!x->has_origin || e->start_ns < x->origin_ns)) {
        x->origin_ns = e->start_ns;
        x->has_origin = true;
    }
    if (!x->has_events || e->start_ns < x->start_ns)
        x->start_ns = e->start_ns;
    if (!x->has_events || e->end_ns > x->end_ns)
        x->end_ns = e->end_ns;
    x->has_events = true;
}

/* Widens `x` by what `y` covers. */
static inline void tt_extent_join(struct tt_extent *x,
                                  const struct tt_extent *y)
{
    if (y->has_origin && (!x->has_origin || y->origin_ns < x->origin_ns)) {
        x->origin_ns = y->origin_ns;
        x->has_origin = true;
    }
    if (y->has_events && (!x->has_events || y->start_ns < x->start_ns))
        x->start_ns = y->start_ns;
    if (y->has_events && (!x->has_events || y->end_ns > x->end_ns))
        x->end_ns = y->end_ns;
    x->has_events |= y->has_events;
}

#endif
