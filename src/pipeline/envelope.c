/* envelope.c - members by structure, text as it comes. */
#include "pipeline/envelope.h"

#include <stdlib.h>
#include <string.h>

#include "base/anonymous.h"
#include "base/vec.h"
#include "pipeline/envelope_salvage.h"
#include "json/text.h"

void tt_envelope_init(struct tt_envelope *e, struct tt_writer *writer,
                      struct tt_intern *strings, struct tt_anomalies *anomalies,
                      struct tt_damage *damage)
{
    *e = (struct tt_envelope){.writer = writer,
                              .strings = strings,
                              .anomalies = anomalies,
                              .damage = damage,
                              .memory = damage->memory,
                              .keys.memory = damage->memory,
                              .holds_all = damage->tolerance == T2T_SALVAGE};
    tt_repair_init(&e->scan, damage->tolerance == T2T_STRICT, 1);
}

void tt_envelope_release(struct tt_envelope *e)
{
    tt_repair_release(&e->scan);
    tt_memory_give(e->memory, e->member, e->member_cap * sizeof(*e->member));
    tt_idmap_release(&e->keys);
    tt_buffer_release(&e->key);
    tt_buffer_release(&e->held);
    tt_memory_give(e->memory, e->end, e->end_cap * sizeof(*e->end));
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

bool tt_envelope_is_events(const char *quoted, size_t len, struct tt_buffer *to)
{
    static const char events[] = "traceEvents";

    tt_buffer_clear(to);
    tt_text_decode(quoted + 1, len - 2, to);
    return !to->failed && to->len == sizeof(events) - 1 &&
           !memcmp(to->ptr, events, to->len);
}

/* Decodes the key that ended to e->key; whether it is `traceEvents`. */
static enum t2t_status end_key(struct tt_envelope *e, uint64_t offset,
                               struct t2t_error *err)
{
    const struct tt_buffer *text = &e->scan.text;
    size_t at = (size_t)(e->key_stored - e->stored);

    e->in_key = false;
    e->is_events =
        tt_envelope_is_events(text->ptr + at, text->len - at, &e->key);
    if (e->key.failed)
        return no_memory(err);
    if (e->is_events && e->has_array)
        return tt_error(err, T2T_ERR_NOT_A_TRACE, offset,
                        TT_ENVELOPE_TWICE "; build --salvage keeps the first");
    return T2T_OK;
}

static enum t2t_status end_member(struct tt_envelope *e, uint64_t stored,
                                  uint64_t offset, struct t2t_error *err)
{
    uint32_t key = tt_intern_add(e->strings, e->key.ptr, e->key.len);
    size_t keys = e->keys.count;

    if (key == TT_INTERN_FAILED ||
        !tt_memory_room(e->memory, &e->member, &e->member_cap, e->members,
                        sizeof(*e->member)) ||
        !tt_memory_room(e->memory, &e->end, &e->end_cap, e->members,
                        sizeof(*e->end)))
        return no_memory(err);
    e->end[e->members] = offset;
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

/* The value of a member is next; its first byte is `first`. */
static enum t2t_status begin_value(struct tt_envelope *e, char first,
                                   uint64_t offset, struct t2t_error *err)
{
    const struct tt_repair *r = &e->scan;

    if (r->inject) { /* it was no value, and is skipped already */
        first = *r->inject;
        offset = r->inject_offset;
    }
    e->value_stored = e->stored + r->text.len;
    e->value_offset = offset;
    e->hides = e->discreet && !e->is_events &&
               !tt_anonymous_keeps(e->key.ptr, e->key.len);
    if (!e->is_events)
        return T2T_OK;
    if (first != '[')
        return tt_error(err, T2T_ERR_NOT_A_TRACE, offset, TT_ENVELOPE_NO_ARRAY);
    return T2T_END;
}

static enum t2t_status bad(const struct tt_envelope *e, uint64_t offset,
                           struct t2t_error *err)
{
    const struct tt_scan *scan = &e->scan.scan;

    if (scan->status == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    return tt_error(err, scan->status, offset, "%s%s", tt_scan_reason(scan),
                    scan->status == T2T_ERR_LIMIT &&
                            e->damage->tolerance != T2T_SALVAGE
                        ? TT_GIVES_IT_UP
                        : "");
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
    e->is_bare = e->started && text[at] == '[';
    return e->is_bare;
}

/* The value that has ended becomes null: all of it is in e->scan.text still,
 * see storable().  Where the envelope is then. */
static uint64_t hide_value(struct tt_envelope *e)
{
    struct tt_buffer *text = &e->scan.text;

    text->len = (size_t)(e->value_stored - e->stored);
    tt_buffer_add(text, "null", 4);
    e->hides = false;
    return e->stored + text->len;
}

/* Acts on a mark before byte `next`, at `offset`; T2T_END when the array
 * begins. */
static enum t2t_status on_mark(struct tt_envelope *e, enum tt_scan_mark mark,
                               const char *next, uint64_t offset,
                               struct t2t_error *err)
{
    uint64_t stored = e->stored + e->scan.text.len;

    switch (mark) {
    case TT_SCAN_KEY_BEGIN:
        e->key_stored = stored;
        e->key_offset = offset;
        e->in_key = true;
        return T2T_OK;
    case TT_SCAN_KEY_END:
        return end_key(e, offset, err);
    case TT_SCAN_VALUE_BEGIN:
        return begin_value(e, *next, offset, err);
    case TT_SCAN_VALUE_END:
        if (e->hides)
            stored = hide_value(e);
        if (e->scan.text.failed)
            return no_memory(err);
        e->whole = stored;
        e->whole_offset = offset;
        return e->is_events ? T2T_OK : end_member(e, stored, offset, err);
    case TT_SCAN_BAD:
        return bad(e, offset, err);
    case TT_SCAN_CLOSE:
    case TT_SCAN_MORE:
        break;
    }
    return T2T_OK;
}

/* Goes over white space before a bare array and the bracket, or the bracket
 * alone; the bytes of it. */
static size_t enter_array(struct tt_envelope *e, const char *text, size_t len,
                          uint64_t offset)
{
    size_t at = 0;

    while (!at || text[at - 1] != '[') {
        size_t used;

        (void)tt_repair_feed(&e->scan, (const unsigned char *)text + at,
                             at < len, offset + at, &used);
        at += used;
    }
    e->has_array = true;
    return at;
}

enum t2t_status tt_envelope_store(struct tt_envelope *e, size_t len,
                                  struct t2t_error *err)
{
    enum t2t_status st =
        tt_writer_envelope(e->writer, e->scan.text.ptr, len, err);

    tt_repair_take(&e->scan, len);
    e->stored += len;
    return st;
}

/* How much of what the scan keeps can be stored: a key under way not; for
 * salvage no part of a member, and nothing that may be taken back. */
static size_t storable(struct tt_envelope *e)
{
    size_t len = tt_repair_settled(&e->scan);

    if (e->damage->tolerance == T2T_SALVAGE)
        return e->holds_all ? 0 : (size_t)(e->whole - e->stored);
    if (e->in_key && len > e->key_stored - e->stored)
        len = (size_t)(e->key_stored - e->stored);
    if (e->hides && len > e->value_stored - e->stored)
        len = (size_t)(e->value_stored - e->stored);
    return len;
}

/* Whether salvage goes on behind it. */
static bool is_damage(const struct tt_envelope *e, enum t2t_status st)
{
    return e->damage->tolerance == T2T_SALVAGE &&
           ((st <= T2T_ERR_LIMIT && st >= T2T_ERR_UTF8) ||
            (st == T2T_ERR_NOT_A_TRACE && !e->has_array));
}

/* Scans text up to the array, damage or the end; what was taken is in e->scan
 * and `*used` long. */
static enum t2t_status scan_text(struct tt_envelope *e, const char *text,
                                 size_t len, uint64_t offset, size_t *used,
                                 struct t2t_error *err)
{
    const unsigned char *bytes = (const unsigned char *)text;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    enum t2t_status st = is_bare(e, text, len) ? T2T_END : T2T_OK;
    size_t at = 0;

    while (!st && mark != TT_SCAN_MORE) {
        size_t step;

        mark =
            tt_repair_feed(&e->scan, bytes + at, len - at, offset + at, &step);
        at += step;
        st = on_mark(e, mark, text + at, offset + at, err);
    }
    if (st == T2T_END)
        at += enter_array(e, text + at, len - at, offset + at);
    *used = at;
    return st;
}

/* Bytes of the key or the number under way, which cannot be stored yet. */
static size_t open_bytes(struct tt_envelope *e)
{
    if (e->in_key)
        return e->scan.text.len - (size_t)(e->key_stored - e->stored);
    if (e->hides)
        return e->scan.text.len - (size_t)(e->value_stored - e->stored);
    return e->scan.text.len - tt_repair_settled(&e->scan);
}

/* How much may be scanned before check_length(): what is held of the document
 * has a limit, a key or a number, for salvage a member. */
static uint64_t room_left(struct tt_envelope *e, uint64_t offset)
{
    if (e->damage->tolerance == T2T_SALVAGE)
        return TT_ENVELOPE_MOST - (offset - e->whole_offset);
    return TT_ENVELOPE_MOST + 1 - open_bytes(e);
}

static enum t2t_status check_length(struct tt_envelope *e, uint64_t offset,
                                    struct t2t_error *err)
{
    if (e->damage->tolerance == T2T_SALVAGE) {
        if (offset - e->whole_offset < TT_ENVELOPE_MOST)
            return T2T_OK;
        return tt_error(err, T2T_ERR_LIMIT, offset, TT_ENVELOPE_TOO_LONG);
    }
    if (open_bytes(e) <= TT_ENVELOPE_MOST)
        return T2T_OK;
    if (e->in_key)
        return tt_error(err, T2T_ERR_LIMIT, e->key_offset,
                        "a key of more than 1 GiB" TT_GIVES_IT_UP);
    if (e->hides)
        return tt_error(err, T2T_ERR_LIMIT, e->value_offset,
                        "a member of more than 1 GiB" TT_GIVES_IT_UP);
    return tt_error(err, T2T_ERR_LIMIT, offset - open_bytes(e),
                    "a number of more than 1 GiB" TT_GIVES_IT_UP);
}

/* Scans text and stores what can be; `why` is set for damage. */
static enum t2t_status feed_whole(struct tt_envelope *e, const char *text,
                                  size_t len, uint64_t offset, size_t *used,
                                  struct t2t_error *why)
{
    uint64_t room = room_left(e, offset);
    enum t2t_status stored;
    enum t2t_status st;

    if (len > room)
        len = (size_t)room;
    st = scan_text(e, text, len, offset, used, why);
    if (!st)
        st = check_length(e, offset + *used, why);
    if (st < 0)
        return st;
    stored = tt_envelope_store(e, st ? e->scan.text.len : storable(e), why);
    tt_damage_repaired(e->damage, &e->scan, TT_NO_POSITION);
    if (st)
        e->array = e->stored;
    return stored ? stored : st;
}

enum t2t_status tt_envelope_feed(struct tt_envelope *e, const char *text,
                                 size_t len, uint64_t offset, size_t *used,
                                 struct t2t_error *err)
{
    struct t2t_error why = {T2T_OK, offset, ""};
    enum t2t_status st = T2T_OK;
    size_t step;

    *used = 0;
    while (!st && !e->lost && *used < len) {
        st = feed_whole(e, text + *used, len - *used, offset + *used, &step,
                        &why);
        if (!tt_envelope_hold(e, text + *used, step, offset + *used))
            return no_memory(err);
        *used += step;
    }
    if (is_damage(e, st))
        st = tt_envelope_give_up(e, why.offset, st, err);
    else if (st < 0 && err)
        *err = why;
    if (st || !e->lost)
        return st;
    st = tt_envelope_feed_lost(e, text + *used, len - *used, &step, err);
    *used += step;
    return st;
}

enum t2t_status tt_envelope_leave(struct tt_envelope *e, uint64_t offset,
                                  struct t2t_error *err)
{
    enum t2t_status st = tt_writer_envelope(e->writer, "]", 1, err);

    e->stored++;
    e->whole = e->stored;
    e->whole_offset = offset;
    tt_scan_leave_array(&e->scan.scan);
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
                                   enum t2t_status class, struct t2t_error *err)
{
    char keys[120];

    if (!e->started)
        return tt_error(err, T2T_ERR_TRUNCATED, offset, "it is empty");
    if (e->lost)
        return tt_envelope_finish_lost(e, offset, err);
    if (!tt_scan_finish(&e->scan.scan)) {
        if (e->has_array && e->damage->tolerance == T2T_SALVAGE)
            return tt_envelope_close_early(e, offset, class, err);
        return tt_error(err, T2T_ERR_TRUNCATED, offset,
                        "the document is cut short");
    }
    if (e->has_array)
        return tt_envelope_store(e, e->scan.text.len, err);
    list_keys(e, keys, sizeof(keys));
    return tt_error(err, T2T_ERR_NOT_A_TRACE, TT_NO_OFFSET,
                    "no traceEvents array at the top of the document%s%s",
                    keys[0] ? ", only " : "", keys);
}
