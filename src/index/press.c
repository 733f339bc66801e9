/* press.c - a queue whose items are done in any order. */
#include "index/press.h"

#include <stdlib.h>

#include <xxhash.h>

#define LEVEL 1 /* of zstd: the columns of a frame are small already */

/* Buffers of more than that are not kept. */
#define KEPT_BYTES ((size_t)2 << 20)

enum t2t_status tt_press_init(struct tt_press *p)
{
    *p = (struct tt_press){.most = TT_PRESS_ALONE};
    if (uv_mutex_init(&p->lock))
        return T2T_ERR_NO_MEMORY;
    if (uv_cond_init(&p->to_do))
        goto free_lock;
    if (uv_cond_init(&p->done))
        goto free_to_do;
    return T2T_OK;

free_to_do:
    uv_cond_destroy(&p->to_do);
free_lock:
    uv_mutex_destroy(&p->lock);
    return T2T_ERR_NO_MEMORY;
}

void tt_press_frame_free(struct tt_press_frame *f)
{
    if (!f)
        return;
    tt_sheet_free(f->sheet);
    tt_buffer_release(&f->raw);
    tt_buffer_release(&f->packed);
    (void)ZSTD_freeCCtx(f->zstd);
    free(f);
}

static void free_all(struct tt_press_frame *f)
{
    for (struct tt_press_frame *next; f; f = next) {
        next = f->next;
        tt_press_frame_free(f);
    }
}

void tt_press_release(struct tt_press *p)
{
    free_all(p->first);
    free_all(p->spare);
    uv_cond_destroy(&p->done);
    uv_cond_destroy(&p->to_do);
    uv_mutex_destroy(&p->lock);
}

void tt_press_set_most(struct tt_press *p, size_t most)
{
    struct tt_press_frame *f;

    p->most = most;
    while (p->frames > most && (f = p->spare)) {
        p->spare = f->next;
        p->frames--;
        tt_press_frame_free(f);
    }
}

static struct tt_press_frame *create(void)
{
    struct tt_press_frame *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->zstd = ZSTD_createCCtx();
    if (!f->zstd) {
        free(f);
        return NULL;
    }
    (void)ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel, LEVEL);
    return f;
}

enum t2t_status tt_press_take(struct tt_press *p, struct tt_press_frame **out)
{
    struct tt_press_frame *f = p->spare;

    if (f) {
        p->spare = f->next;
    } else {
        if (p->frames >= p->most)
            return T2T_END;
        f = create();
        if (!f)
            return T2T_ERR_NO_MEMORY;
        p->frames++;
    }
    *out = f;
    return T2T_OK;
}

void tt_press_give(struct tt_press *p, struct tt_press_frame *f)
{
    f->ids = NULL;
    if (f->sheet)
        tt_sheet_clear(f->sheet, TT_PRESS_SLOTS);
    if (f->raw.cap > KEPT_BYTES)
        tt_buffer_release(&f->raw);
    if (f->packed.cap > KEPT_BYTES)
        tt_buffer_release(&f->packed);
    tt_buffer_clear(&f->raw);
    f->state = TT_FRAME_FILLING;
    f->next = p->spare;
    p->spare = f;
}

void tt_press_push(struct tt_press *p, struct tt_press_frame *f)
{
    f->next = NULL;
    uv_mutex_lock(&p->lock);
    f->state = TT_FRAME_WAITING;
    if (p->first)
        p->last->next = f;
    else
        p->first = f;
    p->last = f;
    uv_cond_signal(&p->to_do);
    uv_mutex_unlock(&p->lock);
}

/* Compresses a frame, which nobody else does. */
static enum t2t_status press(struct tt_press_frame *f)
{
    size_t len;

    if (f->ids)
        tt_frame_write_ids(f->ids, f->count, &f->raw);
    else if (f->sheet && f->sheet->count)
        tt_sheet_write(f->sheet, &f->raw);
    tt_buffer_clear(&f->packed);
    if (f->raw.failed ||
        !tt_buffer_reserve(&f->packed, ZSTD_compressBound(f->raw.len)))
        return T2T_ERR_NO_MEMORY;
    if (f->raw.len > UINT32_MAX)
        return T2T_ERR_LIMIT;
    len = ZSTD_compress2(f->zstd, f->packed.ptr, f->packed.cap, f->raw.ptr,
                         f->raw.len);
    if (ZSTD_isError(len))
        return T2T_ERR_NO_MEMORY;
    f->record =
        (struct tt_frame_record){.bytes = (uint32_t)len,
                                 .raw_bytes = (uint32_t)f->raw.len,
                                 .xxh3 = XXH3_64bits(f->raw.ptr, f->raw.len)};
    return T2T_OK;
}

/* Presses a frame that is waiting; the lock is held, but not while it does. */
static void press_waiting(struct tt_press *p, struct tt_press_frame *f)
{
    f->state = TT_FRAME_TAKEN;
    uv_mutex_unlock(&p->lock);
    f->status = press(f);
    uv_mutex_lock(&p->lock);
    f->state = TT_FRAME_DONE;
    if (f == p->first)
        uv_cond_signal(&p->done);
}

static struct tt_press_frame *find_waiting(const struct tt_press *p)
{
    struct tt_press_frame *f = p->first;

    while (f && f->state != TT_FRAME_WAITING)
        f = f->next;
    return f;
}

struct tt_press_frame *tt_press_pop(struct tt_press *p, bool wait)
{
    struct tt_press_frame *f;
    struct tt_press_frame *other;

    uv_mutex_lock(&p->lock);
    f = p->first;
    while (wait && f && f->state != TT_FRAME_DONE) {
        other = find_waiting(p);
        if (other)
            press_waiting(p, other);
        else
            uv_cond_wait(&p->done, &p->lock);
    }
    if (f && f->state != TT_FRAME_DONE)
        f = NULL;
    if (f)
        p->first = f->next;
    uv_mutex_unlock(&p->lock);
    return f;
}

bool tt_press_help(struct tt_press *p, bool wait)
{
    struct tt_press_frame *f;

    uv_mutex_lock(&p->lock);
    while (!(f = find_waiting(p)) && wait && !p->closed)
        uv_cond_wait(&p->to_do, &p->lock);
    if (f)
        press_waiting(p, f);
    uv_mutex_unlock(&p->lock);
    return f != NULL;
}

static void set_closed(struct tt_press *p, bool closed)
{
    uv_mutex_lock(&p->lock);
    p->closed = closed;
    uv_cond_broadcast(&p->to_do);
    uv_mutex_unlock(&p->lock);
}

void tt_press_close(struct tt_press *p)
{
    set_closed(p, true);
}

void tt_press_open(struct tt_press *p)
{
    set_closed(p, false);
}
