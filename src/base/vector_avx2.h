/*
 * base/vector_avx2.h - base/vector_plain.h for x86-64 with AVX2, 32 bytes at a
 * time.  The last bytes before `end` are left to plain C.
 */
#ifndef TT_BASE_VECTOR_AVX2_H
#define TT_BASE_VECTOR_AVX2_H

#include <immintrin.h>

#include "base/vector_plain.h"

#define TT_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

TT_TARGET_AVX2 static inline __m256i tt_load_avx2(const char *ptr)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)ptr);
}

/* The bytes of `v` that are `byte`, as bits. */
TT_TARGET_AVX2 static inline uint32_t tt_equal_avx2(__m256i v, char byte)
{
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(v, _mm256_set1_epi8(byte)));
}

TT_TARGET_AVX2 static inline bool tt_same_avx2(const char *ptr, const char *end,
                                               const char *text, size_t len)
{
    if ((size_t)(end - ptr) < len)
        return false;
    for (;;) {
        uint32_t others;

        if (end - ptr < 32)
            return tt_same_plain(ptr, end, text, len);
        others = ~(uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(tt_load_avx2(ptr), tt_load_avx2(text)));
        if (len <= 32)
            return !_bzhi_u32(others, (unsigned)len);
        if (others)
            return false;
        ptr += 32;
        text += 32;
        len -= 32;
    }
}

TT_TARGET_AVX2 static inline const char *tt_plain_end_avx2(const char *ptr,
                                                           const char *end)
{
    for (; end - ptr >= 32; ptr += 32) {
        __m256i v = tt_load_avx2(ptr);
        /* signed: what is not ASCII is below a space, too */
        uint32_t found = (uint32_t)_mm256_movemask_epi8(
                             _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v)) |
                         tt_equal_avx2(v, '"') | tt_equal_avx2(v, '\\');

        if (found)
            return ptr + _tzcnt_u32(found);
    }
    return tt_plain_end_plain(ptr, end);
}

TT_TARGET_AVX2 static inline const char *tt_bracket_end_avx2(const char *ptr,
                                                             const char *end)
{
    unsigned depth = 0;
    const char *at;

    for (at = ptr; end - at >= 32; at += 32) {
        /* of square ones the bit that curly ones have */
        __m256i v = _mm256_or_si256(tt_load_avx2(at), _mm256_set1_epi8(0x20));
        unsigned place = tt_bracket_place(tt_equal_avx2(v, '{'),
                                          tt_equal_avx2(v, '}'), &depth);

        if (place < 64)
            return at + place + 1;
    }
    return tt_bracket_end_plain(ptr, end);
}

#endif
