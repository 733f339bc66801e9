/*
 * query/closest.h - of the names that there are, those that are most like one
 * that is not there.
 */
#ifndef TT_QUERY_CLOSEST_H
#define TT_QUERY_CLOSEST_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/text.h>

#include "base/buffer.h"

enum { TT_CLOSEST = 4 };

struct tt_closest {
    struct t2t_text to;                /* what is not there */
    struct tt_buffer name[TT_CLOSEST]; /* the closest first */
    uint32_t distance[TT_CLOSEST];
    unsigned count;
    bool more;   /* others were offered too */
    bool failed; /* memory ran out */
};

/* Offers a name; one that was offered before changes nothing.  A name that has
 * `to` in it is closer than any other; of equally close ones the first is. */
void tt_closest_offer(struct tt_closest *c, struct t2t_text name);

/* Appends "there is none", "there is only A", "there are A, B" or, when that
 * are not all, "the closest are A, B, C, D". */
void tt_closest_say(const struct tt_closest *c, struct tt_buffer *to);

/* Frees what it holds.  All-zero but for `to` is ready. */
void tt_closest_release(struct tt_closest *c);

#endif
