/*
 * base/idmap.h - a map from pairs of 64-bit numbers to 32-bit ones.
 *
 * Keys are pairs because most of what a trace links is known by two things: a
 * number and its kind, a thread and a time.  One thread.
 */
#ifndef TT_BASE_IDMAP_H
#define TT_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct tt_idmap_slot {
    uint64_t high;
    uint64_t low;
    uint32_t value;
    uint32_t used;
};

struct tt_idmap {
    struct tt_memory *memory;   /* where slots lie, or NULL; not owned */
    struct tt_idmap_slot *slot; /* open addressing, a power of two, owned */
    size_t slots;
    size_t count;
};

/* An all-zero map is empty and ready, and so is one that has its memory. */
void tt_idmap_release(struct tt_idmap *m);

/* Where the value of a key is, or NULL when the map does not have it.  The
 * pointer is good until the next put. */
uint32_t *tt_idmap_get(const struct tt_idmap *m, uint64_t high, uint64_t low);

/*
 * Where the value of a key is; a new key gets `value` first.  NULL when memory
 * is short.
 */
uint32_t *tt_idmap_put(struct tt_idmap *m, uint64_t high, uint64_t low,
                       uint32_t value);

#endif
