/* same_trace.h - whether two traces are the same. */
#ifndef TT_TEST_SAME_TRACE_H
#define TT_TEST_SAME_TRACE_H

#include "merge/trace.h"

static inline void assert_same_event(const struct tt_event *a,
                                     const struct tt_event *b)
{
    assert_int_equal(a->start_ns, b->start_ns);
    assert_int_equal(a->end_ns, b->end_ns);
    assert_int_equal(a->a, b->a);
    assert_int_equal(a->b, b->b);
    assert_int_equal(a->name, b->name);
    assert_int_equal(a->position, b->position);
    assert_int_equal(a->category, b->category);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->layer, b->layer);
}

static inline void assert_same_lanes(const struct tt_trace *a,
                                     const struct tt_trace *b)
{
    assert_int_equal(a->lane_count, b->lane_count);
    for (size_t i = 0; i < a->lane_count; i++) {
        const struct tt_lane *x = &a->lanes.lane[i];
        const struct tt_lane *y = &b->lanes.lane[i];

        assert_int_equal(x->side, y->side);
        assert_true(tt_id_equal(x->pid, y->pid));
        assert_true(tt_id_equal(x->tid, y->tid));
        assert_int_equal(a->lane[i].events.count, b->lane[i].events.count);
        for (size_t n = 0; n < a->lane[i].events.count; n++)
            assert_same_event(tt_lane_event(&a->lane[i], n),
                              tt_lane_event(&b->lane[i], n));
    }
}

static inline void assert_same_trace(const struct tt_trace *a,
                                     const struct tt_trace *b)
{
    assert_int_equal(a->element_count, b->element_count);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->strings.count, b->strings.count);
    for (size_t i = 0; i < a->strings.count; i++) {
        assert_int_equal(a->strings.item[i].len, b->strings.item[i].len);
        assert_memory_equal(a->strings.item[i].ptr, b->strings.item[i].ptr,
                            a->strings.item[i].len);
    }
    assert_int_equal(a->shapes.count, b->shapes.count);
    assert_memory_equal(a->shapes.string, b->shapes.string,
                        a->shapes.count * sizeof(uint32_t));
    assert_int_equal(a->categories.count, b->categories.count);
    assert_memory_equal(a->categories.string, b->categories.string,
                        a->categories.count * sizeof(uint32_t));
    assert_int_equal(a->others.count, b->others.count);
    for (size_t i = 0; i < a->others.count; i++) {
        const struct tt_other *x = tt_trace_other(a, i);
        const struct tt_other *y = tt_trace_other(b, i);

        assert_int_equal(x->start_ns, y->start_ns);
        assert_int_equal(x->end_ns, y->end_ns);
        assert_int_equal(x->name, y->name);
        assert_int_equal(x->position, y->position);
        assert_int_equal(x->a, y->a);
        assert_int_equal(x->lane, y->lane);
        assert_int_equal(x->category, y->category);
        assert_int_equal(x->flags, y->flags);
    }
    for (int kind = 0; kind < TT_ANOMALY_COUNT; kind++) {
        const struct tt_anomalies *x = &a->anomalies;
        const struct tt_anomalies *y = &b->anomalies;

        assert_int_equal(x->count[kind], y->count[kind]);
        assert_int_equal(x->first_position[kind], y->first_position[kind]);
        assert_int_equal(x->first_offset[kind], y->first_offset[kind]);
    }
    assert_same_lanes(a, b);
}

#endif
