/*
 * merge/tree.h - a trace to its tree: nests, links, numbers, hands to a sink.
 *
 * Each host lane is gone through once in nesting order with a stack of open
 * calls (tree rules: doc/architecture.md).  That order is the preorder of the
 * tree, so nodes get their ids as they come; GPU events are put in under their
 * launch.  Then come the GPU lanes with the events no launch owns, then the
 * elements outside the tree.
 */
#ifndef TT_MERGE_TREE_H
#define TT_MERGE_TREE_H

#include "merge/correlate.h"
#include "merge/flow.h"
#include "merge/stitch.h"
#include "merge/trace.h"
#include "model/sink.h"

/* What the sink was not told. */
struct tt_tree {
    uint32_t *size; /* of each node's subtree, owned */
    size_t sizes;   /* there is room for */
    uint32_t *lane; /* lane numbers in the order of the index, owned */
    size_t lanes;   /* there is room for */
    struct tt_links links;
    struct tt_flows flows; /* flows.link is the answer */
    uint32_t next;         /* nodes so far */
    int64_t origin_ns;     /* doc/format.md, Header; 0 if none */
    int64_t last_end_ns;
    bool has_origin;
    bool has_end;
};

/*
 * Makes the tree of `trace` and hands all its elements to `sink`, in the order
 * of ids, to the last.  Lanes of `trace` get their place and node ranges.
 *
 * @param tree  all zero; release it whatever is answered.
 * @param how   with whose help; the tree is the same.
 */
enum t2t_status tt_tree_make(struct tt_tree *tree, struct tt_trace *trace,
                             const struct tt_stitching *how,
                             struct tt_sink *sink, struct t2t_error *err);

void tt_tree_release(struct tt_tree *tree);

#endif
