/*
 * base/vector_neon.h - base/vector_plain.h for aarch64, 16 bytes at a time.
 * The last bytes before `end` are left to plain C, and so are brackets.
 */
#ifndef TT_BASE_VECTOR_NEON_H
#define TT_BASE_VECTOR_NEON_H

#include <arm_neon.h>

#include "base/vector_plain.h"

static inline uint8x16_t tt_load_neon(const char *ptr)
{
    return vld1q_u8((const uint8_t *)ptr);
}

/* Four bits for each byte that is all ones. */
static inline uint64_t tt_bits_neon(uint8x16_t bytes)
{
    uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4);

    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
}

static inline bool tt_same_neon(const char *ptr, const char *end,
                                const char *text, size_t len)
{
    if ((size_t)(end - ptr) < len)
        return false;
    for (;;) {
        uint64_t same;

        if (end - ptr < 16)
            return tt_same_plain(ptr, end, text, len);
        same = tt_bits_neon(vceqq_u8(tt_load_neon(ptr), tt_load_neon(text)));
        if (len <= 16)
            return !len || !(~same << (64 - 4 * len));
        if (~same)
            return false;
        ptr += 16;
        text += 16;
        len -= 16;
    }
}

static inline const char *tt_plain_end_neon(const char *ptr, const char *end)
{
    for (; end - ptr >= 16; ptr += 16) {
        uint8x16_t v = tt_load_neon(ptr);
        /* signed: what is not ASCII is below a space, too */
        uint8x16_t found = vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(' '));
        uint64_t bits;

        found = vorrq_u8(found, vceqq_u8(v, vdupq_n_u8('"')));
        found = vorrq_u8(found, vceqq_u8(v, vdupq_n_u8('\\')));
        bits = tt_bits_neon(found);
        if (bits)
            return ptr + (unsigned)__builtin_ctzll(bits) / 4;
    }
    return tt_plain_end_plain(ptr, end);
}

static inline const char *tt_bracket_end_neon(const char *ptr, const char *end)
{
    return tt_bracket_end_plain(ptr, end);
}

#endif
