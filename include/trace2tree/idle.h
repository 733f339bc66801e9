/*
 * idle.h - why GPUs have nothing to do: launches, and the holes of streams.
 *
 * As in analyze.h: an index in, a table out, exact integer nanoseconds.
 *
 * A stream is a lane of GPU events: the pid of a device, the tid of a stream.
 * What it had to do follows from all of its events; a selection only picks
 * those that are told of, with what is true of them in the whole trace.  In
 * tables of holes, selecting linked events only is another thing, as in the
 * timeline: events without a launch are taken away then, as if the trace had
 * none, and streams are idle meanwhile.  Depths are of all events always.
 */
#ifndef TRACE2TREE_IDLE_H
#define TRACE2TREE_IDLE_H

#include <trace2tree/index.h>
#include <trace2tree/selection.h>
#include <trace2tree/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The tables of launches. */
enum t2t_launches_by {
    T2T_LAUNCHES_BY_OP,
    T2T_LAUNCHES_BY_CALL,
    T2T_LAUNCHES_BY_EVENT,
    T2T_LAUNCHES_HOST_ONLY,
    T2T_LAUNCHES_UNLINKED,
};

/*
 * How GPU events were launched.
 *
 * The delay of a GPU event is its start less that of its launch, no further
 * from 0 than an int64_t is.  Where the clocks of host and GPU disagree it is
 * below 0: such delays are counted (negative) and are in every figure as they
 * are.  p99 is the smallest delay that at least 99 of 100 do not exceed.
 *
 * The depth of a GPU event is how many other GPU events its stream had to do
 * when it was launched: those launched before (strictly) that end later.  One
 * without a launch counts as launched when it starts.  Launches at depth 0
 * (empty) found the stream with nothing to do: it waited for the host.
 *
 * By operation: op (the launcher: see t2t_ops()), gpu_events, launches (calls),
 * host_ns (the time that the calls took), delay_mean, delay_median,
 * delay_p99_ns, delay_min_ns, delay_max_ns, negative, depth_mean, depth_max,
 * empty, percent (of gpu_events that are empty), slowest_id (the event with the
 * largest delay, of several the first id), first_index (the smallest place in
 * traceEvents of an event).  The most gpu_events first, then by first_index.
 *
 * By call: the same of each name of a call: call, gpu_events, ...
 *
 * By event: a row for each: id, kernel, op, device, stream, launch_id,
 * launch_ns (its start, from the origin of the index), delay_ns, depth, dur_ns.
 * The largest delay first, then by place in traceEvents.
 *
 * Host only: calls that launched nothing that was recorded, such as
 * synchronizations: call, count, host_ns, mean, max_ns, percent (of all
 * host_ns), longest_id.  By host_ns, the largest first, then by the smallest
 * place in traceEvents of a call.
 * A call is selected by its start, and when a device is selected it is not.
 *
 * Unlinked: GPU events without a launch: device, stream, category, kernel,
 * count, sum_ns, mean, early (how many start before any GPU event of the stream
 * with a launch does, all where there is none: launched before the recording
 * began, most likely),
 * first_id.  By sum_ns, the largest first, then by the smallest place.
 *
 * @param selection  NULL: everything.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_launches(const t2t_index *index,
                                     const struct t2t_selection *selection,
                                     enum t2t_launches_by by, t2t_table **out,
                                     struct t2t_error *err);

/* The tables of holes. */
enum t2t_gaps_by {
    T2T_GAPS_BY_STREAM,
    T2T_GAPS_BY_CAUSE,
    T2T_GAPS_BY_OP,
    T2T_GAPS_BY_HOLE,
};

/*
 * The holes of streams: the times between the first start and the last end of a
 * stream's GPU events in which none of them runs.  Events without duration
 * cover nothing.  The next event of a hole is that which starts at its end; of
 * several that launched first, those without a launch behind the others, then
 * that with the smallest id.  A hole is selected with its next event.
 *
 * The class of a hole says what the stream waited for:
 *   - host: the next event has a launch, and that started after the hole began;
 *     there was nothing to do;
 *   - stream: else, when a wait names the next event: it is the first that its
 *     stream was given after a record "Stream Wait Event" of the stream about
 *     another one.  Where the trace has no such record, it is the first GPU
 *     event that its thread launched after a call of cudaStreamWaitEvent,
 *     cuStreamWaitEvent or hipStreamWaitEvent.  Or when of the GPU events of
 *     other streams of the device that start before the hole ends, one ends
 *     behind the middle of the hole: it ran until the end, or nearly so;
 *   - other: neither; what the device itself takes between two events, mostly;
 *   - short: it is shorter than min_ns, and nothing else is asked about it.
 *
 * What the host did meanwhile is told of the thread of the next event's launch,
 * and where that was in no call, of the thread that launched the event before
 * the hole.  Of the outermost calls of the thread the one that ran longest
 * during the hole counts, of equals the first; none when the thread was longer
 * in no call at all.  Of it and the calls in it the innermost is taken that ran
 * for more than half of that time.  A call that crosses another ends it, and
 * calls end with those they are in, as in the tree.
 *
 * By stream: a row for each class: device, stream, class (host, stream, other,
 * short if min_ns is not 0, and busy: the time in which selected events made
 * the stream busy when no event before was running), count (holes; of busy: GPU
 * events), sum_ns, mean, max_ns (empty for busy), percent (of all rows of the
 * stream: without a selection that is from the first start to the last end),
 * cause (that with the largest sum_ns, as by cause), cause_percent (its share
 * of the row).
 *
 * By cause: class, cause (of host: the call that the host was in, "(no call)"
 * without one; of stream: the name of the GPU event that it waited for, which
 * is that of another stream that ends last, or of the wait where no event ends
 * in the hole or later; else empty), count, sum_ns, mean, max_ns, percent (of
 * all holes), next_id (the next event of the longest hole), cause_id (the call
 * or event of that hole).  By sum_ns, the largest first; of equals the one of
 * which a hole comes first.
 *
 * By operation: op (the launcher of the next event: see t2t_ops()), count,
 * sum_ns, host_ns, stream_ns, other_ns (by class), short_ns, mean, max_ns,
 * percent (of all holes), next_id (the next event of the longest hole).  In the
 * same order.
 *
 * By hole: a row each, but for those that are short: start_ns (from the origin
 * of the index), dur_ns, class, device, stream, cause, op, next (name of the
 * next event), delay_ns (its start less that of its launch; empty without one),
 * host (name of the call the host was in), in_call_ns (how long, during the
 * hole), next_id, before_id (the event that ends where the hole begins),
 * host_id and cause_id.  The longest first, then by start, then by next_id.
 *
 * With min_ns the table says in its selection how many holes are short, and how
 * long they are together.
 *
 * @param selection  NULL: everything.
 * @param min_ns     0: all holes.
 * @param out        set on success; free with t2t_table_free().
 */
T2T_API enum t2t_status t2t_gaps(const t2t_index *index,
                                 const struct t2t_selection *selection,
                                 enum t2t_gaps_by by, uint64_t min_ns,
                                 t2t_table **out, struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
