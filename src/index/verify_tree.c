/* verify_tree.c - checks that elements, tree and links fit together. */
#include "index/verify.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Whether a later minor version wrote the file: it may have put categories on
 * a layer that this one does not know.  doc/format.md, Growth. */
static bool is_later(const t2t_index *index)
{
    return index->header->minor > TT_MINOR;
}

static enum t2t_status check_durations(const t2t_index *index,
                                       struct t2t_error *err)
{
    const struct tt_long_duration *d = index->long_duration;

    for (uint64_t i = 0; i < index->long_count; i++)
        if (d[i].id >= index->header->element_count ||
            (i && d[i].id <= d[i - 1].id) ||
            index->duration[d[i].id] != TT_LONG_DURATION)
            return tt_damage_at(index, TT_SECTION_LONG_DURATIONS, i,
                                "a long duration is of no element", err);
    return T2T_OK;
}

enum t2t_status tt_verify_columns(const t2t_index *index, struct t2t_error *err)
{
    for (uint32_t id = 0; id < index->header->element_count; id++) {
        struct t2t_element e;

        if (t2t_index_element(index, id, &e))
            return tt_damage_at(index, TT_SECTION_NAME, id,
                                "an element holds an impossible value", err);
        if (e.in_tree && (e.lane == T2T_NO_ID ||
                          (e.layer == T2T_LAYER_NONE && !is_later(index))))
            return tt_damage_at(index, TT_SECTION_LANE, id,
                                "a node has no lane or no layer", err);
    }
    return check_durations(index, err);
}

/* Whether a node may be of `layer`, by its category. */
static bool is_layer(const t2t_index *index, t2t_id id, enum t2t_layer layer)
{
    enum t2t_layer found = (enum t2t_layer)index->layers[index->category[id]];

    return found == layer || (found == T2T_LAYER_NONE && is_later(index));
}

/* A node whose subtree is gone through, or, at the bottom, none above roots. */
struct open {
    t2t_id id;
    int64_t end_ns;      /* as nested */
    bool in_operation;   /* it is one, or one is above */
    bool has_child;      /* one that is on a layer which is known: */
    enum t2t_layer last; /* the layer of the last of them ... */
    int64_t last_ns;     /* ... and its start */
    uint32_t lane;       /* of the last root, at the bottom */
};

/* Where in the tree the check is: a stack that is never empty. */
struct path {
    struct open *open; /* owned */
    size_t depth;
    size_t cap;
};

/* Whether the flags of a node are those that layer, parent and times make. */
static bool flags_fit(const t2t_index *index, const struct t2t_element *e,
                      const struct open *top)
{
    bool gpu = e->flags & T2T_GPU;
    bool linked = e->flags & T2T_LINKED;
    bool root = e->parent == T2T_NO_ID;
    bool cut = !root && tt_verify_end(e) > top->end_ns;
    bool first = e->layer == T2T_LAYER_OPERATION && !top->in_operation;

    if (!gpu)
        return e->layer != T2T_LAYER_GPU && !linked &&
               cut == ((e->flags & T2T_CUT) != 0) &&
               (!cut || (e->flags & T2T_CROSSED)) &&
               first == ((e->flags & T2T_ROOT_OP) != 0);
    if (!is_layer(index, e->id, T2T_LAYER_GPU) || linked == root ||
        (e->flags & (T2T_CROSSED | T2T_CUT | T2T_ROOT_OP)))
        return false;
    return !linked || is_layer(index, e->parent, T2T_LAYER_LAUNCH);
}

/* Whether a node may come behind the last one with the same parent: by start,
 * then by layer; roots by lane before that. */
static bool is_in_order(const struct t2t_element *e, struct open *top)
{
    bool root = e->parent == T2T_NO_ID;
    bool fits = true;

    if (root && e->lane < top->lane)
        return false;
    if (root && e->lane != top->lane)
        top->has_child = false;
    top->lane = e->lane;
    if (!e->layer)
        return true;
    if (top->has_child)
        fits = e->start_ns != top->last_ns ? e->start_ns > top->last_ns
                                           : e->layer >= top->last;
    top->has_child = true;
    top->last = e->layer;
    top->last_ns = e->start_ns;
    return fits;
}

/* What is wrong with the place of node `e` below `top`, or NULL. */
static const char *what_is_wrong(const t2t_index *index,
                                 const struct t2t_element *e, struct open *top)
{
    if (e->parent != top->id ||
        (top->id != T2T_NO_ID &&
         e->size > index->size[top->id] - (e->id - top->id)))
        return "a node is not below its parent";
    if (top->id != T2T_NO_ID && !(e->flags & T2T_GPU) &&
        e->lane != index->lane[top->id])
        return "a node is not in the lane of its parent";
    return is_in_order(e, top) ? NULL : "siblings are not in order";
}

static enum t2t_status enter(const t2t_index *index, struct path *p,
                             const struct t2t_element *e, struct t2t_error *err)
{
    struct open *top = &p->open[p->depth - 1];
    const char *wrong = what_is_wrong(index, e, top);
    struct open o = {.id = e->id, .end_ns = tt_verify_end(e)};

    if (wrong)
        return tt_damage_at(index, TT_SECTION_PARENT, e->id, wrong, err);
    if (!flags_fit(index, e, top))
        return tt_damage_at(index, TT_SECTION_FLAGS, e->id,
                            "the flags of a node cannot be", err);
    if (top->id != T2T_NO_ID && o.end_ns > top->end_ns)
        o.end_ns = top->end_ns;
    o.in_operation = top->in_operation || e->layer == T2T_LAYER_OPERATION;
    if (!tt_vec_room(&p->open, &p->cap, p->depth, sizeof(*p->open)))
        return no_memory(err);
    p->open[p->depth++] = o;
    return T2T_OK;
}

/* Checks parents and sizes against each other: each node is the child of the
 * innermost subtree that is open at its id, and ends within it; and what is
 * told by the way there. */
static enum t2t_status check_preorder(const t2t_index *index,
                                      struct t2t_error *err)
{
    struct path p = {.depth = 0};
    enum t2t_status st = T2T_OK;

    if (!tt_vec_room(&p.open, &p.cap, 0, sizeof(*p.open)))
        return no_memory(err);
    p.open[p.depth++] = (struct open){.id = T2T_NO_ID};
    for (uint32_t id = 0; !st && id < index->header->node_count; id++) {
        struct t2t_element e;

        (void)t2t_index_element(index, id, &e);
        while (p.depth > 1 &&
               p.open[p.depth - 1].id + index->size[p.open[p.depth - 1].id] <=
                   id)
            p.depth--;
        st = enter(index, &p, &e, err);
    }
    free(p.open);
    return st;
}

/* Checks the list of GPU events, their ranks and their sums. */
static enum t2t_status check_gpu(const t2t_index *index, struct t2t_error *err)
{
    uint64_t sum_ns = 0;
    uint32_t rank = 0;

    for (uint32_t id = 0; id < index->header->node_count; id++) {
        struct t2t_element e;

        if (index->gpu_rank[id] != rank)
            return tt_damage_at(index, TT_SECTION_GPU_RANK, id,
                                "a rank among GPU events is wrong", err);
        if (!(index->flags[id] & TT_FLAG_GPU))
            continue;
        if (rank == index->gpu_count || index->gpu_node[rank] != id)
            return tt_damage_at(index, TT_SECTION_GPU_NODE, rank,
                                "the list of GPU events is wrong", err);
        if (index->gpu_sum[rank] != sum_ns)
            return tt_damage_at(index, TT_SECTION_GPU_SUM, rank,
                                "a sum of durations is wrong", err);
        (void)t2t_index_element(index, id, &e);
        sum_ns += e.dur_ns;
        rank++;
    }
    if (rank != index->gpu_count || index->gpu_sum[rank] != sum_ns ||
        index->gpu_rank[index->header->node_count] != rank)
        return tt_damage_at(index, TT_SECTION_GPU_SUM, rank,
                            "the list of GPU events does not end right", err);
    return T2T_OK;
}

static bool is_after(struct tt_pair a, struct tt_pair b)
{
    return a.first != b.first ? a.first > b.first : a.second > b.second;
}

/* Whether `pair` is among the sorted `pairs`. */
static bool has_pair(const struct tt_pair *pairs, uint32_t count,
                     struct tt_pair pair)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (is_after(pair, pairs[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && !is_after(pairs[low], pair);
}

/* Checks that both lists of pairs hold the same, in their order. */
static enum t2t_status check_links(const t2t_index *index,
                                   struct t2t_error *err)
{
    const struct tt_pair *f = index->forward;
    const struct tt_pair *b = index->backward;
    uint32_t nodes = index->header->node_count;
    uint32_t count = index->pair_count;

    for (uint32_t i = 0; i < count; i++) {
        if (b[i].first >= nodes || b[i].second >= nodes ||
            (i && !is_after(b[i], b[i - 1])))
            return tt_damage_at(index, TT_SECTION_BACKWARD, i,
                                "a link to a backward node is wrong", err);
        if (f[i].first >= nodes || f[i].second >= nodes ||
            (i && f[i].first <= f[i - 1].first))
            return tt_damage_at(index, TT_SECTION_FORWARD, i,
                                "a link to a forward operation is wrong", err);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!has_pair(b, count, (struct tt_pair){f[i].second, f[i].first}))
            return tt_damage_at(index, TT_SECTION_FORWARD, i,
                                "a link is in one direction only", err);
    return T2T_OK;
}

enum t2t_status tt_verify_tree(const t2t_index *index, struct t2t_error *err)
{
    enum t2t_status st = check_preorder(index, err);

    if (!st)
        st = check_gpu(index, err);
    if (!st)
        st = check_links(index, err);
    return st;
}
