/* cursor.c - unpacks what elements said, a frame at a time. */
#include "index/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "format/frame.h"
#include "format/varint.h"
#include "index/reader.h"

enum t2t_status tt_cursor_no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

enum t2t_status t2t_cursor_open(t2t_cursor **out, const t2t_index *index,
                                struct t2t_error *err)
{
    t2t_cursor *c = calloc(1, sizeof(*c));

    if (!c)
        return tt_cursor_no_memory(err);
    c->index = index;
    c->known_id = c->json_id = T2T_NO_ID;
    c->envelope_frame = TT_NO_FRAME;
    c->zstd = ZSTD_createDCtx();
    if (!c->zstd) {
        t2t_cursor_close(c);
        return tt_cursor_no_memory(err);
    }
    *out = c;
    return T2T_OK;
}

static void cache_release(struct tt_frame_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++)
        free(cache->slot[i]);
}

/* Frees what a frame of elements, in the last slot, holds, and that slot. */
static void drop_elements(struct tt_frame_cache *cache)
{
    cache->count--;
    tt_elements_release(cache->slot[cache->count]);
    free(cache->slot[cache->count]);
}

void t2t_cursor_close(t2t_cursor *cursor)
{
    if (!cursor)
        return;
    cache_release(&cursor->order);
    cache_release(&cursor->places);
    ZSTD_freeDCtx(cursor->zstd);
    tt_buffer_release(&cursor->raw);
    tt_buffer_release(&cursor->envelope);
    while (cursor->elements.count)
        drop_elements(&cursor->elements);
    tt_buffer_release(&cursor->json);
    tt_tokens_release(&cursor->tokens);
    tt_buffer_release(&cursor->part);
    tt_buffer_release(&cursor->text);
    free(cursor);
}

enum t2t_status tt_cursor_frame_damage(const t2t_cursor *c,
                                       const struct tt_directory *d,
                                       uint32_t frame, struct t2t_error *err)
{
    const unsigned char *at = (const unsigned char *)&d->record[frame];

    return tt_error(err, T2T_ERR_INDEX_DAMAGE, (uint64_t)(at - c->index->map),
                    "frame %u is damaged", frame);
}

/* Whether a frame begins where the one before has ended, or behind: so the
 * frames of a directory hold no more than the file. */
static bool is_behind(const struct tt_directory *d, uint32_t frame)
{
    const struct tt_frame_record *before = &d->record[frame - !!frame];
    uint64_t offset = d->record[frame].offset;

    return !frame || (before->offset <= offset &&
                      before->bytes <= offset - before->offset);
}

enum t2t_status tt_cursor_unpack(t2t_cursor *c, const struct tt_directory *d,
                                 uint32_t frame, struct tt_buffer *to,
                                 struct t2t_error *err)
{
    const struct tt_frame_record *record = &d->record[frame];

    tt_buffer_clear(to);
    if (!tt_frame_fits(&c->index->frames, record) || !is_behind(d, frame))
        return tt_cursor_frame_damage(c, d, frame, err);
    if (!tt_buffer_reserve(to, (size_t)record->raw_bytes + 1))
        return tt_cursor_no_memory(err);
    tt_index_will_unpack(c->index, record->offset, record->bytes);
    if (!tt_frame_unpack(c->zstd, &c->index->frames, record,
                         (unsigned char *)to->ptr))
        return tt_cursor_frame_damage(c, d, frame, err);
    to->len = record->raw_bytes;
    return T2T_OK;
}

/* How many of `total` things the frame holds when each but the last holds
 * `a_frame`. */
static uint32_t in_frame(uint32_t total, uint32_t a_frame, uint32_t frame)
{
    uint32_t left = total - frame * a_frame;

    return left < a_frame ? left : a_frame;
}

/* Decodes a frame of ids or positions to `ids`: one that says it has more bytes
 * than they can need is not unpacked. */
static enum t2t_status read_ids(t2t_cursor *c, const struct tt_directory *d,
                                uint32_t frame, uint32_t *ids,
                                struct t2t_error *err)
{
    uint32_t total = c->index->header->element_count;
    uint32_t count = in_frame(total, TT_IDS_A_FRAME, frame);
    enum t2t_status st;

    if (d->record[frame].raw_bytes > count * TT_VARINT_MAX)
        return tt_cursor_frame_damage(c, d, frame, err);
    st = tt_cursor_unpack(c, d, frame, &c->raw, err);
    if (st)
        return st;
    if (!tt_frame_ids((const unsigned char *)c->raw.ptr, c->raw.len, count,
                      total, ids))
        return tt_cursor_frame_damage(c, d, frame, err);
    return T2T_OK;
}

/* Moves slot `i` to the front. */
static void *cache_use(struct tt_frame_cache *cache, unsigned i)
{
    void *slot = cache->slot[i];
    uint32_t frame = cache->frame[i];

    memmove(&cache->slot[1], &cache->slot[0], i * sizeof(cache->slot[0]));
    memmove(&cache->frame[1], &cache->frame[0], i * sizeof(cache->frame[0]));
    cache->slot[0] = slot;
    cache->frame[0] = frame;
    return slot;
}

/* Finds a frame and moves it to the front; NULL when it is not there. */
static void *cache_find(struct tt_frame_cache *cache, uint32_t frame)
{
    for (unsigned i = 0; i < cache->count; i++)
        if (cache->frame[i] == frame)
            return i ? cache_use(cache, i) : cache->slot[0];
    return NULL;
}

/* A slot for a frame that is not there: a new one of `bytes` zeros, or that
 * used longest ago, at the front; NULL when memory is short. */
static void *cache_take(struct tt_frame_cache *cache, size_t bytes)
{
    void *slot;

    if (cache->count == TT_CURSOR_FRAMES) {
        slot = cache_use(cache, TT_CURSOR_FRAMES - 1);
    } else {
        slot = calloc(1, bytes);
        if (!slot)
            return NULL;
        cache->slot[cache->count] = slot;
        cache_use(cache, cache->count++);
    }
    cache->frame[0] = TT_NO_FRAME;
    return slot;
}

/* The ids of a frame, decoded; NULL and the reason in `*st` when they cannot
 * be. */
static const uint32_t *load_ids(t2t_cursor *c, const struct tt_directory *d,
                                struct tt_frame_cache *cache, uint32_t frame,
                                enum t2t_status *st, struct t2t_error *err)
{
    uint32_t *ids = cache_find(cache, frame);

    *st = T2T_OK;
    if (ids)
        return ids;
    ids = cache_take(cache, TT_IDS_A_FRAME * sizeof(*ids));
    *st = ids ? read_ids(c, d, frame, ids, err) : tt_cursor_no_memory(err);
    if (*st)
        return NULL;
    cache->frame[0] = frame;
    return ids;
}

/* Looks up `i` in a directory of ids or positions. */
static enum t2t_status look_up(t2t_cursor *c, const struct tt_directory *d,
                               struct tt_frame_cache *cache, uint32_t i,
                               uint32_t *out, struct t2t_error *err)
{
    const uint32_t *ids;
    enum t2t_status st;

    if (i >= c->index->header->element_count)
        return T2T_NOT_FOUND;
    ids = load_ids(c, d, cache, i / TT_IDS_A_FRAME, &st, err);
    if (ids)
        *out = ids[i % TT_IDS_A_FRAME];
    return st;
}

enum t2t_status t2t_cursor_position(t2t_cursor *cursor, t2t_id id,
                                    uint32_t *position, struct t2t_error *err)
{
    return look_up(cursor, &cursor->index->order, &cursor->order, id, position,
                   err);
}

enum t2t_status t2t_cursor_id(t2t_cursor *cursor, uint32_t position, t2t_id *id,
                              struct t2t_error *err)
{
    enum t2t_status st = look_up(cursor, &cursor->index->places,
                                 &cursor->places, position, id, err);

    if (!st)
        tt_cursor_know(cursor, *id, position);
    return st;
}

/* Drops frames that were used before the latest one as long as all have more
 * values than may be kept. */
static void trim_elements(struct tt_frame_cache *cache)
{
    size_t values = 0;

    for (unsigned i = 0; i < cache->count; i++) {
        const struct tt_elements *e = cache->slot[i];

        values += e->value_cap;
        if (i && values > TT_CURSOR_VALUES)
            while (cache->count > i)
                drop_elements(cache);
    }
}

enum t2t_status tt_cursor_elements(t2t_cursor *c, uint32_t position,
                                   const struct tt_elements **out,
                                   struct t2t_error *err)
{
    const struct tt_directory *d = &c->index->elements;
    uint32_t frame = position / TT_ELEMENTS_A_FRAME;
    uint32_t total = c->index->header->element_count;
    struct tt_elements *e = cache_find(&c->elements, frame);
    enum t2t_status st;

    *out = e;
    if (e)
        return T2T_OK;
    st = tt_cursor_unpack(c, d, frame, &c->raw, err);
    if (st)
        return st;
    e = cache_take(&c->elements, sizeof(*e));
    st = T2T_ERR_NO_MEMORY;
    if (e)
        st = tt_frame_elements((const unsigned char *)c->raw.ptr, c->raw.len,
                               in_frame(total, TT_ELEMENTS_A_FRAME, frame),
                               &c->index->shapes, e);
    if (st == T2T_ERR_NO_MEMORY)
        return tt_cursor_no_memory(err);
    if (st)
        return tt_cursor_frame_damage(c, d, frame, err);
    c->elements.frame[0] = frame;
    trim_elements(&c->elements);
    *out = e;
    return T2T_OK;
}

/* Finds what element `id` said: it is the `*i`-th of `*out`. */
static enum t2t_status find_element(t2t_cursor *c, t2t_id id,
                                    const struct tt_elements **out, uint32_t *i,
                                    struct t2t_error *err)
{
    uint32_t position = c->known_place;
    enum t2t_status st = T2T_OK;

    /* in a trace whose order is none, each look-up unpacks a frame */
    if (id != c->known_id || id == T2T_NO_ID)
        st = t2t_cursor_position(c, id, &position, err);
    if (!st)
        st = tt_cursor_elements(c, position, out, err);
    if (!st)
        *i = position % TT_ELEMENTS_A_FRAME;
    return st;
}

enum t2t_status t2t_cursor_offset(t2t_cursor *cursor, t2t_id id,
                                  uint64_t *offset, struct t2t_error *err)
{
    const struct tt_elements *e;
    uint32_t i;
    enum t2t_status st = find_element(cursor, id, &e, &i, err);

    if (!st)
        *offset = e->offset[i];
    return st;
}

enum t2t_status tt_cursor_damage(const t2t_cursor *c, t2t_id id,
                                 struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                    tt_index_offset(c->index, TT_SECTION_NAME, id),
                    "element %u holds an impossible value", id);
}

/* What the i-th element of a frame said, which is element `id`. */
static enum t2t_status read_said(const t2t_cursor *c, t2t_id id,
                                 const struct tt_elements *e, uint32_t i,
                                 struct tt_said *said, struct t2t_error *err)
{
    const struct tt_shapes *shapes = &c->index->shapes;

    said->number = e->shape[i];
    said->value = e->value + e->first[i];
    if (!tt_string_at(&shapes->strings, shapes->shape[said->number],
                      &said->shape))
        return tt_cursor_damage(c, id, err);
    return T2T_OK;
}

enum t2t_status tt_cursor_said(t2t_cursor *c, t2t_id id, struct tt_said *said,
                               struct t2t_error *err)
{
    const struct tt_elements *e;
    uint32_t i;
    enum t2t_status st = find_element(c, id, &e, &i, err);

    return st ? st : read_said(c, id, e, i, said, err);
}

/* What columns say of element `id`. */
static bool read_columns(const t2t_index *index, t2t_id id,
                         struct tt_element_values *values)
{
    struct t2t_element e;
    struct t2t_lane lane = {0};

    if (t2t_index_element(index, id, &e) ||
        (e.lane != T2T_NO_ID && !tt_index_lane_at(index, e.lane, &lane)))
        return false;
    values->name = t2t_index_string(index, e.name);
    values->pid = lane.pid;
    values->tid = lane.tid;
    values->start_ns = e.start_ns;
    values->has_start = e.has_start;
    values->dur_ns = e.dur_ns;
    return true;
}

/* Appends `shape`, the template of element `id` or a part of it, to `to`. */
static enum t2t_status render(const t2t_cursor *c, t2t_id id,
                              struct t2t_text shape,
                              const struct tt_element_values *values,
                              struct tt_buffer *to, struct t2t_error *err)
{
    if (tt_shape_render(shape, values, &c->index->shapes.strings,
                        tt_index_text_limit(c->index), to))
        return T2T_OK;
    return to->failed ? tt_cursor_no_memory(err) : tt_cursor_damage(c, id, err);
}

enum t2t_status tt_cursor_part(t2t_cursor *c, t2t_id id,
                               const struct tt_said *said,
                               const struct tt_spot *spot,
                               struct t2t_text *json, struct t2t_error *err)
{
    struct t2t_text part = {said->shape.ptr + spot->begin, spot->len};
    struct tt_element_values values = {0};
    enum t2t_status st;

    if (!spot->holes) {
        *json = part;
        return T2T_OK;
    }
    if (spot->columns && !read_columns(c->index, id, &values))
        return tt_cursor_damage(c, id, err);
    values.value = said->value + spot->values;
    tt_buffer_clear(&c->part);
    st = render(c, id, part, &values, &c->part, err);
    if (!st)
        *json = (struct t2t_text){c->part.ptr, c->part.len};
    return st;
}

/* Appends element `id` to `to`. */
static enum t2t_status render_element(const t2t_cursor *c, t2t_id id,
                                      const struct tt_said *said,
                                      struct tt_buffer *to,
                                      struct t2t_error *err)
{
    struct tt_element_values values = {.value = said->value};

    if (!read_columns(c->index, id, &values))
        return tt_cursor_damage(c, id, err);
    return render(c, id, said->shape, &values, to, err);
}

enum t2t_status tt_cursor_load(t2t_cursor *c, t2t_id id, struct t2t_error *err)
{
    struct tt_said said;
    enum t2t_status st;

    if (id != T2T_NO_ID && c->json_id == id)
        return T2T_OK;
    c->json_id = T2T_NO_ID;
    c->has_tokens = false;
    st = tt_cursor_said(c, id, &said, err);
    tt_buffer_clear(&c->json);
    if (!st)
        st = render_element(c, id, &said, &c->json, err);
    if (!st)
        c->json_id = id;
    return st;
}

enum t2t_status t2t_cursor_json(t2t_cursor *cursor, t2t_id id,
                                struct t2t_text *json, struct t2t_error *err)
{
    enum t2t_status st = tt_cursor_load(cursor, id, err);

    if (!st)
        *json = (struct t2t_text){cursor->json.ptr, cursor->json.len};
    return st;
}

enum t2t_status tt_cursor_append(t2t_cursor *cursor, uint32_t position,
                                 struct tt_buffer *to, struct t2t_error *err)
{
    const struct tt_elements *e;
    struct tt_said said;
    t2t_id id;
    enum t2t_status st = t2t_cursor_id(cursor, position, &id, err);

    if (!st)
        st = tt_cursor_elements(cursor, position, &e, err);
    if (!st)
        st = read_said(cursor, id, e, position % TT_ELEMENTS_A_FRAME, &said,
                       err);
    if (!st)
        st = render_element(cursor, id, &said, to, err);
    return st;
}

/* Decodes all frames of a directory of ids or positions. */
static enum t2t_status read_all(const t2t_index *index,
                                const struct tt_directory *d, uint32_t *ids,
                                struct t2t_error *err)
{
    t2t_cursor *c = NULL;
    enum t2t_status st = t2t_cursor_open(&c, index, err);

    if (st)
        return st;
    for (uint32_t i = 0; !st && i < d->count; i++)
        st = read_ids(c, d, i, ids + (size_t)i * TT_IDS_A_FRAME, err);
    t2t_cursor_close(c);
    return st;
}

enum t2t_status t2t_index_all_positions(const t2t_index *index,
                                        uint32_t *positions,
                                        struct t2t_error *err)
{
    return read_all(index, &index->order, positions, err);
}

enum t2t_status t2t_index_all_ids(const t2t_index *index, t2t_id *ids,
                                  struct t2t_error *err)
{
    return read_all(index, &index->places, ids, err);
}
