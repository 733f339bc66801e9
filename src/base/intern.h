/*
 * base/intern.h - equal bytes get equal numbers: 0, 1, 2, ... in the order in
 * which they first come.
 *
 * The bytes are copied once and never move.  One thread.
 */
#ifndef TT_BASE_INTERN_H
#define TT_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define TT_INTERN_FAILED UINT32_MAX
#define TT_INTERN_NONE UINT32_MAX

struct tt_interned {
    const char *ptr; /* in the arena */
    size_t len;
};

struct tt_intern_slot {
    uint32_t hash;
    uint32_t number; /* plus one; 0 is a free slot */
};

struct tt_intern {
    struct tt_arena arena;
    struct tt_interned *item; /* by number, owned */
    size_t cap;
    size_t count;
    struct tt_intern_slot *slot; /* open addressing, a power of two, owned */
    size_t slots;
};

/* An all-zero table is empty and ready, and so is one whose arena has its
 * memory, where all of it lies then. */
void tt_intern_release(struct tt_intern *t);

/* Memory that it takes. */
size_t tt_intern_bytes(const struct tt_intern *t);

/* The number of these bytes; TT_INTERN_FAILED when memory is short. */
uint32_t tt_intern_add(struct tt_intern *t, const char *ptr, size_t len);

/* The number of these bytes if they came before, else TT_INTERN_NONE. */
uint32_t tt_intern_find(const struct tt_intern *t, const char *ptr, size_t len);

#endif
