/*
 * merge/inbox.h - takes batches in file order into a trace.
 *
 * Workers number strings and lanes as they meet them; the inbox gives them the
 * numbers of the index, in the order in which the file uses them first, so
 * the result does not depend on who decoded what.  It also pairs B with E
 * events and keeps the names of processes and threads, which go by file order
 * too.  One thread.
 */
#ifndef TT_MERGE_INBOX_H
#define TT_MERGE_INBOX_H

#include "merge/trace.h"
#include "model/batch.h"

struct tt_inbox;

/*
 * An inbox that fills `trace`, for batches of `workers` decoders.  NULL when
 * memory is short.
 */
struct tt_inbox *tt_inbox_create(struct tt_trace *trace, size_t workers);

/* Frees it.  NULL is allowed. */
void tt_inbox_free(struct tt_inbox *in);

/* Texts lose the folders of paths from now on, base/anonymous.h. */
void tt_inbox_be_discreet(struct tt_inbox *in);

/*
 * Learns the strings and lanes that `b` of decoder `worker` is the first to
 * use, and forgets the others if the decoder did.  Every batch of a decoder
 * must be told, in its order, also one whose elements are not taken.
 */
enum t2t_status tt_inbox_learn(struct tt_inbox *in, const struct tt_batch *b,
                               size_t worker, struct t2t_error *err);

/*
 * Takes the elements of `b`, the next ones of the file.  Afterwards the shapes
 * and text slots of the batch have the numbers of the index.
 */
enum t2t_status tt_inbox_take(struct tt_inbox *in, struct tt_batch *b,
                              size_t worker, struct t2t_error *err);

/* Ends the B events that are still open, when all batches are taken. */
void tt_inbox_finish(struct tt_inbox *in);

#endif
