/* match_plain.c - a match in plain C. */
#include "base/vector_plain.h"

#define VECTOR(name) name##_plain
#define TARGET

#include "decode/match_body.h"

bool tt_match_plain(struct tt_decoder *d, struct tt_batch *b,
                    uint64_t chunk_offset)
{
    return match(d, b, chunk_offset);
}
