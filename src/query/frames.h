/*
 * query/frames.h - the nn.Module frames, and the GPU time of each.
 *
 * The owner of a GPU event is the nearest module frame above it.  With
 * backward, going up from the event, it is the first of these: a module frame,
 * or the module of the forward operation that an event is linked to; in that
 * case the event is backward work of the module.
 */
#ifndef TT_QUERY_FRAMES_H
#define TT_QUERY_FRAMES_H

#include <stdint.h>

#include "query/gpu.h"

/* Whether time is forward, backward or both together. */
enum tt_way { TT_FORWARD, TT_BACKWARD, TT_BOTH };

#define TT_WAYS 3

#define TT_NO_FRAME UINT32_MAX

/* GPU work below a frame, with all frames in it. */
struct tt_work {
    uint64_t busy_ns;
    uint32_t count; /* of GPU events */
};

struct tt_frame {
    t2t_id id;
    uint32_t name;   /* string id */
    uint32_t parent; /* the frame above, or TT_NO_FRAME */
    uint32_t end;    /* the first frame behind those within it */
    uint64_t own_ns; /* busy time of the events that it owns itself */
    uint32_t own_count;
    struct tt_work work[TT_WAYS];
};

struct tt_frames {
    struct tt_frame *item; /* in preorder; owned */
    size_t cap;
    uint32_t count;
    uint32_t outside; /* GPU events that belong to no frame */
};

/*
 * Finds the frames and measures them.
 *
 * @param frames  release it with tt_frames_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_frames_measure(struct tt_frames *frames,
                                  const struct tt_gpu *gpu, bool backward,
                                  struct t2t_error *err);
void tt_frames_release(struct tt_frames *frames);

#endif
