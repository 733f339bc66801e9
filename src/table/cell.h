/*
 * table/cell.h - what the writers of tables share.
 */
#ifndef TT_TABLE_CELL_H
#define TT_TABLE_CELL_H

#include <stdio.h>

#include <trace2tree/table.h>

#include "base/put.h"

#define TT_REAL_MAX 40u /* bytes of the longest real, with its NUL */

/*
 * Writes the shortest decimal text that reads back as `value`, with a point or
 * an exponent; "nan", "inf" and "-inf" for what has none.  In any locale.
 */
void tt_real_text(char out[TT_REAL_MAX], double value);

/* The unit of a column; "" for none. */
static inline const char *tt_unit(const struct t2t_table_column *column)
{
    return column->unit ? column->unit : "";
}

/* Prints an integer cell. */
void tt_put_integer(FILE *to, const t2t_table *table, size_t row,
                    size_t column);

#endif
