/*
 * pipeline/crew.h - the threads of a build: one that feeds, N that decode.
 *
 * The feeder pushes each chunk into two bounded queues: `work`, from which any
 * worker takes it, and `line`, from which the builder takes it in the order of
 * the document and waits until it is done.  The line's bound is what limits
 * the memory in flight.  Where one is to decode, that is the builder itself.
 *
 * Stopping is by closing: the feeder closes both queues at the end of the
 * text; the builder closes them early when it has failed or was canceled, and
 * what is still queued is not decoded then.
 */
#ifndef TT_PIPELINE_CREW_H
#define TT_PIPELINE_CREW_H

#include <uv.h>

#include "base/bqueue.h"
#include "decode/decoder.h"
#include "input/source.h"
#include "pipeline/chunk.h"

struct tt_crew;

/* Blocks of text in flight: what the line holds, one that is being filled and
 * the tail that follows. */
#define TT_SPARE_TEXTS 4

struct tt_worker {
    struct tt_crew *crew;
    struct tt_decoder *decoder; /* owned */
    size_t number;
    uv_thread_t thread;
};

struct tt_crew {
    struct tt_bqueue work;
    struct tt_bqueue line;
    uv_mutex_t lock; /* guards `done` of all chunks, `awaited` and what is
                        spare */
    uv_cond_t done;  /* `awaited` is */
    const struct tt_chunk *awaited;
    struct tt_batch *spare;           /* a list of those to use again, owned */
    char *spare_text[TT_SPARE_TEXTS]; /* blocks to use again, owned */
    size_t spare_texts;
    struct tt_worker *worker; /* owned */
    size_t workers;
    size_t started; /* workers with a thread */
    bool feeding;   /* the feeder has a thread */
    bool stopping;  /* nobody wants the rest; guarded by `lock` */
    uv_thread_t feeder;

    struct tt_watch *watch; /* asked by all; not owned */

    /* The feeder's, and once it has ended the builder's. */
    struct tt_source *source; /* not owned */
    const char *map;          /* the mapped text, or NULL */
    uint64_t map_len;
    uint64_t at;      /* offset in the document of the next byte */
    uint64_t skipped; /* a byte order mark before the mapped text */
    char *rest;       /* text read ahead that is first, owned */
    size_t rest_len;
    char *left; /* text of chunks that was not handed over with one, owned */
    size_t chunk_bytes;
    size_t block_bytes;     /* so much of other text is read at a time */
    enum t2t_status status; /* why it ended early */
    struct t2t_error error;
};

/* Makes queues and decoders, `plain` ones if wanted; starts nothing.  Release
 * it only on T2T_OK. */
enum t2t_status tt_crew_init(struct tt_crew *crew, size_t workers,
                             size_t chunk_bytes, bool plain,
                             struct t2t_error *err);

/* Starts the threads, when source, map, at and rest are set. */
enum t2t_status tt_crew_start(struct tt_crew *crew, struct t2t_error *err);

/* The next chunk of the document, decoded; the caller's now.  NULL: there are
 * no more, or it was canceled. */
struct tt_chunk *tt_crew_next(struct tt_crew *crew);

/* Takes back a chunk that was put together, and keeps its batch and its memory
 * to use again. */
void tt_crew_return(struct tt_crew *crew, struct tt_chunk *c);

/* Stops and joins all threads and frees the chunks still in the line. */
void tt_crew_stop(struct tt_crew *crew);

/* Frees the rest, the decoders too: strings of batches end here. */
void tt_crew_release(struct tt_crew *crew);

/* Memory for text, spare or new; NULL when there is none. */
char *tt_crew_take_text(struct tt_crew *crew, size_t bytes);

/* The thread of the feeder, in feed.c. */
void tt_feed_run(void *crew);

/* Hands a chunk to the workers and the line.  False: it was refused, and freed
 * but for its memory. */
bool tt_crew_push(struct tt_crew *crew, struct tt_chunk *c);

#endif
