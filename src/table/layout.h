/*
 * table/layout.h - which columns of a table fit a terminal, and how wide.
 */
#ifndef TT_TABLE_LAYOUT_H
#define TT_TABLE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include <trace2tree/table.h>

#include "base/buffer.h"
#include "table/total.h"

#define TT_GAP 2u        /* spaces between columns */
#define TT_BAR_WIDTH 10u /* columns of a full bar */
#define TT_TOTAL_LABEL "total"

/* How one column is laid out. */
struct tt_place {
    const struct t2t_table_column *column;
    size_t at;      /* in the table */
    size_t natural; /* columns of the widest cell */
    size_t width;   /* columns that it gets, without its bar */
    bool kept;      /* the style asks for it */
    bool shown;
    bool bar;
    bool time;                /* unit is "ns" */
    enum t2t_time_unit scale; /* never T2T_AUTO */
    struct tt_total total;    /* when the column has one */
};

struct tt_layout {
    const t2t_table *table;
    const struct t2t_text_style *style;
    struct tt_place *place; /* of each column that is not hidden, owned */
    size_t count;
    bool totals; /* a last row has them */
};

/*
 * Measures the cells and decides what gives way, as t2t_table_write_text() in
 * trace2tree/table.h says.  A column is left out when names of 24 columns and
 * other texts of 12 do not make room for it.
 *
 * @return T2T_OK or T2T_ERR_NO_MEMORY; release it in both cases.
 */
enum t2t_status tt_layout_init(struct tt_layout *l, const t2t_table *table,
                               const struct t2t_text_style *style);

void tt_layout_release(struct tt_layout *l);

/* Columns that did not fit. */
size_t tt_layout_left_out(const struct tt_layout *l);

#endif
