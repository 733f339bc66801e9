/*
 * analyze.h - the analyses: an index in, a table out.
 *
 * They use only what index.h and cursor.h offer, so a program can write its
 * own.  All times are integer nanoseconds; intervals are half open; percentages
 * are rounded once, from exact sums.
 */
#ifndef TRACE2TREE_ANALYZE_H
#define TRACE2TREE_ANALYZE_H

#include <trace2tree/index.h>
#include <trace2tree/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which GPU events an analysis looks at.  All zero: all of them. */
struct t2t_selection {
    bool linked_only; /* leave out GPU events without a launch */
};

/*
 * GPU time: a block of eight rows for all devices together (device "all") and
 * one for each GPU pid (integers ascending, then text).
 *
 * Columns: device, type, time_ns, percent (of total_time; NaN if that is 0).
 * With C, N, M the unions of the intervals of computing, communication and
 * copies: computation_time |C|, exposed_comm_time |N - C|, exposed_memcpy_time
 * |M - C - N|, busy_time |C + N + M|, idle_time total - busy, total_time from
 * the first start to the last end, total_comm_time |N|, total_memcpy_time |M|.
 * computation + exposed_comm + exposed_memcpy + idle = total.
 *
 * @param selection  NULL: everything.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_timeline(const t2t_index *index,
                                     const struct t2t_selection *selection,
                                     t2t_table **out, struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
