/* cursor.c - unpacks what elements said, a frame at a time. */
#include "index/cursor.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/buffer.h"
#include "base/status.h"
#include "format/frame.h"
#include "index/reader.h"
#include "index/verify.h"
#include "json/token.h"

#define NO_FRAME UINT32_MAX

/* In the order of the trace, ids come from as many places at a time as there
 * are threads and streams. */
#define ID_FRAMES 16u

/* A frame of ids or positions that is unpacked. */
struct id_frame {
    uint32_t frame;
    uint32_t value[TT_IDS_A_FRAME];
};

/* The frames of one directory that were used last, the latest one first. */
struct id_cache {
    struct id_frame *slot[ID_FRAMES]; /* owned */
    unsigned count;
};

struct t2t_cursor {
    const t2t_index *index;
    ZSTD_DCtx *zstd;
    struct tt_buffer raw; /* the frame unpacked last */
    struct tt_elements elements;
    uint32_t element_frame; /* what `elements` holds, or NO_FRAME */
    struct id_cache order;
    struct id_cache places;
    struct tt_buffer json; /* of element json_id */
    t2t_id json_id;
    struct tt_tokens tokens; /* of `json`, if has_tokens */
    bool has_tokens;
    uint32_t arguments;    /* token of the object `args`, or 0 */
    uint32_t next_n;       /* the argument that ... */
    uint32_t next;         /* ... this token begins */
    struct tt_buffer text; /* a key or a member */
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

enum t2t_status t2t_cursor_open(t2t_cursor **out, const t2t_index *index,
                                struct t2t_error *err)
{
    t2t_cursor *c = calloc(1, sizeof(*c));

    if (!c)
        return no_memory(err);
    c->index = index;
    c->element_frame = NO_FRAME;
    c->json_id = T2T_NO_ID;
    c->zstd = ZSTD_createDCtx();
    if (!c->zstd) {
        t2t_cursor_close(c);
        return no_memory(err);
    }
    *out = c;
    return T2T_OK;
}

static void cache_release(struct id_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++)
        free(cache->slot[i]);
}

void t2t_cursor_close(t2t_cursor *cursor)
{
    if (!cursor)
        return;
    cache_release(&cursor->order);
    cache_release(&cursor->places);
    ZSTD_freeDCtx(cursor->zstd);
    tt_buffer_release(&cursor->raw);
    tt_elements_release(&cursor->elements);
    tt_buffer_release(&cursor->json);
    tt_tokens_release(&cursor->tokens);
    tt_buffer_release(&cursor->text);
    free(cursor);
}

static enum t2t_status frame_damage(const t2t_cursor *c,
                                    const struct tt_directory *d,
                                    uint32_t frame, struct t2t_error *err)
{
    const unsigned char *at = (const unsigned char *)&d->record[frame];

    return tt_error(err, T2T_ERR_INDEX_DAMAGE, (uint64_t)(at - c->index->map),
                    "frame %u is damaged", frame);
}

/* Unpacks a frame of a directory into c->raw. */
static enum t2t_status unpack(t2t_cursor *c, const struct tt_directory *d,
                              uint32_t frame, struct t2t_error *err)
{
    const struct tt_frame_record *record = &d->record[frame];

    if (!tt_frame_fits(&c->index->frames, record))
        return frame_damage(c, d, frame, err);
    tt_buffer_clear(&c->raw);
    if (!tt_buffer_reserve(&c->raw, (size_t)record->raw_bytes + 1))
        return no_memory(err);
    tt_index_will_unpack(c->index, record->offset, record->bytes);
    if (!tt_frame_unpack(c->zstd, &c->index->frames, record,
                         (unsigned char *)c->raw.ptr))
        return frame_damage(c, d, frame, err);
    c->raw.len = record->raw_bytes;
    return T2T_OK;
}

/* How many of `total` things the frame holds when each but the last holds
 * `a_frame`. */
static uint32_t in_frame(uint32_t total, uint32_t a_frame, uint32_t frame)
{
    uint32_t left = total - frame * a_frame;

    return left < a_frame ? left : a_frame;
}

/* Decodes a frame of ids or positions to `ids`. */
static enum t2t_status read_ids(t2t_cursor *c, const struct tt_directory *d,
                                uint32_t frame, uint32_t *ids,
                                struct t2t_error *err)
{
    uint32_t total = c->index->header->element_count;
    enum t2t_status st = unpack(c, d, frame, err);

    if (st)
        return st;
    if (!tt_frame_ids((const unsigned char *)c->raw.ptr, c->raw.len,
                      in_frame(total, TT_IDS_A_FRAME, frame), total, ids))
        return frame_damage(c, d, frame, err);
    return T2T_OK;
}

/* Moves slot `i` to the front. */
static struct id_frame *cache_use(struct id_cache *cache, unsigned i)
{
    struct id_frame *f = cache->slot[i];

    memmove(&cache->slot[1], &cache->slot[0], i * sizeof(cache->slot[0]));
    cache->slot[0] = f;
    return f;
}

/* The slot of a frame that is not there: a new one, or that used longest ago,
 * at the front; NULL when memory is short. */
static struct id_frame *cache_take(struct id_cache *cache)
{
    struct id_frame *f;

    if (cache->count == ID_FRAMES)
        return cache_use(cache, ID_FRAMES - 1);
    f = malloc(sizeof(*f));
    if (!f)
        return NULL;
    cache->slot[cache->count] = f;
    return cache_use(cache, cache->count++);
}

/* Sees to it that a frame is decoded, in slot 0. */
static enum t2t_status load_ids(t2t_cursor *c, const struct tt_directory *d,
                                struct id_cache *cache, uint32_t frame,
                                struct t2t_error *err)
{
    struct id_frame *f;
    enum t2t_status st;

    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->slot[i]->frame == frame) {
            (void)cache_use(cache, i);
            return T2T_OK;
        }
    }
    f = cache_take(cache);
    if (!f)
        return no_memory(err);
    f->frame = NO_FRAME;
    st = read_ids(c, d, frame, f->value, err);
    if (st)
        return st;
    f->frame = frame;
    return T2T_OK;
}

/* Looks up `i` in a directory of ids or positions. */
static enum t2t_status look_up(t2t_cursor *c, const struct tt_directory *d,
                               struct id_cache *cache, uint32_t i,
                               uint32_t *out, struct t2t_error *err)
{
    enum t2t_status st;

    if (i >= c->index->header->element_count)
        return T2T_NOT_FOUND;
    st = load_ids(c, d, cache, i / TT_IDS_A_FRAME, err);
    if (!st)
        *out = cache->slot[0]->value[i % TT_IDS_A_FRAME];
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
    return look_up(cursor, &cursor->index->places, &cursor->places, position,
                   id, err);
}

/* Sees to it that the frame of the element at `position` is decoded. */
static enum t2t_status load_elements(t2t_cursor *c, uint32_t position,
                                     struct t2t_error *err)
{
    const struct tt_directory *d = &c->index->elements;
    uint32_t frame = position / TT_ELEMENTS_A_FRAME;
    uint32_t total = c->index->header->element_count;
    enum t2t_status st;

    if (c->element_frame == frame)
        return T2T_OK;
    c->element_frame = NO_FRAME;
    st = unpack(c, d, frame, err);
    if (st)
        return st;
    st = tt_frame_elements((const unsigned char *)c->raw.ptr, c->raw.len,
                           in_frame(total, TT_ELEMENTS_A_FRAME, frame),
                           &c->index->shapes, &c->elements);
    if (st == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    if (st)
        return frame_damage(c, d, frame, err);
    c->element_frame = frame;
    return T2T_OK;
}

/* Finds what element `id` said: `*i` is its place in c->elements. */
static enum t2t_status find_element(t2t_cursor *c, t2t_id id, uint32_t *i,
                                    struct t2t_error *err)
{
    uint32_t position;
    enum t2t_status st = t2t_cursor_position(c, id, &position, err);

    if (!st)
        st = load_elements(c, position, err);
    if (!st)
        *i = position % TT_ELEMENTS_A_FRAME;
    return st;
}

enum t2t_status t2t_cursor_offset(t2t_cursor *cursor, t2t_id id,
                                  uint64_t *offset, struct t2t_error *err)
{
    uint32_t i;
    enum t2t_status st = find_element(cursor, id, &i, err);

    if (!st)
        *offset = cursor->elements.offset[i];
    return st;
}

static enum t2t_status element_damage(const t2t_cursor *c, t2t_id id,
                                      struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                    tt_index_offset(c->index, TT_SECTION_NAME, id),
                    "element %u holds an impossible value", id);
}

/* Appends element `id`, the i-th of c->elements, to `to`. */
static enum t2t_status render(t2t_cursor *c, t2t_id id, uint32_t i,
                              struct tt_buffer *to, struct t2t_error *err)
{
    const t2t_index *index = c->index;
    struct tt_element_values values = {0};
    struct t2t_element e;
    struct t2t_text shape;
    struct t2t_lane lane = {0};

    if (t2t_index_element(index, id, &e))
        return element_damage(c, id, err);
    if (e.lane != T2T_NO_ID && !tt_index_lane_at(index, e.lane, &lane))
        return element_damage(c, id, err);
    if (!tt_string_at(&index->shapes.strings,
                      index->shapes.shape[c->elements.shape[i]], &shape))
        return element_damage(c, id, err);
    values.name = t2t_index_string(index, e.name);
    values.pid = lane.pid;
    values.tid = lane.tid;
    values.start_ns = e.start_ns;
    values.has_start = e.has_start;
    values.dur_ns = e.dur_ns;
    values.value = c->elements.value + c->elements.first[i];
    if (tt_shape_render(shape, &values, &index->shapes.strings,
                        tt_index_text_limit(index), to))
        return T2T_OK;
    return to->failed ? no_memory(err) : element_damage(c, id, err);
}

/* Sees to it that c->json is that of element `id`. */
static enum t2t_status load_json(t2t_cursor *c, t2t_id id,
                                 struct t2t_error *err)
{
    enum t2t_status st;
    uint32_t i;

    if (id != T2T_NO_ID && c->json_id == id)
        return T2T_OK;
    c->json_id = T2T_NO_ID;
    c->has_tokens = false;
    st = find_element(c, id, &i, err);
    tt_buffer_clear(&c->json);
    if (!st)
        st = render(c, id, i, &c->json, err);
    if (!st)
        c->json_id = id;
    return st;
}

enum t2t_status t2t_cursor_json(t2t_cursor *cursor, t2t_id id,
                                struct t2t_text *json, struct t2t_error *err)
{
    enum t2t_status st = load_json(cursor, id, err);

    if (!st)
        *json = (struct t2t_text){cursor->json.ptr, cursor->json.len};
    return st;
}

enum t2t_status tt_cursor_append(t2t_cursor *cursor, uint32_t position,
                                 struct tt_buffer *to, struct t2t_error *err)
{
    t2t_id id;
    enum t2t_status st = t2t_cursor_id(cursor, position, &id, err);

    if (!st)
        st = load_elements(cursor, position, err);
    return st ? st
              : render(cursor, id, position % TT_ELEMENTS_A_FRAME, to, err);
}

/* The JSON text of a token, strings with their quotes. */
static struct t2t_text token_text(const t2t_cursor *c, uint32_t i)
{
    const jsmntok_t *t = &c->tokens.token[i];
    int quote = t->type == JSMN_STRING;

    return (struct t2t_text){c->json.ptr + t->start - quote,
                             (size_t)(t->end - t->start + 2 * quote)};
}

/*
 * Whether token `i` is a key of object `object` and the token behind it its
 * value, both whole.
 */
static bool is_member(const t2t_cursor *c, uint32_t object, uint32_t i)
{
    const jsmntok_t *t = c->tokens.token;

    return i + 1 < c->tokens.count && t[i].type == JSMN_STRING &&
           t[i].parent == (int)object && t[i + 1].parent == (int)i &&
           t[i].end >= 0 && t[i + 1].end >= 0;
}

/* The key after the one of token `i`, whose value may be large. */
static uint32_t next_member(const t2t_cursor *c, uint32_t i)
{
    const jsmntok_t *t = c->tokens.token;
    int end = t[i + 1].end;

    i += 2;
    while (i < c->tokens.count && t[i].start < end)
        i++;
    return i;
}

static bool is_text(struct t2t_text text, const char *ptr, size_t len)
{
    return text.len == len && !memcmp(text.ptr, ptr, len);
}

/*
 * The last member of `object` whose key, quotes included, is `ptr`: the token
 * of its value, or 0.
 */
static uint32_t find_member(const t2t_cursor *c, uint32_t object,
                            const char *ptr, size_t len)
{
    uint32_t found = 0;

    for (uint32_t i = object + 1; is_member(c, object, i);
         i = next_member(c, i))
        if (is_text(token_text(c, i), ptr, len))
            found = i + 1;
    return found;
}

/* Sees to it that the JSON of element `id` is tokenized; T2T_NOT_FOUND when it
 * has no arguments. */
static enum t2t_status load_arguments(t2t_cursor *c, t2t_id id,
                                      struct t2t_error *err)
{
    enum t2t_status st = load_json(c, id, err);
    const jsmntok_t *t;
    uint32_t args;

    if (st)
        return st;
    if (!c->has_tokens) {
        if (c->json.len > TT_TOKENS_MAX_BYTES)
            return tt_error(err, T2T_ERR_LIMIT, TT_NO_OFFSET,
                            "element %u is too large to be taken apart", id);
        if (!tt_tokens_parse(&c->tokens, c->json.ptr, c->json.len))
            return no_memory(err);
        t = c->tokens.token;
        c->arguments = 0;
        if (c->tokens.count && t[0].type == JSMN_OBJECT) {
            args = find_member(c, 0, "\"args\"", 6);
            if (t[args].type == JSMN_OBJECT)
                c->arguments = args;
        }
        c->next_n = 0;
        c->next = c->arguments + 1;
        c->has_tokens = true;
    }
    return c->arguments ? T2T_OK : T2T_NOT_FOUND;
}

/* Puts `key` in quotes, as it stands in compact JSON, in c->text. */
static bool quote(t2t_cursor *c, const char *key)
{
    struct t2t_text text = {key, strlen(key)};
    char piece[256];

    tt_buffer_clear(&c->text);
    tt_buffer_add_byte(&c->text, '"');
    while (text.len) {
        size_t len =
            t2t_text_escape(&text, T2T_ESCAPE_JSON, piece, sizeof(piece));

        tt_buffer_add(&c->text, piece, len);
    }
    tt_buffer_add_byte(&c->text, '"');
    return !c->text.failed;
}

enum t2t_status t2t_cursor_argument(t2t_cursor *cursor, t2t_id id,
                                    const char *key, struct t2t_text *json,
                                    struct t2t_error *err)
{
    enum t2t_status st = load_arguments(cursor, id, err);
    uint32_t found;

    if (st)
        return st;
    if (!quote(cursor, key))
        return no_memory(err);
    found = find_member(cursor, cursor->arguments, cursor->text.ptr,
                        cursor->text.len);
    if (!found)
        return T2T_NOT_FOUND;
    *json = token_text(cursor, found);
    return T2T_OK;
}

enum t2t_status t2t_cursor_argument_at(t2t_cursor *cursor, t2t_id id,
                                       uint32_t n, struct t2t_text *key,
                                       struct t2t_text *json,
                                       struct t2t_error *err)
{
    enum t2t_status st = load_arguments(cursor, id, err);

    if (st)
        return st;
    if (n < cursor->next_n) {
        cursor->next_n = 0;
        cursor->next = cursor->arguments + 1;
    }
    while (is_member(cursor, cursor->arguments, cursor->next)) {
        if (cursor->next_n == n) {
            *key = token_text(cursor, cursor->next);
            *json = token_text(cursor, cursor->next + 1);
            return T2T_OK;
        }
        cursor->next = next_member(cursor, cursor->next);
        cursor->next_n++;
    }
    return T2T_NOT_FOUND;
}

static enum t2t_status member_damage(const t2t_cursor *c, uint32_t n,
                                     struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                    tt_index_offset(c->index, TT_SECTION_MEMBERS, n),
                    "member %u holds an impossible value", n);
}

/*
 * Appends the part of an envelope frame that is in [at, end) to c->text.
 * False: that frame ends before.
 */
static bool add_part(t2t_cursor *c, uint64_t at, uint64_t end)
{
    uint64_t base = at / TT_ENVELOPE_A_FRAME * TT_ENVELOPE_A_FRAME;
    uint64_t stop = base + TT_ENVELOPE_A_FRAME;

    if (stop > end)
        stop = end;
    if (stop - base > c->raw.len)
        return false;
    tt_buffer_add(&c->text, c->raw.ptr + (at - base), (size_t)(stop - at));
    return true;
}

enum t2t_status t2t_cursor_member(t2t_cursor *cursor, uint32_t n,
                                  struct t2t_text *key, struct t2t_text *json,
                                  struct t2t_error *err)
{
    const t2t_index *index = cursor->index;
    const struct tt_member_record *m;
    uint64_t at;
    uint64_t end;

    if (n >= index->member_count)
        return T2T_NOT_FOUND;
    m = &index->members[n];
    if (__builtin_add_overflow(m->envelope_offset, m->bytes, &end) ||
        end > (uint64_t)index->envelope.count * TT_ENVELOPE_A_FRAME ||
        !tt_string_at(&index->shapes.strings, m->key, key))
        return member_damage(cursor, n, err);
    tt_buffer_clear(&cursor->text);
    at = m->envelope_offset;
    while (at < end) {
        uint64_t frame = at / TT_ENVELOPE_A_FRAME;
        enum t2t_status st;

        if (frame >= index->envelope.count)
            return member_damage(cursor, n, err);
        st = unpack(cursor, &index->envelope, (uint32_t)frame, err);
        if (st)
            return st;
        if (!add_part(cursor, at, end))
            return member_damage(cursor, n, err);
        at = (frame + 1) * TT_ENVELOPE_A_FRAME;
    }
    if (cursor->text.failed)
        return no_memory(err);
    *json = (struct t2t_text){cursor->text.ptr, cursor->text.len};
    return T2T_OK;
}

enum t2t_status tt_cursor_envelope_frame(t2t_cursor *cursor, uint32_t frame,
                                         struct t2t_text *text,
                                         struct t2t_error *err)
{
    const struct tt_directory *d = &cursor->index->envelope;
    enum t2t_status st;

    if (frame >= d->count)
        return T2T_NOT_FOUND;
    st = unpack(cursor, d, frame, err);
    if (!st)
        *text = (struct t2t_text){cursor->raw.ptr, cursor->raw.len};
    return st;
}

/* Whether byte `at` of the envelope, whose part from `first` on is unpacked, is
 * another one than `byte`. */
static bool is_other(const t2t_cursor *c, uint64_t first, uint64_t at,
                     char byte)
{
    return at >= first && at - first < c->raw.len &&
           c->raw.ptr[at - first] != byte;
}

enum t2t_status tt_cursor_envelope(t2t_cursor *cursor, struct t2t_error *err)
{
    const t2t_index *index = cursor->index;
    const struct tt_directory *d = &index->envelope;
    uint64_t first = 0;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < d->count; i++) {
        st = unpack(cursor, d, i, err);
        if (!st && (is_other(cursor, first, index->array - 1, '[') ||
                    is_other(cursor, first, index->array, ']')))
            break;
        first += cursor->raw.len;
    }
    if (!st && (!index->array || index->array >= first))
        st = tt_damage_at(index, TT_SECTION_ARRAY, 0,
                          "no array is where the elements belong", err);
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
