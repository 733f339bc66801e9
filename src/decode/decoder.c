/* decoder.c - elements of a chunk, one after the other. */
#include "decode/decoder.h"

#include <stdlib.h>

#include "base/vec.h"
#include "decode/draft.h"

struct tt_decoder *tt_decoder_create(void)
{
    return calloc(1, sizeof(struct tt_decoder));
}

void tt_decoder_free(struct tt_decoder *d)
{
    if (!d)
        return;
    tt_tokens_release(&d->tokens);
    tt_intern_release(&d->strings);
    tt_intern_release(&d->raw);
    tt_repeats_release(&d->repeats);
    free(d->compact);
    tt_lanes_release(&d->lanes);
    tt_buffer_release(&d->template);
    tt_buffer_release(&d->scratch);
    tt_buffer_release(&d->walk.open);
    free(d);
}

/* Takes back what an element put into the batch. */
static void drop_last(struct tt_batch *b)
{
    const struct tt_element *before;

    b->count--;
    before = b->count ? &b->element[b->count - 1] : NULL;
    b->slots = before ? before->slots : 0;
    b->texts = before ? before->texts : 0;
}

/* Counts what was odd in the last element, which is proved now. */
static void keep_last(struct tt_batch *b)
{
    const struct tt_element *e = &b->element[b->count - 1];

    for (uint32_t odd = e->odd; odd; odd &= odd - 1)
        tt_anomaly_note(&b->anomalies, (enum tt_anomaly)__builtin_ctz(odd),
                        b->count - 1, e->offset);
}

/* Elements from the current place on, as far as the text is understood. */
static void take_elements(struct tt_decoder *d, struct tt_batch *b,
                          uint64_t offset)
{
    struct tt_walk *w = &d->walk;

    b->end = TT_BATCH_OPEN;
    for (;;) {
        char c = tt_walk_peek(w);

        if (w->at == w->len || c == ']') {
            b->end = c == ']' ? TT_BATCH_CLOSED : TT_BATCH_CLEAN;
            b->after_comma = true;
            b->consumed = w->at;
            return;
        }
        /* A faster way than tokens would be tried here. */
        if (!tt_draft_element(d, b, offset))
            return;
        c = tt_walk_peek(w);
        if (c == ']') {
            keep_last(b);
            b->end = TT_BATCH_CLOSED;
            b->consumed = w->at;
            return;
        }
        if (!tt_walk_take(w, ',')) {
            drop_last(b); /* more of it may follow: it is not proved */
            return;
        }
        keep_last(b);
        b->consumed = w->at;
    }
}

/* Lists what the batch is the first to use. */
static bool tell_fresh(struct tt_decoder *d, struct tt_batch *b)
{
    for (; d->told < d->strings.count; d->told++) {
        if (!tt_vec_room(&b->fresh, &b->fresh_cap, b->fresh_count,
                         sizeof(*b->fresh)))
            return false;
        b->fresh[b->fresh_count++] = d->strings.item[d->told];
    }
    for (; d->lanes_told < d->lanes.count; d->lanes_told++) {
        if (!tt_vec_room(&b->lane, &b->lane_cap, b->lanes, sizeof(*b->lane)))
            return false;
        b->lane[b->lanes++] = d->lanes.lane[d->lanes_told];
    }
    return true;
}

enum t2t_status tt_decoder_run(struct tt_decoder *d, const char *text,
                               size_t len, uint64_t offset, struct tt_batch *b)
{
    b->offset = offset;
    b->consumed = 0;
    d->no_memory = false;
    if (!tt_tokens_parse(&d->tokens, text, len))
        return T2T_ERR_NO_MEMORY;
    d->walk.text = text;
    d->walk.len = len;
    d->walk.at = 0;
    d->walk.token = d->tokens.token;
    d->walk.count = d->tokens.count;
    d->walk.next = 0;
    take_elements(d, b, offset);
    if (d->no_memory || d->repeats.no_memory || d->walk.open.failed ||
        !tell_fresh(d, b))
        return T2T_ERR_NO_MEMORY;
    return T2T_OK;
}
