/* crew.c - starts, hands over, stops. */
#include "pipeline/crew.h"

#include <stdlib.h>

#define LINE_A_WORKER 8 /* chunks in flight for each worker */
/* Batches of more memory are of an unusual chunk and are not kept. */
#define SPARE_BYTES ((size_t)512 << 10)

void tt_chunk_free(struct tt_chunk *c)
{
    if (!c)
        return;
    tt_batch_free(c->batch);
    free(c->memory);
    free(c);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

static void free_workers(struct tt_crew *crew)
{
    for (size_t i = 0; crew->worker && i < crew->workers; i++)
        tt_decoder_free(crew->worker[i].decoder);
    free(crew->worker);
}

static bool make_workers(struct tt_crew *crew, bool plain)
{
    crew->worker = calloc(crew->workers, sizeof(*crew->worker));
    for (size_t i = 0; crew->worker && i < crew->workers; i++) {
        crew->worker[i].crew = crew;
        crew->worker[i].number = i;
        crew->worker[i].decoder = tt_decoder_create(plain);
        if (!crew->worker[i].decoder)
            return false;
    }
    return crew->worker != NULL;
}

enum t2t_status tt_crew_init(struct tt_crew *crew, size_t workers,
                             size_t chunk_bytes, bool plain,
                             struct t2t_error *err)
{
    size_t line = workers * LINE_A_WORKER;

    *crew = (struct tt_crew){.workers = workers,
                             .chunk_bytes = chunk_bytes,
                             .block_bytes = chunk_bytes};
    if (!make_workers(crew, plain))
        goto free_all;
    if (tt_bqueue_init(&crew->work, line))
        goto free_all;
    if (tt_bqueue_init(&crew->line, line))
        goto free_work;
    if (uv_mutex_init(&crew->lock))
        goto free_line;
    if (uv_cond_init(&crew->done))
        goto free_lock;
    return T2T_OK;

free_lock:
    uv_mutex_destroy(&crew->lock);
free_line:
    tt_bqueue_release(&crew->line);
free_work:
    tt_bqueue_release(&crew->work);
free_all:
    free_workers(crew);
    return no_memory(err);
}

/* An empty batch for the next chunk, in `*out`, NULL without memory.  False:
 * nobody wants it. */
static bool take_batch(struct tt_crew *crew, struct tt_batch **out)
{
    struct tt_batch *b;
    bool stopping;

    uv_mutex_lock(&crew->lock);
    stopping = crew->stopping;
    b = stopping ? NULL : crew->spare;
    if (b)
        crew->spare = b->next;
    uv_mutex_unlock(&crew->lock);
    if (b)
        tt_batch_clear(b);
    else if (!stopping)
        b = tt_batch_create();
    *out = b;
    return !stopping;
}

void tt_crew_return(struct tt_crew *crew, struct tt_chunk *c)
{
    struct tt_batch *b = c->batch;

    uv_mutex_lock(&crew->lock);
    if (b && tt_batch_bytes(b) <= SPARE_BYTES) {
        b->next = crew->spare;
        crew->spare = b;
        c->batch = NULL;
    }
    if (c->memory && c->memory_bytes == crew->block_bytes &&
        crew->spare_texts < TT_SPARE_TEXTS) {
        crew->spare_text[crew->spare_texts++] = c->memory;
        c->memory = NULL;
    }
    uv_mutex_unlock(&crew->lock);
    tt_chunk_free(c);
}

char *tt_crew_take_text(struct tt_crew *crew, size_t bytes)
{
    char *memory = NULL;

    uv_mutex_lock(&crew->lock);
    if (bytes == crew->block_bytes && crew->spare_texts)
        memory = crew->spare_text[--crew->spare_texts];
    uv_mutex_unlock(&crew->lock);
    return memory ? memory : malloc(bytes);
}

/* Decodes a chunk; false when nobody wants it. */
static bool decode(struct tt_worker *w, struct tt_chunk *c)
{
    c->worker = w->number;
    if (!take_batch(w->crew, &c->batch))
        return false;
    c->status = T2T_ERR_NO_MEMORY;
    if (c->batch)
        c->status =
            tt_decoder_run(w->decoder, c->text, c->len, c->offset, c->batch);
    return true;
}

static void work(void *arg)
{
    struct tt_worker *w = arg;
    struct tt_crew *crew = w->crew;
    struct tt_chunk *c;

    while ((c = tt_bqueue_pop(&crew->work))) {
        if (!decode(w, c))
            continue; /* it is freed with the line */
        uv_mutex_lock(&crew->lock);
        c->done = true;
        if (crew->awaited == c)
            uv_cond_signal(&crew->done);
        uv_mutex_unlock(&crew->lock);
    }
}

/* Whether the builder decodes, too. */
static bool is_alone(const struct tt_crew *crew)
{
    return crew->workers == 1;
}

enum t2t_status tt_crew_start(struct tt_crew *crew, struct t2t_error *err)
{
    for (; !is_alone(crew) && crew->started < crew->workers; crew->started++) {
        struct tt_worker *w = &crew->worker[crew->started];

        if (uv_thread_create(&w->thread, work, w))
            return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET,
                            "cannot start a thread");
    }
    if (uv_thread_create(&crew->feeder, tt_feed_run, crew))
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET,
                        "cannot start a thread");
    crew->feeding = true;
    return T2T_OK;
}

bool tt_crew_push(struct tt_crew *crew, struct tt_chunk *c)
{
    /* The line first: whoever takes it from there waits until it is done. */
    if (!tt_bqueue_push(&crew->line, c)) {
        free(c);
        return false;
    }
    if (!is_alone(crew))
        (void)tt_bqueue_push(&crew->work, c); /* else it goes with the line */
    return true;
}

/* Waits until a chunk is decoded; gives the lock away while it asks.  False:
 * canceled. */
static bool wait_done(struct tt_crew *crew, const struct tt_chunk *c)
{
    bool go_on = true;

    crew->awaited = c;
    while (go_on && !c->done) {
        if (!crew->watch) {
            uv_cond_wait(&crew->done, &crew->lock);
            continue;
        }
        (void)uv_cond_timedwait(&crew->done, &crew->lock, TT_WATCH_WAIT_NS);
        uv_mutex_unlock(&crew->lock);
        go_on = tt_watch_wait(crew->watch);
        uv_mutex_lock(&crew->lock);
    }
    return go_on;
}

struct tt_chunk *tt_crew_next(struct tt_crew *crew)
{
    struct tt_chunk *c = tt_bqueue_pop_watched(&crew->line, crew->watch);
    bool go_on;

    if (!c)
        return NULL;
    if (is_alone(crew)) {
        (void)decode(&crew->worker[0], c);
        return c;
    }
    uv_mutex_lock(&crew->lock);
    go_on = wait_done(crew, c);
    uv_mutex_unlock(&crew->lock);
    if (go_on)
        return c;
    tt_crew_stop(crew); /* a worker may have it */
    tt_chunk_free(c);
    return NULL;
}

void tt_crew_stop(struct tt_crew *crew)
{
    struct tt_chunk *c;

    uv_mutex_lock(&crew->lock);
    crew->stopping = true;
    uv_mutex_unlock(&crew->lock);
    tt_watch_dismiss(crew->watch);
    tt_bqueue_close(&crew->line);
    tt_bqueue_close(&crew->work);
    if (crew->feeding)
        uv_thread_join(&crew->feeder);
    for (size_t i = 0; i < crew->started; i++)
        uv_thread_join(&crew->worker[i].thread);
    crew->feeding = false;
    crew->started = 0;
    while ((c = tt_bqueue_pop(&crew->line)))
        tt_chunk_free(c);
}

void tt_crew_release(struct tt_crew *crew)
{
    for (struct tt_batch *next, *b = crew->spare; b; b = next) {
        next = b->next;
        tt_batch_free(b);
    }
    while (crew->spare_texts)
        free(crew->spare_text[--crew->spare_texts]);
    uv_cond_destroy(&crew->done);
    uv_mutex_destroy(&crew->lock);
    tt_bqueue_release(&crew->line);
    tt_bqueue_release(&crew->work);
    free_workers(crew);
    free(crew->rest);
    free(crew->left);
}
