/* modules.c - GPU time of modules. */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include "query/frames.h"
#include "query/place.h"
#include "query/row.h"

static const struct t2t_table_column frame_columns[] = {
    {.name = "index", .type = T2T_INTEGER},
    {.name = "name", .type = T2T_STRING, .flags = T2T_COLUMN_CUT},
    {.name = "parent", .type = T2T_INTEGER, .hide = 1},
    {.name = "gpu_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "own_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "gpu_events", .type = T2T_INTEGER},
};

static const struct t2t_table_column backward_columns[] = {
    {.name = "index", .type = T2T_INTEGER},
    {.name = "name", .type = T2T_STRING, .flags = T2T_COLUMN_CUT},
    {.name = "parent", .type = T2T_INTEGER, .hide = 1},
    {.name = "gpu_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "own_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "gpu_events", .type = T2T_INTEGER},
    {.name = "gpu_ns_fwd", .unit = "ns", .type = T2T_INTEGER},
    {.name = "gpu_ns_bwd", .unit = "ns", .type = T2T_INTEGER},
    {.name = "gpu_events_fwd", .type = T2T_INTEGER, .flags = T2T_COLUMN_HIDDEN},
    {.name = "gpu_events_bwd", .type = T2T_INTEGER, .flags = T2T_COLUMN_HIDDEN},
};

struct modules {
    struct tt_gpu gpu;
    struct tt_frames frames;
    struct tt_rows rows;
    uint32_t *place; /* of each frame in traceEvents; owned */
    bool backward;
};

/* A frame in the order of the trace. */
struct placed {
    uint32_t place;
    uint32_t frame;
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

static int compare_placed(const void *left, const void *right)
{
    const struct placed *a = left;
    const struct placed *b = right;

    return (a->place > b->place) - (a->place < b->place);
}

static enum t2t_status find_places(struct modules *m, struct t2t_error *err)
{
    uint32_t count = m->frames.count;
    t2t_id *id = malloc(((size_t)count + 1) * sizeof(*id));
    enum t2t_status st = T2T_OK;

    m->place = malloc(((size_t)count + 1) * sizeof(*m->place));
    if (!id || !m->place)
        st = no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        id[i] = m->frames.item[i].id;
    if (!st)
        st = tt_places(m->gpu.index, id, count, m->place, err);
    free(id);
    return st;
}

static void add_frame(struct modules *m, uint32_t i)
{
    const struct tt_frame *f = &m->frames.item[i];
    struct tt_rows *r = &m->rows;

    tt_row_unsigned(r, m->place[i]);
    tt_row_text(r, t2t_index_string(m->gpu.index, f->name));
    if (f->parent == TT_NO_FRAME)
        tt_row_integer(r, -1);
    else
        tt_row_unsigned(r, m->place[f->parent]);
    tt_row_unsigned(r, f->work[TT_BOTH].busy_ns);
    tt_row_unsigned(r, f->own_ns);
    tt_row_unsigned(r, f->work[TT_BOTH].count);
    if (!m->backward)
        return;
    tt_row_unsigned(r, f->work[TT_FORWARD].busy_ns);
    tt_row_unsigned(r, f->work[TT_BACKWARD].busy_ns);
    tt_row_unsigned(r, f->work[TT_FORWARD].count);
    tt_row_unsigned(r, f->work[TT_BACKWARD].count);
}

static enum t2t_status by_frame(struct modules *m, struct t2t_error *err)
{
    uint32_t count = m->frames.count;
    struct placed *order = malloc(((size_t)count + 1) * sizeof(*order));
    enum t2t_status st = find_places(m, err);

    if (!st && !order)
        st = no_memory(err);
    if (!st && m->backward)
        st = TT_ROWS_OPEN(&m->rows, "modules-with-backward", backward_columns,
                          err);
    else if (!st)
        st = TT_ROWS_OPEN(&m->rows, "modules", frame_columns, err);
    for (uint32_t i = 0; !st && i < count; i++)
        order[i] = (struct placed){m->place[i], i};
    if (!st)
        qsort(order, count, sizeof(*order), compare_placed);
    for (uint32_t i = 0; !st && i < count; i++)
        add_frame(m, order[i].frame);
    free(order);
    return st;
}

enum t2t_status t2t_modules(const t2t_index *index,
                            const struct t2t_selection *selection,
                            bool backward, t2t_table **out,
                            struct t2t_error *err)
{
    struct modules m = {.rows = {NULL, T2T_OK}, .backward = backward};
    enum t2t_status st = tt_gpu_read(&m.gpu, index, selection, err);

    if (!st)
        st = tt_frames_measure(&m.frames, &m.gpu, backward, err);
    if (!st)
        st = by_frame(&m, err);
    if (!st)
        st = tt_gpu_describe(&m.gpu, selection, m.rows.table, err);
    free(m.place);
    tt_frames_release(&m.frames);
    tt_gpu_release(&m.gpu);
    return tt_rows_close(&m.rows, st, out, err);
}
