/* table.c - cells of a table, row by row. */
#include <trace2tree/table.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/status.h"
#include "base/vec.h"
#include "table/store.h"

enum t2t_status t2t_table_create(t2t_table **out, const char *name,
                                 const struct t2t_table_column *columns,
                                 size_t count, struct t2t_error *err)
{
    t2t_table *table;

    if (!count)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "a table needs a column");
    for (size_t i = 0; i < count; i++)
        if ((unsigned)columns[i].type > T2T_STRING)
            return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                            "no such type of a column: %d",
                            (int)columns[i].type);
    table = calloc(1, sizeof(*table));
    if (!table)
        return tt_no_memory(err);
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
    for (size_t i = 0; i < table->chunk_count; i++)
        free(table->chunk[i]);
    free(table->selected);
    free(table->chunk);
    free(table->order);
    tt_intern_release(&table->texts);
    free(table);
}

/* Adds a chunk for the rows to come. */
static enum t2t_status add_chunk(t2t_table *table)
{
    struct tt_chunk *chunk;
    size_t cells;
    size_t bytes;

    if (!tt_mul_ok(table->column_count, TT_CHUNK_ROWS, &cells) ||
        !tt_mul_ok(cells, sizeof(union tt_cell) + 1, &bytes) ||
        !tt_add_ok(bytes, sizeof(*chunk), &bytes) ||
        !tt_vec_room(&table->chunk, &table->chunk_cap, table->chunk_count,
                     sizeof(struct tt_chunk *)))
        return T2T_ERR_NO_MEMORY;
    chunk = malloc(bytes);
    if (!chunk)
        return T2T_ERR_NO_MEMORY;
    chunk->kind = (uint8_t *)(chunk->cell + cells);
    table->chunk[table->chunk_count++] = chunk;
    return T2T_OK;
}

/* Whether a cell that is not empty, of `type`, or any may come now. */
static enum t2t_status may_add(t2t_table *table, bool empty, enum t2t_type type)
{
    if (table->settled ||
        (!empty && table->columns[table->column].type != type))
        return T2T_ERR_USAGE;
    if (table->rows / TT_CHUNK_ROWS < table->chunk_count)
        return T2T_OK;
    return table->rows == UINT32_MAX ? T2T_ERR_LIMIT : add_chunk(table);
}

/* Appends a cell, which may come. */
static void put(t2t_table *table, enum tt_cell_kind kind, union tt_cell cell)
{
    struct tt_chunk *chunk = table->chunk[table->rows / TT_CHUNK_ROWS];
    size_t at = table->rows % TT_CHUNK_ROWS * table->column_count;

    at += table->column;
    chunk->cell[at] = cell;
    chunk->kind[at] = (uint8_t)kind;
    if (++table->column == table->column_count) {
        table->column = 0;
        table->rows++;
    }
}

enum t2t_status t2t_table_add_integer(t2t_table *table, int64_t value)
{
    enum t2t_status st = may_add(table, false, T2T_INTEGER);

    if (!st)
        put(table, TT_CELL_VALUE, (union tt_cell){.integer = value});
    return st;
}

enum t2t_status t2t_table_add_unsigned(t2t_table *table, uint64_t value)
{
    enum t2t_status st = may_add(table, false, T2T_INTEGER);

    if (!st)
        put(table, value > INT64_MAX ? TT_CELL_LARGE : TT_CELL_VALUE,
            (union tt_cell){.large = value});
    return st;
}

enum t2t_status t2t_table_add_real(t2t_table *table, double value)
{
    enum t2t_status st = may_add(table, false, T2T_REAL);

    if (!st)
        put(table, TT_CELL_VALUE, (union tt_cell){.real = value});
    return st;
}

enum t2t_status t2t_table_add_string(t2t_table *table, struct t2t_text text)
{
    enum t2t_status st = may_add(table, !text.ptr, T2T_STRING);
    uint32_t number;

    if (st)
        return st;
    if (!text.ptr) {
        put(table, TT_CELL_NULL, (union tt_cell){0});
        return T2T_OK;
    }
    number = tt_intern_add(&table->texts, text.ptr, text.len);
    if (number == TT_INTERN_FAILED)
        return T2T_ERR_NO_MEMORY;
    put(table, TT_CELL_VALUE, (union tt_cell){.text = number});
    return T2T_OK;
}

enum t2t_status t2t_table_add_null(t2t_table *table)
{
    enum t2t_status st = may_add(table, true, T2T_STRING);

    if (!st)
        put(table, TT_CELL_NULL, (union tt_cell){0});
    return st;
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
    table->selected[table->selected_count++] = (struct tt_selected){key, copy};
    return T2T_OK;
}

void t2t_table_top(t2t_table *table, size_t count)
{
    size_t rows = t2t_table_row_count(table);

    table->shown = count < rows ? count : rows;
    table->settled = true;
}

const char *t2t_table_name(const t2t_table *table)
{
    return table->name;
}

size_t t2t_table_row_count(const t2t_table *table)
{
    return table->settled ? table->shown : table->rows;
}

size_t t2t_table_row_count_of(const t2t_table *table)
{
    return table->rows;
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

size_t t2t_table_find_column(const t2t_table *table, const char *name)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (!strcmp(table->columns[c].name, name))
            return c;
    return T2T_NO_COLUMN;
}

/* The cell, if it is there, not empty and of `type`; else NULL. */
static const union tt_cell *cell_at(const t2t_table *table, size_t row,
                                    size_t column, enum t2t_type type,
                                    enum tt_cell_kind *kind)
{
    const union tt_cell *cell;

    if (row >= t2t_table_row_count(table) || column >= table->column_count ||
        table->columns[column].type != type)
        return NULL;
    cell = tt_store_cell(table, tt_store_row(table, row), column, kind);
    return *kind == TT_CELL_NULL ? NULL : cell;
}

bool t2t_table_is_null(const t2t_table *table, size_t row, size_t column)
{
    enum tt_cell_kind kind;

    return column >= table->column_count ||
           !cell_at(table, row, column, table->columns[column].type, &kind);
}

int64_t t2t_table_integer(const t2t_table *table, size_t row, size_t column)
{
    enum tt_cell_kind kind;
    const union tt_cell *cell = cell_at(table, row, column, T2T_INTEGER, &kind);

    if (!cell)
        return 0;
    return kind == TT_CELL_LARGE ? INT64_MAX : cell->integer;
}

uint64_t t2t_table_unsigned(const t2t_table *table, size_t row, size_t column)
{
    enum tt_cell_kind kind;
    const union tt_cell *cell = cell_at(table, row, column, T2T_INTEGER, &kind);

    if (!cell || (kind == TT_CELL_VALUE && cell->integer < 0))
        return 0;
    return cell->large;
}

double t2t_table_real(const t2t_table *table, size_t row, size_t column)
{
    enum tt_cell_kind kind;
    const union tt_cell *cell = cell_at(table, row, column, T2T_REAL, &kind);

    return cell ? cell->real : (double)NAN;
}

struct t2t_text t2t_table_string(const t2t_table *table, size_t row,
                                 size_t column)
{
    enum tt_cell_kind kind;
    const union tt_cell *cell = cell_at(table, row, column, T2T_STRING, &kind);
    const struct tt_interned *text;

    if (!cell)
        return (struct t2t_text){NULL, 0};
    text = &table->texts.item[cell->text];
    return (struct t2t_text){text->ptr, text->len};
}

const char *t2t_table_selection(const t2t_table *table, size_t n,
                                const char **json)
{
    if (n >= table->selected_count)
        return NULL;
    *json = table->selected[n].json;
    return table->selected[n].key;
}
