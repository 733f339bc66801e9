/* intern.c - a hash table of numbers beside an array of the bytes. */
#include "base/intern.h"

#include <stdbool.h>
#include <string.h>

#include <xxhash.h>

#define FIRST_SLOTS 64

void tt_intern_release(struct tt_intern *t)
{
    struct tt_memory *m = t->arena.memory;

    tt_arena_release(&t->arena);
    tt_memory_give(m, t->item, t->cap * sizeof(*t->item));
    tt_memory_give(m, t->slot, t->slots * sizeof(*t->slot));
    *t = (struct tt_intern){.arena.memory = m};
}

size_t tt_intern_bytes(const struct tt_intern *t)
{
    return t->arena.bytes + t->cap * sizeof(*t->item) +
           t->slots * sizeof(*t->slot);
}

static bool grow_slots(struct tt_intern *t)
{
    size_t slots = t->slots ? t->slots * 2 : FIRST_SLOTS;
    struct tt_memory *m = t->arena.memory;
    struct tt_intern_slot *slot = tt_memory_take_zero(m, slots * sizeof(*slot));

    if (!slot)
        return false;
    for (size_t i = 0; i < t->slots; i++) {
        size_t at = t->slot[i].hash & (slots - 1);

        if (!t->slot[i].number)
            continue;
        while (slot[at].number)
            at = (at + 1) & (slots - 1);
        slot[at] = t->slot[i];
    }
    tt_memory_give(m, t->slot, t->slots * sizeof(*t->slot));
    t->slot = slot;
    t->slots = slots;
    return true;
}

static uint32_t add_new(struct tt_intern *t, size_t at, uint32_t hash,
                        const char *ptr, size_t len)
{
    char *copy;

    if (t->count >= TT_INTERN_FAILED - 1 ||
        !tt_memory_room(t->arena.memory, &t->item, &t->cap, t->count,
                        sizeof(*t->item)))
        return TT_INTERN_FAILED;
    copy = tt_arena_copy(&t->arena, ptr, len);
    if (!copy)
        return TT_INTERN_FAILED;
    t->item[t->count] = (struct tt_interned){copy, len};
    t->slot[at].hash = hash;
    t->slot[at].number = (uint32_t)++t->count;
    return (uint32_t)t->count - 1;
}

/* The slot of these bytes, or the free one where they would go; there is one.
 */
static size_t slot_of(const struct tt_intern *t, uint32_t hash, const char *ptr,
                      size_t len)
{
    size_t at = hash & (t->slots - 1);

    for (; t->slot[at].number; at = (at + 1) & (t->slots - 1)) {
        const struct tt_interned *item = &t->item[t->slot[at].number - 1];

        if (t->slot[at].hash == hash && item->len == len &&
            (!len || !memcmp(item->ptr, ptr, len)))
            break;
    }
    return at;
}

uint32_t tt_intern_add(struct tt_intern *t, const char *ptr, size_t len)
{
    uint32_t hash = (uint32_t)XXH3_64bits(ptr, len);
    size_t at;

    if (t->count * 2 >= t->slots && !grow_slots(t))
        return TT_INTERN_FAILED;
    at = slot_of(t, hash, ptr, len);
    if (t->slot[at].number)
        return t->slot[at].number - 1;
    return add_new(t, at, hash, ptr, len);
}

uint32_t tt_intern_find(const struct tt_intern *t, const char *ptr, size_t len)
{
    size_t at;

    if (!t->slots)
        return TT_INTERN_NONE;
    at = slot_of(t, (uint32_t)XXH3_64bits(ptr, len), ptr, len);
    return t->slot[at].number ? t->slot[at].number - 1 : TT_INTERN_NONE;
}
