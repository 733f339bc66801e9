/* status.c - texts of statuses, and filling a struct t2t_error. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

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

enum t2t_status tt_error(struct t2t_error *err, enum t2t_status code,
                         uint64_t offset, const char *fmt, ...)
{
    va_list ap;

    if (!err)
        return code;
    err->code = code;
    err->offset = offset;
    va_start(ap, fmt);
    (void)vsnprintf(err->text, sizeof(err->text), fmt, ap);
    va_end(ap);
    return code;
}
