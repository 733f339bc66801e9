/*
 * merge/nest.h - the stack of open calls of a lane, and what an event does to
 * it; inside of merge/ only.
 */
#ifndef TT_MERGE_NEST_H
#define TT_MERGE_NEST_H

#include "merge/tree.h"

/* A call that is open. */
struct tt_open {
    const struct tt_event *event;
    int64_t end_ns; /* after cutting */
    uint32_t node;
    uint32_t engine;   /* nearest evaluate_function at or above; or none */
    uint32_t children; /* GPU events handed over so far, of a launch */
    uint32_t hidden;   /* depth of the call with the same recorded id that
                          it hides, or 0; while indexed */
    bool in_operation; /* it is an operation or below one */
};

struct tt_nest {
    struct tt_trace *trace;
    struct tt_tree *tree;
    struct tt_sink *sink;
    struct t2t_error *err;
    uint32_t lane;
    struct tt_open *open; /* the stack, outermost first; owned */
    size_t cap;
    size_t depth;
    size_t searched;           /* calls looked at for recorded parents */
    bool no_memory;            /* the index is not whole */
    bool indexed;              /* that was much, so `innermost` is kept up */
    struct tt_idmap innermost; /* layer and recorded id -> depth, 0 for none */
};

/* Nests the next event of the lane, in nesting order. */
enum t2t_status tt_nest_event(struct tt_nest *n, const struct tt_event *e);

/* Ends calls until `depth` are open. */
enum t2t_status tt_nest_close(struct tt_nest *n, size_t depth);

/* Gives the next id to `e` and hands it to the sink.  In tree.c. */
enum t2t_status tt_tree_add(struct tt_nest *n, uint32_t lane,
                            const struct tt_event *e, uint32_t parent,
                            uint8_t flags, uint32_t *id);

#endif
