/* frame_write.c - elements and ids to columns of varints. */
#include "format/frame_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "format/varint.h"

static inline void put(struct tt_buffer *to, uint64_t v)
{
    unsigned char *at, *end;

    if (to->cap - to->len < TT_VARINT_MAX &&
        !tt_buffer_reserve(to, TT_VARINT_MAX))
        return;
    at = (unsigned char *)to->ptr + to->len;
    end = tt_varint_put(at, v);
    to->len += (size_t)(end - at);
}

void tt_frame_write_ids(const uint32_t *ids, size_t count, struct tt_buffer *to)
{
    int64_t previous = -1;

    for (size_t i = 0; i < count; i++) {
        put(to, tt_zigzag((int64_t)ids[i] - previous - 1));
        previous = ids[i];
    }
}

struct tt_sheet *tt_sheet_create(void)
{
    struct tt_sheet *s = malloc(sizeof(*s));

    if (s) {
        s->slot = NULL;
        s->slot_cap = 0;
        tt_sheet_clear(s, 0);
    }
    return s;
}

void tt_sheet_free(struct tt_sheet *s)
{
    if (s)
        free(s->slot);
    free(s);
}

void tt_sheet_clear(struct tt_sheet *s, size_t kept)
{
    s->count = 0;
    s->slots = 0;
    s->used_count = 0;
    if (s->slot_cap <= kept)
        return;
    free(s->slot);
    s->slot = NULL;
    s->slot_cap = 0;
}

void tt_pack_release(struct tt_pack *p)
{
    tt_memory_give(p->memory, p->shape_of, p->shape_cap * sizeof(*p->shape_of));
    p->holes.memory = p->memory;
    tt_arena_release(&p->holes);
    *p = (struct tt_pack){.memory = p->memory};
}

static bool is_slotted(char c)
{
    return c >= TT_HOLE_INTEGER && c < TT_HOLE_END;
}

bool tt_pack_shape(struct tt_pack *p, const char *template, size_t len)
{
    size_t count = 0;
    char *holes;

    p->holes.memory = p->memory;
    if (!tt_memory_room(p->memory, &p->shape_of, &p->shape_cap, p->shapes,
                        sizeof(*p->shape_of)))
        return false;
    for (size_t i = 0; i < len; i++)
        count += is_slotted(template[i]);
    holes = tt_arena_take(&p->holes, count + 1);
    if (!holes)
        return false;
    p->shape_of[p->shapes++] = (struct tt_pack_shape){holes, TT_NONE, 0};
    for (size_t i = 0; i < len; i++)
        if (is_slotted(template[i]))
            *holes++ = template[i];
    *holes = '\0';
    return true;
}

void tt_pack_begin(struct tt_pack *p, struct tt_sheet *sheet)
{
    p->sheet = sheet;
}

bool tt_pack_add(struct tt_pack *p, uint64_t offset, uint32_t shape,
                 const uint64_t *slot, size_t count)
{
    struct tt_pack_shape *of = &p->shape_of[shape];
    struct tt_sheet *s = p->sheet;
    uint32_t i = s->count;

    if (s->slot_cap - s->slots < count &&
        !tt_vec_grow(&s->slot, &s->slot_cap, s->slots + count,
                     sizeof(*s->slot)))
        return false;
    for (size_t n = 0; n < count; n++)
        s->slot[s->slots++] = slot[n];
    s->offset[i] = offset;
    s->shape[i] = shape;
    s->first[i] = (uint32_t)(s->slots - count);
    s->next[i] = TT_NONE;
    if (of->used == TT_NONE) {
        of->used = s->used_count++;
        s->used[of->used] = (struct tt_sheet_shape){of->holes, shape, i};
    } else {
        s->next[of->tail] = i;
    }
    of->tail = i;
    s->count++;
    return true;
}

void tt_pack_end(struct tt_pack *p)
{
    for (uint32_t i = 0; i < p->sheet->used_count; i++)
        p->shape_of[p->sheet->used[i].shape].used = TT_NONE;
    p->sheet = NULL;
}

/* A column of one shape: slot `at` of each element, as differences or not. */
static void write_column(const struct tt_sheet *s, uint32_t head, size_t at,
                         bool differences, struct tt_buffer *to)
{
    uint64_t previous = 0;

    for (uint32_t i = head; i != TT_NONE; i = s->next[i]) {
        uint64_t value = s->slot[s->first[i] + at];

        if (differences)
            put(to, tt_zigzag((int64_t)(value - previous)));
        else
            put(to, value);
        previous = value;
    }
}

static void write_shape(const struct tt_sheet *s,
                        const struct tt_sheet_shape *used, struct tt_buffer *to)
{
    size_t at = 0;

    for (const char *hole = used->holes; *hole; hole++) {
        write_column(s, used->head, at++, *hole != TT_HOLE_TEXT, to);
        if (*hole == TT_HOLE_DECIMAL)
            write_column(s, used->head, at++, false, to);
    }
}

void tt_sheet_write(const struct tt_sheet *s, struct tt_buffer *to)
{
    uint64_t previous = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        put(to, s->offset[i] - previous);
        previous = s->offset[i];
    }
    for (uint32_t i = 0; i < s->count; i++)
        put(to, s->shape[i]);
    for (uint32_t i = 0; i < s->used_count; i++)
        write_shape(s, &s->used[i], to);
}
