/*
 * query/kinds.h - what tables there are: their names and columns.
 *
 * Each kind is defined where it is made.  A kind has all the columns that it
 * can have; a table may be without the first or the last of them.
 */
#ifndef TT_QUERY_KINDS_H
#define TT_QUERY_KINDS_H

#include <stddef.h>

#include <trace2tree/table.h>

struct tt_kind {
    const char *name;
    const struct t2t_table_column *column;
    size_t count;
};

/* `columns` is an array. */
#define TT_KIND(name, columns)                                                 \
    {                                                                          \
        name, columns, sizeof(columns) / sizeof((columns)[0])                  \
    }

extern const struct tt_kind tt_kind_timeline;
extern const struct tt_kind tt_kind_timeline_by_step;
extern const struct tt_kind tt_kind_launchers;
extern const struct tt_kind tt_kind_ops_by_category;
extern const struct tt_kind tt_kind_ops_by_name;
extern const struct tt_kind tt_kind_ops_by_args;
extern const struct tt_kind tt_kind_ops_by_module;
extern const struct tt_kind tt_kind_kernels;
extern const struct tt_kind tt_kind_kernels_by_name;
extern const struct tt_kind tt_kind_kernels_by_op;
extern const struct tt_kind tt_kind_kernels_by_stream;
extern const struct tt_kind tt_kind_kernels_by_category;
extern const struct tt_kind tt_kind_kernels_by_duration;
extern const struct tt_kind tt_kind_launches_by_op;
extern const struct tt_kind tt_kind_launches_by_call;
extern const struct tt_kind tt_kind_launches_by_event;
extern const struct tt_kind tt_kind_launches_host_only;
extern const struct tt_kind tt_kind_launches_unlinked;
extern const struct tt_kind tt_kind_gaps_by_stream;
extern const struct tt_kind tt_kind_gaps_by_cause;
extern const struct tt_kind tt_kind_gaps_by_op;
extern const struct tt_kind tt_kind_gaps_by_hole;
extern const struct tt_kind tt_kind_modules;
extern const struct tt_kind tt_kind_modules_with_backward;
extern const struct tt_kind tt_kind_modules_folded;
extern const struct tt_kind tt_kind_links;
extern const struct tt_kind tt_kind_collectives;

#endif
