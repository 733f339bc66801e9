/* stitch.c - strips under way, and the next one. */
#include "merge/stitch.h"

#include "base/tasks.h"
#include "merge/slice.h"

/* A slice of a lane with less of what a strip is to have than one in so many is
 * not worth a task. */
#define WORTH_A_TASK 128

struct stitch {
    struct tt_trunk *trunk;
    const struct tt_links *links;
    struct tt_slicer slicer;
    struct tt_task_queue queue;
    struct tt_strip *spare; /* a list, owned */
    size_t strips;          /* that there are */
    size_t most;
    bool is_cut; /* all lanes are */
};

/* Puts strips into the queue until there are enough. */
static enum t2t_status push_strips(struct stitch *w)
{
    const struct tt_trunk *k = w->trunk;

    while (!w->is_cut && (w->spare || w->strips < w->most)) {
        struct tt_strip *s = w->spare;

        if (s) {
            w->spare = s->next;
        } else {
            s = tt_strip_create(k->trace, w->links, k->flows);
            if (!s)
                return T2T_ERR_NO_MEMORY;
            w->strips++;
        }
        if (tt_slicer_next(&w->slicer, &s->slice)) {
            tt_strip_prepare(s, w->slicer.events / WORTH_A_TASK);
            tt_task_push(&w->queue, &s->task);
        } else {
            w->is_cut = true;
            s->next = w->spare;
            w->spare = s;
        }
    }
    return T2T_OK;
}

/* Adds a slice that was not nested by itself. */
static enum t2t_status add_slice(struct tt_trunk *k, const struct tt_slice *s)
{
    struct tt_order order;
    enum t2t_status st = tt_slice_begin(s, k->trace, &order);

    if (!st)
        st = tt_trunk_add(k, &order);
    tt_order_end(&order);
    return st;
}

static enum t2t_status add_strip(struct tt_trunk *k, const struct tt_strip *s)
{
    const struct tt_slice *slice = &s->slice;
    enum t2t_status st;

    if (slice->is_first)
        tt_trunk_begin_lane(k, slice->lane);
    st = s->task.run ? tt_trunk_add_strip(k, s) : add_slice(k, slice);
    if (!st && slice->is_last)
        st = tt_trunk_end_lane(k);
    if (!st && !tt_watch_go_on(k->trace->watch))
        st = T2T_ERR_CANCELED;
    return st;
}

/* Ends it; strips under way are waited for. */
static void release(struct stitch *w)
{
    struct tt_task *t;

    while ((t = tt_task_pop(&w->queue, true)))
        tt_strip_free((struct tt_strip *)t);
    tt_task_queue_release(&w->queue);
    for (struct tt_strip *s; (s = w->spare);) {
        w->spare = s->next;
        tt_strip_free(s);
    }
}

enum t2t_status tt_stitch(struct tt_trunk *k, const struct tt_stitching *how,
                          const uint32_t *lanes, const struct tt_links *links)
{
    struct stitch w = {.trunk = k,
                       .links = links,
                       .slicer = {.trace = k->trace,
                                  .lane = lanes,
                                  .events = how->events},
                       .most = how->strips};
    struct tt_task *t;
    enum t2t_status st;

    tt_task_queue_init(&w.queue, how->tasks);
    st = push_strips(&w);
    while (!st && (t = tt_task_pop(&w.queue, true))) {
        struct tt_strip *s = (struct tt_strip *)t;

        st = add_strip(k, s);
        s->next = w.spare;
        w.spare = s;
        if (!st)
            st = push_strips(&w);
    }
    release(&w);
    return st;
}
