/*
 * format/varint.h - numbers of seven bits a byte.  doc/format.md, Conventions.
 *
 * Putting needs room for TT_VARINT_MAX bytes; getting never reads past `end`.
 */
#ifndef TT_FORMAT_VARINT_H
#define TT_FORMAT_VARINT_H

#include <stdbool.h>
#include <stdint.h>

#define TT_VARINT_MAX 10u /* bytes of the longest */

/* Maps small signed numbers to small unsigned ones: 0 -1 1 -2 to 0 1 2 3. */
static inline uint64_t tt_zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t tt_unzigzag(uint64_t v)
{
    return (int64_t)((v >> 1) ^ (v & 1 ? UINT64_MAX : 0));
}

/* Writes `v` at `to` and returns where the next byte goes. */
static inline unsigned char *tt_varint_put(unsigned char *to, uint64_t v)
{
    while (v >= 0x80) {
        *to++ = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    *to++ = (unsigned char)v;
    return to;
}

/*
 * Reads a number at `*at` and moves `*at` behind it.  False when it runs into
 * `end` or past 64 bits; `*at` and `*v` then stay.
 */
static inline bool tt_varint_get(const unsigned char **at,
                                 const unsigned char *end, uint64_t *v)
{
    const unsigned char *p = *at;
    uint64_t sum = 0;

    for (unsigned shift = 0; shift < 64 && p < end; shift += 7) {
        unsigned char byte = *p++;

        if (shift == 63 && byte > 1)
            return false;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *at = p;
            *v = sum;
            return true;
        }
    }
    return false;
}

#endif
