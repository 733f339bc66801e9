/* frames.c - finds the nn.Module frames and measures the work below them. */
#include "query/frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/climb.h"

/* What is needed while they are measured. */
struct measuring {
    struct tt_frames *frames;
    const struct tt_gpu *gpu;
    const t2t_index *index;
    struct tt_climb up;   /* to the owner of what is below a node */
    struct tt_climb home; /* to the frame of a forward operation */
    uint32_t *owner;      /* by event: 2 * frame + 1 if backward, or NOBODY */
    uint32_t *end;        /* by frame: behind its events in `time`; owned */
    struct tt_interval *time; /* of the events of a way, by owner; owned */
    struct tt_run *run;       /* by frame; owned */
    bool backward;
    bool has_backward; /* whether an event is backward work of its owner */
};

#define NOBODY UINT32_MAX

/* ---- finding ------------------------------------------------------------- */

/* By string: whether a Python frame of this name is a module. */
static uint8_t *list_module_names(const t2t_index *index, uint32_t strings)
{
    uint8_t *is_module = calloc((size_t)strings + 1, 1);

    for (uint32_t i = 0; is_module && i < strings; i++)
        is_module[i] =
            t2t_text_starts_with(t2t_index_string(index, i), "nn.Module:");
    return is_module;
}

/* Adds frame `id`, to be closed when its subtree ends. */
static enum t2t_status add_frame(struct tt_frames *f, t2t_id id, uint32_t name,
                                 uint32_t parent, struct t2t_error *err)
{
    if (!tt_vec_room(&f->item, &f->cap, f->count, sizeof(*f->item)))
        return tt_no_memory(err);
    f->item[f->count++] =
        (struct tt_frame){.id = id, .name = name, .parent = parent};
    return T2T_OK;
}

/* Closes the frames, from `open` up, that end at or before node `id`. */
static uint32_t close_frames(struct tt_frames *f, const struct t2t_columns *c,
                             uint32_t open, t2t_id id)
{
    while (open != TT_NO_FRAME) {
        struct tt_frame *top = &f->item[open];

        if (id < c->node_count && id - top->id < c->size[top->id])
            break;
        top->end = f->count;
        open = top->parent;
    }
    return open;
}

static enum t2t_status find_frames(struct tt_frames *f, const t2t_index *index,
                                   struct t2t_error *err)
{
    struct t2t_index_info info;
    struct t2t_columns c;
    uint8_t *is_module;
    uint32_t open = TT_NO_FRAME;
    enum t2t_status st = T2T_OK;

    t2t_index_info(index, &info);
    t2t_index_columns(index, &c);
    is_module = list_module_names(index, info.string_count);
    if (!is_module)
        return tt_no_memory(err);
    for (t2t_id id = 0; !st && id < c.node_count; id++) {
        if (c.name[id] >= info.string_count || !is_module[c.name[id]] ||
            t2t_index_category_layer(index, c.category[id]) != T2T_LAYER_PYTHON)
            continue;
        open = close_frames(f, &c, open, id);
        st = add_frame(f, id, c.name[id], open, err);
        open = f->count - 1;
    }
    if (!st)
        (void)close_frames(f, &c, open, T2T_NO_ID);
    free(is_module);
    return st;
}

/* The frame that node `id` is, or TT_NO_FRAME. */
static uint32_t frame_at(const struct tt_frames *f, t2t_id id)
{
    uint32_t low = 0;
    uint32_t high = f->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (f->item[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && f->item[low].id == id ? low : TT_NO_FRAME;
}

/* ---- owners -------------------------------------------------------------- */

/* 1 + the frame that node `id` is: see tt_climb_ask. */
static uint32_t ask_frame(void *context, t2t_id id)
{
    const struct measuring *m = context;
    uint32_t frame = frame_at(m->frames, id);

    return frame == TT_NO_FRAME ? 0 : 1 + frame;
}

/* 1 + the owner that node `id` gives to what is below it. */
static uint32_t ask_owner(void *context, t2t_id id)
{
    struct measuring *m = context;
    uint32_t frame = ask_frame(m, id);
    t2t_id forward;

    if (frame)
        return 1 + 2 * (frame - 1);
    if (!m->backward)
        return 0;
    forward = t2t_index_forward(m->index, id);
    if (forward == T2T_NO_ID)
        return 0;
    /* the module of an operation is above it, and it is none itself */
    frame = tt_climb(&m->home, t2t_index_parent(m->index, forward));
    return frame ? 1 + 2 * (frame - 1) + 1 : 0;
}

static enum t2t_status find_owners(struct measuring *m, struct t2t_error *err)
{
    enum t2t_status st = tt_climb_init(&m->up, m->index, ask_owner, m, err);

    if (!st)
        st = tt_climb_init(&m->home, m->index, ask_frame, m, err);
    m->owner = malloc(((size_t)m->gpu->count + 1) * sizeof(*m->owner));
    if (!st && !m->owner)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < m->gpu->count; i++) {
        uint32_t owner =
            tt_climb(&m->up, t2t_index_parent(m->index, m->gpu->event[i].id));

        m->owner[i] = owner ? owner - 1 : NOBODY;
        m->has_backward |= owner && (m->owner[i] & 1);
        m->frames->outside += !owner;
    }
    return st;
}

/* ---- measuring ----------------------------------------------------------- */

static bool is_of_way(uint32_t owner, enum tt_way way)
{
    return owner != NOBODY && (way == TT_BOTH || (owner & 1) == way);
}

/* Sorts the times of the events of a way by owner, and leaves in m->end where
 * those of each frame end. */
static void sort_times(struct measuring *m, enum tt_way way)
{
    uint32_t at = 0;

    memset(m->end, 0, (size_t)m->frames->count * sizeof(*m->end));
    for (uint32_t i = 0; i < m->gpu->count; i++)
        if (is_of_way(m->owner[i], way))
            m->end[m->owner[i] / 2]++;
    for (uint32_t i = 0; i < m->frames->count; i++) {
        uint32_t count = m->end[i];

        m->end[i] = at;
        at += count;
    }
    for (uint32_t i = 0; i < m->gpu->count; i++)
        if (is_of_way(m->owner[i], way))
            m->time[m->end[m->owner[i] / 2]++] = m->gpu->event[i].time;
}

/* Where the events of frame `i` begin. */
static uint32_t begin_of(const struct measuring *m, uint32_t i)
{
    return i ? m->end[i - 1] : 0;
}

static uint32_t time_count(const struct measuring *m)
{
    return begin_of(m, m->frames->count);
}

/* Measures what each frame owns itself; the times are sorted for TT_BOTH. */
static void measure_own(struct measuring *m)
{
    for (uint32_t i = 0; i < m->frames->count; i++) {
        struct tt_frame *f = &m->frames->item[i];
        uint32_t first = begin_of(m, i);

        f->own_count = m->end[i] - first;
        f->own_ns = tt_busy(m->time + first, f->own_count);
    }
}

/*
 * Puts the times in the order of ids, in which streams mostly ran the events,
 * so that runs are measured fast.  Without backward work the events below a
 * frame are a run in that order, too.
 */
static enum t2t_status put_in_order(struct measuring *m, struct t2t_error *err)
{
    uint32_t all = time_count(m);
    uint32_t count = 0;
    uint32_t frame = 0;

    for (uint32_t i = 0; i <= m->gpu->count; i++) {
        for (; frame < m->frames->count &&
               (i == m->gpu->count ||
                m->frames->item[frame].id < m->gpu->event[i].id);
             frame++) {
            m->run[frame].first = count;
            if (m->run[frame].count > all - count)
                return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                                "node %" PRIu32 " has an impossible size",
                                m->frames->item[frame].id);
        }
        if (i < m->gpu->count && m->owner[i] != NOBODY)
            m->time[count++] = m->gpu->event[i].time;
    }
    return T2T_OK;
}

static enum t2t_status measure_way(struct measuring *m, enum tt_way way,
                                   struct t2t_error *err)
{
    struct tt_frames *f = m->frames;
    enum t2t_status st = T2T_OK;

    sort_times(m, way);
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t first = begin_of(m, i);

        m->run[i] =
            (struct tt_run){first, begin_of(m, f->item[i].end) - first, 0};
    }
    if (way == TT_BOTH)
        measure_own(m);
    if (!m->has_backward)
        st = put_in_order(m, err);
    if (!st)
        st = tt_busy_runs(m->time, time_count(m), m->run, f->count, err);
    for (uint32_t i = 0; !st && i < f->count; i++)
        f->item[i].work[way] =
            (struct tt_work){m->run[i].busy_ns, m->run[i].count};
    return st;
}

/* Measures both ways apart. */
static enum t2t_status measure_ways(struct measuring *m, struct t2t_error *err)
{
    enum t2t_status st;

    if (!m->has_backward) {
        for (uint32_t i = 0; i < m->frames->count; i++)
            m->frames->item[i].work[TT_FORWARD] =
                m->frames->item[i].work[TT_BOTH];
        return T2T_OK;
    }
    st = measure_way(m, TT_FORWARD, err);
    return st ? st : measure_way(m, TT_BACKWARD, err);
}

enum t2t_status tt_frames_measure(struct tt_frames *frames,
                                  const struct tt_gpu *gpu, bool backward,
                                  struct t2t_error *err)
{
    struct measuring m = {.frames = frames,
                          .gpu = gpu,
                          .index = gpu->index,
                          .backward = backward};
    enum t2t_status st;

    *frames = (struct tt_frames){.count = 0};
    st = find_frames(frames, gpu->index, err);
    if (!st)
        st = find_owners(&m, err);
    m.end = malloc(((size_t)frames->count + 1) * sizeof(*m.end));
    m.run = malloc(((size_t)frames->count + 1) * sizeof(*m.run));
    m.time = malloc(((size_t)gpu->count + 1) * sizeof(*m.time));
    if (!st && (!m.end || !m.run || !m.time))
        st = tt_no_memory(err);
    if (!st)
        st = measure_way(&m, TT_BOTH, err);
    if (!st && backward)
        st = measure_ways(&m, err);
    tt_climb_release(&m.up);
    tt_climb_release(&m.home);
    free(m.owner);
    free(m.end);
    free(m.run);
    free(m.time);
    return st;
}

void tt_frames_release(struct tt_frames *frames)
{
    free(frames->item);
    *frames = (struct tt_frames){.count = 0};
}
