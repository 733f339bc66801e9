/*
 * model/sink.h - where finished nodes go.
 *
 * The merge hands over elements in the order of their ids, nodes first, and
 * does not know what becomes of them: a file, or an array in a test.
 */
#ifndef TT_MODEL_SINK_H
#define TT_MODEL_SINK_H

#include <stdint.h>

#include "base/status.h"

/* An element with its place in the index; fields as in doc/format.md. */
struct tt_placed {
    int64_t start_ns;
    uint64_t dur_ns;
    uint32_t name;
    uint32_t lane;     /* of the index: its place in the order of lanes */
    uint32_t parent;   /* id, or TT_NO_NODE; nodes only */
    uint32_t position; /* in traceEvents */
    uint16_t category;
    uint8_t phase;
    uint8_t flags; /* nodes only; TT_PLACED_... */
};

/* Bits of tt_placed.flags; the same as FLAGS in the index. */
enum {
    TT_PLACED_CROSSED = 1,
    TT_PLACED_CUT = 2,
    TT_PLACED_ROOT_OP = 4,
    TT_PLACED_GPU = 8,
    TT_PLACED_LINKED = 16,
};

struct tt_sink {
    void *owner;
    /* The next node; after the last node the next element outside. */
    enum t2t_status (*node)(void *owner, const struct tt_placed *node,
                            struct t2t_error *err);
    enum t2t_status (*other)(void *owner, const struct tt_placed *other,
                             struct t2t_error *err);
};

#endif
