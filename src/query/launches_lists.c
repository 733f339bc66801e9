/* launches_lists.c - single launches, and what has no launch or launched
 * nothing. */
#include <stdlib.h>

#include "query/columns.h"
#include "query/hostcall.h"
#include "query/kinds.h"
#include "query/launches.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/sorted.h"

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
    TT_COLUMN_DEVICE(6),
    TT_COLUMN_TID(2),
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
    uint32_t place;
    uint32_t event;
};

static int compare_delayed(const void *left, const void *right)
{
    const struct delayed *a = left;
    const struct delayed *b = right;

    if (a->delay_ns != b->delay_ns)
        return a->delay_ns > b->delay_ns ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void add_event(struct tt_launches *l, const struct delayed *d,
                      int64_t origin_ns)
{
    const struct tt_gpu_event *e = &l->streams.gpu.event[d->event];
    const struct tt_launcher *op =
        &l->launchers.item[l->launchers.of[d->event]];

    tt_row_unsigned(&l->rows, e->id);
    tt_row_text(&l->rows, tt_launches_text(l, e->id));
    tt_row_text(&l->rows, tt_launcher_name(&l->launchers, op->name));
    tt_row_stream(&l->rows, l->streams.gpu.index, e->lane, &l->name);
    tt_row_unsigned(&l->rows, e->launch);
    tt_row_integer(&l->rows,
                   tt_delay(origin_ns, l->streams.queued[d->event].launch_ns));
    tt_row_integer(&l->rows, d->delay_ns);
    tt_row_unsigned(&l->rows, l->depth[d->event]);
    tt_row_unsigned(&l->rows, tt_gpu_ns(e));
}

static enum t2t_status add_events(struct tt_launches *l, struct t2t_error *err)
{
    struct delayed *row = malloc(((size_t)l->count + 1) * sizeof(*row));
    uint32_t *place = malloc(((size_t)l->count + 1) * sizeof(*place));
    struct t2t_index_info info;
    enum t2t_status st =
        row && place ? tt_launches_places(l, place, err) : tt_no_memory(err);

    t2t_index_info(l->streams.gpu.index, &info);
    for (uint32_t n = 0; !st && n < l->count; n++)
        row[n] = (struct delayed){tt_launches_delay(l, l->member[n]), place[n],
                                  l->member[n]};
    free(place);
    if (!st)
        tt_sort_unsorted(row, l->count, sizeof(*row), compare_delayed);
    for (uint32_t n = 0; !st && n < l->count; n++)
        add_event(l, &row[n], info.origin_ns);
    free(row);
    return st;
}

enum t2t_status tt_launches_by_event(struct tt_launches *l,
                                     struct t2t_error *err)
{
    enum t2t_status st = tt_launches_list(l, true, err);

    if (!st)
        st = tt_launchers_find(&l->launchers, &l->streams.gpu, err);
    if (!st)
        st = tt_launches_depths(l, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_by_event, 0, 0, err);
    return st ? st : add_events(l, err);
}

/* ---- GPU events without a launch ----------------------------------------- */

static const struct t2t_table_column unlinked_columns[] = {
    TT_COLUMN_DEVICE(2),
    TT_COLUMN_TID(0),
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
    TT_COLUMN_MEAN_OF_SUM(3),
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
static struct beginning *find_first_linked(const struct tt_launches *l)
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

static void add_unlinked(struct tt_launches *l, const struct tt_group *g,
                         const struct beginning *first_linked)
{
    const struct tt_gpu_event *e = tt_launches_member(l, g->first);
    const struct beginning *linked = &first_linked[e->lane];
    struct t2t_text category =
        t2t_index_category(l->streams.gpu.index, e->category);
    uint32_t early = 0;

    for (uint32_t n = 0; n < g->count; n++) {
        const struct tt_gpu_event *m =
            tt_launches_member(l, l->groups.member[g->start + n]);

        if (!linked->any || m->time.start_ns < linked->ns)
            early++;
    }
    tt_row_stream(&l->rows, l->streams.gpu.index, e->lane, &l->name);
    tt_row_text(&l->rows, category.ptr ? category : t2t_text_of(""));
    tt_row_text(&l->rows, tt_launches_text(l, e->id));
    tt_row_unsigned(&l->rows, g->count);
    tt_row_sum(&l->rows, g->amount);
    tt_row_real(&l->rows, tt_ratio(g->amount, g->count));
    tt_row_unsigned(&l->rows, early);
    tt_row_unsigned(&l->rows, e->id);
}

/* Groups the members, which have no launch, and ranks the groups. */
static enum t2t_status group_unlinked(struct tt_launches *l,
                                      struct t2t_error *err)
{
    uint32_t unnamed = tt_unnamed(l->streams.gpu.index);
    enum t2t_status st = T2T_OK;

    for (uint32_t n = 0; !st && n < l->count; n++) {
        const struct tt_gpu_event *e = tt_launches_member(l, n);
        uint32_t key[] = {e->lane, e->category,
                          e->name == T2T_NO_ID ? unnamed : e->name};

        st = tt_groups_add(&l->groups, key, sizeof(key), tt_gpu_ns(e), err);
    }
    return st ? st : tt_launches_rank(l, err);
}

enum t2t_status tt_launches_unlinked(struct tt_launches *l,
                                     struct t2t_error *err)
{
    struct beginning *first_linked = find_first_linked(l);
    enum t2t_status st =
        first_linked ? tt_launches_list(l, false, err) : tt_no_memory(err);

    if (!st)
        st = group_unlinked(l, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_unlinked, 0, 0, err);
    for (uint32_t i = 0; !st && i < l->groups.count; i++)
        add_unlinked(l, &l->groups.item[i], first_linked);
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
    TT_COLUMN_MEAN_OF_SUM(2),
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

static void add_host_row(struct tt_launches *l, const struct tt_group *g,
                         const struct tt_host_calls *calls)
{
    const struct tt_host_call *longest = &calls->item[g->first];

    for (uint32_t n = 0; n < g->count; n++) {
        const struct tt_host_call *c =
            &calls->item[l->groups.member[g->start + n]];

        if (c->dur_ns > longest->dur_ns)
            longest = c;
    }
    tt_row_text(&l->rows, tt_launches_text(l, longest->id));
    tt_row_unsigned(&l->rows, g->count);
    tt_row_sum(&l->rows, g->amount);
    tt_row_real(&l->rows, tt_ratio(g->amount, g->count));
    tt_row_unsigned(&l->rows, longest->dur_ns);
    tt_row_real(&l->rows, tt_percent(g->amount, l->groups.total));
    tt_row_unsigned(&l->rows, longest->id);
}

/* Groups the calls by name, and ranks the groups. */
static enum t2t_status group_calls(struct tt_launches *l,
                                   const struct tt_host_calls *calls,
                                   struct t2t_error *err)
{
    t2t_id *id = malloc(((size_t)calls->count + 1) * sizeof(*id));
    uint32_t *place = malloc(((size_t)calls->count + 1) * sizeof(*place));
    uint32_t unnamed = tt_unnamed(l->streams.gpu.index);
    enum t2t_status st = id && place ? T2T_OK : tt_no_memory(err);

    for (uint32_t i = 0; !st && i < calls->count; i++) {
        const struct tt_host_call *c = &calls->item[i];
        uint32_t name = c->name == T2T_NO_ID ? unnamed : c->name;

        id[i] = c->id;
        st = tt_groups_add(&l->groups, &name, sizeof(name), c->dur_ns, err);
    }
    if (!st)
        st = tt_groups_collect(&l->groups, err);
    if (!st)
        st = tt_places(l->streams.gpu.index, id, calls->count, place, err);
    if (!st)
        tt_groups_rank_by_place(&l->groups, place);
    free(id);
    free(place);
    return st;
}

enum t2t_status tt_launches_host_only(struct tt_launches *l,
                                      const struct t2t_selection *selection,
                                      struct t2t_error *err)
{
    struct tt_host_calls calls;
    enum t2t_status st =
        tt_host_calls_read(&calls, l->streams.gpu.index, selection, err);

    if (!st)
        st = group_calls(l, &calls, err);
    if (!st)
        st = tt_rows_open(&l->rows, &tt_kind_launches_host_only, 0, 0, err);
    for (uint32_t i = 0; !st && i < l->groups.count; i++)
        add_host_row(l, &l->groups.item[i], &calls);
    tt_host_calls_release(&calls);
    return st;
}
