/*
 * base/vector_avx512.h - base/vector_plain.h for x86-64 with AVX-512, 64 bytes
 * at a time.  Bytes that are not to be read are masked.
 */
#ifndef TT_BASE_VECTOR_AVX512_H
#define TT_BASE_VECTOR_AVX512_H

#include <immintrin.h>

#include "base/vector_plain.h"

#define TT_TARGET_AVX512                                                       \
    __attribute__((target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt")))

/* The first bytes of 64, as a mask. */
TT_TARGET_AVX512 static inline __mmask64 tt_first_avx512(size_t count)
{
    return count < 64 ? _bzhi_u64(~UINT64_C(0), (unsigned)count) : ~UINT64_C(0);
}

TT_TARGET_AVX512 static inline bool
tt_same_avx512(const char *ptr, const char *end, const char *text, size_t len)
{
    if ((size_t)(end - ptr) < len)
        return false;
    for (;;) {
        __mmask64 wanted = tt_first_avx512(len);
        __m512i a = _mm512_maskz_loadu_epi8(wanted, ptr);
        __m512i b = _mm512_loadu_si512(text);

        if (_mm512_mask_cmpneq_epi8_mask(wanted, a, b))
            return false;
        if (len <= 64)
            return true;
        ptr += 64;
        text += 64;
        len -= 64;
    }
}

TT_TARGET_AVX512 static inline const char *tt_plain_end_avx512(const char *ptr,
                                                               const char *end)
{
    const __m512i quote = _mm512_set1_epi8('"');
    const __m512i backslash = _mm512_set1_epi8('\\');
    const __m512i space = _mm512_set1_epi8(' ');

    for (; ptr < end; ptr += 64) {
        __mmask64 there = tt_first_avx512((size_t)(end - ptr));
        __m512i v = _mm512_maskz_loadu_epi8(there, ptr);
        /* signed: what is not ASCII is below a space, too */
        __mmask64 found = _mm512_cmpeq_epi8_mask(v, quote) |
                          _mm512_cmpeq_epi8_mask(v, backslash) |
                          _mm512_cmplt_epi8_mask(v, space);

        found &= there;
        if (found)
            return ptr + _tzcnt_u64(found);
    }
    return end;
}

TT_TARGET_AVX512 static inline const char *
tt_bracket_end_avx512(const char *ptr, const char *end)
{
    unsigned depth = 0;

    for (; ptr < end; ptr += 64) {
        __mmask64 there = tt_first_avx512((size_t)(end - ptr));
        /* of square ones the bit that curly ones have */
        __m512i v = _mm512_or_si512(_mm512_maskz_loadu_epi8(there, ptr),
                                    _mm512_set1_epi8(0x20));
        uint64_t opening = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('{'));
        uint64_t closing = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('}'));
        unsigned place = tt_bracket_place(opening, closing, &depth);

        if (place < 64)
            return ptr + place + 1;
    }
    return NULL;
}

#endif
