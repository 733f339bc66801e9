/*
 * decode/match.h - elements of layouts that were seen; inside of decode/ only.
 *
 * A match reads an element by comparing it with the layouts, values straight
 * from the text.  It takes an element only where the tokens would say the
 * same, to the byte: values that are not of the everyday form, and arrays and
 * objects that never went through the tokens, are left to them.
 */
#ifndef TT_DECODE_MATCH_H
#define TT_DECODE_MATCH_H

#include "decode/draft.h"

/*
 * The element at the current place of the walk, into the batch.  False, with
 * nothing changed: it is for the tokens.
 */
typedef bool tt_match(struct tt_decoder *d, struct tt_batch *b,
                      uint64_t chunk_offset);

tt_match tt_match_plain;

#endif
