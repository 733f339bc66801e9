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

void *tt_bqueue_pop(struct tt_bqueue *q)
{
    void *item = NULL;

    uv_mutex_lock(&q->lock);
    while (!q->len && !q->closed)
        uv_cond_wait(&q->not_empty, &q->lock);
    if (q->len) {
        item = q->slot[q->head];
        q->head = (q->head + 1) % q->cap;
        q->len--;
        uv_cond_signal(&q->not_full);
    }
    uv_mutex_unlock(&q->lock);
    return item;
}

void tt_bqueue_close(struct tt_bqueue *q)
{
    uv_mutex_lock(&q->lock);
    q->closed = true;
    uv_cond_broadcast(&q->not_full);
    uv_cond_broadcast(&q->not_empty);
    uv_mutex_unlock(&q->lock);
}
