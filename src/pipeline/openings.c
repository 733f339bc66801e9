/* openings.c - a few short texts. */
#include "pipeline/openings.h"

#include <string.h>

static bool begins(const struct tt_openings *o, unsigned i, const char *ptr,
                   size_t len)
{
    size_t known = o->opening[i].len;

    return len >= known && !memcmp(ptr, o->opening[i].text, known);
}

/* The bytes up to and with the second quote; 0 when they are too many. */
static size_t measure(const char *ptr, size_t len)
{
    size_t most = len < TT_OPENING_BYTES ? len : TT_OPENING_BYTES;
    const char *quote = memchr(ptr, '"', most);
    size_t key = quote ? (size_t)(quote - ptr) + 1 : most;
    const char *end = memchr(ptr + key, '"', most - key);

    return end ? (size_t)(end - ptr) + 1 : 0;
}

void tt_openings_learn(struct tt_openings *o, const char *event, size_t len)
{
    size_t bytes;

    if (!len)
        return;
    if (o->count && begins(o, o->last, event, len))
        return;
    for (unsigned i = 0; i < o->count; i++)
        if (begins(o, i, event, len)) {
            o->last = i;
            return;
        }
    bytes = measure(event, len);
    if (!bytes || o->count == TT_OPENINGS)
        return;
    o->last = o->count++;
    o->opening[o->last].len = (unsigned char)bytes;
    memcpy(o->opening[o->last].text, event, bytes);
}

bool tt_openings_have(const struct tt_openings *o, const char *object,
                      size_t len)
{
    for (unsigned i = 0; i < o->count; i++)
        if (begins(o, i, object, len))
            return true;
    return false;
}
