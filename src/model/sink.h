/*
 * model/sink.h - where finished nodes go.
 *
 * The merge hands over elements in the order of their ids, nodes first, and
 * does not know what becomes of them: a file, or an array in a test.  They are
 * handed over in blocks, in which each thing that is said of an element stands
 * in an array of its own, as in the index.
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

/* Elements, of which element `i` is the i-th of each array. */
struct tt_placed_block {
    uint32_t count;
    uint32_t nodes;      /* of these, which come first */
    uint32_t gpu_events; /* of these */
    uint64_t gpu_ns;     /* sum of their durations, modulo 2^64 */
    int64_t start_ns[TT_SINK_ROOM];
    uint64_t dur_ns[TT_SINK_ROOM];
    uint32_t name[TT_SINK_ROOM];
    uint32_t lane[TT_SINK_ROOM];
    uint32_t parent[TT_SINK_ROOM];
    uint32_t position[TT_SINK_ROOM];
    uint16_t category[TT_SINK_ROOM];
    uint8_t phase[TT_SINK_ROOM];
    uint8_t flags[TT_SINK_ROOM];
};

/* Makes a block empty. */
static inline void tt_placed_clear(struct tt_placed_block *b)
{
    b->count = 0;
    b->nodes = 0;
    b->gpu_events = 0;
    b->gpu_ns = 0;
}

/* Element `i`. */
static inline struct tt_placed tt_placed_get(const struct tt_placed_block *b,
                                             size_t i)
{
    return (struct tt_placed){
        .start_ns = b->start_ns[i],
        .dur_ns = b->dur_ns[i],
        .name = b->name[i],
        .lane = b->lane[i],
        .parent = b->parent[i],
        .position = b->position[i],
        .category = b->category[i],
        .phase = b->phase[i],
        .flags = b->flags[i],
    };
}

/* Writes element `i`. */
static inline void tt_placed_set(struct tt_placed_block *b, size_t i,
                                 const struct tt_placed *p)
{
    b->start_ns[i] = p->start_ns;
    b->dur_ns[i] = p->dur_ns;
    b->name[i] = p->name;
    b->lane[i] = p->lane;
    b->parent[i] = p->parent;
    b->position[i] = p->position;
    b->category[i] = p->category;
    b->phase[i] = p->phase;
    b->flags[i] = p->flags;
}

/* Adds an element, for which there is room. */
static inline void tt_placed_add(struct tt_placed_block *b,
                                 const struct tt_placed *p)
{
    tt_placed_set(b, b->count++, p);
}

/* The same; it is a node. */
static inline void tt_placed_add_node(struct tt_placed_block *b,
                                      const struct tt_placed *p)
{
    tt_placed_add(b, p);
    b->nodes++;
    if (p->flags & TT_PLACED_GPU) {
        b->gpu_events++;
        b->gpu_ns += p->dur_ns;
    }
}

struct tt_sink {
    void *owner;
    /* Takes the elements of `*block` and sets it to an empty one, perhaps the
     * same. */
    enum t2t_status (*take)(void *owner, struct tt_placed_block **block,
                            struct t2t_error *err);
    struct tt_placed_block *block; /* to fill, not owned */
};

/* Hands over what is there. */
static inline enum t2t_status tt_sink_flush(struct tt_sink *s,
                                            struct t2t_error *err)
{
    return s->take(s->owner, &s->block, err);
}

static inline enum t2t_status tt_sink_flush_full(struct tt_sink *s,
                                                 struct t2t_error *err)
{
    return s->block->count == TT_SINK_ROOM ? tt_sink_flush(s, err) : T2T_OK;
}

/* The next element outside the tree; all nodes have come. */
static inline enum t2t_status tt_sink_other(struct tt_sink *s,
                                            const struct tt_placed *p,
                                            struct t2t_error *err)
{
    tt_placed_add(s->block, p);
    return tt_sink_flush_full(s, err);
}

/* The next node. */
static inline enum t2t_status tt_sink_node(struct tt_sink *s,
                                           const struct tt_placed *p,
                                           struct t2t_error *err)
{
    tt_placed_add_node(s->block, p);
    return tt_sink_flush_full(s, err);
}

#endif
