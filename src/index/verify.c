/* verify.c - reads an index whole: checksums, strings, tables, frames. */
#include "index/verify.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include <trace2tree/cursor.h>

#include "base/status.h"

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
    return T2T_OK;
}

static enum t2t_status verify_shapes(const t2t_index *index,
                                     struct t2t_error *err)
{
    for (uint32_t i = 0; i < index->shapes.count; i++) {
        struct t2t_text text;
        uint32_t values;

        if (!tt_string_at(&index->shapes.strings, index->shapes.shape[i],
                          &text) ||
            !tt_shape_values(text, &values))
            return tt_damage_at(index, TT_SECTION_SHAPES, i,
                                "a shape is no template", err);
    }
    return T2T_OK;
}

/* Whether a string id is one, or NONE. */
static bool is_string(const t2t_index *index, uint32_t string)
{
    return string == TT_NONE || string < index->shapes.strings.count;
}

static enum t2t_status verify_lists(const t2t_index *index,
                                    struct t2t_error *err)
{
    const struct tt_anomaly_record *a = index->anomalies;

    for (uint32_t i = 0; i < index->category_count; i++)
        if (!is_string(index, index->categories[i]))
            return tt_damage_at(index, TT_SECTION_CATEGORIES, i,
                                "a category has no such string", err);
    for (uint32_t i = 0; i < index->anomaly_count; i++) {
        bool none = a[i].first_position == UINT64_MAX;

        if ((i && a[i].kind <= a[i - 1].kind) || !a[i].count ||
            (!none && a[i].first_position >= index->header->element_count))
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
    for (uint32_t i = index->header->node_count + 1; !st && i < count; i++)
        if (position[i] <= position[i - 1])
            st =
                tt_damage_at(index, TT_SECTION_ORDER_FRAMES, i / TT_IDS_A_FRAME,
                             "elements outside the tree are not in order", err);
    free(position);
    if (st) {
        free(id);
        return st;
    }
    *out = id;
    return T2T_OK;
}

/* Renders every element, in the order of the trace. */
static enum t2t_status verify_elements(const t2t_index *index,
                                       t2t_cursor *cursor, const t2t_id *id,
                                       struct t2t_error *err)
{
    uint64_t before = 0;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < index->header->element_count; i++) {
        struct t2t_text json;
        uint64_t offset = 0;

        st = t2t_cursor_json(cursor, id[i], &json, err);
        if (!st)
            st = t2t_cursor_offset(cursor, id[i], &offset, err);
        if (!st && (offset >= index->header->document_bytes ||
                    (i && offset <= before)))
            st = tt_damage_at(index, TT_SECTION_ELEMENT_FRAMES,
                              i / TT_ELEMENTS_A_FRAME,
                              "an element is not where one can be", err);
        before = offset;
    }
    return st;
}

static enum t2t_status verify_members(const t2t_index *index,
                                      t2t_cursor *cursor, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < index->member_count; i++) {
        struct t2t_text key;
        struct t2t_text json;

        st = t2t_cursor_member(cursor, i, &key, &json, err);
    }
    return st;
}

static enum t2t_status verify_frames(const t2t_index *index,
                                     struct t2t_error *err)
{
    t2t_cursor *cursor = NULL;
    t2t_id *id = NULL;
    enum t2t_status st = verify_directories(index, err);

    if (!st)
        st = verify_order(index, &id, err);
    if (!st)
        st = t2t_cursor_open(&cursor, index, err);
    if (!st)
        st = verify_elements(index, cursor, id, err);
    if (!st)
        st = tt_cursor_envelope(cursor, err);
    if (!st)
        st = verify_members(index, cursor, err);
    t2t_cursor_close(cursor);
    free(id);
    return st;
}

enum t2t_status t2t_index_verify(const t2t_index *index, struct t2t_error *err)
{
    enum t2t_status st;

    t2t_index_will_scan(index);
    st = verify_layout(index, err);

    if (!st)
        st = verify_checksums(index, err);
    if (!st)
        st = verify_strings(index, err);
    if (!st)
        st = verify_shapes(index, err);
    if (!st)
        st = verify_lists(index, err);
    if (!st)
        st = tt_verify_columns(index, err);
    if (!st)
        st = tt_verify_tree(index, err);
    if (!st)
        st = verify_frames(index, err);
    return st;
}
