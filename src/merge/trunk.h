/*
 * merge/trunk.h - the tree as it grows: nodes get their ids and go to the sink.
 *
 * One lane after the other, each in nesting order, event by event or in strips
 * that were nested elsewhere.  Inside of merge/ only.
 */
#ifndef TT_MERGE_TRUNK_H
#define TT_MERGE_TRUNK_H

#include "merge/extent.h"
#include "merge/flow.h"
#include "merge/nest.h"
#include "merge/order.h"
#include "merge/strip.h"
#include "model/sink.h"

struct tt_trunk {
    struct tt_trace *trace; /* not owned, nor what follows */
    struct tt_flows *flows;
    struct tt_sink *sink;
    struct t2t_error *err;
    struct tt_nest nest;     /* `next` is the next id */
    struct tt_extent extent; /* of all lanes that have ended */
    struct tt_extent lane;   /* of the one under way */
};

/* An empty one; `sizes` has room for all nodes. */
void tt_trunk_init(struct tt_trunk *k, struct tt_trace *trace,
                   const struct tt_links *links, struct tt_flows *flows,
                   struct tt_sink *sink, uint32_t *sizes,
                   struct t2t_error *err);

void tt_trunk_release(struct tt_trunk *k);

void tt_trunk_begin_lane(struct tt_trunk *k, uint32_t lane);
enum t2t_status tt_trunk_end_lane(struct tt_trunk *k);

/* Adds events of the lane under way, the next ones. */
enum t2t_status tt_trunk_add(struct tt_trunk *k, struct tt_order *order);

/* Adds a strip of it that is nested. */
enum t2t_status tt_trunk_add_strip(struct tt_trunk *k,
                                   const struct tt_strip *s);

#endif
