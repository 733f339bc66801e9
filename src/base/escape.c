/* escape.c - escapes text on its way out. */
#include <trace2tree/text.h>

#include <stdbool.h>
#include <string.h>

/* What a byte may begin. */
enum { PLAIN, CONTROL, MARK, DELETE, LEAD_C2, LEAD_ED };

static int class_of(unsigned char byte)
{
    if (byte < 0x20)
        return CONTROL;
    if (byte == '"' || byte == '\\')
        return MARK;
    if (byte < 0x7f)
        return PLAIN;
    if (byte == 0x7f)
        return DELETE;
    if (byte == 0xc2)
        return LEAD_C2;
    return byte == 0xed ? LEAD_ED : PLAIN;
}

/* Whether the bytes that begin with one of class `c` change. */
static bool changes(int c, const unsigned char *p, size_t len,
                    enum t2t_escape how)
{
    switch (c) {
    case CONTROL:
        return true;
    case MARK:
        return how == T2T_ESCAPE_JSON || how == T2T_ESCAPE_QUOTED;
    case DELETE:
        return how == T2T_ESCAPE_TERMINAL;
    case LEAD_C2:
        return how == T2T_ESCAPE_TERMINAL && len >= 2 && p[1] < 0xa0;
    case LEAD_ED:
        return len >= 3 && p[1] >= 0xa0;
    default:
        return false;
    }
}

/* Writes \uXXXX. */
static size_t put_unit(char *to, unsigned unit)
{
    static const char digits[] = "0123456789abcdef";

    to[0] = '\\';
    to[1] = 'u';
    to[2] = digits[unit >> 12 & 15];
    to[3] = digits[unit >> 8 & 15];
    to[4] = digits[unit >> 4 & 15];
    to[5] = digits[unit & 15];
    return 6;
}

static size_t put_control(char *to, unsigned char byte)
{
    static const char letters[] = "btn\0fr"; /* of 8 to 13 */

    if (byte < 8 || byte > 13 || byte == 11)
        return put_unit(to, byte);
    to[0] = '\\';
    to[1] = letters[byte - 8];
    return 2;
}

/*
 * Writes what stands for the character at `p`, which changes.
 *
 * @param used  set to its bytes.
 */
static size_t put_changed(char *to, const unsigned char *p, int c,
                          enum t2t_escape how, size_t *used)
{
    *used = 1;
    switch (c) {
    case CONTROL:
        return put_control(to, *p);
    case DELETE:
        return put_unit(to, *p);
    case LEAD_C2:
        *used = 2;
        return put_unit(to, p[1]);
    case LEAD_ED:
        *used = 3;
        if (how == T2T_ESCAPE_JSON)
            return put_unit(to, 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
        memcpy(to, "\xef\xbf\xbd", 3);
        return 3;
    default:
        to[0] = '\\';
        to[1] = (char)*p;
        return 2;
    }
}

size_t t2t_text_escape(struct t2t_text *text, enum t2t_escape how, char *to,
                       size_t cap)
{
    const unsigned char *p = (const unsigned char *)text->ptr;
    const unsigned char *end = text->len ? p + text->len : p;
    size_t len = 0;

    while (p < end && cap - len >= T2T_ESCAPE_MAX) {
        int c = class_of(*p);
        size_t used;

        if (!changes(c, p, (size_t)(end - p), how)) {
            to[len++] = (char)*p++;
            continue;
        }
        len += put_changed(to + len, p, c, how, &used);
        p += used;
    }
    text->ptr = (const char *)p;
    text->len = (size_t)(end - p);
    return len;
}

void t2t_text_print(FILE *to, struct t2t_text text, enum t2t_escape how)
{
    char piece[512];

    while (text.len) {
        size_t len = t2t_text_escape(&text, how, piece, sizeof(piece));

        if (fwrite(piece, 1, len, to) != len)
            return; /* ferror() tells */
    }
}
