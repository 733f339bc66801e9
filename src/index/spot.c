/* spot.c - remembers where templates have their arguments. */
#include "index/spot.h"

#include <string.h>

#include "format/shape.h"

struct tt_spot *tt_spot_slot(struct tt_spot *spots, uint32_t number,
                             const char *key)
{
    uint32_t hash = number * 2654435761u;
    size_t len;

    for (len = 0; key[len]; len++) {
        if (len == TT_SPOT_KEY)
            return NULL;
        hash = hash * 31 + (unsigned char)key[len];
    }
    return &spots[(hash ^ hash >> 16) % TT_SPOTS];
}

bool tt_spot_is(const struct tt_spot *spot, uint32_t number, const char *key)
{
    return spot->answer != TT_SPOT_UNUSED && spot->number == number &&
           !strcmp(spot->key, key);
}

void tt_spot_set(struct tt_spot *spot, struct t2t_text shape, size_t begin,
                 size_t len)
{
    size_t at = 0;
    unsigned hole;

    spot->answer = TT_SPOT_FOUND;
    spot->begin = (uint32_t)begin;
    spot->len = (uint32_t)len;
    while ((hole = tt_shape_hole(shape, &at)) && at < begin + len) {
        if (at < begin) {
            spot->values += tt_hole_values(hole);
        } else {
            spot->holes++;
            spot->columns |= !tt_hole_values(hole);
        }
        at++;
    }
}
