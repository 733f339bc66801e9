/* order.c - merges the runs of a lane. */
#include "merge/order.h"

#include <trace2tree/index.h>

/* Recorded ids count for frames and operations; none sorts last. */
static bool has_recorded(const struct tt_event *e)
{
    return (e->flags & TT_A_SET) &&
           (e->layer == T2T_LAYER_PYTHON || e->layer == T2T_LAYER_OPERATION);
}

static int compare_recorded(const struct tt_event *a, const struct tt_event *b)
{
    bool has_a = has_recorded(a);
    bool has_b = has_recorded(b);
    int negative_a = (a->flags & TT_A_NEGATIVE) != 0;
    int negative_b = (b->flags & TT_A_NEGATIVE) != 0;

    if (!has_a || !has_b)
        return has_b - has_a;
    if (negative_a != negative_b)
        return negative_b - negative_a;
    return (a->a > b->a) - (a->a < b->a);
}

/* Below 0 when `a` comes first, by all but the position. */
static int compare(const struct tt_event *a, const struct tt_event *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    return compare_recorded(a, b);
}

bool tt_order_keeps(const struct tt_event *a, const struct tt_event *b)
{
    return compare(a, b) <= 0;
}

/* Whether the next event of run `a` comes before that of `b`: of equal ones
 * that which stands first in the file. */
static bool is_before(const struct tt_lane_events *lane,
                      const struct tt_run_head *a, const struct tt_run_head *b)
{
    int order;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns;
    order = compare(tt_lane_event(lane, a->at), tt_lane_event(lane, b->at));
    return order ? order < 0 : a->at < b->at;
}

/* Moves the head at `i` down to where it belongs. */
static void sink(struct tt_order *o, size_t i)
{
    struct tt_run_head moved = o->head[i];

    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= o->heads)
            break;
        if (child + 1 < o->heads &&
            is_before(o->lane, &o->head[child + 1], &o->head[child]))
            child++;
        if (!is_before(o->lane, &o->head[child], &moved))
            break;
        o->head[i] = o->head[child];
        i = child;
    }
    o->head[i] = moved;
}

/* Puts the run with the next event on top, which may be another one now. */
static void settle(struct tt_order *o)
{
    sink(o, 0);
    o->others_ns = INT64_MAX;
    for (size_t i = 1; i < o->heads && i < 3; i++)
        if (o->head[i].start_ns < o->others_ns)
            o->others_ns = o->head[i].start_ns;
}

size_t tt_order_runs(const struct tt_lane_events *lane)
{
    return lane->events.count ? lane->runs + 1 : 0;
}

uint32_t tt_order_run(const struct tt_lane_events *lane, size_t run,
                      uint32_t *end)
{
    *end = run < lane->runs ? lane->run[run] : (uint32_t)lane->events.count;
    return run ? lane->run[run - 1] : 0;
}

/* Makes a head of each run, or of the part of it that is wanted. */
static enum t2t_status make_heads(struct tt_order *o,
                                  const struct tt_lane_events *lane,
                                  const uint32_t *from, const uint32_t *end)
{
    size_t runs = tt_order_runs(lane);

    *o = (struct tt_order){.lane = lane, .runs = runs};
    o->head =
        tt_memory_take(lane->events.memory, (runs + 1) * sizeof(*o->head));
    if (!o->head)
        return T2T_ERR_NO_MEMORY;
    for (size_t i = 0; i < runs; i++) {
        struct tt_run_head h;

        h.at = tt_order_run(lane, i, &h.end);
        if (from) {
            h.at = from[i];
            h.end = end[i];
        }
        if (h.at == h.end)
            continue;
        h.start_ns = tt_lane_event(lane, h.at)->start_ns;
        o->head[o->heads++] = h;
    }
    for (size_t i = o->heads / 2; i-- > 0;)
        sink(o, i);
    if (o->heads)
        settle(o);
    return T2T_OK;
}

enum t2t_status tt_order_begin(struct tt_order *o,
                               const struct tt_lane_events *lane)
{
    return make_heads(o, lane, NULL, NULL);
}

enum t2t_status tt_order_begin_part(struct tt_order *o,
                                    const struct tt_lane_events *lane,
                                    const uint32_t *from, const uint32_t *end)
{
    return make_heads(o, lane, from, end);
}

const struct tt_event *tt_order_next(struct tt_order *o)
{
    struct tt_run_head *top = o->head;
    const struct tt_event *e;

    if (!o->heads)
        return NULL;
    e = tt_lane_event(o->lane, top->at++);
    if (top->at < top->end)
        top->start_ns = tt_lane_event(o->lane, top->at)->start_ns;
    else
        *top = o->head[--o->heads];
    if (o->heads && top->start_ns >= o->others_ns)
        settle(o);
    return e;
}

void tt_order_end(struct tt_order *o)
{
    tt_memory_give(o->lane->events.memory, o->head,
                   (o->runs + 1) * sizeof(*o->head));
    o->head = NULL;
}
