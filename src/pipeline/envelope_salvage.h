/*
 * pipeline/envelope_salvage.h - what is given up of the document around its
 * events.
 *
 * Behind damage before the array the text is held until there is enough of it
 * to say where the array begins (pipeline/search.h).  Without the name behind
 * the damage it may be in what was read before: a brace that is missing shows
 * late.  Behind damage that follows the array all is given up.
 *
 * The parts of pipeline/envelope.h that only salvage needs.
 */
#ifndef TT_PIPELINE_ENVELOPE_SALVAGE_H
#define TT_PIPELINE_ENVELOPE_SALVAGE_H

#include "pipeline/envelope.h"

/* A member that is to be taken back when it is damaged, or any key, is no
 * longer. */
#define TT_ENVELOPE_MOST ((size_t)1 << 30)
#define TT_ENVELOPE_TOO_LONG "a member of more than 1 GiB"

/* Why it is no trace. */
#define TT_ENVELOPE_NO_ARRAY "traceEvents is no array"
#define TT_ENVELOPE_TWICE "traceEvents is there twice"

/* Hands the first `len` bytes of what the scan keeps to the writer. */
enum t2t_status tt_envelope_store(struct tt_envelope *e, size_t len,
                                  struct t2t_error *err);

/* Holds text that was scanned if it may have to be searched: all before the
 * array, or, where that is much, from the last whole member on.  False: memory
 * is short. */
bool tt_envelope_hold(struct tt_envelope *e, const char *text, size_t len,
                      uint64_t offset);

/* Gives up what is behind the last whole member, and perhaps before it, because
 * of the byte at `damage`. */
enum t2t_status tt_envelope_give_up(struct tt_envelope *e, uint64_t damage,
                                    enum t2t_status class,
                                    struct t2t_error *err);

/* Goes through text that is given up; T2T_END when the array begins. */
enum t2t_status tt_envelope_feed_lost(struct tt_envelope *e, const char *text,
                                      size_t len, size_t *used,
                                      struct t2t_error *err);

/* The document ended at `offset` behind its array before it was whole: what is
 * whole of it is closed, the rest lost. */
enum t2t_status tt_envelope_close_early(struct tt_envelope *e, uint64_t offset,
                                        enum t2t_status class,
                                        struct t2t_error *err);

/* The rest of the document was given up, at its end, `offset`. */
enum t2t_status tt_envelope_finish_lost(struct tt_envelope *e, uint64_t offset,
                                        struct t2t_error *err);

#endif
