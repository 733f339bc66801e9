/* split.c - looks around each brace. */
#include "json/split.h"

#include <stdbool.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Whether the brace at `at` begins an event, as far as its neighbours tell. */
static bool begins(const char *ptr, size_t len, size_t at)
{
    size_t i = at;

    while (i && is_space(ptr[i - 1]))
        i--;
    if (!i || ptr[--i] != ',')
        return false;
    while (i && is_space(ptr[i - 1]))
        i--;
    if (!i || ptr[i - 1] != '}')
        return false;

    for (i = at + 1; i < len && is_space(ptr[i]); i++)
        continue;
    if (len - i < 2 || i == len || ptr[i] != '"')
        return false;
    return !is_space(ptr[i + 1]) && !strchr(",:]}", ptr[i + 1]);
}

size_t tt_split_next(const char *ptr, size_t len, size_t from)
{
    while (from < len) {
        const char *brace = memchr(ptr + from, '{', len - from);

        if (!brace)
            break;
        from = (size_t)(brace - ptr);
        if (begins(ptr, len, from))
            return from;
        from++;
    }
    return len;
}

size_t tt_split_last(const char *ptr, size_t len, size_t from)
{
    size_t end = len;

    while (end > from) {
        const char *brace = memrchr(ptr + from, '{', end - from);

        if (!brace)
            break;
        end = (size_t)(brace - ptr);
        if (end > from && begins(ptr, len, end))
            return end;
    }
    return len;
}
