/*
 * base/idmap.h - a map from a small number and a large one to a number.
 *
 * Keys are pairs because most of what a trace links is known by two things: a
 * kind and a number, a thread and a time.  Large ones that follow each other
 * lie side by side, as they are mostly asked for that way.  One thread.
 */
#ifndef TT_BASE_IDMAP_H
#define TT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct tt_idmap_slot {
    uint64_t low;
    uint32_t high; /* plus one; 0 is a free slot */
    uint32_t value;
};

struct tt_idmap {
    struct tt_memory *memory;   /* where slots lie, or NULL; not owned */
    struct tt_idmap_slot *slot; /* open addressing, a power of two, owned */
    size_t slots;
    size_t count;
};

/* An all-zero map is empty and ready, and so is one that has its memory. */
void tt_idmap_release(struct tt_idmap *m);

/* Makes room for `count` keys in all; false when memory is short. */
bool tt_idmap_reserve(struct tt_idmap *m, size_t count);

/* Where the value of a key is, or NULL when the map does not have it.  The
 * pointer is good until the next put.  `high` is below UINT32_MAX. */
uint32_t *tt_idmap_get(const struct tt_idmap *m, uint32_t high, uint64_t low);

/* Gets from memory what looking for a key will need.  Tables are larger than
 * caches: who knows what it will look for asks some keys ahead, and waits for
 * many of them at once. */
void tt_idmap_expect(const struct tt_idmap *m, uint32_t high, uint64_t low);

/* So many keys ahead. */
#define TT_IDMAP_AHEAD 16

/*
 * Where the value of a key is; a new key gets `value` first.  NULL when memory
 * is short.
 */
uint32_t *tt_idmap_put(struct tt_idmap *m, uint32_t high, uint64_t low,
                       uint32_t value);

#endif
