/*
 * base/arena.h - memory that is taken in small pieces and freed as a whole.
 *
 * Pieces never move, so a pointer into an arena stays good until the arena is
 * released.  Used by one thread; what it holds may be read by others once
 * they have been told of it through a lock.
 */
#ifndef TT_BASE_ARENA_H
#define TT_BASE_ARENA_H

#include <stddef.h>

#include "base/memory.h"

/* Bytes that can be read behind every piece, whatever they are. */
#define TT_ARENA_BEHIND ((size_t)64)

struct tt_arena_block;

struct tt_arena {
    struct tt_memory *memory;      /* where blocks lie, or NULL; not owned */
    struct tt_arena_block *blocks; /* newest first, owned */
    char *next;                    /* free bytes of the newest block */
    size_t left;
    size_t bytes; /* of all blocks */
};

/* An all-zero arena is empty and ready, and so is one that has its memory. */
void tt_arena_release(struct tt_arena *a);

/* `len` bytes, not aligned; NULL when memory is short. */
char *tt_arena_take(struct tt_arena *a, size_t len);

/* A copy of `len` bytes at `ptr`; NULL when memory is short. */
char *tt_arena_copy(struct tt_arena *a, const char *ptr, size_t len);

#endif
