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

/* Checks lane `i`, which has `elements` of them. */
static enum t2t_status check_lane(const t2t_index *index, uint32_t i,
                                  uint32_t elements, struct t2t_error *err)
{
    const struct tt_lane_record *r = &index->lanes[i];
    uint32_t strings = index->shapes.strings.count;
    struct t2t_lane lane;

    if (!tt_index_lane_at(index, i, &lane) ||
        (r->process_name != TT_NONE && r->process_name >= strings) ||
        (r->thread_name != TT_NONE && r->thread_name >= strings))
        return tt_damage_at(index, TT_SECTION_LANES, i,
                            "a lane holds an impossible value", err);
    if (lane.element_count != elements)
        return tt_damage_at(index, TT_SECTION_LANES, i,
                            "a lane has another number of elements", err);
    for (uint32_t k = 0; k < lane.node_count; k++)
        if (index->parent[lane.first_node + k] == TT_NONE &&
            index->lane[lane.first_node + k] != i)
            return tt_damage_at(index, TT_SECTION_LANES, i,
                                "a lane has a root of another lane", err);
    return T2T_OK;
}

static enum t2t_status check_lanes(const t2t_index *index,
                                   struct t2t_error *err)
{
    uint32_t *elements =
        calloc((size_t)index->lane_count + 1, sizeof(*elements));
    uint64_t nodes = 0;
    enum t2t_status st = T2T_OK;

    if (!elements)
        return no_memory(err);
    for (uint32_t id = 0; id < index->header->element_count; id++)
        if (index->lane[id] != TT_NONE)
            elements[index->lane[id]]++;
    for (uint32_t i = 0; !st && i < index->lane_count; i++) {
        nodes += index->lanes[i].node_count;
        if (nodes > index->header->node_count)
            st = tt_damage_at(index, TT_SECTION_LANES, i,
                              "lanes have more nodes than there are", err);
        if (!st)
            st = check_lane(index, i, elements[i], err);
    }
    free(elements);
    return st;
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
    enum t2t_status st;

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
    st = check_durations(index, err);
    if (!st)
        st = check_lanes(index, err);
    return st;
}

/* Whether a node may be of `layer`, by its category. */
static bool is_layer(const t2t_index *index, t2t_id id, enum t2t_layer layer)
{
    enum t2t_layer found = (enum t2t_layer)index->layers[index->category[id]];

    return found == layer || (found == T2T_LAYER_NONE && is_later(index));
}

/* Whether the flags of a node can be, by its layer and its parent. */
static bool flags_fit(const t2t_index *index, const struct t2t_element *e)
{
    bool gpu = e->flags & T2T_GPU;
    bool linked = e->flags & T2T_LINKED;

    if (!gpu)
        return e->layer != T2T_LAYER_GPU && !linked;
    if (!is_layer(index, e->id, T2T_LAYER_GPU) ||
        linked != (e->parent != T2T_NO_ID))
        return false;
    return !linked || is_layer(index, e->parent, T2T_LAYER_LAUNCH);
}

/* Checks parents and sizes against each other: each node is the child of the
 * innermost subtree that is open at its id, and ends within it. */
static enum t2t_status check_preorder(const t2t_index *index,
                                      struct t2t_error *err)
{
    t2t_id *open = NULL;
    size_t depth = 0;
    size_t cap = 0;
    enum t2t_status st = T2T_OK;

    for (uint32_t id = 0; !st && id < index->header->node_count; id++) {
        struct t2t_element e;
        t2t_id top;

        (void)t2t_index_element(index, id, &e);
        while (depth && open[depth - 1] + index->size[open[depth - 1]] <= id)
            depth--;
        top = depth ? open[depth - 1] : T2T_NO_ID;
        if (e.parent != top ||
            (depth && e.size > index->size[top] - (id - top)))
            st = tt_damage_at(index, TT_SECTION_PARENT, id,
                              "a node is not below its parent", err);
        else if (!flags_fit(index, &e))
            st = tt_damage_at(index, TT_SECTION_FLAGS, id,
                              "the flags of a node cannot be", err);
        else if (!tt_vec_room(&open, &cap, depth, sizeof(*open)))
            st = no_memory(err);
        else
            open[depth++] = id;
    }
    free(open);
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
