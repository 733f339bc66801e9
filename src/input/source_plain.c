/* source_plain.c - the bytes of a file as they lie: in blocks or mapped. */
#include "input/unpacker.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Waits a little for a pipe to have data, or to end; without a watch as long
 * as it takes.  False: ask the watch. */
static bool wait_readable(const struct tt_raw *raw)
{
    struct pollfd p = {.fd = raw->fd, .events = POLLIN};

    return poll(&p, 1, raw->watch ? TT_WATCH_WAIT_MS : -1) > 0;
}

/* One read() of at most `cap` bytes; *len is 0 at the end of the file. */
static enum t2t_status read_file(struct tt_raw *raw, unsigned char *buf,
                                 size_t cap, size_t *len, struct t2t_error *err)
{
    ssize_t n = -1;

    while (n < 0) {
        if (!tt_watch_go_on(raw->watch))
            return tt_watch_stopped(err);
        if (raw->waits && !wait_readable(raw)) {
            if (!tt_watch_wait(raw->watch))
                return tt_watch_stopped(err);
            continue;
        }
        n = read(raw->fd, buf, cap);
        if (n < 0 && errno == EAGAIN)
            raw->waits = true; /* somebody else has made it non-blocking */
        else if (n < 0 && errno != EINTR)
            return tt_error(err, T2T_ERR_IO, raw->base + raw->len,
                            "cannot read: %s", strerror(errno));
    }
    *len = (size_t)n;
    return T2T_OK;
}

/* At least one byte, or the end: *len is 0. */
static enum t2t_status read_some(struct tt_raw *raw, unsigned char *buf,
                                 size_t cap, size_t *len, struct t2t_error *err)
{
    enum t2t_status st =
        raw->reader ? raw->reader->read(raw->reader->owner, buf, cap, len, err)
                    : read_file(raw, buf, cap, len, err);

    if (!st)
        tt_watch_count(raw->watch, *len);
    return st;
}

enum t2t_status tt_raw_init(struct tt_raw *raw, struct t2t_error *err)
{
    raw->block = malloc(TT_RAW_KEPT + TT_RAW_BYTES);
    if (!raw->block)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}

void tt_raw_release(struct tt_raw *raw)
{
    free(raw->block);
    raw->block = NULL;
}

/* Moves what is not used to the front, behind the last bytes that are. */
static void make_room(struct tt_raw *raw)
{
    size_t drop = raw->pos > TT_RAW_KEPT ? raw->pos - TT_RAW_KEPT : 0;

    memmove(raw->block, raw->block + drop, raw->len - drop);
    raw->pos -= drop;
    raw->len -= drop;
    raw->base += drop;
}

enum t2t_status tt_raw_skip(struct tt_raw *raw, uint64_t to,
                            struct t2t_error *err)
{
    uint64_t end = raw->base + raw->len;

    if (to <= end) {
        raw->pos = (size_t)(to - raw->base);
        return T2T_OK;
    }
    if (lseek(raw->fd, (off_t)to, SEEK_SET) < 0)
        return tt_error(err, T2T_ERR_IO, end, "cannot read: %s",
                        strerror(errno));
    tt_watch_count(raw->watch, (size_t)(to - end));
    raw->base = to;
    raw->pos = raw->len = 0;
    return T2T_OK;
}

enum t2t_status tt_raw_fill(struct tt_raw *raw, size_t want,
                            struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    size_t n;

    assert(want <= TT_RAW_BYTES);
    if (raw->end || tt_raw_left(raw) >= want)
        return T2T_OK;
    make_room(raw);
    while (!st && !raw->end && tt_raw_left(raw) < want) {
        st = read_some(raw, raw->block + raw->len,
                       TT_RAW_KEPT + TT_RAW_BYTES - raw->len, &n, err);
        if (st)
            break;
        raw->len += n;
        raw->end = n == 0;
    }
    return st;
}

unsigned char *tt_raw_map(const struct tt_raw *raw, uint64_t bytes)
{
    void *map;

    if (!bytes || bytes > SIZE_MAX)
        return NULL;
    map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, raw->fd, 0);
    if (map == MAP_FAILED)
        return NULL;
    (void)madvise(map, (size_t)bytes, MADV_SEQUENTIAL);
    return map;
}

void tt_raw_drop(unsigned char *map, uint64_t from, uint64_t bytes)
{
    (void)madvise(map + from, (size_t)bytes, MADV_DONTNEED);
}

void tt_raw_ask(unsigned char *map, uint64_t from, uint64_t bytes)
{
    (void)posix_madvise(map + from, (size_t)bytes, POSIX_MADV_WILLNEED);
}

void tt_raw_unmap(unsigned char *map, uint64_t bytes)
{
    if (map)
        (void)munmap(map, (size_t)bytes);
}

/* What has been read to look at it, then straight from the file. */
static enum t2t_status plain_read(struct tt_unpacker *d, struct tt_raw *raw,
                                  unsigned char *buf, size_t cap, size_t *len,
                                  struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    size_t n = tt_raw_left(raw) < cap ? tt_raw_left(raw) : cap;

    (void)d;
    memcpy(buf, raw->block + raw->pos, n);
    raw->pos += n;
    *len = n;
    while (!st && *len < cap) {
        if (raw->end)
            return T2T_END;
        st = read_some(raw, buf + *len, cap - *len, &n, err);
        if (st)
            break;
        *len += n;
        raw->base += n;
        raw->end = n == 0;
    }
    return st;
}

static void plain_free(struct tt_unpacker *d)
{
    free(d);
}

enum t2t_status tt_plain_create(struct tt_unpacker **out, struct t2t_error *err)
{
    struct tt_unpacker *d = malloc(sizeof(*d));

    if (!d)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    *d = (struct tt_unpacker){.read = plain_read, .free = plain_free};
    *out = d;
    return T2T_OK;
}
