/* step.c - finds the recorded steps and what belongs to each. */
#include <trace2tree/step.h>

#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"

#define CATEGORY "user_annotation"
#define PREFIX "ProfilerStep#"

/* A step, and what searching needs beside it. */
struct record {
    struct t2t_step step;
    struct t2t_lane_id pid;
    int64_t reach_ns; /* the latest end of this step and those before it */
};

struct t2t_steps {
    const t2t_index *index;
    struct record *record; /* owned; by start, then by id */
    size_t cap;
    uint32_t count;
};

/* Whether `name` is that of a step, and its number. */
static bool read_number(struct t2t_text name, uint64_t *number)
{
    const size_t prefix = sizeof(PREFIX) - 1;
    uint64_t v = 0;

    if (!t2t_text_starts_with(name, PREFIX) || name.len == prefix)
        return false;
    for (size_t i = prefix; i < name.len; i++) {
        char c = name.ptr[i];

        if (c < '0' || c > '9' || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(c - '0'), &v))
            return false;
    }
    *number = v;
    return true;
}

/* An end past the last time there is, is that. */
static int64_t end_of(const struct t2t_element *e)
{
    int64_t end_ns;

    if (__builtin_add_overflow(e->start_ns, e->dur_ns, &end_ns))
        return INT64_MAX;
    return end_ns;
}

/* Takes element `id`, which has the category of a step, in if it is one. */
static enum t2t_status add_step(t2t_steps *s, t2t_id id, struct t2t_error *err)
{
    struct record r = {.step = {.id = id}};
    struct t2t_lane lane;
    struct t2t_element e;

    if (t2t_index_element(s->index, id, &e) ||
        (e.lane != T2T_NO_ID && t2t_index_lane(s->index, e.lane, &lane)))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "element %u holds an impossible value", id);
    if (e.phase != 'X' || !e.has_start || e.lane == T2T_NO_ID ||
        !read_number(t2t_index_string(s->index, e.name), &r.step.number))
        return T2T_OK;
    r.step.lane = e.lane;
    r.step.start_ns = e.start_ns;
    r.step.end_ns = end_of(&e);
    r.pid = lane.pid;
    if (!tt_vec_room(&s->record, &s->cap, s->count, sizeof(*s->record)))
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    s->record[s->count++] = r;
    return T2T_OK;
}

/* Takes in the steps among the elements of a category. */
static enum t2t_status add_steps(t2t_steps *s, const struct t2t_columns *c,
                                 uint32_t category, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (t2t_id id = c->node_count; !st && id < c->element_count; id++)
        if (c->category[id] == category)
            st = add_step(s, id, err);
    return st;
}

static int compare_records(const void *left, const void *right)
{
    const struct t2t_step *a = &((const struct record *)left)->step;
    const struct t2t_step *b = &((const struct record *)right)->step;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Puts the steps in order. */
static void settle(t2t_steps *s)
{
    int64_t reach_ns = INT64_MIN;

    if (s->count)
        qsort(s->record, s->count, sizeof(*s->record), compare_records);
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->record[i].step.end_ns > reach_ns)
            reach_ns = s->record[i].step.end_ns;
        s->record[i].reach_ns = reach_ns;
    }
}

enum t2t_status t2t_steps_open(t2t_steps **out, const t2t_index *index,
                               struct t2t_error *err)
{
    t2t_steps *s = calloc(1, sizeof(*s));
    struct t2t_index_info info;
    struct t2t_columns c;
    enum t2t_status st = T2T_OK;

    if (!s)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    s->index = index;
    t2t_index_info(index, &info);
    t2t_index_columns(index, &c);
    t2t_index_will_read(index, c.category + c.node_count,
                        (size_t)(c.element_count - c.node_count) *
                            sizeof(*c.category));
    for (uint32_t i = 0; !st && i < info.category_count; i++)
        if (t2t_text_equal(t2t_index_category(index, i), t2t_text_of(CATEGORY)))
            st = add_steps(s, &c, i, err);
    if (st) {
        t2t_steps_close(s);
        return st;
    }
    settle(s);
    *out = s;
    return T2T_OK;
}

void t2t_steps_close(t2t_steps *steps)
{
    if (!steps)
        return;
    free(steps->record);
    free(steps);
}

uint32_t t2t_steps_count(const t2t_steps *steps)
{
    return steps->count;
}

enum t2t_status t2t_steps_at(const t2t_steps *steps, uint32_t n,
                             struct t2t_step *out)
{
    if (n >= steps->count)
        return T2T_NOT_FOUND;
    *out = steps->record[n].step;
    return T2T_OK;
}

/* How many steps start at or before a time. */
static uint32_t started_by(const t2t_steps *s, int64_t time_ns)
{
    uint32_t low = 0;
    uint32_t high = s->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (s->record[middle].step.start_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The step that a time is in, of process `pid` if there is one; `pid` NULL:
 * of any. */
static uint32_t step_at(const t2t_steps *s, int64_t time_ns,
                        const struct t2t_lane_id *pid)
{
    uint32_t found = T2T_NO_STEP;
    uint32_t i = started_by(s, time_ns);

    while (i-- && s->record[i].reach_ns > time_ns) {
        if (s->record[i].step.end_ns <= time_ns)
            continue;
        if (!pid || t2t_lane_id_equal(pid, &s->record[i].pid))
            return i;
        if (found == T2T_NO_STEP)
            found = i;
    }
    return found;
}

uint32_t t2t_steps_of(const t2t_steps *steps, t2t_id id)
{
    t2t_id launch = t2t_index_launch(steps->index, id);
    struct t2t_element e;
    struct t2t_lane lane;
    bool has_process;

    if (launch != T2T_NO_ID)
        id = launch;
    if (t2t_index_element(steps->index, id, &e) || !e.has_start)
        return T2T_NO_STEP;
    has_process = e.layer != T2T_LAYER_GPU && e.lane != T2T_NO_ID &&
                  !t2t_index_lane(steps->index, e.lane, &lane);
    return step_at(steps, e.start_ns, has_process ? &lane.pid : NULL);
}
