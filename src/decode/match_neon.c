/* match_neon.c - a match with NEON. */
#include "decode/match.h"

#if defined(__aarch64__)

#include "base/vector_neon.h"

#define VECTOR(name) name##_neon
#define TARGET

#include "decode/match_body.h"

bool tt_match_neon(struct tt_decoder *d, struct tt_batch *b,
                   uint64_t chunk_offset)
{
    return match(d, b, chunk_offset);
}

#endif
