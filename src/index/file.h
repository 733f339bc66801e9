/*
 * index/file.h - an index file while it is written.
 *
 * It is written in the folder where it will be, without a name where the system
 * has files without one, else under a temporary name; it is synced and gets its
 * name at the end: it appears whole or not at all.  A file without a name
 * vanishes however the process ends; one with a temporary name, which it also
 * has for a moment when it replaces another, is left by a process that is
 * killed, and the next one that writes the same index removes it: it is not
 * locked any more.  Sections are written in any order.  One thread, but for
 * tt_file_write().
 */
#ifndef TT_INDEX_FILE_H
#define TT_INDEX_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xxhash.h>

#include "base/status.h"
#include "base/watch.h"
#include "format/format.h"

struct tt_file {
    int fd;
    char *path;
    char *temp_path;        /* NULL while or once it has none */
    uint64_t end;           /* where the next section may begin */
    struct tt_watch *watch; /* asked at every write; not owned, may be NULL */
    struct tt_section section[TT_SECTION_END]; /* by id */
};

/* Starts the file that will be at `path`, and removes what is left of others.
 * Release it whatever is answered. */
enum t2t_status tt_file_create(struct tt_file *f, const char *path,
                               struct t2t_error *err);

/* The same, under a temporary name in any case. */
enum t2t_status tt_file_create_named(struct tt_file *f, const char *path,
                                     struct t2t_error *err);

/* Removes the file, unless it was committed, and frees. */
void tt_file_release(struct tt_file *f);

/* Writes `len` bytes at `offset`.  Any thread. */
enum t2t_status tt_file_write(struct tt_file *f, uint64_t offset,
                              const void *ptr, size_t len,
                              struct t2t_error *err);

/* Reads back `len` bytes at `offset`. */
enum t2t_status tt_file_read(struct tt_file *f, uint64_t offset, void *ptr,
                             size_t len, struct t2t_error *err);

/* Writes a whole section. */
enum t2t_status tt_file_section(struct tt_file *f, enum tt_section_id id,
                                const void *ptr, uint64_t count,
                                struct t2t_error *err);

/*
 * Makes room for a section of `count` records at the end of the file so far;
 * who does so writes it, in any order and on any threads, and ends it.
 *
 * @return where it begins.
 */
uint64_t tt_file_reserve(struct tt_file *f, enum tt_section_id id,
                         uint64_t count);

/* Records what was written of such a section. */
void tt_file_end_section(struct tt_file *f, enum tt_section_id id,
                         uint64_t count, uint64_t xxh3);

/*
 * Writes the table and the header, syncs, renames.  `header` has all that is
 * about the trace; the rest is filled in.  The watch is asked while it syncs
 * and for the last time just before the file gets its name.
 *
 * @param bytes    set to the size of the file.
 * @param sync_ns  set to the time that syncing took.
 */
enum t2t_status tt_file_commit(struct tt_file *f, struct tt_header *header,
                               uint64_t *bytes, uint64_t *sync_ns,
                               struct t2t_error *err);

/*
 * A section that is written piece by piece from front to back: through a
 * buffer, with its checksum.
 */
struct tt_column {
    struct tt_file *file;
    enum tt_section_id id;
    uint64_t at;           /* offset of the next byte that leaves the buffer */
    unsigned char *buffer; /* owned */
    size_t len;
    XXH3_state_t *hash; /* owned */
};

#define TT_COLUMN_BUFFER ((size_t)64 << 10)

/* Starts section `id` at the end of the file so far; it must be ended before
 * the next begins. */
enum t2t_status tt_column_begin(struct tt_column *c, struct tt_file *f,
                                enum tt_section_id id, struct t2t_error *err);

/* Appends bytes; what does not fit the buffer is written. */
enum t2t_status tt_column_spill(struct tt_column *c, const void *ptr,
                                size_t len, struct t2t_error *err);

static inline enum t2t_status tt_column_add(struct tt_column *c,
                                            const void *ptr, size_t len,
                                            struct t2t_error *err)
{
    if (TT_COLUMN_BUFFER - c->len < len)
        return tt_column_spill(c, ptr, len, err);
    __builtin_memcpy(c->buffer + c->len, ptr, len);
    c->len += len;
    return T2T_OK;
}

/* Offset in the file of the next byte added. */
static inline uint64_t tt_column_offset(const struct tt_column *c)
{
    return c->at + c->len;
}

/* Writes out the buffer, so that the section can be read back. */
enum t2t_status tt_column_flush(struct tt_column *c, struct t2t_error *err);

/* Ends the section and records it; frees the column's memory. */
enum t2t_status tt_column_end(struct tt_column *c, struct t2t_error *err);

/* Frees a column that was not ended; all-zero is allowed. */
void tt_column_release(struct tt_column *c);

#endif
