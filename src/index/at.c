/* at.c - what ran on a lane at a time. */
#include "index/reader.h"

/* Whether `time_ns`, not before the start of node `id`, is before its end. */
static bool is_before_end(const t2t_index *index, t2t_id id, int64_t time_ns)
{
    struct t2t_element e;

    return !t2t_index_element(index, id, &e) &&
           (uint64_t)time_ns - (uint64_t)e.start_ns < e.dur_ns;
}

/* Host nodes with an id smaller than `id`, if ranks are right. */
static uint32_t host_rank(const t2t_index *index, t2t_id id)
{
    uint32_t gpu = t2t_index_gpu_rank(index, id);

    return gpu < id ? id - gpu : 0;
}

/* The host node with so many host nodes before it, among the nodes from
 * `first` up to `end`; in a damaged file any of them. */
static t2t_id host_node(const t2t_index *index, t2t_id first, t2t_id end,
                        uint32_t rank)
{
    while (end - first > 1) {
        t2t_id middle = first + (end - first) / 2;

        if (host_rank(index, middle) <= rank)
            first = middle;
        else
            end = middle;
    }
    return first;
}

/* The host node of the lane that starts last at or before `time_ns`: starts
 * of host nodes, GPU events between them aside, never fall. */
static t2t_id last_started(const t2t_index *index, const struct t2t_lane *lane,
                           int64_t time_ns)
{
    t2t_id first = lane->first_node;
    t2t_id end = first + lane->node_count;
    uint32_t low = host_rank(index, first);
    uint32_t high = host_rank(index, end);
    t2t_id found = T2T_NO_ID;

    while (first < end && low < high) {
        uint32_t middle = low + (high - low) / 2;
        t2t_id id = host_node(index, first, end, middle);

        if (index->start[id] <= time_ns) {
            found = id;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return found;
}

/* The node at or above host node `id`, which starts at or before `time_ns`,
 * that runs then. */
static t2t_id running(const t2t_index *index, t2t_id id, int64_t time_ns)
{
    while (id != T2T_NO_ID) {
        t2t_id ends = id; /* the node with whose end `id` ends */
        t2t_id up;

        while ((index->flags[ends] & TT_FLAG_CUT) &&
               (up = t2t_index_parent(index, ends)) != T2T_NO_ID)
            ends = up;
        if (is_before_end(index, ends, time_ns))
            return id;
        id = t2t_index_parent(index, ends);
    }
    return T2T_NO_ID;
}

/* The GPU event of lane `lane` that started last of those that run. */
static t2t_id running_gpu(const t2t_index *index, uint32_t lane,
                          int64_t time_ns)
{
    t2t_id found = T2T_NO_ID;
    int64_t latest = 0;

    for (uint32_t i = 0; i < index->gpu_count; i++) {
        t2t_id id = index->gpu_node[i];

        if (id >= index->header->node_count || index->lane[id] != lane ||
            index->start[id] > time_ns || !is_before_end(index, id, time_ns) ||
            (found != T2T_NO_ID && index->start[id] < latest))
            continue;
        found = id;
        latest = index->start[id];
    }
    return found;
}

t2t_id t2t_index_at(const t2t_index *index, uint32_t lane, int64_t time_ns)
{
    struct t2t_lane l;

    if (t2t_index_lane(index, lane, &l))
        return T2T_NO_ID;
    if (l.side == T2T_DEVICE)
        return running_gpu(index, lane, time_ns);
    return running(index, last_started(index, &l, time_ns), time_ns);
}
