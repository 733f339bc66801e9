/* escape.c - escapes text on its way out. */
#include <trace2tree/text.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What a byte may begin. */
enum { PLAIN, CONTROL, MARK, DELETE, HIGH, LEAD_C2, LEAD_ED };

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

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
    return byte == 0xed ? LEAD_ED : byte < 0x80 ? PLAIN : HIGH;
}

/* Bytes of the character at `p`, halves of surrogate pairs among them; 0 where
 * none is. */
static size_t character_bytes(const unsigned char *p, size_t len)
{
    static const unsigned char least[] = {
        [0] = 0xa0, [0x10] = 0x90}; /* of the second byte, by lead - 0xe0 */
    size_t bytes = p[0] < 0x80   ? 1
                   : p[0] < 0xc2 ? 0
                   : p[0] < 0xe0 ? 2
                   : p[0] < 0xf0 ? 3
                   : p[0] < 0xf5 ? 4
                                 : 0;

    if (bytes > len)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (bytes > 2 && (p[0] & 0x1fu) < sizeof(least) &&
        p[1] < least[p[0] & 0x1fu])
        return 0; /* shorter ones say it */
    return p[0] == 0xf4 && p[1] > 0x8f ? 0 : bytes;
}

/*
 * What a terminal shows as nothing, while others are turned around, end up on
 * another line or are hidden: marks and overrides of direction, separators of
 * lines and paragraphs, annotations, tags, joiners, fillers, selectors of
 * variants, invisible operators and spaces.
 */
static const struct {
    uint32_t first;
    uint32_t last;
} misleading[] = {
    {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
    {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

/* The character at `p`. */
static uint32_t character(const unsigned char *p, size_t bytes)
{
    uint32_t c = bytes < 2 ? *p : p[0] & (0x7fu >> bytes);

    for (size_t i = 1; i < bytes; i++)
        c = c << 6 | (p[i] & 0x3fu);
    return c;
}

static bool misleads(const unsigned char *p, size_t bytes)
{
    uint32_t c = character(p, bytes);

    for (size_t i = 0; i < sizeof(misleading) / sizeof(misleading[0]); i++)
        if (c <= misleading[i].last)
            return c >= misleading[i].first;
    return false;
}

static bool is_quoted(enum t2t_escape how)
{
    return how == T2T_ESCAPE_JSON || how == T2T_ESCAPE_QUOTED ||
           how == T2T_ESCAPE_QUOTED_TERMINAL;
}

static bool is_shown(enum t2t_escape how)
{
    return how == T2T_ESCAPE_TERMINAL || how == T2T_ESCAPE_QUOTED_TERMINAL;
}

/* Whether the character at `p`, of class `c` and `bytes` bytes, changes. */
static bool changes(int c, const unsigned char *p, size_t bytes,
                    enum t2t_escape how)
{
    switch (c) {
    case CONTROL:
        return true;
    case MARK:
        return is_quoted(how);
    case DELETE:
        return is_shown(how);
    case LEAD_C2:
        return is_shown(how) && (p[1] < 0xa0 || misleads(p, bytes));
    case LEAD_ED:
        return p[1] >= 0xa0;
    case HIGH:
        return is_shown(how) && misleads(p, bytes);
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

/* Writes the character at `p`, as two halves where one unit is too small. */
static size_t put_units(char *to, const unsigned char *p, size_t bytes)
{
    uint32_t c = character(p, bytes);

    if (c < 0x10000)
        return put_unit(to, c);
    c -= 0x10000;
    return put_unit(to, 0xd800u | c >> 10) +
           put_unit(to + 6, 0xdc00u | (c & 0x3ffu));
}

/* Writes what stands for the character at `p`, which changes. */
static size_t put_changed(char *to, const unsigned char *p, int c, size_t bytes,
                          enum t2t_escape how)
{
    switch (c) {
    case CONTROL:
        return put_control(to, *p);
    case DELETE:
        return put_unit(to, *p);
    case LEAD_C2:
        return put_unit(to, p[1]);
    case LEAD_ED:
        if (how == T2T_ESCAPE_JSON)
            return put_unit(to, 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
        memcpy(to, REPLACEMENT, 3);
        return 3;
    case HIGH:
        return put_units(to, p, bytes);
    default:
        to[0] = '\\';
        to[1] = (char)*p;
        return 2;
    }
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit of each byte of `word` that is 0; of others, too, behind one. */
static uint64_t zeros(uint64_t word)
{
    return (word - EACH(0x01u)) & ~word & EACH(0x80u);
}

/* Bytes at `p`, eight by eight, none of which may change. */
static size_t plain_bytes(const unsigned char *p, size_t len)
{
    size_t at = 0;

    for (; len - at >= 8; at += 8) {
        uint64_t word;

        memcpy(&word, p + at, 8);
        if (((word | (word - EACH(0x20u))) & EACH(0x80u)) ||
            zeros(word ^ EACH((unsigned)'"')) ||
            zeros(word ^ EACH((unsigned)'\\')) || zeros(word ^ EACH(0x7fu)))
            break;
    }
    return at;
}

/* Writes the character at `*p`, escaped; `*p` moves behind it. */
static size_t put_character(char *to, const unsigned char **p, size_t left,
                            enum t2t_escape how)
{
    const unsigned char *from = *p;
    int c = class_of(*from);
    size_t bytes = c < HIGH ? 1 : character_bytes(from, left);

    *p += bytes ? bytes : 1;
    if (!bytes) {
        memcpy(to, REPLACEMENT, 3);
        return 3;
    }
    if (changes(c, from, bytes, how))
        return put_changed(to, from, c, bytes, how);
    memcpy(to, from, bytes);
    return bytes;
}

size_t t2t_text_escape(struct t2t_text *text, enum t2t_escape how, char *to,
                       size_t cap)
{
    const unsigned char *p = (const unsigned char *)text->ptr;
    const unsigned char *end = text->len ? p + text->len : p;
    size_t len = 0;

    while (p < end && cap - len >= T2T_ESCAPE_MAX) {
        size_t left = (size_t)(end - p);
        size_t plain = plain_bytes(p, left < cap - len ? left : cap - len);

        if (plain) {
            memcpy(to + len, p, plain);
            len += plain;
            p += plain;
        } else {
            len += put_character(to + len, &p, left, how);
        }
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
