/*
 * pipeline/hands.h - threads that do tasks, where nothing else is to do.
 */
#ifndef TT_PIPELINE_HANDS_H
#define TT_PIPELINE_HANDS_H

#include <uv.h>

#include "base/helpers.h"
#include "base/tasks.h"

#define TT_HANDS_MOST 15

struct tt_hands {
    struct tt_tasks *tasks;    /* not owned */
    struct tt_helpers helpers; /* those that were started */
    uv_thread_t thread[TT_HANDS_MOST];
};

/* Starts `count` threads, but no more than the most, and those that can be. */
void tt_hands_start(struct tt_hands *h, struct tt_tasks *tasks, size_t count);

/* Sends them home and waits for them; an all-zero one is allowed. */
void tt_hands_end(struct tt_hands *h);

#endif
