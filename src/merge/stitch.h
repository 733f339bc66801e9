/*
 * merge/stitch.h - makes the tree of lanes with the help of others.
 *
 * Lanes are cut into slices; whoever has time nests them by themselves, each to
 * a strip; and the owner of the tasks puts the strips together in their order.
 * What comes of it is what comes of one lane after the other.
 */
#ifndef TT_MERGE_STITCH_H
#define TT_MERGE_STITCH_H

#include "base/tasks.h"
#include "merge/trunk.h"

/* How the work is cut. */
struct tt_stitching {
    struct tt_tasks *tasks; /* not owned */
    size_t strips;          /* under way at a time; 0: none, no help */
    uint32_t events;        /* that a strip is to have, about */
};

#define TT_STITCH_EVENTS 4096u /* of a strip */
#define TT_STITCH_STRIPS 16    /* is enough */

/* Adds all lanes, whose numbers stand at `lanes` in the order wanted. */
enum t2t_status tt_stitch(struct tt_trunk *k, const struct tt_stitching *how,
                          const uint32_t *lanes, const struct tt_links *links);

#endif
