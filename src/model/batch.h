/*
 * model/batch.h - what a worker makes of a chunk: elements in file order.
 *
 * A batch owns its arrays.  Strings are numbers of the worker that made it;
 * those it used for the first time are listed in the batch, with bytes that
 * live until the decoder is freed, or until the first batch is cleared that
 * was made after the decoder forgot them.
 */
#ifndef TT_MODEL_BATCH_H
#define TT_MODEL_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "model/anomaly.h"
#include "model/event.h"
#include "model/lane.h"

/* How the text of a chunk ended, as far as it was understood. */
enum tt_batch_end {
    TT_BATCH_CLEAN,  /* a comma came last: an element is next, in the next chunk
                        or, when the batch is full, in this one */
    TT_BATCH_CLOSED, /* "]": the array ends at `consumed` */
    TT_BATCH_OPEN,   /* something else, or nonsense, from `consumed` on */
};

/* Elements of a batch at most: as many as a chunk has that are very short. */
#define TT_BATCH_MOST ((size_t)4096)

struct tt_batch {
    uint64_t offset; /* of the chunk in the document */
    size_t consumed; /* bytes of the chunk that are these elements */
    enum tt_batch_end end;
    bool after_comma; /* closed, and no element stands before the bracket */

    struct tt_element *element;
    size_t count;
    size_t cap;
    uint64_t *slot; /* values of the holes of all elements, in order */
    size_t slots;
    size_t slot_cap;
    uint32_t *text; /* which slots are strings */
    size_t texts;
    size_t text_cap;

    bool forgets;              /* numbers of strings and lanes begin anew */
    struct tt_arena forgotten; /* bytes of the strings of earlier batches */
    struct tt_interned *fresh; /* new strings, by the worker's numbers */
    size_t fresh_count;
    size_t fresh_cap;
    struct tt_lane *lane; /* new lanes, likewise */
    size_t lanes;
    size_t lane_cap;

    struct tt_anomalies anomalies; /* positions count from this batch */
    struct tt_batch *next;         /* for lists of them */
};

/* An empty batch; NULL when memory is short. */
struct tt_batch *tt_batch_create(void);

/* Makes it empty; its arrays stay, for the next chunk. */
void tt_batch_clear(struct tt_batch *b);

/* Memory of its arrays. */
size_t tt_batch_bytes(const struct tt_batch *b);

/* Frees the batch and its arrays.  NULL is allowed. */
void tt_batch_free(struct tt_batch *b);

#endif
