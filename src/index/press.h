/*
 * index/press.h - frames on their way into the file: they go in as they are
 * filled, are compressed by whoever has time (base/tasks.h), and come out in
 * the same order.
 *
 *     take -> fill -> push ... pop -> write -> give back
 *
 * One thread, the owner of the tasks.
 */
#ifndef TT_INDEX_PRESS_H
#define TT_INDEX_PRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zstd.h>

#include <trace2tree/status.h>

#include "base/buffer.h"
#include "base/tasks.h"
#include "format/format.h"
#include "format/frame_write.h"

/* Frames that are under way at a time, that is filled and those that are
 * pressed: without help, and with. */
#define TT_PRESS_ALONE 2
#define TT_PRESS_HELPED 10

/* A frame of elements with more slots than this is not let lie. */
#define TT_PRESS_SLOTS ((size_t)128 << 10)

struct tt_press_frame {
    struct tt_task task;

    /* What is to be compressed, the first that is there. */
    const uint32_t *ids; /* not owned; or NULL */
    size_t count;
    struct tt_sheet *sheet; /* owned; with an element */
    struct tt_buffer raw;   /* text */

    void *owner; /* what the user wants to know when it comes out */

    /* What came of it. */
    struct tt_buffer packed;
    struct tt_frame_record record; /* all but the offset */
    enum t2t_status status;        /* T2T_ERR_LIMIT: it is more than 4 GB */

    ZSTD_CCtx *zstd;             /* owned */
    struct tt_press_frame *next; /* spare */
};

struct tt_press {
    struct tt_task_queue queue;   /* its frames are owned */
    struct tt_press_frame *spare; /* owned */
    size_t frames;                /* that there are */
    size_t most;
};

/* An empty one, whose frames are compressed as `tasks`. */
void tt_press_init(struct tt_press *p, struct tt_tasks *tasks);

/* Frees all frames but the one that is filled; nobody helps any more. */
void tt_press_release(struct tt_press *p);

/* How many frames may be under way; spare ones above that are freed. */
void tt_press_set_most(struct tt_press *p, size_t most);

/*
 * An empty frame, the caller's to fill: that must be pushed or given back.
 *
 * @return T2T_OK; T2T_END: as many as may be are under way, pop one first;
 *         T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_press_take(struct tt_press *p, struct tt_press_frame **out);

/* Puts a frame that is filled into the queue. */
void tt_press_push(struct tt_press *p, struct tt_press_frame *f);

/* The first frame of the queue, compressed, which is the caller's now; NULL:
 * there is none, or it is not done and is not waited for. */
struct tt_press_frame *tt_press_pop(struct tt_press *p, bool wait);

/* Takes back a frame, to be used again. */
void tt_press_give(struct tt_press *p, struct tt_press_frame *f);

/* One for a caller that compresses it himself; NULL without memory. */
struct tt_press_frame *tt_press_frame_create(void);

/* Compresses what is in it, at once.  Any thread. */
void tt_press_run(struct tt_press_frame *f);

/* Frees one, which the caller took or made.  NULL is allowed. */
void tt_press_frame_free(struct tt_press_frame *f);

#endif
