/* gaps_by_hole.c - a row for each hole. */
#include <stdlib.h>

#include "query/columns.h"
#include "query/delay.h"
#include "query/gap.h"
#include "query/kinds.h"
#include "query/sorted.h"

static const struct t2t_table_column hole_columns[] = {
    {.name = "start_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .heading = "start",
     .hide = 1,
     .help = "when the stream fell idle"},
    {.name = "dur_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .heading = "idle",
     .help = "how long: until the next event starts"},
    {.name = "class",
     .type = T2T_STRING,
     .heading = "waits for",
     .help = "host, stream (another one), other"},
    TT_COLUMN_DEVICE(9),
    TT_COLUMN_TID(2),
    {.name = "cause",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "call the host was in; GPU event of the other stream"},
    {.name = "op",
     .type = T2T_STRING,
     .hide = 3,
     .help = "launched the next event"},
    {.name = "next",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .hide = 6,
     .help = "name of the GPU event that ends the hole"},
    {.name = "delay_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .heading = "delay",
     .hide = 5,
     .help = "start of the next event less that of its launch"},
    {.name = "host",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "call that the host was in"},
    {.name = "in_call_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .heading = "in call",
     .hide = 4,
     .help = "how long the host was in its call during the hole"},
    {.name = "next_id",
     .type = T2T_INTEGER,
     .hide = 3,
     .heading = "next id",
     .help = "NODE of show and stack"},
    {.name = "before_id",
     .type = T2T_INTEGER,
     .hide = 8,
     .heading = "before id",
     .help = "NODE of show: the GPU event that ends where the hole begins"},
    {.name = "host_id",
     .type = T2T_INTEGER,
     .hide = 7,
     .heading = "host id",
     .help = "NODE of show and stack: the call the host was in"},
    {.name = "cause_id",
     .type = T2T_INTEGER,
     .heading = "node",
     .help = "NODE of show and stack: the cause"},
};

const struct tt_kind tt_kind_gaps_by_hole =
    TT_KIND("gaps-by-hole", hole_columns);

/* What a row says: found in the order of the trace, as the order of rows is
 * another. */
struct hole_row {
    struct tt_hole_order order;
    int64_t delay_ns;
    uint64_t call_ns;
    t2t_id before; /* ids */
    t2t_id call;
    t2t_id cause;
    uint32_t next_name; /* string ids */
    uint32_t call_name;
    uint32_t cause_name; /* see tt_gap_cause_name() */
    uint32_t op;         /* name of a launcher */
    uint32_t lane;
    uint8_t class;
    bool has_launch;
};

static uint32_t name_number(const struct tt_gaps *g, t2t_id id)
{
    struct t2t_element e;

    return id == T2T_NO_ID || t2t_index_element(g->streams.gpu.index, id, &e)
               ? T2T_NO_ID
               : e.name;
}

static struct hole_row make_row(const struct tt_gaps *g,
                                const struct tt_hole *h)
{
    const struct tt_gpu_event *next = tt_gap_event(g, h->next);

    return (struct hole_row){
        .order = {h->time.start_ns, tt_hole_ns(h), next->id, 0},
        .delay_ns =
            tt_delay(g->streams.queued[h->next].launch_ns, next->time.start_ns),
        .call_ns = h->call_ns,
        .before = tt_gap_event(g, h->before)->id,
        .call = h->call,
        .cause = tt_gap_cause(g, h),
        .next_name = next->name,
        .call_name = name_number(g, h->call),
        .cause_name = tt_gap_cause_name(g, h),
        .op = tt_gap_op(g, h),
        .lane = next->lane,
        .class = h->class,
        .has_launch = next->launch != T2T_NO_ID,
    };
}

static void add_hole(struct tt_gaps *g, const struct hole_row *row,
                     int64_t origin_ns)
{
    tt_row_integer(&g->rows, tt_delay(origin_ns, row->order.start_ns));
    tt_row_unsigned(&g->rows, row->order.ns);
    tt_row_text(&g->rows, t2t_text_of(tt_gap_class_text(row->class)));
    tt_row_stream(&g->rows, g->streams.gpu.index, row->lane, &g->name);
    tt_row_text(&g->rows, tt_gap_text(g, row->class, row->cause_name));
    tt_row_text(&g->rows, tt_launcher_name(&g->launchers, row->op));
    tt_row_text(&g->rows, tt_gap_text(g, TT_SHORT, row->next_name));
    if (row->has_launch)
        tt_row_integer(&g->rows, row->delay_ns);
    else
        tt_row_null(&g->rows);
    if (row->call == T2T_NO_ID) {
        tt_row_null(&g->rows);
        tt_row_null(&g->rows);
    } else {
        tt_row_text(&g->rows, tt_gap_text(g, TT_SHORT, row->call_name));
        tt_row_unsigned(&g->rows, row->call_ns);
    }
    tt_row_id(&g->rows, row->order.next);
    tt_row_id(&g->rows, row->before);
    tt_row_id(&g->rows, row->call);
    tt_row_id(&g->rows, row->cause);
}

static int compare_rows(const void *left, const void *right)
{
    return tt_hole_compare(*(const struct hole_row *const *)left,
                           *(const struct hole_row *const *)right);
}

static enum t2t_status add_holes(struct tt_gaps *g, struct t2t_error *err)
{
    uint32_t count = g->holes.count;
    struct hole_row *row = malloc(((size_t)count + 1) * sizeof(*row));
    struct hole_row **order =
        malloc(((size_t)count + 1) * sizeof(struct hole_row *));
    struct t2t_index_info info;
    enum t2t_status st = row && order ? T2T_OK : tt_no_memory(err);
    uint32_t kept = 0;

    t2t_index_info(g->streams.gpu.index, &info);
    for (uint32_t i = 0; !st && i < count; i++) {
        if (g->holes.item[i].class == TT_SHORT)
            continue;
        row[kept] = make_row(g, &g->holes.item[i]);
        order[kept] = &row[kept];
        kept++;
    }
    if (!st)
        tt_sort_unsorted(order, kept, sizeof(struct hole_row *), compare_rows);
    for (uint32_t i = 0; !st && i < kept; i++)
        add_hole(g, order[i], info.origin_ns);
    free(row);
    free(order);
    return st;
}

enum t2t_status tt_gaps_by_hole(struct tt_gaps *g, struct t2t_error *err)
{
    enum t2t_status st = tt_launchers_find(&g->launchers, &g->streams.gpu, err);

    if (!st)
        st = tt_rows_open(&g->rows, &tt_kind_gaps_by_hole, 0, 0, err);
    return st ? st : add_holes(g, err);
}
