/*
 * table/text_cell.h - cells as a person reads them.
 *
 * Each function adds UTF-8 without control characters to `b`.
 */
#ifndef TT_TABLE_TEXT_CELL_H
#define TT_TABLE_TEXT_CELL_H

#include "base/buffer.h"
#include "table/layout.h"

/* The heading of a column, such as "time (ms)". */
void tt_text_heading(struct tt_buffer *b, const struct tt_place *place);

/* A cell without its bar; "-" for an empty one. */
void tt_text_cell(struct tt_buffer *b, const t2t_table *table, size_t row,
                  const struct tt_place *place);

/* Numbers as cells of the column have them. */
void tt_text_integer(struct tt_buffer *b, uint64_t size, bool negative,
                     const struct tt_place *place);
void tt_text_real(struct tt_buffer *b, double value,
                  const struct tt_place *place);
void tt_text_total(struct tt_buffer *b, const struct tt_place *place);

void tt_text_string(struct tt_buffer *b, struct t2t_text text);

/* A bar for a percentage. */
void tt_text_bar(struct tt_buffer *b, double percent, bool ascii);

#endif
