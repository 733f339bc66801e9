/*
 * status.h - what a call answers.
 */
#ifndef TRACE2TREE_STATUS_H
#define TRACE2TREE_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define T2T_API __attribute__((visibility("default")))
#else
#define T2T_API
#endif

/*
 * One row for each status: name, value, class as users see it.  Values are
 * part of the ABI: add rows at the end of their group, never renumber, never
 * reuse.  Groups: above 0 an answer; -1 to -9 the machine or the caller;
 * -10 to -39 the trace cannot be read; -40 and below the index cannot be read.
 * END is said inside the library only, of a source that has been read: no
 * function declared here answers it.
 */
#define T2T_STATUS_MAP(X)                                                      \
    X(OK, 0, "ok")                                                             \
    X(END, 1, "end")                                                           \
    X(NOT_FOUND, 2, "not-found")                                               \
    X(OTHER_TYPE, 3, "other-type")                                             \
    X(ERR_NO_MEMORY, -1, "no-memory")                                          \
    X(ERR_IO, -2, "io")                                                        \
    X(ERR_NO_SPACE, -3, "no-space")                                            \
    X(ERR_USAGE, -4, "usage")                                                  \
    X(ERR_CANCELED, -5, "canceled")                                            \
    X(ERR_LIMIT, -10, "limit")                                                 \
    X(ERR_NOT_A_TRACE, -11, "not-a-trace")                                     \
    X(ERR_ENCODING, -12, "encoding")                                           \
    X(ERR_TRUNCATED, -13, "truncated")                                         \
    X(ERR_EXTRA_DATA, -14, "extra-data")                                       \
    X(ERR_JSON_SYNTAX, -15, "json-syntax")                                     \
    X(ERR_JSON_ESCAPE, -16, "json-escape")                                     \
    X(ERR_JSON_CONTROL_CHAR, -17, "json-control-char")                         \
    X(ERR_JSON_NUMBER, -18, "json-number")                                     \
    X(ERR_UTF8, -19, "utf8")                                                   \
    X(ERR_GZIP_DATA, -20, "gzip-data")                                         \
    X(ERR_GZIP_CRC, -21, "gzip-crc")                                           \
    X(ERR_GZIP_TRUNCATED, -22, "gzip-truncated")                               \
    X(ERR_ZSTD_DATA, -23, "zstd-data")                                         \
    X(ERR_ZSTD_TRUNCATED, -24, "zstd-truncated")                               \
    X(ERR_INDEX_FORMAT, -40, "index-format")                                   \
    X(ERR_INDEX_VERSION, -41, "index-version")                                 \
    X(ERR_INDEX_DAMAGE, -42, "index-damage")

enum t2t_status {
#define X(name, value, text) T2T_##name = value,
    T2T_STATUS_MAP(X)
#undef X
};

#define T2T_NO_OFFSET UINT64_MAX

/*
 * Where and why a call failed.  The caller owns it and may pass NULL where a
 * function takes one; it is written only when the call fails: not on success,
 * and not with an answer above 0.  So after a function that takes none it holds
 * what an earlier call left in it.  To print one, begin with an empty one,
 * {T2T_OK, T2T_NO_OFFSET, ""}, and print `text` when `code` is the status at
 * hand, else t2t_status_text() only.
 */
struct t2t_error {
    enum t2t_status code;
    uint64_t offset; /* byte the error is about, or T2T_NO_OFFSET: of the
                        decompressed trace; of the compressed file for the
                        gzip and zstd classes; of the index for its classes */
    char text[232];  /* one line, no newline, always NUL-terminated */
};

/*
 * The class of a status, such as "json-syntax".  Static storage;
 * "unknown" for other values.
 */
T2T_API const char *t2t_status_text(enum t2t_status status);

#ifdef __cplusplus
}
#endif

#endif
