/*
 * pipeline/crew.h - the threads of a build.
 *
 * Text is fed, in order, into a line of chunks; chunks are decoded, in any
 * order; the builder takes them from the line, in order again.  The line's
 * bound is what limits the memory in flight.
 *
 * One thread feeds at a time, but it can be any worker: a worker feeds when
 * little is left to decode, else it compresses a frame of the writer if one
 * waits, and decodes if none does; the builder decodes, too, while the first
 * chunk of the line is not done.  So there are as many threads
 * as were asked for, and none waits while there is something to do; a thread
 * that waits and is woken costs more than a chunk.  Where one is asked for that
 * is the builder, and beside it a thread that only feeds.
 *
 * Stopping is by a flag: the builder sets it when it has failed, was canceled
 * or has enough, and what is still in the line is not decoded then.
 */
#ifndef TT_PIPELINE_CREW_H
#define TT_PIPELINE_CREW_H

#include <uv.h>

#include "decode/decoder.h"
#include "index/writer.h"
#include "input/source.h"
#include "pipeline/chunk.h"
#include "pipeline/line.h"

struct tt_crew;

/* Blocks of text that are kept to be used again: about as many as are in
 * flight. */
#define TT_SPARE_TEXTS 8

/* A block of text that fills up, and is cut. */
struct tt_block {
    char *memory; /* owned */
    size_t len;
    size_t cap;
};

/* So many threads, and more, help the source to decompress and the writer to
 * compress.  Two are busy without that, and text that was decompressed ahead is
 * in no cache any more. */
#define TT_CREW_HELPING 3

struct tt_worker {
    struct tt_crew *crew;
    struct tt_decoder *decoder; /* owned */
    size_t number;
    uv_thread_t thread;
};

struct tt_crew {
    uv_mutex_t lock; /* guards what follows, and `done` of all chunks */
    uv_cond_t to_do; /* there may be something for a worker */
    uv_cond_t ready; /* there may be something for the builder */
    uv_cond_t room;  /* half of the line is free */
    struct tt_line line;
    bool feeding;       /* somebody does */
    bool fed;           /* and nobody will again */
    bool stopping;      /* nobody wants the rest */
    uint64_t returned;  /* text of the document before it was put together */
    unsigned to_unpack; /* times that the source asked for help */
    unsigned to_press;  /* the same of the writer */
    struct tt_helpers unpackers;
    struct tt_helpers pressers;
    struct tt_batch *spare;           /* a list of those to use again, owned */
    char *spare_text[TT_SPARE_TEXTS]; /* blocks to use again, owned */
    size_t spare_texts;

    struct tt_worker *worker; /* owned; the first is the builder's */
    size_t workers;
    bool helping;       /* they help source and writer, once told to */
    size_t started;     /* workers with a thread, from the second one on */
    uv_thread_t feeder; /* where the builder is alone */
    bool has_feeder;

    struct tt_watch *watch;   /* asked by all; not owned */
    struct tt_writer *writer; /* the builder's; not owned */
    struct tt_tasks *tasks;   /* of the writer; not owned */

    /* Of who feeds, and once nobody does the builder's. */
    struct tt_source *source; /* not owned */
    const char *map;          /* the mapped text, or NULL */
    uint64_t map_len;
    uint64_t at;      /* offset in the document of the next byte */
    uint64_t skipped; /* a byte order mark before the mapped text */
    char *rest;       /* text read ahead that is first, owned */
    size_t rest_len;
    struct tt_block block; /* under way; a worker may be reading it */
    bool is_begun;         /* the rest was fed */
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

/* Starts the threads, when source, writer, map, at and rest are set. */
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

/*
 * Feeds about a block, in feed.c.  Waits while the line is full.
 *
 * @return false when that was the last, or it is time to stop.
 */
bool tt_feed(struct tt_crew *crew);

/* Adds a chunk to the line.  False: it was refused, and freed but for its
 * memory. */
bool tt_crew_push(struct tt_crew *crew, struct tt_chunk *c);

#endif
