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

void tt_pack_release(struct tt_pack *p)
{
    free(p->slot);
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
    p->shape_of[p->shapes++] = (struct tt_pack_shape){holes, TT_NONE, TT_NONE};
    for (size_t i = 0; i < len; i++)
        if (is_slotted(template[i]))
            *holes++ = template[i];
    *holes = '\0';
    return true;
}

bool tt_pack_add(struct tt_pack *p, uint64_t offset, uint32_t shape,
                 const uint64_t *slot, size_t count)
{
    struct tt_pack_shape *s = &p->shape_of[shape];
    uint32_t i = p->count;

    if (p->slot_cap - p->slots < count &&
        !tt_vec_grow(&p->slot, &p->slot_cap, p->slots + count,
                     sizeof(*p->slot)))
        return false;
    for (size_t n = 0; n < count; n++)
        p->slot[p->slots++] = slot[n];
    p->offset[i] = offset;
    p->shape[i] = shape;
    p->first[i] = (uint32_t)(p->slots - count);
    p->next[i] = TT_NONE;
    if (s->head == TT_NONE) {
        s->head = i;
        p->used[p->used_count++] = shape;
    } else {
        p->next[s->tail] = i;
    }
    s->tail = i;
    p->count++;
    return true;
}

/* A column of one shape: slot `at` of each element, as differences or not. */
static void write_column(const struct tt_pack *p, uint32_t shape, size_t at,
                         bool differences, struct tt_buffer *to)
{
    uint64_t previous = 0;

    for (uint32_t i = p->shape_of[shape].head; i != TT_NONE; i = p->next[i]) {
        uint64_t value = p->slot[p->first[i] + at];

        if (differences)
            put(to, tt_zigzag((int64_t)(value - previous)));
        else
            put(to, value);
        previous = value;
    }
}

static void write_shape(const struct tt_pack *p, uint32_t shape,
                        struct tt_buffer *to)
{
    size_t at = 0;

    for (const char *hole = p->shape_of[shape].holes; *hole; hole++) {
        write_column(p, shape, at++, *hole != TT_HOLE_TEXT, to);
        if (*hole == TT_HOLE_DECIMAL)
            write_column(p, shape, at++, false, to);
    }
}

void tt_pack_write(struct tt_pack *p, struct tt_buffer *to)
{
    uint64_t previous = 0;

    for (uint32_t i = 0; i < p->count; i++) {
        put(to, p->offset[i] - previous);
        previous = p->offset[i];
    }
    for (uint32_t i = 0; i < p->count; i++)
        put(to, p->shape[i]);
    for (uint32_t i = 0; i < p->used_count; i++) {
        write_shape(p, p->used[i], to);
        p->shape_of[p->used[i]].head = TT_NONE;
    }
    p->count = 0;
    p->slots = 0;
    p->used_count = 0;
}
