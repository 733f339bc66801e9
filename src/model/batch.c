/* batch.c - makes, empties and frees batches. */
#include "model/batch.h"

#include <stdlib.h>

struct tt_batch *tt_batch_create(void)
{
    struct tt_batch *b = calloc(1, sizeof(*b));

    if (b)
        tt_anomalies_init(&b->anomalies);
    return b;
}

void tt_batch_clear(struct tt_batch *b)
{
    struct tt_batch empty = {
        .element = b->element,
        .cap = b->cap,
        .slot = b->slot,
        .slot_cap = b->slot_cap,
        .text = b->text,
        .text_cap = b->text_cap,
        .fresh = b->fresh,
        .fresh_cap = b->fresh_cap,
        .lane = b->lane,
        .lane_cap = b->lane_cap,
    };

    tt_arena_release(&b->forgotten);
    tt_anomalies_init(&empty.anomalies);
    *b = empty;
}

size_t tt_batch_bytes(const struct tt_batch *b)
{
    return b->cap * sizeof(*b->element) + b->slot_cap * sizeof(*b->slot) +
           b->text_cap * sizeof(*b->text) + b->fresh_cap * sizeof(*b->fresh) +
           b->lane_cap * sizeof(*b->lane);
}

void tt_batch_free(struct tt_batch *b)
{
    if (!b)
        return;
    free(b->element);
    free(b->slot);
    free(b->text);
    free(b->fresh);
    free(b->lane);
    tt_arena_release(&b->forgotten);
    free(b);
}
