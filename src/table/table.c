/* table.c - cells of a table, row by row. */
#include <trace2tree/table.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/vec.h"

struct cell {
    bool null;
    bool large; /* `integer` is a uint64_t past int64_t */
    union {
        int64_t integer;
        double real;
        struct {
            size_t offset; /* in the table's text */
            size_t len;
        } string;
    };
};

struct selected {
    const char *key;
    char *json; /* owned */
};

struct t2t_table {
    const char *name;
    const struct t2t_table_column *columns;
    size_t column_count;
    struct cell *cell; /* owned, row after row */
    size_t count;
    size_t cap;
    struct tt_buffer text;     /* of all string cells */
    struct selected *selected; /* owned */
    size_t selected_count;
    size_t selected_cap;
};

enum t2t_status t2t_table_create(t2t_table **out, const char *name,
                                 const struct t2t_table_column *columns,
                                 size_t count, struct t2t_error *err)
{
    t2t_table *table;

    if (!count)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "a table needs a column");
    table = calloc(1, sizeof(*table));
    if (!table)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    table->name = name;
    table->columns = columns;
    table->column_count = count;
    *out = table;
    return T2T_OK;
}

void t2t_table_free(t2t_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->selected_count; i++)
        free(table->selected[i].json);
    free(table->selected);
    tt_buffer_release(&table->text);
    free(table->cell);
    free(table);
}

/* Appends `cell`, whose column must be of `type` unless it is null. */
static enum t2t_status add_cell(t2t_table *table, enum t2t_type type,
                                struct cell cell)
{
    size_t column = table->count % table->column_count;

    if (!cell.null && table->columns[column].type != type)
        return T2T_ERR_USAGE;
    if (!tt_vec_room(&table->cell, &table->cap, table->count,
                     sizeof(*table->cell)))
        return T2T_ERR_NO_MEMORY;
    table->cell[table->count++] = cell;
    return T2T_OK;
}

enum t2t_status t2t_table_add_integer(t2t_table *table, int64_t value)
{
    return add_cell(table, T2T_INTEGER, (struct cell){.integer = value});
}

enum t2t_status t2t_table_add_unsigned(t2t_table *table, uint64_t value)
{
    return add_cell(table, T2T_INTEGER,
                    (struct cell){.large = value > INT64_MAX,
                                  .integer = (int64_t)value});
}

enum t2t_status t2t_table_add_real(t2t_table *table, double value)
{
    return add_cell(table, T2T_REAL, (struct cell){.real = value});
}

enum t2t_status t2t_table_add_string(t2t_table *table, struct t2t_text text)
{
    struct cell cell = {.string = {table->text.len, text.len}};

    if (!text.ptr)
        return t2t_table_add_null(table);
    tt_buffer_add(&table->text, text.ptr, text.len);
    if (table->text.failed)
        return T2T_ERR_NO_MEMORY;
    return add_cell(table, T2T_STRING, cell);
}

enum t2t_status t2t_table_add_null(t2t_table *table)
{
    return add_cell(table, T2T_STRING, (struct cell){.null = true});
}

enum t2t_status t2t_table_select(t2t_table *table, const char *key,
                                 const char *json)
{
    char *copy;

    if (!tt_vec_room(&table->selected, &table->selected_cap,
                     table->selected_count, sizeof(*table->selected)))
        return T2T_ERR_NO_MEMORY;
    copy = strdup(json);
    if (!copy)
        return T2T_ERR_NO_MEMORY;
    table->selected[table->selected_count++] = (struct selected){key, copy};
    return T2T_OK;
}

const char *t2t_table_name(const t2t_table *table)
{
    return table->name;
}

size_t t2t_table_row_count(const t2t_table *table)
{
    return table->count / table->column_count;
}

size_t t2t_table_column_count(const t2t_table *table)
{
    return table->column_count;
}

const struct t2t_table_column *t2t_table_column(const t2t_table *table,
                                                size_t column)
{
    return column < table->column_count ? &table->columns[column] : NULL;
}

/* The cell, if it is there, not empty and of `type`; else NULL. */
static const struct cell *cell_at(const t2t_table *table, size_t row,
                                  size_t column, enum t2t_type type)
{
    const struct cell *cell;

    if (row >= t2t_table_row_count(table) || column >= table->column_count ||
        table->columns[column].type != type)
        return NULL;
    cell = &table->cell[row * table->column_count + column];
    return cell->null ? NULL : cell;
}

bool t2t_table_is_null(const t2t_table *table, size_t row, size_t column)
{
    return column >= table->column_count ||
           !cell_at(table, row, column, table->columns[column].type);
}

int64_t t2t_table_integer(const t2t_table *table, size_t row, size_t column)
{
    const struct cell *cell = cell_at(table, row, column, T2T_INTEGER);

    if (!cell)
        return 0;
    return cell->large ? INT64_MAX : cell->integer;
}

uint64_t t2t_table_unsigned(const t2t_table *table, size_t row, size_t column)
{
    const struct cell *cell = cell_at(table, row, column, T2T_INTEGER);

    if (!cell || (!cell->large && cell->integer < 0))
        return 0;
    return (uint64_t)cell->integer;
}

double t2t_table_real(const t2t_table *table, size_t row, size_t column)
{
    const struct cell *cell = cell_at(table, row, column, T2T_REAL);

    return cell ? cell->real : (double)NAN;
}

struct t2t_text t2t_table_string(const t2t_table *table, size_t row,
                                 size_t column)
{
    const struct cell *cell = cell_at(table, row, column, T2T_STRING);

    if (!cell)
        return (struct t2t_text){NULL, 0};
    if (!cell->string.len)
        return (struct t2t_text){"", 0};
    return (struct t2t_text){table->text.ptr + cell->string.offset,
                             cell->string.len};
}

const char *t2t_table_selection(const t2t_table *table, size_t n,
                                const char **json)
{
    if (n >= table->selected_count)
        return NULL;
    *json = table->selected[n].json;
    return table->selected[n].key;
}
