/*
 * merge/order.h - the nesting order of a lane: start, layer, recorded id,
 * position (doc/format.md, Order of ids).
 *
 * A lane is a few sorted runs, as a profiler writes one kind of event after the
 * other; they are merged as their events are asked for.
 */
#ifndef TT_MERGE_ORDER_H
#define TT_MERGE_ORDER_H

#include <stdbool.h>

#include "merge/trace.h"

/* Whether `b`, which stands later in the file, also nests later than `a`. */
bool tt_order_keeps(const struct tt_event *a, const struct tt_event *b);

/* What is left of a run. */
struct tt_run_head {
    int64_t start_ns; /* of its next event */
    uint32_t at;      /* which that is */
    uint32_t end;     /* behind the last */
};

struct tt_order {
    const struct tt_lane_events *lane;
    struct tt_run_head *head; /* a heap, the next event's run on top; owned */
    size_t heads;
    size_t runs;       /* heads there were */
    int64_t others_ns; /* no other run has an event before that */
};

/*
 * Starts with the first event of `lane`, which must stay as it is.
 *
 * @param o  release it with tt_order_end().
 * @return T2T_OK or T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_order_begin(struct tt_order *o,
                               const struct tt_lane_events *lane);

/*
 * The same with a part of it: of each run the events from `from` to just before
 * `end`, numbers in the lane.
 */
enum t2t_status tt_order_begin_part(struct tt_order *o,
                                    const struct tt_lane_events *lane,
                                    const uint32_t *from, const uint32_t *end);

/* How many runs a lane has. */
size_t tt_order_runs(const struct tt_lane_events *lane);

/* Where run `run` of a lane begins and, in `*end`, ends. */
uint32_t tt_order_run(const struct tt_lane_events *lane, size_t run,
                      uint32_t *end);

/* The next event; NULL when there are no more. */
const struct tt_event *tt_order_next(struct tt_order *o);

void tt_order_end(struct tt_order *o);

#endif
