/* seek.c - guesses where whole text may begin again. */
#include "pipeline/seek.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

void tt_seek_begin(struct tt_seek *s)
{
    s->open = false;
    memset(s->last, 0, sizeof(s->last));
    tt_buffer_clear(&s->text);
}

void tt_seek_release(struct tt_seek *s)
{
    tt_buffer_release(&s->text);
}

/* Takes a byte that is no white space; whether the array may end with it. */
static bool take(struct tt_seek *s, char c)
{
    s->open = c == '{';
    tt_buffer_clear(&s->text);
    if (s->open) {
        memcpy(s->before, s->last, sizeof(s->before));
        tt_buffer_add_byte(&s->text, c);
    }
    memmove(s->last, s->last + 1, sizeof(s->last) - 1);
    s->last[sizeof(s->last) - 1] = c;
    return c == ']';
}

enum tt_seek_place tt_seek_place(const struct tt_seek *s)
{
    const char *b = s->before;

    if (b[1] == '"' && b[2] == ':')
        return TT_SEEK_IN_OBJECT;
    if (b[0] == '"' && b[1] == ':' && b[2] == '[')
        return TT_SEEK_IN_LIST;
    return TT_SEEK_ANYWHERE;
}

enum tt_seek_found tt_seek_feed(struct tt_seek *s, const char *ptr, size_t len,
                                size_t *used)
{
    for (size_t i = 0; i < len; i++) {
        char c = ptr[i];

        *used = i + 1;
        if (is_space(c)) {
            if (s->open)
                tt_buffer_add_byte(&s->text, c);
        } else if (s->open && c == '"') {
            tt_buffer_add_byte(&s->text, c);
            return TT_SEEK_ELEMENT;
        } else if (take(s, c)) {
            return TT_SEEK_END;
        }
    }
    *used = len;
    return TT_SEEK_NOTHING;
}
