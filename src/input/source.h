/*
 * input/source.h - where the bytes of a trace come from.
 *
 * A source opens a file or standard input, looks at its first bytes (never at
 * its name) and gives the JSON text: a plain regular file is mapped, anything
 * else is read and, when it is gzip (any number of members) or zstd (any
 * number of frames, skippable ones too), decompressed.  A UTF-8 byte order mark
 * is skipped; its three bytes count in offsets.  Refused are UTF-16 and UTF-32,
 * and what other tools compress (T2T_ERR_ENCODING at 0), an empty document
 * (T2T_ERR_TRUNCATED at 0, at 3 behind a byte order mark), a directory and an
 * index (T2T_ERR_NOT_A_TRACE).
 *
 * Errors say what is wrong with the data and what to try; the caller adds the
 * name of the file and the offset.
 *
 * Life: open, then either tt_source_map() or tt_source_read() until it answers
 * T2T_END, then close.  Used by one thread at a time.  Memory is half a
 * megabyte whatever the size; for zstd it is the window of the frame more, 8 MB
 * and mostly less unless the frame was made with a long one, 2 GB at most.
 */
#ifndef TT_INPUT_SOURCE_H
#define TT_INPUT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/helpers.h"
#include "base/watch.h"

struct tt_source;

/* Where bytes come from that are no file. */
struct tt_reader {
    /*
     * Fills `buf` with up to `cap` bytes and sets `len` to how many: at least
     * one, or 0 at the end.  Not called again after that or an error.
     */
    enum t2t_status (*read)(void *owner, unsigned char *buf, size_t cap,
                            size_t *len, struct t2t_error *err);
    void *owner;
};

/* What is known of a source before it is read. */
struct tt_source_facts {
    uint64_t bytes;   /* size of the file; 0 for a pipe */
    int64_t mtime_ns; /* of the file, ns since 1970; 0 for a pipe */
    bool compressed;  /* gzip or zstd: offsets in the file are not those of the
                         document */
    bool mapped;      /* tt_source_map() has all of it */
    const char *name; /* last part of the path, "" for "-"; the source's */
    unsigned skipped; /* bytes of a byte order mark: where offset 0 of what
                         is read stands in the document */
};

/*
 * Opens `path`, "-" for standard input, and looks at its first bytes; it waits
 * for four of them when it is a pipe.
 *
 * @param out    set on success; release with tt_source_close().
 * @param watch  asked at every read and while a pipe has no data, by whoever
 *               reads: T2T_ERR_CANCELED is an answer then.  Not owned, may be
 *               NULL.
 */
enum t2t_status tt_source_open(struct tt_source **out, const char *path,
                               struct tt_watch *watch, struct t2t_error *err);

/* What is asked of a source: all zero but for the first or the second. */
struct tt_source_terms {
    const char *path;
    const struct tt_reader *reader; /* instead of a path */
    bool no_map;                    /* read a plain file in blocks, too */
    uint64_t most; /* bytes of text, the byte order mark included: one that is
                      longer is T2T_ERR_LIMIT, where it is mapped at once, else
                      behind so many; 0: any */
};

/* The same on these terms. */
enum t2t_status tt_source_open_on(struct tt_source **out,
                                  const struct tt_source_terms *terms,
                                  struct tt_watch *watch,
                                  struct t2t_error *err);

/* The same for bytes that `reader` has: a pipe, as far as anybody sees. */
enum t2t_status tt_source_open_reader(struct tt_source **out,
                                      const struct tt_reader *reader,
                                      struct tt_watch *watch,
                                      struct t2t_error *err);

/* Closes and frees.  NULL is allowed. */
void tt_source_close(struct tt_source *s);

/*
 * Whether the file is no longer as it was when it was opened, by its size and
 * time: what was read may be partly of the one state and partly of the other.
 * Never of what is no regular file.  One that has lost its name is whole.
 */
bool tt_source_has_changed(const struct tt_source *s);

/* Whether the file has this name: writing there would replace it. */
bool tt_source_is_at(const struct tt_source *s, const char *path);

/* Valid until close. */
const struct tt_source_facts *tt_source_facts(const struct tt_source *s);

/*
 * The whole text as mapped memory, after the byte order mark, when the source
 * is a plain regular file; false for every other source.  A file that somebody
 * cuts while it is mapped ends the process (SIGBUS).
 */
bool tt_source_map(const struct tt_source *s, const unsigned char **ptr,
                   uint64_t *len);

/*
 * Says that nobody will look soon at mapped text before byte `end` of the
 * document: so much of it need not stay in this process.  It can still be read.
 */
void tt_source_pass(struct tt_source *s, uint64_t end);

/* Says that mapped text from byte `at` of the document on will be looked at
 * next, so that the disk is busy before that. */
void tt_source_expect(struct tt_source *s, uint64_t at);

/*
 * Fills `buf` with up to `cap` bytes of text, `cap` at least 1; fewer only at
 * the end and before an error.  All text before a damaged place is given before
 * the error is, and the error again at every further call.  gzip wants a `cap`
 * of 128 KB or more: it is slow below 64 KB.
 *
 * @param len  set to how many, at least 1, on T2T_OK.
 * @return T2T_OK; T2T_END at the end of the text; T2T_ERR_IO; for gzip
 *         T2T_ERR_GZIP_DATA, _CRC or _TRUNCATED and for zstd T2T_ERR_ZSTD_DATA
 *         or _TRUNCATED, with the offset in the compressed file;
 *         T2T_ERR_LIMIT; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_source_read(struct tt_source *s, unsigned char *buf,
                               size_t cap, size_t *len, struct t2t_error *err);

/* Memory that a source takes for what is decompressed ahead, at most. */
#define TT_HELPED_BYTES ((size_t)44 << 20)

/*
 * Says that `helpers` may decompress ahead of the reader what can be: zstd
 * frames of a file.  Before the first read; not owned, as long as the source.
 */
void tt_source_invite(struct tt_source *s, const struct tt_helpers *helpers);

/* Decompresses something ahead of the reader; any thread, also while another
 * reads.  False: there is nothing to do now. */
bool tt_source_help(struct tt_source *s);

/*
 * How much of the text is right although what follows it is damaged, when a
 * read has failed: up to the end of the last gzip member or zstd frame that was
 * whole, or all when they are only cut short.  What follows may be nonsense.
 * As offsets in the document it counts the byte order mark.
 */
uint64_t tt_source_sound(const struct tt_source *s);

/*
 * Bytes of the file consumed so far, for progress and results: of a mapped file
 * all.
 */
uint64_t tt_source_consumed(const struct tt_source *s);

#endif
