/* write_json.c - a table as one JSON object. */
#include <math.h>
#include <string.h>

#include <trace2tree/table.h>

#include "table/cell.h"

static void put_string(struct tt_out *out, struct t2t_text text)
{
    tt_out_byte(out, '"');
    tt_out_text(out, text, T2T_ESCAPE_QUOTED);
    tt_out_byte(out, '"');
}

static void put_static(struct tt_out *out, const char *text)
{
    put_string(out, (struct t2t_text){text, strlen(text)});
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

static void put_columns(struct tt_out *out, const t2t_table *table)
{
    size_t columns = t2t_table_column_count(table);

    for (size_t c = 0; c < columns; c++) {
        const struct t2t_table_column *column = t2t_table_column(table, c);

        tt_out_string(out, c ? ",{\"name\":" : "{\"name\":");
        put_static(out, column->name);
        tt_out_string(out, ",\"unit\":");
        put_static(out, tt_unit(column));
        tt_out_string(out, ",\"type\":");
        put_static(out, type_name(column->type));
        tt_out_byte(out, '}');
    }
}

static void put_selection(struct tt_out *out, const t2t_table *table)
{
    const char *json;
    const char *key;
    size_t n = 0;

    while ((key = t2t_table_selection(table, n, &json))) {
        if (n++)
            tt_out_byte(out, ',');
        put_static(out, key);
        tt_out_byte(out, ':');
        tt_out_json(out, t2t_text_of(json));
    }
}

static void put_cell(struct tt_out *out, const t2t_table *table, size_t row,
                     size_t column)
{
    char real[TT_REAL_MAX];

    if (t2t_table_is_null(table, row, column)) {
        tt_out_string(out, "null");
        return;
    }
    switch (t2t_table_column(table, column)->type) {
    case T2T_INTEGER:
        tt_put_integer(out, table, row, column);
        break;
    case T2T_REAL:
        if (isfinite(t2t_table_real(table, row, column)))
            (void)tt_real_text(real, t2t_table_real(table, row, column));
        else
            memcpy(real, "null", 5);
        tt_out_string(out, real);
        break;
    case T2T_STRING:
        put_string(out, t2t_table_string(table, row, column));
        break;
    }
}

/* Says how many rows there were, if some are not there any more. */
static void put_row_count(struct tt_out *out, const t2t_table *table)
{
    size_t count = t2t_table_row_count_of(table);
    char text[TT_INTEGER_MAX];

    if (count == t2t_table_row_count(table))
        return;
    tt_out_string(out, ",\"rows_of\":");
    tt_out_bytes(out, text, tt_integer_text(text, count, false));
}

enum t2t_status t2t_table_write_json(const t2t_table *table, FILE *to,
                                     struct t2t_text trace,
                                     struct t2t_error *err)
{
    size_t columns = t2t_table_column_count(table);
    size_t rows = t2t_table_row_count(table);
    struct tt_out out;

    tt_out_init(&out, to);
    tt_out_string(&out, "{\"table\":");
    put_static(&out, t2t_table_name(table));
    tt_out_string(&out, ",\"trace\":");
    put_string(&out, trace);
    tt_out_string(&out, ",\"selection\":{");
    put_selection(&out, table);
    tt_out_string(&out, "},\"columns\":[");
    put_columns(&out, table);
    tt_out_byte(&out, ']');
    put_row_count(&out, table);
    tt_out_string(&out, ",\"rows\":[");
    for (size_t r = 0; r < rows && !out.failed; r++) {
        tt_out_string(&out, r ? ",\n[" : "\n[");
        for (size_t c = 0; c < columns; c++) {
            if (c)
                tt_out_byte(&out, ',');
            put_cell(&out, table, r, c);
        }
        tt_out_byte(&out, ']');
    }
    tt_out_string(&out, "]}\n");
    return tt_out_end(&out, err);
}
