/*
 * analyze.h - the analyses: an index in, a table out.
 *
 * They use only what index.h and cursor.h offer, so a program can write its
 * own.  All times are integer nanoseconds; intervals are half open; percentages
 * are rounded once, from exact sums.  A sum past 2^64 - 1 is that in the table.
 */
#ifndef TRACE2TREE_ANALYZE_H
#define TRACE2TREE_ANALYZE_H

#include <trace2tree/index.h>
#include <trace2tree/selection.h>
#include <trace2tree/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a timeline is to tell.  All zero: no more than that. */
struct t2t_timeline_options {
    bool by_step;           /* a row for each recorded step */
    uint64_t micro_idle_ns; /* not 0: idle gaps shorter than it are told apart
                               from the others */
    bool recompute;         /* what activation checkpointing computes again is
                               told apart: what is below a Python frame named
                               both torch/utils/checkpoint.py and
                               recompute_fn */
};

/*
 * GPU time: a block of rows for all devices together (device "all") and one for
 * each GPU pid (integers ascending, then text).
 *
 * Columns: device, type, time_ns, percent (of total_time; NaN if that is 0).
 * With C, N, M the unions of the intervals of computing, communication and
 * copies: computation_time |C|, exposed_comm_time |N - C|, exposed_memcpy_time
 * |M - C - N|, busy_time |C + N + M|, idle_time total - busy, total_time from
 * the first start to the last end, total_comm_time |N|, total_memcpy_time |M|.
 * computation + exposed_comm + exposed_memcpy + idle = total.
 *
 * With micro_idle_ns idle_time is followed by micro_idle_time, the sum of the
 * gaps between events that are shorter, and macro_idle_time, that of the rest.
 *
 * With recompute a column before the others is "no" or "yes", and there are two
 * blocks for each device.  Both are measured against the total_time of all
 * events of the device, so that what is idle for one is idle or busy with the
 * other.  A row exclusive_time at the end is the time in which events of this
 * block ran and none of the other.
 *
 * By step (step.h) there is one row for each step, by start, of all devices,
 * then one for the GPU events in no step, if there are any.  Columns: step (the
 * name, or "(no step)"), gpu_events, step_ns (its duration on the host; empty
 * for no step), computation_ns, exposed_comm_ns, exposed_memcpy_ns, busy_ns,
 * idle_ns, total_ns, total_comm_ns, total_memcpy_ns as above, and with
 * micro_idle_ns two more.  There is no exclusive time.
 *
 * Other than all other analyses it takes a selection's `between` for a window:
 * events that reach into it are taken too, and all are cut at its ends.
 *
 * @param selection  NULL: everything.
 * @param options    NULL: none.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_timeline(const t2t_index *index,
                                     const struct t2t_selection *selection,
                                     const struct t2t_timeline_options *options,
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
 * @param recompute  a column recompute before the others, "no" or "yes": what
 *                   activation checkpointing computes again (see
 *                   t2t_timeline_options) has rows of its own.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_ops(const t2t_index *index,
                                const struct t2t_selection *selection,
                                enum t2t_ops_by by, bool recompute,
                                t2t_table **out, struct t2t_error *err);

/* The tables of kernels. */
enum t2t_kernels_by {
    T2T_KERNELS_BY_ALL, /* category and name of the launcher, name, stream */
    T2T_KERNELS_BY_NAME,
    T2T_KERNELS_BY_OP, /* category and name of the launcher */
    T2T_KERNELS_BY_STREAM,
    T2T_KERNELS_BY_CATEGORY,
    T2T_KERNELS_BY_DURATION,
};

/*
 * Durations, not unions, of all GPU events: copies, fills and communication
 * too.
 *
 * Columns by all: category and launcher (its name), kernel (the event's name),
 * stream (the argument, as JSON), count, sum_ns, mean, min_ns, max_ns,
 * first_index (the smallest place of any), percent (of the durations of all GPU
 * events selected, shorter or not).  By sum_ns, the largest first, then by
 * first_index.
 *
 * By name: kernel, what its name says (base_name, family, transpose, tile,
 * dtype: kernel_name.h; empty where it does not), and from count on the same.
 * By op the first columns are category and launcher, by stream device (pid of
 * the GPU) and stream, by category category.
 *
 * By duration, a histogram: duration (as text), from_ns, to_ns, count,
 * count_percent (of all GPU events selected, shorter or not), sum_ns, percent
 * (as above).  A row is of durations in [from_ns, to_ns); the limits are 0 and
 * 1, 2, 5 times powers of ten, the rows those from the shortest to the longest
 * duration.
 *
 * @param selection        NULL: everything.
 * @param shorter_than_ns  only GPU events whose duration is less; 0: all.
 * @param out              set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_kernels(const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    enum t2t_kernels_by by,
                                    uint64_t shorter_than_ns, t2t_table **out,
                                    struct t2t_error *err);

/* The tables of modules. */
enum t2t_modules_by {
    T2T_MODULES_BY_FRAME,
    T2T_MODULES_BY_CLASS,
    T2T_MODULES_BY_PATH,
};

/*
 * GPU time of the nn.Module frames.
 *
 * By frame, in the order of the trace: index, name, parent (the place of the
 * frame above, -1: none), gpu_ns (busy time of the GPU events below), own_ns
 * (of those below no other frame in it), gpu_events.  With `backward`, work of
 * backward events counts for the module of their forward operation, and
 * gpu_ns_fwd, gpu_ns_bwd, gpu_events_fwd, gpu_events_bwd tell both apart.
 *
 * Folded, frames of a class (Linear of Linear_7) or of a path (the names from
 * the outermost frame on, Model_0/Block_3/Linear_1: the same frame in each step
 * and each call) are a row: module, count (frames), gpu_ns, own_ns, own_percent
 * (of the own_ns of all rows), gpu_events, first_index (the
 * smallest place), and with `backward` the four more.  These are sums over the
 * frames; but gpu_ns and gpu_events of a frame in another of its class are in
 * those of the other and not added again.  By own_ns, the largest first, then
 * by first_index.
 *
 * @param selection  NULL: everything.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_modules(const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    enum t2t_modules_by by, bool backward,
                                    t2t_table **out, struct t2t_error *err);

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

/* ---- what tables there are ----------------------------------------------- */

/*
 * The n-th kind of table that the analyses make; NULL past the last.
 *
 * @param columns  set to all columns that it can have, static, with what each
 *                 means; a table may be without some.
 * @param count    set to how many these are.
 * @return its name, such as "ops-by-args"; static.
 */
T2T_API const char *t2t_table_kind(unsigned n,
                                   const struct t2t_table_column **columns,
                                   size_t *count);

#ifdef __cplusplus
}
#endif

#endif
