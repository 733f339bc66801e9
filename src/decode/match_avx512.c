/* match_avx512.c - a match with AVX-512. */
#include "decode/match.h"

#if defined(__x86_64__)

#include "base/vector_avx512.h"

#define VECTOR(name) name##_avx512
#define TARGET TT_TARGET_AVX512

#include "decode/match_body.h"

TT_TARGET_AVX512 bool tt_match_avx512(struct tt_decoder *d, struct tt_batch *b,
                                      uint64_t chunk_offset)
{
    return match(d, b, chunk_offset);
}

#endif
