/* repair.c - puts the scan right again at a bad byte. */
#include "json/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "json/grammar.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

void tt_repair_init(struct tt_repair *r, bool strict, uint32_t watch)
{
    *r = (struct tt_repair){.strict = strict};
    tt_scan_init(&r->scan, watch);
}

void tt_repair_init_array(struct tt_repair *r, bool strict, bool element)
{
    *r = (struct tt_repair){.strict = strict, .events = true};
    tt_scan_init_array(&r->scan, element);
}

void tt_repair_release(struct tt_repair *r)
{
    tt_scan_release(&r->scan);
    tt_buffer_release(&r->text);
    free(r->note);
}

static bool no_memory(struct tt_repair *r)
{
    r->scan.state = S_BAD;
    r->scan.status = T2T_ERR_NO_MEMORY;
    r->scan.reason = "out of memory";
    return false;
}

bool tt_repair_add(struct tt_repair *r, enum tt_repair_kind kind,
                   uint64_t offset)
{
    if (!tt_vec_room(&r->note, &r->note_cap, r->notes, sizeof(*r->note)))
        return no_memory(r);
    r->note[r->notes++] = (struct tt_repair_note){kind, offset};
    return true;
}

/* Whether the string of the last repair is still open at byte `end`: no quote
 * came since that was not escaped. */
static bool same_string(const struct tt_repair *r, size_t end)
{
    const char *p = r->text.ptr;

    for (size_t i = r->mended; i < end; i++) {
        if (p[i] == '\\')
            i++;
        else if (p[i] == '"')
            return false;
    }
    return true;
}

/* Notes a repair in a string, once of each kind. */
static bool note_string(struct tt_repair *r, enum tt_repair_kind kind,
                        uint64_t offset)
{
    if (r->seen && !same_string(r, r->text.len))
        r->seen = 0;
    if (r->seen & 1u << kind)
        return true;
    r->seen |= 1u << kind;
    return tt_repair_add(r, kind, offset);
}

/* Inserts a backslash before the last `back` bytes, of which the first is one
 * that began no escape. */
static void double_backslash(struct tt_buffer *text, size_t back)
{
    tt_buffer_add_byte(text, '\\');
    if (!text->failed)
        memmove(text->ptr + text->len - back, text->ptr + text->len - back - 1,
                back);
}

static bool mend_escape(struct tt_repair *r, unsigned before, uint64_t offset)
{
    size_t back = before == S_ESCAPE ? 1 : 2 + (before - S_HEX_4);

    double_backslash(&r->text, back);
    return note_string(r, TT_REPAIR_ESCAPE, offset);
}

/* The sequence at the end is cut short: each byte of it is bad. */
static void replace_sequence(struct tt_buffer *text)
{
    size_t bytes = 1;

    while (((unsigned char)text->ptr[text->len - bytes] & 0xc0) == 0x80)
        bytes++;
    text->len -= bytes;
    while (bytes--)
        tt_buffer_add(text, REPLACEMENT, 3);
}

static bool mend_utf8(struct tt_repair *r, unsigned before, uint64_t offset,
                      size_t *used)
{
    if (before == S_STRING) {
        tt_buffer_add(&r->text, REPLACEMENT, 3);
        *used = 1;
    } else {
        replace_sequence(&r->text);
    }
    return note_string(r, TT_REPAIR_UTF8, offset);
}

static bool mend_control(struct tt_repair *r, unsigned char byte,
                         uint64_t offset, size_t *used)
{
    static const char digits[] = "0123456789abcdef";
    const char escape[] = {
        '\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};

    tt_buffer_add(&r->text, escape, sizeof(escape));
    *used = 1;
    return note_string(r, TT_REPAIR_CONTROL_CHAR, offset);
}

/* What a word or a number may be made of, well or badly. */
static bool is_word(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || byte == '+' || byte == '-' ||
           byte == '.' || byte == '_';
}

/* Takes back what was read of the number; the rest is skipped and a null put
 * in its place. */
static bool mend_number(struct tt_repair *r, unsigned before, uint64_t offset)
{
    struct tt_buffer *text = &r->text;
    bool begun = before > S_DONE;

    while (begun && text->len &&
           is_word((unsigned char)text->ptr[text->len - 1]))
        text->len--;
    r->looked = r->word = 0;
    r->skipping = true;
    r->inject_offset = offset;
    r->scan.state = begun ? S_VALUE : before;
    return tt_repair_add(r, TT_REPAIR_NUMBER, offset);
}

/*
 * Puts the scan right at the bad byte; `*used` is 1 when the byte is taken, 0
 * when it comes again.  False: it cannot be.
 */
static bool mend(struct tt_repair *r, unsigned char byte, uint64_t offset,
                 size_t *used)
{
    unsigned before = r->scan.before;
    bool string = before >= S_STRING && before <= S_UTF8_F4;

    *used = 0;
    if (before == S_VALUE_MARK && byte == ']' && r->events) {
        r->scan.state = S_FIRST_VALUE_MARK;
        return tt_repair_add(r, TT_REPAIR_COMMA, offset);
    }
    if (r->scan.status == T2T_ERR_JSON_NUMBER)
        return mend_number(r, before, offset);
    if (!string)
        return false;
    r->scan.state = S_STRING;
    if (before >= S_ESCAPE && before <= S_HEX_1)
        string = mend_escape(r, before, offset);
    else if (r->scan.status == T2T_ERR_JSON_CONTROL_CHAR)
        string = mend_control(r, byte, offset, used);
    else
        string = mend_utf8(r, before, offset, used);
    r->mended = r->text.len;
    return string;
}

/* Where the word begins that the text ends with.  A long one comes in many
 * pieces: what was known to be of it is not looked at again. */
static size_t word_begin(struct tt_repair *r)
{
    const char *p = r->text.ptr;
    size_t len = r->text.len;

    while (len > r->looked && is_word((unsigned char)p[len - 1]))
        len--;
    r->word = len > r->looked ? len : r->word;
    r->looked = r->text.len;
    return r->word;
}

size_t tt_repair_settled(struct tt_repair *r)
{
    unsigned state = r->scan.state;
    const char *p = r->text.ptr;
    size_t len = r->text.len;

    if (state < S_ESCAPE)
        return len;
    if (state <= S_UTF8_F4) {
        /* an escape is open, or a sequence: from its first byte on */
        bool escape = state <= S_HEX_1;

        while (len && (escape ? p[len - 1] != '\\'
                              : ((unsigned char)p[len - 1] & 0xc0) == 0x80))
            len--;
        return len ? len - 1 : 0;
    }
    return word_begin(r);
}

void tt_repair_take(struct tt_repair *r, size_t len)
{
    size_t left = r->text.len - len;

    if (r->seen && !same_string(r, len))
        r->seen = 0;
    r->mended = r->mended > len ? r->mended - len : 0;
    r->looked = r->looked > len ? r->looked - len : 0;
    r->word = r->word > len ? r->word - len : 0;
    if (left)
        memmove(r->text.ptr, r->text.ptr + len, left);
    r->text.len = left;
}

/* Feeds what is to be injected. */
static enum tt_scan_mark feed_inject(struct tt_repair *r)
{
    size_t used;
    enum tt_scan_mark mark =
        tt_scan_feed(&r->scan, (const unsigned char *)r->inject,
                     strlen(r->inject), &used);

    tt_buffer_add(&r->text, r->inject, used);
    r->inject += used;
    if (!*r->inject)
        r->inject = NULL;
    return mark;
}

/* Skips the rest of what was no number; the bytes of it. */
static size_t skip(struct tt_repair *r, const unsigned char *ptr, size_t len)
{
    size_t at = 0;

    while (at < len && is_word(ptr[at]))
        at++;
    if (at < len) {
        r->skipping = false;
        r->inject = "null";
    }
    return at;
}

enum tt_scan_mark tt_repair_feed(struct tt_repair *r, const unsigned char *ptr,
                                 size_t len, uint64_t offset, size_t *used)
{
    enum tt_scan_mark mark = TT_SCAN_MORE;
    size_t at = 0;
    size_t step;

    while (!mark && (at < len || r->inject)) {
        if (r->skipping) {
            at += skip(r, ptr + at, len - at);
            continue;
        }
        if (r->inject) {
            mark = feed_inject(r);
            continue;
        }
        mark = tt_scan_feed(&r->scan, ptr + at, len - at, &step);
        tt_buffer_add(&r->text, (const char *)ptr + at, step);
        at += step;
        if (mark == TT_SCAN_BAD && !r->strict &&
            r->scan.status != T2T_ERR_NO_MEMORY &&
            mend(r, ptr[at], offset + at, &step)) {
            at += step;
            mark = TT_SCAN_MORE;
        }
    }
    *used = at;
    if (r->text.failed) {
        (void)no_memory(r);
        mark = TT_SCAN_BAD;
    }
    return mark;
}
