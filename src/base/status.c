/* status.c - texts of statuses, and filling a struct t2t_error. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *t2t_status_text(enum t2t_status status)
{
    switch (status) {
#define X(name, value, text)                                                   \
    case T2T_##name:                                                           \
        return text;
        T2T_STATUS_MAP(X)
#undef X
    }
    return "unknown";
}

/* Whatever a path or a trace brought in, the text stays one line. */
static void replace_control_chars(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

/* Ends a text that was cut with "...", between two characters of UTF-8. */
static void mark_cut(char *text, size_t cap)
{
    size_t len = cap - sizeof("...");

    while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--;
    memcpy(text + len, "...", sizeof("..."));
}

enum t2t_status tt_error(struct t2t_error *err, enum t2t_status code,
                         uint64_t offset, const char *fmt, ...)
{
    char text[sizeof(err->text)]; /* `fmt` may be given err->text itself */
    va_list ap;
    int len;

    if (!err)
        return code;
    va_start(ap, fmt);
    len = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    if (len < 0)
        text[0] = '\0';
    else if ((size_t)len >= sizeof(text))
        mark_cut(text, sizeof(text));
    replace_control_chars(text);

    err->code = code;
    err->offset = offset;
    memcpy(err->text, text, sizeof(text));
    return code;
}

enum t2t_status tt_no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}
