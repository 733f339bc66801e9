/*
 * pipeline/openings.h - how the events of a document begin.
 *
 * A writer begins them all alike: the bytes from the "{" to the end of the
 * first key, white space and all.  So behind damage an object that begins
 * otherwise is one inside an event.  One thread.
 */
#ifndef TT_PIPELINE_OPENINGS_H
#define TT_PIPELINE_OPENINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { TT_OPENINGS = 16, TT_OPENING_BYTES = 64 };

/* All-zero is empty. */
struct tt_openings {
    struct {
        unsigned char len;
        char text[TT_OPENING_BYTES];
    } opening[TT_OPENINGS];
    unsigned count;
    unsigned last; /* that was learned again last */
};

/* Learns how an event begins; nothing when it is too long or there are too many
 * already. */
void tt_openings_learn(struct tt_openings *o, const char *event, size_t len);

/* Whether the object begins as one of them does. */
bool tt_openings_have(const struct tt_openings *o, const char *object,
                      size_t len);

#endif
