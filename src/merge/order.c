/* order.c - a merge sort of the runs that are there. */
#include "merge/order.h"

#include <stdlib.h>
#include <string.h>

#include <trace2tree/index.h>

#include "base/vec.h"

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

struct runs {
    struct tt_watch *watch; /* not owned */
    uint32_t *begin;        /* where each run begins, and one more: the end */
    size_t cap;
    size_t count; /* runs */
};

static bool find_runs(const struct tt_lane_events *lane, struct runs *runs)
{
    size_t count = lane->events.count;

    for (size_t i = 0; i <= count; i++) {
        if (!tt_watch_turn(runs->watch, i))
            return false;
        if (i && i < count &&
            tt_order_keeps(tt_lane_event(lane, i - 1), tt_lane_event(lane, i)))
            continue;
        if (!tt_vec_room(&runs->begin, &runs->cap, runs->count,
                         sizeof(*runs->begin)))
            return false;
        runs->begin[runs->count++] = (uint32_t)i;
    }
    runs->count--; /* the last one is the end */
    return true;
}

/* Merges two neighbouring runs of `from` into `to`; ties keep file order,
 * because runs that are merged stay in it.  False: canceled. */
static bool merge_two(const struct tt_lane_events *lane, const uint32_t *from,
                      uint32_t *to, const uint32_t *begin,
                      struct tt_watch *watch)
{
    uint32_t left = begin[0], right = begin[1], at = begin[0];

    while (left < begin[1] && right < begin[2]) {
        const struct tt_event *l = tt_lane_event(lane, from[left]);
        const struct tt_event *r = tt_lane_event(lane, from[right]);

        to[at++] = compare(l, r) <= 0 ? from[left++] : from[right++];
        if (!tt_watch_turn(watch, at))
            return false;
    }
    memcpy(to + at, from + left, (begin[1] - left) * sizeof(*to));
    at += begin[1] - left;
    memcpy(to + at, from + right, (begin[2] - right) * sizeof(*to));
    return true;
}

/* One pass: pairs of runs become one, an odd last run is copied.  False:
 * canceled. */
static bool merge_pass(const struct tt_lane_events *lane, const uint32_t *from,
                       uint32_t *to, struct runs *runs)
{
    uint32_t *begin = runs->begin;
    size_t out = 0;

    for (size_t i = 0; i < runs->count; i += 2) {
        if (i + 1 < runs->count) {
            if (!merge_two(lane, from, to, begin + i, runs->watch))
                return false;
        } else {
            memcpy(to + begin[i], from + begin[i],
                   (begin[i + 1] - begin[i]) * sizeof(*to));
        }
        begin[out++] = begin[i];
    }
    begin[out] = begin[runs->count];
    runs->count = out;
    return true;
}

enum t2t_status tt_order_lane(const struct tt_lane_events *lane,
                              struct tt_watch *watch, uint32_t **out)
{
    size_t count = lane->events.count;
    struct runs runs = {.watch = watch};
    uint32_t *from, *to;
    bool ok;

    *out = NULL;
    if (!lane->unsorted)
        return T2T_OK;
    from = malloc(count * sizeof(*from));
    to = malloc(count * sizeof(*to));
    ok = from && to && find_runs(lane, &runs);
    for (size_t i = 0; ok && i < count; i++)
        from[i] = (uint32_t)i;
    while (ok && runs.count > 1) {
        uint32_t *swap = from;

        ok = merge_pass(lane, from, to, &runs);
        from = to;
        to = swap;
    }
    free(to);
    free(runs.begin);
    if (!ok) {
        free(from);
        return tt_watch_reason(watch);
    }
    *out = from;
    return T2T_OK;
}
