/* strip.c - nests a slice from an empty stack. */
#include "merge/strip.h"

#include <stdlib.h>

#include "merge/placed.h"

/* ---- what comes of nesting ----------------------------------------------- */

/* T2T_ERR_LIMIT: there is no room, and the rest is to be nested once more. */
static enum t2t_status add(void *to, uint32_t lane, const struct tt_event *e,
                           uint32_t parent, uint8_t flags, uint32_t id)
{
    struct tt_strip *s = to;
    struct tt_placed p;

    if (id == TT_SINK_ROOM)
        return T2T_ERR_LIMIT;
    p = tt_placed_node(&s->nest.trace->lane[lane], e, parent, flags);
    tt_placed_set(&s->node, id, &p);
    return T2T_OK;
}

static enum t2t_status show(void *to, const struct tt_event *e, uint32_t node,
                            uint32_t engine)
{
    struct tt_strip *s = to;
    struct tt_shown *shown = &s->show[s->shown];

    *shown = (struct tt_shown){
        .event = e,
        .thread = s->nest.trace->lane[s->nest.lane].thread,
        .node = node,
        .engine = engine,
    };
    s->shown += tt_flows_find(s->flows, shown);
    return T2T_OK;
}

static enum t2t_status note(void *to, enum tt_anomaly kind,
                            const struct tt_event *e)
{
    struct tt_strip *s = to;

    if (s->odds == TT_STRIP_ODDS)
        return T2T_ERR_LIMIT;
    s->odd[s->odds++] = (struct tt_strip_odd){kind, e};
    return T2T_OK;
}

/* ---- segments ------------------------------------------------------------ */

static void begin_segment(struct tt_strip *s, uint32_t event)
{
    s->segment[s->segments++] = (struct tt_segment){.event = event,
                                                    .node = s->nest.next,
                                                    .shown = s->shown,
                                                    .odd = s->odds};
}

/* The segment under way is to be nested once more. */
static void give_up(struct tt_strip *s)
{
    struct tt_segment *g = &s->segment[s->segments - 1];

    g->again = true;
    s->nest.next = g->node;
    s->shown = g->shown;
    s->odds = g->odd;
    s->nest.depth = 0;
}

/* Nests event `i`, which may begin a segment. */
static enum t2t_status nest_one(struct tt_strip *s, uint32_t i)
{
    struct tt_nest *n = &s->nest;
    const struct tt_event *e = s->event[i];
    enum t2t_status st = T2T_OK;

    if (n->depth && n->open[0].end_ns <= e->start_ns)
        st = tt_nest_close(n, 0);
    if (st)
        return st;
    if (!n->depth)
        begin_segment(s, i);
    st = tt_nest_event(n, e);
    if (st == T2T_END) {
        /* what follows it is below it, or begins another segment */
        give_up(s);
        begin_segment(s, i);
        st = tt_nest_event(n, e);
    }
    return st;
}

static enum t2t_status nest_all(struct tt_strip *s)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < s->events; i++) {
        st = nest_one(s, i);
        if (!st && s->nest.searched > TT_NEST_SEARCHES)
            st = T2T_ERR_LIMIT;
    }
    if (st != T2T_ERR_LIMIT)
        return st;
    give_up(s); /* and all behind it */
    return T2T_OK;
}

/* GPU events that no launch owns are roots, and stand in one segment. */
static void take_gpu_events(struct tt_strip *s)
{
    begin_segment(s, 0);
    for (uint32_t i = 0; i < s->events; i++) {
        const struct tt_event *e = s->event[i];

        if (e->a != TT_NO_LAUNCH)
            continue;
        s->size[s->nest.next] = 1;
        (void)add(s, s->slice.lane, e, TT_NO_NODE, TT_PLACED_GPU,
                  s->nest.next++);
    }
}

/* The task. */
static void nest_slice(struct tt_task *task)
{
    struct tt_strip *s = (struct tt_strip *)task;
    const struct tt_trace *t = s->nest.trace;
    struct tt_order order;
    const struct tt_event *e;

    s->status = tt_slice_begin(&s->slice, t, &order);
    if (s->status)
        return;
    while ((e = tt_order_next(&order))) {
        s->event[s->events++] = e;
        tt_extent_add(&s->extent, e);
    }
    tt_order_end(&order);
    if (t->lanes.lane[s->slice.lane].side == T2T_HOST)
        s->status = nest_all(s);
    else
        take_gpu_events(s);
    begin_segment(s, s->events); /* where the last one ends */
    s->segments--;
}

void tt_strip_prepare(struct tt_strip *s, uint32_t least)
{
    const struct tt_slice *slice = &s->slice;

    s->task.run = slice->events < least || slice->events > TT_STRIP_EVENTS ||
                          slice->is_whole
                      ? NULL
                      : nest_slice;
    s->status = T2T_OK;
    s->extent = (struct tt_extent){.has_events = false};
    s->events = s->segments = s->shown = s->odds = 0;
    s->nest.next = 0;
    tt_nest_begin(&s->nest, slice->lane);
}

struct tt_strip *tt_strip_create(const struct tt_trace *trace,
                                 const struct tt_links *links,
                                 const struct tt_flows *flows)
{
    static const struct tt_nest_to calls = {add, show, note};
    struct tt_strip *s = malloc(sizeof(*s));

    if (!s)
        return NULL;
    s->task.run_in_order = NULL;
    s->flows = flows;
    s->nest = (struct tt_nest){.trace = trace,
                               .child = links->child,
                               .calls = &calls,
                               .to = s,
                               .size = s->size,
                               .is_part = true};
    return s;
}

void tt_strip_free(struct tt_strip *s)
{
    if (s)
        tt_nest_release(&s->nest);
    free(s);
}
