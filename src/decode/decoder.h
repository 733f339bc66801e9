/*
 * decode/decoder.h - a chunk of the array's text to a batch of elements.
 *
 * A decoder belongs to one worker and lives as long as the build: its strings
 * and lanes have numbers that stay until it forgets them, which a batch says,
 * and a batch lists those that are new.  The
 * text of a chunk should begin with an element; the decoder takes whole
 * elements as long as it understands the text and says how far it came.  It is
 * safe on any bytes: a chunk that begins at a wrong guess is nonsense to it.
 *
 * Elements of a layout that was seen before are compared with it
 * (decode/match.h), all others go through jsmn's tokens.
 */
#ifndef TT_DECODE_DECODER_H
#define TT_DECODE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/batch.h"

struct tt_decoder;

/*
 * NULL when memory is short.
 *
 * @param plain  all elements go through the tokens: slower, and the batches
 *               are the same.
 */
struct tt_decoder *tt_decoder_create(bool plain);

/* Frees the decoder and the strings its batches point to.  NULL is allowed. */
void tt_decoder_free(struct tt_decoder *d);

/*
 * Forgets all strings, lanes and layouts if they take more memory than
 * TT_DECODER_BYTES; then the next batch says so.  To be called when no batch
 * of this decoder will be decoded before the ones that are on their way are
 * taken: between batches, that is, which are taken in the order in which they
 * were made.
 */
void tt_decoder_tidy(struct tt_decoder *d);

#ifndef TT_DECODER_BYTES /* tests may have it forget at once */
#define TT_DECODER_BYTES ((size_t)2 << 20)
#endif

/*
 * Decodes `len` bytes at `text`, which stand at `offset` of the document, into
 * the empty batch `b`, or the first of them when it is full.
 *
 * @return T2T_OK or T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_decoder_run(struct tt_decoder *d, const char *text,
                               size_t len, uint64_t offset, struct tt_batch *b);

#endif
