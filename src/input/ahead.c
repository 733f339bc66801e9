/* ahead.c - a ring of frames that were planned. */
#include "input/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <uv.h>
#include <zstd.h>

#define FRAMES 4u                      /* planned at a time, at most */
#define FIRST_BYTES ((size_t)64 << 10) /* of a frame that are read at first */
#define MOST_PACKED ((size_t)2 << 20)  /* bytes of a frame */
#define MOST_TEXT ((size_t)8 << 20)    /* bytes of its text: pzstd's */

_Static_assert(FRAMES *(MOST_PACKED + MOST_TEXT) < TT_HELPED_BYTES,
               "what is ahead is no more than callers count on");

enum state { WAITING, TAKEN, DONE, FAILED };

struct frame {
    enum state state; /* guarded by the lock */
    uint64_t at;      /* in the file */
    unsigned char *packed;
    size_t packed_cap;
    size_t packed_len;
    unsigned char *text;
    size_t text_cap;
    size_t text_len; /* before it is done, at most */
    ZSTD_DCtx *context;
};

struct tt_ahead {
    int fd;
    const struct tt_helpers *helpers; /* not owned */
    uv_mutex_t lock;
    uv_cond_t done;
    struct frame frame[FRAMES]; /* a ring of `cap` */
    size_t cap;     /* one for each thread and one to come, or all */
    size_t head;    /* the first, of all there ever were */
    size_t end;     /* behind the last */
    bool has_given; /* the first one was given to the reader */
};

struct tt_ahead *tt_ahead_create(int fd, const struct tt_helpers *helpers)
{
    struct tt_ahead *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->fd = fd;
    f->helpers = helpers;
    f->cap = helpers->count + 2 < FRAMES ? helpers->count + 2 : FRAMES;
    if (uv_mutex_init(&f->lock))
        goto free_all;
    if (uv_cond_init(&f->done))
        goto free_lock;
    return f;

free_lock:
    uv_mutex_destroy(&f->lock);
free_all:
    free(f);
    return NULL;
}

void tt_ahead_free(struct tt_ahead *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < FRAMES; i++) {
        free(f->frame[i].packed);
        free(f->frame[i].text);
        (void)ZSTD_freeDCtx(f->frame[i].context);
    }
    uv_cond_destroy(&f->done);
    uv_mutex_destroy(&f->lock);
    free(f);
}

static bool reserve(unsigned char **ptr, size_t *cap, size_t len)
{
    unsigned char *more;

    if (len <= *cap)
        return true;
    more = realloc(*ptr, len);
    if (!more)
        return false;
    *ptr = more;
    *cap = len;
    return true;
}

/* Reads the frame's bytes up to `len` of them; false when there are fewer, or
 * they cannot be read. */
static bool read_up_to(int fd, struct frame *x, size_t len)
{
    if (!reserve(&x->packed, &x->packed_cap, len))
        return false;
    while (x->packed_len < len) {
        ssize_t n = pread(fd, x->packed + x->packed_len, len - x->packed_len,
                          (off_t)(x->at + x->packed_len));

        if (n > 0)
            x->packed_len += (size_t)n;
        else if (!n || errno != EINTR)
            return false;
    }
    return true;
}

/* Whether a frame asks for a window that is none of ours, or nearly. */
static bool is_wide(const unsigned char *ptr, size_t len)
{
    bool skippable = len >= 4 && (ptr[0] & 0xf0) == 0x50;

    return len >= 6 && !skippable && !(ptr[4] & 0x20) && ptr[5] >> 3 >= 21;
}

/* Reads a whole frame, if it is short and does not say that its text is long.
 */
static bool plan(int fd, struct frame *x, uint64_t at)
{
    unsigned long long text;
    size_t len = 0;

    x->at = at;
    x->packed_len = 0;
    for (size_t want = FIRST_BYTES; !len; want *= 2) {
        bool more = want <= MOST_PACKED && read_up_to(fd, x, want);

        if (!x->packed_len)
            return false;
        text = ZSTD_getFrameContentSize(x->packed, x->packed_len);
        if (text == ZSTD_CONTENTSIZE_UNKNOWN)
            text = MOST_TEXT;
        if (text == ZSTD_CONTENTSIZE_ERROR || text > MOST_TEXT ||
            is_wide(x->packed, x->packed_len))
            return false;
        len = ZSTD_findFrameCompressedSize(x->packed, x->packed_len);
        if (ZSTD_isError(len))
            len = 0;
        if (!len && !more)
            return false;
    }
    x->packed_len = len;
    x->text_len = (size_t)text;
    x->state = WAITING;
    return reserve(&x->text, &x->text_cap, x->text_len + 1);
}

/* Decompresses a frame that is taken; the lock is held, but not while it does.
 */
static void unpack(struct tt_ahead *f, struct frame *x)
{
    size_t len = 0;
    bool ok;

    uv_mutex_unlock(&f->lock);
    if (!x->context)
        x->context = ZSTD_createDCtx();
    ok = x->context != NULL;
    if (ok)
        len = ZSTD_decompressDCtx(x->context, x->text, x->text_len, x->packed,
                                  x->packed_len);
    ok = ok && !ZSTD_isError(len);
    uv_mutex_lock(&f->lock);
    x->text_len = ok ? len : 0;
    x->state = ok ? DONE : FAILED;
    uv_cond_signal(&f->done);
}

/* Takes the first frame that waits; the lock is held. */
static bool help(struct tt_ahead *f)
{
    for (size_t n = f->head; n < f->end; n++) {
        struct frame *x = &f->frame[n % f->cap];

        if (x->state != WAITING)
            continue;
        x->state = TAKEN;
        unpack(f, x);
        return true;
    }
    return false;
}

bool tt_ahead_help(struct tt_ahead *f)
{
    bool helped;

    uv_mutex_lock(&f->lock);
    helped = help(f);
    uv_mutex_unlock(&f->lock);
    return helped;
}

/* Forgets all frames; waits for those that somebody is at. */
static void forget(struct tt_ahead *f)
{
    uv_mutex_lock(&f->lock);
    while (f->head < f->end) {
        while (f->frame[f->head % f->cap].state == TAKEN)
            uv_cond_wait(&f->done, &f->lock);
        f->head++;
    }
    f->has_given = false;
    uv_mutex_unlock(&f->lock);
}

/* Where the frame behind those that are planned begins. */
static uint64_t planned_to(const struct tt_ahead *f, uint64_t at)
{
    const struct frame *last = &f->frame[(f->end - 1) % f->cap];

    return f->head < f->end ? last->at + last->packed_len : at;
}

/* Plans for the frames from `at` on; only the reader does. */
static void plan_ahead(struct tt_ahead *f, uint64_t at)
{
    unsigned fresh = 0;

    at = planned_to(f, at);
    while (f->end - f->head < f->cap) {
        struct frame *x = &f->frame[f->end % f->cap];

        if (!plan(f->fd, x, at))
            break;
        at += x->packed_len;
        uv_mutex_lock(&f->lock);
        f->end++;
        uv_mutex_unlock(&f->lock);
        fresh++;
    }
    if (fresh)
        f->helpers->call(f->helpers->context, fresh);
}

/* Waits for the first frame and helps meanwhile. */
static enum state finish_first(struct tt_ahead *f)
{
    const struct frame *x = &f->frame[f->head % f->cap];
    enum state state;

    uv_mutex_lock(&f->lock);
    while (x->state == WAITING || x->state == TAKEN)
        if (!help(f))
            uv_cond_wait(&f->done, &f->lock);
    state = x->state;
    uv_mutex_unlock(&f->lock);
    return state;
}

bool tt_ahead_take(struct tt_ahead *f, uint64_t at, struct tt_ahead_text *out)
{
    struct frame *x;

    if (f->has_given) {
        uv_mutex_lock(&f->lock);
        f->head++;
        uv_mutex_unlock(&f->lock);
        f->has_given = false;
    }
    if (f->head < f->end && f->frame[f->head % f->cap].at != at)
        forget(f);
    plan_ahead(f, at);
    if (f->head == f->end)
        return false;
    if (finish_first(f) != DONE) {
        forget(f);
        return false;
    }
    x = &f->frame[f->head % f->cap];
    f->has_given = true;
    *out = (struct tt_ahead_text){x->text, x->text_len, at + x->packed_len};
    return true;
}
