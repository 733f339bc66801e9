/*
 * pipeline/unclosed.h - brackets that are known never to be closed.
 *
 * An element that lacks a bracket takes in what follows it, up to a bad byte
 * that may be far away.  Whatever was open there fails at that byte from
 * wherever it is read: so an object that is on the list need not be read again
 * to know that it is not whole, and text in which many brackets are missing is
 * not read once for each of them.  One thread.
 */
#ifndef TT_PIPELINE_UNCLOSED_H
#define TT_PIPELINE_UNCLOSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tt_unclosed {
    uint64_t *offset; /* of the brackets in the document, ascending; owned */
    size_t count;
    size_t cap;
    uint64_t bad;           /* the bad byte */
    enum t2t_status status; /* its class */
    const char *reason;     /* static storage */
};

/* All-zero is allowed. */
void tt_unclosed_release(struct tt_unclosed *u);

/*
 * Lists the brackets that are open at the end of `text`, which stands at
 * `offset` of the document, begins outside strings and was read up to the bad
 * byte behind it; false when memory is short.
 */
bool tt_unclosed_find(struct tt_unclosed *u, const char *text, size_t len,
                      uint64_t offset);

/* Leaves those on the list that are in the outer half of the levels, or in the
 * first half of the text. */
void tt_unclosed_halve(struct tt_unclosed *u);

/* Whether the bracket at `offset` is on the list. */
bool tt_unclosed_has(const struct tt_unclosed *u, uint64_t offset);

#endif
