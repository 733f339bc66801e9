/*
 * model/sink.h - where finished nodes go.
 *
 * The merge hands over elements in the order of their ids, nodes first, and
 * does not know what becomes of them: a file, or an array in a test.
 */
#ifndef TT_MODEL_SINK_H
#define TT_MODEL_SINK_H

#include <stddef.h>
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

/* So many elements are collected before they are taken. */
#define TT_SINK_ROOM 16384u

struct tt_sink {
    void *owner;
    /*
     * Takes the first `count` elements at `*placed`, of which the first `nodes`
     * are nodes; afterwards there is room for others at `*placed`, perhaps
     * another place.
     */
    enum t2t_status (*take)(void *owner, struct tt_placed **placed,
                            size_t count, size_t nodes, struct t2t_error *err);
    struct tt_placed *placed; /* room for TT_SINK_ROOM, not owned */
    size_t count;
    size_t nodes; /* of these */
};

/* Hands over what is there. */
static inline enum t2t_status tt_sink_flush(struct tt_sink *s,
                                            struct t2t_error *err)
{
    enum t2t_status st = s->take(s->owner, &s->placed, s->count, s->nodes, err);

    s->count = 0;
    s->nodes = 0;
    return st;
}

/* The next element outside the tree; all nodes have come. */
static inline enum t2t_status tt_sink_other(struct tt_sink *s,
                                            const struct tt_placed *p,
                                            struct t2t_error *err)
{
    s->placed[s->count++] = *p;
    return s->count == TT_SINK_ROOM ? tt_sink_flush(s, err) : T2T_OK;
}

/* The next node. */
static inline enum t2t_status tt_sink_node(struct tt_sink *s,
                                           const struct tt_placed *p,
                                           struct t2t_error *err)
{
    s->nodes++;
    return tt_sink_other(s, p, err);
}

#endif
