/* write_json.c - a table as one JSON object. */
#include <math.h>
#include <string.h>

#include <trace2tree/table.h>

#include "table/cell.h"

static void put_string(FILE *to, struct t2t_text text)
{
    (void)putc('"', to);
    t2t_text_print(to, text, T2T_ESCAPE_QUOTED);
    (void)putc('"', to);
}

static void put_static(FILE *to, const char *text)
{
    put_string(to, (struct t2t_text){text, strlen(text)});
}

static const char *type_name(enum t2t_type type)
{
    switch (type) {
    case T2T_INTEGER:
        return "integer";
    case T2T_REAL:
        return "real";
    case T2T_STRING:
        break;
    }
    return "string";
}

static void put_columns(FILE *to, const t2t_table *table)
{
    size_t columns = t2t_table_column_count(table);

    for (size_t c = 0; c < columns; c++) {
        const struct t2t_table_column *column = t2t_table_column(table, c);

        (void)fputs(c ? ",{\"name\":" : "{\"name\":", to);
        put_static(to, column->name);
        (void)fputs(",\"unit\":", to);
        put_static(to, tt_unit(column));
        (void)fputs(",\"type\":", to);
        put_static(to, type_name(column->type));
        (void)putc('}', to);
    }
}

static void put_selection(FILE *to, const t2t_table *table)
{
    const char *json;
    const char *key;
    size_t n = 0;

    while ((key = t2t_table_selection(table, n, &json))) {
        if (n++)
            (void)putc(',', to);
        put_static(to, key);
        (void)putc(':', to);
        (void)fputs(json, to);
    }
}

static void put_cell(FILE *to, const t2t_table *table, size_t row,
                     size_t column)
{
    char real[TT_REAL_MAX];

    if (t2t_table_is_null(table, row, column)) {
        (void)fputs("null", to);
        return;
    }
    switch (t2t_table_column(table, column)->type) {
    case T2T_INTEGER:
        tt_put_integer(to, table, row, column);
        break;
    case T2T_REAL:
        tt_real_text(real, t2t_table_real(table, row, column));
        if (!isfinite(t2t_table_real(table, row, column)))
            memcpy(real, "null", 5);
        (void)fputs(real, to);
        break;
    case T2T_STRING:
        put_string(to, t2t_table_string(table, row, column));
        break;
    }
}

enum t2t_status t2t_table_write_json(const t2t_table *table, FILE *to,
                                     struct t2t_text trace,
                                     struct t2t_error *err)
{
    size_t columns = t2t_table_column_count(table);
    size_t rows = t2t_table_row_count(table);

    (void)fputs("{\"table\":", to);
    put_static(to, t2t_table_name(table));
    (void)fputs(",\"trace\":", to);
    put_string(to, trace);
    (void)fputs(",\"selection\":{", to);
    put_selection(to, table);
    (void)fputs("},\"columns\":[", to);
    put_columns(to, table);
    (void)fputs("],\"rows\":[", to);
    for (size_t r = 0; r < rows && !ferror(to); r++) {
        (void)fputs(r ? ",\n[" : "\n[", to);
        for (size_t c = 0; c < columns; c++) {
            if (c)
                (void)putc(',', to);
            put_cell(to, table, r, c);
        }
        (void)putc(']', to);
    }
    (void)fputs("]}\n", to);
    return tt_put_end(to, err);
}
