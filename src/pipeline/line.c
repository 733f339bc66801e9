/* line.c - a ring with three marks. */
#include "pipeline/line.h"

#include <assert.h>
#include <stdlib.h>

bool tt_line_init(struct tt_line *l, size_t cap)
{
    *l = (struct tt_line){.slot = calloc(cap, sizeof(struct tt_chunk *)),
                          .cap = cap};
    return l->slot != NULL;
}

void tt_line_release(struct tt_line *l)
{
    free(l->slot);
}

void tt_line_push(struct tt_line *l, struct tt_chunk *c)
{
    assert(tt_line_room(l));
    l->slot[l->end++ % l->cap] = c;
}

struct tt_chunk *tt_line_take(struct tt_line *l)
{
    return l->next < l->end ? l->slot[l->next++ % l->cap] : NULL;
}

struct tt_chunk *tt_line_first(const struct tt_line *l)
{
    return l->head < l->end ? l->slot[l->head % l->cap] : NULL;
}

struct tt_chunk *tt_line_pop(struct tt_line *l)
{
    struct tt_chunk *c = tt_line_first(l);

    if (!c)
        return NULL;
    l->head++;
    if (l->next < l->head)
        l->next = l->head;
    return c;
}
