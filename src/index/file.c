/* file.c - temporary file, sections, table, rename. */
#include "index/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/checked.h"

#define TRIES 100 /* names for the temporary file */

static const uint32_t record_bytes[TT_SECTION_END] = {
#define X(name, id, bytes, minor) [id] = bytes,
    TT_SECTION_MAP(X)
#undef X
};

static enum t2t_status fail(const struct tt_file *f, const char *what,
                            struct t2t_error *err)
{
    int reason = errno;
    enum t2t_status code =
        reason == ENOSPC || reason == EDQUOT ? T2T_ERR_NO_SPACE : T2T_ERR_IO;

    return tt_error(err, code, TT_NO_OFFSET, "cannot %s %s: %s", what, f->path,
                    strerror(reason));
}

enum t2t_status tt_file_create(struct tt_file *f, const char *path,
                               struct t2t_error *err)
{
    size_t len = strlen(path) + 32;

    *f = (struct tt_file){.fd = -1, .end = sizeof(struct tt_header)};
    f->path = strdup(path);
    f->temp_path = malloc(len);
    if (!f->path || !f->temp_path) {
        free(f->temp_path);
        f->temp_path = NULL;
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    for (int i = 0; i < TRIES && f->fd < 0; i++) {
        (void)snprintf(f->temp_path, len, "%s.tmp%ld.%d", path, (long)getpid(),
                       i);
        f->fd = open(f->temp_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd < 0 && errno != EEXIST)
            break;
    }
    if (f->fd < 0) {
        enum t2t_status st = fail(f, "create", err);

        free(f->temp_path);
        f->temp_path = NULL;
        return st;
    }
    return T2T_OK;
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
        ssize_t n = pwrite(f->fd, from, len, (off_t)offset);

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

enum t2t_status tt_file_section(struct tt_file *f, enum tt_section_id id,
                                const void *ptr, uint64_t count,
                                struct t2t_error *err)
{
    uint64_t bytes = count * record_bytes[id];
    uint64_t offset = aligned(f->end);

    f->section[id] = (struct tt_section){.id = id,
                                         .record_bytes = record_bytes[id],
                                         .offset = offset,
                                         .bytes = bytes,
                                         .count = count,
                                         .xxh3 = XXH3_64bits(ptr, bytes)};
    f->end = offset + bytes;
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
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    int fd = open(slash ? folder ? folder : "/" : ".",
                  O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    free(folder);
    if (fd < 0)
        return; /* the file itself is safe; some systems refuse this */
    (void)fsync(fd);
    (void)close(fd);
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
    int fd = f->fd;

    if (st)
        return st;
    if (fsync(fd) && errno != EINVAL && errno != EROFS)
        return fail(f, "sync", err);
    f->fd = -1;
    if (close(fd))
        return fail(f, "close", err);
    if (rename(f->temp_path, f->path))
        return fail(f, "rename into place", err);
    free(f->temp_path);
    f->temp_path = NULL;
    sync_folder(f->path);
    *bytes = header->file_bytes;
    *sync_ns = now_ns() - start;
    return T2T_OK;
}

/* ---- columns ------------------------------------------------------------- */

enum t2t_status tt_column_begin(struct tt_column *c, struct tt_file *f,
                                enum tt_section_id id, uint64_t count,
                                struct t2t_error *err)
{
    uint64_t offset = aligned(f->end);

    *c = (struct tt_column){.file = f, .id = id, .at = offset};
    c->buffer = malloc(TT_COLUMN_BUFFER);
    c->hash = XXH3_createState();
    if (!c->buffer || !c->hash) {
        tt_column_release(c);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    (void)XXH3_64bits_reset(c->hash);
    f->section[id] = (struct tt_section){.id = id,
                                         .record_bytes = record_bytes[id],
                                         .offset = offset};
    f->end = offset + count * record_bytes[id];
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
    struct tt_section *s = &c->file->section[c->id];
    enum t2t_status st = tt_column_flush(c, err);

    s->bytes = c->at - s->offset;
    s->count = s->bytes / s->record_bytes;
    s->xxh3 = XXH3_64bits_digest(c->hash);
    if (c->file->end < c->at)
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
