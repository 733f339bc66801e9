/* sidecar.c - names, looks at and compares the files of a trace. */
#include "sidecar.h"

#include <fcntl.h>
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

bool index_fits(const t2t_index *index, const char *path)
{
    struct t2t_index_info info;
    struct stat st;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    t2t_index_info(index, &info);
    return info.source_bytes == (uint64_t)st.st_size &&
           info.source_mtime_ns ==
               (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

bool same_file(const char *a, const char *b)
{
    struct stat left;
    struct stat right;

    return !stat(a, &left) && !stat(b, &right) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

bool sidecar_may_replace(const char *path)
{
    struct stat st;

    return lstat(path, &st) || S_ISREG(st.st_mode);
}

enum sidecar sidecar_look(const char *trace, const char *path,
                          t2t_index **index, struct t2t_error *err)
{
    struct stat st;

    if (stat(path, &st) || (S_ISREG(st.st_mode) && !st.st_size))
        return SIDECAR_NONE;
    if (t2t_index_open(index, path, err))
        return err->code == T2T_ERR_INDEX_FORMAT ? SIDECAR_NO_INDEX
                                                 : SIDECAR_BAD;
    return index_fits(*index, trace) ? SIDECAR_FITS : SIDECAR_OTHER;
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

bool looks_like_trace(const char *path)
{
    unsigned char first[4096] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t len;

    if (fd < 0)
        return false;
    len = read(fd, first, sizeof(first));
    (void)close(fd);
    return len > 0 && begins_trace(first, len < 4 ? 4 : (size_t)len);
}
