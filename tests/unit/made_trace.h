/* made_trace.h - a trace made of the rows of a table. */
#ifndef TT_TEST_MADE_TRACE_H
#define TT_TEST_MADE_TRACE_H

#include <stdlib.h>
#include <string.h>

#include <trace2tree/index.h>

#include "merge/inbox.h"
#include "model/category.h"

/* An element; times in nanoseconds, fields as in tt_element. */
struct made {
    const char *name;
    enum t2t_layer layer;
    uint64_t pid;
    uint64_t tid;
    int64_t start_ns;
    int64_t end_ns;
    uint64_t a;     /* TT_A_SET is added when it is not 0 */
    uint64_t b;     /* TT_B_SET, likewise */
    unsigned flags; /* added to what every timed event has */
    char phase;     /* 0: 'X' */
};

/* Numbers of strings that are no names, behind the names. */
enum { MADE_SHAPE, MADE_CATEGORY, MADE_STRINGS = MADE_CATEGORY + 5 };

static inline struct tt_interned made_string(const char *text)
{
    return (struct tt_interned){text, strlen(text)};
}

static inline void make_strings(struct tt_batch *b, const struct made *rows,
                                size_t count)
{
    static const char *const categories[] = {"", "python_function", "cpu_op",
                                             "cuda_runtime", "kernel"};

    b->fresh = calloc(count + MADE_STRINGS, sizeof(*b->fresh));
    assert_non_null(b->fresh);
    b->fresh_count = b->fresh_cap = count + MADE_STRINGS;
    for (size_t i = 0; i < count; i++)
        b->fresh[i] = made_string(rows[i].name ? rows[i].name : "");
    b->fresh[count + MADE_SHAPE] = made_string("{}");
    for (size_t i = 0; i < 5; i++)
        b->fresh[count + MADE_CATEGORY + i] = made_string(categories[i]);
}

static inline struct tt_element make_element(const struct made *m,
                                             uint32_t number, size_t count)
{
    struct tt_element e = {
        .start_ns = m->start_ns,
        .end_ns = m->end_ns,
        .a = m->a,
        .b = m->b,
        .offset = 100 * (uint64_t)number,
        .name = m->name ? number : TT_NO_STRING,
        .category = TT_NO_STRING,
        .shape = (uint32_t)count + MADE_SHAPE,
        .flags = (uint16_t)(m->flags | TT_OBJECT | TT_HAS_START),
        .phase = (uint8_t)(m->phase ? m->phase : 'X'),
        .layer = (uint8_t)m->layer,
    };

    if (m->layer)
        e.category = (uint32_t)count + MADE_CATEGORY + (uint32_t)m->layer;
    if (e.phase == 'X')
        e.flags |= TT_HAS_END;
    if (m->a)
        e.flags |= TT_A_SET;
    if (m->b)
        e.flags |= TT_B_SET;
    return e;
}

/* The rows as a batch of a new decoder: element `i` begins at byte 100 i. */
static inline struct tt_batch *make_batch(const struct made *rows, size_t count)
{
    struct tt_batch *b = tt_batch_create();
    struct tt_lanes lanes = {0};

    assert_non_null(b);
    make_strings(b, rows, count);
    b->element = calloc(count + 1, sizeof(*b->element));
    assert_non_null(b->element);
    b->count = b->cap = count;
    for (size_t i = 0; i < count; i++) {
        struct tt_lane lane = {.pid = {rows[i].pid, TT_ID_INTEGER, false},
                               .tid = {rows[i].tid, TT_ID_INTEGER, false},
                               .side = (uint8_t)tt_side_of(rows[i].layer)};

        b->element[i] = make_element(&rows[i], (uint32_t)i, count);
        b->element[i].lane = tt_lanes_add(&lanes, &lane);
    }
    b->lane = lanes.lane;
    b->lanes = lanes.count;
    b->lane_cap = lanes.cap;
    free(lanes.slot);
    return b;
}

/* A trace of the rows, in that order; release it. */
static inline void make_trace(struct tt_trace *t, const struct made *rows,
                              size_t count)
{
    struct tt_batch *b = make_batch(rows, count);
    struct tt_inbox *in;

    tt_trace_init(t, NULL);
    in = tt_inbox_create(t, 1);
    assert_non_null(in);
    assert_int_equal(tt_inbox_learn(in, b, 0, NULL), T2T_OK);
    assert_int_equal(tt_inbox_take(in, b, 0, NULL), T2T_OK);
    tt_inbox_finish(in);
    tt_inbox_free(in);
    tt_batch_free(b);
}

/* Rows of a table: pid, tid, start, end, and what else there is. */
#define MADE(n, l, p, t, s, e, ...)                                            \
    {                                                                          \
        .name = (n), .layer = T2T_LAYER_##l, .pid = (p), .tid = (t),           \
        .start_ns = (s), .end_ns = (e), __VA_ARGS__                            \
    }

/* Calls of thread 1 of process 1, GPU events of stream 7. */
#define PY(n, s, e) MADE(n, PYTHON, 1, 1, s, e, .a = 0)
#define OP(n, s, e) MADE(n, OPERATION, 1, 1, s, e, .a = 0)
#define LAUNCH(n, s, e, number) MADE(n, LAUNCH, 1, 1, s, e, .a = (number))
#define GPU(n, s, e, number) MADE(n, GPU, 0, 7, s, e, .a = (number))

#endif
