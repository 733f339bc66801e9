/* layout.c - the tree of steps. */
#include "decode/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "decode/draft.h"

/* Bounds for traces in which each element is another. */
#define MOST_STEPS 8192u
#define MOST_OTHERS 64u /* steps that are tried at one place */
#define MOST_TEXT ((size_t)1 << 20)

void tt_layouts_release(struct tt_layouts *l)
{
    tt_arena_release(&l->arena);
    free(l->step);
    free(l->layout);
    *l = (struct tt_layouts){.model = l->model};
}

/* A place where the number of a step stands: the first, or behind a step. */
struct place {
    uint32_t step; /* TT_NO_STEP for the first */
    unsigned way;
};

static uint32_t *at(struct tt_layouts *l, struct place p)
{
    return p.step ? &l->step[p.step].next[p.way] : &l->first;
}

static bool is_step(const struct tt_step *s, const struct tt_piece *p)
{
    return s->kind == p->kind && s->use == p->use && s->len == p->len &&
           !memcmp(s->text, p->text, p->len);
}

/* The step for `piece` at a place, or TT_NO_STEP; `*tried` counts the rest. */
static uint32_t find(struct tt_layouts *l, struct place place,
                     const struct tt_piece *piece, unsigned *tried)
{
    uint32_t n = *at(l, place);

    for (*tried = 0; n && !is_step(&l->step[n], piece); ++*tried)
        n = l->step[n].other;
    return n;
}

/* Whether the layout is to have room, by what it needs at most. */
static bool has_room(const struct tt_layouts *l, const struct tt_piece *piece,
                     size_t count)
{
    size_t bytes = l->text_bytes;

    for (size_t i = 0; i < count; i++)
        bytes += piece[i].len + TT_STEP_PADDING;
    return bytes <= MOST_TEXT && l->steps + count <= MOST_STEPS;
}

/* A new step at a place, before the others. */
static uint32_t add(struct tt_layouts *l, struct place place,
                    const struct tt_piece *piece)
{
    uint32_t n = (uint32_t)l->steps;
    size_t bytes = piece->len + TT_STEP_PADDING;
    char *text;

    if (!tt_vec_room(&l->step, &l->step_cap, n, sizeof(*l->step)))
        return TT_NO_STEP;
    text = tt_arena_take(&l->arena, bytes);
    if (!text)
        return TT_NO_STEP;
    memset(text, 0, bytes);
    memcpy(text, piece->text, piece->len);
    l->text_bytes += bytes;
    l->step[n] = (struct tt_step){.text = text,
                                  .len = (uint32_t)piece->len,
                                  .kind = (uint8_t)piece->kind,
                                  .use = (uint8_t)piece->use,
                                  .other = *at(l, place)};
    l->steps++;
    *at(l, place) = n;
    return n;
}

uint32_t tt_layouts_add(struct tt_layouts *l, const struct tt_piece *piece,
                        size_t count)
{
    struct place place = {0};
    bool is_new = false;
    unsigned tried;

    if (!l->steps) {
        if (!tt_vec_room(&l->step, &l->step_cap, 0, sizeof(*l->step)))
            return TT_NO_LAYOUT;
        l->step[0] = (struct tt_step){.len = 0};
        l->steps = 1;
    }
    if (!tt_vec_room(&l->layout, &l->cap, l->count, sizeof(*l->layout)) ||
        !has_room(l, piece, count))
        return TT_NO_LAYOUT;
    for (size_t i = 0; i < count; i++) {
        uint32_t n = find(l, place, &piece[i], &tried);

        if (!n && tried >= MOST_OTHERS)
            return TT_NO_LAYOUT;
        is_new |= !n;
        if (!n)
            n = add(l, place, &piece[i]);
        if (!n)
            return TT_NO_LAYOUT;
        place = (struct place){n, piece[i].way};
    }
    if (!is_new)
        return TT_NO_LAYOUT;
    l->step[place.step].next[0] = (uint32_t)l->count;
    return (uint32_t)l->count++;
}
