/*
 * decode/learn.h - takes the layout from an element; inside of decode/ only.
 */
#ifndef TT_DECODE_LEARN_H
#define TT_DECODE_LEARN_H

#include "decode/draft.h"

/*
 * Learns the layout of the last element of a batch, which was just read by its
 * tokens: token `token` is its first one and stands at `start`.  Does nothing
 * when a layout cannot say all that the element says, or there is no more
 * room.
 */
void tt_learn(struct tt_decoder *d, const struct tt_batch *b, size_t start,
              unsigned token);

#endif
