/*
 * merge/placed.h - an event as a node.
 */
#ifndef TT_MERGE_PLACED_H
#define TT_MERGE_PLACED_H

#include "merge/trace.h"
#include "model/sink.h"

static inline struct tt_placed tt_placed_node(const struct tt_lane_events *lane,
                                              const struct tt_event *e,
                                              uint32_t parent, uint8_t flags)
{
    return (struct tt_placed){
        .start_ns = e->start_ns,
        .dur_ns = (uint64_t)e->end_ns - (uint64_t)e->start_ns,
        .name = e->name,
        .lane = lane->place,
        .parent = parent,
        .position = e->position,
        .category = e->category,
        .phase = e->phase,
        .flags = flags,
    };
}

#endif
