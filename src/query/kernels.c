/* kernels.c - durations of GPU events by name, stream and what launched them.
 */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include "query/group.h"
#include "query/launcher.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/row.h"
#include "query/said.h"

static const struct t2t_table_column columns[] = {
    {.name = "category", .type = T2T_STRING, .hide = 1},
    {.name = "launcher", .type = T2T_STRING},
    {.name = "kernel", .type = T2T_STRING, .flags = T2T_COLUMN_CUT},
    {.name = "stream", .type = T2T_STRING},
    {.name = "count", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL},
    {.name = "sum_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL},
    {.name = "mean", .unit = "ns", .type = T2T_REAL},
    {.name = "min_ns", .unit = "ns", .type = T2T_INTEGER, .hide = 3},
    {.name = "max_ns", .unit = "ns", .type = T2T_INTEGER, .hide = 2},
    {.name = "first_index", .type = T2T_INTEGER, .flags = T2T_COLUMN_HIDDEN},
    {.name = "percent", .unit = "%", .type = T2T_REAL, .flags = T2T_COLUMN_BAR},
};

/* What the events of a row have in common. */
struct kind {
    uint32_t category;
    uint32_t launcher; /* its name */
    uint32_t kernel;   /* name */
    uint32_t stream;   /* number of a text */
};

struct kernels {
    struct tt_gpu gpu;
    struct tt_launchers launchers;
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_intern texts;
    struct kind *kind; /* by event; owned */
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Groups the events, with their streams by number. */
static enum t2t_status group_events(struct kernels *k, const uint32_t *stream,
                                    struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < k->gpu.count; i++) {
        const struct tt_gpu_event *e = &k->gpu.event[i];
        const struct tt_launcher *l = &k->launchers.item[k->launchers.of[i]];

        k->kind[i] =
            (struct kind){l->category, l->name,
                          e->name == T2T_NO_ID ? k->launchers.unnamed : e->name,
                          stream[i]};
        st = tt_groups_add(&k->groups, &k->kind[i], sizeof(k->kind[i]),
                           tt_gpu_ns(e), err);
    }
    return st;
}

static enum t2t_status make_groups(struct kernels *k, struct t2t_error *err)
{
    static const char *const key[] = {"stream"};
    uint32_t count = k->gpu.count;
    t2t_id *id = malloc(((size_t)count + 1) * sizeof(*id));
    uint32_t *stream = malloc(((size_t)count + 1) * sizeof(*stream));
    enum t2t_status st = T2T_OK;

    k->kind = malloc(((size_t)count + 1) * sizeof(*k->kind));
    if (!id || !stream || !k->kind)
        st = no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        id[i] = k->gpu.event[i].id;
    if (!st)
        st = tt_said(k->gpu.index, id, count, key, 1, &k->texts, stream, err);
    if (!st)
        st = group_events(k, stream, err);
    if (!st)
        st = tt_groups_collect(&k->groups, err);
    if (!st)
        st = tt_places(k->gpu.index, id, count, stream, err); /* used up */
    if (!st)
        tt_groups_rank_by_place(&k->groups, stream);
    free(id);
    free(stream);
    return st;
}

static void add_row(struct kernels *k, const struct tt_group *g)
{
    const struct kind *kind = &k->kind[g->first];
    uint64_t min_ns = UINT64_MAX;
    uint64_t max_ns = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t ns = tt_gpu_ns(&k->gpu.event[k->groups.member[g->start + i]]);

        min_ns = ns < min_ns ? ns : min_ns;
        max_ns = ns > max_ns ? ns : max_ns;
    }
    tt_row_text(&k->rows,
                tt_op_category_text((enum tt_op_category)kind->category));
    tt_row_text(&k->rows, tt_launcher_name(&k->launchers, kind->launcher));
    tt_row_text(&k->rows, tt_launcher_name(&k->launchers, kind->kernel));
    tt_row_text(&k->rows, tt_said_text(&k->texts, kind->stream));
    tt_row_unsigned(&k->rows, g->count);
    tt_row_unsigned(&k->rows, g->amount);
    tt_row_real(&k->rows, tt_ratio(g->amount, g->count));
    tt_row_unsigned(&k->rows, min_ns);
    tt_row_unsigned(&k->rows, max_ns);
    tt_row_unsigned(&k->rows, g->place);
    tt_row_real(&k->rows, tt_percent(g->amount, k->groups.total));
}

enum t2t_status t2t_kernels(const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    struct kernels k = {.rows = {NULL, T2T_OK}};
    enum t2t_status st = tt_gpu_read(&k.gpu, index, selection, err);

    if (!st)
        st = tt_launchers_find(&k.launchers, &k.gpu, err);
    if (!st)
        st = make_groups(&k, err);
    if (!st)
        st = TT_ROWS_OPEN(&k.rows, "kernels", columns, err);
    for (uint32_t i = 0; !st && i < k.groups.count; i++)
        add_row(&k, &k.groups.item[i]);
    if (!st)
        st = tt_gpu_describe(&k.gpu, selection, k.rows.table, err);
    free(k.kind);
    tt_intern_release(&k.texts);
    tt_groups_release(&k.groups);
    tt_launchers_release(&k.launchers);
    tt_gpu_release(&k.gpu);
    return tt_rows_close(&k.rows, st, out, err);
}
