/* text_cell.c - headings, numbers in units, bars. */
#include "table/text_cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table/cell.h"

/* From this size on reals are written with an exponent. */
#define TT_LARGE 1e15

/* A unit's name and its nanoseconds, by enum t2t_time_unit. */
static const struct {
    const char *name;
    uint64_t ns;
} units[] = {
    [T2T_AUTO] = {"", 1},        [T2T_NS] = {"ns", 1},
    [T2T_US] = {"us", 1000},     [T2T_MS] = {"ms", 1000000},
    [T2T_S] = {"s", 1000000000},
};

static void add(struct tt_buffer *b, const char *text)
{
    tt_buffer_add(b, text, strlen(text));
}

/* Adds a name without the "_ns" that says what its unit says. */
static void add_name(struct tt_buffer *b, const char *name)
{
    const char *ns = strstr(name, "_ns");

    while (ns && ns[3] && ns[3] != '_')
        ns = strstr(ns + 1, "_ns");
    if (!ns) {
        add(b, name);
        return;
    }
    tt_buffer_add(b, name, (size_t)(ns - name));
    add(b, ns + 3);
}

void tt_text_heading(struct tt_buffer *b, const struct tt_place *place)
{
    const struct t2t_table_column *column = place->column;
    const char *unit = place->time ? units[place->scale].name : tt_unit(column);

    if (column->heading)
        add(b, column->heading);
    else if (place->time)
        add_name(b, column->name);
    else
        add(b, column->name);
    if (!*unit ||
        !strcmp(column->heading ? column->heading : column->name, unit))
        return; /* that is what it says already */
    add(b, " (");
    add(b, unit);
    add(b, ")");
}

void tt_text_string(struct tt_buffer *b, struct t2t_text text)
{
    while (text.len) {
        size_t room = text.len < 512 ? text.len + T2T_ESCAPE_MAX : 512;

        if (b->cap - b->len < room && !tt_buffer_reserve(b, room))
            return;
        b->len += t2t_text_escape(&text, T2T_ESCAPE_TERMINAL, b->ptr + b->len,
                                  b->cap - b->len);
    }
}

void tt_text_integer(struct tt_buffer *b, uint64_t size, bool negative,
                     const struct tt_place *place)
{
    uint64_t step = place->time ? units[place->scale].ns / 1000 : 0;
    uint64_t thousandths;
    char text[TT_INTEGER_MAX];
    char fraction[4];

    if (!step) {
        tt_buffer_add(b, text, tt_integer_text(text, size, negative));
        return;
    }
    thousandths = size / step + (step > 1 && size % step * 2 >= step);
    negative = negative && thousandths; /* not -0.000 */
    tt_buffer_add(b, text, tt_integer_text(text, thousandths / 1000, negative));
    fraction[0] = '.';
    fraction[1] = (char)('0' + thousandths / 100 % 10);
    fraction[2] = (char)('0' + thousandths / 10 % 10);
    fraction[3] = (char)('0' + thousandths % 10);
    tt_buffer_add(b, fraction, 4);
}

/* Makes the decimal point of the locale a point. */
static void plain_point(char *text)
{
    size_t at = strspn(text, "-0123456789");
    size_t point = strcspn(text + at, "0123456789");

    if (!text[at] || !point || text[at] == 'e')
        return;
    text[at] = '.';
    memmove(text + at + 1, text + at + point, strlen(text + at + point) + 1);
}

void tt_text_real(struct tt_buffer *b, double value,
                  const struct tt_place *place)
{
    char text[64];
    int len;

    if (!isfinite(value)) {
        tt_buffer_add(b, text, tt_real_text(text, value));
        return;
    }
    if (place->time)
        value /= (double)units[place->scale].ns;
    if (fabs(value) >= TT_LARGE)
        len = snprintf(text, sizeof(text), "%.5e", value);
    else
        len = snprintf(text, sizeof(text), "%.*f", place->time ? 3 : 2, value);
    if (len <= 0)
        return;
    plain_point(text);
    add(b, text + (*text == '-' && !strpbrk(text, "123456789")));
}

void tt_text_cell(struct tt_buffer *b, const t2t_table *table, size_t row,
                  const struct tt_place *place)
{
    int64_t integer;

    if (t2t_table_is_null(table, row, place->at)) {
        tt_buffer_add_byte(b, '-');
        return;
    }
    switch (place->column->type) {
    case T2T_INTEGER:
        integer = t2t_table_integer(table, row, place->at);
        tt_text_integer(b,
                        integer < 0 ? 0 - (uint64_t)integer
                                    : t2t_table_unsigned(table, row, place->at),
                        integer < 0, place);
        break;
    case T2T_REAL:
        tt_text_real(b, t2t_table_real(table, row, place->at), place);
        break;
    case T2T_STRING:
        tt_text_string(b, t2t_table_string(table, row, place->at));
        break;
    }
}

void tt_text_total(struct tt_buffer *b, const struct tt_place *place)
{
    switch (place->total.kind) {
    case TT_TOTAL_INTEGER:
        tt_text_integer(b, place->total.size, place->total.negative, place);
        break;
    case TT_TOTAL_REAL:
        tt_text_real(b, place->total.real, place);
        break;
    case TT_TOTAL_NONE:
        break;
    }
}

void tt_text_bar(struct tt_buffer *b, double percent, bool ascii)
{
    double share = percent > 0 ? percent / 100 : 0; /* not NaN */
    unsigned steps = ascii ? 1 : 8;                 /* of one column */
    unsigned full = TT_BAR_WIDTH * steps;
    unsigned length = share >= 1 ? full : (unsigned)(share * full + 0.5);
    char part[] = "\xe2\x96\x88"; /* a full block; 8 before it an eighth */

    for (; length >= steps; length -= steps) {
        if (ascii)
            tt_buffer_add_byte(b, '#');
        else
            tt_buffer_add(b, part, 3);
    }
    part[2] = (char)(0x90 - (int)length);
    if (length)
        tt_buffer_add(b, part, 3);
}
