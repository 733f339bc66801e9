/*
 * input/unpacker.h - what source.c and the unpackers share, and nobody else.
 *
 * A tt_raw reads the file in blocks, a tt_unpacker makes text of its bytes: one
 * that passes them on, one for gzip, one for zstd.
 */
#ifndef TT_INPUT_UNPACKER_H
#define TT_INPUT_UNPACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "input/source.h"

/* Bytes of a block, and how many of those already used stay before it. */
#define TT_RAW_BYTES (256u * 1024u)
#define TT_RAW_KEPT 8u

/* The bytes of the file as they lie.  Not used are block[pos] to block[len]. */
struct tt_raw {
    int fd;                         /* not owned */
    bool waits;                     /* its bytes come when they come: a pipe */
    const struct tt_reader *reader; /* instead of the file; not owned */
    struct tt_watch *watch; /* asked at every read; not owned, may be NULL */
    bool end;               /* the file has given its last byte */
    unsigned char *block;   /* TT_RAW_KEPT + TT_RAW_BYTES, owned */
    size_t pos;             /* a unpacker moves it on, or back by TT_RAW_KEPT at
                               most, never before the first byte of the file */
    size_t len;
    uint64_t base; /* where block[0] stands in the file */
};

/* Allocates the block, when the rest is set; release it also when this
 * fails. */
enum t2t_status tt_raw_init(struct tt_raw *raw, struct t2t_error *err);

void tt_raw_release(struct tt_raw *raw);

/*
 * Reads on until `want` bytes, at most TT_RAW_BYTES, are there and not used, or
 * the file ends: fewer are no error.
 */
enum t2t_status tt_raw_fill(struct tt_raw *raw, size_t want,
                            struct t2t_error *err);

/* Goes on at byte `to` of a regular file, behind where it is. */
enum t2t_status tt_raw_skip(struct tt_raw *raw, uint64_t to,
                            struct t2t_error *err);

/* Bytes that are there and not used. */
static inline size_t tt_raw_left(const struct tt_raw *raw)
{
    return raw->len - raw->pos;
}

/* Where the next byte stands in the file. */
static inline uint64_t tt_raw_at(const struct tt_raw *raw)
{
    return raw->base + raw->pos;
}

/*
 * Maps the whole of a regular file of `bytes` bytes.  NULL where that is not
 * possible: such a file can still be read.
 */
unsigned char *tt_raw_map(const struct tt_raw *raw, uint64_t bytes);

/* Lets go of some of its pages, `from` and `bytes` being multiples of one. */
void tt_raw_drop(unsigned char *map, uint64_t from, uint64_t bytes);

/* Has the system read some of them, without waiting for it. */
void tt_raw_ask(unsigned char *map, uint64_t from, uint64_t bytes);

/* Undoes tt_raw_map(); NULL is allowed. */
void tt_raw_unmap(unsigned char *map, uint64_t bytes);

/* The first member of each unpacker's own struct. */
struct tt_unpacker {
    /*
     * Fills `buf` as far as it goes and always sets `len` to the bytes it has.
     * T2T_OK: it is full; T2T_END: the text ends with these; below 0: what
     * comes behind these bytes is damaged or cannot be read.  Not called again
     * after anything but T2T_OK.
     */
    enum t2t_status (*read)(struct tt_unpacker *d, struct tt_raw *raw,
                            unsigned char *buf, size_t cap, size_t *len,
                            struct t2t_error *err);
    void (*free)(struct tt_unpacker *d);
    /* As tt_source_invite(), for the file at `fd`, which begins at 0, and
     * tt_source_help(); NULL: there is never anything to do. */
    void (*invite)(struct tt_unpacker *d, int fd,
                   const struct tt_helpers *helpers);
    bool (*help)(struct tt_unpacker *d);
    uint64_t given; /* bytes of text so far */
    uint64_t sound; /* of them those up to the end of the last member or frame
                       that was whole; at the end of data cut short, all */
};

/* Whether `len` bytes, more than 3 or the last of a file, begin with a magic
   number or, where they are too few for one, with a part of it. */
bool tt_gzip_begins(const unsigned char *ptr, size_t len);
bool tt_zstd_begins(const unsigned char *ptr, size_t len);

enum t2t_status tt_plain_create(struct tt_unpacker **out,
                                struct t2t_error *err);
enum t2t_status tt_gzip_create(struct tt_unpacker **out, struct t2t_error *err);
enum t2t_status tt_zstd_create(struct tt_unpacker **out, struct t2t_error *err);

#endif
