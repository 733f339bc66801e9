/* textfile.c - a stream with a write function that grows a buffer. */
#include "textfile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 64

static ssize_t append(void *cookie, const char *bytes, size_t len)
{
    struct textfile *text = cookie;

    if (text->cap - text->len < len) {
        size_t cap = text->len + len;
        char *ptr;

        if (cap < len || cap > SIZE_MAX / 2)
            return 0;
        cap *= 2;
        ptr = realloc(text->ptr, cap);
        if (!ptr)
            return 0;
        text->ptr = ptr;
        text->cap = cap;
    }
    memcpy(text->ptr + text->len, bytes, len);
    text->len += len;
    return (ssize_t)len;
}

FILE *textfile_open(struct textfile *text)
{
    FILE *to = NULL;

    *text = (struct textfile){.ptr = malloc(FIRST_BYTES), .cap = FIRST_BYTES};
    if (text->ptr)
        to = fopencookie(text, "w", (cookie_io_functions_t){.write = append});
    if (!to) {
        free(text->ptr);
        text->ptr = NULL;
    }
    return to;
}

bool textfile_close(FILE *to)
{
    bool good = !ferror(to);

    return !fclose(to) && good;
}
