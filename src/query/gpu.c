/* gpu.c - reads the GPU events of a selection. */
#include "query/gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "query/sieve.h"

/* Cuts an event that passed at the window's ends. */
static void cut(const struct tt_sieve *s, struct tt_interval *time)
{
    const struct t2t_selection *by = s->selection;

    if (!s->cut || !by->between)
        return;
    if (time->start_ns < by->from_ns)
        time->start_ns = by->from_ns;
    if (time->end_ns > by->to_ns)
        time->end_ns = by->to_ns;
}

/* An end past the last time there is, is that. */
static int64_t end_of(const struct t2t_element *e)
{
    __int128 end_ns = (__int128)e->start_ns + e->dur_ns;

    return end_ns > INT64_MAX ? INT64_MAX : (int64_t)end_ns;
}

/* Reads GPU event `id`. */
static enum t2t_status read_event(const struct tt_gpu *g,
                                  struct tt_buckets *buckets, t2t_id id,
                                  struct tt_gpu_event *out,
                                  struct t2t_error *err)
{
    struct t2t_element e;

    if (t2t_index_element(g->index, id, &e) || !e.in_tree || !e.has_start ||
        e.lane == T2T_NO_ID)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "GPU event %" PRIu32 " holds an impossible value", id);
    *out = (struct tt_gpu_event){
        .time = {e.start_ns, end_of(&e)},
        .id = id,
        .launch = e.flags & T2T_LINKED ? e.parent : T2T_NO_ID,
        .name = e.name,
        .lane = e.lane,
        .category = (uint16_t)e.category,
        .bucket = (uint8_t)tt_bucket_of(buckets, &e),
    };
    return T2T_OK;
}

static enum t2t_status read_events(struct tt_gpu *g, struct tt_sieve *s,
                                   struct t2t_error *err)
{
    const t2t_id *ids = t2t_index_gpu_nodes(g->index, &g->all);
    struct tt_buckets buckets;
    enum t2t_status st = tt_buckets_init(&buckets, g->index, err);

    g->event = malloc(((size_t)g->all + 1) * sizeof(*g->event));
    if (!st && !g->event)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < g->all; i++) {
        struct tt_gpu_event *e = &g->event[g->count];

        st = read_event(g, &buckets, ids[i], e, err);
        if (!st && g->count && e->id <= g->event[g->count - 1].id)
            st = tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                          "GPU event %" PRIu32 " is out of order", e->id);
        if (!st && (!s || tt_sieve_passes(s, e))) {
            if (s)
                cut(s, &e->time);
            g->count++;
        }
    }
    tt_buckets_release(&buckets);
    return st;
}

static enum t2t_status read_selected(struct tt_gpu *gpu, const t2t_index *index,
                                     const struct t2t_selection *selection,
                                     bool cut_ends, struct t2t_error *err)
{
    struct tt_sieve s;
    enum t2t_status st;

    *gpu = (struct tt_gpu){.index = index};
    t2t_index_will_scan(index);
    if (!selection)
        return read_events(gpu, NULL, err);
    st = tt_sieve_open(&s, index, selection, err);
    s.cut = cut_ends;
    if (!st)
        st = read_events(gpu, &s, err);
    tt_sieve_close(&s);
    return st;
}

enum t2t_status tt_gpu_read(struct tt_gpu *gpu, const t2t_index *index,
                            const struct t2t_selection *selection,
                            struct t2t_error *err)
{
    return read_selected(gpu, index, selection, false, err);
}

enum t2t_status tt_gpu_read_cut(struct tt_gpu *gpu, const t2t_index *index,
                                const struct t2t_selection *selection,
                                struct t2t_error *err)
{
    return read_selected(gpu, index, selection, true, err);
}

void tt_gpu_release(struct tt_gpu *gpu)
{
    free(gpu->event);
    gpu->event = NULL;
}

/* Adds the JSON of a string to the selection. */
static enum t2t_status select_text(t2t_table *table, const char *key,
                                   const char *text)
{
    struct t2t_text left = t2t_text_of(text);
    struct tt_buffer json = {0};
    char piece[256];
    enum t2t_status st = T2T_ERR_NO_MEMORY;

    tt_buffer_add_byte(&json, '"');
    while (left.len) {
        size_t len =
            t2t_text_escape(&left, T2T_ESCAPE_QUOTED, piece, sizeof(piece));

        tt_buffer_add(&json, piece, len);
    }
    tt_buffer_add(&json, "\"", 2);
    if (!json.failed)
        st = t2t_table_select(table, key, json.ptr);
    tt_buffer_release(&json);
    return st;
}

/* Adds a list of two numbers. */
static enum t2t_status select_pair(t2t_table *table, const char *key,
                                   int64_t from, int64_t to)
{
    char json[64];

    (void)snprintf(json, sizeof(json), "[%" PRId64 ",%" PRId64 "]", from, to);
    return t2t_table_select(table, key, json);
}

static enum t2t_status select_steps(t2t_table *table, uint64_t first,
                                    uint64_t last)
{
    char json[64];

    if (first == last)
        (void)snprintf(json, sizeof(json), "%" PRIu64, first);
    else
        (void)snprintf(json, sizeof(json), "[%" PRIu64 ",%" PRIu64 "]", first,
                       last);
    return t2t_table_select(table, "step", json);
}

static enum t2t_status select_count(t2t_table *table, const char *key,
                                    uint32_t count)
{
    char json[16];

    (void)snprintf(json, sizeof(json), "%" PRIu32, count);
    return t2t_table_select(table, key, json);
}

/* A time on the trace's clock from its origin on; one past what there is, is
 * the last. */
static int64_t since(int64_t origin_ns, int64_t time_ns)
{
    int64_t ns;

    if (__builtin_sub_overflow(time_ns, origin_ns, &ns))
        return time_ns < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

/* Says which events pass. */
static enum t2t_status select_all(const struct tt_gpu *gpu,
                                  const struct t2t_selection *by,
                                  t2t_table *table)
{
    struct t2t_index_info info;
    enum t2t_status st = T2T_OK;

    t2t_index_info(gpu->index, &info);
    if (by->linked_only)
        st = t2t_table_select(table, "linked_only", "true");
    if (!st && by->steps)
        st = select_steps(table, by->first_step, by->last_step);
    if (!st && by->between)
        st =
            select_pair(table, "between_ns", since(info.origin_ns, by->from_ns),
                        since(info.origin_ns, by->to_ns));
    if (!st && by->device)
        st = select_text(table, "device", by->device);
    if (!st && by->module)
        st = select_text(table, "module", by->module);
    return st;
}

enum t2t_status tt_gpu_describe(const struct tt_gpu *gpu,
                                const struct t2t_selection *selection,
                                t2t_table *table, struct t2t_error *err)
{
    const struct t2t_selection *by = selection;
    enum t2t_status st;

    if (!by || (!by->linked_only && !by->steps && !by->between && !by->device &&
                !by->module))
        return T2T_OK;
    st = select_all(gpu, by, table);
    if (!st)
        st = select_count(table, "gpu_events", gpu->count);
    if (!st)
        st = select_count(table, "gpu_events_of", gpu->all);
    if (st)
        return tt_error(err, st, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}

uint32_t tt_unnamed(const t2t_index *index)
{
    struct t2t_index_info info;
    uint32_t string;

    if (!t2t_index_find_string(index, t2t_text_of(""), &string))
        return string;
    t2t_index_info(index, &info);
    return info.string_count + 1; /* next to that of "(unlinked)" */
}
