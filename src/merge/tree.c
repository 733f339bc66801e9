/* tree.c - lanes in their order, then what is outside. */
#include "merge/tree.h"

#include <stdlib.h> /* qsort_r() */
#include <string.h>

#include <trace2tree/index.h>

#include "merge/order.h"
#include "merge/trunk.h"

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

/* All lanes, one after the other. */
static enum t2t_status add_lanes(struct tt_trunk *k, const uint32_t *lanes)
{
    struct tt_trace *t = k->trace;
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && i < t->lane_count; i++) {
        struct tt_order order;

        tt_trunk_begin_lane(k, lanes[i]);
        st = tt_order_begin(&order, &t->lane[lanes[i]]);
        if (!st)
            st = tt_trunk_add(k, &order);
        tt_order_end(&order);
        if (!st)
            st = tt_trunk_end_lane(k);
    }
    return st;
}

static enum t2t_status grow(struct tt_tree *tree, struct tt_trace *t,
                            const struct tt_stitching *how,
                            struct tt_sink *sink, struct t2t_error *err)
{
    struct tt_trunk k;
    enum t2t_status st;

    tt_trunk_init(&k, t, &tree->links, &tree->flows, sink, tree->size, err);
    if (how->strips)
        st = tt_stitch(&k, how, tree->lane, &tree->links);
    else
        st = add_lanes(&k, tree->lane);
    tree->next = k.nest.next;
    tree->has_origin = k.extent.has_origin;
    tree->has_end = k.extent.has_events;
    tree->origin_ns = k.extent.origin_ns;
    tree->last_end_ns = k.extent.end_ns;
    tt_trunk_release(&k);
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

/* ---- all of it ----------------------------------------------------------- */

/* What somebody else may do beside it. */
struct errand {
    struct tt_task task;
    struct tt_tree *tree;
    const struct tt_trace *trace;
    enum t2t_status status;
};

static void warm_sizes(struct tt_task *task)
{
    struct errand *e = (struct errand *)task;

    tt_memory_warm(e->tree->size, e->tree->sizes * sizeof(*e->tree->size));
    e->status = T2T_OK;
}

static void read_flows(struct tt_task *task)
{
    struct errand *e = (struct errand *)task;

    e->status = tt_flows_read(&e->tree->flows, e->trace);
}

static void join_flows(struct tt_task *task)
{
    struct errand *e = (struct errand *)task;

    e->status = tt_flows_join(&e->tree->flows);
}

/* Waits for the errands, and says what is wrong with the first that failed. */
static enum t2t_status wait_for_errands(struct tt_task_queue *queue)
{
    struct tt_task *t;
    enum t2t_status st = T2T_OK;

    while ((t = tt_task_pop(queue, true)))
        if (!st)
            st = ((struct errand *)t)->status;
    return st;
}

/* Flows and launches have to do with each other no more than operations and
 * elements outside have. */
static enum t2t_status make_all(struct tt_tree *tree, struct tt_trace *t,
                                const struct tt_stitching *how,
                                struct tt_sink *sink, struct t2t_error *err)
{
    struct errand warm = {{.run = warm_sizes}, tree, t, T2T_OK};
    struct errand read = {{.run = read_flows}, tree, t, T2T_OK};
    struct errand join = {{.run = join_flows}, tree, t, T2T_OK};
    struct tt_task_queue queue;
    enum t2t_status st, other;

    tt_task_queue_init(&queue, how->tasks);
    tt_task_push(&queue, &warm.task);
    tt_task_push(&queue, &read.task);
    st = tt_links_make(&tree->links, t);
    other = wait_for_errands(&queue);
    if (!st)
        st = other;
    if (!st)
        st = grow(tree, t, how, sink, err);
    if (!st) {
        tt_task_push(&queue, &join.task);
        st = all_others(t, sink, err);
        other = wait_for_errands(&queue);
    }
    if (!st)
        st = other;
    tt_task_queue_release(&queue);
    return st ? st : tt_sink_flush(sink, err);
}

enum t2t_status tt_tree_make(struct tt_tree *tree, struct tt_trace *t,
                             const struct tt_stitching *how,
                             struct tt_sink *sink, struct t2t_error *err)
{
    struct t2t_error said = {.code = T2T_OK};
    enum t2t_status st;

    tree->links.memory = t->memory;
    tree->sizes = (size_t)t->node_count + 1;
    tree->size = tt_memory_take(t->memory, tree->sizes * sizeof(*tree->size));
    st = tree->size ? order_lanes(tree, t) : T2T_ERR_NO_MEMORY;
    if (!st)
        st = make_all(tree, t, how, sink, &said);
    if (st && said.code)
        return tt_error(err, said.code, said.offset, "%s", said.text);
    if (st == T2T_ERR_CANCELED)
        return tt_watch_stopped(err);
    if (st)
        return tt_error(err, st, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}
