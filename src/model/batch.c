/* batch.c - makes and frees batches. */
#include "model/batch.h"

#include <stdlib.h>

struct tt_batch *tt_batch_create(void)
{
    struct tt_batch *b = calloc(1, sizeof(*b));

    if (b)
        tt_anomalies_init(&b->anomalies);
    return b;
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
    free(b);
}
