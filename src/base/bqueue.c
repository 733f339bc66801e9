/* bqueue.c - a ring under one mutex with two conditions. */
#include "base/bqueue.h"

#include <assert.h>
#include <stdlib.h>

enum t2t_status tt_bqueue_init(struct tt_bqueue *q, size_t cap)
{
    enum t2t_status st = T2T_ERR_NO_MEMORY;

    assert(cap > 0);
    *q = (struct tt_bqueue){.cap = cap};

    q->slot = calloc(cap, sizeof(*q->slot));
    if (!q->slot)
        return st;
    if (uv_mutex_init(&q->lock))
        goto free_slot;
    if (uv_cond_init(&q->not_full))
        goto free_lock;
    if (uv_cond_init(&q->not_empty))
        goto free_not_full;
    return T2T_OK;

free_not_full:
    uv_cond_destroy(&q->not_full);
free_lock:
    uv_mutex_destroy(&q->lock);
free_slot:
    free(q->slot);
    return st;
}

void tt_bqueue_release(struct tt_bqueue *q)
{
    if (!q)
        return;
    uv_cond_destroy(&q->not_empty);
    uv_cond_destroy(&q->not_full);
    uv_mutex_destroy(&q->lock);
    free(q->slot);
}

bool tt_bqueue_push(struct tt_bqueue *q, void *item)
{
    bool taken;

    assert(item);
    uv_mutex_lock(&q->lock);
    while (q->len == q->cap && !q->closed)
        uv_cond_wait(&q->not_full, &q->lock);
    taken = !q->closed;
    if (taken) {
        q->slot[(q->head + q->len) % q->cap] = item;
        q->len++;
        uv_cond_signal(&q->not_empty);
    }
    uv_mutex_unlock(&q->lock);
    return taken;
}

/* Waits until there is an item, or never will be; gives the lock away while it
 * asks, as the watcher may take its time.  False: canceled. */
static bool wait_for_item(struct tt_bqueue *q, struct tt_watch *watch)
{
    bool go_on = true;

    while (go_on && !q->len && !q->closed) {
        if (!watch) {
            uv_cond_wait(&q->not_empty, &q->lock);
            continue;
        }
        (void)uv_cond_timedwait(&q->not_empty, &q->lock, TT_WATCH_WAIT_NS);
        uv_mutex_unlock(&q->lock);
        go_on = tt_watch_wait(watch);
        uv_mutex_lock(&q->lock);
    }
    return go_on;
}

void *tt_bqueue_pop_watched(struct tt_bqueue *q, struct tt_watch *watch)
{
    void *item = NULL;

    uv_mutex_lock(&q->lock);
    if (wait_for_item(q, watch) && q->len) {
        item = q->slot[q->head];
        q->head = (q->head + 1) % q->cap;
        q->len--;
        if (q->len <= q->cap / 2)
            uv_cond_signal(&q->not_full);
    }
    uv_mutex_unlock(&q->lock);
    return item;
}

void *tt_bqueue_pop(struct tt_bqueue *q)
{
    return tt_bqueue_pop_watched(q, NULL);
}

void tt_bqueue_close(struct tt_bqueue *q)
{
    uv_mutex_lock(&q->lock);
    q->closed = true;
    uv_cond_broadcast(&q->not_full);
    uv_cond_broadcast(&q->not_empty);
    uv_mutex_unlock(&q->lock);
}
