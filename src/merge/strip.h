/*
 * merge/strip.h - a slice of a lane, nested by itself.
 *
 * Any thread can do that: it begins with an empty stack and numbers its nodes
 * from 0.  What stands on the stack when the slice begins is not known, but it
 * matters for few events: for those that start when no other call of the strip
 * is open, its roots, and for those that cross a call whose recorded parent is
 * not in the strip.  So a strip is a list of segments, each a root with all
 * below it.  Whoever knows the stack looks at the root: if it lies within the
 * innermost open call the segment is put below that as it is, else its events
 * are nested once more.  Segments that depend on the stack otherwise are marked
 * to be nested once more in any case.
 */
#ifndef TT_MERGE_STRIP_H
#define TT_MERGE_STRIP_H

#include "base/tasks.h"
#include "merge/extent.h"
#include "merge/flow.h"
#include "merge/nest.h"
#include "merge/slice.h"
#include "model/sink.h"

#define TT_STRIP_EVENTS 8192u
#define TT_STRIP_ODDS 1024u

/* The first of what it has; the next segment begins behind its last. */
struct tt_segment {
    uint32_t event;
    uint32_t node;
    uint32_t shown;
    uint32_t odd;
    bool again; /* it is to be nested once more, and has events only */
};

struct tt_strip_odd {
    enum tt_anomaly kind;
    const struct tt_event *event;
};

struct tt_strip {
    struct tt_task task; /* of nesting it */
    const struct tt_flows *flows;
    struct tt_slice slice;
    enum t2t_status status; /* T2T_ERR_NO_MEMORY */
    struct tt_extent extent;
    struct tt_nest nest; /* `next` is how many nodes there are; calls of the
                            last segment may be open */
    uint32_t events;
    uint32_t segments;
    uint32_t shown;
    uint32_t odds;
    const struct tt_event *event[TT_STRIP_EVENTS]; /* in nesting order */
    struct tt_segment segment[TT_STRIP_EVENTS + 1];
    struct tt_shown show[TT_STRIP_EVENTS];
    struct tt_strip_odd odd[TT_STRIP_ODDS];
    struct tt_placed_block node; /* by number; its counts are not used */
    uint32_t size[TT_SINK_ROOM];
    struct tt_strip *next; /* spare */
};

/* An empty one; NULL without memory. */
struct tt_strip *tt_strip_create(const struct tt_trace *trace,
                                 const struct tt_links *links,
                                 const struct tt_flows *flows);

/* Frees it.  NULL is allowed. */
void tt_strip_free(struct tt_strip *s);

/* Makes a task of the slice that was put into it; `task.run` is NULL when it is
 * not to be nested by itself, as one of less than `least` events. */
void tt_strip_prepare(struct tt_strip *s, uint32_t least);

#endif
