/* unclosed.c - a stack of brackets, and a search in it. */
#include "pipeline/unclosed.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void tt_unclosed_release(struct tt_unclosed *u)
{
    free(u->offset);
}

/* The place behind the string whose text begins at `at`. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at + 1;
}

bool tt_unclosed_find(struct tt_unclosed *u, const char *text, size_t len,
                      uint64_t offset)
{
    size_t at = 0;

    u->count = 0;
    while (at < len) {
        char c = text[at++];

        if (c == '"') {
            at = skip_string(text, len, at);
        } else if (c == '{' || c == '[') {
            if (!tt_vec_room(&u->offset, &u->cap, u->count, sizeof(*u->offset)))
                return false;
            u->offset[u->count++] = offset + at - 1;
        } else if ((c == '}' || c == ']') && u->count) {
            u->count--;
        }
    }
    return true;
}

void tt_unclosed_halve(struct tt_unclosed *u)
{
    size_t half = u->count / 2;
    uint64_t middle;

    if (!u->count)
        return;
    middle = u->offset[0] + (u->bad - u->offset[0]) / 2;
    while (u->count > half && u->offset[u->count - 1] >= middle)
        u->count--;
}

bool tt_unclosed_has(const struct tt_unclosed *u, uint64_t offset)
{
    size_t low = 0;
    size_t high = u->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (u->offset[middle] == offset)
            return true;
        if (u->offset[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
