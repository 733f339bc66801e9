/* envelope.c - members by structure, text as it comes. */
#include "pipeline/envelope.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "json/text.h"

void tt_envelope_init(struct tt_envelope *e, struct tt_writer *writer,
                      struct tt_intern *strings, struct tt_anomalies *anomalies)
{
    *e = (struct tt_envelope){.writer = writer,
                              .strings = strings,
                              .anomalies = anomalies};
    tt_scan_init(&e->scan, 1);
}

void tt_envelope_release(struct tt_envelope *e)
{
    tt_scan_release(&e->scan);
    free(e->member);
    tt_idmap_release(&e->keys);
    tt_buffer_release(&e->key);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Whether the key under way is `traceEvents`; leaves it decoded in e->key. */
static enum t2t_status end_key(struct tt_envelope *e, uint64_t offset,
                               struct t2t_error *err)
{
    static const char events[] = "traceEvents";
    struct tt_buffer decoded = {0};

    e->in_key = false;
    /* the text has its quotes */
    if (e->key.len >= 2)
        tt_text_decode(e->key.ptr + 1, e->key.len - 2, &decoded);
    if (e->key.failed || decoded.failed) {
        tt_buffer_release(&decoded);
        return no_memory(err);
    }
    tt_buffer_release(&e->key);
    e->key = decoded;
    e->is_events = decoded.len == sizeof(events) - 1 &&
                   !memcmp(decoded.ptr, events, decoded.len);
    if (e->is_events && e->has_array)
        return tt_error(err, T2T_ERR_NOT_A_TRACE, offset,
                        "traceEvents is there twice");
    return T2T_OK;
}

static enum t2t_status end_member(struct tt_envelope *e, uint64_t stored,
                                  struct t2t_error *err)
{
    uint32_t key = tt_intern_add(e->strings, e->key.ptr, e->key.len);
    size_t keys = e->keys.count;

    if (key == TT_INTERN_FAILED || !tt_vec_room(&e->member, &e->member_cap,
                                                e->members, sizeof(*e->member)))
        return no_memory(err);
    if (!tt_idmap_put(&e->keys, 0, key, 0))
        return no_memory(err);
    if (e->keys.count == keys)
        tt_anomaly_note(e->anomalies, TT_ANOMALY_DUPLICATE_MEMBER,
                        TT_NO_POSITION, e->value_offset);
    e->member[e->members++] =
        (struct tt_member_record){.key = key,
                                  .envelope_offset = e->value_stored,
                                  .bytes = stored - e->value_stored,
                                  .document_offset = e->value_offset};
    return T2T_OK;
}

/* The value of a member is next. */
static enum t2t_status begin_value(struct tt_envelope *e, char first,
                                   uint64_t stored, uint64_t offset,
                                   struct t2t_error *err)
{
    e->value_stored = stored;
    e->value_offset = offset;
    if (!e->is_events)
        return T2T_OK;
    if (first != '[')
        return tt_error(err, T2T_ERR_NOT_A_TRACE, offset,
                        "traceEvents is no array");
    return T2T_END;
}

static enum t2t_status bad(const struct tt_envelope *e, uint64_t offset,
                           struct t2t_error *err)
{
    if (e->scan.status == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    return tt_error(err, e->scan.status, offset, "%s",
                    tt_scan_reason(&e->scan));
}

/* Whether the document is a bare array, told by its first byte. */
static bool is_bare(struct tt_envelope *e, const char *text, size_t len)
{
    size_t at = 0;

    if (e->started)
        return false;
    while (at < len && memchr(" \t\r\n", text[at], 4))
        at++;
    e->started = at < len;
    return e->started && text[at] == '[';
}

/* Acts on a mark at `at`; T2T_END when the array begins. */
static enum t2t_status on_mark(struct tt_envelope *e, enum tt_scan_mark mark,
                               const char *text, size_t at, uint64_t offset,
                               struct t2t_error *err)
{
    uint64_t stored = e->stored + at;

    switch (mark) {
    case TT_SCAN_KEY_BEGIN:
        tt_buffer_clear(&e->key);
        e->in_key = true;
        return T2T_OK;
    case TT_SCAN_KEY_END:
        return end_key(e, offset + at, err);
    case TT_SCAN_VALUE_BEGIN:
        return begin_value(e, text[at], stored, offset + at, err);
    case TT_SCAN_VALUE_END:
        return e->is_events ? T2T_OK : end_member(e, stored, err);
    case TT_SCAN_BAD:
        return bad(e, offset + at, err);
    case TT_SCAN_CLOSE:
    case TT_SCAN_MORE:
        break;
    }
    return T2T_OK;
}

enum t2t_status tt_envelope_feed(struct tt_envelope *e, const char *text,
                                 size_t len, uint64_t offset, size_t *used,
                                 struct t2t_error *err)
{
    const unsigned char *bytes = (const unsigned char *)text;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    enum t2t_status st = is_bare(e, text, len) ? T2T_END : T2T_OK;
    size_t at = 0;

    while (!st && mark != TT_SCAN_MORE) {
        size_t step;

        mark = tt_scan_feed(&e->scan, bytes + at, len - at, &step);
        if (e->in_key)
            tt_buffer_add(&e->key, text + at, step);
        at += step;
        st = on_mark(e, mark, text, at, offset, err);
    }
    if (st == T2T_END) {
        e->has_array = true;
        /* white space before a bare array, and the bracket */
        while (!at || text[at - 1] != '[') {
            size_t step;

            (void)tt_scan_feed(&e->scan, bytes + at, 1, &step);
            at += step;
        }
    }
    *used = at;
    if (!st || st == T2T_END) {
        enum t2t_status wrote = tt_writer_envelope(e->writer, text, at, err);

        e->stored += at;
        if (st == T2T_END)
            e->array = e->stored;
        st = wrote ? wrote : st;
    }
    return st;
}

enum t2t_status tt_envelope_leave(struct tt_envelope *e, struct t2t_error *err)
{
    enum t2t_status st = tt_writer_envelope(e->writer, "]", 1, err);

    e->stored++;
    tt_scan_leave_array(&e->scan);
    return st;
}

/* What a document without events had instead, for the message. */
static void list_keys(const struct tt_envelope *e, char *to, size_t cap)
{
    size_t len = 0;

    to[0] = '\0';
    for (size_t i = 0; i < e->members && i < 6; i++) {
        const struct tt_interned *s = &e->strings->item[e->member[i].key];

        if (cap - len < s->len + 4)
            break;
        if (len) {
            memcpy(to + len, ", ", 2);
            len += 2;
        }
        memcpy(to + len, s->ptr, s->len);
        len += s->len;
        to[len] = '\0';
    }
}

enum t2t_status tt_envelope_finish(struct tt_envelope *e, uint64_t offset,
                                   struct t2t_error *err)
{
    char keys[120];

    if (!e->started)
        return tt_error(err, T2T_ERR_TRUNCATED, offset, "it is empty");
    if (!tt_scan_finish(&e->scan))
        return tt_error(err, T2T_ERR_TRUNCATED, offset,
                        "the document is cut short");
    if (e->has_array)
        return T2T_OK;
    list_keys(e, keys, sizeof(keys));
    return tt_error(err, T2T_ERR_NOT_A_TRACE, TT_NO_OFFSET,
                    "no traceEvents array at the top of the document%s%s",
                    keys[0] ? ", only " : "", keys);
}
