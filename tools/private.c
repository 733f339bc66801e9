/* private.c - builds an index in a folder that only this user may look into. */
#include "private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "sidecar.h"

#define FOLDER "t2t-private." /* and six letters */
#define NAME "private" INDEX_SUFFIX
#define TRIES 10

/*
 * Whoever uses a folder holds a lock on it.  So one that is not locked is of a
 * process that was killed, and the next one removes it.  Below 0: it cannot be
 * locked, with EWOULDBLOCK when somebody has done so.
 */
static int lock_folder(int parent, const char *name)
{
    int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int reason;

    if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
        return fd;
    reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

/* Removes the index in the open folder, and what else has its name and more. */
static void empty_folder(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (!strncmp(entry->d_name, NAME, sizeof(NAME) - 1))
            (void)unlinkat(fd, entry->d_name, 0);
    if (dir)
        (void)closedir(dir);
    else if (copy >= 0)
        (void)close(copy);
}

/* Removes such folders of this user that nobody uses any more. */
static void remove_left(const char *place)
{
    DIR *dir = opendir(place);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        struct stat st;
        int fd;

        if (strncmp(entry->d_name, FOLDER, sizeof(FOLDER) - 1) != 0)
            continue;
        fd = lock_folder(dirfd(dir), entry->d_name);
        if (fd < 0)
            continue;
        if (!fstat(fd, &st) && st.st_uid == geteuid()) {
            empty_folder(fd);
            (void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
        }
        (void)close(fd);
    }
    if (dir)
        (void)closedir(dir);
}

/*
 * Makes a folder in `place` and locks it: *lock is to be closed when it is
 * removed, -1 where there are no locks.  To be freed; NULL, with errno, when it
 * cannot be made.
 */
static char *make_folder(const char *place, int *lock)
{
    char *folder = NULL;
    struct stat st;

    for (int i = 0; i < TRIES; i++) {
        if (asprintf(&folder, "%s/" FOLDER "XXXXXX", place) < 0) {
            errno = ENOMEM;
            return NULL;
        }
        if (!mkdtemp(folder))
            break;
        *lock = lock_folder(AT_FDCWD, folder);
        /* not if somebody has found it before it was locked */
        if ((*lock >= 0 || errno != EWOULDBLOCK) && !stat(folder, &st))
            return folder;
        if (*lock >= 0)
            (void)close(*lock);
        free(folder);
        folder = NULL;
    }
    free(folder);
    return NULL;
}

static enum t2t_status failed(struct t2t_error *err, enum t2t_status st,
                              const char *why)
{
    *err = (struct t2t_error){.code = st, .offset = T2T_NO_OFFSET};
    (void)snprintf(err->text, sizeof(err->text), "%s", why);
    return st;
}

/* Builds in the folder, and takes the index out of it once it is open. */
static enum t2t_status build_in(struct private *p, const char *trace,
                                const char *folder,
                                const struct t2t_build_options *options,
                                bool show, struct t2t_error *err)
{
    enum t2t_status st;
    mode_t mask;

    if (asprintf(&p->path, "%s/" NAME, folder) < 0) {
        p->path = NULL;
        return failed(err, T2T_ERR_NO_MEMORY, "out of memory");
    }
    mask = umask(S_IRWXG | S_IRWXO | S_IXUSR);
    st = progress_build(trace, p->path, options, show ? PROGRESS_SHOW : 0,
                        &p->result, err);
    if (!st)
        st = t2t_index_open(&p->index, p->path, err);
    (void)umask(mask);
    (void)unlink(p->path);
    return st;
}

enum t2t_status private_build(struct private *p, const char *trace,
                              const struct t2t_build_options *options,
                              bool show, const char **place,
                              struct t2t_error *err)
{
    const char *parent = getenv("TMPDIR");
    enum t2t_status st;
    char *folder;
    int lock = -1;

    *p = (struct private){.index = NULL};
    *place = NULL;
    if (!parent || !*parent)
        parent = "/tmp";
    remove_left(parent);
    folder = make_folder(parent, &lock);
    if (folder) {
        st = build_in(p, trace, folder, options, show, err);
        (void)rmdir(folder);
    } else if (errno == ENOMEM) {
        st = failed(err, T2T_ERR_NO_MEMORY, "out of memory");
    } else {
        st = failed(err, T2T_ERR_IO, strerror(errno));
        *place = parent;
    }
    if (lock >= 0)
        (void)close(lock);
    free(folder);
    return st;
}

void private_close(struct private *p)
{
    t2t_index_close(p->index);
    free(p->path);
    *p = (struct private){.index = NULL};
}
