/*
 * table/out.h - a FILE written in blocks, for what is printed in small pieces.
 * On a terminal what that would obey or hide is escaped, T2T_ESCAPE_TERMINAL.
 *
 * tt_out_init() first; once a write has failed nothing more is written, and
 * tt_out_end() says why.
 */
#ifndef TT_TABLE_OUT_H
#define TT_TABLE_OUT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <trace2tree/text.h>

#include "base/put.h"

#define TT_OUT_BLOCK 16384u

struct tt_out {
    FILE *to;
    int reason; /* why a write failed, an errno */
    bool failed;
    bool shown; /* it is a terminal */
    size_t len;
    char block[TT_OUT_BLOCK];
};

void tt_out_init(struct tt_out *out, FILE *to);

/* Writes and flushes all; as tt_put_end(). */
enum t2t_status tt_out_end(struct tt_out *out, struct t2t_error *err);

/* Makes the block empty. */
void tt_out_flush(struct tt_out *out);

/* Bytes, any number of them. */
void tt_out_bytes(struct tt_out *out, const char *ptr, size_t len);
void tt_out_spaces(struct tt_out *out, size_t count);

/* Text, escaped. */
void tt_out_text(struct tt_out *out, struct t2t_text text, enum t2t_escape how);

/* Compact JSON. */
void tt_out_json(struct tt_out *out, struct t2t_text json);

static inline void tt_out_byte(struct tt_out *out, char byte)
{
    if (out->len == TT_OUT_BLOCK)
        tt_out_flush(out);
    out->block[out->len++] = byte;
}

static inline void tt_out_string(struct tt_out *out, const char *string)
{
    tt_out_bytes(out, string, strlen(string));
}

#endif
