/*
 * query/row.h - fills the rows of a table; asked once whether that went well.
 */
#ifndef TT_QUERY_ROW_H
#define TT_QUERY_ROW_H

#include <math.h>

#include <trace2tree/table.h>

#include "base/status.h"
#include "query/kinds.h"
#include "query/summary.h"

struct tt_rows {
    t2t_table *table;
    enum t2t_status st; /* of the first cell that failed */
};

/* Makes the table without `before` of the first and `behind` of the last
 * columns of its kind. */
static inline enum t2t_status tt_rows_open(struct tt_rows *r,
                                           const struct tt_kind *kind,
                                           size_t before, size_t behind,
                                           struct t2t_error *err)
{
    r->st = t2t_table_create(&r->table, kind->name, kind->column + before,
                             kind->count - before - behind, err);
    return r->st;
}

static inline void tt_row_text(struct tt_rows *r, struct t2t_text text)
{
    if (!r->st)
        r->st = t2t_table_add_string(r->table, text);
}

static inline void tt_row_unsigned(struct tt_rows *r, uint64_t value)
{
    if (!r->st)
        r->st = t2t_table_add_unsigned(r->table, value);
}

/* A sum; what is past the largest integer is that. */
static inline void tt_row_sum(struct tt_rows *r, unsigned __int128 value)
{
    tt_row_unsigned(r, value > UINT64_MAX ? UINT64_MAX : (uint64_t)value);
}

static inline void tt_row_integer(struct tt_rows *r, int64_t value)
{
    if (!r->st)
        r->st = t2t_table_add_integer(r->table, value);
}

static inline void tt_row_real(struct tt_rows *r, double value)
{
    if (!r->st)
        r->st = t2t_table_add_real(r->table, value);
}

static inline void tt_row_null(struct tt_rows *r)
{
    if (!r->st)
        r->st = t2t_table_add_null(r->table);
}

/* A number that is not there when it is NaN. */
static inline void tt_row_real_or_null(struct tt_rows *r, double value)
{
    if (isnan(value))
        tt_row_null(r);
    else
        tt_row_real(r, value);
}

/* sum, mean, median, std, min, max. */
static inline void tt_row_summary(struct tt_rows *r, const struct tt_summary *s)
{
    tt_row_unsigned(r, s->sum);
    tt_row_real(r, s->mean);
    tt_row_real(r, s->median);
    tt_row_real_or_null(r, s->std);
    tt_row_unsigned(r, s->min);
    tt_row_unsigned(r, s->max);
}

/* Hands the table out, or frees it after a failure: `st` came before it. */
static inline enum t2t_status tt_rows_close(struct tt_rows *r,
                                            enum t2t_status st, t2t_table **out,
                                            struct t2t_error *err)
{
    if (!st && r->st)
        st = tt_error(err, r->st, TT_NO_OFFSET, "out of memory");
    if (st)
        t2t_table_free(r->table);
    else
        *out = r->table;
    return st;
}

#endif
