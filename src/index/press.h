/*
 * index/press.h - frames on their way into the file: they go in as they are
 * filled, are compressed by whoever has time, and come out in the same order.
 *
 *     take -> fill -> push ... pop -> write -> give back
 *
 * One thread owns the press and calls all but tt_press_help(); any others may
 * call that meanwhile.  What nobody has begun when it is its turn the owner
 * compresses, so a press works without help.
 */
#ifndef TT_INDEX_PRESS_H
#define TT_INDEX_PRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>
#include <zstd.h>

#include <trace2tree/status.h>

#include "base/buffer.h"
#include "format/format.h"
#include "format/frame_write.h"

/* Frames that are under way at a time, that is filled and those that are
 * pressed: without help, and with. */
#define TT_PRESS_ALONE 2
#define TT_PRESS_HELPED 10

/* A frame of elements with more slots than this is not let lie. */
#define TT_PRESS_SLOTS ((size_t)128 << 10)

enum tt_pressed {
    TT_FRAME_FILLING,
    TT_FRAME_WAITING,
    TT_FRAME_TAKEN,
    TT_FRAME_DONE
};

struct tt_press_frame {
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

    enum tt_pressed state;
    ZSTD_CCtx *zstd;             /* owned */
    struct tt_press_frame *next; /* in the queue, or spare */
};

struct tt_press {
    uv_mutex_t lock;
    uv_cond_t to_do; /* there is something to press, or there will not be */
    uv_cond_t done;  /* the first one is */
    struct tt_press_frame *first; /* the queue, in order */
    struct tt_press_frame *last;
    struct tt_press_frame *spare; /* owned, as are those of the queue */
    size_t frames;                /* that there are */
    size_t most;
    bool closed; /* nothing is pushed any more */
};

/* All is T2T_OK or T2T_ERR_NO_MEMORY. */
enum t2t_status tt_press_init(struct tt_press *p);

/* Frees all frames but the one that is filled. */
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

/* Frees one, which the caller took. */
void tt_press_frame_free(struct tt_press_frame *f);

/*
 * Compresses a frame that nobody has begun.  Any thread.
 *
 * @param wait  until there is one, or the press is closed.
 * @return whether there was one.
 */
bool tt_press_help(struct tt_press *p, bool wait);

/* Nothing will be pushed from now on until it is opened: who waits to help goes
 * home. */
void tt_press_close(struct tt_press *p);
void tt_press_open(struct tt_press *p);

#endif
