/* timeline.c - GPU time by what it was spent on. */
#include <trace2tree/analyze.h>

#include <stdlib.h>
#include <string.h>

#include "query/device.h"
#include "query/gpu.h"
#include "query/ratio.h"
#include "query/row.h"

/* A GPU event. */
struct timed {
    struct tt_interval time;
    uint32_t device;
    uint8_t bucket;
};

struct timeline {
    struct tt_gpu gpu;
    struct tt_devices devices;
    struct tt_rows rows;
    struct timed *event; /* owned: by start, then by device and start */
};

static const struct t2t_table_column columns[] = {
    {.name = "device", .type = T2T_STRING},
    {.name = "type", .type = T2T_STRING},
    {.name = "time_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "percent", .unit = "%", .type = T2T_REAL},
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

static int compare_starts(const void *left, const void *right)
{
    const struct timed *a = left;
    const struct timed *b = right;

    return (a->time.start_ns > b->time.start_ns) -
           (a->time.start_ns < b->time.start_ns);
}

/* Puts the events in order of start. */
static enum t2t_status put_in_order(struct timeline *t, struct t2t_error *err)
{
    uint32_t count = t->gpu.count;
    bool sorted = true;

    t->event = malloc(((size_t)count + 1) * sizeof(*t->event));
    if (!t->event)
        return no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_gpu_event *e = &t->gpu.event[i];
        uint32_t device = t->devices.of_lane[e->lane];

        if (device == TT_NO_DEVICE)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "GPU event %u is in no lane of a GPU", e->id);
        t->event[i] = (struct timed){e->time, device, e->bucket};
        sorted &= !i || t->event[i - 1].time.start_ns <= e->time.start_ns;
    }
    if (!sorted)
        qsort(t->event, count, sizeof(*t->event), compare_starts);
    return T2T_OK;
}

static void add_row(struct timeline *t, struct t2t_text device,
                    const char *type, uint64_t ns, uint64_t total)
{
    tt_row_text(&t->rows, device);
    tt_row_text(&t->rows, t2t_text_of(type));
    tt_row_unsigned(&t->rows, ns);
    tt_row_real(&t->rows, tt_percent(ns, total));
}

/* Adds the eight rows of the events at `v`, which come by start. */
static void add_block(struct timeline *t, struct t2t_text device,
                      const struct timed *v, uint32_t count)
{
    struct tt_cover one[TT_BUCKETS] = {{0}};
    struct tt_cover kernels = {0}; /* computing and communication */
    struct tt_cover all = {0};
    uint64_t total;

    for (uint32_t i = 0; i < count; i++) {
        tt_cover_add(&one[v[i].bucket], &v[i].time);
        tt_cover_add(&all, &v[i].time);
        if (v[i].bucket != TT_MEMCPY)
            tt_cover_add(&kernels, &v[i].time);
    }
    total = (uint64_t)all.end_ns - (uint64_t)all.start_ns;
    add_row(t, device, "computation_time", one[TT_COMPUTE].ns, total);
    add_row(t, device, "exposed_comm_time", kernels.ns - one[TT_COMPUTE].ns,
            total);
    add_row(t, device, "exposed_memcpy_time", all.ns - kernels.ns, total);
    add_row(t, device, "busy_time", all.ns, total);
    add_row(t, device, "idle_time", total - all.ns, total);
    add_row(t, device, "total_time", total, total);
    add_row(t, device, "total_comm_time", one[TT_COMMUNICATION].ns, total);
    add_row(t, device, "total_memcpy_time", one[TT_MEMCPY].ns, total);
}

/* Adds the block of each device; each keeps its order of events. */
static enum t2t_status add_devices(struct timeline *t, struct t2t_error *err)
{
    uint32_t *end = calloc((size_t)t->devices.count + 1, sizeof(*end));
    struct timed *v = malloc(((size_t)t->gpu.count + 1) * sizeof(*v));
    uint32_t place = 0;

    if (!end || !v) {
        free(end);
        free(v);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < t->gpu.count; i++)
        end[t->event[i].device]++;
    for (uint32_t d = 0; d < t->devices.count; d++) {
        uint32_t count = end[d];

        end[d] = place;
        place += count;
    }
    for (uint32_t i = 0; i < t->gpu.count; i++)
        v[end[t->event[i].device]++] = t->event[i];
    for (uint32_t d = 0; d < t->devices.count; d++) {
        uint32_t first = d ? end[d - 1] : 0;

        if (end[d] > first)
            add_block(t, t->devices.item[d].label, v + first, end[d] - first);
    }
    free(end);
    free(v);
    return T2T_OK;
}

enum t2t_status t2t_timeline(const t2t_index *index,
                             const struct t2t_selection *selection,
                             t2t_table **out, struct t2t_error *err)
{
    struct timeline t = {.rows = {NULL, T2T_OK}};
    enum t2t_status st = tt_gpu_read(&t.gpu, index, selection, err);

    if (!st)
        st = tt_devices_read(&t.devices, index, err);
    if (!st)
        st = put_in_order(&t, err);
    if (!st)
        st = TT_ROWS_OPEN(&t.rows, "timeline", columns, err);
    if (!st) {
        add_block(&t, t2t_text_of("all"), t.event, t.gpu.count);
        st = add_devices(&t, err);
    }
    if (!st)
        st = tt_gpu_describe(&t.gpu, selection, t.rows.table, err);
    free(t.event);
    tt_devices_release(&t.devices);
    tt_gpu_release(&t.gpu);
    return tt_rows_close(&t.rows, st, out, err);
}
