/* slice.c - where runs are cut. */
#include "merge/slice.h"

#include <string.h>

/* What is left of the lane under way, of run `run`. */
static uint32_t left_of(const struct tt_slicer *s,
                        const struct tt_lane_events *l, size_t run)
{
    uint32_t end;

    (void)tt_order_run(l, run, &end);
    return end - s->from[run];
}

static size_t longest_run(const struct tt_slicer *s,
                          const struct tt_lane_events *l)
{
    size_t longest = 0;

    for (size_t i = 1; i < tt_order_runs(l); i++)
        if (left_of(s, l, i) > left_of(s, l, longest))
            longest = i;
    return longest;
}

/* The first event of a run, from `at` on, that does not start before `ns`. */
static uint32_t find_start(const struct tt_lane_events *l, uint32_t at,
                           uint32_t end, int64_t ns)
{
    while (at < end) {
        uint32_t middle = at + (end - at) / 2;

        if (tt_lane_event(l, middle)->start_ns < ns)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

/* Takes of each run what starts before `ns`. */
static void cut_at(const struct tt_slicer *s, const struct tt_lane_events *l,
                   int64_t ns, struct tt_slice *out)
{
    out->events = 0;
    for (size_t i = 0; i < tt_order_runs(l); i++) {
        uint32_t end;

        (void)tt_order_run(l, i, &end);
        out->from[i] = s->from[i];
        out->end[i] = find_start(l, s->from[i], end, ns);
        out->events += out->end[i] - out->from[i];
    }
}

/* Takes all that is left. */
static void take_rest(const struct tt_slicer *s, const struct tt_lane_events *l,
                      struct tt_slice *out)
{
    out->events = s->left;
    for (size_t i = 0; i < tt_order_runs(l); i++) {
        out->from[i] = s->from[i];
        (void)tt_order_run(l, i, &out->end[i]);
    }
}

/*
 * Cuts where the longest run has its share of a slice.  When all before that
 * has the same start, the cut is behind the events with this start.
 */
static void cut(const struct tt_slicer *s, const struct tt_lane_events *l,
                struct tt_slice *out)
{
    size_t run = longest_run(s, l);
    uint64_t share =
        (uint64_t)s->events * left_of(s, l, run) / s->left + (uint64_t)1;
    int64_t ns;

    if (s->left <= s->events || share >= left_of(s, l, run)) {
        take_rest(s, l, out);
        return;
    }
    ns = tt_lane_event(l, s->from[run] + share)->start_ns;
    cut_at(s, l, ns, out);
    if (!out->events && ns < INT64_MAX)
        cut_at(s, l, ns + 1, out);
    if (!out->events)
        take_rest(s, l, out);
}

bool tt_slicer_next(struct tt_slicer *s, struct tt_slice *out)
{
    const struct tt_lane_events *l;
    size_t runs;

    if (s->at == s->trace->lane_count)
        return false;
    l = &s->trace->lane[s->lane[s->at]];
    runs = tt_order_runs(l);
    out->lane = s->lane[s->at];
    out->is_first = !s->inside;
    out->is_whole = runs > TT_SLICE_RUNS;
    if (!s->inside) {
        s->left = (uint32_t)l->events.count;
        for (size_t i = 0; !out->is_whole && i < runs; i++) {
            uint32_t end;

            s->from[i] = tt_order_run(l, i, &end);
        }
    }
    out->events = s->left;
    if (s->left && !out->is_whole) {
        cut(s, l, out);
        memcpy(s->from, out->end, runs * sizeof(*s->from));
    }
    s->left -= out->events;
    out->is_last = !s->left;
    s->inside = !out->is_last;
    s->at += out->is_last;
    return true;
}

enum t2t_status tt_slice_begin(const struct tt_slice *s,
                               const struct tt_trace *trace,
                               struct tt_order *order)
{
    const struct tt_lane_events *l = &trace->lane[s->lane];

    if (s->is_whole || !s->events)
        return tt_order_begin(order, l);
    return tt_order_begin_part(order, l, s->from, s->end);
}
