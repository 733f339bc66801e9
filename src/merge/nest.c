/* nest.c - nesting by a stack, with crossings. */
#include "merge/nest.h"

#include <trace2tree/index.h>

#include "model/sink.h"

#define NEGATIVE 0x100u /* in the keys of `innermost` */

/* Gives the next id to `e`. */
static enum t2t_status add_node(struct tt_nest *n, uint32_t lane,
                                const struct tt_event *e, uint32_t parent,
                                uint8_t flags)
{
    uint32_t id = n->next;
    enum t2t_status st = n->calls->add(n->to, lane, e, parent, flags, id);

    if (st)
        return st;
    n->size[id] = 1;
    n->next++;
    return T2T_OK;
}

/* Hands over the GPU events of launch `o` that start before `before_ns`, or
 * all that are left. */
static enum t2t_status hand_children(struct tt_nest *n, struct tt_open *o,
                                     const int64_t *before_ns)
{
    const struct tt_launch *launch = tt_trace_launch(n->trace, o->event->a);
    const struct tt_child *child = n->child + launch->first;
    enum t2t_status st = T2T_OK;

    for (; !st && o->children < launch->count; o->children++) {
        const struct tt_child *c = &child[o->children];

        if (before_ns && c->event->start_ns >= *before_ns)
            break;
        st = add_node(n, c->lane, c->event, o->node,
                      TT_PLACED_GPU | TT_PLACED_LINKED);
    }
    return st;
}

/* Whether `e` has an id that a crossing call may have recorded. */
static bool is_findable(const struct tt_event *e)
{
    return (e->flags & TT_A_SET) &&
           (e->layer == T2T_LAYER_PYTHON || e->layer == T2T_LAYER_OPERATION);
}

static uint32_t key_of(uint8_t layer, bool negative)
{
    return layer | (negative ? NEGATIVE : 0);
}

/* Notes in the index that the call at `depth` is open; false without memory. */
static bool enter(struct tt_nest *n, size_t depth)
{
    struct tt_open *o = &n->open[depth - 1];
    const struct tt_event *e = o->event;
    uint32_t *at;

    if (!is_findable(e))
        return true;
    at = tt_idmap_put(&n->innermost, key_of(e->layer, e->flags & TT_A_NEGATIVE),
                      e->a, 0);
    if (!at)
        return false;
    o->hidden = *at;
    *at = (uint32_t)depth;
    return true;
}

/* Notes that it is not any more. */
static void leave(struct tt_nest *n, const struct tt_open *o)
{
    const struct tt_event *e = o->event;
    uint32_t *at = NULL;

    if (is_findable(e))
        at = tt_idmap_get(&n->innermost,
                          key_of(e->layer, e->flags & TT_A_NEGATIVE), e->a);
    if (at)
        *at = o->hidden;
}

enum t2t_status tt_nest_close(struct tt_nest *n, size_t depth)
{
    enum t2t_status st = T2T_OK;

    while (!st && n->depth > depth) {
        struct tt_open *o = &n->open[--n->depth];

        if (n->indexed)
            leave(n, o);
        if (o->event->layer == T2T_LAYER_LAUNCH)
            st = hand_children(n, o, NULL);
        n->size[o->node] = n->next - o->node;
    }
    return st;
}

/* The layer of the recorded parent of `e`. */
static uint8_t parent_layer(const struct tt_event *e)
{
    return e->layer == T2T_LAYER_PYTHON ? T2T_LAYER_PYTHON
                                        : T2T_LAYER_OPERATION;
}

/* Whether `open` is what the profiler recorded as the parent of `e`. */
static bool is_recorded_parent(const struct tt_event *open,
                               const struct tt_event *e)
{
    bool negative = (e->flags & TT_B_NEGATIVE) != 0;

    return open->layer == parent_layer(e) && (open->flags & TT_A_SET) &&
           open->a == e->b && ((open->flags & TT_A_NEGATIVE) != 0) == negative;
}

/* Goes through the open calls; a stack that is often gone through is indexed,
 * so that deep stacks with many crossings do not take the square of it. */
static size_t search(struct tt_nest *n, const struct tt_event *e)
{
    size_t depth = n->depth;

    while (depth && !is_recorded_parent(n->open[depth - 1].event, e))
        depth--;
    n->searched += n->depth - depth;
    if (n->searched > TT_NEST_SEARCHES && !n->is_part) {
        n->indexed = true;
        for (size_t i = 1; i <= n->depth; i++)
            n->no_memory |= !enter(n, i);
    }
    return depth;
}

/* Whether the profiler recorded a parent of `e`. */
static bool has_recorded_parent(const struct tt_event *e)
{
    return (e->flags & TT_B_SET) && e->layer != T2T_LAYER_OPERATION &&
           !(e->flags & TT_B_OWN);
}

/* The depth at which the recorded parent of `e` is the innermost, or 0. */
static size_t recorded_depth(struct tt_nest *n, const struct tt_event *e)
{
    const uint32_t *at;

    if (!has_recorded_parent(e))
        return 0;
    if (!n->indexed)
        return search(n, e);
    at = tt_idmap_get(&n->innermost,
                      key_of(parent_layer(e), e->flags & TT_B_NEGATIVE), e->b);
    return at ? *at : 0;
}

/* How many calls stay open for `e`, which crosses the innermost one; 0 of a
 * part is not known. */
static size_t uncross(struct tt_nest *n, const struct tt_event *e)
{
    size_t depth = recorded_depth(n, e);

    if (depth || (n->is_part && has_recorded_parent(e)))
        return depth;
    /* else as long as what is cut off is less than what would be lost; both
     * differences are positive and may need all 64 bits */
    for (depth = n->depth; depth; depth--) {
        int64_t end = n->open[depth - 1].end_ns;

        if (e->end_ns <= end || (uint64_t)end - (uint64_t)e->start_ns >=
                                    (uint64_t)e->end_ns - (uint64_t)end)
            break;
    }
    return depth;
}

static bool make_room(struct tt_nest *n)
{
    return tt_memory_room(n->trace->memory, &n->open, &n->cap, n->depth,
                          sizeof(*n->open));
}

/* The call above the top is put on the stack. */
static enum t2t_status push(struct tt_nest *n)
{
    n->depth++;
    if (n->indexed)
        n->no_memory |= !enter(n, n->depth);
    return n->no_memory ? T2T_ERR_NO_MEMORY : T2T_OK;
}

enum t2t_status tt_nest_reopen(struct tt_nest *n, const struct tt_open *o)
{
    if (!make_room(n))
        return T2T_ERR_NO_MEMORY;
    n->open[n->depth] = *o;
    return push(n);
}

/* What a call above the top has of that. */
static void inherit(const struct tt_nest *n, struct tt_open *o)
{
    const struct tt_open *top = n->depth ? &n->open[n->depth - 1] : NULL;

    o->children = 0;
    o->hidden = 0;
    o->engine = top ? top->engine : TT_NO_NODE;
    o->in_operation = top && top->in_operation;
}

/* Puts `e` on the stack as a node below the top.  What is there is written in
 * place, field by field: to copy what was just written makes processors wait.
 */
static enum t2t_status open_call(struct tt_nest *n, const struct tt_event *e,
                                 uint8_t flags)
{
    bool operation = e->layer == T2T_LAYER_OPERATION;
    uint32_t parent = n->depth ? n->open[n->depth - 1].node : TT_NO_NODE;
    struct tt_open *o;
    enum t2t_status st = T2T_OK;

    if (!make_room(n))
        return T2T_ERR_NO_MEMORY;
    o = &n->open[n->depth];
    inherit(n, o);
    o->event = e;
    o->node = n->next;
    o->end_ns = e->end_ns;
    if (tt_nest_is_crossed(n, e)) {
        o->end_ns = o[-1].end_ns;
        flags |= TT_PLACED_CUT;
        st = n->calls->note(n->to, TT_ANOMALY_CUT, e);
    }
    if (operation && !o->in_operation)
        flags |= TT_PLACED_ROOT_OP;
    o->in_operation |= operation;
    if (operation && (e->flags & TT_ENGINE))
        o->engine = o->node;
    if (!st)
        st = add_node(n, n->lane, e, parent, flags);
    if (!st)
        st = push(n);
    if (!st && operation)
        st = n->calls->show(n->to, e, o->node, o->engine);
    return st;
}

enum t2t_status tt_nest_end_before(struct tt_nest *n, const struct tt_event *e)
{
    size_t depth = n->depth;

    while (depth && n->open[depth - 1].end_ns <= e->start_ns)
        depth--;
    return tt_nest_close(n, depth);
}

bool tt_nest_is_crossed(const struct tt_nest *n, const struct tt_event *e)
{
    return n->depth && e->end_ns > n->open[n->depth - 1].end_ns;
}

enum t2t_status tt_nest_make_room(struct tt_nest *n, const struct tt_event *e)
{
    if (!n->depth || n->open[n->depth - 1].event->layer != T2T_LAYER_LAUNCH)
        return T2T_OK;
    return hand_children(n, &n->open[n->depth - 1], &e->start_ns);
}

enum t2t_status tt_nest_event(struct tt_nest *n, const struct tt_event *e)
{
    uint8_t flags = 0;
    enum t2t_status st = tt_nest_end_before(n, e);

    if (!st && tt_nest_is_crossed(n, e)) {
        size_t depth = uncross(n, e);

        flags = TT_PLACED_CROSSED;
        st = n->calls->note(n->to, TT_ANOMALY_CROSSED, e);
        if (!st && !depth && n->is_part)
            return T2T_END;
        if (!st)
            st = tt_nest_close(n, depth);
    }
    if (!st)
        st = tt_nest_make_room(n, e);
    return st ? st : open_call(n, e, flags);
}

void tt_nest_begin(struct tt_nest *n, uint32_t lane)
{
    n->lane = lane;
    n->depth = 0;
    n->searched = 0;
    n->indexed = false;
    tt_idmap_release(&n->innermost);
}

void tt_nest_release(struct tt_nest *n)
{
    tt_memory_give(n->trace->memory, n->open, n->cap * sizeof(*n->open));
    tt_idmap_release(&n->innermost);
}
