/* launches.c - how GPU events were launched. */
#include "query/launches.h"

#include <stdlib.h>

#include <trace2tree/idle.h>

#include "query/kinds.h"
#include "query/place.h"
#include "query/ratio.h"

enum t2t_status tt_launches_list(struct tt_launches *l, bool linked,
                                 struct t2t_error *err)
{
    const struct tt_gpu *gpu = &l->streams.gpu;

    l->member = malloc(((size_t)gpu->count + 1) * sizeof(*l->member));
    if (!l->member)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < gpu->count; i++)
        if (l->streams.queued[i].is_selected &&
            (gpu->event[i].launch != T2T_NO_ID) == linked)
            l->member[l->count++] = i;
    return T2T_OK;
}

enum t2t_status tt_launches_depths(struct tt_launches *l, struct t2t_error *err)
{
    l->depth = malloc(((size_t)l->streams.gpu.count + 1) * sizeof(*l->depth));
    if (!l->depth)
        return tt_no_memory(err);
    return tt_streams_depths(&l->streams, l->depth, err);
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
static void add_launch(const struct tt_launches *l, t2t_id launch,
                       uint8_t *seen, struct sums *sums)
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
static void add_up(const struct tt_launches *l, const struct tt_group *g,
                   uint8_t *seen, int64_t *delay, struct sums *sums)
{
    *sums = (struct sums){.slowest_ns = INT64_MIN, .slowest = UINT32_MAX};
    for (uint32_t n = 0; n < g->count; n++) {
        uint32_t i = l->member[l->groups.member[g->start + n]];
        const struct tt_gpu_event *e = &l->streams.gpu.event[i];

        delay[n] = tt_launches_delay(l, i);
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

static void add_summary(struct tt_launches *l, const struct tt_group *g,
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

enum t2t_status tt_launches_places(const struct tt_launches *l, uint32_t *place,
                                   struct t2t_error *err)
{
    t2t_id *id = malloc(((size_t)l->count + 1) * sizeof(*id));
    enum t2t_status st;

    if (!id)
        return tt_no_memory(err);
    for (uint32_t n = 0; n < l->count; n++)
        id[n] = tt_launches_member(l, n)->id;
    st = tt_places(l->streams.gpu.index, id, l->count, place, err);
    free(id);
    return st;
}

enum t2t_status tt_launches_rank(struct tt_launches *l, struct t2t_error *err)
{
    uint32_t *place = malloc(((size_t)l->count + 1) * sizeof(*place));
    enum t2t_status st = place ? T2T_OK : tt_no_memory(err);

    if (!st)
        st = tt_groups_collect(&l->groups, err);
    if (!st)
        st = tt_launches_places(l, place, err);
    if (!st)
        tt_groups_rank_by_place(&l->groups, place);
    free(place);
    return st;
}

/* Groups the members by a number of their name, and ranks the groups. */
static enum t2t_status group_members(struct tt_launches *l, bool by_op,
                                     struct t2t_error *err)
{
    const t2t_index *index = l->streams.gpu.index;
    enum t2t_status st = T2T_OK;

    for (uint32_t n = 0; !st && n < l->count; n++) {
        uint32_t i = l->member[n];
        struct t2t_element e = {.name = T2T_NO_ID};
        uint32_t name;

        if (by_op) {
            name = l->launchers.item[l->launchers.of[i]].name;
        } else {
            (void)t2t_index_element(index, tt_launches_member(l, n)->launch,
                                    &e);
            name = e.name == T2T_NO_ID ? l->launchers.unnamed : e.name;
        }
        st = tt_groups_add(&l->groups, &name, sizeof(name), 1, err);
    }
    return st ? st : tt_launches_rank(l, err);
}

static enum t2t_status add_summaries(struct tt_launches *l, bool by_op,
                                     struct t2t_error *err)
{
    struct t2t_index_info info;
    uint8_t *seen;
    int64_t *delay = malloc(((size_t)l->count + 1) * sizeof(*delay));
    enum t2t_status st = T2T_OK;

    t2t_index_info(l->streams.gpu.index, &info);
    seen = calloc((size_t)info.node_count / 8 + 1, 1);
    if (!seen || !delay)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < l->groups.count; i++) {
        const struct tt_group *g = &l->groups.item[i];
        uint32_t first = l->member[g->first];
        struct sums sums;

        add_up(l, g, seen, delay, &sums);
        add_summary(l, g,
                    by_op
                        ? tt_launcher_name(
                              &l->launchers,
                              l->launchers.item[l->launchers.of[first]].name)
                        : tt_launches_text(l,
                                           l->streams.gpu.event[first].launch),
                    &sums, delay);
    }
    free(seen);
    free(delay);
    return st;
}

static enum t2t_status summarize(struct tt_launches *l, bool by_op,
                                 struct t2t_error *err)
{
    enum t2t_status st = tt_launches_list(l, true, err);

    if (!st)
        st = tt_launchers_find(&l->launchers, &l->streams.gpu, err);
    if (!st)
        st = tt_launches_depths(l, err);
    if (!st)
        st = group_members(l, by_op, err);
    if (!st)
        st = tt_rows_open(&l->rows,
                          by_op ? &tt_kind_launches_by_op
                                : &tt_kind_launches_by_call,
                          0, 0, err);
    return st ? st : add_summaries(l, by_op, err);
}

static enum t2t_status make_table(struct tt_launches *l,
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
        return tt_launches_by_event(l, err);
    case T2T_LAUNCHES_HOST_ONLY:
        return tt_launches_host_only(l, selection, err);
    case T2T_LAUNCHES_UNLINKED:
        return tt_launches_unlinked(l, err);
    }
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                    "no such table of launches: %d", (int)by);
}

enum t2t_status t2t_launches(const t2t_index *index,
                             const struct t2t_selection *selection,
                             enum t2t_launches_by by, t2t_table **out,
                             struct t2t_error *err)
{
    struct tt_launches l = {.rows = {NULL, T2T_OK}};
    enum t2t_status st =
        tt_streams_read(&l.streams, index, false, selection, err);

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
