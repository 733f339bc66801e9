/* file.c - temporary file, sections, table, rename. */
#include "index/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/checked.h"

#define TRIES 100       /* names for the temporary file */
#define TEMP_END_MAX 40 /* bytes of what they end with, and a NUL */
#define SAID_BYTES 120  /* of the path in an error */
#define WRITE_BYTES ((size_t)4 << 20) /* at a time, as for SYNC_BYTES */
#define SYNC_BYTES ((size_t)8 << 20)

static const uint32_t record_bytes[TT_SECTION_END] = {
#define X(name, id, bytes, minor) [id] = bytes,
    TT_SECTION_MAP(X)
#undef X
};

static enum t2t_status fail(const struct tt_file *f, const char *what,
                            struct t2t_error *err)
{
    int reason = errno;
    enum t2t_status code = T2T_ERR_IO;
    size_t len = strlen(f->path);
    bool cut = len > SAID_BYTES; /* else there were no room for the reason */

    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        code = T2T_ERR_NO_SPACE;
    else if (reason == ENOMEM)
        code = T2T_ERR_NO_MEMORY;
    return tt_error(err, code, TT_NO_OFFSET, "cannot %s %s%s: %s", what,
                    cut ? "..." : "", f->path + (cut ? len - SAID_BYTES : 0),
                    strerror(reason));
}

/* Whether a device, a FIFO or a socket has the name of the index. */
static bool is_special(const struct tt_file *f)
{
    struct stat there;

    return !lstat(f->path, &there) &&
           (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode) ||
            S_ISFIFO(there.st_mode) || S_ISSOCK(there.st_mode));
}

/* Says that such a thing is not replaced. */
static enum t2t_status refuse(const struct tt_file *f, struct t2t_error *err)
{
    size_t len = strlen(f->path);
    bool cut = len > SAID_BYTES;

    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "%s%s is no plain file",
                    cut ? "..." : "", f->path + (cut ? len - SAID_BYTES : 0));
}

/*
 * Makes the n-th temporary name: PATH.tmpN, or when `cut` with as much less of
 * PATH, so that the name is no longer than the one the file will have.
 */
static void make_temp_path(struct tt_file *f, int n, bool cut)
{
    size_t len = strlen(f->path);
    const char *slash = strrchr(f->path, '/');
    size_t folder = slash ? (size_t)(slash - f->path) + 1 : 0;
    char end[TEMP_END_MAX];
    size_t end_len = (size_t)snprintf(end, sizeof(end), ".tmp%d", n);

    if (cut) {
        len = len - folder > end_len ? len - end_len : folder;
        while (len > folder && ((unsigned char)f->path[len] & 0xc0) == 0x80)
            len--; /* not within a character */
    }
    memcpy(f->temp_path, f->path, len);
    memcpy(f->temp_path + len, end, end_len + 1);
}

/* Finds a temporary name with which `make` succeeds; false leaves its errno.
 * f->temp_path is the name then, else NULL. */
static bool with_temp_path(struct tt_file *f, bool (*make)(struct tt_file *f))
{
    bool cut = false;

    f->temp_path = malloc(strlen(f->path) + TEMP_END_MAX);
    if (!f->temp_path)
        return false; /* ENOMEM */
    for (int i = 0; i < TRIES; i++) {
        make_temp_path(f, i, cut);
        if (make(f))
            return true;
        if (errno == ENAMETOOLONG && !cut)
            cut = true;
        else if (errno != EEXIST)
            break;
    }
    free(f->temp_path);
    f->temp_path = NULL;
    return false;
}

/*
 * Whoever writes a file holds a lock on it as long as it has a temporary name.
 * So one that is not locked is of a process that was killed.  False, with
 * EEXIST: somebody has come to that conclusion before we could lock ours.
 * Where there are no locks, nobody removes anything.
 */
static bool lock(int fd)
{
    struct stat st;

    if (!flock(fd, LOCK_EX | LOCK_NB)) {
        if (!fstat(fd, &st) && st.st_nlink)
            return true;
    } else if (errno != EWOULDBLOCK) {
        return true;
    }
    errno = EEXIST;
    return false;
}

static bool make_named(struct tt_file *f)
{
    f->fd = open(f->temp_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (f->fd < 0 || lock(f->fd))
        return f->fd >= 0;
    (void)close(f->fd);
    f->fd = -1;
    return false;
}

/* Whether a file of that temporary name is one that we wrote: an index, or one
 * whose header is still to come. */
static bool is_ours(int fd, const struct stat *st)
{
    static const char none[sizeof(TT_MAGIC) - 1];
    char first[sizeof(none)];

    return S_ISREG(st->st_mode) && st->st_nlink == 1 &&
           st->st_uid == geteuid() &&
           (!st->st_size ||
            (pread(fd, first, sizeof(first), 0) == (ssize_t)sizeof(first) &&
             (!memcmp(first, none, sizeof(first)) ||
              !memcmp(first, TT_MAGIC, sizeof(first)))));
}

/* Removes the file at `path` if a build that was killed has left it. */
static void remove_left(const char *path, int fd)
{
    struct stat ours, there;

    if (fstat(fd, &ours) || !is_ours(fd, &ours) || flock(fd, LOCK_EX | LOCK_NB))
        return;
    /* while it is locked, nobody else gives that name away */
    if (!lstat(path, &there) && there.st_dev == ours.st_dev &&
        there.st_ino == ours.st_ino)
        (void)unlink(path);
}

/* Removes what builds of this index have left that were killed. */
static void remove_all_left(struct tt_file *f)
{
    bool cut = false;

    f->temp_path = malloc(strlen(f->path) + TEMP_END_MAX);
    for (int i = 0; f->temp_path && i < TRIES; i++) {
        int fd;

        make_temp_path(f, i, cut);
        fd = open(f->temp_path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            remove_left(f->temp_path, fd);
            (void)close(fd);
        } else if (errno == ENAMETOOLONG && !cut) {
            cut = true;
            i--;
        }
    }
    free(f->temp_path);
    f->temp_path = NULL;
}

/* Opens the folder of `path`, or with O_TMPFILE a file without a name in it. */
static int open_folder(const char *path, int flags)
{
    const char *slash = strrchr(path, '/');
    char *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    int fd = -1;

    if (folder)
        fd = open(slash ? folder : ".", flags | O_CLOEXEC, 0666);
    free(folder);
    return fd;
}

#ifdef O_TMPFILE

/* Gives the file without a name the name `to`. */
static bool link_to(const struct tt_file *f, const char *to)
{
    char from[40];

    (void)snprintf(from, sizeof(from), "/proc/self/fd/%d", f->fd);
    return !linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

static bool link_temp(struct tt_file *f)
{
    return link_to(f, f->temp_path);
}

/* Whether files without a name can get one here: seen with one that is empty,
 * as it is too late to find out at the end. */
static bool can_link(struct tt_file *f)
{
    bool ok;

    f->fd = open_folder(f->path, O_TMPFILE | O_RDWR);
    if (f->fd >= 0)
        (void)flock(f->fd, LOCK_EX | LOCK_NB);
    ok = f->fd >= 0 && with_temp_path(f, link_temp);
    if (ok)
        (void)unlink(f->temp_path);
    free(f->temp_path);
    f->temp_path = NULL;
    if (f->fd >= 0)
        (void)close(f->fd);
    f->fd = -1;
    return ok;
}

static bool make_nameless(struct tt_file *f)
{
    if (!can_link(f))
        return false;
    f->fd = open_folder(f->path, O_TMPFILE | O_RDWR);
    if (f->fd >= 0)
        (void)flock(f->fd, LOCK_EX | LOCK_NB); /* for when it has a name */
    return f->fd >= 0;
}

/* At once where no file is yet, else under a temporary name first. */
static bool name_it(struct tt_file *f)
{
    return link_to(f, f->path) ||
           (errno == EEXIST && with_temp_path(f, link_temp));
}

#else

static bool make_nameless(struct tt_file *f)
{
    (void)f;
    return false;
}

static bool name_it(struct tt_file *f)
{
    (void)f;
    return false;
}

#endif

static enum t2t_status create(struct tt_file *f, const char *path, bool named,
                              struct t2t_error *err)
{
    struct stat there;

    *f = (struct tt_file){.fd = -1, .end = sizeof(struct tt_header)};
    f->path = strdup(path);
    if (!f->path)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    if (lstat(path, &there) && errno == ENAMETOOLONG)
        return fail(f, "create", err);
    if (is_special(f))
        return refuse(f, err);
    remove_all_left(f);
    if ((!named && make_nameless(f)) || with_temp_path(f, make_named))
        return T2T_OK;
    return fail(f, "create", err);
}

enum t2t_status tt_file_create(struct tt_file *f, const char *path,
                               struct t2t_error *err)
{
    return create(f, path, false, err);
}

enum t2t_status tt_file_create_named(struct tt_file *f, const char *path,
                                     struct t2t_error *err)
{
    return create(f, path, true, err);
}

void tt_file_release(struct tt_file *f)
{
    if (f->temp_path)
        (void)unlink(f->temp_path);
    if (f->fd >= 0)
        (void)close(f->fd);
    free(f->temp_path);
    free(f->path);
    *f = (struct tt_file){.fd = -1};
}

enum t2t_status tt_file_write(struct tt_file *f, uint64_t offset,
                              const void *ptr, size_t len,
                              struct t2t_error *err)
{
    const char *from = ptr;

    while (len) {
        ssize_t n;

        if (!tt_watch_go_on(f->watch))
            return tt_watch_stopped(err);
        n = pwrite(f->fd, from, len < WRITE_BYTES ? len : WRITE_BYTES,
                   (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : ENOSPC;
            return fail(f, "write", err);
        }
        from += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return T2T_OK;
}

enum t2t_status tt_file_read(struct tt_file *f, uint64_t offset, void *ptr,
                             size_t len, struct t2t_error *err)
{
    char *to = ptr;

    while (len) {
        ssize_t n = pread(f->fd, to, len, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : EIO;
            return fail(f, "read back", err);
        }
        to += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return T2T_OK;
}

static uint64_t aligned(uint64_t offset)
{
    return (offset + TT_ALIGN - 1) / TT_ALIGN * TT_ALIGN;
}

uint64_t tt_file_reserve(struct tt_file *f, enum tt_section_id id,
                         uint64_t count)
{
    uint64_t offset = aligned(f->end);

    f->section[id] = (struct tt_section){.id = id,
                                         .record_bytes = record_bytes[id],
                                         .offset = offset};
    f->end = offset + count * record_bytes[id];
    return offset;
}

void tt_file_end_section(struct tt_file *f, enum tt_section_id id,
                         uint64_t count, uint64_t xxh3)
{
    struct tt_section *s = &f->section[id];

    s->count = count;
    s->bytes = count * s->record_bytes;
    s->xxh3 = xxh3;
}

enum t2t_status tt_file_section(struct tt_file *f, enum tt_section_id id,
                                const void *ptr, uint64_t count,
                                struct t2t_error *err)
{
    uint64_t offset = tt_file_reserve(f, id, count);
    uint64_t bytes = count * record_bytes[id];

    tt_file_end_section(f, id, count, XXH3_64bits(ptr, bytes));
    return tt_file_write(f, offset, ptr, bytes, err);
}

static uint64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Makes the new name in the folder last. */
static void sync_folder(const char *path)
{
    int fd = open_folder(path, O_RDONLY | O_DIRECTORY);

    if (fd < 0)
        return; /* the file itself is safe; some systems refuse this */
    (void)fsync(fd);
    (void)close(fd);
}

/*
 * Writes to the disk what the system has kept back, piece by piece, so that
 * the watch is asked in between; the next piece is on its way meanwhile.  What
 * this leaves, fsync() does.
 */
static enum t2t_status sync_pieces(struct tt_file *f, uint64_t bytes,
                                   struct t2t_error *err)
{
#ifdef SYNC_FILE_RANGE_WRITE
    const unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                          SYNC_FILE_RANGE_WAIT_AFTER;

    if (!tt_watch_is_used(f->watch))
        return T2T_OK;
    for (uint64_t at = 0; at < bytes; at += SYNC_BYTES) {
        if (sync_file_range(f->fd, (off_t)(at + SYNC_BYTES), SYNC_BYTES,
                            SYNC_FILE_RANGE_WRITE) ||
            sync_file_range(f->fd, (off_t)at, SYNC_BYTES, wait)) {
            if (errno == EIO || errno == ENOSPC || errno == EDQUOT)
                return fail(f, "sync", err);
            break; /* not possible here */
        }
        if (!tt_watch_go_on(f->watch))
            return tt_watch_stopped(err);
    }
#else
    (void)f;
    (void)bytes;
    (void)err;
#endif
    return T2T_OK;
}

/*
 * Gives the file, which is on the disk, its name.  It is closed first, as that
 * can fail where a name would be too late; a copy of the descriptor keeps the
 * lock and can still be named.
 */
static enum t2t_status put_in_place(struct tt_file *f, struct t2t_error *err)
{
    int fd = f->fd;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (copy < 0)
        return fail(f, "close", err);
    f->fd = copy;
    if (close(fd))
        return fail(f, "close", err);
    if (is_special(f)) {
        (void)close(copy);
        f->fd = -1;
        return refuse(f, err);
    }
    if (!f->temp_path && !name_it(f))
        return fail(f, "name", err);
    if (f->temp_path && rename(f->temp_path, f->path))
        return fail(f, "rename into place", err);
    free(f->temp_path);
    f->temp_path = NULL;
    f->fd = -1;
    (void)close(copy);
    sync_folder(f->path);
    return T2T_OK;
}

static enum t2t_status write_table(struct tt_file *f, struct tt_header *header,
                                   struct t2t_error *err)
{
    const struct tt_section *table = &f->section[1]; /* ids begin at 1 */
    size_t bytes = (TT_SECTION_END - 1) * sizeof(*table);
    enum t2t_status st;

    memcpy(header->magic, TT_MAGIC, sizeof(header->magic));
    header->major = TT_MAJOR;
    header->minor = TT_MINOR;
    header->header_bytes = sizeof(*header);
    header->table_offset = aligned(f->end);
    header->section_count = TT_SECTION_END - 1;
    header->file_bytes = header->table_offset + bytes;
    header->table_xxh3 = XXH3_64bits(table, bytes);
    header->xxh3 = XXH3_64bits(header, offsetof(struct tt_header, xxh3));
    st = tt_file_write(f, header->table_offset, table, bytes, err);
    return st ? st : tt_file_write(f, 0, header, sizeof(*header), err);
}

enum t2t_status tt_file_commit(struct tt_file *f, struct tt_header *header,
                               uint64_t *bytes, uint64_t *sync_ns,
                               struct t2t_error *err)
{
    enum t2t_status st = write_table(f, header, err);
    uint64_t start = now_ns();

    if (!st)
        st = sync_pieces(f, header->file_bytes, err);
    if (st)
        return st;
    if (fsync(f->fd) && errno != EINVAL && errno != EROFS)
        return fail(f, "sync", err);
    if (!tt_watch_now(f->watch))
        return tt_watch_stopped(err);
    st = put_in_place(f, err);
    if (st)
        return st;
    *bytes = header->file_bytes;
    *sync_ns = now_ns() - start;
    return T2T_OK;
}

/* ---- columns ------------------------------------------------------------- */

enum t2t_status tt_column_begin(struct tt_column *c, struct tt_file *f,
                                enum tt_section_id id, struct t2t_error *err)
{
    *c = (struct tt_column){.file = f, .id = id};
    c->buffer = malloc(TT_COLUMN_BUFFER);
    c->hash = XXH3_createState();
    if (!c->buffer || !c->hash) {
        tt_column_release(c);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    (void)XXH3_64bits_reset(c->hash);
    c->at = tt_file_reserve(f, id, 0);
    return T2T_OK;
}

enum t2t_status tt_column_flush(struct tt_column *c, struct t2t_error *err)
{
    enum t2t_status st = tt_file_write(c->file, c->at, c->buffer, c->len, err);

    if (st)
        return st;
    (void)XXH3_64bits_update(c->hash, c->buffer, c->len);
    c->at += c->len;
    c->len = 0;
    return T2T_OK;
}

enum t2t_status tt_column_spill(struct tt_column *c, const void *ptr,
                                size_t len, struct t2t_error *err)
{
    enum t2t_status st = tt_column_flush(c, err);

    if (st || len <= TT_COLUMN_BUFFER) {
        if (!st)
            memcpy(c->buffer, ptr, len);
        c->len = st ? 0 : len;
        return st;
    }
    st = tt_file_write(c->file, c->at, ptr, len, err);
    (void)XXH3_64bits_update(c->hash, ptr, len);
    c->at += len;
    return st;
}

enum t2t_status tt_column_end(struct tt_column *c, struct t2t_error *err)
{
    const struct tt_section *s = &c->file->section[c->id];
    enum t2t_status st = tt_column_flush(c, err);

    tt_file_end_section(c->file, c->id, (c->at - s->offset) / s->record_bytes,
                        XXH3_64bits_digest(c->hash));
    c->file->end = c->at;
    tt_column_release(c);
    return st;
}

void tt_column_release(struct tt_column *c)
{
    free(c->buffer);
    (void)XXH3_freeState(c->hash);
    *c = (struct tt_column){0};
}
