/*
 * json/text.h - JSON strings and compact JSON.
 *
 * Compact JSON (doc/format.md, Elements) has no spaces outside strings and
 * escapes nothing but quotes, backslashes, control characters and halves of
 * surrogate pairs.  Most text of a trace is compact already, but for spaces.
 */
#ifndef TT_JSON_TEXT_H
#define TT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"

enum tt_text_kind {
    TT_TEXT_BAD,     /* a control character, a bad escape, not UTF-8 */
    TT_TEXT_PLAIN,   /* no escapes: the text is what it says */
    TT_TEXT_ESCAPED, /* has escapes */
};

/* Looks at the inside of a string, without its quotes. */
enum tt_text_kind tt_text_look(const char *ptr, size_t len);

/*
 * Whether the inside of a string is plain, told at a glance; false says
 * nothing. `room` bytes can be read at `ptr`, which is at least `len`.
 */
static inline bool tt_text_is_plain(const char *ptr, size_t len, size_t room)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t eight;
    uint64_t bad = 0;

    if (room < 8)
        return false;
    for (; len >= 8; len -= 8, ptr += 8) {
        memcpy(&eight, ptr, 8);
        bad |= (eight - ones * 0x20) | ((eight ^ ones * '\\') - ones) | eight;
        room -= 8;
    }
    if (len && room >= 8) {
        /* the bytes that belong to it, and spaces in place of the others */
        memcpy(&eight, ptr, 8);
        eight = eight << (64 - 8 * len) | ones * 0x20 >> 8 * len;
        bad |= (eight - ones * 0x20) | ((eight ^ ones * '\\') - ones) | eight;
    } else if (len) {
        return false;
    }
    return !(bad & ones << 7);
}

/*
 * Appends what a valid inside of a string says: UTF-8, halves of surrogate
 * pairs as their three bytes.
 */
void tt_text_decode(const char *ptr, size_t len, struct tt_buffer *to);

/* Appends decoded text as the inside of a compact JSON string. */
void tt_text_encode(const char *ptr, size_t len, struct tt_buffer *to);

/* Appends valid JSON text as compact JSON. */
void tt_text_compact(const char *ptr, size_t len, struct tt_buffer *to);

/* The same with halves of surrogate pairs not escaped: the text by which a pid
 * or tid that is an array or object is known. */
void tt_text_compact_id(const char *ptr, size_t len, struct tt_buffer *to);

#endif
