/* member.c - reads the members of the document beside traceEvents. */
#include "index/cursor.h"

#include <string.h>

#include "base/status.h"
#include "index/verify.h"

static enum t2t_status member_damage(const t2t_cursor *c, uint32_t n,
                                     struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                    tt_index_offset(c->index, TT_SECTION_MEMBERS, n),
                    "member %u holds an impossible value", n);
}

/* Sees to it that c->envelope is that frame: all have the same size but the
 * last, and none is empty. */
static enum t2t_status load_envelope(t2t_cursor *c, uint32_t frame,
                                     struct t2t_error *err)
{
    const struct tt_directory *d = &c->index->envelope;
    uint32_t bytes = d->record[frame].raw_bytes;
    enum t2t_status st;

    if (c->envelope_frame == frame)
        return T2T_OK;
    if (!bytes || bytes > TT_ENVELOPE_A_FRAME ||
        (bytes < TT_ENVELOPE_A_FRAME && frame + 1 < d->count))
        return tt_cursor_frame_damage(c, d, frame, err);
    c->envelope_frame = TT_NO_FRAME;
    st = tt_cursor_unpack(c, d, frame, &c->envelope, err);
    if (!st)
        c->envelope_frame = frame;
    return st;
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
    if (stop - base > c->envelope.len)
        return false;
    tt_buffer_add(&c->text, c->envelope.ptr + (at - base), (size_t)(stop - at));
    return true;
}

/* Whether member `n` begins where the one before has ended, or behind. */
static bool is_in_order(const t2t_index *index, uint32_t n)
{
    const struct tt_member_record *before = &index->members[n - !!n];
    uint64_t offset = index->members[n].envelope_offset;

    return !n || (before->envelope_offset <= offset &&
                  before->bytes <= offset - before->envelope_offset);
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
    if (!m->bytes || !is_in_order(index, n) ||
        __builtin_add_overflow(m->envelope_offset, m->bytes, &end) ||
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
        st = load_envelope(cursor, (uint32_t)frame, err);
        if (st)
            return st;
        if (!add_part(cursor, at, end))
            return member_damage(cursor, n, err);
        at = (frame + 1) * TT_ENVELOPE_A_FRAME;
    }
    if (cursor->text.failed)
        return tt_cursor_no_memory(err);
    *json = (struct t2t_text){cursor->text.ptr, cursor->text.len};
    return T2T_OK;
}

enum t2t_status t2t_cursor_member_named(t2t_cursor *cursor, const char *key,
                                        struct t2t_text *json,
                                        struct t2t_error *err)
{
    const t2t_index *index = cursor->index;
    struct t2t_text wanted = t2t_text_of(key);

    for (uint32_t n = index->member_count; n--;) {
        struct t2t_text text;

        if (!tt_string_at(&index->shapes.strings, index->members[n].key, &text))
            return member_damage(cursor, n, err);
        if (t2t_text_equal(text, wanted))
            return t2t_cursor_member(cursor, n, &text, json, err);
    }
    return T2T_NOT_FOUND;
}

enum t2t_status tt_cursor_envelope_frame(t2t_cursor *cursor, uint32_t frame,
                                         struct t2t_text *text,
                                         struct t2t_error *err)
{
    const struct tt_directory *d = &cursor->index->envelope;
    enum t2t_status st;

    if (frame >= d->count)
        return T2T_NOT_FOUND;
    st = load_envelope(cursor, frame, err);
    if (!st)
        *text = (struct t2t_text){cursor->envelope.ptr, cursor->envelope.len};
    return st;
}

/* Whether byte `at` of the envelope, whose part from `first` on is unpacked, is
 * another one than `byte`. */
static bool is_other(const t2t_cursor *c, uint64_t first, uint64_t at,
                     char byte)
{
    return at >= first && at - first < c->envelope.len &&
           c->envelope.ptr[at - first] != byte;
}

enum t2t_status tt_cursor_envelope(t2t_cursor *cursor, struct t2t_error *err)
{
    const t2t_index *index = cursor->index;
    const struct tt_directory *d = &index->envelope;
    uint64_t first = 0;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < d->count; i++) {
        st = load_envelope(cursor, i, err);
        if (!st && (is_other(cursor, first, index->array - 1, '[') ||
                    is_other(cursor, first, index->array, ']')))
            break;
        first += cursor->envelope.len;
    }
    if (!st && (!index->array || index->array >= first))
        st = tt_damage_at(index, TT_SECTION_ARRAY, 0,
                          "no array is where the elements belong", err);
    return st;
}
