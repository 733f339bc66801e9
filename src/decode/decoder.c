/* decoder.c - elements of a chunk, one after the other. */
#include "decode/decoder.h"

#include <stdlib.h>

#include "base/vec.h"
#include "decode/draft.h"
#include "decode/learn.h"
#include "decode/match.h"

/* So many bytes are tokenized at first when an element is for the tokens. */
#define FIRST_BYTES 512u

/* Frees what it knows of the trace. */
static void forget(struct tt_decoder *d)
{
    tt_intern_release(&d->strings);
    tt_intern_release(&d->raw);
    tt_repeats_release(&d->repeats);
    free(d->compact);
    free(d->guess);
    tt_lanes_release(&d->lanes);
    tt_layouts_release(&d->layouts);
    d->compact = NULL;
    d->guess = NULL;
    d->compact_cap = d->guess_cap = 0;
    d->told = d->lanes_told = 0;
    d->before = 0;
}

struct tt_decoder *tt_decoder_create(bool plain)
{
    struct tt_decoder *d = calloc(1, sizeof(*d));

    if (!d || plain)
        return d;
    d->match = tt_match_best();
    d->layouts.model = malloc(sizeof(*d->layouts.model));
    if (!d->layouts.model) {
        free(d);
        return NULL;
    }
    return d;
}

void tt_decoder_free(struct tt_decoder *d)
{
    if (!d)
        return;
    forget(d);
    free(d->layouts.model);
    tt_tokens_release(&d->tokens);
    tt_arena_release(&d->forgotten);
    tt_buffer_release(&d->template);
    tt_buffer_release(&d->scratch);
    tt_buffer_release(&d->walk.open);
    free(d);
}

/* Memory of what it knows; layouts have bounds of their own. */
static size_t known_bytes(const struct tt_decoder *d)
{
    return tt_intern_bytes(&d->strings) + tt_intern_bytes(&d->raw) +
           tt_lanes_bytes(&d->lanes) + d->repeats.cap +
           d->compact_cap * sizeof(*d->compact) +
           d->guess_cap * sizeof(*d->guess);
}

void tt_decoder_tidy(struct tt_decoder *d)
{
    if (d->forgot || known_bytes(d) <= TT_DECODER_BYTES)
        return;
    d->forgotten = d->strings.arena;
    d->strings.arena = (struct tt_arena){0};
    forget(d);
    d->forgot = true;
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

/* Sees to it that the tokens of the element at the current place are there, if
 * it is one. */
static bool fetch_tokens(struct tt_decoder *d)
{
    struct tt_tokens *t = &d->tokens;
    struct tt_walk *w = &d->walk;

    if (!d->in_step) {
        if (!tt_tokens_begin(t, w->text + w->at, w->len - w->at, FIRST_BYTES))
            return false;
        w->base = w->at;
        w->next = 0;
    }
    d->in_step = true;
    while (!t->over && (w->next == t->count || t->token[w->next].end < 0))
        if (!tt_tokens_more(t))
            return false;
    w->token = t->token;
    w->count = t->count;
    return true;
}

/* The element at the current place.  False: not understood, or no memory. */
static bool take_element(struct tt_decoder *d, struct tt_batch *b,
                         uint64_t offset)
{
    size_t start = d->walk.at;
    unsigned token;

    if (d->match && d->match(d, b, offset)) {
        d->in_step = false;
        return true;
    }
    if (!fetch_tokens(d)) {
        d->no_memory = true;
        return false;
    }
    token = d->walk.next;
    if (!tt_draft_element(d, b, offset))
        return false;
    tt_learn(d, b, start, token);
    return true;
}

/* Elements from the current place on, as far as the text is understood. */
static void take_elements(struct tt_decoder *d, struct tt_batch *b,
                          uint64_t offset)
{
    struct tt_walk *w = &d->walk;

    b->end = TT_BATCH_OPEN;
    for (;;) {
        char c = tt_walk_peek(w);

        if (w->at == w->len || c == ']' || b->count == TT_BATCH_MOST) {
            b->end = c == ']' ? TT_BATCH_CLOSED : TT_BATCH_CLEAN;
            b->after_comma = true;
            b->consumed = w->at;
            return;
        }
        if (!take_element(d, b, offset))
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
    b->forgets = d->forgot;
    b->forgotten = d->forgotten;
    d->forgot = false;
    d->forgotten = (struct tt_arena){0};
    d->no_memory = false;
    d->in_step = false;
    d->walk.text = text;
    d->walk.len = len;
    d->walk.at = 0;
    if (len > TT_TOKENS_MAX_BYTES)
        return T2T_ERR_NO_MEMORY;
    take_elements(d, b, offset);
    if (d->no_memory || d->repeats.no_memory || d->walk.open.failed ||
        !tell_fresh(d, b))
        return T2T_ERR_NO_MEMORY;
    return T2T_OK;
}
