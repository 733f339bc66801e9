/*
 * index/spot.h - where the templates of elements have their arguments.
 *
 * A template is the JSON of all its elements but for the values in its holes
 * (format/shape.h), so where an argument is, is found once for all of them.  A
 * cursor remembers some of these places, the latest that fall on a slot.
 */
#ifndef TT_INDEX_SPOT_H
#define TT_INDEX_SPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/text.h>

#define TT_SPOTS 256u
#define TT_SPOT_KEY 31u /* longest key that is remembered */

enum tt_spot_answer {
    TT_SPOT_UNUSED,
    TT_SPOT_UNTOLD, /* an element has to be looked at */
    TT_SPOT_ABSENT, /* no element has it */
    TT_SPOT_FOUND,
};

struct tt_spot {
    uint32_t number; /* record of SHAPES, which names the template */
    uint8_t answer;  /* enum tt_spot_answer */
    bool columns;    /* columns fill holes of it */
    char key[TT_SPOT_KEY + 1];
    uint32_t begin; /* of the value in the template, ... */
    uint32_t len;
    uint32_t values; /* ... and of the slots before it */
    uint32_t holes;  /* in it */
};

/* The slot of `spots` for an argument of a template; NULL when the key is too
 * long. */
struct tt_spot *tt_spot_slot(struct tt_spot *spots, uint32_t number,
                             const char *key);

/* Whether that is what the slot holds. */
bool tt_spot_is(const struct tt_spot *spot, uint32_t number, const char *key);

/* Says that the value is `len` bytes of the template from `begin` on. */
void tt_spot_set(struct tt_spot *spot, struct t2t_text shape, size_t begin,
                 size_t len);

#endif
