/* lane.c - a hash table of lanes. */
#include "model/lane.h"

#define FIRST_SLOTS 64

void tt_lanes_release(struct tt_lanes *t)
{
    tt_memory_give(t->memory, t->lane, t->cap * sizeof(*t->lane));
    tt_memory_give(t->memory, t->slot, t->slots * sizeof(*t->slot));
    *t = (struct tt_lanes){.memory = t->memory};
}

size_t tt_lanes_bytes(const struct tt_lanes *t)
{
    return t->cap * sizeof(*t->lane) + t->slots * sizeof(*t->slot);
}

static size_t place(const struct tt_lane *l, size_t slots)
{
    uint64_t h = l->pid.value * 0x9e3779b97f4a7c15u;

    h = (h + l->tid.value) * 0xff51afd7ed558ccdu;
    h ^= h >> 29;
    h += l->side + 4u * l->pid.kind + 16u * l->tid.kind;
    h *= 0xc4ceb9fe1a85ec53u;
    return (size_t)(h ^ h >> 32) & (slots - 1);
}

static bool equal(const struct tt_lane *a, const struct tt_lane *b)
{
    return a->side == b->side && tt_id_equal(a->pid, b->pid) &&
           tt_id_equal(a->tid, b->tid);
}

static uint32_t *find(const struct tt_lanes *t, const struct tt_lane *lane)
{
    size_t at = place(lane, t->slots);

    while (t->slot[at] && !equal(&t->lane[t->slot[at] - 1], lane))
        at = (at + 1) & (t->slots - 1);
    return &t->slot[at];
}

static bool grow(struct tt_lanes *t)
{
    size_t slots = t->slots ? t->slots * 2 : FIRST_SLOTS;
    uint32_t *slot = tt_memory_take_zero(t->memory, slots * sizeof(*slot));

    if (!slot)
        return false;
    tt_memory_give(t->memory, t->slot, t->slots * sizeof(*t->slot));
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->count; i++)
        *find(t, &t->lane[i]) = (uint32_t)i + 1;
    return true;
}

uint32_t tt_lanes_add(struct tt_lanes *t, const struct tt_lane *lane)
{
    uint32_t *slot;

    if (t->last < t->count && equal(&t->lane[t->last], lane))
        return t->last;
    if (t->count * 2 >= t->slots && !grow(t))
        return TT_LANES_FAILED;
    slot = find(t, lane);
    if (*slot)
        return t->last = *slot - 1;
    if (t->count >= TT_LANES_FAILED - 1 ||
        !tt_memory_room(t->memory, &t->lane, &t->cap, t->count,
                        sizeof(*t->lane)))
        return TT_LANES_FAILED;
    t->lane[t->count++] = *lane;
    *slot = (uint32_t)t->count;
    return *slot - 1;
}
