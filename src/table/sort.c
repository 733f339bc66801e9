/* sort.c - the order of the rows by one column. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/table.h>

#include "base/sort.h"
#include "table/store.h"

/* In which part of the order a row is. */
enum part { LOWER, UPPER, NOT_A_NUMBER, EMPTY };

/* A row under way: orders by part, key and place. */
struct sorted {
    uint64_t key;
    uint32_t part;
    uint32_t place; /* before */
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left;
    const struct sorted *b = right;

    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

/* A text that waits for its rank. */
struct waiting {
    struct tt_interned text;
    uint32_t number;
};

static int compare_texts(const void *left, const void *right)
{
    const struct waiting *a = left;
    const struct waiting *b = right;
    size_t len = a->text.len < b->text.len ? a->text.len : b->text.len;
    int order = len ? memcmp(a->text.ptr, b->text.ptr, len) : 0;

    if (order)
        return order;
    return (a->text.len > b->text.len) - (a->text.len < b->text.len);
}

/* Ranks of all texts by number, to be freed; NULL when memory is short. */
static uint32_t *rank_texts(const struct tt_intern *texts)
{
    struct waiting *waiting = calloc(texts->count + 1, sizeof(*waiting));
    uint32_t *rank = calloc(texts->count + 1, sizeof(*rank));

    if (waiting && rank) {
        for (size_t i = 0; i < texts->count; i++)
            waiting[i] = (struct waiting){texts->item[i], (uint32_t)i};
        if (tt_sort(waiting, texts->count, sizeof(*waiting), compare_texts,
                    NULL, NULL)) {
            free(rank);
            rank = NULL;
        }
        for (size_t i = 0; rank && i < texts->count; i++)
            rank[waiting[i].number] = (uint32_t)i;
    } else {
        free(rank);
        rank = NULL;
    }
    free(waiting);
    return rank;
}

static void key_of_real(struct sorted *s, double value)
{
    double plain = value + 0.0; /* no -0 */
    uint64_t bits;

    memcpy(&bits, &plain, sizeof(bits));
    if (isnan(value))
        *s = (struct sorted){.part = NOT_A_NUMBER};
    else if (bits >> 63)
        *s = (struct sorted){.part = LOWER, .key = ~bits};
    else
        *s = (struct sorted){.part = UPPER, .key = bits};
}

/* Part and key of a row, ascending. */
static struct sorted key_of(const t2t_table *table, size_t row, size_t column,
                            const uint32_t *rank)
{
    struct sorted s = {.part = UPPER};
    enum tt_cell_kind kind;
    const union tt_cell *cell = tt_store_cell(table, row, column, &kind);

    if (kind == TT_CELL_NULL) {
        s.part = EMPTY;
        return s;
    }
    switch (table->columns[column].type) {
    case T2T_INTEGER:
        s.key = cell->large;
        if (kind == TT_CELL_VALUE && cell->integer < 0)
            s.part = LOWER;
        break;
    case T2T_REAL:
        key_of_real(&s, cell->real);
        break;
    case T2T_STRING:
        s.key = rank[cell->text];
        break;
    }
    return s;
}

static void turn_around(struct sorted *s)
{
    if (s->part != LOWER && s->part != UPPER)
        return;
    s->part = s->part == LOWER ? UPPER : LOWER;
    s->key = ~s->key;
}

/* Puts the order of the rows shown in `order`. */
static enum t2t_status make_order(const t2t_table *table, size_t column,
                                  bool descending, const uint32_t *rank,
                                  uint32_t *order)
{
    size_t count = t2t_table_row_count(table);
    struct sorted *sorted = calloc(count + 1, sizeof(*sorted));
    enum t2t_status st;

    if (!sorted)
        return T2T_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = key_of(table, tt_store_row(table, i), column, rank);
        sorted[i].place = (uint32_t)i;
        if (descending)
            turn_around(&sorted[i]);
    }
    st = tt_sort(sorted, count, sizeof(*sorted), compare_sorted, NULL, NULL);
    for (size_t i = 0; !st && i < count; i++)
        order[i] = (uint32_t)tt_store_row(table, sorted[i].place);
    free(sorted);
    return st;
}

enum t2t_status t2t_table_sort(t2t_table *table, size_t column, bool descending)
{
    uint32_t *rank = NULL;
    enum t2t_status st = T2T_ERR_NO_MEMORY;
    uint32_t *order;

    if (column >= table->column_count)
        return T2T_ERR_USAGE;
    order = calloc(t2t_table_row_count(table) + 1, sizeof(*order));
    if (order && table->columns[column].type == T2T_STRING)
        rank = rank_texts(&table->texts);
    if (order && (rank || table->columns[column].type != T2T_STRING))
        st = make_order(table, column, descending, rank, order);
    free(rank);
    if (st) {
        free(order);
        return st;
    }
    t2t_table_top(table, t2t_table_row_count(table));
    free(table->order);
    table->order = order;
    return T2T_OK;
}
