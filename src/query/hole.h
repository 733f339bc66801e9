/*
 * query/hole.h - the holes of streams, and what each was waited for: see
 * t2t_gaps() in idle.h.
 */
#ifndef TT_QUERY_HOLE_H
#define TT_QUERY_HOLE_H

#include <stddef.h>
#include <stdint.h>

#include "query/stream.h"

enum tt_hole_class { TT_FOR_HOST, TT_FOR_STREAM, TT_FOR_OTHER, TT_SHORT };

#define TT_HOLE_CLASSES 4

#define TT_NO_EVENT UINT32_MAX

struct tt_hole {
    struct tt_interval time;
    uint32_t next;   /* number of the event that starts at its end */
    uint32_t before; /* of that which ends at its start; of several the first in
                        the order of the stream */
    uint8_t class;   /* enum tt_hole_class */
    uint32_t event;  /* of another stream, that it was waited for, ... */
    t2t_id wait;     /* ... or the wait that names `next`; else TT_NO_EVENT and
                        T2T_NO_ID.  Both only of TT_FOR_STREAM */
    t2t_id call;     /* what the host did, or T2T_NO_ID */
    uint64_t call_ns;
};

/* A stream that has selected events. */
struct tt_hole_stream {
    uint32_t lane;
    uint32_t first; /* its holes, by time, are these of tt_holes.item */
    uint32_t count;
    uint32_t event_count; /* selected */
    uint64_t busy_ns;     /* time in which selected events run and none that
                             stands before in the order */
};

struct tt_holes {
    const struct tt_streams *streams;
    struct tt_hole *item; /* the selected ones, by stream, by time; owned */
    size_t cap;
    uint32_t count;
    struct tt_hole_stream *stream; /* by lane; owned */
    size_t stream_cap;
    uint32_t stream_count;
};

/*
 * Finds the holes and their classes; those shorter than min_ns are TT_SHORT and
 * nothing else is known of them.
 *
 * @param h  release it with tt_holes_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_LIMIT; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_holes_find(struct tt_holes *h,
                              const struct tt_streams *streams, uint64_t min_ns,
                              struct t2t_error *err);
void tt_holes_release(struct tt_holes *h);

static inline uint64_t tt_hole_ns(const struct tt_hole *h)
{
    return (uint64_t)h->time.end_ns - (uint64_t)h->time.start_ns;
}

#endif
