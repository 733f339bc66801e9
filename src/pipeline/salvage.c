/* salvage.c - what is given up, and where whole text begins again. */
#include "pipeline/salvage.h"

#include <string.h>

#include <trace2tree/text.h>

#include "decode/walk.h"
#include "json/token.h"

/* So much may be read once more of any document. */
#define LEAST_TRIED ((uint64_t)64 << 20)

/* What an element has taken in is looked at from so much of it on. */
#define LEAST_TAKEN_IN ((size_t)4 << 10)

/* What is behind the array is believed to be after so much of it. */
#define MOST_BEHIND ((size_t)64 << 20)

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Puts an element in the place of each that was lost, so that those behind it
 * keep theirs, and ends the loss at `offset`. */
enum t2t_status tt_salvage_end(struct tt_assembly *a, uint64_t offset,
                               struct t2t_error *err)
{
    struct tt_loss_record *loss = tt_damage_loss(&a->damage);
    enum t2t_status st = T2T_OK;

    tt_damage_end(&a->damage, offset, a->trace->element_count);
    for (uint32_t i = 0; !st && i < loss->elements; i++) {
        struct tt_batch *b = NULL;

        st = tt_assembly_decode(a, "null]", 5, loss->offset + i, &b, err);
        if (st)
            return st;
        tt_anomalies_init(&b->anomalies); /* it is no element of the trace */
        b->element[0].odd = 0;
        st = tt_assembly_take_batch(a, b, NULL, a->decoder_number, err);
        tt_batch_free(b);
    }
    return st;
}

/* Lets `len` bytes at `ptr`, which stand before the rest of `s`, be read before
 * it. */
static enum t2t_status read_again(struct tt_assembly *a, const char *ptr,
                                  size_t len, struct tt_span *s,
                                  struct t2t_error *err)
{
    struct tt_buffer back = {0};
    uint64_t offset = s->offset - len;

    a->tried += len;
    if (s == &a->again && (size_t)(s->text - a->back.ptr) >= len) {
        *s = (struct tt_span){s->text - len, s->len + len, offset};
        return T2T_OK; /* it is still there */
    }
    tt_buffer_add(&back, ptr, len);
    if (s == &a->again)
        tt_buffer_add(&back, s->text, s->len);
    if (back.failed) {
        tt_buffer_release(&back);
        return no_memory(err);
    }
    tt_buffer_release(&a->back);
    a->back = back;
    a->again = (struct tt_span){back.ptr, back.len, offset};
    return T2T_OK;
}

/* Whether text may be read once more: in proportion to what was read of the
 * document, up to `offset` or further. */
static bool may_try(struct tt_assembly *a, uint64_t offset)
{
    if (a->reach < offset)
        a->reach = offset;
    return a->tried < LEAST_TRIED + 8 * a->reach;
}

/* The first key of an object as it is written; nothing if it is none. */
static struct t2t_text first_key(const struct tt_buffer *raw)
{
    const char *end = raw->ptr + raw->len;
    const char *p = raw->ptr;
    const char *close;

    if (!raw->len || *p++ != '{')
        return (struct t2t_text){NULL, 0};
    while (p < end && tt_is_space(*p))
        p++;
    if (p == end || *p++ != '"')
        return (struct t2t_text){NULL, 0};
    close = memchr(p, '"', (size_t)(end - p));
    return (struct t2t_text){p, (size_t)((close ? close : end) - p)};
}

/* Whether what is lost is an element of the array: the first is, and of what
 * was tried in vain since what begins with the same key. */
static bool counts(struct tt_assembly *a)
{
    struct t2t_text key = first_key(&a->raw);

    if (!a->damage.losing) {
        tt_buffer_clear(&a->key);
        tt_buffer_add(&a->key, key.ptr, key.len);
        return true;
    }
    return key.len && key.len == a->key.len && !tt_seek_place(&a->seek) &&
           !memcmp(key.ptr, a->key.ptr, key.len);
}

/* Remembers what the element that failed at `bad` has left open.  Where it was
 * too long or too deep, what began late in it need not fail. */
static enum t2t_status note_unclosed(struct tt_assembly *a, uint64_t bad,
                                     struct t2t_error *err)
{
    const struct tt_scan *scan = &a->scan.scan;
    struct tt_unclosed *u = &a->unclosed;

    if (a->raw.len < LEAST_TAKEN_IN || bad <= u->bad)
        return T2T_OK;
    u->bad = bad;
    u->status = scan->status;
    u->reason = scan->reason;
    if (!tt_unclosed_find(u, a->raw.ptr, a->raw.len, a->element_offset))
        return no_memory(err);
    if (scan->status == T2T_ERR_LIMIT)
        tt_unclosed_halve(u);
    return T2T_OK;
}

/* Why a byte is bad; nothing where the text has ended. */
static const char *reason_of(const struct tt_scan *scan)
{
    return scan->status == T2T_ERR_LIMIT ||
                   (scan->status <= T2T_ERR_EXTRA_DATA &&
                    scan->status >= T2T_ERR_UTF8)
               ? tt_scan_reason(scan)
               : NULL;
}

/* Which byte is said to be bad: of an element that is too long, or has too many
 * values, the first. */
static uint64_t damage_at(const struct tt_assembly *a, uint64_t bad)
{
    const struct tt_scan *scan = &a->scan.scan;

    if (scan->status == T2T_ERR_LIMIT && a->in_element &&
        (!strcmp(scan->reason, TT_ELEMENT_TOO_LONG) ||
         !strcmp(scan->reason, TT_SCAN_TOO_MANY_VALUES)))
        return a->element_offset;
    return bad;
}

/* Looks for the next place: behind the first byte of the element that was read
 * up to `s`, if it was one, else from `s` on.  T2T_END or an error. */
static enum t2t_status look_on(struct tt_assembly *a, bool in_element,
                               struct tt_span *s, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    a->state = TT_SEEKING;
    tt_seek_begin(&a->seek);
    if (a->raw.failed)
        return no_memory(err);
    if (in_element && a->raw.len && may_try(a, s->offset))
        st = read_again(a, a->raw.ptr + 1, a->raw.len - 1, s, err);
    return st ? st : T2T_END;
}

/* The next byte of `s` is bad.  Salvage gives up the element under way. */
enum t2t_status tt_salvage_give_up(struct tt_assembly *a, struct tt_span *s,
                                   struct t2t_error *err)
{
    const struct tt_scan *scan = &a->scan.scan;
    bool in_element = a->in_element;
    bool is_lost = in_element && counts(a);
    uint64_t bad = in_element && a->doomed ? a->unclosed.bad : s->offset;
    enum t2t_status st = T2T_OK;

    if (scan->status == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    if (a->damage.tolerance != T2T_SALVAGE)
        return tt_error(err, scan->status, damage_at(a, s->offset), "%s%s",
                        tt_scan_reason(scan),
                        scan->status == T2T_ERR_LIMIT ? TT_GIVES_IT_UP : "");
    if (!a->damage.losing) {
        st = tt_damage_lose(&a->damage,
                            in_element ? a->element_offset : s->offset,
                            damage_at(a, bad), scan->status, err);
        a->damage.reason = reason_of(scan);
    }
    if (!st && in_element && !a->doomed)
        st = note_unclosed(a, bad, err);
    if (st)
        return st;
    tt_damage_loss(&a->damage)->elements += is_lost;
    a->in_element = false;
    a->held = 0;
    a->stride = TT_LEAST_STRIDE;
    return look_on(a, in_element, s, err);
}

/*
 * An object that begins as the events so far do is believed, but where it
 * stands like the value of a key only if an element or the end of the array
 * follows.  One that begins otherwise must not stand like a value, and an
 * element must follow.  Without a phase it must begin as they do and stand
 * behind the bad byte, too.
 */
bool tt_salvage_believes(const struct tt_assembly *a,
                         const struct tt_element *e, char next)
{
    bool known = tt_openings_have(&a->openings, a->raw.ptr, a->raw.len);
    enum tt_seek_place place = tt_seek_place(&a->seek);
    bool in_object = next == '}' || next == '"';
    bool in_array =
        next == '{' || !next || (next == ']' && place != TT_SEEK_IN_LIST);

    if (!(e->flags & TT_OBJECT))
        return false;
    if (!e->phase)
        return known && !place && !in_object &&
               a->element_offset >= a->damage.loss[a->damage.losses - 1].damage;
    if (known || !a->openings.count)
        return !place || in_array;
    return !place && next == '{';
}

/* The levels of brackets in text. */
static uint64_t levels(const struct tt_buffer *raw)
{
    uint64_t deepest = 0;
    uint64_t depth = 0;
    bool in_string = false;

    for (size_t i = 0; i < raw->len; i++) {
        char c = raw->ptr[i];

        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']'))
            depth -= depth > 0;
        if (depth > deepest)
            deepest = depth;
    }
    return deepest;
}

enum t2t_status tt_salvage_deny(struct tt_assembly *a, struct tt_span *s,
                                struct t2t_error *err)
{
    uint64_t deep = levels(&a->raw);

    a->tried += deep * deep / 2; /* jsmn went up from each closing bracket */
    a->scan.notes = 0;
    return look_on(a, true, s, err);
}

/* Looks for a place where an element may begin or the array may have ended, to
 * try it. */
enum t2t_status tt_salvage_seek(struct tt_assembly *a, struct tt_span *s,
                                struct t2t_error *err)
{
    size_t used;
    enum tt_seek_found found = tt_seek_feed(&a->seek, s->text, s->len, &used);

    tt_span_step(s, used);
    if (found == TT_SEEK_NOTHING)
        return T2T_OK;
    if (a->seek.text.failed)
        return no_memory(err);
    if (found == TT_SEEK_END) {
        a->scan.notes = 0; /* of what was given up */
        tt_salvage_try(a);
        return T2T_OK;
    }
    tt_assembly_scan(a);
    return read_again(a, a->seek.text.ptr, a->seek.text.len, s, err);
}

/* Lets a scan stand behind the end of the array. */
static void stand_behind(const struct tt_assembly *a, struct tt_repair *r,
                         uint32_t watch)
{
    static const unsigned char before[] = "{\"\":[]";
    size_t at = a->envelope.is_bare ? 4 : 0;
    size_t used;

    tt_repair_init(r, false, watch);
    while (at < sizeof(before) - 1) { /* it stops at marks */
        (void)tt_repair_feed(r, before + at, sizeof(before) - 1 - at, 0, &used);
        at += used;
    }
}

/* From here on the scan stands behind the end of the array, if it is one. */
void tt_salvage_try(struct tt_assembly *a)
{
    struct tt_repair *r = &a->scan;

    a->comma = r->notes ? r->note[r->notes - 1].offset : TT_NO_OFFSET;
    tt_repair_release(r);
    stand_behind(a, r, 0);
    a->state = TT_TRYING;
    tt_buffer_clear(&a->raw);
}

/* The array did end where that was tried: before the text in `raw`, which goes
 * up to `offset`. */
enum t2t_status tt_salvage_accept(struct tt_assembly *a, uint64_t offset,
                                  struct t2t_error *err)
{
    uint64_t behind = offset - a->raw.len;
    enum t2t_status st =
        a->damage.losing ? tt_salvage_end(a, behind - 1, err) : T2T_OK;
    size_t used;

    if (!st && a->comma != TT_NO_OFFSET) {
        if (!tt_repair_add(&a->scan, TT_REPAIR_COMMA, a->comma))
            return no_memory(err);
        tt_damage_repaired(&a->damage, &a->scan, TT_NO_POSITION);
    }
    if (!st)
        st = tt_assembly_leave(a, behind, err);
    if (!st)
        st = tt_envelope_feed(&a->envelope, a->raw.ptr, a->raw.len, behind,
                              &used, err);
    return st;
}

/* The array did not end there: the bracket is lost, and what is behind it read
 * once more. */
static enum t2t_status deny_end(struct tt_assembly *a, struct tt_span *s,
                                struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (!a->damage.losing) {
        st = tt_damage_lose(&a->damage, s->offset - a->raw.len - 1, s->offset,
                            a->scan.scan.status, err);
        a->damage.reason = reason_of(&a->scan.scan);
    }
    if (st)
        return st;
    a->stride = TT_LEAST_STRIDE;
    a->state = TT_SEEKING;
    tt_seek_begin(&a->seek);
    if (!may_try(a, s->offset))
        return T2T_OK;
    return read_again(a, a->raw.ptr, a->raw.len, s, err);
}

/* Whether the bad byte says nothing against the end of the document: another
 * one begins there, or nonsense.  A comma does. */
static bool is_extra(const struct tt_repair *r, const struct tt_span *s)
{
    return r->scan.status == T2T_ERR_EXTRA_DATA && *s->text != ',';
}

/* Whether another array of events is said to follow at the top of the document,
 * in `raw`, which a build finds before what is bad there.  T2T_END: it is;
 * T2T_OK: it is not; or an error. */
static enum t2t_status find_second(const struct tt_assembly *a,
                                   struct t2t_error *err)
{
    const unsigned char *ptr = (const unsigned char *)a->raw.ptr;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    struct tt_buffer key = {0};
    struct tt_repair r;
    size_t begun = 0;
    size_t at = 0;
    bool found = false;
    bool failed;

    stand_behind(a, &r, 1);
    while (!found && mark != TT_SCAN_MORE && mark != TT_SCAN_BAD) {
        size_t used;

        mark = tt_repair_feed(&r, ptr + at, a->raw.len - at, 0, &used);
        at += used;
        if (mark == TT_SCAN_KEY_BEGIN)
            begun = r.text.len;
        if (mark == TT_SCAN_KEY_END && !r.text.failed)
            found = tt_envelope_is_events(r.text.ptr + begun,
                                          r.text.len - begun, &key);
    }
    failed = r.text.failed || key.failed || r.scan.status == T2T_ERR_NO_MEMORY;
    tt_buffer_release(&key);
    tt_repair_release(&r);
    return failed ? no_memory(err) : found ? T2T_END : T2T_OK;
}

/* What is behind the array is bad.  Behind an array that was whole up to its
 * end, a second one gives up first what ends other builds, its key. */
static enum t2t_status judge_end(struct tt_assembly *a, struct tt_span *s,
                                 struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (!a->damage.losing && is_extra(&a->scan, s))
        return tt_salvage_accept(a, s->offset, err);
    if (!a->damage.losing)
        st = find_second(a, err);
    if (st == T2T_END)
        return tt_salvage_accept(a, s->offset, err);
    return st ? st : deny_end(a, s, err);
}

/* Goes on over what may stand behind the array. */
enum t2t_status tt_salvage_go_on(struct tt_assembly *a, struct tt_span *s,
                                 struct t2t_error *err)
{
    struct tt_repair *r = &a->scan;
    enum tt_scan_mark mark;
    size_t used;

    do {
        mark = tt_repair_feed(r, (const unsigned char *)s->text, s->len,
                              s->offset, &used);
        tt_buffer_add(&a->raw, s->text, used);
        tt_span_step(s, used);
        tt_repair_take(r, tt_repair_settled(r));
    } while (mark != TT_SCAN_MORE && mark != TT_SCAN_BAD);
    r->notes = 0; /* the envelope will note them again */
    if (a->raw.failed || r->scan.status == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    if (mark == TT_SCAN_BAD)
        return judge_end(a, s, err);
    return a->raw.len < MOST_BEHIND ? T2T_OK
                                    : tt_salvage_accept(a, s->offset, err);
}
