/* press.c - compresses frames, each a task. */
#include "index/press.h"

#include <stdlib.h>

#include <xxhash.h>

#define LEVEL 1 /* of zstd: the columns of a frame are small already */

/* Buffers of more than that are not kept. */
#define KEPT_BYTES ((size_t)2 << 20)

void tt_press_init(struct tt_press *p, struct tt_tasks *tasks)
{
    *p = (struct tt_press){.most = TT_PRESS_ALONE};
    tt_task_queue_init(&p->queue, tasks);
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

void tt_press_release(struct tt_press *p)
{
    struct tt_task *next;

    for (struct tt_task *t = p->queue.first; t; t = next) {
        next = t->next;
        tt_press_frame_free((struct tt_press_frame *)t);
    }
    tt_task_queue_release(&p->queue);
    for (struct tt_press_frame *f; (f = p->spare);) {
        p->spare = f->next;
        tt_press_frame_free(f);
    }
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

struct tt_press_frame *tt_press_frame_create(void)
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
        f = tt_press_frame_create();
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
    f->next = p->spare;
    p->spare = f;
}

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

void tt_press_run(struct tt_press_frame *f)
{
    f->status = press(f);
}

static void run(struct tt_task *task)
{
    tt_press_run((struct tt_press_frame *)task);
}

void tt_press_push(struct tt_press *p, struct tt_press_frame *f)
{
    f->task.run = run;
    f->task.run_in_order = NULL;
    tt_task_push(&p->queue, &f->task);
}

struct tt_press_frame *tt_press_pop(struct tt_press *p, bool wait)
{
    return (struct tt_press_frame *)tt_task_pop(&p->queue, wait);
}
