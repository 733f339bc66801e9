/* text.c - escapes, UTF-8, spaces. */
#include "json/text.h"

#include <stdint.h>
#include <string.h>

#define ONES 0x0101010101010101u
#define HIGH 0x8080808080808080u

/* Whether eight bytes hold one that is a control, a backslash or not ASCII. */
static bool is_special(uint64_t eight)
{
    uint64_t backslash = eight ^ (ONES * '\\');

    return ((eight - ONES * 0x20) | (backslash - ONES) | eight) & HIGH;
}

/* Bytes of the UTF-8 sequence at `p`, 0 if there is none that is valid. */
static size_t sequence(const unsigned char *p, size_t len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0xc2   ? 0
               : p[0] < 0xe0 ? 2
               : p[0] < 0xf0 ? 3
               : p[0] < 0xf5 ? 4
                             : 0;
    uint32_t code;

    if (!n || n > len)
        return 0;
    code = p[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return n;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four hex digits at `ptr`, or -1. */
static long unit_at(const char *ptr, size_t len)
{
    long unit = 0;

    if (len < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(ptr[i]);

        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Bytes of the escape at `ptr`, which holds a backslash; 0 if it is bad. */
static size_t escape(const char *ptr, size_t len)
{
    if (len < 2)
        return 0;
    if (ptr[1] == 'u')
        return unit_at(ptr + 2, len - 2) < 0 ? 0 : 6;
    return ptr[1] && strchr("\"\\/bfnrt", ptr[1]) ? 2 : 0;
}

enum tt_text_kind tt_text_look(const char *ptr, size_t len)
{
    enum tt_text_kind kind = TT_TEXT_PLAIN;
    size_t i = 0;

    while (i < len) {
        unsigned char c;
        size_t step = 1;
        uint64_t eight;

        if (len - i >= sizeof(eight)) {
            memcpy(&eight, ptr + i, sizeof(eight));
            if (!is_special(eight)) {
                i += sizeof(eight);
                continue;
            }
        } else if (len >= sizeof(eight)) {
            memcpy(&eight, ptr + len - sizeof(eight), sizeof(eight));
            if (!is_special(eight))
                break;
        }
        c = (unsigned char)ptr[i];
        if (c == '\\') {
            step = escape(ptr + i, len - i);
            kind = TT_TEXT_ESCAPED;
        } else if (c >= 0x80) {
            step = sequence((const unsigned char *)ptr + i, len - i);
        } else if (c < 0x20) {
            step = 0;
        }
        if (!step)
            return TT_TEXT_BAD;
        i += step;
    }
    return kind;
}

static void add_code(uint32_t code, struct tt_buffer *to)
{
    if (code < 0x80) {
        tt_buffer_add_byte(to, (char)code);
    } else if (code < 0x800) {
        tt_buffer_add_byte(to, (char)(0xc0 | code >> 6));
        tt_buffer_add_byte(to, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        tt_buffer_add_byte(to, (char)(0xe0 | code >> 12));
        tt_buffer_add_byte(to, (char)(0x80 | (code >> 6 & 0x3f)));
        tt_buffer_add_byte(to, (char)(0x80 | (code & 0x3f)));
    } else {
        tt_buffer_add_byte(to, (char)(0xf0 | code >> 18));
        tt_buffer_add_byte(to, (char)(0x80 | (code >> 12 & 0x3f)));
        tt_buffer_add_byte(to, (char)(0x80 | (code >> 6 & 0x3f)));
        tt_buffer_add_byte(to, (char)(0x80 | (code & 0x3f)));
    }
}

/* Decodes the \u escape at `ptr`, with its other half; bytes consumed. */
static size_t decode_unit(const char *ptr, size_t len, struct tt_buffer *to)
{
    uint32_t code = (uint32_t)unit_at(ptr + 2, len - 2);
    size_t used = 6;

    if (code >= 0xd800 && code < 0xdc00 && len >= 12 && ptr[6] == '\\' &&
        ptr[7] == 'u') {
        long low = unit_at(ptr + 8, len - 8);

        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
            used = 12;
        }
    }
    add_code(code, to);
    return used;
}

void tt_text_decode(const char *ptr, size_t len, struct tt_buffer *to)
{
    static const char from[] = "bfnrt";
    static const char what[] = "\b\f\n\r\t";

    while (len) {
        const char *slash = memchr(ptr, '\\', len);
        size_t plain = slash ? (size_t)(slash - ptr) : len;
        const char *letter;
        size_t used = 2;

        tt_buffer_add(to, ptr, plain);
        ptr += plain;
        len -= plain;
        if (!len)
            break;
        letter = strchr(from, ptr[1]);
        if (ptr[1] == 'u')
            used = decode_unit(ptr, len, to);
        else
            tt_buffer_add_byte(to, letter ? what[letter - from] : ptr[1]);
        ptr += used;
        len -= used;
    }
}

static void encode_control(unsigned char c, struct tt_buffer *to)
{
    static const char hex[] = "0123456789abcdef";
    static const char letters[] = "btn\0fr"; /* \b is 8, \r is 13 */
    char letter = c >= 8 && c <= 13 ? letters[c - 8] : 0;

    tt_buffer_add_byte(to, '\\');
    if (letter) {
        tt_buffer_add_byte(to, letter);
    } else {
        tt_buffer_add(to, "u00", 3);
        tt_buffer_add_byte(to, hex[c >> 4]);
        tt_buffer_add_byte(to, hex[c & 15]);
    }
}

static void encode_half(const unsigned char *p, struct tt_buffer *to)
{
    static const char hex[] = "0123456789abcdef";
    unsigned code = 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);

    tt_buffer_add(to, "\\u", 2);
    for (int shift = 12; shift >= 0; shift -= 4)
        tt_buffer_add_byte(to, hex[code >> shift & 15]);
}

/* Escapes halves of surrogate pairs or leaves them as they are. */
static void encode(const char *ptr, size_t len, bool halves,
                   struct tt_buffer *to)
{
    const unsigned char *p = (const unsigned char *)ptr;

    for (size_t i = 0; i < len; i++) {
        if (p[i] < 0x20) {
            encode_control(p[i], to);
        } else if (p[i] == '"' || p[i] == '\\') {
            tt_buffer_add_byte(to, '\\');
            tt_buffer_add_byte(to, ptr[i]);
        } else if (halves && p[i] == 0xed && len - i > 2 && p[i + 1] >= 0xa0) {
            encode_half(p + i, to);
            i += 2;
        } else {
            tt_buffer_add_byte(to, ptr[i]);
        }
    }
}

void tt_text_encode(const char *ptr, size_t len, struct tt_buffer *to)
{
    encode(ptr, len, true, to);
}

/* Appends the string whose inside is at `ptr`, as compact JSON. */
static void compact_string(const char *ptr, size_t len, bool halves,
                           struct tt_buffer *to)
{
    struct tt_buffer decoded = {0};

    tt_buffer_add_byte(to, '"');
    if (!memchr(ptr, '\\', len)) {
        tt_buffer_add(to, ptr, len);
    } else {
        tt_text_decode(ptr, len, &decoded);
        encode(decoded.ptr, decoded.len, halves, to);
        to->failed |= decoded.failed;
        tt_buffer_release(&decoded);
    }
    tt_buffer_add_byte(to, '"');
}

/* The offset of the quote that ends the string whose inside begins at `at`. */
static size_t string_end(const char *ptr, size_t len, size_t at)
{
    while (at < len && ptr[at] != '"')
        at += ptr[at] == '\\' ? 2 : 1;
    return at < len ? at : len;
}

static void compact(const char *ptr, size_t len, bool halves,
                    struct tt_buffer *to)
{
    for (size_t i = 0; i < len; i++) {
        if (ptr[i] == '"') {
            size_t end = string_end(ptr, len, i + 1);

            compact_string(ptr + i + 1, end - i - 1, halves, to);
            i = end;
        } else if (ptr[i] != ' ' && ptr[i] != '\n' && ptr[i] != '\r' &&
                   ptr[i] != '\t') {
            tt_buffer_add_byte(to, ptr[i]);
        }
    }
}

void tt_text_compact(const char *ptr, size_t len, struct tt_buffer *to)
{
    compact(ptr, len, true, to);
}

void tt_text_compact_id(const char *ptr, size_t len, struct tt_buffer *to)
{
    compact(ptr, len, false, to);
}
