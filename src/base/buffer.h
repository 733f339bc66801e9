/*
 * base/buffer.h - bytes that grow at the end.
 *
 * A buffer remembers that memory ran out: adding goes on doing nothing, and
 * the one who built it asks once, at the end.  One thread.
 */
#ifndef TT_BASE_BUFFER_H
#define TT_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct tt_buffer {
    char *ptr; /* owned; NULL while empty */
    size_t len;
    size_t cap;
    bool failed; /* memory ran out: what is in it is not whole */
};

/* An all-zero buffer is empty and ready. */
void tt_buffer_release(struct tt_buffer *b);

/* Makes room for `more` bytes behind the end; false when there is none. */
bool tt_buffer_reserve(struct tt_buffer *b, size_t more);

/* Empties it, keeps its memory. */
static inline void tt_buffer_clear(struct tt_buffer *b)
{
    b->len = 0;
    b->failed = false;
}

static inline void tt_buffer_add(struct tt_buffer *b, const char *ptr,
                                 size_t len)
{
    if (b->cap - b->len < len && !tt_buffer_reserve(b, len))
        return;
    if (len)
        memcpy(b->ptr + b->len, ptr, len);
    b->len += len;
}

static inline void tt_buffer_add_byte(struct tt_buffer *b, char byte)
{
    if (b->cap == b->len && !tt_buffer_reserve(b, 1))
        return;
    b->ptr[b->len++] = byte;
}

#endif
