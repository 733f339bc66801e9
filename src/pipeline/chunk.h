/*
 * pipeline/chunk.h - a piece of the array's text on its way: cut by the
 * feeder, decoded by a worker, put in order by the builder.
 */
#ifndef TT_PIPELINE_CHUNK_H
#define TT_PIPELINE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/batch.h"

struct tt_chunk {
    const char *text; /* mapped, read ahead, or `memory` */
    size_t len;
    uint64_t offset; /* of the text in the document */
    char *memory;    /* what text before it is in, too; owned, or NULL */
    size_t memory_bytes;

    /* Set by the worker, read once it is done. */
    struct tt_batch *batch; /* owned */
    size_t worker;
    enum t2t_status status;
    bool done; /* guarded by the crew's lock */
};

/* Frees the chunk and what it owns.  NULL is allowed. */
void tt_chunk_free(struct tt_chunk *c);

#endif
