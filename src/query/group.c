/* group.c - members by key. */
#include "query/group.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"

void tt_groups_release(struct tt_groups *g)
{
    tt_intern_release(&g->key);
    free(g->item);
    free(g->of);
    free(g->member);
    *g = (struct tt_groups){.count = 0};
}

enum t2t_status tt_groups_add(struct tt_groups *g, const void *key,
                              size_t key_bytes, uint64_t amount,
                              struct t2t_error *err)
{
    uint32_t n = tt_intern_add(&g->key, key, key_bytes);

    if (n == TT_INTERN_FAILED ||
        !tt_vec_room(&g->of, &g->of_cap, g->members, sizeof(*g->of)) ||
        !tt_vec_room(&g->item, &g->cap, g->count, sizeof(*g->item)))
        return tt_no_memory(err);
    if (n == g->count)
        g->item[g->count++] =
            (struct tt_group){.first = g->members, .ordinal = n};
    g->item[n].count++;
    g->item[n].amount += amount; /* 2^32 of them are less than 2^96 */
    g->total += amount;
    g->of[g->members++] = n;
    return T2T_OK;
}

enum t2t_status tt_groups_collect(struct tt_groups *g, struct t2t_error *err)
{
    uint32_t at = 0;

    g->member = malloc(((size_t)g->members + 1) * sizeof(*g->member));
    if (!g->member)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < g->count; i++) {
        g->item[i].start = at;
        at += g->item[i].count;
    }
    for (uint32_t i = 0; i < g->members; i++)
        g->member[g->item[g->of[i]].start++] = i;
    for (uint32_t i = 0; i < g->count; i++)
        g->item[i].start -= g->item[i].count;
    return T2T_OK;
}

static int compare_groups(const void *left, const void *right)
{
    const struct tt_group *a = left;
    const struct tt_group *b = right;

    if (a->amount != b->amount)
        return a->amount > b->amount ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

void tt_groups_trim(struct tt_groups *g)
{
    tt_intern_release(&g->key);
    free(g->of);
    g->of = NULL;
    g->of_cap = 0;
}

void tt_groups_rank(struct tt_groups *g)
{
    if (g->count)
        qsort(g->item, g->count, sizeof(*g->item), compare_groups);
}

void tt_groups_rank_by_place(struct tt_groups *g, const uint32_t *position)
{
    for (uint32_t i = 0; i < g->count; i++)
        g->item[i].place = UINT32_MAX;
    for (uint32_t i = 0; i < g->members; i++) {
        struct tt_group *of = &g->item[g->of[i]];

        if (position[i] < of->place)
            of->place = position[i];
    }
    tt_groups_rank(g);
}
