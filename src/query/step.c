/* step.c - finds the recorded steps and what belongs to each. */
#include <trace2tree/step.h>

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"

#define CATEGORY "user_annotation"
#define PREFIX "ProfilerStep#"

#define NONE UINT32_MAX

/* A step, and what searching needs beside it. */
struct record {
    struct t2t_step step;
    struct t2t_lane_id pid;
    uint32_t number; /* as t2t_steps_at() counts */
};

/*
 * Steps in an order, and a tree over them: node 1 is its root, the children of
 * node i are 2 i and 2 i + 1, step i is leaf `leaves` + i, and each node has
 * the latest end below it.
 */
struct series {
    struct record *record; /* owned */
    int64_t *latest_ns;    /* 2 * leaves; owned */
    size_t leaves;         /* a power of two */
};

struct t2t_steps {
    const t2t_index *index;
    struct series by_start;   /* then by id */
    struct series by_process; /* then by start, by id */
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
    if (!tt_vec_room(&s->by_start.record, &s->cap, s->count,
                     sizeof(*s->by_start.record)))
        return tt_no_memory(err);
    s->by_start.record[s->count++] = r;
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

/* Any order that tells processes apart. */
static int compare_processes(const struct t2t_lane_id *a,
                             const struct t2t_lane_id *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind != T2T_ID_TEXT)
        return (a->number > b->number) - (a->number < b->number);
    if (a->text.len != b->text.len)
        return a->text.len < b->text.len ? -1 : 1;
    return a->text.len ? memcmp(a->text.ptr, b->text.ptr, a->text.len) : 0;
}

static int compare_by_process(const void *left, const void *right)
{
    int order = compare_processes(&((const struct record *)left)->pid,
                                  &((const struct record *)right)->pid);

    return order ? order : compare_records(left, right);
}

/* Makes the tree over `count` records. */
static bool grow_tree(struct series *s, uint32_t count)
{
    size_t leaves = 1;

    while (leaves < count)
        leaves *= 2;
    s->latest_ns = malloc(2 * leaves * sizeof(*s->latest_ns));
    if (!s->latest_ns)
        return false;
    s->leaves = leaves;
    for (size_t i = 0; i < leaves; i++)
        s->latest_ns[leaves + i] =
            i < count ? s->record[i].step.end_ns : INT64_MIN;
    for (size_t i = leaves - 1; i; i--) {
        int64_t left_ns = s->latest_ns[2 * i];
        int64_t right_ns = s->latest_ns[2 * i + 1];

        s->latest_ns[i] = left_ns > right_ns ? left_ns : right_ns;
    }
    return true;
}

/* Puts the steps in both orders. */
static bool settle(t2t_steps *s)
{
    size_t bytes = (size_t)s->count * sizeof(struct record);

    if (!s->count)
        return true;
    s->by_process.record = malloc(bytes);
    if (!s->by_process.record)
        return false;
    qsort(s->by_start.record, s->count, sizeof(struct record), compare_records);
    for (uint32_t i = 0; i < s->count; i++)
        s->by_start.record[i].number = i;
    memcpy(s->by_process.record, s->by_start.record, bytes);
    qsort(s->by_process.record, s->count, sizeof(struct record),
          compare_by_process);
    return grow_tree(&s->by_start, s->count) &&
           grow_tree(&s->by_process, s->count);
}

enum t2t_status t2t_steps_open(t2t_steps **out, const t2t_index *index,
                               struct t2t_error *err)
{
    t2t_steps *s = calloc(1, sizeof(*s));
    struct t2t_index_info info;
    struct t2t_columns c;
    enum t2t_status st = T2T_OK;

    if (!s)
        return tt_no_memory(err);
    s->index = index;
    t2t_index_info(index, &info);
    t2t_index_columns(index, &c);
    t2t_index_will_read(index, c.category + c.node_count,
                        (size_t)(c.element_count - c.node_count) *
                            sizeof(*c.category));
    for (uint32_t i = 0; !st && i < info.category_count; i++)
        if (t2t_text_equal(t2t_index_category(index, i), t2t_text_of(CATEGORY)))
            st = add_steps(s, &c, i, err);
    if (!st && !settle(s))
        st = tt_no_memory(err);
    if (st) {
        t2t_steps_close(s);
        return st;
    }
    *out = s;
    return T2T_OK;
}

void t2t_steps_close(t2t_steps *steps)
{
    if (!steps)
        return;
    free(steps->by_start.record);
    free(steps->by_start.latest_ns);
    free(steps->by_process.record);
    free(steps->by_process.latest_ns);
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
    *out = steps->by_start.record[n].step;
    return T2T_OK;
}

/* How many steps of a series come before those of process `pid`, if it is not
 * NULL, and, if `time_ns` is not, before those that start later. */
static uint32_t count_before(const struct series *s, uint32_t count,
                             const struct t2t_lane_id *pid,
                             const int64_t *time_ns)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct record *r = &s->record[middle];
        int order = pid ? compare_processes(&r->pid, pid) : 0;

        if (order < 0 || (!order && time_ns && r->step.start_ns <= *time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last place in [low, high) of a series where a step ends after a time, or
 * NONE.  Goes back from `high` in the largest parts that are a node each. */
static uint32_t last_open(const struct series *s, uint32_t low, uint32_t high,
                          int64_t time_ns)
{
    while (low < high) {
        uint32_t size = high & -high;
        size_t node;

        while (size > high - low)
            size /= 2;
        node = (s->leaves + high - size) / size;
        if (s->latest_ns[node] > time_ns) {
            while (node < s->leaves)
                node = 2 * node + (s->latest_ns[2 * node + 1] > time_ns);
            return (uint32_t)(node - s->leaves);
        }
        high -= size;
    }
    return NONE;
}

/* The step that a time is in, of process `pid` if there is one; `pid` NULL:
 * of any. */
static uint32_t step_at(const t2t_steps *s, int64_t time_ns,
                        const struct t2t_lane_id *pid)
{
    uint32_t found = NONE;

    if (pid)
        found = last_open(&s->by_process,
                          count_before(&s->by_process, s->count, pid, NULL),
                          count_before(&s->by_process, s->count, pid, &time_ns),
                          time_ns);
    if (found != NONE)
        return s->by_process.record[found].number;
    found = last_open(&s->by_start, 0,
                      count_before(&s->by_start, s->count, NULL, &time_ns),
                      time_ns);
    return found == NONE ? T2T_NO_STEP : s->by_start.record[found].number;
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
