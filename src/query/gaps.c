/* gaps.c - the holes of streams as tables. */
#include <trace2tree/idle.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "query/columns.h"
#include "query/gap.h"
#include "query/kinds.h"
#include "query/ratio.h"
#include "query/row.h"
#include "query/sorted.h"

static enum t2t_status group_hole(struct tt_gaps *g, const struct tt_hole *h,
                                  const uint32_t *key, size_t bytes,
                                  struct t2t_error *err)
{
    return tt_groups_add(&g->groups, key, bytes, tt_hole_ns(h), err);
}

/* ---- the order of holes -------------------------------------------------- */

/* Puts the holes in order of their starts. */
static enum t2t_status put_in_order(struct tt_gaps *g, struct t2t_error *err)
{
    uint32_t count = g->holes.count;
    struct tt_hole_order *o = malloc(((size_t)count + 1) * sizeof(*o));

    g->order = malloc(((size_t)count + 1) * sizeof(*g->order));
    if (!o || !g->order) {
        free(o);
        return tt_no_memory(err);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_hole *h = &g->holes.item[i];

        o[i] = (struct tt_hole_order){h->time.start_ns, 0,
                                      tt_gap_event(g, h->next)->id, i};
    }
    tt_sort_unsorted(o, count, sizeof(*o), tt_hole_compare);
    for (uint32_t i = 0; i < count; i++)
        g->order[i] = o[i].number;
    free(o);
    return T2T_OK;
}

/* The hole that came n-th when they were grouped. */
static const struct tt_hole *member_at(const struct tt_gaps *g, uint32_t n)
{
    return &g->holes.item[g->order ? g->order[n] : n];
}

/* Ranks the groups: of equals the one of which a member came first. */
static enum t2t_status rank_groups(struct tt_gaps *g, struct t2t_error *err)
{
    enum t2t_status st = tt_groups_collect(&g->groups, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < g->groups.count; i++)
        g->groups.item[i].place = g->groups.item[i].first;
    tt_groups_rank(&g->groups);
    return T2T_OK;
}

/* The longest hole of a group, of equals the first. */
static const struct tt_hole *longest_of(const struct tt_gaps *g,
                                        const struct tt_group *of)
{
    const struct tt_hole *longest = member_at(g, of->first);

    for (uint32_t n = 0; n < of->count; n++) {
        const struct tt_hole *h = member_at(g, g->groups.member[of->start + n]);

        if (tt_hole_ns(h) > tt_hole_ns(longest))
            longest = h;
    }
    return longest;
}

/* ---- by stream ----------------------------------------------------------- */

static const struct t2t_table_column stream_columns[] = {
    TT_COLUMN_DEVICE(4),
    TT_COLUMN_TID(0),
    {.name = "class",
     .type = T2T_STRING,
     .heading = "waits for",
     .help = "host, stream (another one), other; short; or it is busy"},
    {.name = "count",
     .type = T2T_INTEGER,
     .help = "holes; of busy: GPU events"},
    TT_COLUMN_HOLE_SUM(0),
    TT_COLUMN_MEAN_OF_SUM(2),
    TT_COLUMN_LONGEST_HOLE(3),
    {.name = "percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .heading = "share",
     .help = "share of all rows of the stream; else of all holes"},
    {.name = "cause",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .heading = "mostly",
     .help = "call the host was in; GPU event of another stream, or wait; by "
             "stream: that of most of the time"},
    {.name = "cause_percent",
     .unit = "%",
     .type = T2T_REAL,
     .hide = 1,
     .heading = "of it",
     .help = "share of that cause of the row"},
};

const struct tt_kind tt_kind_gaps_by_stream =
    TT_KIND("gaps-by-stream", stream_columns);

/* A row by stream under way. */
struct class_sum {
    uint32_t count;
    uint64_t ns;
    uint64_t max_ns;
    uint32_t cause; /* number of the largest group, or UINT32_MAX */
};

/* Adds up the holes of a stream by class. */
static uint64_t sum_classes(const struct tt_gaps *g,
                            const struct tt_hole_stream *s,
                            struct class_sum sum[TT_HOLE_CLASSES])
{
    uint64_t idle_ns = 0;

    for (int i = 0; i < TT_HOLE_CLASSES; i++)
        sum[i] = (struct class_sum){.cause = UINT32_MAX};
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const struct tt_hole *h = &g->holes.item[i];
        struct class_sum *of = &sum[h->class];
        uint64_t ns = tt_hole_ns(h);
        uint32_t group = g->groups.of[i];

        of->count++;
        of->ns += ns; /* no more than from the first start to the last end */
        of->max_ns = ns > of->max_ns ? ns : of->max_ns;
        if (of->cause == UINT32_MAX ||
            g->groups.item[group].amount > g->groups.item[of->cause].amount)
            of->cause = group;
        idle_ns += ns;
    }
    return idle_ns;
}

static void add_class(struct tt_gaps *g, const struct tt_hole_stream *s,
                      const char *class, const struct class_sum *of,
                      uint64_t all_ns)
{
    bool is_busy = of->cause == UINT32_MAX && of->count;

    tt_row_stream(&g->rows, g->streams.gpu.index, s->lane, &g->name);
    tt_row_text(&g->rows, t2t_text_of(class));
    tt_row_unsigned(&g->rows, of->count);
    tt_row_unsigned(&g->rows, of->ns);
    if (is_busy || !of->count) {
        tt_row_null(&g->rows);
        tt_row_null(&g->rows);
    } else {
        tt_row_real(&g->rows, tt_ratio(of->ns, of->count));
        tt_row_unsigned(&g->rows, of->max_ns);
    }
    tt_row_real(&g->rows, tt_percent(of->ns, all_ns));
    if (is_busy || !of->count) {
        tt_row_null(&g->rows);
        tt_row_null(&g->rows);
        return;
    }
    tt_row_text(
        &g->rows,
        tt_gap_cause_text(g, &g->holes.item[g->groups.item[of->cause].first]));
    tt_row_real(&g->rows, tt_percent(g->groups.item[of->cause].amount, of->ns));
}

/* The name of a cause by which holes are grouped. */
static uint32_t cause_of(const struct tt_gaps *g, const struct tt_hole *h,
                         uint32_t unnamed)
{
    uint32_t name = tt_gap_cause_name(g, h);

    return name == T2T_NO_ID ? unnamed : name;
}

static enum t2t_status by_stream(struct tt_gaps *g, uint64_t min_ns,
                                 struct t2t_error *err)
{
    uint32_t unnamed = tt_unnamed(g->streams.gpu.index);
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < g->holes.count; i++) {
        const struct tt_hole *h = &g->holes.item[i];
        uint32_t key[] = {tt_gap_event(g, h->next)->lane, h->class,
                          cause_of(g, h, unnamed)};

        st = group_hole(g, h, key, sizeof(key), err);
    }
    if (!st)
        st = tt_rows_open(&g->rows, &tt_kind_gaps_by_stream, 0, 0, err);
    for (uint32_t i = 0; !st && i < g->holes.stream_count; i++) {
        const struct tt_hole_stream *s = &g->holes.stream[i];
        struct class_sum sum[TT_HOLE_CLASSES];
        struct class_sum busy = {.count = s->event_count,
                                 .ns = s->busy_ns,
                                 .cause = UINT32_MAX};
        uint64_t all_ns = sum_classes(g, s, sum) + s->busy_ns;

        for (int c = 0; c < TT_HOLE_CLASSES; c++)
            if (c != TT_SHORT || min_ns)
                add_class(g, s, tt_gap_class_text(c), &sum[c], all_ns);
        add_class(g, s, "busy", &busy, all_ns);
    }
    return st;
}

/* ---- by cause ------------------------------------------------------------ */

static const struct t2t_table_column cause_columns[] = {
    {.name = "class",
     .type = T2T_STRING,
     .heading = "waits for",
     .help = "host, stream (another one), other; short"},
    {.name = "cause",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "call the host was in; GPU event of the other stream"},
    TT_COLUMN_HOLES,
    TT_COLUMN_HOLE_SUM(T2T_COLUMN_TOTAL),
    TT_COLUMN_MEAN_OF_SUM(2),
    TT_COLUMN_LONGEST_HOLE(1),
    TT_COLUMN_HOLE_SHARE,
    {.name = "next_id",
     .type = T2T_INTEGER,
     .hide = 3,
     .heading = "next",
     .help = "NODE of show: what ran behind the longest hole"},
    {.name = "cause_id",
     .type = T2T_INTEGER,
     .heading = "node",
     .help = "NODE of show and stack: the cause of the longest hole"},
};

const struct tt_kind tt_kind_gaps_by_cause =
    TT_KIND("gaps-by-cause", cause_columns);

static enum t2t_status by_cause(struct tt_gaps *g, struct t2t_error *err)
{
    uint32_t unnamed = tt_unnamed(g->streams.gpu.index);
    enum t2t_status st = put_in_order(g, err);

    for (uint32_t i = 0; !st && i < g->holes.count; i++) {
        const struct tt_hole *h = member_at(g, i);
        uint32_t key[] = {h->class, cause_of(g, h, unnamed)};

        st = group_hole(g, h, key, sizeof(key), err);
    }
    if (!st)
        st = rank_groups(g, err);
    if (!st)
        st = tt_rows_open(&g->rows, &tt_kind_gaps_by_cause, 0, 0, err);
    for (uint32_t i = 0; !st && i < g->groups.count; i++) {
        const struct tt_group *of = &g->groups.item[i];
        const struct tt_hole *longest = longest_of(g, of);

        tt_row_text(&g->rows, t2t_text_of(tt_gap_class_text(longest->class)));
        tt_row_text(&g->rows, tt_gap_cause_text(g, longest));
        tt_row_unsigned(&g->rows, of->count);
        tt_row_sum(&g->rows, of->amount);
        tt_row_real(&g->rows, tt_ratio(of->amount, of->count));
        tt_row_unsigned(&g->rows, tt_hole_ns(longest));
        tt_row_real(&g->rows, tt_percent(of->amount, g->groups.total));
        tt_row_id(&g->rows, tt_gap_event(g, longest->next)->id);
        tt_row_id(&g->rows, tt_gap_cause(g, longest));
    }
    return st;
}

/* ---- by operation -------------------------------------------------------- */

static const struct t2t_table_column op_columns[] = {
    {.name = "op",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help =
         "operation that launched what runs behind the hole, else the launch"},
    TT_COLUMN_HOLES,
    TT_COLUMN_HOLE_SUM(T2T_COLUMN_TOTAL),
    {.name = "host_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL | T2T_COLUMN_PART,
     .hide = 1,
     .heading = "for host",
     .help = "of sum_ns: of class host"},
    {.name = "stream_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL | T2T_COLUMN_PART,
     .hide = 2,
     .heading = "for stream",
     .help = "of sum_ns: of class stream"},
    {.name = "other_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL | T2T_COLUMN_PART,
     .hide = 3,
     .heading = "other",
     .help = "of sum_ns: of class other"},
    {.name = "short_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "of sum_ns: holes shorter than --min"},
    TT_COLUMN_MEAN_OF_SUM(5),
    TT_COLUMN_LONGEST_HOLE(4),
    TT_COLUMN_HOLE_SHARE,
    {.name = "next_id",
     .type = T2T_INTEGER,
     .heading = "next",
     .help = "NODE of show and stack: what ran behind the longest hole"},
};

const struct tt_kind tt_kind_gaps_by_op = TT_KIND("gaps-by-op", op_columns);

static void add_op(struct tt_gaps *g, const struct tt_group *of)
{
    const struct tt_hole *longest = longest_of(g, of);
    unsigned __int128 ns[TT_HOLE_CLASSES] = {0};

    for (uint32_t n = 0; n < of->count; n++) {
        const struct tt_hole *h = member_at(g, g->groups.member[of->start + n]);

        ns[h->class] += tt_hole_ns(h);
    }
    tt_row_text(&g->rows,
                tt_launcher_name(&g->launchers, tt_gap_op(g, longest)));
    tt_row_unsigned(&g->rows, of->count);
    tt_row_sum(&g->rows, of->amount);
    for (int c = 0; c < TT_HOLE_CLASSES; c++)
        tt_row_sum(&g->rows, ns[c]);
    tt_row_real(&g->rows, tt_ratio(of->amount, of->count));
    tt_row_unsigned(&g->rows, tt_hole_ns(longest));
    tt_row_real(&g->rows, tt_percent(of->amount, g->groups.total));
    tt_row_id(&g->rows, tt_gap_event(g, longest->next)->id);
}

static enum t2t_status by_op(struct tt_gaps *g, struct t2t_error *err)
{
    enum t2t_status st = tt_launchers_find(&g->launchers, &g->streams.gpu, err);

    if (!st)
        st = put_in_order(g, err);
    for (uint32_t i = 0; !st && i < g->holes.count; i++) {
        const struct tt_hole *h = member_at(g, i);
        uint32_t name = tt_gap_op(g, h);

        st = group_hole(g, h, &name, sizeof(name), err);
    }
    if (!st)
        st = rank_groups(g, err);
    if (!st)
        st = tt_rows_open(&g->rows, &tt_kind_gaps_by_op, 0, 0, err);
    for (uint32_t i = 0; !st && i < g->groups.count; i++)
        add_op(g, &g->groups.item[i]);
    return st;
}

static enum t2t_status make_table(struct tt_gaps *g, enum t2t_gaps_by by,
                                  uint64_t min_ns, struct t2t_error *err)
{
    switch (by) {
    case T2T_GAPS_BY_STREAM:
        return by_stream(g, min_ns, err);
    case T2T_GAPS_BY_CAUSE:
        return by_cause(g, err);
    case T2T_GAPS_BY_OP:
        return by_op(g, err);
    case T2T_GAPS_BY_HOLE:
        return tt_gaps_by_hole(g, err);
    }
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                    "no such table of holes: %d", (int)by);
}

/* Says what min_ns left out. */
static enum t2t_status describe_short(struct tt_gaps *g, uint64_t min_ns,
                                      struct t2t_error *err)
{
    t2t_table *table = g->rows.table;
    uint64_t ns = 0;
    uint32_t count = 0;
    char json[3][24];
    enum t2t_status st;

    for (uint32_t i = 0; i < g->holes.count; i++)
        if (g->holes.item[i].class == TT_SHORT) {
            ns = tt_sum(ns, tt_hole_ns(&g->holes.item[i]));
            count++;
        }
    (void)snprintf(json[0], sizeof(json[0]), "%" PRIu64, min_ns);
    (void)snprintf(json[1], sizeof(json[1]), "%" PRIu32, count);
    (void)snprintf(json[2], sizeof(json[2]), "%" PRIu64, ns);
    st = t2t_table_select(table, "min_ns", json[0]);
    if (!st)
        st = t2t_table_select(table, "short_holes", json[1]);
    if (!st)
        st = t2t_table_select(table, "short_ns", json[2]);
    return st ? tt_no_memory(err) : T2T_OK;
}

enum t2t_status t2t_gaps(const t2t_index *index,
                         const struct t2t_selection *selection,
                         enum t2t_gaps_by by, uint64_t min_ns, t2t_table **out,
                         struct t2t_error *err)
{
    struct tt_gaps g = {.rows = {NULL, T2T_OK}};
    bool linked_only = selection && selection->linked_only;
    enum t2t_status st =
        tt_streams_read(&g.streams, index, linked_only, selection, err);

    if (!st)
        st = tt_holes_find(&g.holes, &g.streams, min_ns, err);
    if (!st)
        st = make_table(&g, by, min_ns, err);
    if (!st)
        st = tt_streams_describe(&g.streams, selection, g.rows.table, err);
    if (!st && min_ns)
        st = describe_short(&g, min_ns, err);
    free(g.order);
    tt_groups_release(&g.groups);
    tt_launchers_release(&g.launchers);
    tt_holes_release(&g.holes);
    tt_streams_release(&g.streams);
    return tt_rows_close(&g.rows, st, out, err);
}
