/* layout.c - measures columns, then cuts or leaves some out. */
#include "table/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/cell.h"
#include "table/store.h"
#include "table/text_cell.h"
#include "table/width.h"

#define NAME_KEEPS 24u /* columns of a name while others can be left out */
#define TEXT_KEEPS 12u /* of other texts */
#define LEAST 8u       /* of any text */

/* What measures cells: the one under way, and which texts were seen. */
struct ruler {
    bool *known; /* by the number of a text, owned */
    struct tt_buffer text;
    bool failed; /* memory ran out */
};

static bool is_text(const struct tt_place *p)
{
    return p->column->type == T2T_STRING;
}

static bool is_name(const struct tt_place *p)
{
    return is_text(p) && (p->column->flags & T2T_COLUMN_CUT);
}

/* Measures the text that the ruler has, and empties it. */
static void widen(struct tt_place *p, struct ruler *ruler)
{
    size_t width = tt_width(ruler->text.ptr, ruler->text.len);

    if (width > p->natural)
        p->natural = width;
    ruler->failed = ruler->failed || ruler->text.failed;
    tt_buffer_clear(&ruler->text);
}

/* The largest unit of which a column has at least one. */
static enum t2t_time_unit choose_scale(const t2t_table *table, size_t column)
{
    bool integers = t2t_table_column(table, column)->type == T2T_INTEGER;
    double most = 0;

    for (size_t r = 0; r < t2t_table_row_count(table); r++) {
        double value = integers ? (double)t2t_table_integer(table, r, column)
                                : t2t_table_real(table, r, column);

        if (fabs(value) > most)
            most = fabs(value);
    }
    if (most >= 1e9)
        return T2T_S;
    if (most >= 1e6)
        return T2T_MS;
    return most >= 1e3 ? T2T_US : T2T_NS;
}

static void measure_texts(const struct tt_layout *l, struct tt_place *p,
                          struct ruler *ruler)
{
    for (size_t r = 0; r < t2t_table_row_count(l->table); r++) {
        enum tt_cell_kind kind;
        const union tt_cell *cell =
            tt_store_cell(l->table, tt_store_row(l->table, r), p->at, &kind);

        if (kind == TT_CELL_NULL || ruler->known[cell->text])
            continue;
        ruler->known[cell->text] = true;
        tt_text_cell(&ruler->text, l->table, r, p);
        widen(p, ruler);
    }
}

/* Of integers only the largest and the least matter. */
static void measure_integers(const struct tt_layout *l, struct tt_place *p,
                             struct ruler *ruler)
{
    uint64_t most = 0;
    int64_t least = 0;

    for (size_t r = 0; r < t2t_table_row_count(l->table); r++) {
        int64_t value = t2t_table_integer(l->table, r, p->at);
        uint64_t size = t2t_table_unsigned(l->table, r, p->at);

        if (value < least)
            least = value;
        if (size > most)
            most = size;
    }
    tt_text_integer(&ruler->text, most, false, p);
    widen(p, ruler);
    if (least < 0) {
        tt_text_integer(&ruler->text, 0 - (uint64_t)least, true, p);
        widen(p, ruler);
    }
}

static void measure_reals(const struct tt_layout *l, struct tt_place *p,
                          struct ruler *ruler)
{
    double most = 0;
    double least = 0;

    for (size_t r = 0; r < t2t_table_row_count(l->table); r++) {
        double value = t2t_table_real(l->table, r, p->at);

        if (fabs(value) < 1e12) {
            most = value > most ? value : most;
            least = value < least ? value : least;
        } else if (!t2t_table_is_null(l->table, r, p->at)) {
            tt_text_real(&ruler->text, value, p);
            widen(p, ruler);
        }
    }
    tt_text_real(&ruler->text, most, p);
    widen(p, ruler);
    tt_text_real(&ruler->text, least, p);
    widen(p, ruler);
}

/* Makes the widest cell of a column its width. */
static void measure(const struct tt_layout *l, struct tt_place *p,
                    struct ruler *ruler)
{
    tt_text_heading(&ruler->text, p);
    widen(p, ruler);
    if (l->totals) {
        if (p == l->place)
            tt_buffer_add(&ruler->text, TT_TOTAL_LABEL,
                          sizeof(TT_TOTAL_LABEL) - 1);
        else if (p->column->flags & T2T_COLUMN_TOTAL)
            tt_text_total(&ruler->text, p);
        widen(p, ruler);
    }
    switch (p->column->type) {
    case T2T_INTEGER:
        measure_integers(l, p, ruler);
        break;
    case T2T_REAL:
        measure_reals(l, p, ruler);
        break;
    case T2T_STRING:
        memset(ruler->known, 0, l->table->texts.count * sizeof(*ruler->known));
        measure_texts(l, p, ruler);
        break;
    }
}

/* What a column needs when texts keep `name` and `text` columns. */
static size_t least_width(const struct tt_place *p, size_t name, size_t text)
{
    size_t least = is_name(p) ? name : text;

    return is_text(p) && p->natural > least ? least : p->natural;
}

static size_t with_gap(const struct tt_place *p, size_t width)
{
    return TT_GAP + width + (p->bar ? 1 + TT_BAR_WIDTH : 0);
}

/* Columns of a line as it is, or as narrow as it gets. */
static size_t line_width(const struct tt_layout *l)
{
    size_t width = 0;

    for (size_t i = 0; i < l->count; i++)
        if (l->place[i].shown)
            width += with_gap(&l->place[i], l->place[i].width);
    return width > TT_GAP ? width - TT_GAP : width;
}

static size_t least_line(const struct tt_layout *l, size_t name, size_t text)
{
    size_t width = 0;

    for (size_t i = 0; i < l->count; i++)
        if (l->place[i].shown)
            width += TT_GAP + least_width(&l->place[i], name, text);
    return width > TT_GAP ? width - TT_GAP : width;
}

/* Leaves a column out, not one that is kept: that with the highest `hide`,
 * which is `least` at least, the last of equals.  False: there is none but a
 * last one. */
static bool leave_out(struct tt_layout *l, unsigned least)
{
    struct tt_place *found = NULL;
    size_t shown = 0;

    for (size_t i = 0; i < l->count; i++) {
        struct tt_place *p = &l->place[i];

        shown += p->shown;
        if (p->shown && !p->kept && p->column->hide >= least &&
            (!found || p->column->hide >= found->column->hide))
            found = p;
    }
    if (!found || shown < 2)
        return false;
    found->shown = false;
    return true;
}

/* Columns of names or other texts when none is wider than `cap`. */
static size_t capped_width(const struct tt_layout *l, bool names, size_t cap)
{
    size_t width = 0;

    for (size_t i = 0; i < l->count; i++) {
        const struct tt_place *p = &l->place[i];

        if (p->shown && is_text(p) && is_name(p) == names)
            width += p->width > cap ? cap : p->width;
    }
    return width;
}

/* Cuts the widest names, or other texts, until a line fits or all of them are
 * down to `least`. */
static bool cut(struct tt_layout *l, bool names, size_t least)
{
    size_t width = l->style->width;
    size_t line = line_width(l);
    size_t rest = line - capped_width(l, names, SIZE_MAX);
    size_t low = least;
    size_t high = width > least ? width : least;

    if (line <= width)
        return true;
    while (low < high) { /* the largest that fits, else `least` */
        size_t middle = high - (high - low) / 2;

        if (rest + capped_width(l, names, middle) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    line = rest + capped_width(l, names, low);
    for (size_t i = 0; i < l->count; i++) {
        struct tt_place *p = &l->place[i];

        if (!p->shown || !is_text(p) || is_name(p) != names || p->width <= low)
            continue;
        p->width = low;
        if (line < width) { /* a column that is left over */
            p->width++;
            line++;
        }
    }
    return line <= width;
}

static void set_widths(struct tt_layout *l, bool bars)
{
    for (size_t i = 0; i < l->count; i++) {
        l->place[i].width = l->place[i].natural;
        l->place[i].bar = bars && (l->place[i].column->flags & T2T_COLUMN_BAR);
    }
}

/* Makes a line fit the width that there is. */
static void fit(struct tt_layout *l)
{
    size_t width = l->style->width;

    while (least_line(l, NAME_KEEPS, TEXT_KEEPS) > width && leave_out(l, 1))
        continue;
    while (least_line(l, LEAST, LEAST) > width && leave_out(l, 0))
        continue;
    if (cut(l, true, NAME_KEEPS))
        return;
    set_widths(l, false);
    if (cut(l, true, NAME_KEEPS) || cut(l, false, TEXT_KEEPS) ||
        cut(l, true, LEAST) || cut(l, false, LEAST))
        return;
    for (size_t i = 0; i < l->count; i++) /* one is left */
        if (l->place[i].shown && l->place[i].width > width)
            l->place[i].width = width;
}

/* Whether a last row has totals: there are some, and room to say so. */
static bool has_totals(const struct tt_layout *l)
{
    bool any = false;

    if (!l->count || t2t_table_row_count_of(l->table) < 2 ||
        (l->place[0].column->flags & T2T_COLUMN_TOTAL))
        return false;
    for (size_t i = 0; i < l->count; i++)
        any = any || l->place[i].total.kind != TT_TOTAL_NONE;
    return any;
}

/* The same for the columns that are left. */
static bool keeps_totals(const struct tt_layout *l)
{
    size_t first = 0;
    bool any = false;

    while (first < l->count && !l->place[first].shown)
        first++;
    for (size_t i = first; i < l->count; i++)
        any = any ||
              (l->place[i].shown && l->place[i].total.kind != TT_TOTAL_NONE);
    return any && !(l->place[first].column->flags & T2T_COLUMN_TOTAL);
}

/* Lists the columns that are not hidden. */
static void list_columns(struct tt_layout *l)
{
    for (size_t c = 0; c < t2t_table_column_count(l->table); c++) {
        const struct t2t_table_column *column = t2t_table_column(l->table, c);
        struct tt_place *p = &l->place[l->count];

        bool kept = l->style->keep && !strcmp(l->style->keep, column->name);

        if (!kept && (column->flags & T2T_COLUMN_HIDDEN))
            continue;
        *p = (struct tt_place){.column = column,
                               .at = c,
                               .shown = true,
                               .kept = kept};
        p->time = !strcmp(tt_unit(column), "ns") && !is_text(p);
        p->scale = l->style->unit;
        if (p->time && p->scale == T2T_AUTO)
            p->scale = choose_scale(l->table, c);
        if (column->flags & T2T_COLUMN_TOTAL)
            p->total = tt_total(l->table, c);
        l->count++;
    }
}

static bool is_part(const struct tt_place *p)
{
    return p->time && (p->column->flags & T2T_COLUMN_PART);
}

/* Columns that are parts of one another get the largest unit of them. */
static void share_scale(struct tt_layout *l)
{
    enum t2t_time_unit most = T2T_NS;

    for (size_t i = 0; i < l->count; i++)
        if (is_part(&l->place[i]) && l->place[i].scale > most)
            most = l->place[i].scale;
    for (size_t i = 0; i < l->count; i++)
        if (is_part(&l->place[i]))
            l->place[i].scale = most;
}

enum t2t_status tt_layout_init(struct tt_layout *l, const t2t_table *table,
                               const struct t2t_text_style *style)
{
    struct ruler ruler = {0};
    bool failed = true;

    *l = (struct tt_layout){.table = table, .style = style};
    l->place = calloc(t2t_table_column_count(table), sizeof(*l->place));
    ruler.known = calloc(table->texts.count + 1, sizeof(*ruler.known));
    if (l->place && ruler.known) {
        list_columns(l);
        if (style->unit == T2T_AUTO)
            share_scale(l);
        l->totals = has_totals(l);
        for (size_t i = 0; i < l->count; i++)
            measure(l, &l->place[i], &ruler);
        set_widths(l, true);
        if (style->width)
            fit(l);
        l->totals = l->totals && keeps_totals(l);
        failed = ruler.failed;
    }
    free(ruler.known);
    tt_buffer_release(&ruler.text);
    return failed ? T2T_ERR_NO_MEMORY : T2T_OK;
}

void tt_layout_release(struct tt_layout *l)
{
    free(l->place);
}

size_t tt_layout_left_out(const struct tt_layout *l)
{
    size_t count = 0;

    for (size_t i = 0; i < l->count; i++)
        count += !l->place[i].shown;
    return count;
}
