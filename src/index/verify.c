/* verify.c - reads an index whole: checksums, strings, tables, frames. */
#include "index/verify.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include <trace2tree/cursor.h>

#include "base/status.h"
#include "index/cursor.h"
#include "model/anomaly.h"

enum t2t_status tt_damage_at(const t2t_index *index, enum tt_section_id id,
                             uint64_t i, const char *what,
                             struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE, tt_index_offset(index, id, i),
                    "%s", what);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* A part of the file. */
struct extent {
    uint64_t offset;
    uint64_t bytes;
};

static int compare_extents(const void *left, const void *right)
{
    const struct extent *a = left;
    const struct extent *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Checks that the parts, in order, do not overlap and that zeros lie between
 * them. */
static enum t2t_status check_gaps(const t2t_index *index,
                                  const struct extent *part, uint32_t count,
                                  struct t2t_error *err)
{
    uint64_t at = 0;

    for (uint32_t i = 0; i <= count; i++) {
        uint64_t next = i < count ? part[i].offset : index->bytes;

        if (next < at)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, next,
                            "two sections overlap");
        for (; at < next; at++)
            if (index->map[at])
                return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                                "a byte between sections is not 0");
        if (i < count)
            at += part[i].bytes;
    }
    return T2T_OK;
}

/* Checks that header, table and sections fill the file. */
static enum t2t_status verify_layout(const t2t_index *index,
                                     struct t2t_error *err)
{
    uint32_t sections = index->header->section_count;
    struct extent *part = calloc((size_t)sections + 2, sizeof(*part));
    uint32_t count = 0;
    enum t2t_status st;

    if (!part)
        return no_memory(err);
    part[count++] = (struct extent){0, sizeof(struct tt_header)};
    part[count++] = (struct extent){index->header->table_offset,
                                    sections * sizeof(struct tt_section)};
    for (uint32_t i = 0; i < sections; i++)
        if (index->table[i].bytes)
            part[count++] =
                (struct extent){index->table[i].offset, index->table[i].bytes};
    qsort(part, count, sizeof(*part), compare_extents);
    st = check_gaps(index, part, count, err);
    free(part);
    return st;
}

static enum t2t_status verify_checksums(const t2t_index *index,
                                        struct t2t_error *err)
{
    for (uint32_t i = 0; i < index->header->section_count; i++) {
        const struct tt_section *s = &index->table[i];
        struct t2t_section_info info;

        if (XXH3_64bits(index->map + s->offset, (size_t)s->bytes) == s->xxh3)
            continue;
        (void)t2t_index_section(index, i, &info);
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, s->offset,
                        "wrong checksum of section %s", info.name);
    }
    return T2T_OK;
}

/* Bytes of the UTF-8 character at `p`, a half of a surrogate pair too; 0 when
 * there is none. */
static size_t character(const unsigned char *p, size_t left)
{
    static const unsigned char lowest[] = {0, 0, 0x80, 0xa0, 0x90};
    size_t len = 4;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xe0)
        len = 2;
    else if (p[0] < 0xf0)
        len = 3;
    if (p[0] < 0xc2 || p[0] > 0xf4 || left < len)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 || p[0] == 0xf0) && p[1] < lowest[len])
        return 0;
    return p[0] == 0xf4 && p[1] > 0x8f ? 0 : len;
}

static bool is_utf8(struct t2t_text text)
{
    const unsigned char *p = (const unsigned char *)text.ptr;
    size_t i = 0;

    while (i < text.len) {
        size_t len = character(p + i, text.len - i);

        if (!len)
            return false;
        i += len;
    }
    return true;
}

/* A string, by what it hashes to. */
struct hashed {
    uint64_t hash;
    uint32_t string;
};

static int compare_hashed(const void *left, const void *right)
{
    const struct hashed *a = left;
    const struct hashed *b = right;

    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Checks that no string is there twice. */
static enum t2t_status check_twins(const t2t_index *index,
                                   struct t2t_error *err)
{
    uint32_t count = index->shapes.strings.count;
    struct hashed *h = calloc((size_t)count + 1, sizeof(*h));
    enum t2t_status st = T2T_OK;

    if (!h)
        return no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        struct t2t_text text = t2t_index_string(index, i);

        h[i] = (struct hashed){XXH3_64bits(text.ptr, text.len), i};
    }
    qsort(h, count, sizeof(*h), compare_hashed);
    for (uint32_t i = 1; !st && i < count; i++)
        if (h[i].hash == h[i - 1].hash &&
            t2t_text_equal(t2t_index_string(index, h[i].string),
                           t2t_index_string(index, h[i - 1].string)))
            st = tt_damage_at(index, TT_SECTION_STRING_OFFSET, h[i].string,
                              "a string is there twice", err);
    free(h);
    return st;
}

static enum t2t_status verify_strings(const t2t_index *index,
                                      struct t2t_error *err)
{
    const struct tt_strings *s = &index->shapes.strings;

    if (s->offset[0] || s->offset[s->count] != s->byte_count)
        return tt_damage_at(index, TT_SECTION_STRING_OFFSET, s->count,
                            "strings do not fill their section", err);
    for (uint32_t i = 0; i < s->count; i++) {
        struct t2t_text text;

        if (!tt_string_at(s, i, &text))
            return tt_damage_at(index, TT_SECTION_STRING_OFFSET, i,
                                "a string ends before it begins", err);
        if (!is_utf8(text))
            return tt_damage_at(index, TT_SECTION_STRING_BYTES, s->offset[i],
                                "a string is not UTF-8", err);
    }
    return check_twins(index, err);
}

static enum t2t_status verify_shapes(const t2t_index *index,
                                     struct tt_said *said,
                                     struct t2t_error *err)
{
    for (uint32_t i = 0; i < index->shapes.count; i++) {
        enum t2t_status st;
        struct t2t_text text;
        uint32_t values;

        if (!tt_string_at(&index->shapes.strings, index->shapes.shape[i],
                          &text) ||
            !tt_shape_values(text, &values))
            return tt_damage_at(index, TT_SECTION_SHAPES, i,
                                "a shape is no template", err);
        st = tt_said_shape(said, i, text);
        if (st == T2T_ERR_NO_MEMORY)
            return no_memory(err);
        if (st)
            return tt_damage_at(index, TT_SECTION_SHAPES, i,
                                "a template is no JSON", err);
    }
    return T2T_OK;
}

/* Whether a string id is one, or NONE. */
static bool is_string(const t2t_index *index, uint32_t string)
{
    return string == TT_NONE || string < index->shapes.strings.count;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left;
    const uint32_t *b = right;

    return (*a > *b) - (*a < *b);
}

/* Checks that categories are strings, or one of them none, and none twice. */
static enum t2t_status verify_categories(const t2t_index *index,
                                         struct t2t_error *err)
{
    uint32_t count = index->category_count;
    uint32_t *sorted = calloc((size_t)count + 1, sizeof(*sorted));
    enum t2t_status st = T2T_OK;

    if (!sorted)
        return no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++) {
        sorted[i] = index->categories[i];
        if (!is_string(index, sorted[i]))
            st = tt_damage_at(index, TT_SECTION_CATEGORIES, i,
                              "a category has no such string", err);
    }
    if (!st && count)
        qsort(sorted, count, sizeof(*sorted), compare_numbers);
    for (uint32_t i = 1; !st && i < count; i++)
        if (sorted[i] == sorted[i - 1])
            st = tt_damage_at(index, TT_SECTION_CATEGORIES, 0,
                              "a category is there twice", err);
    free(sorted);
    return st;
}

static enum t2t_status verify_anomalies(const t2t_index *index,
                                        struct t2t_error *err)
{
    const struct tt_anomaly_record *a = index->anomalies;

    for (uint32_t i = 0; i < index->anomaly_count; i++) {
        bool none = a[i].first_position == UINT64_MAX;

        if ((i && a[i].kind <= a[i - 1].kind) || !a[i].count ||
            (!none && a[i].first_position >= index->header->element_count) ||
            (a[i].kind >= TT_ANOMALY_COUNT && index->header->minor <= TT_MINOR))
            return tt_damage_at(index, TT_SECTION_ANOMALIES, i,
                                "an anomaly holds an impossible value", err);
    }
    return T2T_OK;
}

/* Checks that the frames of a directory lie in their section, one behind the
 * other. */
static enum t2t_status check_directory(const t2t_index *index,
                                       const struct tt_directory *d,
                                       enum tt_section_id id,
                                       enum tt_section_id in,
                                       struct t2t_error *err)
{
    const struct tt_section *s = index->section[in];

    for (uint32_t i = 0; i < d->count; i++) {
        const struct tt_frame_record *r = &d->record[i];

        if (r->offset < s->offset || r->offset - s->offset > s->bytes ||
            r->bytes > s->bytes - (r->offset - s->offset))
            return tt_damage_at(index, id, i, "a frame is out of its section",
                                err);
        if (id == TT_SECTION_ENVELOPE_FRAMES &&
            (r->raw_bytes > TT_ENVELOPE_A_FRAME ||
             (i + 1 < d->count && r->raw_bytes != TT_ENVELOPE_A_FRAME)))
            return tt_damage_at(index, id, i,
                                "a frame of the envelope has another size",
                                err);
    }
    return T2T_OK;
}

static enum t2t_status verify_directories(const t2t_index *index,
                                          struct t2t_error *err)
{
    enum t2t_status st =
        check_directory(index, &index->elements, TT_SECTION_ELEMENT_FRAMES,
                        TT_SECTION_FRAMES, err);

    if (!st)
        st =
            check_directory(index, &index->envelope, TT_SECTION_ENVELOPE_FRAMES,
                            TT_SECTION_FRAMES, err);
    if (!st)
        st = check_directory(index, &index->order, TT_SECTION_ORDER_FRAMES,
                             TT_SECTION_ID_FRAMES, err);
    if (!st)
        st = check_directory(index, &index->places, TT_SECTION_PLACE_FRAMES,
                             TT_SECTION_ID_FRAMES, err);
    return st;
}

/* Whether two nodes are GPU events with one parent, or roots of one lane, that
 * start at one time. */
static bool are_twins(const t2t_index *index, t2t_id a, t2t_id b)
{
    return (index->flags[a] & index->flags[b] & TT_FLAG_GPU) &&
           index->parent[a] == index->parent[b] &&
           (index->parent[a] != TT_NONE || index->lane[a] == index->lane[b]) &&
           index->start[a] == index->start[b];
}

/* Checks the order of ids that is by position. */
static enum t2t_status check_positions(const t2t_index *index,
                                       const uint32_t *position,
                                       struct t2t_error *err)
{
    uint32_t nodes = index->header->node_count;
    const char *what = NULL;

    for (uint32_t i = 1; !what && i < index->header->element_count; i++) {
        if (position[i] > position[i - 1])
            continue;
        if (i > nodes)
            what = "elements outside the tree are not in order";
        else if (i < nodes && are_twins(index, i - 1, i))
            what = "siblings are not in order";
        if (what)
            return tt_damage_at(index, TT_SECTION_ORDER_FRAMES,
                                i / TT_IDS_A_FRAME, what, err);
    }
    return T2T_OK;
}

/* Checks that positions and ids are each other's inverse and gives the ids by
 * position, to be freed. */
static enum t2t_status verify_order(const t2t_index *index, t2t_id **out,
                                    struct t2t_error *err)
{
    uint32_t count = index->header->element_count;
    uint32_t *position = calloc((size_t)count + 1, sizeof(*position));
    t2t_id *id = calloc((size_t)count + 1, sizeof(*id));
    enum t2t_status st = T2T_OK;

    if (!position || !id)
        st = no_memory(err);
    if (!st)
        st = t2t_index_all_positions(index, position, err);
    if (!st)
        st = t2t_index_all_ids(index, id, err);
    for (uint32_t i = 0; !st && i < count; i++)
        if (position[id[i]] != i)
            st =
                tt_damage_at(index, TT_SECTION_PLACE_FRAMES, i / TT_IDS_A_FRAME,
                             "positions and ids do not fit together", err);
    if (!st)
        st = check_positions(index, position, err);
    free(position);
    if (st) {
        free(id);
        return st;
    }
    *out = id;
    return T2T_OK;
}

/* What goes through all elements needs. */
struct going {
    const t2t_index *index;
    t2t_cursor *cursor;
    struct tt_said *said;
    struct tt_threads *threads;
    t2t_id *id; /* by position, owned */
};

/* Renders the element at a position and compares it with its columns. */
static enum t2t_status verify_element(const struct going *g, uint32_t position,
                                      uint64_t *offset, struct t2t_error *err)
{
    const struct tt_elements *all;
    uint32_t i = position % TT_ELEMENTS_A_FRAME;
    t2t_id id = g->id[position];
    struct t2t_element e;
    struct t2t_text json;
    const char *what;
    enum t2t_status st;

    tt_cursor_know(g->cursor, id, position);
    st = t2t_cursor_json(g->cursor, id, &json, err);
    if (!st)
        st = tt_cursor_elements(g->cursor, position, &all, err);
    if (st)
        return st;
    *offset = all->offset[i];
    (void)t2t_index_element(g->index, id, &e);
    st = tt_said_check(g->said, &e, all->shape[i], all->value + all->first[i],
                       json, &what);
    if (st == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    if (st)
        return tt_damage_at(g->index, TT_SECTION_NAME, id, what, err);
    return tt_threads_take(g->threads, g->cursor, &e, err);
}

/* All elements, in the order of the trace. */
static enum t2t_status verify_elements(const struct going *g,
                                       struct t2t_error *err)
{
    const t2t_index *index = g->index;
    uint64_t before = 0;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < index->header->element_count; i++) {
        uint64_t offset = 0;

        st = verify_element(g, i, &offset, err);
        if (!st && (offset >= index->header->document_bytes ||
                    (i && offset <= before)))
            st = tt_damage_at(index, TT_SECTION_ELEMENT_FRAMES,
                              i / TT_ELEMENTS_A_FRAME,
                              "an element is not where one can be", err);
        before = offset;
    }
    return st ? st : tt_threads_finish(g->threads, err);
}

/* Whether something odd, with an element at `offset`, can be where it is said
 * to be: at the start of that; a repair in it; of a kind of the future
 * anywhere. */
static bool can_be_at(const struct tt_anomaly_record *a, uint64_t offset)
{
    if (tt_anomaly_is_repair(a->kind))
        return a->first_offset >= offset;
    return a->kind >= TT_ANOMALY_COUNT || a->first_offset == offset;
}

/* Checks that anomalies are where their elements are. */
static enum t2t_status verify_places(const struct going *g,
                                     struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < g->index->anomaly_count; i++) {
        const struct tt_anomaly_record *a = &g->index->anomalies[i];
        uint64_t offset;

        if (a->first_position == UINT64_MAX)
            continue;
        st = t2t_cursor_offset(g->cursor, g->id[a->first_position], &offset,
                               err);
        if (!st && !can_be_at(a, offset))
            st = tt_damage_at(g->index, TT_SECTION_ANOMALIES, i,
                              "an anomaly is not where its element is", err);
    }
    return st;
}

static enum t2t_status verify_members(const struct going *g,
                                      struct t2t_error *err)
{
    const t2t_index *index = g->index;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < index->member_count; i++) {
        const struct tt_member_record *m = &index->members[i];
        struct t2t_text key;
        struct t2t_text json;

        st = t2t_cursor_member(g->cursor, i, &key, &json, err);
        if (st)
            return st;
        st = tt_said_value(g->said, json);
        if (st == T2T_ERR_NO_MEMORY)
            return no_memory(err);
        /* a value that was repaired may be longer than it was there */
        if (st || m->document_offset >= index->header->document_bytes)
            st = tt_damage_at(index, TT_SECTION_MEMBERS, i,
                              "a member is not where one can be", err);
    }
    return st;
}

static enum t2t_status verify_frames(struct going *g, struct t2t_error *err)
{
    enum t2t_status st = verify_directories(g->index, err);

    if (!st)
        st = verify_order(g->index, &g->id, err);
    if (!st)
        st = t2t_cursor_open(&g->cursor, g->index, err);
    if (!st)
        st = tt_threads_create(&g->threads, g->index, err);
    if (!st)
        st = verify_elements(g, err);
    if (!st)
        st = verify_places(g, err);
    if (!st)
        st = tt_cursor_envelope(g->cursor, err);
    if (!st)
        st = verify_members(g, err);
    tt_threads_free(g->threads);
    t2t_cursor_close(g->cursor);
    free(g->id);
    return st;
}

/* What is not compressed. */
static enum t2t_status verify_tables(const t2t_index *index,
                                     struct tt_said *said,
                                     struct t2t_error *err)
{
    enum t2t_status st = verify_strings(index, err);

    if (!st)
        st = verify_shapes(index, said, err);
    if (!st)
        st = verify_categories(index, err);
    if (!st)
        st = tt_verify_columns(index, err);
    if (!st)
        st = verify_anomalies(index, err);
    if (!st)
        st = tt_verify_tree(index, err);
    if (!st)
        st = tt_verify_lanes(index, err);
    return st;
}

enum t2t_status t2t_index_verify(const t2t_index *index, struct t2t_error *err)
{
    struct going g = {.index = index};
    enum t2t_status st;

    t2t_index_will_scan(index);
    st = verify_layout(index, err);
    if (!st)
        st = verify_checksums(index, err);
    if (!st)
        st = tt_said_create(&g.said, index, err);
    if (!st)
        st = verify_tables(index, g.said, err);
    if (!st)
        st = verify_frames(&g, err);
    tt_said_free(g.said);
    return st;
}
