/* launches.c - how GPU events were launched. */
#include <trace2tree/idle.h>

#include <stdlib.h>

#include "query/delay.h"
#include "query/group.h"
#include "query/hostcall.h"
#include "query/kinds.h"
#include "query/launcher.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/row.h"
#include "query/sorted.h"
#include "query/stream.h"

/* All that a table is made of. */
struct launches {
    struct tt_streams streams;
    struct tt_launchers launchers;
    struct tt_groups groups;
    struct tt_rows rows;
    uint32_t *member; /* the events that count; owned */
    uint32_t count;
    uint32_t *depth; /* by event; owned */
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Lists the selected events that have a launch, or those that have none. */
static enum t2t_status list_members(struct launches *l, bool linked,
                                    struct t2t_error *err)
{
    const struct tt_gpu *gpu = &l->streams.gpu;

    l->member = malloc(((size_t)gpu->count + 1) * sizeof(*l->member));
    if (!l->member)
        return no_memory(err);
    for (uint32_t i = 0; i < gpu->count; i++)
        if (l->streams.queued[i].is_selected &&
            (gpu->event[i].launch != T2T_NO_ID) == linked)
            l->member[l->count++] = i;
    return T2T_OK;
}

/* The n-th member. */
static const struct tt_gpu_event *member_at(const struct launches *l,
                                            uint32_t n)
{
    return &l->streams.gpu.event[l->member[n]];
}

static int64_t delay_of(const struct launches *l, uint32_t i)
{
    return tt_delay(l->streams.queued[i].launch_ns,
                    l->streams.gpu.event[i].time.start_ns);
}

static enum t2t_status find_depths(struct launches *l, struct t2t_error *err)
{
    l->depth = malloc(((size_t)l->streams.gpu.count + 1) * sizeof(*l->depth));
    if (!l->depth)
        return no_memory(err);
    return tt_streams_depths(&l->streams, l->depth, err);
}

static struct t2t_text text_or_empty(struct t2t_text text)
{
    return text.ptr ? text : t2t_text_of("");
}

static struct t2t_text name_of(const struct launches *l, t2t_id id)
{
    return text_or_empty(t2t_index_name(l->streams.gpu.index, id));
}

/* ---- by operation, by call ----------------------------------------------- */

#define SUMMARY_COLUMNS                                                        \
    {.name = "gpu_events",                                                     \
     .type = T2T_INTEGER,                                                      \
     .flags = T2T_COLUMN_TOTAL,                                                \
     .heading = "events",                                                      \
     .help = "GPU events with a launch"},                                      \
        {.name = "launches",                                                   \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_TOTAL,                                            \
         .hide = 6,                                                            \
         .help = "calls that launched them"},                                  \
        {.name = "host_ns",                                                    \
         .unit = "ns",                                                         \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_TOTAL,                                            \
         .heading = "in calls",                                                \
         .hide = 4,                                                            \
         .help = "time that these calls took on the host, added up"},          \
        {.name = "delay_mean",                                                 \
         .unit = "ns",                                                         \
         .type = T2T_REAL,                                                     \
         .heading = "mean",                                                    \
         .hide = 7,                                                            \
         .help = "start of a GPU event less that of its launch, mean"},        \
        {.name = "delay_median",                                               \
         .unit = "ns",                                                         \
         .type = T2T_REAL,                                                     \
         .heading = "delay",                                                   \
         .help = "median of delays"},                                          \
        {.name = "delay_p99_ns",                                               \
         .unit = "ns",                                                         \
         .type = T2T_INTEGER,                                                  \
         .heading = "p99",                                                     \
         .hide = 1,                                                            \
         .help = "the smallest delay that at least 99 of 100 do not exceed"},  \
        {.name = "delay_min_ns",                                               \
         .unit = "ns",                                                         \
         .type = T2T_INTEGER,                                                  \
         .heading = "min",                                                     \
         .hide = 9,                                                            \
         .help = "the least delay"},                                           \
        {.name = "delay_max_ns",                                               \
         .unit = "ns",                                                         \
         .type = T2T_INTEGER,                                                  \
         .heading = "max",                                                     \
         .hide = 8,                                                            \
         .help = "the largest delay"},                                         \
        {.name = "negative",                                                   \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_TOTAL,                                            \
         .help = "delays below 0: the clocks of host and GPU disagree"},       \
        {.name = "depth_mean",                                                 \
         .type = T2T_REAL,                                                     \
         .heading = "depth",                                                   \
         .help = "GPU events in the stream's queue at a launch, mean"},        \
        {.name = "depth_max",                                                  \
         .type = T2T_INTEGER,                                                  \
         .heading = "deepest",                                                 \
         .hide = 10,                                                           \
         .help = "the largest queue"},                                         \
        {.name = "empty",                                                      \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_TOTAL,                                            \
         .hide = 2,                                                            \
         .help = "launched when the queue was empty: the GPU waited"},         \
        {.name = "percent",                                                    \
         .unit = "%",                                                          \
         .type = T2T_REAL,                                                     \
         .flags = T2T_COLUMN_BAR,                                              \
         .heading = "empty",                                                   \
         .help = "share of gpu_events that are empty; of calls: of all such "  \
                 "time"},                                                      \
        {.name = "slowest_id",                                                 \
         .type = T2T_INTEGER,                                                  \
         .heading = "slowest",                                                 \
         .hide = 3,                                                            \
         .help = "NODE of show: the GPU event with the largest delay"},        \
    {                                                                          \
        .name = "first_index", .type = T2T_INTEGER,                            \
        .flags = T2T_COLUMN_HIDDEN,                                            \
        .help = "smallest place in traceEvents of a GPU event"                 \
    }

static const struct t2t_table_column op_columns[] = {
    {.name = "op",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "operation above the launch, else the launch"},
    SUMMARY_COLUMNS,
};

const struct tt_kind tt_kind_launches_by_op =
    TT_KIND("launches-by-op", op_columns);

static const struct t2t_table_column call_columns[] = {
    {.name = "call",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "call of the runtime or driver"},
    SUMMARY_COLUMNS,
};

const struct tt_kind tt_kind_launches_by_call =
    TT_KIND("launches-by-call", call_columns);

/* What is added up over the members of a row. */
struct sums {
    uint64_t depth;
    unsigned __int128 host_ns;
    uint32_t depth_max;
    uint32_t empty;
    uint32_t launches;
    uint32_t slowest;
    int64_t slowest_ns;
};

/* Adds the launch of an event, unless `seen` has it. */
static void add_launch(const struct launches *l, t2t_id launch, uint8_t *seen,
                       struct sums *sums)
{
    struct t2t_element e;

    if (seen[launch / 8] >> launch % 8 & 1)
        return;
    seen[launch / 8] |= (uint8_t)(1 << launch % 8);
    sums->launches++;
    if (!t2t_index_element(l->streams.gpu.index, launch, &e))
        sums->host_ns += e.dur_ns;
}

/* Adds a row up; fills delay[] with the delays of its members. */
static void add_up(const struct launches *l, const struct tt_group *g,
                   uint8_t *seen, int64_t *delay, struct sums *sums)
{
    *sums = (struct sums){.slowest_ns = INT64_MIN, .slowest = UINT32_MAX};
    for (uint32_t n = 0; n < g->count; n++) {
        uint32_t i = l->member[l->groups.member[g->start + n]];
        const struct tt_gpu_event *e = &l->streams.gpu.event[i];

        delay[n] = delay_of(l, i);
        if (sums->slowest == UINT32_MAX || delay[n] > sums->slowest_ns) {
            sums->slowest = e->id;
            sums->slowest_ns = delay[n];
        }
        sums->depth += l->depth[i];
        if (l->depth[i] > sums->depth_max)
            sums->depth_max = l->depth[i];
        if (!l->depth[i])
            sums->empty++;
        add_launch(l, e->launch, seen, sums);
    }
}

static void add_summary(struct launches *l, const struct tt_group *g,
                        struct t2t_text name, const struct sums *sums,
                        int64_t *delay)
{
    struct tt_delays d;

    tt_delays_summarize(&d, delay, g->count);
    tt_row_text(&l->rows, name);
    tt_row_unsigned(&l->rows, g->count);
    tt_row_unsigned(&l->rows, sums->launches);
    tt_row_sum(&l->rows, sums->host_ns);
    tt_row_real(&l->rows, d.mean);
    tt_row_real(&l->rows, d.median);
    tt_row_integer(&l->rows, d.p99);
    tt_row_integer(&l->rows, d.min);
    tt_row_integer(&l->rows, d.max);
    tt_row_unsigned(&l->rows, d.negative);
    tt_row_real(&l->rows, tt_ratio(sums->depth, g->count));
    tt_row_unsigned(&l->rows, sums->depth_max);
    tt_row_unsigned(&l->rows, sums->empty);
    tt_row_real(&l->rows, tt_percent(sums->empty, g->count));
    tt_row_unsigned(&l->rows, sums->slowest);
    tt_row_unsigned(&l->rows, g->place);
}

/* Groups the members by a number of their name, and ranks the groups. */
static enum t2t_status group_members(struct launches *l, bool by_op,
                                     struct t2t_error *err)
{
    const t2t_index *index = l->streams.gpu.index;
    t2t_id *id = malloc(((size_t)l->count + 1) * sizeof(*id));
    uint32_t *place = malloc(((size_t)l->count + 1) * sizeof(*place));
    enum t2t_status st = id && place ? T2T_OK : no_memory(err);

    for (uint32_t n = 0; !st && n < l->count; n++) {
        uint32_t i = l->member[n];
        struct t2t_element e = {.name = T2T_NO_ID};
        uint32_t name;

        id[n] = member_at(l, n)->id;
        if (by_op) {
            name = l->launchers.item[l->launchers.of[i]].name;
        } else {
            (void)t2t_index_element(index, member_at(l, n)->launch, &e);
            name = e.name == T2T_NO_ID ? l->launchers.unnamed : e.name;
        }
        st = tt_groups_add(&l->groups, &name, sizeof(name), 1, err);
    }
    if (!st)
        st = tt_groups_collect(&l->groups, err);
    if (!st)
        st = tt_places(index, id, l->count, place, err);
    if (!st)
        tt_groups_rank_by_place(&l->groups, place);
    free(id);
    free(place);
    return st;
}

static enum t2t_status add_summaries(struct launches *l, bool by_op,
                                     struct t2t_error *err)
{
    struct t2t_index_info info;
    uint8_t *seen;
    int64_t *delay = malloc(((size_t)l->count + 1) * sizeof(*delay));
    enum t2t_status st = T2T_OK;

    t2t_index_info(l->streams.gpu.index, &info);
    seen = calloc((size_t)info.node_count / 8 + 1, 1);
    if (!seen || !delay)
        st = no_memory(err);
    for (uint32_t i = 0; !st && i < l->groups.count; i++) {
        const struct tt_group *g = &l->groups.item[i];
        uint32_t first = l->member[g->first];
        struct sums sums;

        add_up(l, g, seen, delay, &sums);
        add_summary(l, g,
                    by_op ? tt_launcher_name(
                                &l->launchers,
                                l->launchers.item[l->launchers.of[first]].name)
                          : name_of(l, l->streams.gpu.event[first].launch),
                    &sums, delay);
    }
    free(seen);
    free(delay);
    return st;
}

static enum t2t_status summarize(struct launches *l, bool by_op,
                                 struct t2t_error *err)
{
    enum t2t_status st = list_members(l, true, err);

    if (!st)
        st = tt_launchers_find(&l->launchers, &l->streams.gpu, err);
    if (!st)
        st = find_depths(l, err);
    if (!st)
        st = group_members(l, by_op, err);
    if (!st)
        st = tt_rows_open(&l->rows,
                          by_op ? &tt_kind_launches_by_op
                                : &tt_kind_launches_by_call,
                          0, 0, err);
    return st ? st : add_summaries(l, by_op, err);
}

/* ---- by event ------------------------------------------------------------ */

static const struct t2t_table_column event_columns[] = {
    {.name = "id",
     .type = T2T_INTEGER,
     .help = "NODE of show and stack: the GPU event"},
    {.name = "kernel",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "name of the GPU event"},
    {.name = "op",
     .type = T2T_STRING,
     .help = "operation above the launch, else the launch"},
    {.name = "device", .type = T2T_STRING, .hide = 6, .help = "pid of the GPU"},
    {.name = "stream", .type = T2T_STRING, .hide = 2, .help = "tid there"},
    {.name = "launch_id",
     .type = T2T_INTEGER,
     .hide = 4,
     .heading = "launch",
     .help = "NODE of show and stack: the launch"},
    {.name = "launch_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .hide = 3,
     .heading = "launched at",
     .help = "when the launch started"},
    {.name = "delay_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .help = "start of the GPU event less that of its launch"},
    {.name = "depth",
     .type = T2T_INTEGER,
     .help = "GPU events in the stream's queue at the launch"},
    {.name = "dur_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .hide = 1,
     .heading = "duration",
     .help = "how long the GPU event ran"},
};

const struct tt_kind tt_kind_launches_by_event =
    TT_KIND("launches-by-event", event_columns);

/* A row, to be sorted. */
struct delayed {
    int64_t delay_ns;
    uint32_t event;
};

static int compare_delayed(const void *left, const void *right)
{
    const struct delayed *a = left;
    const struct delayed *b = right;

    if (a->delay_ns != b->delay_ns)
        return a->delay_ns > b->delay_ns ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

static void add_event(struct launches *l, const struct delayed *d,
                      int64_t origin_ns)
{
    const struct tt_gpu_event *e = &l->streams.gpu.event[d->event];
    const struct tt_launcher *op =
        &l->launchers.item[l->launchers.of[d->event]];

    tt_row_unsigned(&l->rows, e->id);
    tt_row_text(&l->rows, name_of(l, e->id));
    tt_row_text(&l->rows, tt_launcher_name(&l->launchers, op->name));
    tt_row_stream(&l->rows, l->streams.gpu.index, e->lane);
    tt_row_unsigned(&l->rows, e->launch);
    tt_row_integer(&l->rows,
                   tt_delay(origin_ns, l->streams.queued[d->event].launch_ns));
    tt_row_integer(&l->rows, d->delay_ns);
    tt_row_unsigned(&l->rows, l->depth[d->event]);
    tt_row_unsigned(&l->rows, tt_gpu_ns(e));
}

static enum t2t_status by_event(struct launches *l, struct t2t_error *err)
{
    struct t2t_index_info info;
    struct delayed *row = NULL;
    enum t2t_status st = list_members(l, true, err);

    if (!st)
        st = tt_launchers_find(&l->launchers, &l->streams.gpu, err);
    if (!st)
        st = find_depths(l, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_by_event, 0, 0, err);
    if (st)
        return st;
    row = malloc(((size_t)l->count + 1) * sizeof(*row));
    if (!row)
        return no_memory(err);
    for (uint32_t n = 0; n < l->count; n++)
        row[n] = (struct delayed){delay_of(l, l->member[n]), l->member[n]};
    tt_sort_unsorted(row, l->count, sizeof(*row), compare_delayed);
    t2t_index_info(l->streams.gpu.index, &info);
    for (uint32_t n = 0; n < l->count; n++)
        add_event(l, &row[n], info.origin_ns);
    free(row);
    return T2T_OK;
}

/* ---- GPU events without a launch ----------------------------------------- */

static const struct t2t_table_column unlinked_columns[] = {
    {.name = "device", .type = T2T_STRING, .hide = 2, .help = "pid of the GPU"},
    {.name = "stream", .type = T2T_STRING, .help = "tid there"},
    {.name = "category",
     .type = T2T_STRING,
     .hide = 1,
     .help = "kernel, gpu_memcpy or gpu_memset"},
    {.name = "kernel",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "name of the GPU events"},
    {.name = "count",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .help = "GPU events without a launch"},
    {.name = "sum_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .help = "their durations, added up"},
    {.name = "mean",
     .unit = "ns",
     .type = T2T_REAL,
     .hide = 3,
     .help = "sum / count"},
    {.name = "early",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .help = "before the first with a launch: launched before recording"},
    {.name = "first_id",
     .type = T2T_INTEGER,
     .hide = 4,
     .heading = "first",
     .help = "NODE of show: the first of them"},
};

const struct tt_kind tt_kind_launches_unlinked =
    TT_KIND("launches-unlinked", unlinked_columns);

/* Where the events of a lane with a launch begin. */
struct beginning {
    bool any;
    int64_t ns;
};

/* Finds that of each lane; NULL when memory is short. */
static struct beginning *find_first_linked(const struct launches *l)
{
    const struct tt_gpu *gpu = &l->streams.gpu;
    struct t2t_index_info info;
    struct beginning *first;

    t2t_index_info(gpu->index, &info);
    first = calloc((size_t)info.lane_count + 1, sizeof(*first));
    for (uint32_t i = 0; first && i < gpu->count; i++) {
        const struct tt_gpu_event *e = &gpu->event[i];
        struct beginning *of = &first[e->lane];

        if (e->launch != T2T_NO_ID && (!of->any || e->time.start_ns < of->ns))
            *of = (struct beginning){true, e->time.start_ns};
    }
    return first;
}

static void add_unlinked(struct launches *l, const struct tt_group *g,
                         const struct beginning *first_linked)
{
    const struct tt_gpu_event *e = member_at(l, g->first);
    const struct beginning *linked = &first_linked[e->lane];
    uint32_t early = 0;

    for (uint32_t n = 0; n < g->count; n++) {
        const struct tt_gpu_event *m =
            member_at(l, l->groups.member[g->start + n]);

        if (!linked->any || m->time.start_ns < linked->ns)
            early++;
    }
    tt_row_stream(&l->rows, l->streams.gpu.index, e->lane);
    tt_row_text(&l->rows, text_or_empty(t2t_index_category(l->streams.gpu.index,
                                                           e->category)));
    tt_row_text(&l->rows, name_of(l, e->id));
    tt_row_unsigned(&l->rows, g->count);
    tt_row_sum(&l->rows, g->amount);
    tt_row_real(&l->rows, tt_ratio(g->amount, g->count));
    tt_row_unsigned(&l->rows, early);
    tt_row_unsigned(&l->rows, e->id);
}

static enum t2t_status unlinked(struct launches *l, struct t2t_error *err)
{
    struct beginning *first_linked = find_first_linked(l);
    enum t2t_status st =
        first_linked ? list_members(l, false, err) : no_memory(err);

    for (uint32_t n = 0; !st && n < l->count; n++) {
        const struct tt_gpu_event *e = member_at(l, n);
        uint32_t key[] = {e->lane, e->category, e->name};

        st = tt_groups_add(&l->groups, key, sizeof(key), tt_gpu_ns(e), err);
    }
    if (!st)
        st = tt_groups_collect(&l->groups, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_unlinked, 0, 0, err);
    if (!st) {
        for (uint32_t i = 0; i < l->groups.count; i++)
            l->groups.item[i].place = l->groups.item[i].first;
        tt_groups_rank(&l->groups);
        for (uint32_t i = 0; i < l->groups.count; i++)
            add_unlinked(l, &l->groups.item[i], first_linked);
    }
    free(first_linked);
    return st;
}

/* ---- calls that launched nothing ----------------------------------------- */

static const struct t2t_table_column host_columns[] = {
    {.name = "call",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "call of the runtime or driver that launched nothing"},
    {.name = "count",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .help = "how many calls; GPU events without a launch"},
    {.name = "host_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .heading = "in calls",
     .help = "time that they took on the host, added up"},
    {.name = "mean",
     .unit = "ns",
     .type = T2T_REAL,
     .hide = 2,
     .help = "sum / count"},
    {.name = "max_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .hide = 1,
     .help = "the longest"},
    {.name = "percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .help = "share of all such time"},
    {.name = "longest_id",
     .type = T2T_INTEGER,
     .hide = 3,
     .heading = "longest",
     .help = "NODE of show and stack: the longest of them"},
};

const struct tt_kind tt_kind_launches_host_only =
    TT_KIND("launches-host-only", host_columns);

static void add_host_row(struct launches *l, const struct tt_group *g,
                         const struct tt_host_calls *calls)
{
    const struct tt_host_call *longest = &calls->item[g->first];

    for (uint32_t n = 0; n < g->count; n++) {
        const struct tt_host_call *c =
            &calls->item[l->groups.member[g->start + n]];

        if (c->dur_ns > longest->dur_ns)
            longest = c;
    }
    tt_row_text(&l->rows, name_of(l, longest->id));
    tt_row_unsigned(&l->rows, g->count);
    tt_row_sum(&l->rows, g->amount);
    tt_row_real(&l->rows, tt_ratio(g->amount, g->count));
    tt_row_unsigned(&l->rows, longest->dur_ns);
    tt_row_real(&l->rows, tt_percent(g->amount, l->groups.total));
    tt_row_unsigned(&l->rows, longest->id);
}

static enum t2t_status host_only(struct launches *l,
                                 const struct t2t_selection *selection,
                                 struct t2t_error *err)
{
    struct tt_host_calls calls;
    enum t2t_status st =
        tt_host_calls_read(&calls, l->streams.gpu.index, selection, err);

    for (uint32_t i = 0; !st && i < calls.count; i++)
        st = tt_groups_add(&l->groups, &calls.item[i].name,
                           sizeof(calls.item[i].name), calls.item[i].dur_ns,
                           err);
    if (!st)
        st = tt_groups_collect(&l->groups, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_host_only, 0, 0, err);
    if (!st) {
        for (uint32_t i = 0; i < l->groups.count; i++)
            l->groups.item[i].place = l->groups.item[i].first;
        tt_groups_rank(&l->groups);
        for (uint32_t i = 0; i < l->groups.count; i++)
            add_host_row(l, &l->groups.item[i], &calls);
    }
    tt_host_calls_release(&calls);
    return st;
}

static enum t2t_status make_table(struct launches *l,
                                  const struct t2t_selection *selection,
                                  enum t2t_launches_by by,
                                  struct t2t_error *err)
{
    switch (by) {
    case T2T_LAUNCHES_BY_OP:
        return summarize(l, true, err);
    case T2T_LAUNCHES_BY_CALL:
        return summarize(l, false, err);
    case T2T_LAUNCHES_BY_EVENT:
        return by_event(l, err);
    case T2T_LAUNCHES_HOST_ONLY:
        return host_only(l, selection, err);
    case T2T_LAUNCHES_UNLINKED:
        return unlinked(l, err);
    }
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                    "no such table of launches: %d", (int)by);
}

enum t2t_status t2t_launches(const t2t_index *index,
                             const struct t2t_selection *selection,
                             enum t2t_launches_by by, t2t_table **out,
                             struct t2t_error *err)
{
    struct launches l = {.rows = {NULL, T2T_OK}};
    enum t2t_status st = tt_streams_read(&l.streams, index, selection, err);

    if (!st)
        st = make_table(&l, selection, by, err);
    if (!st)
        st = tt_streams_describe(&l.streams, selection, l.rows.table, err);
    free(l.member);
    free(l.depth);
    tt_groups_release(&l.groups);
    tt_launchers_release(&l.launchers);
    tt_streams_release(&l.streams);
    return tt_rows_close(&l.rows, st, out, err);
}
