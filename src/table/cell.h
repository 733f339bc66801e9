/*
 * table/cell.h - what the writers of tables share.
 */
#ifndef TT_TABLE_CELL_H
#define TT_TABLE_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/table.h>

#include "table/out.h"

#define TT_REAL_MAX 40u    /* bytes of the longest real, with its NUL */
#define TT_INTEGER_MAX 24u /* of the longest integer */

/*
 * Writes the shortest decimal text that reads back as `value`, as repr() of
 * Python does: "0.1", "100.0", "1e-07", "nan", "-inf".  In any locale.
 *
 * @return its bytes, without the NUL.
 */
size_t tt_real_text(char out[TT_REAL_MAX], double value);

/* The same for an integer, by its size. */
size_t tt_integer_text(char out[TT_INTEGER_MAX], uint64_t size, bool negative);

/* The unit of a column; "" for none. */
static inline const char *tt_unit(const struct t2t_table_column *column)
{
    return column->unit ? column->unit : "";
}

/* Prints an integer cell. */
void tt_put_integer(struct tt_out *out, const t2t_table *table, size_t row,
                    size_t column);

#endif
