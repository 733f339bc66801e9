/* memory.c - ordinary memory up to a bound, then pieces of a file. */
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/vec.h"

#define PIECE_BYTES ((size_t)64 << 20)
#define ALIGN 64u
#define PAGE ((size_t)64 << 10) /* a multiple of any page */

bool tt_memory_init(struct tt_memory *m, const char *beside, size_t limit)
{
    *m = (struct tt_memory){.beside = beside, .limit = limit, .fd = -1};
    return !uv_mutex_init(&m->lock);
}

void tt_memory_release(struct tt_memory *m)
{
    for (size_t i = 0; i < m->pieces; i++)
        (void)munmap(m->piece[i].ptr, m->piece[i].bytes);
    free(m->piece);
    if (m->fd >= 0)
        (void)close(m->fd);
    uv_mutex_destroy(&m->lock);
}

/* ---- the file ------------------------------------------------------------ */

/* Opens a file in `folder` that has no name, or none any more. */
static int open_nameless(const char *folder)
{
    static const char end[] = "/.t2t.XXXXXX";
    char *path;
    int fd = -1;

#ifdef O_TMPFILE
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (fd >= 0)
        return fd;
    path = malloc(strlen(folder) + sizeof(end));
    if (!path)
        return -1;
    (void)memcpy(path, folder, strlen(folder));
    (void)memcpy(path + strlen(folder), end, sizeof(end));
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    free(path);
    return fd;
}

static bool open_file(struct tt_memory *m)
{
    const char *slash = strrchr(m->beside, '/');
    char *folder = slash ? strndup(m->beside, (size_t)(slash - m->beside) + 1)
                         : strdup(".");

    if (!folder)
        return false;
    m->fd = open_nameless(folder);
    free(folder);
    return m->fd >= 0;
}

/* Maps a new piece with room for `bytes`; false with the reason in errno. */
static bool add_piece(struct tt_memory *m, size_t bytes)
{
    struct tt_memory_piece piece = {.bytes = PIECE_BYTES};
    int reason;

    if (bytes > piece.bytes) {
        if (!tt_add_ok(bytes, PAGE - 1, &piece.bytes))
            return false;
        piece.bytes -= piece.bytes % PAGE;
    }
    if (!tt_vec_room(&m->piece, &m->cap, m->pieces, sizeof(*m->piece)) ||
        (m->fd < 0 && !open_file(m)))
        return false;
    reason = posix_fallocate(m->fd, (off_t)m->file_bytes, (off_t)piece.bytes);
    if (reason) {
        errno = reason;
        return false;
    }
    piece.ptr = mmap(NULL, piece.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                     m->fd, (off_t)m->file_bytes);
    if (piece.ptr == MAP_FAILED)
        return false;
    m->file_bytes += piece.bytes;
    m->piece[m->pieces++] = piece;
    return true;
}

/* Takes bytes of the file, which are zero. */
static void *take_piece(struct tt_memory *m, size_t bytes)
{
    struct tt_memory_piece *last;
    void *ptr;

    bytes += (ALIGN - bytes % ALIGN) % ALIGN;
    last = m->pieces ? &m->piece[m->pieces - 1] : NULL;
    if (!last || last->bytes - last->used < bytes) {
        if (!add_piece(m, bytes)) {
            m->reason = errno;
            return NULL;
        }
        last = &m->piece[m->pieces - 1];
    }
    ptr = last->ptr + last->used;
    last->used += bytes;
    return ptr;
}

static bool is_in_file(const struct tt_memory *m, const char *ptr)
{
    for (size_t i = 0; i < m->pieces; i++)
        if (ptr >= m->piece[i].ptr && ptr < m->piece[i].ptr + m->piece[i].bytes)
            return true;
    return false;
}

/* Drops the pages that lie in those bytes, on the disk too where it can. */
static void drop_pages(char *ptr, size_t bytes)
{
    size_t before = (PAGE - (uintptr_t)ptr % PAGE) % PAGE;

#ifdef MADV_REMOVE
    if (bytes > before && (bytes - before) / PAGE)
        (void)madvise(ptr + before, (bytes - before) / PAGE * PAGE,
                      MADV_REMOVE);
#endif
    (void)before;
}

/* -------------------------------------------------------------------------- */

static bool fits(const struct tt_memory *m, size_t bytes)
{
    return m->used <= m->limit && bytes <= m->limit - m->used;
}

/* Takes bytes where there is room; `zero`: all zero. */
static void *take(struct tt_memory *m, size_t bytes, bool zero)
{
    void *ptr;

    if (!m)
        return zero ? calloc(bytes, 1) : malloc(bytes);
    if (bytes > SIZE_MAX / 2)
        return NULL;
    uv_mutex_lock(&m->lock);
    if (fits(m, bytes)) {
        ptr = zero ? calloc(bytes, 1) : malloc(bytes);
        m->used += ptr ? bytes : 0;
    } else {
        ptr = take_piece(m, bytes);
    }
    uv_mutex_unlock(&m->lock);
    return ptr;
}

void *tt_memory_take(struct tt_memory *m, size_t bytes)
{
    return take(m, bytes, false);
}

void *tt_memory_take_zero(struct tt_memory *m, size_t bytes)
{
    return take(m, bytes, true);
}

void tt_memory_warm(void *ptr, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)ptr % page) % page;

    /* it may fail: then they come as they are touched */
    if (bytes > before)
        (void)madvise((char *)ptr + before, (bytes - before) / page * page,
                      MADV_POPULATE_WRITE);
#endif
    (void)ptr;
    (void)bytes;
}

void tt_memory_give(struct tt_memory *m, void *ptr, size_t bytes)
{
    bool in_file = false;

    if (!ptr)
        return;
    if (m) {
        uv_mutex_lock(&m->lock);
        in_file = is_in_file(m, ptr);
        m->used -= in_file ? 0 : bytes;
        uv_mutex_unlock(&m->lock);
    }
    if (in_file)
        drop_pages(ptr, bytes);
    else
        free(ptr);
}

bool tt_memory_grow(struct tt_memory *m, void *items, size_t *cap, size_t count,
                    size_t record_bytes)
{
    size_t had = *cap;
    void *old, *new;
    size_t bytes;
    size_t want;

    if (!m)
        return tt_vec_grow(items, cap, count, record_bytes);
    if (!tt_add_ok(count, count / 2 + 16, &want) ||
        !tt_mul_ok(want, record_bytes, &bytes))
        return false;
    memcpy(&old, items, sizeof(old));
    new = tt_memory_take(m, bytes);
    if (!new)
        return false;
    if (had)
        memcpy(new, old, had * record_bytes);
    tt_memory_give(m, old, had * record_bytes);
    memcpy(items, &new, sizeof(new));
    *cap = want;
    return true;
}
