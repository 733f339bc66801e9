/* buffer.c - growth by doubling. */
#include "base/buffer.h"

#include <stdlib.h>

#include "base/checked.h"

void tt_buffer_release(struct tt_buffer *b)
{
    free(b->ptr);
    *b = (struct tt_buffer){0};
}

bool tt_buffer_reserve(struct tt_buffer *b, size_t more)
{
    size_t cap = b->cap ? b->cap : 256;
    size_t want;
    char *ptr;

    if (!tt_add_ok(b->len, more, &want)) {
        b->failed = true;
        return false;
    }
    while (cap < want)
        if (!tt_mul_ok(cap, 2, &cap))
            cap = want;
    if (cap == b->cap)
        return true;
    ptr = realloc(b->ptr, cap);
    if (!ptr) {
        b->failed = true;
        return false;
    }
    b->ptr = ptr;
    b->cap = cap;
    return true;
}
