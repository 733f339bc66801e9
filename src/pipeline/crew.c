/* crew.c - starts, hands over, stops. */
#include "pipeline/crew.h"

#include <stdlib.h>

#define LINE 16         /* chunks in flight */
#define LINE_A_WORKER 8 /* and so many more for each worker */
#define LOW_A_WORKER 4  /* fewer that wait for one: time to feed */
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
    *crew = (struct tt_crew){.workers = workers,
                             .chunk_bytes = chunk_bytes,
                             .block_bytes = chunk_bytes};
    if (!make_workers(crew, plain) ||
        !tt_line_init(&crew->line, LINE + workers * LINE_A_WORKER))
        goto free_workers;
    if (uv_mutex_init(&crew->lock))
        goto free_line;
    if (uv_cond_init(&crew->to_do))
        goto free_lock;
    if (uv_cond_init(&crew->ready))
        goto free_to_do;
    if (uv_cond_init(&crew->room))
        goto free_ready;
    return T2T_OK;

free_ready:
    uv_cond_destroy(&crew->ready);
free_to_do:
    uv_cond_destroy(&crew->to_do);
free_lock:
    uv_mutex_destroy(&crew->lock);
free_line:
    tt_line_release(&crew->line);
free_workers:
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
    if (!b && !stopping)
        b = tt_batch_create();
    *out = b;
    return !stopping;
}

void tt_crew_return(struct tt_crew *crew, struct tt_chunk *c)
{
    struct tt_batch *b = c->batch;

    if (b)
        tt_batch_clear(b); /* and what a decoder forgot is free */
    uv_mutex_lock(&crew->lock);
    crew->returned = c->offset;
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
    tt_decoder_tidy(w->decoder);
    if (c->batch)
        c->status =
            tt_decoder_run(w->decoder, c->text, c->len, c->offset, c->batch);
    return true;
}

/* Decodes a chunk that was taken from the line; the lock is held, but not
 * while it does. */
static void decode_taken(struct tt_worker *w, struct tt_chunk *c)
{
    struct tt_crew *crew = w->crew;
    bool done;

    uv_mutex_unlock(&crew->lock);
    done = decode(w, c);
    uv_mutex_lock(&crew->lock);
    c->done = done; /* else it is freed with the line */
    if (done && tt_line_first(&crew->line) == c)
        uv_cond_signal(&crew->ready);
}

/* The builder is the only one that decodes. */
static bool is_alone(const struct tt_crew *crew)
{
    return crew->workers == 1;
}

/* Whether a worker is to feed now; the lock is held. */
static bool is_to_feed(const struct tt_crew *crew)
{
    return !crew->feeding && !crew->fed &&
           tt_line_waiting(&crew->line) < crew->workers * LOW_A_WORKER &&
           tt_line_room(&crew->line) >= crew->line.cap / 2;
}

/* Feeds once; the lock is held, but not while it does. */
static void feed(struct tt_crew *crew)
{
    uint64_t returned = crew->returned;
    bool more;

    crew->feeding = true;
    uv_mutex_unlock(&crew->lock);
    tt_source_pass(crew->source, returned);
    tt_source_expect(crew->source, crew->at);
    more = tt_feed(crew);
    uv_mutex_lock(&crew->lock);
    crew->feeding = false;
    crew->fed = !more;
    if (more)
        return;
    uv_cond_broadcast(&crew->to_do);
    uv_cond_signal(&crew->ready);
}

/* The source asks for help, on the thread that feeds. */
static void ask_for_help(void *context, unsigned more)
{
    struct tt_crew *crew = context;

    uv_mutex_lock(&crew->lock);
    crew->to_unpack += more;
    uv_cond_broadcast(&crew->to_do);
    uv_cond_signal(&crew->ready);
    uv_mutex_unlock(&crew->lock);
}

/* The writer asks for help, on the builder's thread. */
static void ask_for_pressing(void *context, unsigned more)
{
    struct tt_crew *crew = context;

    uv_mutex_lock(&crew->lock);
    crew->to_press += more;
    uv_cond_signal(&crew->to_do);
    uv_mutex_unlock(&crew->lock);
}

/* Helps the source if it asked for that; the lock is held, but not while it
 * does. */
static bool help_source(struct tt_crew *crew)
{
    if (!crew->to_unpack)
        return false;
    crew->to_unpack--;
    uv_mutex_unlock(&crew->lock);
    (void)tt_source_help(crew->source);
    uv_mutex_lock(&crew->lock);
    return true;
}

/* The same for the writer. */
static bool help_writer(struct tt_crew *crew)
{
    if (!crew->to_press)
        return false;
    crew->to_press--;
    uv_mutex_unlock(&crew->lock);
    (void)tt_tasks_help(crew->tasks, false);
    uv_mutex_lock(&crew->lock);
    return true;
}

static void work(void *arg)
{
    struct tt_worker *w = arg;
    struct tt_crew *crew = w->crew;
    struct tt_chunk *c;

    uv_mutex_lock(&crew->lock);
    while (!crew->stopping) {
        if (is_to_feed(crew))
            feed(crew);
        else if (help_writer(crew)) /* the builder waits for it in the end */
            continue;
        else if ((c = tt_line_take(&crew->line)))
            decode_taken(w, c);
        else if (help_source(crew))
            continue;
        else if (crew->fed)
            break;
        else
            uv_cond_wait(&crew->to_do, &crew->lock);
    }
    uv_mutex_unlock(&crew->lock);
}

/* The thread beside a builder that is alone. */
static void feed_all(void *arg)
{
    struct tt_crew *crew = arg;

    uv_mutex_lock(&crew->lock);
    while (!crew->fed)
        feed(crew);
    uv_mutex_unlock(&crew->lock);
}

enum t2t_status tt_crew_start(struct tt_crew *crew, struct t2t_error *err)
{
    bool ok = true;

    crew->unpackers =
        (struct tt_helpers){crew->workers - 1, ask_for_help, crew};
    crew->pressers =
        (struct tt_helpers){crew->workers - 1, ask_for_pressing, crew};
    if (crew->helping) {
        tt_source_invite(crew->source, &crew->unpackers);
        tt_writer_invite(crew->writer, &crew->pressers);
    }
    for (; ok && crew->started + 1 < crew->workers; crew->started += ok) {
        struct tt_worker *w = &crew->worker[crew->started + 1];

        ok = !uv_thread_create(&w->thread, work, w);
    }
    if (is_alone(crew))
        crew->has_feeder = ok =
            !uv_thread_create(&crew->feeder, feed_all, crew);
    return ok ? T2T_OK
              : tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET,
                         "cannot start a thread");
}

bool tt_crew_push(struct tt_crew *crew, struct tt_chunk *c)
{
    bool taken;

    uv_mutex_lock(&crew->lock);
    while (!tt_line_room(&crew->line) && !crew->stopping)
        uv_cond_wait(&crew->room, &crew->lock);
    taken = !crew->stopping;
    if (taken) {
        tt_line_push(&crew->line, c);
        uv_cond_signal(&crew->to_do);
        uv_cond_signal(&crew->ready);
    }
    uv_mutex_unlock(&crew->lock);
    if (!taken)
        free(c);
    return taken;
}

/* The builder waits for something; the lock is held, but not while it does.
 * False: canceled. */
static bool wait_ready(struct tt_crew *crew)
{
    bool go_on;

    if (!crew->watch) {
        uv_cond_wait(&crew->ready, &crew->lock);
        return true;
    }
    (void)uv_cond_timedwait(&crew->ready, &crew->lock, TT_WATCH_WAIT_NS);
    uv_mutex_unlock(&crew->lock);
    go_on = tt_watch_wait(crew->watch);
    uv_mutex_lock(&crew->lock);
    return go_on;
}

/* Takes the first chunk from the line, and says who may go on. */
static struct tt_chunk *take_first(struct tt_crew *crew)
{
    struct tt_chunk *c = tt_line_pop(&crew->line);

    if (tt_line_room(&crew->line) >= crew->line.cap / 2)
        uv_cond_signal(&crew->room);
    if (is_to_feed(crew))
        uv_cond_signal(&crew->to_do);
    return c;
}

struct tt_chunk *tt_crew_next(struct tt_crew *crew)
{
    struct tt_chunk *c = NULL;
    bool go_on = true;

    uv_mutex_lock(&crew->lock);
    while (go_on && !c) {
        struct tt_chunk *first = tt_line_first(&crew->line);
        struct tt_chunk *other;

        if (first && first->done)
            c = take_first(crew);
        else if ((other = tt_line_take(&crew->line)))
            decode_taken(&crew->worker[0], other);
        else if (help_source(crew) || help_writer(crew))
            continue;
        else if (!first && crew->fed)
            go_on = false;
        else
            go_on = wait_ready(crew);
    }
    uv_mutex_unlock(&crew->lock);
    return c;
}

void tt_crew_stop(struct tt_crew *crew)
{
    struct tt_chunk *c;

    uv_mutex_lock(&crew->lock);
    crew->stopping = true;
    uv_cond_broadcast(&crew->to_do);
    uv_cond_broadcast(&crew->room);
    uv_mutex_unlock(&crew->lock);
    tt_watch_dismiss(crew->watch);
    if (crew->has_feeder)
        uv_thread_join(&crew->feeder);
    for (size_t i = 0; i < crew->started; i++)
        uv_thread_join(&crew->worker[i + 1].thread);
    if (crew->helping)
        tt_writer_dismiss(crew->writer);
    crew->has_feeder = false;
    crew->started = 0;
    while ((c = tt_line_pop(&crew->line)))
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
    uv_cond_destroy(&crew->room);
    uv_cond_destroy(&crew->ready);
    uv_cond_destroy(&crew->to_do);
    uv_mutex_destroy(&crew->lock);
    tt_line_release(&crew->line);
    free_workers(crew);
    free(crew->rest);
    free(crew->block.memory);
}
