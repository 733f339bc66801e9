/*
 * pipeline/salvage.h - what is given up of a damaged array, and where whole
 * text begins again.
 *
 * Where the structure is damaged, the element under way is given up and places
 * are looked for where one may begin (pipeline/seek.h): an element is tried
 * from each, and the first that is whole and can be one ends the loss.  What
 * was tried in vain is read once more from behind its first byte, so an element
 * is found whatever the damage made of the text before it.  The end of the
 * array is found in the same way: if what follows is whole to the end of the
 * text. How much is read once more is limited, in proportion to the document,
 * so that no text takes long: past the limit looking goes on from the bad byte.
 *
 * The parts of pipeline/assemble.h that only salvage needs; the builder's
 * thread.
 */
#ifndef TT_PIPELINE_SALVAGE_H
#define TT_PIPELINE_SALVAGE_H

#include "pipeline/assemble.h"

/*
 * The next byte of `s` is bad: gives up the element under way and begins to
 * look.
 *
 * @return T2T_END; an error when nothing is to be salvaged, too.
 */
enum t2t_status tt_salvage_give_up(struct tt_assembly *a, struct tt_span *s,
                                   struct t2t_error *err);

/*
 * Whether an element that is whole, behind damage, is one of the array: what
 * begins and stands like the events before, or stands as no value in an object
 * does.
 *
 * @param next  the byte that follows it, commas and white space aside; 0 where
 *              the text ends.
 */
bool tt_salvage_believes(const struct tt_assembly *a,
                         const struct tt_element *e, char next);

/*
 * The element that was tried is whole but none of the array: looks on behind
 * its first byte, `s` being behind it.
 *
 * @return T2T_END, or an error.
 */
enum t2t_status tt_salvage_deny(struct tt_assembly *a, struct tt_span *s,
                                struct t2t_error *err);

/* Looks on for a place where an element may begin or the array may have ended,
 * to try it. */
enum t2t_status tt_salvage_seek(struct tt_assembly *a, struct tt_span *s,
                                struct t2t_error *err);

/* The loss ends at `offset`: an element is put in the place of each that was
 * lost, so that those behind it keep theirs. */
enum t2t_status tt_salvage_end(struct tt_assembly *a, uint64_t offset,
                               struct t2t_error *err);

/* A "]" was taken that may be the end of the array: what is behind it is tried
 * from here on. */
void tt_salvage_try(struct tt_assembly *a);

/* Tries more of what may stand behind the array. */
enum t2t_status tt_salvage_go_on(struct tt_assembly *a, struct tt_span *s,
                                 struct t2t_error *err);

/* The array did end there; what was tried goes up to `offset`. */
enum t2t_status tt_salvage_accept(struct tt_assembly *a, uint64_t offset,
                                  struct t2t_error *err);

#endif
