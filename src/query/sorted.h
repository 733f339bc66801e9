/*
 * query/sorted.h - qsort() for what is in order mostly.
 */
#ifndef TT_QUERY_SORTED_H
#define TT_QUERY_SORTED_H

#include <stddef.h>
#include <stdlib.h>

/* Sorts `count` records of `bytes` bytes at `ptr`, unless they are. */
static inline void tt_sort_unsorted(void *ptr, size_t count, size_t bytes,
                                    int (*compare)(const void *, const void *))
{
    const char *at = ptr;

    for (size_t i = 1; i < count; i++, at += bytes) {
        if (compare(at, at + bytes) > 0) {
            qsort(ptr, count, bytes, compare);
            return;
        }
    }
}

#endif
