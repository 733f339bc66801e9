/*
 * base/vec.h - room in a growing array.
 *
 *     if (!tt_vec_room(&v->items, &v->cap, v->count, sizeof(*v->items)))
 *         return T2T_ERR_NO_MEMORY;
 *     v->items[v->count++] = item;
 */
#ifndef TT_BASE_VEC_H
#define TT_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Sees to it that the array at `*(void **)items` has room for one more than
 * `count` records.  False, and nothing changed, when memory is short.
 */
bool tt_vec_grow(void *items, size_t *cap, size_t count, size_t record_bytes);

static inline bool tt_vec_room(void *items, size_t *cap, size_t count,
                               size_t record_bytes)
{
    return count < *cap || tt_vec_grow(items, cap, count, record_bytes);
}

#endif
