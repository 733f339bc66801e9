/* stream.c - GPU events as streams see them. */
#include "query/stream.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "query/sieve.h"
#include "query/sorted.h"

static enum t2t_status damaged(struct t2t_error *err, t2t_id id)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                    "element %" PRIu32 " holds an impossible value", id);
}

/* Finds out when event `i` was launched, and by which thread. */
static enum t2t_status read_launch(struct tt_streams *s, uint32_t i,
                                   struct t2t_error *err)
{
    const struct tt_gpu_event *event = &s->gpu.event[i];
    struct t2t_element e;

    s->queued[i] = (struct tt_queued){.launch_ns = event->time.start_ns,
                                      .launch_lane = T2T_NO_ID,
                                      .is_selected = true};
    if (s->devices.of_lane[event->lane] == TT_NO_DEVICE)
        return damaged(err, event->id);
    if (event->launch == T2T_NO_ID)
        return T2T_OK;
    if (t2t_index_element(s->gpu.index, event->launch, &e) || !e.has_start ||
        e.lane == T2T_NO_ID)
        return damaged(err, event->launch);
    s->queued[i].launch_ns = e.start_ns;
    s->queued[i].launch_lane = e.lane;
    return T2T_OK;
}

/* Marks those that the selection is about. */
static enum t2t_status select_events(struct tt_streams *s,
                                     const struct t2t_selection *selection,
                                     struct t2t_error *err)
{
    struct tt_sieve sieve;
    enum t2t_status st;

    s->selected_count = s->gpu.count;
    if (!selection)
        return T2T_OK;
    st = tt_sieve_open(&sieve, s->gpu.index, selection, err);
    for (uint32_t i = 0; !st && i < s->gpu.count; i++) {
        s->queued[i].is_selected = tt_sieve_passes(&sieve, &s->gpu.event[i]);
        if (!s->queued[i].is_selected)
            s->selected_count--;
    }
    tt_sieve_close(&sieve);
    return st;
}

/* An event in the order of its stream. */
struct ordered {
    int64_t start_ns;
    int64_t launch_ns;
    uint32_t lane;
    uint32_t number;
    bool is_unlinked;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *a = left;
    const struct ordered *b = right;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->is_unlinked != b->is_unlinked)
        return a->is_unlinked ? 1 : -1;
    if (a->launch_ns != b->launch_ns)
        return a->launch_ns < b->launch_ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static enum t2t_status put_in_order(struct tt_streams *s, struct t2t_error *err)
{
    struct ordered *o = malloc(((size_t)s->gpu.count + 1) * sizeof(*o));

    s->order = malloc(((size_t)s->gpu.count + 1) * sizeof(*s->order));
    if (!o || !s->order) {
        free(o);
        return tt_no_memory(err);
    }
    for (uint32_t i = 0; i < s->gpu.count; i++) {
        const struct tt_gpu_event *e = &s->gpu.event[i];

        o[i] = (struct ordered){e->time.start_ns, s->queued[i].launch_ns,
                                e->lane, i, e->launch == T2T_NO_ID};
    }
    tt_sort_unsorted(o, s->gpu.count, sizeof(*o), compare_ordered);
    for (uint32_t i = 0; i < s->gpu.count; i++)
        s->order[i] = o[i].number;
    free(o);
    return T2T_OK;
}

enum t2t_status tt_streams_read(struct tt_streams *s, const t2t_index *index,
                                bool linked_only,
                                const struct t2t_selection *selection,
                                struct t2t_error *err)
{
    struct t2t_selection ground = {.linked_only = linked_only};
    enum t2t_status st;

    *s = (struct tt_streams){.queued = NULL};
    st = tt_gpu_read(&s->gpu, index, &ground, err);
    if (!st)
        st = tt_devices_read(&s->devices, index, err);
    if (st)
        return st;
    s->queued = malloc(((size_t)s->gpu.count + 1) * sizeof(*s->queued));
    if (!s->queued)
        return tt_no_memory(err);
    for (uint32_t i = 0; !st && i < s->gpu.count; i++)
        st = read_launch(s, i, err);
    if (!st)
        st = select_events(s, selection, err);
    if (!st)
        st = put_in_order(s, err);
    return st;
}

void tt_streams_release(struct tt_streams *s)
{
    tt_gpu_release(&s->gpu);
    tt_devices_release(&s->devices);
    free(s->queued);
    free(s->order);
    s->queued = NULL;
    s->order = NULL;
}

enum t2t_status tt_streams_describe(const struct tt_streams *s,
                                    const struct t2t_selection *selection,
                                    t2t_table *table, struct t2t_error *err)
{
    struct tt_gpu shown = s->gpu;

    shown.count = s->selected_count;
    return tt_gpu_describe(&shown, selection, table, err);
}

void tt_row_stream(struct tt_rows *rows, const t2t_index *index, uint32_t lane,
                   struct tt_stream_name *known)
{
    struct t2t_lane l;

    if (!known->any || known->lane != lane) {
        known->any = !t2t_index_lane(index, lane, &l);
        if (!known->any) {
            tt_row_null(rows);
            tt_row_null(rows);
            return;
        }
        known->lane = lane;
        tt_device_name(&known->device, &l.pid);
        tt_device_name(&known->stream, &l.tid);
    }
    tt_row_text(rows, known->device.label);
    tt_row_text(rows, known->stream.label);
}

/* ---- how long queues are ------------------------------------------------- */

/* When an event joins or leaves the queue of a stream. */
struct moment {
    int64_t ns;
    uint32_t lane;
};

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left;
    const struct moment *b = right;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return (a->ns > b->ns) - (a->ns < b->ns);
}

/* How many of `count` moments in order come before `at`, or together with it
 * if `with` says so. */
static uint32_t count_before(const struct moment *m, uint32_t count,
                             struct moment at, bool with)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_moments(&m[middle], &at);

        if (order < 0 || (with && !order))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum t2t_status tt_streams_depths(const struct tt_streams *s, uint32_t *depth,
                                  struct t2t_error *err)
{
    struct moment *join = malloc(((size_t)s->gpu.count + 1) * sizeof(*join));
    struct moment *leave = malloc(((size_t)s->gpu.count + 1) * sizeof(*leave));
    uint32_t count = 0;

    if (!join || !leave) {
        free(join);
        free(leave);
        return tt_no_memory(err);
    }
    for (uint32_t i = 0; i < s->gpu.count; i++) {
        const struct tt_gpu_event *e = &s->gpu.event[i];

        if (e->time.end_ns <= s->queued[i].launch_ns)
            continue; /* never in the queue */
        join[count] = (struct moment){s->queued[i].launch_ns, e->lane};
        leave[count++] = (struct moment){e->time.end_ns, e->lane};
    }
    tt_sort_unsorted(join, count, sizeof(*join), compare_moments);
    tt_sort_unsorted(leave, count, sizeof(*leave), compare_moments);
    for (uint32_t i = 0; i < s->gpu.count; i++) {
        struct moment at = {s->queued[i].launch_ns, s->gpu.event[i].lane};

        depth[i] = 0;
        if (s->gpu.event[i].launch == T2T_NO_ID)
            continue;
        /* those of lanes before it joined and left */
        depth[i] = count_before(join, count, at, false) -
                   count_before(leave, count, at, true);
    }
    free(join);
    free(leave);
    return T2T_OK;
}
