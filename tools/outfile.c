/* outfile.c - no name, or a temporary one, until all is written. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

#define TRIES 100           /* names for the temporary file */
#define TEMP_END ".t2t-tmp" /* and a number; nobody else calls files so */
#define TEMP_END_MAX 32     /* bytes of it and a NUL */

static char *target;  /* the name it will have, owned; NULL: it is written in
                         place, or there is none */
static char *temp;    /* the temporary name it has, owned; NULL: none */
static int copy = -1; /* of its descriptor: holds the lock, and names it */

static void forget(void)
{
    interrupt_remove(NULL);
    if (copy >= 0)
        (void)close(copy);
    free(target);
    free(temp);
    target = temp = NULL;
    copy = -1;
}

/* What `path` stands for when it can be replaced by a rename, to be freed: the
 * file a link leads to.  NULL when it cannot. */
static char *find_target(const char *path, struct stat *there)
{
    if (stat(path, there)) {
        struct stat link;

        there->st_mode = 0;
        return errno == ENOENT && lstat(path, &link) ? strdup(path) : NULL;
    }
    if (!S_ISREG(there->st_mode) || there->st_nlink != 1 ||
        there->st_uid != geteuid())
        return NULL;
    return realpath(path, NULL);
}

static size_t folder_len(void)
{
    const char *slash = strrchr(target, '/');

    return slash ? (size_t)(slash - target) + 1 : 0;
}

/* The n-th temporary name, to be freed: the target's with an end behind it, or
 * when that is too long in the place of its end. */
static char *temp_name(int n)
{
    size_t len = strlen(target);
    size_t folder = folder_len();
    char end[TEMP_END_MAX];
    size_t end_len = (size_t)snprintf(end, sizeof(end), TEMP_END "%d", n);
    char *name = malloc(len + sizeof(end));

    if (!name)
        return NULL;
    if (len - folder + end_len > NAME_MAX)
        len -= end_len;
    while (len > folder && ((unsigned char)target[len] & 0xc0) == 0x80)
        len--; /* not within a character */
    memcpy(name, target, len);
    memcpy(name + len, end, end_len + 1);
    return name;
}

/* Finds a temporary name with which `make` succeeds: what it answers, not below
 * 0, and `temp` is that name.  Below 0: errno is why not. */
static int with_temp(int (*make)(const char *name))
{
    int made = -1;

    errno = EEXIST;
    for (int i = 0; i < TRIES && errno == EEXIST; i++) {
        char *name = temp_name(i);

        if (!name)
            return -1;
        made = make(name);
        if (made >= 0) {
            temp = name;
            return made;
        }
        free(name);
    }
    return made;
}

/*
 * Whoever writes a file holds a lock on it as long as it has a temporary name.
 * So one that is not locked is of a process that was killed.  False, with
 * EEXIST: somebody has come to that conclusion before ours was locked.  Where
 * there are no locks, nobody removes anything.
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

/* Removes the file `name`, open as `fd`, if a killed process has left it. */
static void remove_left(const char *name, int fd)
{
    struct stat ours, there;

    if (fstat(fd, &ours) || !S_ISREG(ours.st_mode) || ours.st_nlink != 1 ||
        ours.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB))
        return;
    /* while it is locked, nobody else gives that name away */
    if (!lstat(name, &there) && there.st_dev == ours.st_dev &&
        there.st_ino == ours.st_ino)
        (void)unlink(name);
}

/* Removes what killed processes have left of this target. */
static void remove_all_left(void)
{
    for (int i = 0; i < TRIES; i++) {
        char *name = temp_name(i);
        int fd = -1;

        if (name)
            fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            remove_left(name, fd);
            (void)close(fd);
        }
        free(name);
    }
}

static int make_named(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0 || lock(fd))
        return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

#ifdef O_TMPFILE

/* A file without a name in the target's folder; locked, for when it has one. */
static int open_nameless(void)
{
    char *folder = strndup(target, folder_len());
    int fd = -1;

    if (folder)
        fd = open(*folder ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC,
                  0666);
    free(folder);
    if (fd >= 0)
        (void)flock(fd, LOCK_EX | LOCK_NB);
    return fd;
}

/* Gives the file of `copy` a name. */
static int link_as(const char *name)
{
    char from[40];

    (void)snprintf(from, sizeof(from), "/proc/self/fd/%d", copy);
    return linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* The same, if files without a name can get one here: seen with one that is
 * empty, as it is too late to find out at the end. */
static int make_nameless(void)
{
    bool ok;

    copy = open_nameless();
    ok = copy >= 0 && with_temp(link_as) >= 0;
    if (ok)
        (void)unlink(temp);
    free(temp);
    temp = NULL;
    if (copy >= 0)
        (void)close(copy);
    copy = -1;
    return ok ? open_nameless() : -1;
}

/* At once where no file is yet, else under a temporary name first. */
static bool name_it(void)
{
    if (!link_as(target))
        return true;
    return errno == EEXIST && with_temp(link_as) >= 0;
}

#else

static int make_nameless(void)
{
    return -1;
}

static bool name_it(void)
{
    return false;
}

#endif

/* Opens the file that will be the target; NULL: there can be none beside it. */
static FILE *open_beside(const struct stat *there)
{
    int fd;
    FILE *to = NULL;

    remove_all_left();
    fd = make_nameless();
    if (fd < 0)
        fd = with_temp(make_named);
    if (fd < 0)
        return NULL;
    if (there->st_mode)
        (void)fchmod(fd, there->st_mode & 07777);
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy >= 0)
        to = fdopen(fd, "w");
    if (!to) {
        (void)close(fd);
        if (temp)
            (void)unlink(temp);
    }
    return to;
}

/* Whether FILE can be written in place where none can be made beside it.  Where
 * there is no room for one it must not: what is there would be lost. */
static bool is_folder_closed(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EROFS ||
           reason == ENAMETOOLONG || reason == EEXIST;
}

FILE *outfile_open(const char *path)
{
    struct stat there;
    FILE *to = NULL;
    int reason = 0;
    bool in_place;

    forget();
    target = find_target(path, &there);
    if (target) {
        interrupt_hold();
        to = open_beside(&there);
        reason = to ? 0 : errno;
        if (to && temp)
            interrupt_remove(temp);
        interrupt_resume();
    }
    if (to)
        return to;
    in_place = !target || is_folder_closed(reason);
    forget();
    errno = reason;
    return in_place ? fopen(path, "we") : NULL;
}

bool outfile_end(bool keep)
{
    bool ok = true;
    int reason;

    if (!target)
        return true;
    interrupt_hold();
    if (keep)
        ok = (temp || name_it()) && (!temp || !rename(temp, target));
    reason = errno;
    if (temp && (!keep || !ok))
        (void)unlink(temp);
    forget();
    interrupt_resume();
    errno = reason;
    return ok;
}
