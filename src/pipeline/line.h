/*
 * pipeline/line.h - the chunks in flight, in the order of the document.
 *
 * Chunks come in at the end, somebody takes each to decode it, and it leaves at
 * the front.  Whoever uses a line holds the lock of the crew.
 */
#ifndef TT_PIPELINE_LINE_H
#define TT_PIPELINE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "pipeline/chunk.h"

struct tt_line {
    struct tt_chunk **slot; /* a ring, owned, not what is in it */
    size_t cap;
    size_t head; /* the first, of all there ever were */
    size_t next; /* the first that nobody has taken */
    size_t end;  /* behind the last */
};

/* An empty one with room for `cap`; false when memory is short. */
bool tt_line_init(struct tt_line *l, size_t cap);

/* Frees the ring; the chunks have left before. */
void tt_line_release(struct tt_line *l);

static inline size_t tt_line_room(const struct tt_line *l)
{
    return l->cap - (l->end - l->head);
}

/* How many wait to be taken. */
static inline size_t tt_line_waiting(const struct tt_line *l)
{
    return l->end - l->next;
}

/* Adds a chunk where there is room. */
void tt_line_push(struct tt_line *l, struct tt_chunk *c);

/* The next chunk to decode, or NULL. */
struct tt_chunk *tt_line_take(struct tt_line *l);

/* The first chunk, or NULL. */
struct tt_chunk *tt_line_first(const struct tt_line *l);

/* Removes the first chunk, also one that nobody took. */
struct tt_chunk *tt_line_pop(struct tt_line *l);

#endif
