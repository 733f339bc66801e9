/*
 * pipeline/seek.h - looks for places where whole text may begin again.
 *
 * Behind damage nothing is sure, not even whether a byte stands in a string, so
 * these are guesses: an element is tried from each until one is whole.  The
 * text comes in any pieces.
 */
#ifndef TT_PIPELINE_SEEK_H
#define TT_PIPELINE_SEEK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* An element may begin with "{" and a quote, white space between them aside.
 * The array may end with any "]". */
enum tt_seek_found {
    TT_SEEK_NOTHING, /* all text is taken */
    TT_SEEK_ELEMENT, /* what was taken of it, up to and with the quote, is in
                        `text` */
    TT_SEEK_END,     /* the bracket is the last byte taken */
};

struct tt_seek {
    bool open;             /* the "{" was seen */
    struct tt_buffer text; /* from it on, owned */
    char before[3];        /* the last bytes before it that are no white space,
                              or 0 */
    char last[3];          /* the same with the byte that was taken last */
};

/* Begins to look. */
void tt_seek_begin(struct tt_seek *s);

void tt_seek_release(struct tt_seek *s);

/* Whether the element is the value of a key, or the first of such an array, as
 * far as what stands before it tells. */
enum tt_seek_place {
    TT_SEEK_ANYWHERE,
    TT_SEEK_IN_OBJECT,
    TT_SEEK_IN_LIST,
};

enum tt_seek_place tt_seek_place(const struct tt_seek *s);

/* Takes text up to and with such a place. */
enum tt_seek_found tt_seek_feed(struct tt_seek *s, const char *ptr, size_t len,
                                size_t *used);

#endif
