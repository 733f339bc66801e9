/*
 * shim.c - a library to preload that lets one call of the machine fail.
 *
 *     T2T_FAULT=CALL:N:HOW   the N-th CALL, from 1 on, fails so: HOW is a
 * number of errno, or `short` (read and write do less than they are asked for),
 * or `cut` (mmap: the file at T2T_FAULT_PATH loses all behind its first 4,096
 *                            bytes, just after it is mapped), or `die`
 * (SIGKILL) T2T_FAULT_ON=1         and so do all after it T2T_FAULT_HIT=PATH a
 * file that is made when it came to that
 *
 * CALL is a name below; `memory` is malloc, calloc, realloc and what libc
 * allocates by them; `named` is the same as `write`, in a system that has no
 * files without a name.  Calls that libc makes inside itself are not seen.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CUT_BYTES 4096

enum call {
    OPEN,
    READ,
    WRITE,
    CLOSE,
    FSTAT,
    FALLOCATE,
    FSYNC,
    LINK,
    MAP,
    MEMORY,
    RENAME,
    SYNC_RANGE,
    THREAD,
    CALLS
};

static const char *const names[CALLS] = {
    "open", "read", "write",  "close",  "fstat",      "fallocate", "fsync",
    "link", "mmap", "memory", "rename", "sync_range", "thread",
};

enum how { FAIL, SHORT, CUT, DIE };

static enum call wanted = CALLS;
static enum how how;
static int reason;
static unsigned long first; /* that fails */
static bool all_after;
static bool no_nameless;
static const char *hit_path;
static const char *cut_path;
static atomic_ulong counts[CALLS];

__attribute__((constructor)) static void prepare(void)
{
    const char *text = getenv("T2T_FAULT");
    char name[16];
    char way[16];

    if (!text || sscanf(text, "%15[^:]:%lu:%15s", name, &first, way) != 3)
        return;
    all_after = getenv("T2T_FAULT_ON") != NULL;
    hit_path = getenv("T2T_FAULT_HIT");
    cut_path = getenv("T2T_FAULT_PATH");
    how = !strcmp(way, "short") ? SHORT
          : !strcmp(way, "cut") ? CUT
          : !strcmp(way, "die") ? DIE
                                : FAIL;
    reason = (int)strtol(way, NULL, 10);
    for (int i = 0; i < CALLS; i++)
        if (!strcmp(name, names[i]))
            wanted = (enum call)i;
    if (!strcmp(name, "named")) {
        wanted = WRITE;
        no_nameless = true;
    }
}

/* Whether this call is the one. */
static bool hit(enum call call)
{
    unsigned long n;
    long fd;

    if (call != wanted)
        return false;
    n = atomic_fetch_add_explicit(&counts[call], 1, memory_order_relaxed) + 1;
    if (n != first && !(all_after && n > first))
        return false;
    if (hit_path && n == first) {
        fd = syscall(SYS_openat, AT_FDCWD, hit_path, O_CREAT | O_WRONLY, 0600);
        (void)syscall(SYS_close, fd);
    }
    if (how == DIE)
        (void)kill(getpid(), SIGKILL);
    errno = reason;
    return true;
}

/* The function of that name in the next library. */
static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        _exit(99);
    memcpy(function, &found, sizeof(found));
}

#define NEXT(type, name, parameters)                                           \
    static type(*next) parameters;                                             \
    if (!next)                                                                 \
    find(&next, name)

/* ---- files --------------------------------------------------------------- */

EXPORT int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list ap;

    NEXT(int, "open", (const char *, int, ...));
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_start(ap, flags);
        mode = va_arg(ap, mode_t);
        va_end(ap);
    }
    if (no_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return hit(OPEN) ? -1 : next(path, flags, mode);
}

/* How much of `len` to do: all, or when this is the call that does less, one
 * byte or half; 0: fail. */
static size_t part(enum call call, size_t len)
{
    if (!len || !hit(call))
        return len ? len : 1;
    return how == SHORT ? (len + 1) / 2 : 0;
}

EXPORT ssize_t read(int fd, void *buf, size_t len)
{
    size_t n = part(READ, len);

    NEXT(ssize_t, "read", (int, void *, size_t));
    return n ? next(fd, buf, n < len ? n : len) : -1;
}

EXPORT ssize_t pread(int fd, void *buf, size_t len, off_t at)
{
    size_t n = part(READ, len);

    NEXT(ssize_t, "pread", (int, void *, size_t, off_t));
    return n ? next(fd, buf, n < len ? n : len, at) : -1;
}

EXPORT ssize_t write(int fd, const void *buf, size_t len)
{
    size_t n = part(WRITE, len);

    NEXT(ssize_t, "write", (int, const void *, size_t));
    return n ? next(fd, buf, n < len ? n : len) : -1;
}

EXPORT ssize_t pwrite(int fd, const void *buf, size_t len, off_t at)
{
    size_t n = part(WRITE, len);

    NEXT(ssize_t, "pwrite", (int, const void *, size_t, off_t));
    return n ? next(fd, buf, n < len ? n : len, at) : -1;
}

/* Through stdio: what is in the buffer. */
EXPORT int fflush(FILE *to)
{
    NEXT(int, "fflush", (FILE *));
    if (!__fpending(to) || !hit(WRITE))
        return next(to);
    return EOF;
}

EXPORT int close(int fd)
{
    int result;

    NEXT(int, "close", (int));
    result = next(fd);
    return hit(CLOSE) ? -1 : result;
}

EXPORT int fclose(FILE *to)
{
    int result;

    NEXT(int, "fclose", (FILE *));
    result = next(to);
    return hit(CLOSE) ? EOF : result;
}

EXPORT int fstat(int fd, struct stat *st)
{
    NEXT(int, "fstat", (int, struct stat *));
    return hit(FSTAT) ? -1 : next(fd, st);
}

EXPORT int posix_fallocate(int fd, off_t at, off_t len)
{
    NEXT(int, "posix_fallocate", (int, off_t, off_t));
    return hit(FALLOCATE) ? reason : next(fd, at, len);
}

EXPORT int fsync(int fd)
{
    NEXT(int, "fsync", (int));
    return hit(FSYNC) ? -1 : next(fd);
}

EXPORT int sync_file_range(int fd, off_t at, off_t len, unsigned flags)
{
    NEXT(int, "sync_file_range", (int, off_t, off_t, unsigned));
    return hit(SYNC_RANGE) ? -1 : next(fd, at, len, flags);
}

EXPORT int linkat(int from_fd, const char *from, int to_fd, const char *to,
                  int flags)
{
    NEXT(int, "linkat", (int, const char *, int, const char *, int));
    return hit(LINK) ? -1 : next(from_fd, from, to_fd, to, flags);
}

EXPORT int rename(const char *from, const char *to)
{
    NEXT(int, "rename", (const char *, const char *));
    return hit(RENAME) ? -1 : next(from, to);
}

EXPORT void *mmap(void *at, size_t len, int rights, int flags, int fd,
                  off_t offset)
{
    void *map;

    NEXT(void *, "mmap", (void *, size_t, int, int, int, off_t));
    if (fd < 0)
        return next(at, len, rights, flags, fd, offset);
    if (!hit(MAP))
        return next(at, len, rights, flags, fd, offset);
    if (how != CUT)
        return MAP_FAILED;
    map = next(at, len, rights, flags, fd, offset);
    if (!cut_path || truncate(cut_path, CUT_BYTES))
        _exit(99);
    return map;
}

/* ---- threads and memory -------------------------------------------------- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *arg)
{
    NEXT(int, "pthread_create",
         (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));
    return hit(THREAD) ? reason : next(thread, attributes, run, arg);
}

extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *ptr, size_t len);

EXPORT void *malloc(size_t len)
{
    return hit(MEMORY) ? NULL : __libc_malloc(len);
}

EXPORT void *calloc(size_t count, size_t len)
{
    return hit(MEMORY) ? NULL : __libc_calloc(count, len);
}

EXPORT void *realloc(void *ptr, size_t len)
{
    return hit(MEMORY) ? NULL : __libc_realloc(ptr, len);
}
