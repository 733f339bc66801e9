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

/* The fastest one that this machine has. */
tt_match *tt_match_best(void);

/*
 * Remembers what came behind the last value, and that `string` is the last one
 * now.  A trace repeats itself, so the next value is mostly what it was the
 * time before: comparing it is quicker than looking it up.
 *
 * @param number  of the value, by its kind; the text of a name or text, and a
 *                container, are such as a match takes.
 */
void tt_match_remember(struct tt_decoder *d, enum tt_guessed kind,
                       uint32_t number, uint32_t string);

/* All of them do the same. */
tt_match tt_match_plain;
#if defined(__x86_64__)
tt_match tt_match_avx2;   /* with AVX2 and BMI2 */
tt_match tt_match_avx512; /* with AVX-512 BW, VL and BMI2 */
#elif defined(__aarch64__)
tt_match tt_match_neon;
#endif

#endif
