/*
 * input/ahead.h - zstd frames of a file that are decompressed ahead, by
 * whoever has time; inside of input/ only.
 *
 * A file made by a program with many threads is many small frames, none of
 * them long.  The reader plans the next few, any thread decompresses one, and
 * the reader takes them in order.  A frame that cannot be planned, or is
 * damaged, is none: the reader goes through it as through any other, so that
 * nothing that can be seen depends on this.
 */
#ifndef TT_INPUT_AHEAD_H
#define TT_INPUT_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/source.h"

struct tt_ahead;

/* A frame that was decompressed. */
struct tt_ahead_text {
    const unsigned char *ptr;
    size_t len;
    uint64_t end; /* where the frame ends in the file */
};

/*
 * NULL when memory is short.
 *
 * @param fd  a regular file; it is read by position.  Not owned.
 */
struct tt_ahead *tt_ahead_create(int fd, const struct tt_helpers *helpers);

/* NULL is allowed.  Nobody helps any more. */
void tt_ahead_free(struct tt_ahead *f);

/*
 * The text of the frame at byte `at`, where the reader is, and plans for those
 * behind it; waits for whoever is at it.  It is good until the next call.
 * False: go through it.
 */
bool tt_ahead_take(struct tt_ahead *f, uint64_t at, struct tt_ahead_text *out);

/* Decompresses a frame that was planned; any thread.  False: there is none. */
bool tt_ahead_help(struct tt_ahead *f);

#endif
