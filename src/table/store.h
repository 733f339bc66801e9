/*
 * table/store.h - how a table keeps its cells.
 *
 * Rows lie in chunks of a fixed number, so that a table grows without being
 * copied.  A cell is eight bytes and a byte that says what they are; texts are
 * numbers of interned ones.  Sorting moves no cell: it makes a list of rows.
 */
#ifndef TT_TABLE_STORE_H
#define TT_TABLE_STORE_H

#include <stdint.h>

#include <trace2tree/table.h>

#include "base/intern.h"

#define TT_CHUNK_ROWS 512u

enum tt_cell_kind {
    TT_CELL_NULL,
    TT_CELL_VALUE,
    TT_CELL_LARGE, /* an integer past int64_t */
};

union tt_cell {
    int64_t integer;
    uint64_t large;
    double real;
    uint32_t text; /* number in `texts` */
};

/* TT_CHUNK_ROWS rows; what they are stands behind the cells. */
struct tt_chunk {
    uint8_t *kind; /* of each cell */
    union tt_cell cell[];
};

struct tt_selected {
    const char *key;
    char *json; /* owned */
};

struct t2t_table {
    const char *name;
    const struct t2t_table_column *columns;
    size_t column_count;
    struct tt_chunk **chunk; /* owned, each too */
    size_t chunk_count;
    size_t chunk_cap;
    size_t rows;            /* whole ones, the hidden too */
    size_t column;          /* in which the next cell goes */
    size_t shown;           /* rows, once `settled`; else as `rows` */
    bool settled;           /* sorted or cut */
    uint32_t *order;        /* rows as they are shown; NULL: as they came */
    struct tt_intern texts; /* of all string cells */
    struct tt_selected *selected; /* owned */
    size_t selected_count;
    size_t selected_cap;
};

/* A cell that is there: `row` counts all rows as they came. */
static inline const union tt_cell *tt_store_cell(const t2t_table *table,
                                                 size_t row, size_t column,
                                                 enum tt_cell_kind *kind)
{
    const struct tt_chunk *chunk = table->chunk[row / TT_CHUNK_ROWS];
    size_t at = row % TT_CHUNK_ROWS * table->column_count + column;

    *kind = (enum tt_cell_kind)chunk->kind[at];
    return &chunk->cell[at];
}

/* The row, as it came, that is shown as the `row`-th. */
static inline size_t tt_store_row(const t2t_table *table, size_t row)
{
    return table->order ? table->order[row] : row;
}

#endif
