/* sidecar.c - names, looks at and compares the files of a trace. */
#include "sidecar.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sidecar_of(const char *name)
{
    size_t len = strlen(name);
    char *path = malloc(len + sizeof(INDEX_SUFFIX));

    if (!path)
        return NULL;
    memcpy(path, name, len);
    memcpy(path + len, INDEX_SUFFIX, sizeof(INDEX_SUFFIX));
    return path;
}

char *trace_of(const char *path)
{
    const size_t suffix = sizeof(INDEX_SUFFIX) - 1;
    size_t len = strlen(path);

    if (len <= suffix || strcmp(path + len - suffix, INDEX_SUFFIX) != 0 ||
        path[len - suffix - 1] == '/')
        return NULL;
    return strndup(path, len - suffix);
}

/* The time of a file as an index keeps it: what is too far away is the last, or
 * the first, that it can say. */
static int64_t mtime_ns(const struct stat *st)
{
    int64_t ns;

    if (__builtin_mul_overflow((int64_t)st->st_mtim.tv_sec, 1000000000, &ns) ||
        __builtin_add_overflow(ns, (int64_t)st->st_mtim.tv_nsec, &ns))
        return st->st_mtim.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

bool index_fits(const t2t_index *index, const char *path)
{
    struct t2t_index_info info;
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    t2t_index_info(index, &info);
    return info.source_bytes == (uint64_t)st.st_size &&
           info.source_mtime_ns == mtime_ns(&st);
}

bool same_file(const char *a, const char *b)
{
    struct stat left;
    struct stat right;

    return !stat(a, &left) && !stat(b, &right) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

/* The path of the source beside the index, by the name that it says, to be
 * freed; NULL when it says none or memory is short. */
static char *source_of(const t2t_index *index, const char *index_path)
{
    const char *slash = strrchr(index_path, '/');
    size_t folder = slash ? (size_t)(slash - index_path) + 1 : 0;
    struct t2t_index_info info;
    char *path;

    t2t_index_info(index, &info);
    if (!info.source_name.len || info.source_name.len > NAME_MAX ||
        memchr(info.source_name.ptr, '/', info.source_name.len) ||
        memchr(info.source_name.ptr, '\0', info.source_name.len))
        return NULL;
    path = malloc(folder + info.source_name.len + 1);
    if (!path)
        return NULL;
    memcpy(path, index_path, folder);
    memcpy(path + folder, info.source_name.ptr, info.source_name.len);
    path[folder + info.source_name.len] = '\0';
    return path;
}

bool is_trace_of(const t2t_index *index, const char *index_path,
                 const char *path)
{
    char *beside = trace_of(index_path);
    char *source = source_of(index, index_path);
    bool is = index_fits(index, path) || (beside && same_file(path, beside)) ||
              (source && same_file(path, source));

    free(beside);
    free(source);
    return is;
}

bool is_index(const char *path)
{
    t2t_index *index = NULL;
    struct stat st;
    enum t2t_status code;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    code = t2t_index_open(&index, path, NULL);
    t2t_index_close(index);
    return !code || code == T2T_ERR_INDEX_VERSION ||
           code == T2T_ERR_INDEX_DAMAGE;
}

bool sidecar_may_replace(const char *path)
{
    struct stat st;

    return lstat(path, &st) || S_ISREG(st.st_mode);
}

/* Where stat() says nothing: nothing is there, or who knows what. */
static enum sidecar look_failed(struct t2t_error *err)
{
    int reason = errno;

    if (reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG)
        return SIDECAR_NONE;
    *err = (struct t2t_error){.code = T2T_ERR_IO, .offset = T2T_NO_OFFSET};
    (void)snprintf(err->text, sizeof(err->text), "%s: %s",
                   reason == EACCES ? "its folder cannot be entered"
                                    : "cannot look at the file",
                   strerror(reason));
    return SIDECAR_UNKNOWN;
}

enum sidecar sidecar_look(const char *trace, const char *path,
                          t2t_index **index, struct t2t_error *err)
{
    struct stat st;

    if (stat(path, &st))
        return look_failed(err);
    if (S_ISREG(st.st_mode) && !st.st_size)
        return SIDECAR_NONE;
    switch (t2t_index_open(index, path, err)) {
    case T2T_OK:
        return index_fits(*index, trace) ? SIDECAR_FITS : SIDECAR_OTHER;
    case T2T_ERR_INDEX_VERSION:
    case T2T_ERR_INDEX_DAMAGE:
        return SIDECAR_BAD;
    case T2T_ERR_INDEX_FORMAT:
        return SIDECAR_NO_INDEX;
    default:
        return SIDECAR_UNKNOWN;
    }
}

bool sidecar_is_free(const char *path)
{
    t2t_index *index = NULL;
    struct t2t_error err;
    enum sidecar there = sidecar_look(path, path, &index, &err);

    t2t_index_close(index);
    return sidecar_may_replace(path) && there != SIDECAR_NO_INDEX &&
           there != SIDECAR_UNKNOWN;
}

/* Whether these first bytes are those of a trace; `len` at least 4. */
static bool begins_trace(const unsigned char *ptr, size_t len)
{
    size_t at = 0;

    if (!memcmp(ptr, "\x1f\x8b", 2) || !memcmp(ptr, "\x28\xb5\x2f\xfd", 4) ||
        ((ptr[0] & 0xf0) == 0x50 && !memcmp(ptr + 1, "\x2a\x4d\x18", 3)))
        return true;
    if (!memcmp(ptr, "\xef\xbb\xbf", 3))
        at = 3;
    while (at < len && strchr(" \t\r\n", ptr[at]) && ptr[at])
        at++;
    return at < len && (ptr[at] == '{' || ptr[at] == '[');
}

/* Reads the first bytes of a file; how many, or below 0. */
static ssize_t read_first(const char *path, unsigned char *first, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t len;

    if (fd < 0)
        return -1;
    len = read(fd, first, cap);
    (void)close(fd);
    return len;
}

bool looks_like_trace(const char *path)
{
    unsigned char first[4096] = {0};
    ssize_t len = read_first(path, first, sizeof(first));

    return len > 0 && begins_trace(first, len < 4 ? 4 : (size_t)len);
}

bool looks_like_text(const char *path)
{
    unsigned char first[4096] = {0};
    ssize_t len = read_first(path, first, sizeof(first));
    ssize_t at = 0;

    if (len < 0)
        return false;
    if (!memcmp(first, "\xfe\xff", 2) || !memcmp(first, "\xff\xfe", 2) ||
        memchr(first, 0, len < 4 ? (size_t)len : 4))
        return true;
    if (!memcmp(first, "\xef\xbb\xbf", 3))
        at = 3;
    while (at < len && first[at] && strchr(" \t\r\n", first[at]))
        at++;
    return at == len;
}

bool was_index(const char *path)
{
    unsigned char first[4];

    return read_first(path, first, sizeof(first)) == sizeof(first) &&
           !memcmp(first + 1, "T2T", 3);
}

bool names_events(const char *path)
{
    static const char name[] = "traceEvents";
    const size_t bytes = sizeof(name) - 1;
    unsigned char first[4096];
    ssize_t len = read_first(path, first, sizeof(first));

    for (ssize_t at = 0; at + (ssize_t)bytes <= len; at++)
        if (!memcmp(first + at, name, bytes))
            return true;
    return false;
}
