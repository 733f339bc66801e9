/* blocks.c - blocks that double up to a size and then stay at it. */
#include "base/blocks.h"

#include <stdlib.h>

#include "base/vec.h"

void tt_blocks_release(struct tt_blocks *b)
{
    for (size_t i = 0; i < b->blocks; i++)
        free(b->block[i]);
    free(b->block);
    *b = (struct tt_blocks){0};
}

void *tt_blocks_add(struct tt_blocks *b, size_t record_bytes)
{
    if (b->count == b->room) {
        size_t bits = TT_BLOCKS_FIRST_BITS + b->blocks;
        char *block;

        if (bits > TT_BLOCKS_LAST_BITS)
            bits = TT_BLOCKS_LAST_BITS;
        if (!tt_vec_room(&b->block, &b->cap, b->blocks, sizeof(*b->block)))
            return NULL;
        block = malloc(record_bytes << bits);
        if (!block)
            return NULL;
        b->block[b->blocks++] = block;
        b->room += (size_t)1 << bits;
    }
    return tt_blocks_at(b, b->count++, record_bytes);
}
