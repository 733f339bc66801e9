/*
 * merge/trace.h - a whole trace between reading and the index: what can be a
 * node, by lane; everything else; the strings, lanes and categories they name.
 *
 * merge/inbox.h fills it in file order, merge/tree.h empties it.  Records never
 * move, so pointers into it stay good.  One thread.
 */
#ifndef TT_MERGE_TRACE_H
#define TT_MERGE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blocks.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/status.h"
#include "base/watch.h"
#include "model/anomaly.h"
#include "model/event.h"
#include "model/lane.h"

/* A thread or stream with what happened on it. */
struct tt_lane_events {
    struct tt_blocks events; /* struct tt_event, in file order */
    uint32_t thread;
    uint32_t element_count; /* in the tree or not */
    uint32_t *run;          /* the events that nest before the one in front of
                               them, where a new sorted run begins; owned */
    size_t run_cap;
    size_t runs; /* of `run`: one less than there are */
    /* Filled when the tree is made. */
    uint32_t place; /* among the lanes of the index */
    uint32_t first_node;
    uint32_t node_count;
    int64_t start_ns;
    int64_t end_ns;
};

/* A B event that waits for its E. */
struct tt_open_begin {
    int64_t start_ns;
    int64_t *end_ns; /* of its record */
    uint64_t offset;
    uint32_t position;
};

/* (pid, tid), whatever the side. */
struct tt_thread {
    struct tt_open_begin *open; /* a stack, owned */
    size_t open_count;
    size_t open_cap;
    int64_t last_ns; /* latest end of an X, B or E; if `seen` */
    bool seen;
    uint32_t name; /* string, or TT_NO_STRING */
};

/* Strings used as something get dense numbers as that. */
struct tt_role {
    struct tt_memory *memory; /* where they lie, or NULL; not owned */
    uint32_t *number;         /* by string: the number, or UINT32_MAX; owned */
    size_t cap;
    uint32_t *string; /* by number, owned */
    size_t string_cap;
    size_t count;
};

/* A launch, with the GPU events it owns: merge/correlate.h. */
struct tt_launch {
    struct tt_event *event;
    uint32_t lane;
    uint32_t count; /* of its GPU events */
    size_t first;
};

struct tt_trace {
    struct tt_intern strings;
    struct tt_role shapes;
    struct tt_role categories; /* `none_category` is beside it */
    uint32_t none_category;    /* category of elements without one */
    struct tt_lanes lanes;
    struct tt_lane_events *lane; /* by number of lane, owned */
    size_t lane_cap;
    size_t lane_count;
    struct tt_lanes threads; /* side 0 */
    struct tt_thread *thread;
    size_t thread_cap;
    size_t thread_count;
    struct tt_idmap process_names; /* kind and value of a pid -> string */
    struct tt_blocks others;       /* struct tt_other */
    struct tt_blocks launches;     /* struct tt_launch, in file order */
    struct tt_anomalies anomalies;
    uint32_t element_count;
    uint32_t node_count;
    uint32_t gpu_count;
    bool has_correlation;     /* a launch has one above 0 */
    bool has_engine;          /* there is a backward operation */
    bool has_forward_flow;    /* there is a flow from a forward one */
    struct tt_watch *watch;   /* asked while the tree is made; not owned */
    struct tt_memory *memory; /* where it all lies, or NULL; not owned */
};

/* An empty trace in `memory`, which may be NULL; `trace` is then ready for
 * release whatever happened. */
void tt_trace_init(struct tt_trace *trace, struct tt_memory *memory);

/* Frees what it holds. */
void tt_trace_release(struct tt_trace *trace);

/* Frees the events, the elements outside and the launches, most of its memory:
 * when all of them are in the index. */
void tt_trace_drop_events(struct tt_trace *trace);

/*
 * The number of `string` in `role`, a new one if it has none; UINT32_MAX when
 * memory is short or there would be more than `limit`.
 */
uint32_t tt_role_number(struct tt_role *role, uint32_t string, size_t limit);

/* The lane number of `lane`, with its events; TT_LANES_FAILED when memory is
 * short. */
uint32_t tt_trace_lane(struct tt_trace *trace, const struct tt_lane *lane);

/* Event `i` of a lane, in file order. */
static inline struct tt_event *tt_lane_event(const struct tt_lane_events *l,
                                             size_t i)
{
    return tt_blocks_at(&l->events, i, sizeof(struct tt_event));
}

/* The i-th element outside, in file order. */
static inline struct tt_other *tt_trace_other(const struct tt_trace *t,
                                              size_t i)
{
    return tt_blocks_at(&t->others, i, sizeof(struct tt_other));
}

/* The i-th launch, in file order. */
static inline struct tt_launch *tt_trace_launch(const struct tt_trace *t,
                                                size_t i)
{
    return tt_blocks_at(&t->launches, i, sizeof(struct tt_launch));
}

#endif
