/*
 * decode/decoder.h - a chunk of the array's text to a batch of elements.
 *
 * A decoder belongs to one worker and lives as long as the build: its strings
 * and lanes have numbers that stay, and a batch lists those that are new.  The
 * text of a chunk should begin with an element; the decoder takes whole
 * elements as long as it understands the text and says how far it came.  It is
 * safe on any bytes: a chunk that begins at a wrong guess is nonsense to it.
 *
 * This is the general way, by tokens.  A faster way for layouts seen before
 * has its place in front of tt_draft_element() in decoder.c.
 */
#ifndef TT_DECODE_DECODER_H
#define TT_DECODE_DECODER_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/batch.h"

struct tt_decoder;

/* NULL when memory is short. */
struct tt_decoder *tt_decoder_create(void);

/* Frees the decoder and the strings its batches point to.  NULL is allowed. */
void tt_decoder_free(struct tt_decoder *d);

/*
 * Decodes `len` bytes at `text`, which stand at `offset` of the document, into
 * the empty batch `b`.
 *
 * @return T2T_OK or T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_decoder_run(struct tt_decoder *d, const char *text,
                               size_t len, uint64_t offset, struct tt_batch *b);

#endif
