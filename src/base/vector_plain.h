/*
 * base/vector_plain.h - what the matching of layouts does to many bytes at a
 * time, in plain C, eight of them.
 *
 * base/vector_avx2.h and its like have the same functions for other machines;
 * all of them have the same answers.  None reads a byte at or behind `end`.
 */
#ifndef TT_BASE_VECTOR_PLAIN_H
#define TT_BASE_VECTOR_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether `len` bytes at `ptr` are those at `text`, behind which 64 more can be
 * read. */
static inline bool tt_same_plain(const char *ptr, const char *end,
                                 const char *text, size_t len)
{
    uint64_t a, b;

    if ((size_t)(end - ptr) < len)
        return false;
    for (; len > 8; len -= 8, ptr += 8, text += 8) {
        memcpy(&a, ptr, 8);
        memcpy(&b, text, 8);
        if (a != b)
            return false;
    }
    if (end - ptr < 8)
        return !memcmp(ptr, text, len);
    memcpy(&a, ptr, 8);
    memcpy(&b, text, 8);
    return !len || !((a ^ b) << (64 - 8 * len));
}

/* Whether a string may hold the byte, and it is ASCII, and no backslash. */
static inline bool tt_is_plain_byte(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' &&
           c != '\\';
}

/* The first byte that a plain string does not hold: its quote, a control
 * character, a backslash, one that is not ASCII; or `end`. */
static inline const char *tt_plain_end_plain(const char *ptr, const char *end)
{
    const uint64_t ones = 0x0101010101010101u;

    for (; end - ptr >= 8; ptr += 8) {
        uint64_t eight;
        uint64_t found;

        memcpy(&eight, ptr, 8);
        /* the lowest bit that is set is right, those above it may not be */
        found = ((eight - ones * 0x20) | ((eight ^ ones * '"') - ones) |
                 ((eight ^ ones * '\\') - ones) | eight) &
                ones << 7;
        if (found)
            return ptr + (unsigned)__builtin_ctzll(found) / 8;
    }
    while (ptr < end && tt_is_plain_byte(*ptr))
        ptr++;
    return ptr;
}

/*
 * The byte behind the bracket that closes the one at `ptr`, all kinds of
 * brackets being one and those in strings counting; NULL when there is none.
 */
static inline const char *tt_bracket_end_plain(const char *ptr, const char *end)
{
    size_t depth = 0;

    for (; ptr < end; ptr++) {
        char c = *ptr;

        if (c == '[' || c == '{')
            depth++;
        else if ((c == ']' || c == '}') && !--depth)
            return ptr + 1;
    }
    return NULL;
}

/*
 * For those that look at up to 64 bytes at once: where the brackets are of
 * which `*depth` are open before.  The place of the one that closes all, or
 * 64.
 */
static inline unsigned tt_bracket_place(uint64_t opening, uint64_t closing,
                                        unsigned *depth)
{
    for (; closing; closing &= closing - 1) {
        uint64_t before = (closing & -closing) - 1;

        if (*depth + (unsigned)__builtin_popcountll(opening & before) == 1)
            return (unsigned)__builtin_ctzll(closing);
        --*depth;
    }
    *depth += (unsigned)__builtin_popcountll(opening);
    return 64;
}

#endif
