/* correlate.c - hash joins over the whole file. */
#include "merge/correlate.h"

#include <trace2tree/index.h>

#include "base/sort.h"

#define SEVERAL UINT32_MAX /* launches of several processes */

struct join {
    struct tt_trace *trace;
    struct tt_links *links;
    bool by_external;     /* no launch has a correlation */
    struct tt_idmap best; /* number -> launch, or SEVERAL */
    /* For the numbers of several processes only. */
    struct tt_idmap pids;  /* kind and value of a pid -> its number */
    struct tt_idmap owner; /* number of a pid, number -> launch */
    struct tt_idmap flows; /* number -> pid of the only flow, or SEVERAL */
};

void tt_links_release(struct tt_links *links)
{
    tt_memory_give(links->memory, links->child,
                   links->children * sizeof(*links->child));
    *links = (struct tt_links){0};
}

/* The number that joins, or 0. */
static uint64_t key_of(const struct join *j, const struct tt_event *e)
{
    if (j->by_external)
        return (e->flags & TT_B_SET) && !(e->flags & TT_B_NEGATIVE) ? e->b : 0;
    return (e->flags & TT_A_SET) && !(e->flags & TT_A_NEGATIVE) ? e->a : 0;
}

/* The number of a lane's pid; NULL when memory is short. */
static const uint32_t *pid_of(struct join *j, const struct tt_lane *lane)
{
    return tt_idmap_put(&j->pids, lane->pid.kind, lane->pid.value,
                        (uint32_t)j->pids.count);
}

/* Whether launch `a` owns rather than `b`. */
static bool owns_rather(const struct tt_event *a, const struct tt_event *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns > b->start_ns;
    if (a->end_ns != b->end_ns)
        return a->end_ns < b->end_ns;
    return a->position > b->position;
}

static bool is_one_process(const struct tt_trace *t, const struct tt_launch *a,
                           const struct tt_launch *b)
{
    return a->lane == b->lane ||
           tt_id_equal(t->lanes.lane[a->lane].pid, t->lanes.lane[b->lane].pid);
}

/* Adds launch `i` to those that own the number `key` in their process. */
static bool add_owner(struct join *j, uint64_t key, uint32_t i)
{
    const struct tt_trace *t = j->trace;
    const struct tt_launch *l = tt_trace_launch(t, i);
    const uint32_t *pid = pid_of(j, &t->lanes.lane[l->lane]);
    uint32_t *owner = pid ? tt_idmap_put(&j->owner, *pid, key, i) : NULL;

    if (owner && owns_rather(l->event, tt_trace_launch(t, *owner)->event))
        *owner = i;
    return owner != NULL;
}

static bool add_launch(struct join *j, uint64_t key, uint32_t i)
{
    const struct tt_launch *l = tt_trace_launch(j->trace, i);
    uint32_t *best = tt_idmap_put(&j->best, 0, key, i);
    const struct tt_launch *other;
    bool ok = true;

    if (!best)
        return false;
    if (*best == SEVERAL)
        return add_owner(j, key, i);
    other = tt_trace_launch(j->trace, *best);
    if (!is_one_process(j->trace, l, other)) {
        ok = add_owner(j, key, *best) && add_owner(j, key, i);
        *best = SEVERAL;
    } else if (owns_rather(l->event, other->event)) {
        *best = i;
    }
    return ok;
}

/* Says which launch will be added. */
static void expect_launch(const struct join *j, size_t i)
{
    const struct tt_trace *t = j->trace;

    if (i < t->launches.count)
        tt_idmap_expect(&j->best, 0, key_of(j, tt_trace_launch(t, i)->event));
}

static bool add_launches(struct join *j)
{
    struct tt_trace *t = j->trace;

    if (!tt_idmap_reserve(&j->best, t->launches.count))
        return false;
    for (uint32_t i = 0; i < t->launches.count; i++) {
        struct tt_event *e = tt_trace_launch(t, i)->event;
        uint64_t key = key_of(j, e);

        expect_launch(j, i + TT_IDMAP_AHEAD);
        if (!tt_watch_turn(t->watch, i) || (key && !add_launch(j, key, i)))
            return false;
        e->a = i;
    }
    return true;
}

/* The flow starts, which say whose number a shared one is. */
static bool add_flows(struct join *j)
{
    struct tt_trace *t = j->trace;

    for (size_t i = 0; j->owner.count && i < t->others.count; i++) {
        const struct tt_other *o = tt_trace_other(t, i);
        size_t before = j->flows.count;
        const uint32_t *pid;
        uint32_t *flow;

        if (!tt_watch_turn(t->watch, i))
            return false;
        if (!(o->flags & TT_FLOW_LAUNCH) || o->phase != 's' ||
            !(o->flags & TT_A_SET) || (o->flags & (TT_A_TEXT | TT_A_NEGATIVE)))
            continue;
        pid = pid_of(j, &t->lanes.lane[o->lane]);
        flow = pid ? tt_idmap_put(&j->flows, 0, o->a, *pid) : NULL;
        if (!flow)
            return false;
        if (j->flows.count == before)
            *flow = SEVERAL; /* not the first with this number */
    }
    return true;
}

/* The launch of a GPU event, or TT_NO_LAUNCH. */
static uint64_t owner_of(struct join *j, const struct tt_event *e)
{
    uint64_t key = key_of(j, e);
    const uint32_t *launch = key ? tt_idmap_get(&j->best, 0, key) : NULL;
    const uint32_t *pid;

    if (!launch)
        return TT_NO_LAUNCH;
    if (*launch != SEVERAL)
        return *launch;
    pid = tt_idmap_get(&j->flows, 0, key);
    launch = pid && *pid != SEVERAL ? tt_idmap_get(&j->owner, *pid, key) : NULL;
    if (!launch) {
        /* Where the element begins is looked up when the index is written. */
        tt_anomaly_note(&j->trace->anomalies, TT_ANOMALY_SHARED_CORRELATION,
                        e->position, TT_NO_OFFSET);
        return TT_NO_LAUNCH;
    }
    return *launch;
}

static int compare_children(const void *a, const void *b)
{
    const struct tt_event *x = ((const struct tt_child *)a)->event;
    const struct tt_event *y = ((const struct tt_child *)b)->event;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static bool is_gpu_lane(const struct tt_trace *t, size_t n)
{
    return t->lanes.lane[n].side == T2T_DEVICE;
}

/* Says which GPU event of a lane will be looked for. */
static void expect_owner(const struct join *j, const struct tt_lane_events *l,
                         size_t i)
{
    if (i < l->events.count)
        tt_idmap_expect(&j->best, 0, key_of(j, tt_lane_event(l, i)));
}

static bool find_owners(struct join *j)
{
    struct tt_trace *t = j->trace;

    for (size_t n = 0; n < t->lane_count; n++) {
        for (size_t i = 0; is_gpu_lane(t, n) && i < t->lane[n].events.count;
             i++) {
            struct tt_event *e = tt_lane_event(&t->lane[n], i);
            uint64_t launch = owner_of(j, e);

            expect_owner(j, &t->lane[n], i + TT_IDMAP_AHEAD);
            if (!tt_watch_turn(t->watch, i))
                return false;
            if (launch == TT_NO_LAUNCH)
                tt_anomaly_note(&t->anomalies, TT_ANOMALY_GPU_WITHOUT_LAUNCH,
                                e->position, TT_NO_OFFSET);
            else
                tt_trace_launch(t, launch)->count++;
            if (!e->start_ns)
                tt_anomaly_note(&t->anomalies, TT_ANOMALY_GPU_AT_ZERO,
                                e->position, TT_NO_OFFSET);
            e->a = launch;
        }
    }
    return true;
}

static bool sort_children(const struct join *j)
{
    const struct tt_trace *t = j->trace;

    for (size_t i = 0; i < t->launches.count; i++) {
        const struct tt_launch *l = tt_trace_launch(t, i);

        if (l->count > 1 && tt_sort(j->links->child + l->first, l->count,
                                    sizeof(*j->links->child), compare_children,
                                    t->memory, t->watch))
            return false;
    }
    return true;
}

/* Puts the children of each launch side by side. */
static bool gather_children(struct join *j)
{
    struct tt_trace *t = j->trace;
    struct tt_links *l = j->links;
    size_t first = 0;

    l->children = t->gpu_count + (size_t)1;
    l->child = tt_memory_take(l->memory, l->children * sizeof(*l->child));
    if (!l->child)
        return false;
    for (size_t i = 0; i < t->launches.count; i++) {
        struct tt_launch *launch = tt_trace_launch(t, i);

        launch->first = first;
        first += launch->count;
        launch->count = 0;
    }
    for (size_t n = 0; n < t->lane_count; n++) {
        for (size_t i = 0; is_gpu_lane(t, n) && i < t->lane[n].events.count;
             i++) {
            const struct tt_event *e = tt_lane_event(&t->lane[n], i);
            struct tt_launch *launch;

            if (!tt_watch_turn(t->watch, i))
                return false;
            if (e->a == TT_NO_LAUNCH)
                continue;
            launch = tt_trace_launch(t, e->a);
            l->child[launch->first + launch->count++] =
                (struct tt_child){e, (uint32_t)n};
        }
    }
    return sort_children(j);
}

enum t2t_status tt_links_make(struct tt_links *links, struct tt_trace *trace)
{
    struct join j = {.trace = trace, .links = links};
    bool ok;

    links->memory = trace->memory;
    j.best.memory = j.owner.memory = j.flows.memory = trace->memory;
    j.pids.memory = trace->memory;
    j.by_external = !trace->has_correlation;
    ok = add_launches(&j) && add_flows(&j) && find_owners(&j) &&
         gather_children(&j);
    tt_idmap_release(&j.best);
    tt_idmap_release(&j.pids);
    tt_idmap_release(&j.owner);
    tt_idmap_release(&j.flows);
    return ok ? T2T_OK : tt_watch_reason(trace->watch);
}
