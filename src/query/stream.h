/*
 * query/stream.h - the GPU events as streams see them: when each was launched,
 * and which of them a selection is about.
 *
 * A stream is a GPU lane: the pid of a device, the tid of a stream.  What it
 * had to do and when it had nothing to do follows from all of its events; a
 * selection only picks those to be told of.
 */
#ifndef TT_QUERY_STREAM_H
#define TT_QUERY_STREAM_H

#include <stdint.h>

#include "query/device.h"
#include "query/gpu.h"
#include "query/row.h"

struct tt_queued {
    int64_t launch_ns;    /* the start of its launch; its own without one */
    uint32_t launch_lane; /* the thread; T2T_NO_ID without a launch */
    bool is_selected;
};

struct tt_streams {
    struct tt_gpu gpu; /* all events that count; each is on a lane of a
                          device */
    struct tt_devices devices;
    struct tt_queued *queued; /* of each; owned */
    uint32_t *order;          /* the events by lane, then by start; those that
                                 start together by launch, the ones without
                                 last, then by id; owned */
    uint32_t selected_count;
};

/*
 * Reads the events of `index`.
 *
 * @param linked_only  take events without a launch away, as if the trace had
 *                     none.
 * @param selection    NULL: everything.
 * @param s            release it with tt_streams_release(), also after a
 *                     failure.
 * @return T2T_OK; T2T_ERR_USAGE when a module is no path; T2T_ERR_INDEX_DAMAGE;
 *         T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_streams_read(struct tt_streams *s, const t2t_index *index,
                                bool linked_only,
                                const struct t2t_selection *selection,
                                struct t2t_error *err);
void tt_streams_release(struct tt_streams *s);

/* tt_gpu_describe() of what is selected. */
enum t2t_status tt_streams_describe(const struct tt_streams *s,
                                    const struct t2t_selection *selection,
                                    t2t_table *table, struct t2t_error *err);

/* How the lane asked for last is named.  All zero: none was. */
struct tt_stream_name {
    bool any;
    uint32_t lane;
    struct tt_device device;
    struct tt_device stream; /* a tid is named as a pid is */
};

/* Adds two cells: the device and the stream of a lane. */
void tt_row_stream(struct tt_rows *rows, const t2t_index *index, uint32_t lane,
                   struct tt_stream_name *known);

/*
 * Fills depth[i], for each event with a launch, with the length of the queue of
 * its stream at the launch: how many events of the stream were launched before
 * (strictly) and end after it.  An event without a launch counts as launched
 * when it starts.  0 for those without a launch.
 *
 * @return T2T_OK; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_streams_depths(const struct tt_streams *s, uint32_t *depth,
                                  struct t2t_error *err);

#endif
