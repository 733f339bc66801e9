/* idmap.c - open addressing, at most half full. */
#include "base/idmap.h"

#include <stdbool.h>

#define FIRST_SLOTS 64

void tt_idmap_release(struct tt_idmap *m)
{
    tt_memory_give(m->memory, m->slot, m->slots * sizeof(*m->slot));
    *m = (struct tt_idmap){.memory = m->memory};
}

/* Keys are often small and dense: multiply so that the high bits count. */
static size_t place(uint64_t high, uint64_t low, size_t slots)
{
    uint64_t mixed = (high * 0x9e3779b97f4a7c15u + low) * 0xff51afd7ed558ccdu;

    return (size_t)(mixed ^ mixed >> 32) & (slots - 1);
}

static struct tt_idmap_slot *find(const struct tt_idmap *m, uint64_t high,
                                  uint64_t low)
{
    size_t at = place(high, low, m->slots);

    while (m->slot[at].used &&
           (m->slot[at].low != low || m->slot[at].high != high))
        at = (at + 1) & (m->slots - 1);
    return &m->slot[at];
}

static bool grow(struct tt_idmap *m)
{
    struct tt_idmap old = *m;

    m->slots = old.slots ? old.slots * 2 : FIRST_SLOTS;
    m->slot = tt_memory_take_zero(m->memory, m->slots * sizeof(*m->slot));
    if (!m->slot) {
        *m = old;
        return false;
    }
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].used)
            *find(m, old.slot[i].high, old.slot[i].low) = old.slot[i];
    tt_memory_give(m->memory, old.slot, old.slots * sizeof(*old.slot));
    return true;
}

uint32_t *tt_idmap_get(const struct tt_idmap *m, uint64_t high, uint64_t low)
{
    struct tt_idmap_slot *slot;

    if (!m->count)
        return NULL;
    slot = find(m, high, low);
    return slot->used ? &slot->value : NULL;
}

uint32_t *tt_idmap_put(struct tt_idmap *m, uint64_t high, uint64_t low,
                       uint32_t value)
{
    struct tt_idmap_slot *slot;

    if (m->count * 2 >= m->slots && !grow(m))
        return NULL;
    slot = find(m, high, low);
    if (!slot->used) {
        *slot = (struct tt_idmap_slot){high, low, value, 1};
        m->count++;
    }
    return &slot->value;
}
