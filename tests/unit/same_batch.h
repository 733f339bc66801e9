/* same_batch.h - whether two decoders make the same of a text. */
#ifndef TT_TEST_SAME_BATCH_H
#define TT_TEST_SAME_BATCH_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "decode/decoder.h"

/* A decoder, and the strings and lanes that its batches told of. */
struct side {
    struct tt_decoder *d;
    struct tt_interned *string;
    size_t strings;
    size_t string_cap;
    struct tt_lane *lane;
    size_t lanes;
    size_t lane_cap;
};

static inline void release_side(struct side *s)
{
    tt_decoder_free(s->d);
    free(s->string);
    free(s->lane);
}

/* What the decoder makes of a text at an offset, to be freed; NULL: no memory.
 */
static inline struct tt_batch *decode(struct side *s, const char *text,
                                      size_t len, uint64_t offset)
{
    struct tt_batch *b = tt_batch_create();
    bool ok = b && !tt_decoder_run(s->d, text, len, offset, b);

    for (size_t i = 0; ok && i < b->fresh_count; i++) {
        ok = tt_vec_room(&s->string, &s->string_cap, s->strings,
                         sizeof(*s->string));
        if (ok)
            s->string[s->strings++] = b->fresh[i];
    }
    for (size_t i = 0; ok && i < b->lanes; i++) {
        ok = tt_vec_room(&s->lane, &s->lane_cap, s->lanes, sizeof(*s->lane));
        if (ok)
            s->lane[s->lanes++] = b->lane[i];
    }
    if (ok)
        return b;
    tt_batch_free(b);
    return NULL;
}

static inline bool same_string(const struct side *p, const struct side *q,
                               uint64_t x, uint64_t y)
{
    const struct tt_interned *a, *b;

    if (x == TT_NO_STRING || y == TT_NO_STRING)
        return x == y;
    if (x >= p->strings || y >= q->strings)
        return false;
    a = &p->string[x];
    b = &q->string[y];
    return a->len == b->len && !memcmp(a->ptr, b->ptr, a->len);
}

static inline bool same_id(const struct side *p, const struct side *q,
                           struct tt_id x, struct tt_id y)
{
    if (x.kind != y.kind)
        return false;
    return x.kind == TT_ID_TEXT ? same_string(p, q, x.value, y.value)
                                : x.value == y.value;
}

static inline bool same_lane(const struct side *p, const struct side *q,
                             uint32_t x, uint32_t y)
{
    const struct tt_lane *a, *b;

    if (x == TT_NO_LANE || y == TT_NO_LANE)
        return x == y;
    if (x >= p->lanes || y >= q->lanes)
        return false;
    a = &p->lane[x];
    b = &q->lane[y];
    return a->side == b->side && same_id(p, q, a->pid, b->pid) &&
           same_id(p, q, a->tid, b->tid);
}

static inline bool same_numbers(const struct side *p, const struct side *q,
                                const struct tt_element *x,
                                const struct tt_element *y)
{
    bool label = x->flags & (TT_PROCESS_NAME | TT_THREAD_NAME);

    return (x->flags & TT_A_TEXT ? same_string(p, q, x->a, y->a)
                                 : x->a == y->a) &&
           (label ? same_string(p, q, x->b, y->b)
                  : x->phase == 'M' || x->b == y->b);
}

static inline bool same_words(const struct side *p, const struct side *q,
                              const struct tt_element *x,
                              const struct tt_element *y)
{
    return same_string(p, q, x->name, y->name) &&
           same_string(p, q, x->category, y->category) &&
           same_string(p, q, x->shape, y->shape) &&
           same_lane(p, q, x->lane, y->lane);
}

static inline bool same_element(const struct side *p, const struct side *q,
                                const struct tt_element *x,
                                const struct tt_element *y)
{
    return x->start_ns == y->start_ns && x->end_ns == y->end_ns &&
           x->flags == y->flags && x->offset == y->offset &&
           x->slots == y->slots && x->texts == y->texts && x->odd == y->odd &&
           x->phase == y->phase && x->layer == y->layer &&
           same_numbers(p, q, x, y) && same_words(p, q, x, y);
}

static inline bool same_slots(const struct side *p, const struct side *q,
                              const struct tt_batch *x,
                              const struct tt_batch *y)
{
    size_t text = 0;

    if (x->slots != y->slots || x->texts != y->texts)
        return false;
    for (size_t i = 0; i < x->slots; i++) {
        bool is_text = text < x->texts && x->text[text] == i;

        if (is_text &&
            (y->text[text] != i || !same_string(p, q, x->slot[i], y->slot[i])))
            return false;
        if (!is_text && x->slot[i] != y->slot[i])
            return false;
        text += is_text;
    }
    return true;
}

static inline bool same_batch(const struct side *p, const struct side *q,
                              const struct tt_batch *x,
                              const struct tt_batch *y)
{
    if (x->consumed != y->consumed || x->end != y->end ||
        x->after_comma != y->after_comma || x->count != y->count)
        return false;
    for (size_t i = 0; i < x->count; i++)
        if (!same_element(p, q, &x->element[i], &y->element[i]))
            return false;
    for (unsigned i = 0; i < TT_ANOMALY_COUNT; i++)
        if (x->anomalies.count[i] != y->anomalies.count[i] ||
            x->anomalies.first_position[i] != y->anomalies.first_position[i] ||
            x->anomalies.first_offset[i] != y->anomalies.first_offset[i])
            return false;
    return same_slots(p, q, x, y);
}

#endif
