/* write_text.c - a table for a person. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/table.h>

#include "base/buffer.h"
#include "base/status.h"
#include "table/cell.h"
#include "table/layout.h"
#include "table/text_cell.h"
#include "table/width.h"

struct writer {
    const t2t_table *table;
    struct tt_layout layout;
    struct tt_buffer cell; /* what is under way */
    size_t pending;        /* spaces before what comes next on the line */
    bool failed;           /* memory ran out */
    struct tt_out out;
};

/* Prints what is not empty, behind the spaces that wait. */
static void put_bytes(struct writer *w, const char *ptr, size_t len)
{
    if (!len)
        return;
    tt_out_spaces(&w->out, w->pending);
    w->pending = 0;
    tt_out_bytes(&w->out, ptr, len);
}

/* Empties w->cell. */
static void clear(struct writer *w)
{
    w->failed = w->failed || w->cell.failed;
    tt_buffer_clear(&w->cell);
}

/* Ends the line without the spaces at its end. */
static void end_line(struct writer *w)
{
    w->pending = 0;
    tt_out_byte(&w->out, '\n');
}

/* Prints w->cell, which is wider than `width`, without its middle; a number has
 * none that could be missed.  Returns its columns. */
static size_t put_cut(struct writer *w, size_t width, bool number)
{
    bool ascii = w->layout.style->ascii;
    const char *mark = ascii ? "..." : "\xe2\x80\xa6"; /* an ellipsis */
    size_t mark_width = ascii ? 3 : 1;
    const char *ptr = w->cell.ptr;
    size_t len = w->cell.len;
    size_t used;
    size_t used_behind;
    size_t head;
    size_t skip;

    if (number || width <= mark_width) {
        for (size_t i = 0; i < width; i++)
            put_bytes(w, number ? "#" : ".", 1);
        return width;
    }
    head = tt_width_head(ptr, len, (width - mark_width) / 2, &used);
    used += mark_width;
    skip = tt_width_tail(ptr, len, width - used, &used_behind);
    put_bytes(w, ptr, head);
    put_bytes(w, mark, strlen(mark));
    put_bytes(w, ptr + skip, len - skip);
    return used + used_behind;
}

/* Prints w->cell in its column. */
static void put_cell(struct writer *w, const struct tt_place *p, bool heading)
{
    size_t width = tt_width(w->cell.ptr, w->cell.len);
    bool number = p->column->type != T2T_STRING;
    size_t pad = width < p->width ? p->width - width : 0;

    if (number)
        w->pending += pad;
    if (width > p->width)
        pad = p->width - put_cut(w, p->width, number && !heading);
    else
        put_bytes(w, w->cell.ptr, width ? w->cell.len : 0);
    if (!number)
        w->pending += pad;
    clear(w);
}

/* Prints the bar of a column, and the gap behind the column. */
static void put_bar(struct writer *w, const struct tt_place *p, double percent)
{
    if (p->bar) {
        w->pending++;
        tt_text_bar(&w->cell, percent, w->layout.style->ascii);
        put_bytes(w, w->cell.ptr, w->cell.len);
        w->pending += TT_BAR_WIDTH - tt_width(w->cell.ptr, w->cell.len);
        clear(w);
    }
    w->pending += TT_GAP;
}

static void put_headings(struct writer *w)
{
    for (size_t i = 0; i < w->layout.count; i++) {
        const struct tt_place *p = &w->layout.place[i];

        if (!p->shown)
            continue;
        tt_text_heading(&w->cell, p);
        put_cell(w, p, true);
        put_bar(w, p, 0);
    }
    end_line(w);
}

static void put_row(struct writer *w, size_t row)
{
    for (size_t i = 0; i < w->layout.count; i++) {
        const struct tt_place *p = &w->layout.place[i];

        if (!p->shown)
            continue;
        tt_text_cell(&w->cell, w->table, row, p);
        put_cell(w, p, false);
        put_bar(w, p, p->bar ? t2t_table_real(w->table, row, p->at) : 0);
    }
    end_line(w);
}

static void put_totals(struct writer *w)
{
    bool first = true;

    for (size_t i = 0; i < w->layout.count; i++) {
        const struct tt_place *p = &w->layout.place[i];

        if (!p->shown)
            continue;
        if (first)
            tt_text_string(&w->cell, t2t_text_of(TT_TOTAL_LABEL));
        else
            tt_text_total(&w->cell, p);
        put_cell(w, p, first);
        put_bar(w, p, 0);
        first = false;
    }
    end_line(w);
}

/* Prints w->cell as lines that end between words. */
static void put_paragraph(struct writer *w)
{
    size_t width = w->layout.style->width;
    const char *ptr = w->cell.ptr;
    size_t len = w->cell.len;

    while (len) {
        size_t used;
        size_t fits = width ? tt_width_head(ptr, len, width, &used) : len;
        size_t line = fits;

        if (!fits) /* a wide character and no room for it */
            fits = line = len;
        while (line && line < len && ptr[line] != ' ')
            line--;
        if (!line)
            line = fits; /* one word fills it */
        put_bytes(w, ptr, line);
        end_line(w);
        ptr += line;
        len -= line;
        while (len && *ptr == ' ') {
            ptr++;
            len--;
        }
    }
    clear(w);
}

static void add(struct writer *w, const char *text)
{
    tt_text_string(&w->cell, t2t_text_of(text));
}

static void add_number(struct writer *w, size_t number)
{
    char text[TT_INTEGER_MAX];

    tt_buffer_add(&w->cell, text, tt_integer_text(text, number, false));
}

/* Adds the start of a key as words: "gpu_events" are GPU events. */
static void add_words(struct writer *w, const char *key, size_t len)
{
    size_t at = 0;

    if (!strncmp(key, "gpu_", 4)) {
        add(w, "GPU");
        at = 3;
    }
    for (; at < len; at++)
        tt_buffer_add_byte(&w->cell, key[at] == '_' ? ' ' : key[at]);
}

/* The value of the key `key` with `end` behind it, as JSON, or NULL. */
static const char *value_of(const t2t_table *table, const char *key, size_t len,
                            const char *end)
{
    const char *other;
    const char *json;

    for (size_t n = 0; (other = t2t_table_selection(table, n, &json)); n++)
        if (!strncmp(other, key, len) && !strcmp(other + len, end))
            return json;
    return NULL;
}

/* Whether `key` is another one with "_of" behind it: how many there are of
 * which the other says how many were taken. */
static bool is_whole(const t2t_table *table, const char *key)
{
    size_t len = strlen(key);

    return len > 3 && !strcmp(key + len - 3, "_of") &&
           value_of(table, key, len - 3, "");
}

static bool is_time(const char *key)
{
    size_t len = strlen(key);

    return len > 3 && !strcmp(key + len - 3, "_ns");
}

/* Adds nanoseconds as an option takes them: "1.5ms". */
static void add_time(struct writer *w, uint64_t ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
        int digits;
    } units[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}};
    char text[40];
    size_t u = 0;
    int len;

    while (u < 3 && ns < units[u].ns)
        u++;
    if (u == 3 || !ns) {
        (void)snprintf(text, sizeof(text), "%" PRIu64 "%s", ns, ns ? "ns" : "");
        add(w, text);
        return;
    }
    len = snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64,
                   ns / units[u].ns, units[u].digits, ns % units[u].ns);
    while (len && text[len - 1] == '0')
        len--;
    len -= len && text[len - 1] == '.';
    tt_buffer_add(&w->cell, text, (size_t)len);
    add(w, units[u].name);
}

/* Adds nanoseconds, or a list of them, with a blank before each. */
static void add_times(struct writer *w, const char *json)
{
    while (*json) {
        bool negative = *json == '-';
        char *end = NULL;

        json += negative;
        if (*json >= '0' && *json <= '9') {
            add(w, negative ? " -" : " ");
            add_time(w, strtoull(json, &end, 10));
            json = end;
        } else if (*json) {
            json++;
        }
    }
}

/* Adds a JSON value; of a list of two, the first and the last. */
static void add_value(struct writer *w, const char *json)
{
    size_t len = strlen(json);

    if (*json != '[') {
        add(w, json);
        return;
    }
    for (size_t i = 1; i + 1 < len; i++)
        tt_buffer_add_byte(&w->cell, json[i] == ',' ? '-' : json[i]);
}

/* Adds a part of the selection: a word that is true, a key and its value, or
 * "3 of 5 GPU events". */
static void add_part(struct writer *w, const char *key, const char *json)
{
    const char *whole = value_of(w->table, key, strlen(key), "_of");

    if (!strcmp(json, "true")) {
        add_words(w, key, strlen(key));
    } else if (whole) {
        add(w, json);
        add(w, " of ");
        add(w, whole);
        add(w, " ");
        add_words(w, key, strlen(key));
    } else if (is_time(key)) {
        add_words(w, key, strlen(key) - strlen("_ns"));
        add_times(w, json);
    } else {
        add_words(w, key, strlen(key));
        add(w, " ");
        add_value(w, json);
    }
}

static void put_selection(struct writer *w)
{
    const char *json;
    const char *key;
    bool any = false;

    for (size_t n = 0; (key = t2t_table_selection(w->table, n, &json)); n++) {
        if (is_whole(w->table, key))
            continue;
        add(w, any ? ", " : "selected: ");
        add_part(w, key, json);
        any = true;
    }
    put_paragraph(w);
}

/* Says how many rows there were when not all are there, or none. */
static void put_row_count(struct writer *w)
{
    size_t rows = t2t_table_row_count(w->table);
    size_t of = t2t_table_row_count_of(w->table);

    if (!of)
        add(w, "(no rows)");
    if (rows < of) {
        add_number(w, rows);
        add(w, " of ");
        add_number(w, of);
        add(w, of == 1 ? " row" : " rows");
        if (w->layout.totals)
            add(w, "; the total is of all");
    }
    put_paragraph(w);
}

/* Says which columns did not fit. */
static void put_left_out(struct writer *w)
{
    const char *hint = w->layout.style->hint;
    size_t count = tt_layout_left_out(&w->layout);
    bool any = false;

    if (!count)
        return;
    add(w, "(");
    add_number(w, count);
    add(w, count == 1 ? " column not shown: " : " columns not shown: ");
    for (size_t i = 0; i < w->layout.count; i++) {
        const struct tt_place *p = &w->layout.place[i];

        if (p->shown)
            continue;
        add(w, any ? ", " : "");
        add(w, p->column->name);
        any = true;
    }
    if (hint) {
        add(w, "; ");
        add(w, hint);
    }
    add(w, ")");
    put_paragraph(w);
}

static void put_table(struct writer *w)
{
    size_t rows = t2t_table_row_count(w->table);

    put_selection(w);
    put_headings(w);
    for (size_t r = 0; r < rows && !w->out.failed; r++)
        put_row(w, r);
    if (w->layout.totals)
        put_totals(w);
    put_row_count(w);
    put_left_out(w);
}

enum t2t_status t2t_table_write_text(const t2t_table *table, FILE *to,
                                     const struct t2t_text_style *style,
                                     struct t2t_error *err)
{
    struct writer w;
    enum t2t_status st;

    if ((unsigned)style->unit > T2T_S)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no such unit: %d",
                        (int)style->unit);
    w.table = table;
    w.cell = (struct tt_buffer){0};
    w.pending = 0;
    w.failed = false;
    tt_out_init(&w.out, to);
    st = tt_layout_init(&w.layout, table, style);
    if (!st) {
        put_table(&w);
        if (w.failed)
            st = T2T_ERR_NO_MEMORY;
    }
    tt_layout_release(&w.layout);
    tt_buffer_release(&w.cell);
    if (st)
        return tt_error(err, st, TT_NO_OFFSET, "out of memory");
    return tt_out_end(&w.out, err);
}
