/* blocks.c - blocks that double up to a size and then stay at it. */
#include "base/blocks.h"

/* log2 of the records of a block. */
static unsigned bits_of(size_t block)
{
    return block < TT_BLOCKS_LEVELS ? TT_BLOCKS_FIRST_BITS + (unsigned)block
                                    : TT_BLOCKS_LAST_BITS;
}

void tt_blocks_release(struct tt_blocks *b)
{
    for (size_t i = 0; i < b->blocks; i++)
        tt_memory_give(b->memory, b->block[i], b->record_bytes << bits_of(i));
    tt_memory_give(b->memory, b->block, b->cap * sizeof(*b->block));
    *b = (struct tt_blocks){.memory = b->memory};
}

void *tt_blocks_add(struct tt_blocks *b, size_t record_bytes)
{
    if (b->count == b->room) {
        unsigned bits = bits_of(b->blocks);
        char *block;

        b->record_bytes = record_bytes;
        if (!tt_memory_room(b->memory, &b->block, &b->cap, b->blocks,
                            sizeof(*b->block)))
            return NULL;
        block = tt_memory_take(b->memory, record_bytes << bits);
        if (!block)
            return NULL;
        b->block[b->blocks++] = block;
        if (b->blocks > TT_BLOCKS_LEVELS) /* or most are never used */
            tt_memory_warm(block, record_bytes << bits);
        b->room += (size_t)1 << bits;
    }
    return tt_blocks_at(b, b->count++, record_bytes);
}
