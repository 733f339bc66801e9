/* trunk.c - numbers nodes, and puts strips where they belong. */
#include "merge/trunk.h"

#include <string.h>

#include "merge/placed.h"

/* ---- what comes of nesting ----------------------------------------------- */

static enum t2t_status add(void *to, uint32_t lane, const struct tt_event *e,
                           uint32_t parent, uint8_t flags, uint32_t id)
{
    struct tt_trunk *k = to;
    struct tt_placed p =
        tt_placed_node(&k->trace->lane[lane], e, parent, flags);

    (void)id; /* the sink counts, too */
    return tt_sink_node(k->sink, &p, k->err);
}

static enum t2t_status show(void *to, const struct tt_event *e, uint32_t node,
                            uint32_t engine)
{
    struct tt_trunk *k = to;
    struct tt_shown shown = {
        .event = e,
        .thread = k->trace->lane[k->nest.lane].thread,
        .node = node,
        .engine = engine,
    };

    return tt_flows_find(k->flows, &shown) ? tt_flows_show(k->flows, &shown)
                                           : T2T_OK;
}

static enum t2t_status note(void *to, enum tt_anomaly kind,
                            const struct tt_event *e)
{
    struct tt_trunk *k = to;

    /* Where the element begins is looked up when the index is written. */
    tt_anomaly_note(&k->trace->anomalies, kind, e->position, TT_NO_OFFSET);
    return T2T_OK;
}

void tt_trunk_init(struct tt_trunk *k, struct tt_trace *trace,
                   const struct tt_links *links, struct tt_flows *flows,
                   struct tt_sink *sink, uint32_t *sizes, struct t2t_error *err)
{
    static const struct tt_nest_to calls = {add, show, note};

    *k = (struct tt_trunk){.trace = trace,
                           .flows = flows,
                           .sink = sink,
                           .err = err};
    k->nest = (struct tt_nest){.trace = trace,
                               .child = links->child,
                               .calls = &calls,
                               .to = k,
                               .size = sizes};
    k->nest.innermost.memory = trace->memory;
}

void tt_trunk_release(struct tt_trunk *k)
{
    tt_nest_release(&k->nest);
}

/* ---- lanes --------------------------------------------------------------- */

void tt_trunk_begin_lane(struct tt_trunk *k, uint32_t lane)
{
    k->lane = (struct tt_extent){.has_events = false};
    k->trace->lane[lane].first_node = k->nest.next;
    tt_nest_begin(&k->nest, lane);
}

enum t2t_status tt_trunk_end_lane(struct tt_trunk *k)
{
    struct tt_lane_events *l = &k->trace->lane[k->nest.lane];
    enum t2t_status st = tt_nest_close(&k->nest, 0);

    l->node_count = k->nest.next - l->first_node;
    if (!l->node_count)
        l->first_node = k->trace->node_count;
    if (k->lane.has_events) {
        l->start_ns = k->lane.start_ns;
        l->end_ns = k->lane.end_ns;
    }
    tt_extent_join(&k->extent, &k->lane);
    return st;
}

/* A GPU event: a root, unless a launch owns it. */
static enum t2t_status add_gpu_event(struct tt_trunk *k,
                                     const struct tt_event *e)
{
    struct tt_nest *n = &k->nest;

    if (e->a != TT_NO_LAUNCH)
        return T2T_OK;
    n->size[n->next] = 1;
    return add(k, n->lane, e, TT_NO_NODE, TT_PLACED_GPU, n->next++);
}

enum t2t_status tt_trunk_add(struct tt_trunk *k, struct tt_order *order)
{
    bool host = k->trace->lanes.lane[k->nest.lane].side == T2T_HOST;
    const struct tt_event *e;
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && (e = tt_order_next(order)); i++) {
        tt_extent_add(&k->lane, e);
        st = host ? tt_nest_event(&k->nest, e) : add_gpu_event(k, e);
        if (!tt_watch_turn(k->trace->watch, i))
            st = T2T_ERR_CANCELED;
    }
    return st;
}

/* ---- strips -------------------------------------------------------------- */

/* Segments that are put below the same call. */
struct part {
    const struct tt_strip *strip;
    const struct tt_segment *first;
    const struct tt_segment *end; /* where the segment behind them begins */
};

/* What they find there. */
struct spot {
    uint32_t base;   /* plus a number in the strip is an id */
    uint32_t parent; /* of their roots */
    uint32_t engine; /* at or above that */
    bool in_operation;
};

/* Adds `count` nodes of a strip from `first` on to a block with room. */
static void copy_nodes(struct tt_placed_block *to,
                       const struct tt_placed_block *from, uint32_t first,
                       uint32_t count, const struct spot *at)
{
    uint8_t keep = at->in_operation ? (uint8_t)~TT_PLACED_ROOT_OP : 0xff;
    uint32_t i = to->count;

#define COPY(member)                                                           \
    memcpy(to->member + i, from->member + first, count * sizeof(*to->member))
    COPY(start_ns);
    COPY(dur_ns);
    COPY(name);
    COPY(lane);
    COPY(position);
    COPY(category);
    COPY(phase);
#undef COPY
    to->count += count;
    to->nodes += count;
    for (; i < to->count; i++, first++) {
        uint32_t parent = from->parent[first];

        to->parent[i] = parent == TT_NO_NODE ? at->parent : parent + at->base;
        to->flags[i] = from->flags[first] & keep;
        if (to->flags[i] & TT_PLACED_GPU) {
            to->gpu_events++;
            to->gpu_ns += to->dur_ns[i];
        }
    }
}

static enum t2t_status put_nodes(struct tt_trunk *k, const struct part *p,
                                 const struct spot *at)
{
    struct tt_nest *n = &k->nest;
    uint32_t first = p->first->node;
    uint32_t left = p->end->node - first;
    enum t2t_status st = T2T_OK;

    memcpy(n->size + n->next, p->strip->size + first, left * sizeof(*n->size));
    n->next += left;
    while (!st && left) {
        uint32_t room = TT_SINK_ROOM - k->sink->block->count;
        uint32_t count = left < room ? left : room;

        copy_nodes(k->sink->block, &p->strip->node, first, count, at);
        first += count;
        left -= count;
        st = tt_sink_flush_full(k->sink, k->err);
    }
    return st;
}

/* The engine of something in a segment. */
static uint32_t engine_of(const struct spot *at, uint32_t engine)
{
    return engine == TT_NO_NODE ? at->engine : engine + at->base;
}

static enum t2t_status put_shown(struct tt_trunk *k, const struct part *p,
                                 const struct spot *at)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = p->first->shown; !st && i < p->end->shown; i++) {
        struct tt_shown shown = p->strip->show[i];

        shown.node += at->base;
        shown.engine = engine_of(at, shown.engine);
        st = tt_flows_show(k->flows, &shown);
    }
    return st;
}

/* The calls of the strip that are open behind its last segment. */
static enum t2t_status put_open(struct tt_trunk *k, const struct tt_strip *s,
                                const struct spot *at)
{
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && i < s->nest.depth; i++) {
        struct tt_open o = s->nest.open[i];

        o.node += at->base;
        o.engine = engine_of(at, o.engine);
        o.in_operation |= at->in_operation;
        st = tt_nest_reopen(&k->nest, &o);
    }
    return st;
}

/* Puts segments below the innermost open call. */
static enum t2t_status put(struct tt_trunk *k, const struct part *p)
{
    const struct tt_strip *s = p->strip;
    const struct tt_nest *n = &k->nest;
    struct spot at = {.base = n->next - p->first->node,
                      .parent = TT_NO_NODE,
                      .engine = TT_NO_NODE};
    enum t2t_status st;

    if (n->depth) {
        at.parent = n->open[n->depth - 1].node;
        at.engine = n->open[n->depth - 1].engine;
        at.in_operation = n->open[n->depth - 1].in_operation;
    }
    st = put_nodes(k, p, &at);
    for (uint32_t i = p->first->odd; !st && i < p->end->odd; i++)
        st = note(k, s->odd[i].kind, s->odd[i].event);
    if (!st)
        st = put_shown(k, p, &at);
    if (!st && p->end == s->segment + s->segments)
        st = put_open(k, s, &at);
    return st;
}

static enum t2t_status nest_again(struct tt_trunk *k, const struct tt_strip *s,
                                  const struct tt_segment *g)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = g[0].event; !st && i < g[1].event; i++)
        st = tt_nest_event(&k->nest, s->event[i]);
    return st;
}

/* Whether the root of a segment does nothing but to lie within the innermost
 * open call. */
static bool is_quiet(const struct tt_trunk *k, const struct tt_strip *s,
                     const struct tt_segment *g)
{
    const struct tt_nest *n = &k->nest;
    const struct tt_event *root = s->event[g->event];
    const struct tt_open *top = n->depth ? &n->open[n->depth - 1] : NULL;

    return !g->again && (!top || (top->event->layer != T2T_LAYER_LAUNCH &&
                                  root->start_ns < top->end_ns &&
                                  root->end_ns <= top->end_ns));
}

enum t2t_status tt_trunk_add_strip(struct tt_trunk *k, const struct tt_strip *s)
{
    const struct tt_segment *end = s->segment + s->segments;
    struct part p = {.strip = s, .first = s->segment};
    enum t2t_status st = s->status;

    tt_extent_join(&k->lane, &s->extent);
    for (; !st && p.first < end; p.first = p.end) {
        const struct tt_event *root = s->event[p.first->event];

        p.end = p.first + 1;
        st = tt_nest_end_before(&k->nest, root);
        if (!st && (p.first->again || tt_nest_is_crossed(&k->nest, root))) {
            st = nest_again(k, s, p.first);
        } else if (!st) {
            st = tt_nest_make_room(&k->nest, root);
            while (p.end < end && is_quiet(k, s, p.end))
                p.end++;
            if (!st)
                st = put(k, &p);
        }
    }
    return st;
}
