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
    for (size_t i = 0; i < p->shapes; i++)
        free(p->holes[i]);
    free(p->holes);
    free(p->head);
    free(p->tail);
    *p = (struct tt_pack){0};
}

bool tt_pack_shape(struct tt_pack *p, const char *template, size_t len)
{
    size_t count = 0;
    char *holes;

    if (!tt_vec_room(&p->holes, &p->shape_cap, p->shapes, sizeof(*p->holes)) ||
        !tt_vec_room(&p->head, &p->head_cap, p->shapes, sizeof(*p->head)) ||
        !tt_vec_room(&p->tail, &p->tail_cap, p->shapes, sizeof(*p->tail)))
        return false;
    for (size_t i = 0; i < len; i++)
        count += template[i] >= TT_HOLE_INTEGER && template[i] < TT_HOLE_END;
    holes = calloc(count + 1, 1);
    if (!holes)
        return false;
    count = 0;
    for (size_t i = 0; i < len; i++)
        if (template[i] >= TT_HOLE_INTEGER && template[i] < TT_HOLE_END)
            holes[count++] = template[i];
    p->holes[p->shapes] = holes;
    p->head[p->shapes++] = TT_NONE;
    return true;
}

bool tt_pack_add(struct tt_pack *p, uint64_t offset, uint32_t shape,
                 const uint64_t *slot, size_t count)
{
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
    if (p->head[shape] == TT_NONE) {
        p->head[shape] = i;
        p->used[p->used_count++] = shape;
    } else {
        p->next[p->tail[shape]] = i;
    }
    p->tail[shape] = i;
    p->count++;
    return true;
}

/* A column of one shape: slot `at` of each element, as differences or not. */
static void write_column(const struct tt_pack *p, uint32_t shape, size_t at,
                         bool differences, struct tt_buffer *to)
{
    uint64_t previous = 0;

    for (uint32_t i = p->head[shape]; i != TT_NONE; i = p->next[i]) {
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

    for (const char *hole = p->holes[shape]; *hole; hole++) {
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
        p->head[p->used[i]] = TT_NONE;
    }
    p->count = 0;
    p->slots = 0;
    p->used_count = 0;
}
