/*
 * merge/nest.h - the stack of open calls of a lane, and what an event does to
 * it; inside of merge/ only.
 */
#ifndef TT_MERGE_NEST_H
#define TT_MERGE_NEST_H

#include "merge/correlate.h"
#include "merge/trace.h"
#include "model/anomaly.h"

/* Calls of a lane gone through for recorded parents before its stack is
 * indexed. */
#define TT_NEST_SEARCHES ((size_t)1 << 20)

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

/* Where goes what comes of nesting. */
struct tt_nest_to {
    /* Node `id` is `e` of lane `lane`; `flags` are TT_PLACED_... */
    enum t2t_status (*add)(void *to, uint32_t lane, const struct tt_event *e,
                           uint32_t parent, uint8_t flags, uint32_t id);
    /* Operation `e` is node `node`; see tt_flows_put(). */
    enum t2t_status (*show)(void *to, const struct tt_event *e, uint32_t node,
                            uint32_t engine);
    /* `e` is odd. */
    enum t2t_status (*note)(void *to, enum tt_anomaly kind,
                            const struct tt_event *e);
};

struct tt_nest {
    const struct tt_trace *trace;
    const struct tt_child *child; /* of the launches; not owned */
    const struct tt_nest_to *calls;
    void *to;
    uint32_t *size; /* of each node's subtree, as its call ends; not owned */
    uint32_t next;  /* nodes so far */
    uint32_t lane;
    /* The lane does not begin with the first event: calls may be open below the
     * stack, which are not known. */
    bool is_part;
    struct tt_open *open; /* the stack, outermost first; owned */
    size_t cap;
    size_t depth;
    size_t searched;           /* calls looked at for recorded parents */
    bool no_memory;            /* the index is not whole */
    bool indexed;              /* that was much, so `innermost` is kept up */
    struct tt_idmap innermost; /* layer and recorded id -> depth, 0 for none */
};

/* Starts with a lane: no call is open. */
void tt_nest_begin(struct tt_nest *n, uint32_t lane);

/*
 * Nests the next event of the lane, in nesting order.
 *
 * @return what the calls answer; T2T_ERR_NO_MEMORY; of a part T2T_END: where it
 *         belongs depends on calls below the stack, which is of no use then.
 */
enum t2t_status tt_nest_event(struct tt_nest *n, const struct tt_event *e);

/* Ends calls until `depth` are open. */
enum t2t_status tt_nest_close(struct tt_nest *n, size_t depth);

/* Ends the calls that have ended when `e` starts. */
enum t2t_status tt_nest_end_before(struct tt_nest *n, const struct tt_event *e);

/* Whether `e` ends later than the innermost call that is open. */
bool tt_nest_is_crossed(const struct tt_nest *n, const struct tt_event *e);

/* Hands over what belongs to the innermost call before `e`, which is to be
 * below it. */
enum t2t_status tt_nest_make_room(struct tt_nest *n, const struct tt_event *e);

/* Opens a call that was nested elsewhere. */
enum t2t_status tt_nest_reopen(struct tt_nest *n, const struct tt_open *o);

/* Gives back its memory. */
void tt_nest_release(struct tt_nest *n);

#endif
