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
#include <trace2tree/selection.h>
#include <trace2tree/table.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* The tables of operations. */
enum t2t_ops_by {
    T2T_OPS_BY_CATEGORY,
    T2T_OPS_BY_NAME,
    T2T_OPS_BY_ARGS,
    T2T_OPS_BY_MODULE,
    T2T_OPS_BY_LAUNCHER,
};

/*
 * GPU time by what launched it.  The launcher of a GPU event is the nearest
 * operation above its launch that is not named "execute", else the launch; a
 * GPU event without a launch stands for itself, named "(unlinked)".
 *
 * direct_ns is the busy time (the length of the union) of the GPU events of a
 * launcher that are no communication; subtree_ns that of everything below it.
 * A launcher with communication only has no row.  Times of a group are sums
 * over its launchers, its share is of direct_ns; the order is by direct_ns, the
 * largest first, then by first_index, the place in traceEvents of the member
 * that starts first.
 *
 * By launcher: a row each, by start: index, name, category, direct_ns,
 * subtree_ns, direct_kernels (how many).
 *
 * By category: category, count, direct_ns, first_index, percent,
 * cumulative_percent.
 *
 * By name: name, categories (a JSON list), count, direct_ns, subtree_ns,
 * first_index, percent, cumulative_percent.
 *
 * By arguments: name, category, process_name, thread_name, input_dims,
 * input_type, input_strides, concrete_inputs (compact JSON, null for none),
 * count, direct_ns_ and subtree_ns_ sum, mean, median, std (of a sample; empty
 * for one), min and max, first_index, percent, cumulative_percent.
 *
 * By module: module (the name of the nearest frame above, or "(no module)"),
 * count, direct_ns, subtree_ns, first_index, percent, cumulative_percent.
 *
 * @param selection  NULL: everything.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_ops(const t2t_index *index,
                                const struct t2t_selection *selection,
                                enum t2t_ops_by by, t2t_table **out,
                                struct t2t_error *err);

/*
 * Durations, not unions, of all GPU events by category and name of their
 * launcher, their own name, and their stream (the argument, as JSON).
 *
 * Columns: category, launcher, kernel, stream, count, sum_ns, mean, min_ns,
 * max_ns, first_index (the smallest place of any), percent (of all durations).
 * By sum_ns, the largest first, then by first_index.
 */
T2T_API enum t2t_status t2t_kernels(const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    t2t_table **out, struct t2t_error *err);

/*
 * GPU time of every nn.Module frame, in the order of the trace.
 *
 * Columns: index, name, parent (the place of the frame above, -1: none),
 * gpu_ns (busy time of the GPU events below), own_ns (of those below no other
 * frame in it), gpu_events.  With `backward`, work of backward events counts
 * for the module of their forward operation, and gpu_ns_fwd, gpu_ns_bwd,
 * gpu_events_fwd, gpu_events_bwd tell both apart.
 */
T2T_API enum t2t_status t2t_modules(const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    bool backward, t2t_table **out,
                                    struct t2t_error *err);

/* Columns: forward, backward: the places of the two of each link, ascending. */
T2T_API enum t2t_status t2t_links(const t2t_index *index, t2t_table **out,
                                  struct t2t_error *err);

/*
 * Communication kernels of one rank by what they exchange.
 *
 * Columns: process_group_name, process_group_ranks, collective_name,
 * group_size, dtype, in_msg_nelems, out_msg_nelems, in_split_size,
 * out_split_size, stream (compact JSON), in_msg_bytes, out_msg_bytes (empty
 * where the number or the type is not known), count, sum_ns, mean, std, min_ns,
 * max_ns, first_index.  By sum_ns, then by first_index.
 */
T2T_API enum t2t_status t2t_collectives(const t2t_index *index,
                                        const struct t2t_selection *selection,
                                        t2t_table **out, struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
