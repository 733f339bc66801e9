/* cell.c - numbers of cells as CSV and JSON have them. */
#include "table/cell.h"

size_t tt_integer_text(char out[TT_INTEGER_MAX], uint64_t size, bool negative)
{
    char reversed[TT_INTEGER_MAX];
    size_t count = 0;
    size_t len = 0;

    do {
        reversed[count++] = (char)('0' + size % 10);
        size /= 10;
    } while (size);
    if (negative)
        out[len++] = '-';
    while (count)
        out[len++] = reversed[--count];
    out[len] = '\0';
    return len;
}

void tt_put_integer(struct tt_out *out, const t2t_table *table, size_t row,
                    size_t column)
{
    int64_t value = t2t_table_integer(table, row, column);
    char text[TT_INTEGER_MAX];
    uint64_t size = value < 0 ? 0 - (uint64_t)value
                              : t2t_table_unsigned(table, row, column);

    tt_out_bytes(out, text, tt_integer_text(text, size, value < 0));
}
