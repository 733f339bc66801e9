/*
 * merge/flow.h - links backward operations to their forward ones.
 *
 * Made in three steps around the numbering of nodes: the flow events say
 * which places of the trees matter; each operation is shown when it has its id;
 * then the links are joined, by flows first and by sequence number for the
 * rest.
 */
#ifndef TT_MERGE_FLOW_H
#define TT_MERGE_FLOW_H

#include "merge/trace.h"

/* A backward node and the forward operation it belongs to. */
struct tt_link {
    uint32_t backward;
    uint32_t forward;
};

/* A (thread, start) that a flow names, with the last operation there. */
struct tt_flow_place {
    uint32_t node;   /* TT_NO_NODE until one is shown */
    uint32_t engine; /* evaluate_function node at or above it, or itself */
    uint32_t position;
};

struct tt_flow_pair {
    uint32_t from; /* place of the forward operation */
    uint32_t to;   /* place of the backward operation */
};

/* An operation with a sequence number. */
struct tt_sequenced {
    uint64_t number;
    int64_t start_ns;
    uint32_t position;
    uint32_t node;
    uint32_t thread;
    uint16_t flags; /* of its event */
};

struct tt_flows {
    struct tt_watch *watch;   /* of the trace; not owned */
    struct tt_memory *memory; /* the same */
    bool by_number;           /* there are backward operations to link */
    struct tt_idmap at;       /* thread and start -> place */
    uint64_t *sieve;          /* a bit for each; see tt_flows_find(); owned */
    unsigned sieve_bits;      /* log2 of its bits */
    struct tt_flow_place *place;
    size_t places;
    size_t place_cap;
    struct tt_flow_pair *pair;
    size_t pairs;
    size_t pair_cap;
    struct tt_blocks sequenced; /* struct tt_sequenced */
    struct tt_link *link;       /* the answer, by backward node; owned */
    size_t links;
    size_t link_cap;
};

/* Reads the flow events of `trace`.  `f` is all zero; release it whatever is
 * answered. */
enum t2t_status tt_flows_read(struct tt_flows *f, const struct tt_trace *trace);

void tt_flows_release(struct tt_flows *f);

/* An operation that is shown. */
struct tt_shown {
    const struct tt_event *event;
    uint32_t place;  /* where a flow names it, or TT_NO_PLACE */
    uint32_t thread; /* it runs on */
    uint32_t node;
    uint32_t engine; /* the nearest evaluate_function operation at or above it,
                        or TT_NO_NODE */
};

#define TT_NO_PLACE UINT32_MAX

/* Finds `s->place`.  False: nobody asks for this operation, it need not be
 * shown.  Any thread. */
bool tt_flows_find(const struct tt_flows *f, struct tt_shown *s);

/* Shows an operation whose place was found. */
enum t2t_status tt_flows_show(struct tt_flows *f, const struct tt_shown *s);

/* Joins the links when all operations have been shown. */
enum t2t_status tt_flows_join(struct tt_flows *f);

#endif
