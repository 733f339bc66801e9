/* relay.c - blocks of elements from one thread to another. */
#include "pipeline/relay.h"

#include <stdlib.h>

#define BLOCKS 4u

struct tt_relay_block {
    size_t count;
    size_t nodes; /* of these, which come first */
    struct tt_placed placed[TT_SINK_ROOM];
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Gives the elements of a block to the other sink. */
static void pass_on(struct tt_relay *r, struct tt_relay_block *b)
{
    struct tt_placed *placed = b->placed;

    if (b->count)
        r->status =
            r->to.take(r->to.owner, &placed, b->count, b->nodes, &r->error);
}

static void run(void *arg)
{
    struct tt_relay *r = arg;
    struct tt_relay_block *b;

    while ((b = tt_bqueue_pop(&r->full))) {
        pass_on(r, b);
        if (r->status || !tt_bqueue_push(&r->empty, b)) {
            free(b);
            break;
        }
    }
    tt_bqueue_close(&r->empty);
    tt_bqueue_close(&r->full);
}

/* The sink's function: sends the block that is being filled and gets another;
 * that fails when the thread has ended, and tt_relay_end() fills the error. */
static enum t2t_status take(void *owner, struct tt_placed **placed,
                            size_t count, size_t nodes, struct t2t_error *err)
{
    struct tt_relay *r = owner;
    struct tt_relay_block *b = r->filling;

    (void)err;
    b->count = count;
    b->nodes = nodes;
    r->filling = NULL;
    if (!tt_bqueue_push(&r->full, b)) {
        free(b);
        return T2T_ERR_CANCELED;
    }
    r->filling = tt_bqueue_pop(&r->empty);
    if (!r->filling)
        return T2T_ERR_CANCELED;
    *placed = r->filling->placed;
    return T2T_OK;
}

/* Frees the blocks of a queue that nobody else uses. */
static void drain(struct tt_bqueue *q)
{
    tt_bqueue_close(q);
    for (struct tt_relay_block *b; (b = tt_bqueue_pop(q));)
        free(b);
    tt_bqueue_release(q);
}

static enum t2t_status make_blocks(struct tt_relay *r)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        struct tt_relay_block *b = malloc(sizeof(*b));

        if (!b)
            return T2T_ERR_NO_MEMORY;
        if (i)
            (void)tt_bqueue_push(&r->empty, b);
        else
            r->filling = b;
    }
    return T2T_OK;
}

enum t2t_status tt_relay_start(struct tt_relay *relay, const struct tt_sink *to,
                               struct tt_sink *out, struct t2t_error *err)
{
    *relay = (struct tt_relay){.to = *to};
    if (tt_bqueue_init(&relay->full, BLOCKS))
        return no_memory(err);
    if (tt_bqueue_init(&relay->empty, BLOCKS)) {
        tt_bqueue_release(&relay->full);
        return no_memory(err);
    }
    if (make_blocks(relay) || uv_thread_create(&relay->thread, run, relay)) {
        free(relay->filling);
        drain(&relay->full);
        drain(&relay->empty);
        return no_memory(err);
    }
    *out = (struct tt_sink){relay, take, relay->filling->placed, 0, 0};
    return T2T_OK;
}

enum t2t_status tt_relay_end(struct tt_relay *relay, enum t2t_status st,
                             struct t2t_error *err)
{
    tt_bqueue_close(&relay->full);
    (void)uv_thread_join(&relay->thread);
    free(relay->filling);
    drain(&relay->full);
    drain(&relay->empty);
    if (!relay->status)
        return st;
    if (err)
        *err = relay->error;
    return relay->status;
}
