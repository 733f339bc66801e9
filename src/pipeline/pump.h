/*
 * pipeline/pump.h - a caller's function as a source of bytes.
 *
 * The function may take its time, so it is called on a thread of its own, the
 * pump's, one call after the other; whoever reads waits for blocks it has
 * filled and can ask its watch meanwhile.
 */
#ifndef TT_PIPELINE_PUMP_H
#define TT_PIPELINE_PUMP_H

#include <uv.h>

#include <trace2tree/build.h>

#include "base/bqueue.h"
#include "input/source.h"

#define TT_PUMP_BLOCKS 4
#define TT_PUMP_BYTES ((size_t)256 << 10) /* of a block */

struct tt_pump_block {
    enum t2t_status status; /* below 0: the function failed */
    size_t len;             /* 0: the end */
    unsigned char bytes[TT_PUMP_BYTES];
};

struct tt_pump {
    t2t_build_read *read;
    void *context;
    struct tt_watch *watch;    /* not owned */
    struct tt_reader reader;   /* for tt_source_open_reader() */
    struct tt_bqueue empty;    /* blocks to be filled */
    struct tt_bqueue full;     /* in their order */
    struct tt_pump_block *all; /* owned */
    struct tt_pump_block *now; /* what is read from, the reader's */
    size_t used;               /* bytes of it */
    uv_thread_t thread;
};

/* Starts to call `read`.  Stop it only on T2T_OK. */
enum t2t_status tt_pump_start(struct tt_pump *p, t2t_build_read *read,
                              void *context, struct tt_watch *watch,
                              struct t2t_error *err);

/* Waits for a call under way to return, ends the thread and frees.  All zero
 * is allowed. */
void tt_pump_stop(struct tt_pump *p);

#endif
