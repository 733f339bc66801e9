/* sort.c - qsort() of pieces, then passes that merge pairs of them. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)1 << 14) /* records */

struct sort {
    size_t record_bytes;
    int (*compare)(const void *, const void *);
    struct tt_watch *watch;
};

/* Merges the records from `a` to `b` and from `b` to `end` into `to`. */
static bool merge(const struct sort *s, const char *a, const char *b,
                  const char *end, char *to)
{
    const char *middle = b;

    for (size_t turn = 1; a < middle && b < end; turn++) {
        const char **least = s->compare(a, b) <= 0 ? &a : &b;

        memcpy(to, *least, s->record_bytes);
        *least += s->record_bytes;
        to += s->record_bytes;
        if (!tt_watch_turn(s->watch, turn))
            return false;
    }
    memcpy(to, a, (size_t)(middle - a));
    memcpy(to + (middle - a), b, (size_t)(end - b));
    return true;
}

/* Merges pieces of `length` bytes, and a shorter last one, two by two. */
static bool pass(const struct sort *s, const char *from, char *to, size_t bytes,
                 size_t length)
{
    for (size_t at = 0; at < bytes;) {
        size_t middle = bytes - at < length ? bytes : at + length;
        size_t end = bytes - middle < length ? bytes : middle + length;

        if (!merge(s, from + at, from + middle, from + end, to + at))
            return false;
        at = end;
    }
    return true;
}

static bool sort_pieces(const struct sort *s, char *ptr, size_t count)
{
    for (size_t at = 0; at < count; at += PIECE) {
        size_t length = count - at < PIECE ? count - at : PIECE;

        if (!tt_watch_go_on(s->watch))
            return false;
        qsort(ptr + at * s->record_bytes, length, s->record_bytes, s->compare);
    }
    return true;
}

enum t2t_status tt_sort(void *ptr, size_t count, size_t record_bytes,
                        int (*compare)(const void *, const void *),
                        struct tt_memory *memory, struct tt_watch *watch)
{
    struct sort s = {record_bytes, compare, watch};
    size_t bytes = count * record_bytes;
    char *from = ptr;
    char *other;
    char *to;
    bool ok;

    if (count <= PIECE) {
        if (count)
            qsort(ptr, count, record_bytes, compare);
        return T2T_OK;
    }
    other = tt_memory_take(memory, bytes);
    if (!other)
        return T2T_ERR_NO_MEMORY;
    to = other;
    ok = sort_pieces(&s, ptr, count);
    for (size_t length = PIECE * record_bytes; ok && length < bytes;
         length *= 2) {
        char *swap = from;

        ok = pass(&s, from, to, bytes, length);
        from = to;
        to = swap;
    }
    if (ok && from != ptr)
        memcpy(ptr, from, bytes);
    tt_memory_give(memory, other, bytes);
    return ok ? T2T_OK : T2T_ERR_CANCELED;
}
