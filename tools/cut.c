/* cut.c - measures text and cuts it in the middle. */
#include "cut.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "print.h"

#define PART_MAX CUT_MAX /* bytes of text that an end is made of */

/* What stands for what is cut out: an ellipsis, or dots. */
struct mark {
    const char *ptr;
    size_t bytes;
    size_t columns;
};

static bool goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Bytes of the character at `ptr`, of `len` bytes, 1 at least. */
static size_t character_bytes(const char *ptr, size_t len)
{
    size_t bytes = 1;

    while (bytes < len && bytes < 4 && goes_on(ptr[bytes]))
        bytes++;
    return bytes;
}

static bool is_hex(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') ||
           (byte >= 'A' && byte <= 'F');
}

/* Whether \uXXXX is at `ptr`. */
static bool is_unit(const char *ptr, size_t len)
{
    return len >= 6 && ptr[0] == '\\' && ptr[1] == 'u' && is_hex(ptr[2]) &&
           is_hex(ptr[3]) && is_hex(ptr[4]) && is_hex(ptr[5]);
}

/* Whether the unit at `ptr` is a half of a pair, the first or the second. */
static bool is_half(const char *ptr, bool second)
{
    return (ptr[2] | 0x20) == 'd' &&
           strchr(second ? "cdefCDEF" : "89abAB", ptr[3]);
}

/*
 * Bytes of what is not cut in two at `ptr`, of `len` bytes, 1 at least: a
 * character, or an escape as t2t_text_escape() and JSON have them.  A name may
 * have something of itself that looks like one: that is not cut either.
 */
static size_t atom_bytes(const char *ptr, size_t len)
{
    if (*ptr != '\\')
        return character_bytes(ptr, len);
    if (is_unit(ptr, len))
        return is_half(ptr, false) && is_unit(ptr + 6, len - 6) &&
                       is_half(ptr + 6, true)
                   ? 12
                   : 6;
    return len > 1 && ptr[1] && strchr("\"\\/bfnrt", ptr[1]) ? 2 : 1;
}

/* Columns of a character of so many bytes. */
static size_t character_columns(const char *ptr, size_t bytes)
{
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)*ptr & lead[bytes];
    int columns;

    if (bytes == 1)
        return 1;
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | ((unsigned char)ptr[i] & 0x3fu);
    columns = wcwidth((wchar_t)code);
    return columns < 0 ? 1 : (size_t)columns;
}

/* Columns of an atom of so many bytes: an escape is of ASCII. */
static size_t atom_columns(const char *ptr, size_t bytes)
{
    return *ptr == '\\' ? bytes : character_columns(ptr, bytes);
}

size_t text_columns(const char *ptr, size_t len)
{
    size_t columns = 0;
    size_t bytes;

    for (size_t i = 0; i < len; i += bytes) {
        bytes = character_bytes(ptr + i, len - i);
        columns += character_columns(ptr + i, bytes);
    }
    return columns;
}

/* Bytes of what fits into `width` columns and `most` bytes from the start on,
 * with what combines with the last character; `*used` is its columns. */
static size_t head_of(const char *ptr, size_t len, size_t width, size_t most,
                      size_t *used)
{
    size_t i = 0;

    *used = 0;
    while (i < len) {
        size_t bytes = atom_bytes(ptr + i, len - i);
        size_t columns = atom_columns(ptr + i, bytes);

        if (*used + columns > width || i + bytes > most)
            break;
        *used += columns;
        i += bytes;
    }
    return i;
}

/* Where what fits into `width` columns and `most` bytes at the end begins, not
 * with a character that combines with one before. */
static size_t tail_of(const char *ptr, size_t len, size_t width, size_t most,
                      size_t *used)
{
    size_t left = text_columns(ptr, len);
    size_t i = 0;

    while (i < len) {
        size_t bytes = atom_bytes(ptr + i, len - i);
        size_t columns = atom_columns(ptr + i, bytes);

        if (left <= width && len - i <= most && columns)
            break;
        left -= columns;
        i += bytes;
    }
    *used = left;
    return i;
}

static size_t escape(struct t2t_text text, char *to, size_t cap)
{
    size_t len = 0;

    while (text.len && cap - len >= T2T_ESCAPE_MAX)
        len += t2t_text_escape(&text, T2T_ESCAPE_TERMINAL, to + len, cap - len);
    return len;
}

/* The first PART_MAX bytes, or fewer so that they end with a character. */
static struct t2t_text first_part(struct t2t_text text)
{
    size_t len = PART_MAX;

    if (text.len <= len)
        return text;
    while (len > PART_MAX - 4 && goes_on(text.ptr[len]))
        len--;
    return (struct t2t_text){text.ptr, len};
}

/* The last ones. */
static struct t2t_text last_part(struct t2t_text text)
{
    size_t skip;

    if (text.len <= PART_MAX)
        return text;
    skip = text.len - PART_MAX;
    while (skip < text.len && goes_on(text.ptr[skip]))
        skip++;
    return (struct t2t_text){text.ptr + skip, text.len - skip};
}

static struct mark mark_within(size_t width)
{
    static const char dots[] = "...";
    size_t columns = width < 3 ? width : 3;

    if (output_ascii())
        return (struct mark){dots, columns, columns};
    return (struct mark){"\xe2\x80\xa6", 3, 1};
}

size_t text_cut(char out[CUT_MAX], struct t2t_text text, size_t width,
                size_t *used)
{
    char part[T2T_ESCAPE_MAX * (PART_MAX + 1)];
    size_t most = (CUT_MAX - 3) / 2;
    struct mark mark;
    size_t columns;
    size_t head;
    size_t skip;
    size_t len;

    part[0] = '\0';
    len = escape(first_part(text), part, sizeof(part));
    columns = text_columns(part, len);
    if (width > CUT_COLUMNS)
        width = CUT_COLUMNS;
    if (!width)
        width = 1;
    if (text.len <= PART_MAX && columns <= width && len <= CUT_MAX) {
        memcpy(out, part, len);
        *used = columns;
        return len;
    }
    mark = mark_within(width);
    head = head_of(part, len, (width - mark.columns + 1) / 2, most, used);
    memcpy(out, part, head);
    memcpy(out + head, mark.ptr, mark.bytes);
    head += mark.bytes;
    *used += mark.columns;
    if (text.len > PART_MAX)
        len = escape(last_part(text), part, sizeof(part));
    skip = tail_of(part, len, width - *used, most, &columns);
    memcpy(out + head, part + skip, len - skip);
    *used += columns;
    return head + len - skip;
}
