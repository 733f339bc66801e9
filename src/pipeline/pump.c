/* pump.c - blocks go round between a thread that fills and one that reads. */
#include "pipeline/pump.h"

#include <stdlib.h>
#include <string.h>

static void fill(struct tt_pump *p, struct tt_pump_block *b)
{
    int64_t got = p->read(p->context, b->bytes, sizeof(b->bytes));

    b->len = got > 0 ? (size_t)got : 0;
    b->status = got < 0 ? T2T_ERR_IO : T2T_OK;
    if (b->len > sizeof(b->bytes))
        b->status = T2T_ERR_USAGE;
}

static void pump(void *arg)
{
    struct tt_pump *p = arg;
    struct tt_pump_block *b;
    bool more = true;

    while (more && (b = tt_bqueue_pop(&p->empty))) {
        fill(p, b);
        more = !b->status && b->len;
        more &= tt_bqueue_push(&p->full, b);
    }
}

/* The reader's function; see tt_reader. */
static enum t2t_status pump_read(void *owner, unsigned char *buf, size_t cap,
                                 size_t *len, struct t2t_error *err)
{
    struct tt_pump *p = owner;

    if (!p->now) {
        p->now = tt_bqueue_pop_watched(&p->full, p->watch);
        p->used = 0;
        if (!p->now || !tt_watch_go_on(p->watch))
            return tt_watch_stopped(err);
    }
    if (p->now->status == T2T_ERR_USAGE)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "the caller's function gave more than was asked for");
    if (p->now->status)
        return tt_error(err, p->now->status, TT_NO_OFFSET,
                        "the caller's function cannot read");
    *len = p->now->len - p->used < cap ? p->now->len - p->used : cap;
    memcpy(buf, p->now->bytes + p->used, *len);
    p->used += *len;
    if (*len && p->used == p->now->len) {
        (void)tt_bqueue_push(&p->empty, p->now);
        p->now = NULL;
    }
    return T2T_OK;
}

enum t2t_status tt_pump_start(struct tt_pump *p, t2t_build_read *read,
                              void *context, struct tt_watch *watch,
                              struct t2t_error *err)
{
    *p = (struct tt_pump){.read = read, .context = context, .watch = watch};
    p->reader = (struct tt_reader){pump_read, p};
    p->all = malloc(TT_PUMP_BLOCKS * sizeof(*p->all));
    if (!p->all)
        goto fail;
    if (tt_bqueue_init(&p->empty, TT_PUMP_BLOCKS))
        goto free_all;
    if (tt_bqueue_init(&p->full, TT_PUMP_BLOCKS))
        goto free_empty;
    for (size_t i = 0; i < TT_PUMP_BLOCKS; i++)
        (void)tt_bqueue_push(&p->empty, &p->all[i]);
    if (uv_thread_create(&p->thread, pump, p))
        goto free_full;
    return T2T_OK;

free_full:
    tt_bqueue_release(&p->full);
free_empty:
    tt_bqueue_release(&p->empty);
free_all:
    free(p->all);
fail:
    *p = (struct tt_pump){.read = NULL};
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

void tt_pump_stop(struct tt_pump *p)
{
    if (!p->all)
        return;
    tt_bqueue_close(&p->empty);
    tt_bqueue_close(&p->full);
    uv_thread_join(&p->thread);
    tt_bqueue_release(&p->full);
    tt_bqueue_release(&p->empty);
    free(p->all);
}
