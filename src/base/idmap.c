/* idmap.c - open addressing, at most half full. */
#include "base/idmap.h"

#define FIRST_SLOTS 64
#define NEIGHBOURS 4u /* of slots, that fill a line of the cache */

void tt_idmap_release(struct tt_idmap *m)
{
    tt_memory_give(m->memory, m->slot, m->slots * sizeof(*m->slot));
    *m = (struct tt_idmap){.memory = m->memory};
}

/*
 * Neighbours of four, a line of the cache, stay together; each four go to any
 * place.  Numbers are often small, so they are multiplied until the high bits
 * count.
 */
static size_t place(uint32_t high, uint64_t low, size_t slots)
{
    uint64_t mixed =
        (high * 0x9e3779b97f4a7c15u + low / NEIGHBOURS) * 0xff51afd7ed558ccdu;

    mixed ^= mixed >> 32;
    return (size_t)(mixed * NEIGHBOURS + low % NEIGHBOURS) & (slots - 1);
}

void tt_idmap_expect(const struct tt_idmap *m, uint32_t high, uint64_t low)
{
    if (m->slots)
        __builtin_prefetch(&m->slot[place(high, low, m->slots)]);
}

static struct tt_idmap_slot *find(const struct tt_idmap *m, uint32_t high,
                                  uint64_t low)
{
    size_t at = place(high, low, m->slots);

    while (m->slot[at].high &&
           (m->slot[at].low != low || m->slot[at].high != high + 1))
        at = (at + 1) & (m->slots - 1);
    return &m->slot[at];
}

static bool grow(struct tt_idmap *m, size_t slots)
{
    struct tt_idmap old = *m;

    m->slots = slots;
    m->slot = tt_memory_take_zero(m->memory, m->slots * sizeof(*m->slot));
    if (!m->slot) {
        *m = old;
        return false;
    }
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].high)
            *find(m, old.slot[i].high - 1, old.slot[i].low) = old.slot[i];
    tt_memory_give(m->memory, old.slot, old.slots * sizeof(*old.slot));
    return true;
}

bool tt_idmap_reserve(struct tt_idmap *m, size_t count)
{
    size_t slots = m->slots ? m->slots : FIRST_SLOTS;

    while (slots / 2 < count && slots < SIZE_MAX / 64)
        slots *= 2;
    return slots == m->slots || grow(m, slots);
}

uint32_t *tt_idmap_get(const struct tt_idmap *m, uint32_t high, uint64_t low)
{
    struct tt_idmap_slot *slot;

    if (!m->count)
        return NULL;
    slot = find(m, high, low);
    return slot->high ? &slot->value : NULL;
}

uint32_t *tt_idmap_put(struct tt_idmap *m, uint32_t high, uint64_t low,
                       uint32_t value)
{
    struct tt_idmap_slot *slot;

    if (m->count * 2 >= m->slots && !tt_idmap_reserve(m, m->count + 1))
        return NULL;
    slot = find(m, high, low);
    if (!slot->high) {
        *slot = (struct tt_idmap_slot){low, high + 1, value};
        m->count++;
    }
    return &slot->value;
}
