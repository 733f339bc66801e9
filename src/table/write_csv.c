/* write_csv.c - a table as RFC 4180 CSV. */
#include <string.h>

#include <trace2tree/table.h>

#include "table/cell.h"

/* Writes a string; it is quoted when it holds a comma or a quote.  Line breaks
 * are escaped, so there is none. */
static void put_string(struct tt_out *out, struct t2t_text text)
{
    if (!text.len || (!memchr(text.ptr, ',', text.len) &&
                      !memchr(text.ptr, '"', text.len))) {
        tt_out_text(out, text, T2T_ESCAPE_CELL);
        return;
    }
    tt_out_byte(out, '"');
    while (text.len) {
        const char *quote = memchr(text.ptr, '"', text.len);
        size_t len = quote ? (size_t)(quote - text.ptr) + 1 : text.len;

        tt_out_text(out, (struct t2t_text){text.ptr, len}, T2T_ESCAPE_CELL);
        if (quote)
            tt_out_byte(out, '"');
        text.ptr += len;
        text.len -= len;
    }
    tt_out_byte(out, '"');
}

static void put_cell(struct tt_out *out, const t2t_table *table, size_t row,
                     size_t column)
{
    char real[TT_REAL_MAX];

    if (t2t_table_is_null(table, row, column))
        return;
    switch (t2t_table_column(table, column)->type) {
    case T2T_INTEGER:
        tt_put_integer(out, table, row, column);
        break;
    case T2T_REAL:
        tt_out_bytes(out, real,
                     tt_real_text(real, t2t_table_real(table, row, column)));
        break;
    case T2T_STRING:
        put_string(out, t2t_table_string(table, row, column));
        break;
    }
}

/* Whether the first cell of a row prints as nothing. */
static bool is_empty(const t2t_table *table, size_t row)
{
    return t2t_table_is_null(table, row, 0) ||
           (t2t_table_column(table, 0)->type == T2T_STRING &&
            !t2t_table_string(table, row, 0).len);
}

enum t2t_status t2t_table_write_csv(const t2t_table *table, FILE *to,
                                    struct t2t_error *err)
{
    size_t columns = t2t_table_column_count(table);
    size_t rows = t2t_table_row_count(table);
    struct tt_out out;

    tt_out_init(&out, to);
    for (size_t c = 0; c < columns; c++) {
        if (c)
            tt_out_byte(&out, ',');
        put_string(&out, t2t_text_of(t2t_table_column(table, c)->name));
    }
    tt_out_byte(&out, '\n');
    for (size_t r = 0; r < rows && !out.failed; r++) {
        for (size_t c = 0; c < columns; c++) {
            if (c)
                tt_out_byte(&out, ',');
            put_cell(&out, table, r, c);
        }
        if (columns == 1 && is_empty(table, r)) /* no line is empty */
            tt_out_string(&out, "\"\"");
        tt_out_byte(&out, '\n');
    }
    return tt_out_end(&out, err);
}
