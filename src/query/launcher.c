/* launcher.c - finds what launched the GPU events. */
#include "query/launcher.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/place.h"

#define NOBODY UINT32_MAX

/* A node above the event looked at last: more events may be below it. */
struct open {
    t2t_id id;
    t2t_id end;         /* behind its subtree */
    uint32_t operation; /* the place in the stack of the nearest operation that
                           launches, at or above it; NOBODY: none */
    uint32_t launcher;  /* 1 + its number; 0: it is none yet */
    uint32_t first;     /* the first event below it */
};

/* What is needed while they are found. */
struct finding {
    struct tt_launchers *l;
    const t2t_index *index;
    struct open *open; /* from a root down to a launch; owned */
    size_t open_cap;
    uint32_t open_count;
    t2t_id *way; /* from a launch up to what is open; owned */
    size_t way_cap;
    uint8_t *categories; /* by name; owned */
    uint32_t *first;     /* by launcher: its first direct event; owned */
    uint32_t *start;     /* by launcher: the end of its part of `member`; owned
                          */
    struct tt_interval *member; /* direct ones, by launcher; owned */
    uint8_t *is_tied; /* by launcher: whether others start with its first, and
                         not all have its name; owned */
    bool has_ties;    /* whether one is */
    uint32_t execute; /* the name of operations to step over */
    size_t cap;       /* of l->item */
};

static enum t2t_status damaged(struct t2t_error *err, t2t_id id)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                    "element %" PRIu32 " holds an impossible value", id);
}

/* Adds the launcher that is node `id`; the events below it begin with number
 * `first`. */
static enum t2t_status add_launcher(struct finding *f, t2t_id id,
                                    bool is_unlinked, uint32_t first,
                                    struct t2t_error *err)
{
    struct tt_launchers *l = f->l;
    struct t2t_element e;

    if (t2t_index_element(f->index, id, &e) || e.lane == T2T_NO_ID)
        return damaged(err, id);
    if (!tt_vec_room(&l->item, &f->cap, l->count, sizeof(*l->item)))
        return tt_no_memory(err);
    l->item[l->count++] = (struct tt_launcher){
        .id = id,
        .lane = e.lane,
        .start_ns = e.start_ns,
        .below = {.first = first, .count = 1},
        .name = is_unlinked           ? l->unlinked
                : e.name == T2T_NO_ID ? l->unnamed
                                      : e.name,
        .is_unlinked = is_unlinked,
    };
    return T2T_OK;
}

/* Takes the nodes from the stack that end at or before `id`, that of event
 * number `i`: what is below them is before it. */
static void close_nodes(struct finding *f, t2t_id id, uint32_t i)
{
    while (f->open_count) {
        const struct open *top = &f->open[f->open_count - 1];

        if (top->end > id)
            break;
        if (top->launcher)
            f->l->item[top->launcher - 1].below.count = i - top->first;
        f->open_count--;
    }
}

/* Puts node `id`, a child of what was opened last, on the stack, as event
 * number `i` is the first below it. */
static enum t2t_status open_node(struct finding *f, t2t_id id, uint32_t i,
                                 struct t2t_error *err)
{
    struct t2t_element e;
    uint32_t n = f->open_count;

    if (t2t_index_element(f->index, id, &e))
        return damaged(err, id);
    if (!tt_vec_room(&f->open, &f->open_cap, n, sizeof(*f->open)))
        return tt_no_memory(err);
    f->open[n] =
        (struct open){.id = id, .end = id + e.size, .operation = n, .first = i};
    if (e.layer != T2T_LAYER_OPERATION || e.name == f->execute)
        f->open[n].operation = n ? f->open[n - 1].operation : NOBODY;
    f->open_count++;
    return T2T_OK;
}

/*
 * Makes the stack that of the nodes from a root down to the launch of event
 * number `i`.  As events come by id, and what is below a node is a range of
 * ids, each node is opened once.
 */
static enum t2t_status open_launch(struct finding *f, uint32_t i,
                                   struct t2t_error *err)
{
    const struct tt_gpu_event *e = &f->l->gpu->event[i];
    enum t2t_status st = T2T_OK;
    t2t_id top = T2T_NO_ID;
    uint32_t count = 0;
    t2t_id id;

    if (f->open_count)
        top = f->open[f->open_count - 1].id;
    for (id = e->launch; id != T2T_NO_ID && (top == T2T_NO_ID || id > top);
         id = t2t_index_parent(f->index, id)) {
        if (!tt_vec_room(&f->way, &f->way_cap, count, sizeof(*f->way)))
            return tt_no_memory(err);
        f->way[count++] = id;
    }
    if (id != top)
        return damaged(err, e->id);
    while (!st && count)
        st = open_node(f, f->way[--count], i, err);
    return st;
}

/* Finds the launcher of event `i`. */
static enum t2t_status find_launcher(struct finding *f, uint32_t i,
                                     struct t2t_error *err)
{
    const struct tt_gpu_event *e = &f->l->gpu->event[i];
    enum t2t_status st;
    struct open *top;

    close_nodes(f, e->id, i);
    if (e->launch == T2T_NO_ID) {
        f->l->of[i] = f->l->count;
        return add_launcher(f, e->id, true, i, err);
    }
    st = open_launch(f, i, err);
    if (st)
        return st;
    top = &f->open[f->open_count - 1];
    if (top->operation != NOBODY)
        top = &f->open[top->operation];
    if (!top->launcher) {
        st = add_launcher(f, top->id, false, top->first, err);
        top->launcher = f->l->count;
    }
    f->l->of[i] = top->launcher - 1;
    return st;
}

/* Gives each GPU event its launcher. */
static enum t2t_status find_launchers(struct finding *f, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < f->l->gpu->count; i++)
        st = find_launcher(f, i, err);
    if (!st)
        close_nodes(f, T2T_NO_ID, f->l->gpu->count);
    return st;
}

/* Makes event `i` the first of its launcher if it starts earlier than others.
 * What starts with it is only noted: mostly it has the same name, and only the
 * name matters. */
static void see_first(struct finding *f, uint32_t i)
{
    const struct tt_gpu_event *event = f->l->gpu->event;
    uint32_t n = f->l->of[i];
    uint32_t *first = &f->first[n];

    if (*first == T2T_NO_ID ||
        event[i].time.start_ns < event[*first].time.start_ns) {
        *first = i;
        f->is_tied[n] = 0;
    } else if (event[i].time.start_ns == event[*first].time.start_ns &&
               event[i].name != event[*first].name) {
        f->is_tied[n] = 1;
        f->has_ties = true;
    }
}

/* Of direct events that start together, makes that the first which stands first
 * in the trace. */
static enum t2t_status settle_first(struct finding *f, struct t2t_error *err)
{
    const struct tt_gpu *gpu = f->l->gpu;
    struct t2t_index_info info;
    uint32_t *place;
    enum t2t_status st;

    if (!f->has_ties)
        return T2T_OK;
    t2t_index_info(f->index, &info);
    place = malloc(((size_t)info.element_count + 1) * sizeof(*place));
    if (!place)
        return tt_no_memory(err);
    st = t2t_index_all_positions(f->index, place, err);
    for (uint32_t i = 0; !st && i < gpu->count; i++) {
        const struct tt_gpu_event *e = &gpu->event[i];
        uint32_t *first = &f->first[f->l->of[i]];

        if (e->bucket != TT_COMMUNICATION && f->is_tied[f->l->of[i]] &&
            e->time.start_ns == gpu->event[*first].time.start_ns &&
            place[e->id] < place[gpu->event[*first].id])
            *first = i;
    }
    free(place);
    return st;
}

/* Sorts the direct events by launcher, and finds the first of each. */
static enum t2t_status collect_direct(struct finding *f, struct t2t_error *err)
{
    struct tt_launchers *l = f->l;
    const struct tt_gpu *gpu = l->gpu;
    uint32_t at = 0;

    f->first = malloc(((size_t)l->count + 1) * sizeof(*f->first));
    f->start = malloc(((size_t)l->count + 1) * sizeof(*f->start));
    f->member = malloc(((size_t)gpu->count + 1) * sizeof(*f->member));
    f->is_tied = calloc((size_t)l->count + 1, 1);
    if (!f->first || !f->start || !f->member || !f->is_tied)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < gpu->count; i++)
        if (gpu->event[i].bucket != TT_COMMUNICATION)
            l->item[l->of[i]].direct_count++;
    for (uint32_t i = 0; i < l->count; i++) {
        f->first[i] = T2T_NO_ID;
        f->start[i] = at;
        at += l->item[i].direct_count;
    }
    for (uint32_t i = 0; i < gpu->count; i++) {
        if (gpu->event[i].bucket == TT_COMMUNICATION)
            continue;
        f->member[f->start[l->of[i]]++] = gpu->event[i].time;
        see_first(f, i);
    }
    return settle_first(f, err);
}

/* Measures the direct events of each launcher: f->start is behind them now. */
static void measure_direct(struct finding *f)
{
    for (uint32_t i = 0; i < f->l->count; i++) {
        struct tt_launcher *l = &f->l->item[i];

        l->direct_ns =
            tt_busy(f->member + f->start[i] - l->direct_count, l->direct_count);
    }
}

/* Measures what is below each. */
static enum t2t_status measure_subtrees(struct finding *f,
                                        struct t2t_error *err)
{
    struct tt_launchers *l = f->l;
    const struct tt_gpu *gpu = l->gpu;
    struct tt_run *run = malloc(((size_t)l->count + 1) * sizeof(*run));
    enum t2t_status st;

    if (!run)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < gpu->count; i++)
        f->member[i] = gpu->event[i].time;
    for (uint32_t i = 0; i < l->count; i++)
        run[i] = l->item[i].below;
    st = tt_busy_runs(f->member, gpu->count, run, l->count, err);
    for (uint32_t i = 0; !st && i < l->count; i++)
        l->item[i].subtree_ns = run[i].busy_ns;
    free(run);
    return st;
}

static struct t2t_text kernel_name(const struct finding *f, uint32_t event)
{
    if (event == T2T_NO_ID)
        return (struct t2t_text){NULL, 0};
    return t2t_index_string(f->index, f->l->gpu->event[event].name);
}

/* What the name of a launcher says, found once for each. */
static enum tt_op_category category_of_name(struct finding *f, uint32_t name)
{
    uint8_t *known = &f->categories[name];

    if (!*known)
        *known =
            (uint8_t)(1 + tt_op_category_of_name(tt_launcher_name(f->l, name)));
    return (enum tt_op_category)(*known - 1);
}

static void settle_categories(struct finding *f)
{
    for (uint32_t i = 0; i < f->l->count; i++) {
        struct tt_launcher *l = &f->l->item[i];
        enum tt_op_category category = TT_OP_CATEGORIES;

        if (!l->is_unlinked)
            category = category_of_name(f, l->name);
        if (category == TT_OP_CATEGORIES)
            category = tt_op_category_of_kernel(kernel_name(f, f->first[i]));
        l->category = (uint8_t)category;
    }
}

/* A launcher in the order of rows. */
struct ordered {
    int64_t start_ns;
    uint32_t place; /* of several with that start */
    uint32_t number;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered *a = left;
    const struct ordered *b = right;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Gives those that start together their places. */
static enum t2t_status settle_ties(const struct finding *f, struct ordered *o,
                                   uint32_t count, struct t2t_error *err)
{
    t2t_id *id = malloc(((size_t)count + 1) * sizeof(*id));
    uint32_t *at = malloc(((size_t)count + 1) * sizeof(*at));
    uint32_t *place = malloc(((size_t)count + 1) * sizeof(*place));
    uint32_t ties = 0;
    enum t2t_status st = T2T_OK;

    if (!id || !at || !place) {
        st = tt_no_memory(err);
        goto out;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!(i && o[i - 1].start_ns == o[i].start_ns) &&
            !(i + 1 < count && o[i + 1].start_ns == o[i].start_ns))
            continue;
        id[ties] = f->l->item[o[i].number].id;
        at[ties++] = i;
    }
    if (ties)
        st = tt_places(f->index, id, ties, place, err);
    for (uint32_t i = 0; !st && i < ties; i++)
        o[at[i]].place = place[i];
    if (!st && ties)
        qsort(o, count, sizeof(*o), compare_ordered);
out:
    free(id);
    free(at);
    free(place);
    return st;
}

/* Orders those that have direct events. */
static enum t2t_status put_in_order(struct finding *f, struct t2t_error *err)
{
    struct tt_launchers *l = f->l;
    struct ordered *o = malloc(((size_t)l->count + 1) * sizeof(*o));
    uint32_t count = 0;
    enum t2t_status st;

    l->order = malloc(((size_t)l->count + 1) * sizeof(*l->order));
    if (!o || !l->order) {
        free(o);
        return tt_no_memory(err);
    }
    for (uint32_t i = 0; i < l->count; i++)
        if (l->item[i].direct_count)
            o[count++] = (struct ordered){l->item[i].start_ns, 0, i};
    qsort(o, count, sizeof(*o), compare_ordered);
    st = settle_ties(f, o, count, err);
    for (uint32_t i = 0; i < count; i++)
        l->order[i] = o[i].number;
    l->row_count = count;
    free(o);
    return st;
}

/* The number of a text as a name: that of the string, if the index has it. */
static uint32_t name_of(const t2t_index *index, const char *text,
                        uint32_t otherwise)
{
    uint32_t string;

    if (t2t_index_find_string(index, t2t_text_of(text), &string))
        return otherwise;
    return string;
}

static enum t2t_status finding_init(struct finding *f, struct tt_launchers *l,
                                    const struct tt_gpu *gpu,
                                    struct t2t_error *err)
{
    struct t2t_index_info info;

    t2t_index_info(gpu->index, &info);
    *l = (struct tt_launchers){.gpu = gpu};
    *f = (struct finding){.l = l, .index = gpu->index};
    f->execute = name_of(gpu->index, "execute", T2T_NO_ID - 1);
    l->unlinked = name_of(gpu->index, "(unlinked)", info.string_count);
    l->unnamed = tt_unnamed(gpu->index);
    l->of = malloc(((size_t)gpu->count + 1) * sizeof(*l->of));
    f->categories = calloc((size_t)info.string_count + 2, 1);
    return l->of && f->categories ? T2T_OK : tt_no_memory(err);
}

enum t2t_status tt_launchers_find(struct tt_launchers *l,
                                  const struct tt_gpu *gpu,
                                  struct t2t_error *err)
{
    struct finding f;
    enum t2t_status st = finding_init(&f, l, gpu, err);

    if (!st)
        st = find_launchers(&f, err);
    if (!st)
        st = collect_direct(&f, err);
    if (!st) {
        settle_categories(&f);
        measure_direct(&f);
        st = measure_subtrees(&f, err);
    }
    if (!st)
        st = put_in_order(&f, err);
    free(f.open);
    free(f.way);
    free(f.categories);
    free(f.first);
    free(f.start);
    free(f.member);
    free(f.is_tied);
    return st;
}

void tt_launchers_trim(struct tt_launchers *l)
{
    free(l->item);
    free(l->of);
    free(l->order);
    l->item = NULL;
    l->of = NULL;
    l->order = NULL;
    l->count = 0;
    l->row_count = 0;
}

void tt_launchers_release(struct tt_launchers *l)
{
    tt_launchers_trim(l);
    *l = (struct tt_launchers){.gpu = NULL};
}

struct t2t_text tt_launcher_name(const struct tt_launchers *l, uint32_t name)
{
    struct t2t_index_info info;
    struct t2t_text text;

    t2t_index_info(l->gpu->index, &info);
    if (name >= info.string_count)
        return t2t_text_of(name == l->unlinked ? "(unlinked)" : "");
    text = t2t_index_string(l->gpu->index, name);
    return text.ptr ? text : t2t_text_of("");
}
