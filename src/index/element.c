/* element.c - answers about elements, lanes and links of an open index. */
#include "index/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/anomaly.h"

#define MODULE_PREFIX "nn.Module:"

/* Finds the duration of an element that says to look in LONG_DURATIONS. */
static bool long_duration(const t2t_index *index, t2t_id id, uint64_t *dur_ns)
{
    uint64_t low = 0;
    uint64_t high = index->long_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->long_duration[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == index->long_count || index->long_duration[low].id != id)
        return false;
    *dur_ns = index->long_duration[low].dur_ns;
    return true;
}

/* Whether `id` has a name, lane and category that can be. */
static bool references_fit(const t2t_index *index, t2t_id id)
{
    uint32_t name = index->name[id];
    uint32_t lane = index->lane[id];

    return (name == TT_NONE || name < index->shapes.strings.count) &&
           (lane == TT_NONE || lane < index->lane_count) &&
           index->category[id] < index->category_count &&
           index->phase[id] < 128;
}

/* Fills what only nodes have; false when it cannot be. */
static bool node_at(const t2t_index *index, t2t_id id, struct t2t_element *out)
{
    uint32_t parent = index->parent[id];
    uint32_t size = index->size[id];

    if (parent != TT_NONE && parent >= id)
        return false;
    if (!size || size > index->header->node_count - id)
        return false;
    out->has_start = true; /* the least time there is, too */
    out->parent = parent;
    out->size = size;
    out->flags = index->flags[id];
    out->in_tree = true;
    return true;
}

enum t2t_status t2t_index_element(const t2t_index *index, t2t_id id,
                                  struct t2t_element *out)
{
    struct t2t_element e = {.id = id, .parent = T2T_NO_ID};

    if (id >= index->header->element_count)
        return T2T_NOT_FOUND;
    if (!references_fit(index, id))
        return T2T_ERR_INDEX_DAMAGE;
    e.name = index->name[id];
    e.lane = index->lane[id];
    e.category = index->category[id];
    e.layer = (enum t2t_layer)index->layers[e.category];
    e.phase = (char)index->phase[id];
    e.start_ns = index->start[id];
    e.has_start = e.start_ns != TT_NO_TIME;
    e.dur_ns = index->duration[id];
    if (e.dur_ns == TT_LONG_DURATION && !long_duration(index, id, &e.dur_ns))
        return T2T_ERR_INDEX_DAMAGE;
    if (id < index->header->node_count && !node_at(index, id, &e))
        return T2T_ERR_INDEX_DAMAGE;
    *out = e;
    return T2T_OK;
}

static bool lane_id_at(const t2t_index *index, uint8_t kind, uint64_t number,
                       struct t2t_lane_id *out)
{
    *out = (struct t2t_lane_id){.kind = (enum t2t_id_kind)kind};
    switch (kind) {
    case T2T_ID_MISSING:
        return true;
    case T2T_ID_INTEGER:
        out->number = number;
        return true;
    case T2T_ID_UNSIGNED:
        out->number = number;
        return number > INT64_MAX;
    case T2T_ID_TEXT:
        return number < TT_NONE && tt_string_at(&index->shapes.strings,
                                                (uint32_t)number, &out->text);
    default:
        return false;
    }
}

bool tt_index_lane_at(const t2t_index *index, uint32_t lane,
                      struct t2t_lane *out)
{
    const struct tt_lane_record *r = &index->lanes[lane];
    uint32_t nodes = index->header->node_count;

    *out = (struct t2t_lane){
        .side = (enum t2t_side)r->side,
        .process_name = t2t_index_string(index, r->process_name),
        .thread_name = t2t_index_string(index, r->thread_name),
        .first_node = r->first_node,
        .node_count = r->node_count,
        .element_count = r->element_count,
        .start_ns = r->start_ns,
        .end_ns = r->end_ns,
    };
    return r->side <= T2T_NO_SIDE && r->first_node <= nodes &&
           r->node_count <= nodes - r->first_node &&
           lane_id_at(index, r->pid_kind, r->pid, &out->pid) &&
           lane_id_at(index, r->tid_kind, r->tid, &out->tid);
}

enum t2t_status t2t_index_lane(const t2t_index *index, uint32_t lane,
                               struct t2t_lane *out)
{
    struct t2t_lane l;

    if (lane >= index->lane_count)
        return T2T_NOT_FOUND;
    if (!tt_index_lane_at(index, lane, &l))
        return T2T_ERR_INDEX_DAMAGE;
    *out = l;
    return T2T_OK;
}

static bool is_node(const t2t_index *index, t2t_id id)
{
    return id < index->header->node_count;
}

/* The node behind the subtree of node `id`, or N; never `id` or before. */
static uint32_t behind(const t2t_index *index, t2t_id id)
{
    uint32_t nodes = index->header->node_count;
    uint32_t size = index->size[id];

    return size && size <= nodes - id ? id + size : nodes;
}

t2t_id t2t_index_first_child(const t2t_index *index, t2t_id id)
{
    if (!is_node(index, id) || behind(index, id) <= id + 1)
        return T2T_NO_ID;
    return index->parent[id + 1] == id ? id + 1 : T2T_NO_ID;
}

t2t_id t2t_index_next_sibling(const t2t_index *index, t2t_id id)
{
    t2t_id next;

    if (!is_node(index, id) || index->parent[id] == TT_NONE)
        return T2T_NO_ID;
    next = behind(index, id);
    if (!is_node(index, next) || index->parent[next] != index->parent[id])
        return T2T_NO_ID;
    return next;
}

/* The parent of node `id`, or T2T_NO_ID; always smaller than `id`. */
static t2t_id parent_of(const t2t_index *index, t2t_id id)
{
    uint32_t parent = index->parent[id];

    return parent < id ? parent : T2T_NO_ID;
}

t2t_id t2t_index_next_root(const t2t_index *index, t2t_id id)
{
    t2t_id root = id;
    t2t_id up;

    if (!is_node(index, id))
        return T2T_NO_ID;
    while ((up = parent_of(index, root)) != T2T_NO_ID)
        root = up;
    if (root == id)
        return id;
    root = behind(index, root);
    if (root <= id || !is_node(index, root) || index->parent[root] != TT_NONE)
        return T2T_NO_ID;
    return root;
}

uint32_t t2t_index_gpu_rank(const t2t_index *index, t2t_id id)
{
    uint32_t nodes = index->header->node_count;
    uint32_t rank = index->gpu_rank[id < nodes ? id : nodes];

    return rank < index->gpu_count ? rank : index->gpu_count;
}

/* The entries of GPU_NODE below node `id`: from `*first`, this many. */
static uint32_t gpu_range(const t2t_index *index, t2t_id id, uint32_t *first)
{
    uint32_t last;

    if (!is_node(index, id))
        return 0;
    *first = t2t_index_gpu_rank(index, id);
    last = t2t_index_gpu_rank(index, behind(index, id));
    return last > *first ? last - *first : 0;
}

uint32_t t2t_index_gpu_count(const t2t_index *index, t2t_id id)
{
    uint32_t first;

    return gpu_range(index, id, &first);
}

uint64_t t2t_index_gpu_sum_ns(const t2t_index *index, t2t_id id)
{
    uint32_t first;
    uint32_t count = gpu_range(index, id, &first);

    if (!count)
        return 0;
    return index->gpu_sum[first + count] - index->gpu_sum[first];
}

const t2t_id *t2t_index_gpu_nodes(const t2t_index *index, uint32_t *count)
{
    *count = index->gpu_count;
    return index->gpu_node;
}

bool t2t_index_is_module(const t2t_index *index, t2t_id id)
{
    struct t2t_text name;

    if (id >= index->header->element_count ||
        t2t_index_category_layer(index, index->category[id]) !=
            T2T_LAYER_PYTHON)
        return false;
    name = t2t_index_string(index, index->name[id]);
    return name.len >= sizeof(MODULE_PREFIX) - 1 &&
           !memcmp(name.ptr, MODULE_PREFIX, sizeof(MODULE_PREFIX) - 1);
}

t2t_id t2t_index_module(const t2t_index *index, t2t_id id)
{
    if (!is_node(index, id))
        return T2T_NO_ID;
    do
        id = parent_of(index, id);
    while (id != T2T_NO_ID && !t2t_index_is_module(index, id));
    return id;
}

/* The first pair whose first id is `id` or larger. */
static uint32_t find_pair(const struct tt_pair *pairs, uint32_t count,
                          t2t_id id)
{
    uint32_t low = 0;

    while (count) {
        uint32_t half = count / 2;

        if (pairs[low + half].first < id) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* The second id of pair `i`, if it is there and its first one is `id`. */
static t2t_id pair_with(const t2t_index *index, const struct tt_pair *pairs,
                        uint64_t i, t2t_id id)
{
    if (i >= index->pair_count || pairs[i].first != id ||
        !is_node(index, pairs[i].second))
        return T2T_NO_ID;
    return pairs[i].second;
}

t2t_id t2t_index_forward(const t2t_index *index, t2t_id id)
{
    uint32_t i = find_pair(index->forward, index->pair_count, id);

    return pair_with(index, index->forward, i, id);
}

t2t_id t2t_index_backward(const t2t_index *index, t2t_id id, uint32_t n)
{
    uint32_t i = find_pair(index->backward, index->pair_count, id);

    return pair_with(index, index->backward, (uint64_t)i + n, id);
}

enum t2t_status t2t_index_anomaly(const t2t_index *index, uint32_t n,
                                  struct t2t_anomaly *out)
{
    const struct tt_anomaly_record *r;

    if (n >= index->anomaly_count)
        return T2T_NOT_FOUND;
    r = &index->anomalies[n];
    *out = (struct t2t_anomaly){
        .name = tt_anomaly_name(r->kind),
        .what = tt_anomaly_what(r->kind),
        .count = r->count,
        .first_position = r->first_position,
        .first_offset = r->first_offset,
    };
    return T2T_OK;
}
