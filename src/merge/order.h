/*
 * merge/order.h - the nesting order of a lane: start, layer, recorded id,
 * position (doc/format.md, Order of ids).
 */
#ifndef TT_MERGE_ORDER_H
#define TT_MERGE_ORDER_H

#include <stdbool.h>

#include "merge/trace.h"

/* Whether `b`, which stands later in the file, also nests later than `a`. */
bool tt_order_keeps(const struct tt_event *a, const struct tt_event *b);

/*
 * The events of a lane in nesting order, as numbers of tt_lane_event().  A lane
 * is a few sorted runs, so runs are merged.
 *
 * @param watch  asked in the long loops; NULL is allowed.
 * @param out    set to an array for the caller to free; NULL for a lane that is
 *               in order as it is.
 * @return T2T_OK, T2T_ERR_NO_MEMORY or T2T_ERR_CANCELED.
 */
enum t2t_status tt_order_lane(const struct tt_lane_events *lane,
                              struct tt_watch *watch, uint32_t **out);

#endif
