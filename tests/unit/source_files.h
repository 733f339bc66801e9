/*
 * source_files.h - files in all the kinds a source reads, for its tests.
 */
#ifndef TESTS_SOURCE_FILES_H
#define TESTS_SOURCE_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif
#include <zstd.h>

#include "input/source.h"

/* Bytes that a test owns. */
struct bytes {
    unsigned char *ptr;
    size_t len;
    size_t room; /* allocated, when join() has been at work */
};

static inline struct bytes take(const void *ptr, size_t len)
{
    struct bytes b = {malloc(len ? len : 1), len, len};

    assert_non_null(b.ptr);
    memcpy(b.ptr, ptr, len);
    return b;
}

/* Appends `more`. */
static inline void join(struct bytes *b, const void *more, size_t len)
{
    if (b->room - b->len < len) {
        b->room = 2 * (b->len + len);
        b->ptr = realloc(b->ptr, b->room);
        assert_non_null(b->ptr);
    }
    memcpy(b->ptr + b->len, more, len);
    b->len += len;
}

static inline void join_and_free(struct bytes *b, struct bytes more)
{
    join(b, more.ptr, more.len);
    free(more.ptr);
}

/* Text that looks like a trace: it repeats, but not soon. */
static inline struct bytes make_text(size_t len)
{
    struct bytes b = take("[", 1);
    uint32_t random = 1;
    char line[128];

    while (b.len < len) {
        random = random * 1664525 + 1013904223;
        join(&b, line,
             (size_t)snprintf(line, sizeof(line),
                              "{\"ph\": \"X\", \"name\": \"op_%u\", "
                              "\"ts\": %u.%03u},\n",
                              random >> 28, random, random >> 16 & 511));
    }
    b.len = len;
    return b;
}

#ifdef HAVE_ISAL
static inline struct bytes gzip(const void *text, size_t len)
{
    struct isal_zstream z;
    struct bytes b = {.ptr = malloc(len + len / 8 + 4096)};

    assert_non_null(b.ptr);
    isal_deflate_stateless_init(&z);
    z.gzip_flag = IGZIP_GZIP;
    z.end_of_stream = 1;
    z.next_in = (uint8_t *)text;
    z.avail_in = (uint32_t)len;
    z.next_out = b.ptr;
    z.avail_out = (uint32_t)(len + len / 8 + 4096);
    assert_int_equal(isal_deflate_stateless(&z), COMP_OK);
    b.len = z.total_out;
    b.room = b.len;
    return b;
}
#else
static inline struct bytes gzip(const void *text, size_t len)
{
    z_stream z = {0};
    struct bytes b = {.ptr = malloc(len + len / 8 + 4096)};

    assert_non_null(b.ptr);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)len;
    z.next_out = b.ptr;
    z.avail_out = (uInt)(len + len / 8 + 4096);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    b.len = z.total_out;
    b.room = b.len;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return b;
}
#endif

static inline struct bytes zstd(const void *text, size_t len)
{
    size_t cap = ZSTD_compressBound(len);
    struct bytes b = {.ptr = malloc(cap)};
    ZSTD_CCtx *c = ZSTD_createCCtx();

    assert_non_null(b.ptr);
    assert_non_null(c);
    (void)ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    b.len = ZSTD_compress2(c, b.ptr, cap, text, len);
    assert_false(ZSTD_isError(b.len));
    b.room = b.len;
    (void)ZSTD_freeCCtx(c);
    return b;
}

/* The kinds of file that hold the same text. */
enum kind { PLAIN, GZIP, GZIP_MEMBERS, ZSTD, ZSTD_FRAMES, KINDS };

static const unsigned char skippable[] = {0x5a, 0x2a, 0x4d, 0x18, 3, 0,
                                          0,    0,    1,    2,    3};

static inline struct bytes pack(enum kind kind, const void *text, size_t len)
{
    size_t half = len / 2;
    const char *second = (const char *)text + half;
    struct bytes b = take("", 0);

    switch (kind) {
    case PLAIN:
        join(&b, text, len);
        break;
    case GZIP:
        join_and_free(&b, gzip(text, len));
        break;
    case GZIP_MEMBERS:
        join_and_free(&b, gzip(text, half));
        join_and_free(&b, gzip("", 0));
        join_and_free(&b, gzip(second, len - half));
        join(&b, "\0\0\0\0\0", 5);
        break;
    case ZSTD:
        join_and_free(&b, zstd(text, len));
        break;
    default:
        join(&b, skippable, sizeof(skippable));
        join_and_free(&b, zstd(text, half));
        join_and_free(&b, zstd("", 0));
        join(&b, skippable, sizeof(skippable));
        join_and_free(&b, zstd(second, len - half));
        break;
    }
    return b;
}

/* --- files and pipes ------------------------------------------------------ */

/* FILE_PATH is the file of the test that includes this: tests run at once. */

static inline void write_all(int fd, const unsigned char *ptr, size_t len,
                             size_t step)
{
    ssize_t n;

    for (; len; len -= (size_t)n, ptr += n) {
        n = write(fd, ptr, len < step ? len : step);
        if (n < 0)
            _exit(1); /* in a child, or assert_int_equal() below sees it */
    }
}

static inline void write_file(const char *path, struct bytes b)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    write_all(fd, b.ptr, b.len, b.len);
    assert_int_equal(close(fd), 0);
}

/* What a source gave, and how it ended. */
struct outcome {
    enum t2t_status status; /* T2T_END or an error */
    struct t2t_error err;
    struct bytes text;
    uint64_t consumed;
};

static inline void read_source(const char *path, size_t cap,
                               struct outcome *out)
{
    unsigned char *buf = malloc(cap);
    struct tt_source *s;
    size_t len;

    assert_non_null(buf);
    *out = (struct outcome){.text = take("", 0)};
    out->status = tt_source_open(&s, path, NULL, &out->err);
    if (out->status == T2T_OK) {
        while (!(out->status = tt_source_read(s, buf, cap, &len, &out->err))) {
            assert_in_range(len, 1, cap);
            join(&out->text, buf, len);
        }
        out->consumed = tt_source_consumed(s);
        assert_int_equal(tt_source_read(s, buf, cap, &len, &out->err),
                         out->status);
        tt_source_close(s);
    }
    if (out->status < 0)
        assert_int_equal(out->err.code, out->status);
    free(buf);
}

static inline void read_bytes(struct bytes b, size_t cap, struct outcome *out)
{
    write_file(FILE_PATH, b);
    read_source(FILE_PATH, cap, out);
    assert_int_equal(unlink(FILE_PATH), 0);
}

static inline void assert_text(const struct outcome *out, struct bytes text)
{
    assert_int_equal(out->status, T2T_END);
    assert_int_equal(out->text.len, text.len);
    assert_memory_equal(out->text.ptr, text.ptr, text.len);
}

static inline void assert_error(const struct outcome *out,
                                enum t2t_status status, uint64_t offset,
                                const char *text)
{
    assert_string_equal(t2t_status_text(out->status), t2t_status_text(status));
    assert_string_equal(out->err.text, text);
    assert_int_equal(out->err.offset, offset);
}

/* Reads `b`, expects an error and nothing else that matters. */
static inline void assert_refused(struct bytes b, enum t2t_status status,
                                  uint64_t offset, const char *text)
{
    struct outcome out;

    read_bytes(b, 4096, &out);
    assert_error(&out, status, offset, text);
    free(out.text.ptr);
}

#endif
