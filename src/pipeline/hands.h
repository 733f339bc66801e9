/*
 * pipeline/hands.h - threads that help the writer where nothing else is to do.
 */
#ifndef TT_PIPELINE_HANDS_H
#define TT_PIPELINE_HANDS_H

#include <uv.h>

#include "index/writer.h"

#define TT_HANDS_MOST 7

struct tt_hands {
    struct tt_writer *writer; /* not owned */
    struct tt_helpers helpers;
    uv_thread_t thread[TT_HANDS_MOST];
};

/* Starts `count` threads, but no more than the most, and those that can be. */
void tt_hands_start(struct tt_hands *h, struct tt_writer *writer, size_t count);

/* Sends them home and waits for them. */
void tt_hands_end(struct tt_hands *h);

#endif
