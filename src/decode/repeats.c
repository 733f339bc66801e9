/* repeats.c - the keys of a template, sorted. */
#include "decode/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { UNKNOWN, NO, YES };

/* A key with its quotes, and the object it is of: a template has objects in
 * objects only behind "args", so their order tells them apart. */
struct key {
    const char *ptr;
    size_t len;
    size_t object;
};

struct keys {
    struct key *key; /* owned */
    size_t count;
    size_t cap;
};

void tt_repeats_release(struct tt_repeats *r)
{
    free(r->known);
    *r = (struct tt_repeats){0};
}

/* The offset behind the string that begins at `at`. */
static size_t behind_string(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at + 1;
}

/* Collects the keys: the strings in front of a colon. */
static bool collect(const char *text, size_t len, struct keys *keys)
{
    size_t inner = 0; /* the object of arguments, 0 outside them */
    size_t objects = 0;
    size_t at = 0;

    while (at < len) {
        size_t end = at + 1;

        if (text[at] == '{' && at)
            inner = ++objects;
        else if (text[at] == '}')
            inner = 0;
        else if (text[at] == '"')
            end = behind_string(text, len, at);
        if (text[at] == '"' && end < len && text[end] == ':') {
            if (!tt_vec_room(&keys->key, &keys->cap, keys->count,
                             sizeof(*keys->key)))
                return false;
            keys->key[keys->count++] = (struct key){text + at, end - at, inner};
        }
        at = end;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct key *x = a;
    const struct key *y = b;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->len != y->len)
        return x->len < y->len ? -1 : 1;
    return memcmp(x->ptr, y->ptr, x->len);
}

static uint8_t find(struct tt_repeats *r, const char *text, size_t len)
{
    struct keys keys = {0};
    uint8_t found = NO;

    if (!collect(text, len, &keys))
        r->no_memory = true;
    if (keys.count)
        qsort(keys.key, keys.count, sizeof(*keys.key), compare);
    for (size_t i = 1; i < keys.count; i++)
        if (!compare(&keys.key[i - 1], &keys.key[i]))
            found = YES;
    free(keys.key);
    return found;
}

bool tt_repeats_ask(struct tt_repeats *r, uint32_t string, const char *text,
                    size_t len)
{
    while (r->cap <= string) {
        size_t before = r->cap;

        if (!tt_vec_grow(&r->known, &r->cap, string, sizeof(*r->known))) {
            r->no_memory = true;
            return false;
        }
        memset(r->known + before, UNKNOWN, r->cap - before);
    }
    if (r->known[string] == UNKNOWN)
        r->known[string] = find(r, text, len);
    return r->known[string] == YES;
}
