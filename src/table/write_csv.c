/* write_csv.c - a table as RFC 4180 CSV. */
#include <string.h>

#include <trace2tree/table.h>

#include "table/cell.h"

/* Writes a string; it is quoted when it holds a comma or a quote.  Line breaks
 * are escaped, so there is none. */
static void put_string(FILE *to, struct t2t_text text)
{
    if (!memchr(text.ptr, ',', text.len) && !memchr(text.ptr, '"', text.len)) {
        t2t_text_print(to, text, T2T_ESCAPE_CELL);
        return;
    }
    (void)putc('"', to);
    while (text.len) {
        const char *quote = memchr(text.ptr, '"', text.len);
        size_t len = quote ? (size_t)(quote - text.ptr) + 1 : text.len;

        t2t_text_print(to, (struct t2t_text){text.ptr, len}, T2T_ESCAPE_CELL);
        if (quote)
            (void)putc('"', to);
        text.ptr += len;
        text.len -= len;
    }
    (void)putc('"', to);
}

static void put_cell(FILE *to, const t2t_table *table, size_t row,
                     size_t column)
{
    char real[TT_REAL_MAX];

    if (t2t_table_is_null(table, row, column))
        return;
    switch (t2t_table_column(table, column)->type) {
    case T2T_INTEGER:
        tt_put_integer(to, table, row, column);
        break;
    case T2T_REAL:
        tt_real_text(real, t2t_table_real(table, row, column));
        (void)fputs(real, to);
        break;
    case T2T_STRING:
        put_string(to, t2t_table_string(table, row, column));
        break;
    }
}

enum t2t_status t2t_table_write_csv(const t2t_table *table, FILE *to,
                                    struct t2t_error *err)
{
    size_t columns = t2t_table_column_count(table);
    size_t rows = t2t_table_row_count(table);

    for (size_t c = 0; c < columns; c++)
        (void)fprintf(to, "%s%s", c ? "," : "",
                      t2t_table_column(table, c)->name);
    (void)putc('\n', to);
    for (size_t r = 0; r < rows && !ferror(to); r++) {
        for (size_t c = 0; c < columns; c++) {
            if (c)
                (void)putc(',', to);
            put_cell(to, table, r, c);
        }
        (void)putc('\n', to);
    }
    return tt_put_end(to, err);
}
