/* match_avx2.c - a match with AVX2. */
#include "decode/match.h"

#if defined(__x86_64__)

#include "base/vector_avx2.h"

#define VECTOR(name) name##_avx2
#define TARGET TT_TARGET_AVX2

#include "decode/match_body.h"

TT_TARGET_AVX2 bool tt_match_avx2(struct tt_decoder *d, struct tt_batch *b,
                                  uint64_t chunk_offset)
{
    return match(d, b, chunk_offset);
}

#endif
