/* relay.c - blocks of elements from one thread to another. */
#include "pipeline/relay.h"

#include <stdlib.h>

#define BLOCKS 4u
#define BLOCK_RECORDS 4096u

struct tt_relay_block {
    size_t count;
    size_t nodes; /* of these, which come first */
    struct tt_placed placed[BLOCK_RECORDS];
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Gives the elements of a block to the other sink. */
static void pass_on(struct tt_relay *r, const struct tt_relay_block *b)
{
    for (size_t i = 0; !r->status && i < b->count; i++)
        r->status = i < b->nodes
                        ? r->to.node(r->to.owner, &b->placed[i], &r->error)
                        : r->to.other(r->to.owner, &b->placed[i], &r->error);
}

static void run(void *arg)
{
    struct tt_relay *r = arg;
    struct tt_relay_block *b;

    while ((b = tt_bqueue_pop(&r->full))) {
        pass_on(r, b);
        b->count = 0;
        b->nodes = 0;
        if (r->status || !tt_bqueue_push(&r->empty, b)) {
            free(b);
            break;
        }
    }
    tt_bqueue_close(&r->empty);
    tt_bqueue_close(&r->full);
}

/* Sends the block that is being filled and gets another; that fails when the
 * thread has ended. */
static enum t2t_status send_block(struct tt_relay *r)
{
    struct tt_relay_block *b = r->filling;

    r->filling = NULL;
    if (!tt_bqueue_push(&r->full, b)) {
        free(b);
        return T2T_ERR_CANCELED;
    }
    r->filling = tt_bqueue_pop(&r->empty);
    return r->filling ? T2T_OK : T2T_ERR_CANCELED;
}

static struct tt_placed *next(struct tt_relay *r)
{
    if (r->filling->count == BLOCK_RECORDS && send_block(r))
        return NULL;
    return &r->filling->placed[r->filling->count++];
}

static enum t2t_status put_other(void *owner, const struct tt_placed *p,
                                 struct t2t_error *err)
{
    struct tt_relay *r = owner;
    struct tt_placed *to = next(r);

    (void)err; /* tt_relay_end() fills it */
    if (!to)
        return T2T_ERR_CANCELED;
    *to = *p;
    return T2T_OK;
}

static enum t2t_status put_node(void *owner, const struct tt_placed *p,
                                struct t2t_error *err)
{
    struct tt_relay *r = owner;
    enum t2t_status st = put_other(owner, p, err);

    if (!st)
        r->filling->nodes = r->filling->count;
    return st;
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
        b->count = 0;
        b->nodes = 0;
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
    *out = (struct tt_sink){relay, put_node, put_other};
    return T2T_OK;
}

enum t2t_status tt_relay_end(struct tt_relay *relay, enum t2t_status st,
                             struct t2t_error *err)
{
    if (!st && tt_bqueue_push(&relay->full, relay->filling))
        relay->filling = NULL;
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
