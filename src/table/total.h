/*
 * table/total.h - the sum of a column over all rows that there ever were.
 */
#ifndef TT_TABLE_TOTAL_H
#define TT_TABLE_TOTAL_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/table.h>

enum tt_total_kind {
    TT_TOTAL_NONE, /* no cell has a number */
    TT_TOTAL_INTEGER,
    TT_TOTAL_REAL, /* also of integers whose sum has no 64 bits */
};

struct tt_total {
    enum tt_total_kind kind;
    uint64_t size; /* of an integer */
    bool negative;
    double real;
};

/* Adds up the rows, those too that t2t_table_top() took away.  Empty cells and
 * NaN are left out. */
struct tt_total tt_total(const t2t_table *table, size_t column);

#endif
