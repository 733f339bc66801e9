/*
 * base/watch.h - long work that says how far it is and can be told to stop.
 *
 * Whoever works for long asks tt_watch_go_on() every few milliseconds.  On the
 * thread that made the watch this calls the watcher when it is due; a watcher
 * that answers false has canceled the work, and from then on every thread that
 * asks gets false, cleans up and leaves with tt_watch_stopped().
 *
 * NULL is a watch that nobody looks at: it always says to go on, and whoever
 * waits may wait for ever.
 */
#ifndef TT_BASE_WATCH_H
#define TT_BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/status.h"

/* How long to wait for something before asking again, at most. */
#define TT_WATCH_WAIT_MS 50
#define TT_WATCH_WAIT_NS (TT_WATCH_WAIT_MS * UINT64_C(1000000))

struct tt_watch {
    bool (*call)(void *context); /* the watcher, or NULL */
    void *context;
    uint64_t interval_ns; /* between calls; 0: at every question */
    uint64_t due_ns;      /* when the next call is due, by uv_hrtime() */
    uv_thread_t owner;    /* only it uses what stands above */
    atomic_bool canceled;
    atomic_bool dismissed;
    _Atomic uint64_t bytes; /* of the source, read so far, by whoever reads */
};

/* A watch of this thread, which calls about ten times a second.  `call` may be
 * NULL. */
void tt_watch_init(struct tt_watch *w, bool (*call)(void *context),
                   void *context);

/* Whether to go on; any thread. */
bool tt_watch_go_on(struct tt_watch *w);

/* The same, and the watcher is called also when it is not due; the thread of
 * the watch only. */
bool tt_watch_now(struct tt_watch *w);

/* For loops of quick turns: asks at every 4,096th, and the first. */
static inline bool tt_watch_turn(struct tt_watch *w, size_t turn)
{
    return (turn & 4095) || tt_watch_go_on(w);
}

/* Whether there is a watcher. */
bool tt_watch_is_used(const struct tt_watch *w);

/* Lets the other threads stop waiting: what they wait for is not wanted. */
void tt_watch_dismiss(struct tt_watch *w);

/* Whether to go on waiting for something, TT_WATCH_WAIT_MS or until it comes;
 * any thread. */
bool tt_watch_wait(struct tt_watch *w);

/* Whether the work was canceled; asks nobody. */
bool tt_watch_is_canceled(const struct tt_watch *w);

/* Notes that so many bytes more of the source have been read. */
void tt_watch_count(struct tt_watch *w, size_t bytes);

/* Bytes of the source so far. */
uint64_t tt_watch_bytes(const struct tt_watch *w);

/* Fills `err` with T2T_ERR_CANCELED, and returns it. */
enum t2t_status tt_watch_stopped(struct t2t_error *err);

/* Why something failed that can fail for two reasons: T2T_ERR_CANCELED, or
 * T2T_ERR_NO_MEMORY when nobody has canceled. */
enum t2t_status tt_watch_reason(const struct tt_watch *w);

#endif
