/* wait.c - recorded waits for other streams. */
#include "query/wait.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/said.h"
#include "query/sorted.h"

static int compare_times(const void *left, const void *right)
{
    const struct tt_host_time *a = left;
    const struct tt_host_time *b = right;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Adds element `id`, which waits on a lane. */
static enum t2t_status add_wait(struct tt_waits *w, uint32_t lane, int64_t ns,
                                t2t_id id, struct t2t_error *err)
{
    if (!tt_vec_room(&w->wait, &w->cap, w->count, sizeof(*w->wait)))
        return tt_no_memory(err);
    w->wait[w->count++] = (struct tt_host_time){ns, lane, id};
    return T2T_OK;
}

#define NOT_ASKED (UINT32_MAX - 1)

/* The stream beside which lane `lane` is, or T2T_NO_ID; `known` has it from the
 * second time on. */
static uint32_t stream_of(const t2t_index *index, uint32_t *known,
                          uint32_t lane)
{
    struct t2t_lane l;

    if (known[lane] == NOT_ASKED)
        known[lane] =
            t2t_index_lane(index, lane, &l)
                ? T2T_NO_ID
                : t2t_index_lane_of(index, T2T_DEVICE, &l.pid, &l.tid);
    return known[lane];
}

/* Adds element `id`, called "Stream Wait Event", if it stands beside a stream.
 */
static enum t2t_status add_record(struct tt_waits *w, uint32_t *known,
                                  t2t_id id, struct t2t_error *err)
{
    struct t2t_element e;
    uint32_t stream;

    if (t2t_index_element(w->streams->gpu.index, id, &e))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "element %" PRIu32 " holds an impossible value", id);
    if (e.phase != 'X' || !e.has_start || e.lane == T2T_NO_ID)
        return T2T_OK;
    stream = stream_of(w->streams->gpu.index, known, e.lane);
    return stream == T2T_NO_ID ? T2T_OK
                               : add_wait(w, stream, e.start_ns, id, err);
}

/* Takes out those that say that the stream waits for itself. */
static enum t2t_status drop_own(struct tt_waits *w, struct t2t_error *err)
{
    static const char *const key[] = {"stream", "wait_on_stream"};
    struct tt_intern texts = {.count = 0};
    t2t_id *id = malloc(((size_t)w->count + 1) * sizeof(*id));
    uint32_t *said = malloc(((size_t)w->count + 1) * 2 * sizeof(*said));
    uint32_t kept = 0;
    enum t2t_status st = id && said ? T2T_OK : tt_no_memory(err);

    for (uint32_t i = 0; !st && i < w->count; i++)
        id[i] = w->wait[i].id;
    if (!st)
        st = tt_said(w->streams->gpu.index, id, w->count, key, 2, &texts, said,
                     err);
    for (uint32_t i = 0; !st && i < w->count; i++) {
        const uint32_t *of = &said[2 * (size_t)i];

        if (of[0] != of[1] ||
            t2t_text_equal(tt_said_text(&texts, of[0]), t2t_text_of("null")))
            w->wait[kept++] = w->wait[i];
    }
    if (!st)
        w->count = kept;
    tt_intern_release(&texts);
    free(id);
    free(said);
    return st;
}

/* Reads the records. */
static enum t2t_status read_records(struct tt_waits *w, struct t2t_error *err)
{
    const t2t_index *index = w->streams->gpu.index;
    struct t2t_index_info info;
    struct t2t_columns c;
    uint32_t *known;
    uint32_t name;
    enum t2t_status st = T2T_OK;

    if (t2t_index_find_string(index, t2t_text_of("Stream Wait Event"), &name))
        return T2T_OK;
    t2t_index_info(index, &info);
    t2t_index_columns(index, &c);
    t2t_index_will_read(index, c.name + c.node_count,
                        (size_t)(c.element_count - c.node_count) *
                            sizeof(*c.name));
    known = malloc(((size_t)info.lane_count + 1) * sizeof(*known));
    if (!known)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < info.lane_count; i++)
        known[i] = NOT_ASKED;
    for (t2t_id id = t2t_index_next_named(index, name, c.node_count);
         !st && id != T2T_NO_ID; id = t2t_index_next_named(index, name, id + 1))
        st = add_record(w, known, id, err);
    free(known);
    if (!st && w->count) {
        w->by_call = false;
        st = drop_own(w, err);
    }
    return st;
}

/* Adds the calls of a name. */
static enum t2t_status add_calls(struct tt_waits *w, uint32_t name,
                                 struct t2t_error *err)
{
    const t2t_index *index = w->streams->gpu.index;
    struct t2t_columns c;
    enum t2t_status st = T2T_OK;

    t2t_index_columns(index, &c);
    t2t_index_will_read(index, c.name, (size_t)c.node_count * sizeof(*c.name));
    for (t2t_id id = t2t_index_next_named(index, name, 0);
         !st && id < c.node_count;
         id = t2t_index_next_named(index, name, id + 1)) {
        struct t2t_element e;

        if (t2t_index_element(index, id, &e) || !e.has_start ||
            e.lane == T2T_NO_ID)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "element %" PRIu32 " holds an impossible value",
                            id);
        if (e.layer == T2T_LAYER_LAUNCH)
            st = add_wait(w, e.lane, e.start_ns, id, err);
    }
    return st;
}

/* Reads the calls. */
static enum t2t_status read_calls(struct tt_waits *w, struct t2t_error *err)
{
    static const char *const call[] = {"cudaStreamWaitEvent",
                                       "cuStreamWaitEvent",
                                       "hipStreamWaitEvent"};
    enum t2t_status st = T2T_OK;
    uint32_t name;

    for (size_t i = 0; !st && i < sizeof(call) / sizeof(call[0]); i++)
        if (!t2t_index_find_string(w->streams->gpu.index, t2t_text_of(call[i]),
                                   &name))
            st = add_calls(w, name, err);
    return st;
}

/* Lists the launches, by thread or by stream. */
static enum t2t_status list_launches(struct tt_waits *w, struct t2t_error *err)
{
    const struct tt_streams *s = w->streams;

    w->launch = malloc(((size_t)s->gpu.count + 1) * sizeof(*w->launch));
    if (!w->launch)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < s->gpu.count; i++)
        if (s->gpu.event[i].launch != T2T_NO_ID)
            w->launch[w->launch_count++] =
                (struct tt_host_time){s->queued[i].launch_ns,
                                      w->by_call ? s->queued[i].launch_lane
                                                 : s->gpu.event[i].lane,
                                      s->gpu.event[i].launch};
    tt_sort_unsorted(w->launch, w->launch_count, sizeof(*w->launch),
                     compare_times);
    return T2T_OK;
}

enum t2t_status tt_waits_read(struct tt_waits *w,
                              const struct tt_streams *streams,
                              struct t2t_error *err)
{
    enum t2t_status st;

    *w = (struct tt_waits){.streams = streams, .by_call = true};
    st = read_records(w, err);
    if (!st && w->by_call)
        st = read_calls(w, err);
    if (st || !w->count)
        return st;
    tt_sort_unsorted(w->wait, w->count, sizeof(*w->wait), compare_times);
    return list_launches(w, err);
}

void tt_waits_release(struct tt_waits *w)
{
    free(w->wait);
    free(w->launch);
    *w = (struct tt_waits){.count = 0};
}

/* The last of `count` that is on the lane, and before `ns` or, if `with` says
 * so, then; NULL when there is none. */
static const struct tt_host_time *last_before(const struct tt_host_time *t,
                                              uint32_t count, uint32_t lane,
                                              int64_t ns, bool with)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct tt_host_time *m = &t[middle];

        if (m->lane < lane ||
            (m->lane == lane && (with ? m->ns <= ns : m->ns < ns)))
            low = middle + 1;
        else
            high = middle;
    }
    return low && t[low - 1].lane == lane ? &t[low - 1] : NULL;
}

t2t_id tt_waits_of(const struct tt_waits *w, uint32_t i)
{
    const struct tt_gpu_event *e = &w->streams->gpu.event[i];
    const struct tt_queued *q = &w->streams->queued[i];
    uint32_t lane = w->by_call ? q->launch_lane : e->lane;
    const struct tt_host_time *wait;
    const struct tt_host_time *launch;

    if (!w->count || e->launch == T2T_NO_ID)
        return T2T_NO_ID;
    wait = last_before(w->wait, w->count, lane, q->launch_ns, true);
    launch = last_before(w->launch, w->launch_count, lane, q->launch_ns, false);
    if (!wait || (launch && wait->ns <= launch->ns))
        return T2T_NO_ID;
    return wait->id;
}
