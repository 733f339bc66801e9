/* frame.c - unpacks frames and decodes what is in them. */
#include "format/frame.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "format/varint.h"

#define BUCKETS (2u * TT_ELEMENTS_A_FRAME)

bool tt_frame_fits(const struct tt_frames *frames,
                   const struct tt_frame_record *record)
{
    uint64_t most = TT_FRAME_SPARE + (uint64_t)record->bytes * TT_FRAME_RATIO;

    return record->offset <= frames->bytes &&
           record->bytes <= frames->bytes - record->offset &&
           record->raw_bytes <= most;
}

bool tt_frame_unpack(ZSTD_DCtx *zstd, const struct tt_frames *frames,
                     const struct tt_frame_record *record, unsigned char *to)
{
    const unsigned char *from = frames->ptr + record->offset;

    if (ZSTD_getFrameContentSize(from, record->bytes) != record->raw_bytes)
        return false;
    if (ZSTD_findFrameCompressedSize(from, record->bytes) != record->bytes)
        return false;
    if (ZSTD_decompressDCtx(zstd, to, record->raw_bytes, from, record->bytes) !=
        record->raw_bytes)
        return false;
    return XXH3_64bits(to, record->raw_bytes) == record->xxh3;
}

bool tt_frame_ids(const unsigned char *raw, size_t bytes, uint32_t count,
                  uint32_t limit, uint32_t *ids)
{
    const unsigned char *end = raw + bytes;
    uint64_t previous = UINT64_MAX; /* -1 */

    for (uint32_t i = 0; i < count; i++) {
        uint64_t step;

        if (!tt_varint_get(&raw, end, &step))
            return false;
        previous += 1 + (uint64_t)tt_unzigzag(step);
        if (previous >= limit)
            return false;
        ids[i] = (uint32_t)previous;
    }
    return raw == end;
}

void tt_elements_release(struct tt_elements *e)
{
    free(e->value);
    e->value = NULL;
    e->value_cap = 0;
}

static bool read_offsets(const unsigned char **at, const unsigned char *end,
                         struct tt_elements *e)
{
    uint64_t offset = 0;

    for (uint32_t i = 0; i < e->count; i++) {
        uint64_t step;

        if (!tt_varint_get(at, end, &step) ||
            __builtin_add_overflow(offset, step, &offset))
            return false;
        e->offset[i] = offset;
    }
    return true;
}

/* Puts element `i` at the end of the list of its shape. */
static void list_add(struct tt_elements *e, uint32_t i)
{
    uint32_t b = e->shape[i] * 2654435769u % BUCKETS;
    uint32_t head;

    while (e->bucket[b] != TT_NONE && e->shape[e->bucket[b]] != e->shape[i])
        b = (b + 1) % BUCKETS;
    e->next[i] = TT_NONE;
    head = e->bucket[b];
    if (head == TT_NONE) {
        e->bucket[b] = i;
        e->last[i] = i;
        e->order[e->order_count++] = i;
        return;
    }
    e->next[e->last[head]] = i;
    e->last[head] = i;
}

static bool read_shapes(const unsigned char **at, const unsigned char *end,
                        uint32_t shape_count, struct tt_elements *e)
{
    e->order_count = 0;
    memset(e->bucket, 0xff, sizeof(e->bucket)); /* TT_NONE */
    for (uint32_t i = 0; i < e->count; i++) {
        uint64_t shape;

        if (!tt_varint_get(at, end, &shape) || shape >= shape_count)
            return false;
        e->shape[i] = (uint32_t)shape;
        list_add(e, i);
    }
    return true;
}

/*
 * Gives each element its place among the values.  Each value takes at least a
 * byte of the `left` ones, so more cannot be.
 */
static bool place_values(const struct tt_shapes *shapes, size_t left,
                         struct tt_elements *e, size_t *total)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < e->order_count; k++) {
        struct t2t_text text;
        uint32_t values;
        uint32_t i = e->order[k];

        if (!tt_string_at(&shapes->strings, shapes->shape[e->shape[i]],
                          &text) ||
            !tt_shape_values(text, &values))
            return false;
        for (; i != TT_NONE; i = e->next[i]) {
            e->first[i] = (uint32_t)sum;
            sum += values;
            if (sum > left)
                return false;
        }
    }
    *total = (size_t)sum;
    return true;
}

/* Reads one column: value `k` of each element of the list that begins at `i`.
 */
static bool read_column(const unsigned char **at, const unsigned char *end,
                        struct tt_elements *e, uint32_t i, uint32_t k,
                        bool steps)
{
    uint64_t value = 0;

    for (; i != TT_NONE; i = e->next[i]) {
        uint64_t got;

        if (!tt_varint_get(at, end, &got))
            return false;
        value = steps ? value + (uint64_t)tt_unzigzag(got) : got;
        e->value[e->first[i] + k] = value;
    }
    return true;
}

/* Reads all columns of the list that begins at `i`. */
static bool read_columns(const unsigned char **at, const unsigned char *end,
                         const struct tt_shapes *shapes, struct tt_elements *e,
                         uint32_t i)
{
    struct t2t_text text;
    unsigned hole;
    uint32_t k = 0;
    size_t place = 0;

    if (!tt_string_at(&shapes->strings, shapes->shape[e->shape[i]], &text))
        return false;
    while ((hole = tt_shape_hole(text, &place))) {
        unsigned values = tt_hole_values(hole);
        bool steps = hole != TT_HOLE_TEXT;

        if (values && !read_column(at, end, e, i, k, steps))
            return false;
        if (values == 2 && !read_column(at, end, e, i, k + 1, false))
            return false;
        k += values;
        place++;
    }
    return true;
}

/* Makes room for `count` values. */
static bool make_room(struct tt_elements *e, size_t count)
{
    uint64_t *value;

    if (count <= e->value_cap)
        return true;
    value = calloc(count, sizeof(*value));
    if (!value)
        return false;
    free(e->value);
    e->value = value;
    e->value_cap = count;
    return true;
}

enum t2t_status tt_frame_elements(const unsigned char *raw, size_t bytes,
                                  uint32_t count,
                                  const struct tt_shapes *shapes,
                                  struct tt_elements *e)
{
    const unsigned char *end = raw + bytes;
    size_t total;

    e->count = count;
    if (count > TT_ELEMENTS_A_FRAME || !read_offsets(&raw, end, e) ||
        !read_shapes(&raw, end, shapes->count, e) ||
        !place_values(shapes, (size_t)(end - raw), e, &total))
        return T2T_ERR_INDEX_DAMAGE;
    if (!make_room(e, total))
        return T2T_ERR_NO_MEMORY;
    for (uint32_t k = 0; k < e->order_count; k++)
        if (!read_columns(&raw, end, shapes, e, e->order[k]))
            return T2T_ERR_INDEX_DAMAGE;
    return raw == end ? T2T_OK : T2T_ERR_INDEX_DAMAGE;
}
