/* arena.c - a list of blocks, carved from the front. */
#include "base/arena.h"

#include <string.h>

#include "base/checked.h"

#define BLOCK_BYTES ((size_t)64 << 10)

struct tt_arena_block {
    struct tt_arena_block *older;
    size_t taken; /* bytes, with this */
    char bytes[];
};

void tt_arena_release(struct tt_arena *a)
{
    while (a->blocks) {
        struct tt_arena_block *block = a->blocks;

        a->blocks = block->older;
        tt_memory_give(a->memory, block, block->taken);
    }
    *a = (struct tt_arena){.memory = a->memory};
}

char *tt_arena_take(struct tt_arena *a, size_t len)
{
    char *taken;

    if (len > a->left || !a->next) { /* no bytes have an address too */
        size_t room = len > BLOCK_BYTES ? len : BLOCK_BYTES;
        struct tt_arena_block *block;
        size_t bytes;

        if (!tt_add_ok(sizeof(*block) + TT_ARENA_BEHIND, room, &bytes))
            return NULL;
        block = tt_memory_take(a->memory, bytes);
        if (!block)
            return NULL;
        block->taken = bytes;
        block->older = a->blocks;
        a->blocks = block;
        a->next = block->bytes;
        a->left = room;
        a->bytes += bytes;
    }
    taken = a->next;
    a->next += len;
    a->left -= len;
    return taken;
}

char *tt_arena_copy(struct tt_arena *a, const char *ptr, size_t len)
{
    char *copy = tt_arena_take(a, len);

    if (copy && len)
        memcpy(copy, ptr, len);
    return copy;
}
