/* hole.c - finds the holes of streams, and what each was waited for. */
#include "query/hole.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/hostwork.h"
#include "query/sorted.h"
#include "query/wait.h"

/* ---- where they are ------------------------------------------------------ */

/* Where a stream has come to. */
struct reach {
    bool any;
    int64_t end_ns; /* covered up to here, ... */
    uint32_t event; /* ... by this one */
};

/* Adds the hole before event `i`, if it is selected and there is one. */
static enum t2t_status add_hole(struct tt_holes *h, const struct reach *reach,
                                uint32_t i, struct t2t_error *err)
{
    const struct tt_gpu_event *e = &h->streams->gpu.event[i];

    if (!reach->any || e->time.start_ns <= reach->end_ns ||
        !h->streams->queued[i].is_selected)
        return T2T_OK;
    if (!tt_vec_room(&h->item, &h->cap, h->count, sizeof(*h->item)))
        return tt_no_memory(err);
    h->item[h->count++] = (struct tt_hole){
        .time = {reach->end_ns, e->time.start_ns},
        .next = i,
        .before = reach->event,
        .event = TT_NO_EVENT,
        .wait = T2T_NO_ID,
        .call = T2T_NO_ID,
    };
    return T2T_OK;
}

/* Adds event `i` to what a stream covers; how much more that is. */
static uint64_t cover(const struct tt_holes *h, struct reach *reach, uint32_t i)
{
    const struct tt_interval *v = &h->streams->gpu.event[i].time;
    int64_t from = v->start_ns;

    if (v->end_ns <= v->start_ns || (reach->any && v->end_ns <= reach->end_ns))
        return 0;
    if (reach->any && from < reach->end_ns)
        from = reach->end_ns;
    *reach = (struct reach){true, v->end_ns, i};
    return (uint64_t)v->end_ns - (uint64_t)from;
}

/* Goes through a stream, the events from `order` up to `end`. */
static enum t2t_status find_in_stream(struct tt_holes *h, const uint32_t *order,
                                      const uint32_t *end,
                                      struct t2t_error *err)
{
    struct tt_hole_stream s = {.lane = h->streams->gpu.event[*order].lane,
                               .first = h->count};
    struct reach reach = {.any = false};
    enum t2t_status st = T2T_OK;

    for (; !st && order < end; order++) {
        const struct tt_interval *v = &h->streams->gpu.event[*order].time;
        bool is_selected = h->streams->queued[*order].is_selected;
        uint64_t ns;

        if (v->end_ns > v->start_ns)
            st = add_hole(h, &reach, *order, err);
        ns = cover(h, &reach, *order);
        if (is_selected) {
            s.event_count++;
            s.busy_ns += ns;
        }
    }
    if (st || !s.event_count)
        return st;
    if (!tt_vec_room(&h->stream, &h->stream_cap, h->stream_count,
                     sizeof(*h->stream)))
        return tt_no_memory(err);
    s.count = h->count - s.first;
    h->stream[h->stream_count++] = s;
    return T2T_OK;
}

static enum t2t_status find_holes(struct tt_holes *h, struct t2t_error *err)
{
    const struct tt_streams *s = h->streams;
    const uint32_t *all = s->order + s->gpu.count;
    enum t2t_status st = T2T_OK;

    for (const uint32_t *at = s->order; !st && at < all;) {
        uint32_t lane = s->gpu.event[*at].lane;
        const uint32_t *end = at;

        while (end < all && s->gpu.event[*end].lane == lane)
            end++;
        st = find_in_stream(h, at, end, err);
        at = end;
    }
    return st;
}

/* ---- what they are ------------------------------------------------------- */

/* The event of a device that ends last so far, and that of another stream. */
struct ends {
    uint32_t last;
    uint32_t of_another;
};

/* Takes event `i` in; of several that end together the first stays. */
static void see_end(const struct tt_gpu_event *event, struct ends *ends,
                    uint32_t i)
{
    const struct tt_gpu_event *e = &event[i];

    if (e->time.end_ns <= e->time.start_ns)
        return;
    if (ends->last == TT_NO_EVENT) {
        ends->last = i;
    } else if (e->lane == event[ends->last].lane) {
        if (e->time.end_ns > event[ends->last].time.end_ns)
            ends->last = i;
    } else if (e->time.end_ns > event[ends->last].time.end_ns) {
        ends->of_another = ends->last;
        ends->last = i;
    } else if (ends->of_another == TT_NO_EVENT ||
               e->time.end_ns > event[ends->of_another].time.end_ns) {
        ends->of_another = i;
    }
}

/* An event or the end of a hole, by device. */
struct moment {
    int64_t ns;
    uint32_t device;
    uint32_t number;
    bool is_event; /* it starts then; behind the holes that end then */
};

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left;
    const struct moment *b = right;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    if (a->is_event != b->is_event)
        return a->is_event ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Whether an event that ends then was waited for in a hole: it ends behind the
 * middle. */
static bool ends_late(const struct tt_hole *h, int64_t end_ns)
{
    if (end_ns >= h->time.end_ns)
        return true;
    return end_ns > h->time.start_ns &&
           (uint64_t)end_ns - (uint64_t)h->time.start_ns >
               (uint64_t)h->time.end_ns - (uint64_t)end_ns;
}

/* Settles a hole that is neither short nor waited for the host, when all that
 * starts before its end has been seen. */
static void settle(const struct tt_holes *h, const struct tt_waits *waits,
                   const struct ends *ends, struct tt_hole *hole)
{
    const struct tt_gpu_event *event = h->streams->gpu.event;
    uint32_t other = ends->last;

    if (other != TT_NO_EVENT && event[other].lane == event[hole->next].lane)
        other = ends->of_another;
    if (other != TT_NO_EVENT && event[other].time.end_ns <= hole->time.start_ns)
        other = TT_NO_EVENT; /* had ended before it began */
    hole->wait = tt_waits_of(waits, hole->next);
    hole->class = TT_FOR_OTHER;
    if (hole->wait != T2T_NO_ID ||
        (other != TT_NO_EVENT && ends_late(hole, event[other].time.end_ns))) {
        hole->class = TT_FOR_STREAM;
        hole->event = other;
    }
}

/* Marks the devices of which several streams have events. */
static void mark_shared(const struct tt_gpu *gpu,
                        const struct tt_devices *devices, uint32_t *lane,
                        bool *is_shared)
{
    for (uint32_t i = 0; i < devices->count; i++) {
        lane[i] = T2T_NO_ID;
        is_shared[i] = false;
    }
    for (uint32_t i = 0; i < gpu->count; i++) {
        uint32_t own = gpu->event[i].lane;
        uint32_t device = devices->of_lane[own];

        if (lane[device] == T2T_NO_ID)
            lane[device] = own;
        else if (lane[device] != own)
            is_shared[device] = true;
    }
}

/* Lists what settles them in order; events only of devices that are shared. */
static size_t list_moments(const struct tt_holes *h,
                           const struct tt_devices *devices,
                           const bool *is_shared, struct moment *m)
{
    const struct tt_gpu_event *event = h->streams->gpu.event;
    size_t count = 0;

    for (uint32_t i = 0; i < h->streams->gpu.count; i++) {
        uint32_t device = devices->of_lane[event[i].lane];

        if (is_shared[device])
            m[count++] =
                (struct moment){event[i].time.start_ns, device, i, true};
    }
    for (uint32_t i = 0; i < h->count; i++) {
        const struct tt_hole *hole = &h->item[i];

        if (hole->class == TT_FOR_OTHER)
            m[count++] =
                (struct moment){hole->time.end_ns,
                                devices->of_lane[event[hole->next].lane], i,
                                false};
    }
    tt_sort_unsorted(m, count, sizeof(*m), compare_moments);
    return count;
}

/* Settles the class of those that were launched before they began. */
static enum t2t_status settle_all(struct tt_holes *h,
                                  const struct tt_waits *waits,
                                  struct t2t_error *err)
{
    const struct tt_gpu *gpu = &h->streams->gpu;
    const struct tt_devices *devices = &h->streams->devices;
    struct moment *m = malloc(((size_t)gpu->count + h->count + 1) * sizeof(*m));
    uint32_t *lane = malloc(((size_t)devices->count + 1) * sizeof(*lane));
    bool *is_shared = malloc(((size_t)devices->count + 1) * sizeof(*is_shared));
    struct ends ends = {TT_NO_EVENT, TT_NO_EVENT};
    size_t count = 0;
    enum t2t_status st = T2T_OK;

    if (!m || !lane || !is_shared) {
        st = tt_no_memory(err);
    } else {
        mark_shared(gpu, devices, lane, is_shared);
        count = list_moments(h, devices, is_shared, m);
    }
    for (size_t n = 0; n < count; n++) {
        if (!n || m[n].device != m[n - 1].device)
            ends = (struct ends){TT_NO_EVENT, TT_NO_EVENT};
        if (m[n].is_event)
            see_end(gpu->event, &ends, m[n].number);
        else
            settle(h, waits, &ends, &h->item[m[n].number]);
    }
    free(m);
    free(lane);
    free(is_shared);
    return st;
}

static enum t2t_status classify(struct tt_holes *h, uint64_t min_ns,
                                struct t2t_error *err)
{
    struct tt_waits waits;
    enum t2t_status st;

    for (uint32_t i = 0; i < h->count; i++) {
        struct tt_hole *hole = &h->item[i];

        if (tt_hole_ns(hole) < min_ns)
            hole->class = TT_SHORT;
        else if (h->streams->gpu.event[hole->next].launch != T2T_NO_ID &&
                 h->streams->queued[hole->next].launch_ns > hole->time.start_ns)
            hole->class = TT_FOR_HOST;
        else
            hole->class = TT_FOR_OTHER;
    }
    st = tt_waits_read(&waits, h->streams, err);
    if (!st)
        st = settle_all(h, &waits, err);
    tt_waits_release(&waits);
    return st;
}

/* ---- what the host did --------------------------------------------------- */

/* Asks what the thread that launched the next event did, or with `before` that
 * of the event before, of holes of which nothing is known. */
static enum t2t_status ask_host(struct tt_holes *h, struct tt_host_work *work,
                                bool before, struct t2t_error *err)
{
    enum t2t_status st;

    for (uint32_t i = 0; i < h->count; i++) {
        const struct tt_hole *hole = &h->item[i];
        uint32_t event = before ? hole->before : hole->next;

        work[i] = (struct tt_host_work){T2T_NO_ID, hole->time, T2T_NO_ID, 0};
        if (hole->class != TT_SHORT && hole->call == T2T_NO_ID)
            work[i].lane = h->streams->queued[event].launch_lane;
    }
    st = tt_host_work_find(h->streams->gpu.index, work, h->count, err);
    for (uint32_t i = 0; !st && i < h->count; i++) {
        if (work[i].call == T2T_NO_ID)
            continue;
        h->item[i].call = work[i].call;
        h->item[i].call_ns = work[i].ns;
    }
    return st;
}

static enum t2t_status find_host_work(struct tt_holes *h, struct t2t_error *err)
{
    struct tt_host_work *work = malloc(((size_t)h->count + 1) * sizeof(*work));
    enum t2t_status st = work ? T2T_OK : tt_no_memory(err);

    if (!st)
        st = ask_host(h, work, false, err);
    if (!st)
        st = ask_host(h, work, true, err);
    free(work);
    return st;
}

enum t2t_status tt_holes_find(struct tt_holes *h,
                              const struct tt_streams *streams, uint64_t min_ns,
                              struct t2t_error *err)
{
    enum t2t_status st;

    *h = (struct tt_holes){.streams = streams};
    st = find_holes(h, err);
    if (!st)
        st = classify(h, min_ns, err);
    if (!st)
        st = find_host_work(h, err);
    return st;
}

void tt_holes_release(struct tt_holes *h)
{
    free(h->item);
    free(h->stream);
    *h = (struct tt_holes){.streams = NULL};
}
