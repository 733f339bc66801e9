/* nodes.c - ways through the tree of an open index. */
#include "index/reader.h"

#include "base/status.h"

static bool is_node(const t2t_index *index, t2t_id id)
{
    return id < index->header->node_count;
}

t2t_id t2t_index_parent(const t2t_index *index, t2t_id id)
{
    uint32_t parent;

    if (!is_node(index, id))
        return T2T_NO_ID;
    parent = index->parent[id];
    return parent < id ? parent : T2T_NO_ID; /* so that going up ends */
}

uint32_t t2t_index_depth(const t2t_index *index, t2t_id id)
{
    uint32_t depth = 0;

    while ((id = t2t_index_parent(index, id)) != T2T_NO_ID)
        depth++;
    return depth;
}

t2t_id t2t_index_above(const t2t_index *index, t2t_id id, enum t2t_layer layer)
{
    do
        id = t2t_index_parent(index, id);
    while (id != T2T_NO_ID &&
           t2t_index_category_layer(index, index->category[id]) != layer);
    return id;
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

t2t_id t2t_index_next_root(const t2t_index *index, t2t_id id)
{
    t2t_id root = id;
    t2t_id up;

    if (!is_node(index, id))
        return T2T_NO_ID;
    while ((up = t2t_index_parent(index, root)) != T2T_NO_ID)
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

t2t_id t2t_index_launch(const t2t_index *index, t2t_id id)
{
    const unsigned linked = TT_FLAG_GPU | TT_FLAG_LINKED;

    if (!is_node(index, id) || (index->flags[id] & linked) != linked)
        return T2T_NO_ID;
    return t2t_index_parent(index, id);
}

t2t_id t2t_index_gpu_event(const t2t_index *index, t2t_id id, uint32_t n)
{
    t2t_id found;

    if (n >= t2t_index_gpu_count(index, id))
        return T2T_NO_ID;
    found = index->gpu_node[t2t_index_gpu_rank(index, id) + n];
    return is_node(index, found) ? found : T2T_NO_ID;
}

t2t_id t2t_index_module(const t2t_index *index, t2t_id id)
{
    if (!is_node(index, id))
        return T2T_NO_ID;
    do
        id = t2t_index_parent(index, id);
    while (id != T2T_NO_ID && !t2t_index_is_module(index, id));
    return id;
}

enum t2t_status t2t_index_all_modules(const t2t_index *index, t2t_id *modules,
                                      struct t2t_error *err)
{
    size_t nodes = index->header->node_count;

    t2t_index_will_read(index, index->parent, nodes * sizeof(*index->parent));
    t2t_index_will_read(index, index->category,
                        nodes * sizeof(*index->category));
    t2t_index_will_read(index, index->name, nodes * sizeof(*index->name));
    for (t2t_id id = 0; id < nodes; id++) {
        t2t_id parent = t2t_index_parent(index, id);

        if (parent != index->parent[id])
            return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                            tt_index_offset(index, TT_SECTION_PARENT, id),
                            "node %u has an impossible parent", id);
        modules[id] = parent;
        if (parent != T2T_NO_ID && !t2t_index_is_module(index, parent))
            modules[id] = modules[parent];
    }
    return T2T_OK;
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
