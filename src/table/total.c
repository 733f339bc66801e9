/* total.c - sums of columns. */
#include "table/total.h"

#include <math.h>

#include "table/store.h"

static struct tt_total total_of_integers(const t2t_table *table, size_t column)
{
    struct tt_total total = {.kind = TT_TOTAL_NONE};
    __int128 sum = 0;

    for (size_t r = 0; r < table->rows; r++) {
        enum tt_cell_kind kind;
        const union tt_cell *cell = tt_store_cell(table, r, column, &kind);

        if (kind == TT_CELL_NULL)
            continue;
        total.kind = TT_TOTAL_INTEGER;
        if (kind == TT_CELL_LARGE)
            sum += cell->large;
        else
            sum += cell->integer;
    }
    total.negative = sum < 0;
    total.real = (double)sum;
    if (total.negative)
        sum = -sum;
    if (sum > UINT64_MAX)
        total.kind = TT_TOTAL_REAL;
    else
        total.size = (uint64_t)sum;
    return total;
}

/* Adds with what each addition loses kept beside the sum. */
static struct tt_total total_of_reals(const t2t_table *table, size_t column)
{
    struct tt_total total = {.kind = TT_TOTAL_NONE};
    double lost = 0;
    double sum = 0;

    for (size_t r = 0; r < table->rows; r++) {
        enum tt_cell_kind kind;
        const union tt_cell *cell = tt_store_cell(table, r, column, &kind);
        double before = sum;

        if (kind == TT_CELL_NULL || isnan(cell->real))
            continue;
        total.kind = TT_TOTAL_REAL;
        sum += cell->real;
        if (fabs(before) >= fabs(cell->real))
            lost += (before - sum) + cell->real;
        else
            lost += (cell->real - sum) + before;
    }
    total.real = isfinite(sum) ? sum + lost : sum;
    return total;
}

struct tt_total tt_total(const t2t_table *table, size_t column)
{
    switch (table->columns[column].type) {
    case T2T_INTEGER:
        return total_of_integers(table, column);
    case T2T_REAL:
        return total_of_reals(table, column);
    case T2T_STRING:
        break;
    }
    return (struct tt_total){.kind = TT_TOTAL_NONE};
}
