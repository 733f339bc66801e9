/* tree.c - one pass over each lane. */
#include "merge/tree.h"

#include <stdlib.h> /* qsort_r() */
#include <string.h>

#include <trace2tree/index.h>

#include "base/vec.h"
#include "merge/nest.h"
#include "merge/order.h"

void tt_tree_release(struct tt_tree *tree)
{
    tt_memory_give(tree->links.memory, tree->size,
                   tree->sizes * sizeof(*tree->size));
    tt_memory_give(tree->links.memory, tree->lane,
                   tree->lanes * sizeof(*tree->lane));
    tt_links_release(&tree->links);
    tt_flows_release(&tree->flows);
    *tree = (struct tt_tree){0};
}

/* ---- order of lanes ------------------------------------------------------ */

static int compare_text(const struct tt_trace *t, uint64_t a, uint64_t b)
{
    const struct tt_interned *x = &t->strings.item[a];
    const struct tt_interned *y = &t->strings.item[b];
    size_t least = x->len < y->len ? x->len : y->len;
    int order = least ? memcmp(x->ptr, y->ptr, least) : 0;

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* Missing, then integers ascending, then text. */
static int compare_ids(const struct tt_trace *t, struct tt_id a, struct tt_id b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.kind == TT_ID_TEXT)
        return compare_text(t, a.value, b.value);
    if (a.kind == TT_ID_INTEGER)
        return ((int64_t)a.value > (int64_t)b.value) -
               ((int64_t)a.value < (int64_t)b.value);
    return (a.value > b.value) - (a.value < b.value);
}

static int compare_lanes(const void *a, const void *b, void *trace)
{
    const struct tt_trace *t = trace;
    const struct tt_lane *x = &t->lanes.lane[*(const uint32_t *)a];
    const struct tt_lane *y = &t->lanes.lane[*(const uint32_t *)b];
    int order;

    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    order = compare_ids(t, x->pid, y->pid);
    return order ? order : compare_ids(t, x->tid, y->tid);
}

static enum t2t_status order_lanes(struct tt_tree *tree, struct tt_trace *t)
{
    tree->lanes = t->lane_count + 1;
    tree->lane = tt_memory_take(t->memory, tree->lanes * sizeof(*tree->lane));
    if (!tree->lane)
        return T2T_ERR_NO_MEMORY;
    for (size_t i = 0; i < t->lane_count; i++)
        tree->lane[i] = (uint32_t)i;
    qsort_r(tree->lane, t->lane_count, sizeof(*tree->lane), compare_lanes, t);
    for (size_t i = 0; i < t->lane_count; i++)
        t->lane[tree->lane[i]].place = (uint32_t)i;
    return T2T_OK;
}

/* ---- nodes --------------------------------------------------------------- */

static void widen(struct tt_tree *tree, struct tt_lane_events *lane,
                  const struct tt_event *e)
{
    bool zero = e->layer == T2T_LAYER_GPU && !e->start_ns;

    if (!zero && (!tree->has_origin || e->start_ns < tree->origin_ns)) {
        tree->origin_ns = e->start_ns;
        tree->has_origin = true;
    }
    if (!tree->has_end || e->end_ns > tree->last_end_ns) {
        tree->last_end_ns = e->end_ns;
        tree->has_end = true;
    }
    if (!lane->has_nodes || e->start_ns < lane->start_ns)
        lane->start_ns = e->start_ns;
    if (!lane->has_nodes || e->end_ns > lane->end_ns)
        lane->end_ns = e->end_ns;
    lane->has_nodes = true;
}

enum t2t_status tt_tree_add(struct tt_nest *n, uint32_t lane,
                            const struct tt_event *e, uint32_t parent,
                            uint8_t flags, uint32_t *id)
{
    struct tt_lane_events *l = &n->trace->lane[lane];
    struct tt_placed placed = {
        .start_ns = e->start_ns,
        .dur_ns = (uint64_t)e->end_ns - (uint64_t)e->start_ns,
        .name = e->name,
        .lane = l->place,
        .parent = parent,
        .position = e->position,
        .category = e->category,
        .phase = e->phase,
        .flags = flags,
    };

    widen(n->tree, l, e);
    *id = n->tree->next++;
    n->tree->size[*id] = 1;
    return tt_sink_node(n->sink, &placed, n->err);
}

static enum t2t_status host_lane(struct tt_nest *n, uint32_t lane)
{
    const struct tt_event *e;
    struct tt_order order;
    enum t2t_status st = tt_order_begin(&order, &n->trace->lane[lane]);

    n->lane = lane;
    n->depth = 0;
    n->searched = 0;
    n->indexed = false;
    tt_idmap_release(&n->innermost);
    for (size_t i = 0; !st && (e = tt_order_next(&order)); i++) {
        st = tt_nest_event(n, e);
        if (!tt_watch_turn(n->trace->watch, i))
            st = T2T_ERR_CANCELED;
    }
    if (!st)
        st = tt_nest_close(n, 0);
    tt_order_end(&order);
    return st;
}

/* The GPU events of a lane that no launch owns: roots, by start. */
static enum t2t_status gpu_lane(struct tt_nest *n, uint32_t lane)
{
    const struct tt_event *e;
    struct tt_order order;
    enum t2t_status st = tt_order_begin(&order, &n->trace->lane[lane]);

    for (size_t i = 0; !st && (e = tt_order_next(&order)); i++) {
        uint32_t id;

        if (!tt_watch_turn(n->trace->watch, i))
            st = T2T_ERR_CANCELED;
        else if (e->a == TT_NO_LAUNCH)
            st = tt_tree_add(n, lane, e, TT_NO_NODE, TT_PLACED_GPU, &id);
    }
    tt_order_end(&order);
    return st;
}

static enum t2t_status all_lanes(struct tt_nest *n)
{
    struct tt_trace *t = n->trace;
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && i < t->lane_count; i++) {
        uint32_t lane = n->tree->lane[i];
        struct tt_lane_events *l = &t->lane[lane];

        l->first_node = n->tree->next;
        if (t->lanes.lane[lane].side == T2T_HOST)
            st = host_lane(n, lane);
        else
            st = gpu_lane(n, lane);
        l->node_count = n->tree->next - l->first_node;
        if (!l->node_count)
            l->first_node = t->node_count;
    }
    return st;
}

/* ---- elements outside ---------------------------------------------------- */

static enum t2t_status all_others(const struct tt_trace *t,
                                  struct tt_sink *sink, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && i < t->others.count; i++) {
        const struct tt_other *o = tt_trace_other(t, i);
        struct tt_placed placed = {
            .start_ns = o->start_ns,
            .dur_ns = (uint64_t)o->end_ns - (uint64_t)o->start_ns,
            .name = o->name,
            .lane = o->lane,
            .parent = TT_NO_NODE,
            .position = o->position,
            .category = o->category,
            .phase = o->phase,
        };

        if (o->lane != TT_NO_LANE)
            placed.lane = t->lane[o->lane].place;
        st = tt_sink_other(sink, &placed, err);
        if (!tt_watch_turn(t->watch, i))
            st = T2T_ERR_CANCELED;
    }
    return st;
}

enum t2t_status tt_tree_make(struct tt_tree *tree, struct tt_trace *t,
                             struct tt_sink *sink, struct t2t_error *err)
{
    struct t2t_error said = {.code = T2T_OK};
    struct tt_nest n = {.trace = t, .tree = tree, .sink = sink, .err = &said};
    enum t2t_status st;

    tree->links.memory = n.innermost.memory = t->memory;
    tree->sizes = (size_t)t->node_count + 1;
    tree->size = tt_memory_take(t->memory, tree->sizes * sizeof(*tree->size));
    if (tree->size)
        tt_memory_warm(tree->size, tree->sizes * sizeof(*tree->size));
    st = tree->size ? order_lanes(tree, t) : T2T_ERR_NO_MEMORY;
    if (!st)
        st = tt_links_make(&tree->links, t);
    if (!st)
        st = tt_flows_read(&tree->flows, t);
    if (!st)
        st = all_lanes(&n);
    tt_memory_give(t->memory, n.open, n.cap * sizeof(*n.open));
    tt_idmap_release(&n.innermost);
    if (!st)
        st = tt_flows_join(&tree->flows);
    if (!st)
        st = all_others(t, sink, &said);
    if (!st)
        st = tt_sink_flush(sink, &said);
    if (st && said.code)
        return tt_error(err, said.code, said.offset, "%s", said.text);
    if (st == T2T_ERR_CANCELED)
        return tt_watch_stopped(err);
    if (st)
        return tt_error(err, st, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}
