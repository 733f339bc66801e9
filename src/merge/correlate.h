/*
 * merge/correlate.h - which launch owns which GPU event.
 *
 * By correlation over the whole file, 1:n; by External id only when no launch
 * has a correlation above 0.  Of several calls of one process with a number
 * the one that starts last owns it (equal starts: the shorter, then the later
 * in the file).  When calls of several processes share a number, the one flow
 * start with that number decides; without it the GPU event stays unlinked.
 */
#ifndef TT_MERGE_CORRELATE_H
#define TT_MERGE_CORRELATE_H

#include "merge/trace.h"

#define TT_NO_LAUNCH UINT64_MAX

/* A GPU event under a launch. */
struct tt_child {
    const struct tt_event *event;
    uint32_t lane;
};

struct tt_links {
    struct tt_memory *memory; /* that of the trace */
    /* Of launch l child[l.first] to child[l.first + l.count - 1], by start,
     * then position; owned. */
    struct tt_child *child;
    size_t children; /* there is room for */
};

/*
 * Links the events of `trace`.  Afterwards `a` of a launch and of a GPU event
 * is the number of the launch in `trace`, or TT_NO_LAUNCH for a GPU event
 * without one.
 *
 * @param links  all zero; release it whatever is answered.
 */
enum t2t_status tt_links_make(struct tt_links *links, struct tt_trace *trace);

void tt_links_release(struct tt_links *links);

#endif
