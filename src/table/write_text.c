/* write_text.c - a table for a person. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/table.h>

#include "base/buffer.h"
#include "base/status.h"
#include "table/cell.h"

#define GAP 2u          /* spaces between columns */
#define LEAST_STRING 8u /* columns that a string keeps */

/* How one column is laid out. */
struct layout {
    const struct t2t_table_column *column;
    size_t width;             /* in columns of the terminal */
    bool time;                /* unit is "ns" */
    enum t2t_time_unit scale; /* never T2T_AUTO */
};

struct writer {
    const t2t_table *table;
    FILE *to;
    struct layout *layout; /* of each column, owned */
    size_t columns;
    struct tt_buffer cell; /* the cell under way */
};

/* A unit's name and its nanoseconds, by enum t2t_time_unit. */
static const struct {
    const char *name;
    double ns;
} units[] = {
    [T2T_AUTO] = {"", 1},   [T2T_NS] = {"ns", 1}, [T2T_US] = {"us", 1e3},
    [T2T_MS] = {"ms", 1e6}, [T2T_S] = {"s", 1e9},
};

/* Columns that UTF-8 takes: one a character. */
static size_t width_of(const char *ptr, size_t len)
{
    size_t width = 0;

    for (size_t i = 0; i < len; i++)
        width += ((unsigned char)ptr[i] & 0xc0) != 0x80;
    return width;
}

static void add_number(struct tt_buffer *b, double value, int digits)
{
    char text[400];
    int len = snprintf(text, sizeof(text), "%.*f", digits, value);

    if (len > 0)
        tt_buffer_add(b, text, (size_t)len);
}

static void add_string(struct tt_buffer *b, struct t2t_text text)
{
    char piece[512];

    while (text.len) {
        size_t len =
            t2t_text_escape(&text, T2T_ESCAPE_TERMINAL, piece, sizeof(piece));

        tt_buffer_add(b, piece, len);
    }
}

static void add_real(struct tt_buffer *b, double value,
                     const struct layout *layout)
{
    char text[TT_REAL_MAX];

    if (!isfinite(value)) {
        tt_buffer_add(b, text, tt_real_text(text, value));
        return;
    }
    if (layout->time)
        add_number(b, value / units[layout->scale].ns, 3);
    else
        add_number(b, value, 2);
}

/* `above` is the value where it is not below 0. */
static void add_integer(struct tt_buffer *b, int64_t value, uint64_t above,
                        const struct layout *layout)
{
    double number = value < 0 ? (double)value : (double)above;
    char text[32];
    int len;

    if (layout->time && layout->scale != T2T_NS) {
        add_number(b, number / units[layout->scale].ns, 3);
        return;
    }
    if (value < 0)
        len = snprintf(text, sizeof(text), "%" PRId64, value);
    else
        len = snprintf(text, sizeof(text), "%" PRIu64, above);
    if (len > 0)
        tt_buffer_add(b, text, (size_t)len);
}

/* Puts the text of a cell in w->cell. */
static void make_cell(struct writer *w, size_t row, size_t column)
{
    const struct layout *layout = &w->layout[column];

    tt_buffer_clear(&w->cell);
    if (t2t_table_is_null(w->table, row, column)) {
        tt_buffer_add_byte(&w->cell, '-');
        return;
    }
    switch (layout->column->type) {
    case T2T_INTEGER:
        add_integer(&w->cell, t2t_table_integer(w->table, row, column),
                    t2t_table_unsigned(w->table, row, column), layout);
        break;
    case T2T_REAL:
        add_real(&w->cell, t2t_table_real(w->table, row, column), layout);
        break;
    case T2T_STRING:
        add_string(&w->cell, t2t_table_string(w->table, row, column));
        break;
    }
}

/* Puts the heading of a column in w->cell, such as "time (ms)". */
static void make_heading(struct writer *w, size_t column)
{
    const struct layout *layout = &w->layout[column];
    const char *name = layout->column->name;
    const char *unit =
        layout->time ? units[layout->scale].name : tt_unit(layout->column);
    size_t len = strlen(name);

    if (layout->time && len > 3 && !memcmp(name + len - 3, "_ns", 3))
        len -= 3;
    tt_buffer_clear(&w->cell);
    tt_buffer_add(&w->cell, name, len);
    if (*unit) {
        tt_buffer_add(&w->cell, " (", 2);
        tt_buffer_add(&w->cell, unit, strlen(unit));
        tt_buffer_add_byte(&w->cell, ')');
    }
}

/* The largest size of a number in the column. */
static double largest(const t2t_table *table, size_t column)
{
    bool integers = t2t_table_column(table, column)->type == T2T_INTEGER;
    double most = 0;

    for (size_t r = 0; r < t2t_table_row_count(table); r++) {
        double value = integers ? (double)t2t_table_integer(table, r, column)
                                : t2t_table_real(table, r, column);

        if (fabs(value) > most)
            most = fabs(value);
    }
    return most;
}

/* The largest unit of which the column has at least one. */
static enum t2t_time_unit choose_scale(const t2t_table *table, size_t column)
{
    double most = largest(table, column);

    if (most >= 1e9)
        return T2T_S;
    if (most >= 1e6)
        return T2T_MS;
    return most >= 1e3 ? T2T_US : T2T_NS;
}

/* Makes the longest cell of a column its width. */
static void measure(struct writer *w, size_t column)
{
    struct layout *layout = &w->layout[column];

    make_heading(w, column);
    layout->width = width_of(w->cell.ptr, w->cell.len);
    for (size_t r = 0; r < t2t_table_row_count(w->table); r++) {
        size_t width;

        make_cell(w, r, column);
        width = width_of(w->cell.ptr, w->cell.len);
        if (width > layout->width)
            layout->width = width;
    }
}

/* The widest column of strings that can still be cut, or NULL. */
static struct layout *widest(struct writer *w)
{
    struct layout *found = NULL;

    for (size_t c = 0; c < w->columns; c++) {
        struct layout *layout = &w->layout[c];

        if (layout->column->type == T2T_STRING &&
            layout->width > LEAST_STRING &&
            (!found || layout->width > found->width))
            found = layout;
    }
    return found;
}

/* Cuts columns of strings until the table fits `width`, if it can. */
static void fit(struct writer *w, size_t width)
{
    size_t total = GAP * (w->columns - 1);

    for (size_t c = 0; c < w->columns; c++)
        total += w->layout[c].width;
    while (total > width) {
        struct layout *layout = widest(w);

        if (!layout)
            return;
        layout->width--;
        total--;
    }
}

/* Bytes of the first `width` characters of UTF-8. */
static size_t head_bytes(const char *ptr, size_t len, size_t width)
{
    size_t i = 0;

    while (i < len && (width || ((unsigned char)ptr[i] & 0xc0) == 0x80)) {
        if (((unsigned char)ptr[i] & 0xc0) != 0x80)
            width--;
        i++;
    }
    return i;
}

/* Prints w->cell in a column, cut in the middle where it is too long. */
static void put_cell(struct writer *w, size_t column)
{
    const struct layout *layout = &w->layout[column];
    const char *ptr = w->cell.ptr;
    size_t len = w->cell.len;
    size_t width = width_of(ptr, len);
    bool right = layout->column->type != T2T_STRING;
    bool last = column + 1 == w->columns;
    size_t pad = width < layout->width ? layout->width - width : 0;

    if (right)
        (void)fprintf(w->to, "%*s", (int)pad, "");
    if (width > layout->width) {
        size_t head = (layout->width - 1) / 2;
        size_t tail = layout->width - 1 - head;
        size_t skip = head_bytes(ptr, len, width - tail);

        (void)fwrite(ptr, 1, head_bytes(ptr, len, head), w->to);
        (void)fputs("\xe2\x80\xa6", w->to); /* an ellipsis */
        (void)fwrite(ptr + skip, 1, len - skip, w->to);
    } else if (len) {
        (void)fwrite(ptr, 1, len, w->to);
    }
    if (!right && !last)
        (void)fprintf(w->to, "%*s", (int)pad, "");
    (void)fputs(last ? "\n" : "  ", w->to);
}

static void put_selection(const struct writer *w)
{
    const char *json;
    const char *key;
    size_t n = 0;

    while ((key = t2t_table_selection(w->table, n, &json))) {
        (void)fprintf(w->to, "%s%s %s", n ? ", " : "selected: ", key, json);
        n++;
    }
    if (n)
        (void)putc('\n', w->to);
}

static void lay_out(struct writer *w, const struct t2t_text_style *style)
{
    for (size_t c = 0; c < w->columns; c++) {
        struct layout *layout = &w->layout[c];

        layout->column = t2t_table_column(w->table, c);
        layout->time = !strcmp(tt_unit(layout->column), "ns");
        layout->scale = style->unit;
        if (layout->time && style->unit == T2T_AUTO)
            layout->scale = choose_scale(w->table, c);
        measure(w, c);
    }
    if (style->width)
        fit(w, style->width);
}

enum t2t_status t2t_table_write_text(const t2t_table *table, FILE *to,
                                     const struct t2t_text_style *style,
                                     struct t2t_error *err)
{
    struct writer w = {.table = table, .to = to};
    bool failed;

    w.columns = t2t_table_column_count(table);
    w.layout = calloc(w.columns, sizeof(*w.layout));
    if (!w.layout)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    lay_out(&w, style);
    put_selection(&w);
    for (size_t c = 0; c < w.columns; c++) {
        make_heading(&w, c);
        put_cell(&w, c);
    }
    for (size_t r = 0; r < t2t_table_row_count(table) && !ferror(to); r++) {
        for (size_t c = 0; c < w.columns; c++) {
            make_cell(&w, r, c);
            put_cell(&w, c);
        }
    }
    failed = w.cell.failed;
    free(w.layout);
    tt_buffer_release(&w.cell);
    if (failed)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    return tt_put_end(to, err);
}
