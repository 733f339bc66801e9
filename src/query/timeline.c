/* timeline.c - GPU time by what it was spent on. */
#include <trace2tree/analyze.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/step.h>

#include "query/columns.h"
#include "query/device.h"
#include "query/gpu.h"
#include "query/ratio.h"
#include "query/recompute.h"
#include "query/row.h"

static const struct t2t_table_column columns[] = {
    TT_COLUMN_RECOMPUTE,
    {.name = "device",
     .type = T2T_STRING,
     .help = "pid of a GPU; all: all of them together"},
    {.name = "type", .type = T2T_STRING, .help = "what the time is of"},
    {.name = "time_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .help = "length of the union of the intervals"},
    {.name = "percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .help = "share of total_time"},
};

const struct tt_kind tt_kind_timeline = TT_KIND("timeline", columns);

#define TIME(column, flag, rank, text)                                         \
    {                                                                          \
        .name = column, .unit = "ns", .type = T2T_INTEGER,                     \
        .flags = T2T_COLUMN_PART | (flag), .hide = rank, .help = text          \
    }

static const struct t2t_table_column step_columns[] = {
    TT_COLUMN_RECOMPUTE,
    {.name = "step",
     .type = T2T_STRING,
     .help = "ProfilerStep#N in which the launches start; (no step)"},
    {.name = "gpu_events",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .hide = 6,
     .help = "how many GPU events"},
    TIME("step_ns", 0, 5, "duration of the step on the host"),
    TIME("computation_ns", 0, 0, "computing"),
    TIME("exposed_comm_ns", 0, 1, "communication while nothing computes"),
    TIME("exposed_memcpy_ns", 0, 2, "copies while neither is"),
    TIME("busy_ns", 0, 3, "any of them"),
    TIME("idle_ns", 0, 0, "total_ns - busy_ns"),
    TIME("total_ns", 0, 1, "from the first start to the last end"),
    TIME("total_comm_ns", T2T_COLUMN_HIDDEN, 0, "communication"),
    TIME("total_memcpy_ns", T2T_COLUMN_HIDDEN, 0, "copies"),
    TIME("micro_idle_ns", 0, 0, "of idle_ns, in gaps shorter than micro-idle"),
    TIME("macro_idle_ns", 0, 0, "of idle_ns, in the other gaps"),
};

const struct tt_kind tt_kind_timeline_by_step =
    TT_KIND("timeline-by-step", step_columns);

/* A GPU event. */
struct timed {
    struct tt_interval time;
    uint32_t block; /* device or step: what it is put in order by */
    uint8_t bucket;
    bool is_recomputed;
};

struct timeline {
    const struct t2t_timeline_options *options;
    struct tt_gpu gpu;
    struct tt_devices devices;
    struct tt_recompute recompute;
    struct tt_rows rows;
    t2t_steps *steps;    /* by step: owned */
    struct timed *event; /* owned: by start */
    uint64_t step_ns;    /* duration of the step whose rows come; */
    bool has_step;       /* none: what is in no step */
};

/* What ran when, of events that come by start. */
struct spent {
    struct tt_cover bucket[TT_BUCKETS];
    struct tt_cover kernels; /* computing and communication */
    struct tt_cover all;
    uint64_t micro_ns; /* gaps between them that are short */
    uint32_t count;
};

/* A row's times. */
struct times {
    uint64_t compute;
    uint64_t exposed_comm;
    uint64_t exposed_memcpy;
    uint64_t busy;
    uint64_t idle;
    uint64_t micro_idle;
    uint64_t total;
    uint64_t comm;
    uint64_t memcpy;
};

static int compare_starts(const void *left, const void *right)
{
    const struct timed *a = left;
    const struct timed *b = right;

    return (a->time.start_ns > b->time.start_ns) -
           (a->time.start_ns < b->time.start_ns);
}

/* Reads the events by start.  The block of one is its device or its step; the
 * last block is of those in no step. */
static enum t2t_status read_events(struct timeline *t, struct t2t_error *err)
{
    uint32_t count = t->gpu.count;
    enum t2t_status st = T2T_OK;
    bool sorted = true;

    t->event = malloc(((size_t)count + 1) * sizeof(*t->event));
    if (!t->event)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_gpu_event *e = &t->gpu.event[i];
        uint32_t block = 0;

        if (!t->steps)
            st = tt_device_of(&t->devices, e->lane, e->id, &block, err);
        else if ((block = t2t_steps_of(t->steps, e->id)) == T2T_NO_STEP)
            block = t2t_steps_count(t->steps);
        if (st)
            return st;
        t->event[i] =
            (struct timed){e->time, block, e->bucket,
                           t->options->recompute &&
                               tt_is_recomputed(&t->recompute, e->id)};
        sorted &= !i || t->event[i - 1].time.start_ns <= e->time.start_ns;
    }
    if (!sorted)
        qsort(t->event, count, sizeof(*t->event), compare_starts);
    return T2T_OK;
}

/* The length of a gap, if it is short. */
static uint64_t if_micro(const struct timeline *t, int64_t from_ns,
                         int64_t to_ns)
{
    uint64_t ns = (uint64_t)to_ns - (uint64_t)from_ns;

    return to_ns > from_ns && ns < t->options->micro_idle_ns ? ns : 0;
}

static void spend(const struct timeline *t, struct spent *s,
                  const struct timed *e)
{
    s->count++;
    if (s->all.any && e->time.end_ns > e->time.start_ns)
        s->micro_ns += if_micro(t, s->all.end_ns, e->time.start_ns);
    tt_cover_add(&s->bucket[e->bucket], &e->time);
    tt_cover_add(&s->all, &e->time);
    if (e->bucket != TT_MEMCPY)
        tt_cover_add(&s->kernels, &e->time);
}

/* Measures what was spent against the span of `whole`, of which it is all or a
 * part. */
static struct times measure(const struct timeline *t, const struct spent *s,
                            const struct tt_cover *whole)
{
    struct times v = {
        .compute = s->bucket[TT_COMPUTE].ns,
        .exposed_comm = s->kernels.ns - s->bucket[TT_COMPUTE].ns,
        .exposed_memcpy = s->all.ns - s->kernels.ns,
        .busy = s->all.ns,
        .micro_idle = s->micro_ns,
        .total = (uint64_t)whole->end_ns - (uint64_t)whole->start_ns,
        .comm = s->bucket[TT_COMMUNICATION].ns,
        .memcpy = s->bucket[TT_MEMCPY].ns,
    };

    v.idle = v.total - v.busy;
    if (s->all.any)
        v.micro_idle += if_micro(t, whole->start_ns, s->all.start_ns) +
                        if_micro(t, s->all.end_ns, whole->end_ns);
    else
        v.micro_idle = if_micro(t, whole->start_ns, whole->end_ns);
    return v;
}

/* What is printed for one device or one step: of all its events, or apart. */
typedef void tt_add_rows(struct timeline *t, struct t2t_text name,
                         const char *part, const struct spent *s,
                         const struct tt_cover *whole, uint64_t alone_ns);

/* Adds the rows of the events at `v`, which come by start. */
static void add_block(struct timeline *t, struct t2t_text name,
                      const struct timed *v, uint32_t count, tt_add_rows *add)
{
    struct spent all = {.count = 0};
    struct spent part[2] = {{.count = 0}};

    for (uint32_t i = 0; i < count; i++) {
        spend(t, &all, &v[i]);
        if (t->options->recompute)
            spend(t, &part[v[i].is_recomputed], &v[i]);
    }
    if (!t->options->recompute) {
        add(t, name, NULL, &all, &all.all, 0);
        return;
    }
    add(t, name, "no", &part[0], &all.all, all.all.ns - part[1].all.ns);
    add(t, name, "yes", &part[1], &all.all, all.all.ns - part[0].all.ns);
}

static void add_row(struct timeline *t, const char *part,
                    struct t2t_text device, const char *type, uint64_t ns,
                    uint64_t total)
{
    if (part)
        tt_row_text(&t->rows, t2t_text_of(part));
    tt_row_text(&t->rows, device);
    tt_row_text(&t->rows, t2t_text_of(type));
    tt_row_unsigned(&t->rows, ns);
    tt_row_real(&t->rows, tt_percent(ns, total));
}

static void add_device(struct timeline *t, struct t2t_text name,
                       const char *part, const struct spent *s,
                       const struct tt_cover *whole, uint64_t alone_ns)
{
    struct times v = measure(t, s, whole);

    add_row(t, part, name, "computation_time", v.compute, v.total);
    add_row(t, part, name, "exposed_comm_time", v.exposed_comm, v.total);
    add_row(t, part, name, "exposed_memcpy_time", v.exposed_memcpy, v.total);
    add_row(t, part, name, "busy_time", v.busy, v.total);
    add_row(t, part, name, "idle_time", v.idle, v.total);
    if (t->options->micro_idle_ns) {
        add_row(t, part, name, "micro_idle_time", v.micro_idle, v.total);
        add_row(t, part, name, "macro_idle_time", v.idle - v.micro_idle,
                v.total);
    }
    add_row(t, part, name, "total_time", v.total, v.total);
    add_row(t, part, name, "total_comm_time", v.comm, v.total);
    add_row(t, part, name, "total_memcpy_time", v.memcpy, v.total);
    if (part)
        add_row(t, part, name, "exclusive_time", alone_ns, v.total);
}

/* Puts the events in order of their blocks, in which they keep their order:
 * those of block b end before end[b]. */
static enum t2t_status sort_by_block(struct timeline *t, uint32_t blocks,
                                     uint32_t **out, struct t2t_error *err)
{
    uint32_t *end = calloc((size_t)blocks + 1, sizeof(*end));
    struct timed *v = malloc(((size_t)t->gpu.count + 1) * sizeof(*v));
    uint32_t place = 0;

    if (!end || !v) {
        free(end);
        free(v);
        return tt_no_memory(err);
    }
    for (uint32_t i = 0; i < t->gpu.count; i++)
        end[t->event[i].block]++;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t count = end[b];

        end[b] = place;
        place += count;
    }
    for (uint32_t i = 0; i < t->gpu.count; i++)
        v[end[t->event[i].block]++] = t->event[i];
    free(t->event);
    t->event = v;
    *out = end;
    return T2T_OK;
}

static enum t2t_status by_device(struct timeline *t, struct t2t_error *err)
{
    enum t2t_status st = tt_devices_read(&t->devices, t->gpu.index, err);
    uint32_t *end = NULL;

    if (!st)
        st = read_events(t, err);
    if (!st)
        st = tt_rows_open(&t->rows, &tt_kind_timeline, !t->options->recompute,
                          0, err);
    if (!st) {
        add_block(t, t2t_text_of("all"), t->event, t->gpu.count, add_device);
        st = sort_by_block(t, t->devices.count, &end, err);
    }
    for (uint32_t d = 0; !st && d < t->devices.count; d++) {
        uint32_t first = d ? end[d - 1] : 0;

        if (end[d] > first)
            add_block(t, t->devices.item[d].label, t->event + first,
                      end[d] - first, add_device);
    }
    free(end);
    return st;
}

/* ---- by step ------------------------------------------------------------- */

static void add_step(struct timeline *t, struct t2t_text name, const char *part,
                     const struct spent *s, const struct tt_cover *whole,
                     uint64_t alone_ns)
{
    struct times v = measure(t, s, whole);
    struct tt_rows *r = &t->rows;

    (void)alone_ns;
    if (part)
        tt_row_text(r, t2t_text_of(part));
    tt_row_text(r, name);
    tt_row_unsigned(r, s->count);
    if (t->has_step)
        tt_row_unsigned(r, t->step_ns);
    else
        tt_row_null(r);
    tt_row_unsigned(r, v.compute);
    tt_row_unsigned(r, v.exposed_comm);
    tt_row_unsigned(r, v.exposed_memcpy);
    tt_row_unsigned(r, v.busy);
    tt_row_unsigned(r, v.idle);
    tt_row_unsigned(r, v.total);
    tt_row_unsigned(r, v.comm);
    tt_row_unsigned(r, v.memcpy);
    if (!t->options->micro_idle_ns)
        return;
    tt_row_unsigned(r, v.micro_idle);
    tt_row_unsigned(r, v.idle - v.micro_idle);
}

static void add_steps(struct timeline *t, const uint32_t *end)
{
    uint32_t none = t2t_steps_count(t->steps);

    for (uint32_t i = 0; i <= none; i++) {
        uint32_t first = i ? end[i - 1] : 0;
        struct t2t_text name = t2t_text_of("(no step)");
        struct t2t_step step;

        t->has_step = i < none && !t2t_steps_at(t->steps, i, &step);
        if (t->has_step) {
            t->step_ns = (uint64_t)step.end_ns - (uint64_t)step.start_ns;
            name = t2t_index_name(t->gpu.index, step.id);
        }
        if (t->has_step || end[i] > first)
            add_block(t, name, t->event + first, end[i] - first, add_step);
    }
}

static enum t2t_status by_step(struct timeline *t, struct t2t_error *err)
{
    enum t2t_status st = t2t_steps_open(&t->steps, t->gpu.index, err);
    uint32_t *end = NULL;

    if (!st)
        st = read_events(t, err);
    if (!st)
        st = sort_by_block(t, t2t_steps_count(t->steps) + 1, &end, err);
    if (!st)
        st = tt_rows_open(&t->rows, &tt_kind_timeline_by_step,
                          !t->options->recompute,
                          t->options->micro_idle_ns ? 0 : 2, err);
    if (!st)
        add_steps(t, end);
    free(end);
    return st;
}

/* -------------------------------------------------------------------------- */

/* Says in the table how short a gap is. */
static enum t2t_status describe(const struct timeline *t, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    char json[24];

    (void)snprintf(json, sizeof(json), "%" PRIu64, t->options->micro_idle_ns);
    if (t->options->micro_idle_ns)
        st = t2t_table_select(t->rows.table, "micro_idle_ns", json);
    return st ? tt_no_memory(err) : T2T_OK;
}

enum t2t_status t2t_timeline(const t2t_index *index,
                             const struct t2t_selection *selection,
                             const struct t2t_timeline_options *options,
                             t2t_table **out, struct t2t_error *err)
{
    static const struct t2t_timeline_options none = {.by_step = false};
    struct timeline t = {.options = options ? options : &none};
    enum t2t_status st = tt_gpu_read_cut(&t.gpu, index, selection, err);

    if (!st && t.options->recompute)
        st = tt_recompute_find(&t.recompute, index, err);
    if (!st)
        st = t.options->by_step ? by_step(&t, err) : by_device(&t, err);
    if (!st)
        st = describe(&t, err);
    if (!st)
        st = tt_gpu_describe(&t.gpu, selection, t.rows.table, err);
    free(t.event);
    t2t_steps_close(t.steps);
    tt_recompute_release(&t.recompute);
    tt_devices_release(&t.devices);
    tt_gpu_release(&t.gpu);
    return tt_rows_close(&t.rows, st, out, err);
}
