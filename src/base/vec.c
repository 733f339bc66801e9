/* vec.c - growth by half as much again. */
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

bool tt_vec_grow(void *items, size_t *cap, size_t count, size_t record_bytes)
{
    void *old, *new;
    size_t bytes;
    size_t want;

    if (!tt_add_ok(count, count / 2 + 16, &want) ||
        !tt_mul_ok(want, record_bytes, &bytes))
        return false;
    memcpy(&old, items, sizeof(old));
    new = realloc(old, bytes);
    if (!new)
        return false;
    memcpy(items, &new, sizeof(new));
    *cap = want;
    return true;
}
