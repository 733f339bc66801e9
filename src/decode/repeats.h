/*
 * decode/repeats.h - whether a key stands twice in an event or its arguments.
 *
 * All events of a template have the same keys, so it is found out once for
 * each template.
 */
#ifndef TT_DECODE_REPEATS_H
#define TT_DECODE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known, by the template's string. */
struct tt_repeats {
    uint8_t *known; /* 0: not asked yet; owned */
    size_t cap;
    bool no_memory; /* ran out: answers are worthless */
};

/* An all-zero table is ready. */
void tt_repeats_release(struct tt_repeats *r);

/* Whether template `text`, string `string`, repeats a key of one object. */
bool tt_repeats_ask(struct tt_repeats *r, uint32_t string, const char *text,
                    size_t len);

#endif
