/* out.c - a FILE written in blocks. */
#include "table/out.h"

#include <errno.h>
#include <unistd.h>

void tt_out_init(struct tt_out *out, FILE *to)
{
    out->to = to;
    out->reason = 0;
    out->failed = false;
    out->shown = isatty(fileno(to));
    out->len = 0;
}

static void write_bytes(struct tt_out *out, const char *ptr, size_t len)
{
    if (out->failed)
        return;
    errno = 0;
    if (fwrite(ptr, 1, len, out->to) == len)
        return;
    out->failed = true;
    out->reason = errno;
}

void tt_out_flush(struct tt_out *out)
{
    write_bytes(out, out->block, out->len);
    out->len = 0;
}

enum t2t_status tt_out_end(struct tt_out *out, struct t2t_error *err)
{
    tt_out_flush(out);
    if (out->failed)
        return tt_put_failed(out->reason, err);
    return tt_put_end(out->to, err);
}

void tt_out_bytes(struct tt_out *out, const char *ptr, size_t len)
{
    if (TT_OUT_BLOCK - out->len < len)
        tt_out_flush(out);
    if (len > TT_OUT_BLOCK) {
        write_bytes(out, ptr, len);
    } else if (len) {
        memcpy(out->block + out->len, ptr, len);
        out->len += len;
    }
}

void tt_out_spaces(struct tt_out *out, size_t count)
{
    while (count--)
        tt_out_byte(out, ' ');
}

static void put_escaped(struct tt_out *out, struct t2t_text text,
                        enum t2t_escape how)
{
    while (text.len) {
        if (TT_OUT_BLOCK - out->len < T2T_ESCAPE_MAX)
            tt_out_flush(out);
        out->len += t2t_text_escape(&text, how, out->block + out->len,
                                    TT_OUT_BLOCK - out->len);
    }
}

void tt_out_text(struct tt_out *out, struct t2t_text text, enum t2t_escape how)
{
    if (out->shown)
        how = how == T2T_ESCAPE_QUOTED ? T2T_ESCAPE_QUOTED_TERMINAL
                                       : T2T_ESCAPE_TERMINAL;
    put_escaped(out, text, how);
}

void tt_out_json(struct tt_out *out, struct t2t_text json)
{
    if (out->shown)
        put_escaped(out, json, T2T_ESCAPE_TERMINAL);
    else
        tt_out_bytes(out, json.ptr, json.len);
}
