/*
 * base/sort.h - qsort() that can be stopped.
 *
 * Small arrays are left to qsort(); long ones are sorted in pieces, which are
 * merged.  Records that compare equal may change places, as with qsort().
 */
#ifndef TT_BASE_SORT_H
#define TT_BASE_SORT_H

#include <stddef.h>

#include "base/memory.h"
#include "base/watch.h"

/*
 * Sorts `count` records of `record_bytes` bytes at `ptr`.
 *
 * @param memory  for as much again, if that is needed; or NULL.
 * @param watch  asked every few milliseconds; NULL is allowed.
 * @return T2T_OK; T2T_ERR_NO_MEMORY; T2T_ERR_CANCELED: the order is anything
 *         then, and records may be there twice.
 */
enum t2t_status tt_sort(void *ptr, size_t count, size_t record_bytes,
                        int (*compare)(const void *, const void *),
                        struct tt_memory *memory, struct tt_watch *watch);

#endif
