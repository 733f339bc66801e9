/* modules.c - GPU time of modules. */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include "base/buffer.h"
#include "query/columns.h"
#include "query/frames.h"
#include "query/group.h"
#include "query/modpath.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/row.h"

#define GPU_NS(text)                                                           \
    {                                                                          \
        .name = "gpu_ns", .unit = "ns", .type = T2T_INTEGER,                   \
        .flags = T2T_COLUMN_PART, .help = text                                 \
    }

#define OWN_NS                                                                 \
    {                                                                          \
        .name = "own_ns", .unit = "ns", .type = T2T_INTEGER,                   \
        .flags = T2T_COLUMN_PART,                                              \
        .help = "the same, of GPU events below no other frame in it"           \
    }

#define GPU_EVENTS                                                             \
    {                                                                          \
        .name = "gpu_events", .type = T2T_INTEGER, .help = "how many"          \
    }

/* What there is with backward. */
#define WAYS                                                                   \
    {.name = "gpu_ns_fwd",                                                     \
     .unit = "ns",                                                             \
     .type = T2T_INTEGER,                                                      \
     .flags = T2T_COLUMN_PART,                                                 \
     .hide = 3,                                                                \
     .help = "gpu_ns of forward work"},                                        \
        {.name = "gpu_ns_bwd",                                                 \
         .unit = "ns",                                                         \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_PART,                                             \
         .hide = 3,                                                            \
         .help = "gpu_ns of backward work"},                                   \
        {.name = "gpu_events_fwd",                                             \
         .type = T2T_INTEGER,                                                  \
         .flags = T2T_COLUMN_HIDDEN,                                           \
         .help = "gpu_events of forward work"},                                \
    {                                                                          \
        .name = "gpu_events_bwd", .type = T2T_INTEGER,                         \
        .flags = T2T_COLUMN_HIDDEN, .help = "gpu_events of backward work"      \
    }

#define FRAME                                                                  \
    {.name = "index",                                                          \
     .type = T2T_INTEGER,                                                      \
     .help = "place of the frame in traceEvents"},                             \
        {.name = "name",                                                       \
         .type = T2T_STRING,                                                   \
         .flags = T2T_COLUMN_CUT,                                              \
         .help = "of the frame"},                                              \
        {.name = "parent",                                                     \
         .type = T2T_INTEGER,                                                  \
         .hide = 1,                                                            \
         .help = "place of the frame above, -1: none"},                        \
        GPU_NS("union of the GPU events below"), OWN_NS, GPU_EVENTS

static const struct t2t_table_column frame_columns[] = {FRAME};

static const struct t2t_table_column backward_columns[] = {FRAME, WAYS};

static const struct t2t_table_column folded_columns[] = {
    {.name = "module",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "class, as Linear of Linear_7, or path of names from the top"},
    TT_COLUMN_COUNT("frames"),
    GPU_NS(
        "gpu_ns of the frames, but of those in another of the row, added up"),
    {.name = "own_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_PART,
     .help = "own_ns of all frames, added up"},
    {.name = "own_percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .heading = "own",
     .help = "share of the own_ns of all rows"},
    GPU_EVENTS,
    TT_COLUMN_FIRST_EVENT,
    WAYS,
};

const struct tt_kind tt_kind_modules = TT_KIND("modules", frame_columns);
const struct tt_kind tt_kind_modules_with_backward =
    TT_KIND("modules-with-backward", backward_columns);
const struct tt_kind tt_kind_modules_folded =
    TT_KIND("modules-folded", folded_columns);

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
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        id[i] = m->frames.item[i].id;
    if (!st)
        st = tt_places(m->gpu.index, id, count, m->place, err);
    free(id);
    return st;
}

/* What there is with backward. */
static void add_ways(struct tt_rows *r, const struct tt_work *work)
{
    tt_row_unsigned(r, work[TT_FORWARD].busy_ns);
    tt_row_unsigned(r, work[TT_BACKWARD].busy_ns);
    tt_row_unsigned(r, work[TT_FORWARD].count);
    tt_row_unsigned(r, work[TT_BACKWARD].count);
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
    if (m->backward)
        add_ways(r, f->work);
}

static enum t2t_status by_frame(struct modules *m, struct t2t_error *err)
{
    uint32_t count = m->frames.count;
    struct placed *order = malloc(((size_t)count + 1) * sizeof(*order));
    enum t2t_status st = find_places(m, err);

    if (!st && !order)
        st = tt_no_memory(err);
    if (!st)
        st = tt_rows_open(&m->rows,
                          m->backward ? &tt_kind_modules_with_backward
                                      : &tt_kind_modules,
                          0, 0, err);
    for (uint32_t i = 0; !st && i < count; i++)
        order[i] = (struct placed){m->place[i], i};
    if (!st)
        qsort(order, count, sizeof(*order), compare_placed);
    for (uint32_t i = 0; !st && i < count; i++)
        add_frame(m, order[i].frame);
    free(order);
    return st;
}

/* ---- folded -------------------------------------------------------------- */

/* Names of a path that are printed: more of them would let the table of a stack
 * of modules grow with the square of its depth. */
#define PATH_MAX_NAMES 64u

/* The sums of a row. */
struct fold {
    uint64_t own_ns;
    struct tt_work work[TT_WAYS];
    uint32_t behind; /* the first frame behind the last that was added: those
                        before it are in it */
};

static enum t2t_status group_frames(const struct modules *m, bool by_path,
                                    struct tt_groups *g, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < m->frames.count; i++) {
        const struct tt_frame *f = &m->frames.item[i];
        struct t2t_text class =
            t2t_module_class_name(t2t_index_string(m->gpu.index, f->name));
        uint32_t path[2] = {TT_NO_FRAME, f->name};

        if (f->parent != TT_NO_FRAME)
            path[0] = g->of[f->parent];
        st = by_path ? tt_groups_add(g, path, sizeof(path), f->own_ns, err)
                     : tt_groups_add(g, class.ptr, class.len, f->own_ns, err);
    }
    return st ? st : tt_groups_collect(g, err);
}

static void add_up(const struct modules *m, const struct tt_groups *g,
                   struct fold *fold)
{
    for (uint32_t i = 0; i < m->frames.count; i++) {
        const struct tt_frame *f = &m->frames.item[i];
        struct fold *to = &fold[g->of[i]];

        to->own_ns = tt_sum(to->own_ns, f->own_ns);
        if (i < to->behind)
            continue;
        to->behind = f->end;
        for (int w = 0; w < TT_WAYS; w++) {
            to->work[w].busy_ns =
                tt_sum(to->work[w].busy_ns, f->work[w].busy_ns);
            to->work[w].count += f->work[w].count;
        }
    }
}

/* Writes the path of a frame to `out`. */
static void write_path(const struct modules *m, uint32_t frame,
                       struct tt_buffer *out)
{
    uint32_t names[PATH_MAX_NAMES];
    uint32_t count = 0;

    for (; frame != TT_NO_FRAME && count < PATH_MAX_NAMES;
         frame = m->frames.item[frame].parent)
        names[count++] = m->frames.item[frame].name;
    tt_buffer_clear(out);
    if (frame != TT_NO_FRAME)
        tt_buffer_add(out, ".../", 4);
    while (count) {
        tt_modpath_add(out, t2t_index_string(m->gpu.index, names[--count]));
        if (count)
            tt_buffer_add_byte(out, '/');
    }
}

static void add_fold(struct modules *m, const struct tt_group *g,
                     struct t2t_text module, const struct fold *fold,
                     unsigned __int128 total_ns)
{
    struct tt_rows *r = &m->rows;

    tt_row_text(r, module);
    tt_row_unsigned(r, g->count);
    tt_row_unsigned(r, fold->work[TT_BOTH].busy_ns);
    tt_row_unsigned(r, fold->own_ns);
    tt_row_real(r, tt_percent(fold->own_ns, total_ns));
    tt_row_unsigned(r, fold->work[TT_BOTH].count);
    tt_row_unsigned(r, g->place);
    if (m->backward)
        add_ways(r, fold->work);
}

static enum t2t_status folded(struct modules *m, bool by_path,
                              struct t2t_error *err)
{
    struct tt_groups groups = {.count = 0};
    struct tt_buffer path = {0};
    struct fold *fold = NULL;
    enum t2t_status st = find_places(m, err);

    if (!st)
        st = group_frames(m, by_path, &groups, err);
    if (!st && !(fold = calloc((size_t)groups.count + 1, sizeof(*fold))))
        st = tt_no_memory(err);
    if (!st)
        st = tt_rows_open(&m->rows, &tt_kind_modules_folded, 0,
                          m->backward ? 0 : 4, err);
    if (!st) {
        add_up(m, &groups, fold);
        tt_groups_rank_by_place(&groups, m->place);
    }
    for (uint32_t i = 0; !st && i < groups.count; i++) {
        const struct tt_group *g = &groups.item[i];
        struct t2t_text module = t2t_module_class_name(
            t2t_index_string(m->gpu.index, m->frames.item[g->first].name));

        if (by_path) {
            write_path(m, g->first, &path);
            module = (struct t2t_text){path.ptr, path.len};
        }
        if (path.failed)
            st = tt_no_memory(err);
        add_fold(m, g, module, &fold[g->ordinal], groups.total);
    }
    free(fold);
    tt_buffer_release(&path);
    tt_groups_release(&groups);
    return st;
}

/* -------------------------------------------------------------------------- */

static enum t2t_status make_table(struct modules *m, enum t2t_modules_by by,
                                  struct t2t_error *err)
{
    switch (by) {
    case T2T_MODULES_BY_FRAME:
        return by_frame(m, err);
    case T2T_MODULES_BY_CLASS:
        return folded(m, false, err);
    case T2T_MODULES_BY_PATH:
        return folded(m, true, err);
    }
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no such table");
}

enum t2t_status t2t_modules(const t2t_index *index,
                            const struct t2t_selection *selection,
                            enum t2t_modules_by by, bool backward,
                            t2t_table **out, struct t2t_error *err)
{
    struct modules m = {.rows = {NULL, T2T_OK}, .backward = backward};
    enum t2t_status st = tt_gpu_read(&m.gpu, index, selection, err);

    if (!st)
        st = tt_frames_measure(&m.frames, &m.gpu, backward, err);
    if (!st)
        st = make_table(&m, by, err);
    if (!st)
        st = tt_gpu_describe(&m.gpu, selection, m.rows.table, err);
    free(m.place);
    tt_frames_release(&m.frames);
    tt_gpu_release(&m.gpu);
    return tt_rows_close(&m.rows, st, out, err);
}
