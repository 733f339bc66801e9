/*
 * base/blocks.h - a long array in blocks: it grows without moving or copying,
 * so it wastes little and records keep their address.
 *
 * Blocks double from 8 records to 8,192, so that short arrays are small: a
 * trace may have a million lanes.  One thread.
 */
#ifndef TT_BASE_BLOCKS_H
#define TT_BASE_BLOCKS_H

#include <stddef.h>

#include "base/memory.h"

#define TT_BLOCKS_FIRST_BITS 3 /* log2 of the records of the first block */
#define TT_BLOCKS_LAST_BITS 13
#define TT_BLOCKS_LEVELS (TT_BLOCKS_LAST_BITS - TT_BLOCKS_FIRST_BITS)

struct tt_blocks {
    struct tt_memory *memory; /* where blocks lie, or NULL; not owned */
    char **block;             /* owned, as are the blocks */
    size_t blocks;
    size_t cap; /* of `block` */
    size_t count;
    size_t room; /* records that fit the blocks there are */
    size_t record_bytes;
};

/* An all-zero array is empty and ready, and so is one that has its memory. */
void tt_blocks_release(struct tt_blocks *b);

/* A new record at the end, not initialised; NULL when memory is short.  Always
 * with the same record size. */
void *tt_blocks_add(struct tt_blocks *b, size_t record_bytes);

/* Record `i`, below count. */
static inline void *tt_blocks_at(const struct tt_blocks *b, size_t i,
                                 size_t record_bytes)
{
    size_t n = i + ((size_t)1 << TT_BLOCKS_FIRST_BITS);
    size_t level = (size_t)(63 - __builtin_clzll(n)) - TT_BLOCKS_FIRST_BITS;

    if (level < TT_BLOCKS_LEVELS)
        return b->block[level] +
               (n - ((size_t)1 << (level + TT_BLOCKS_FIRST_BITS))) *
                   record_bytes;
    n -= (size_t)1 << TT_BLOCKS_LAST_BITS;
    return b->block[TT_BLOCKS_LEVELS + (n >> TT_BLOCKS_LAST_BITS)] +
           (n & (((size_t)1 << TT_BLOCKS_LAST_BITS) - 1)) * record_bytes;
}

#endif
