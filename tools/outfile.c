/* outfile.c - a temporary name, removed on failure and on signals. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

static char *target; /* the name it will have, owned; NULL: it is written in
                        place, or there is none */
static char *temp;   /* the name it has, owned; together with target */

static void forget(void)
{
    interrupt_remove(NULL);
    free(target);
    free(temp);
    target = temp = NULL;
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

/* Sets `temp`: the target's name with .tmpPID behind it, or when that is too
 * long in the place of its end. */
static bool name_temp(void)
{
    size_t len = strlen(target);
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    char end[32];
    size_t end_len =
        (size_t)snprintf(end, sizeof(end), ".tmp%ld", (long)getpid());

    temp = malloc(len + sizeof(end));
    if (!temp)
        return false;
    if (len - folder + end_len > NAME_MAX)
        len -= end_len;
    while (len > folder && ((unsigned char)target[len] & 0xc0) == 0x80)
        len--; /* not within a character */
    memcpy(temp, target, len);
    memcpy(temp + len, end, end_len + 1);
    return true;
}

static FILE *open_temp(const struct stat *there)
{
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *to;

    if (fd < 0)
        return NULL;
    if (there->st_mode)
        (void)fchmod(fd, there->st_mode & 07777);
    to = fdopen(fd, "w");
    if (!to) {
        (void)close(fd);
        (void)unlink(temp);
    }
    return to;
}

FILE *outfile_open(const char *path)
{
    struct stat there;
    FILE *to = NULL;

    forget();
    target = find_target(path, &there);
    if (target && name_temp()) {
        interrupt_remove(temp);
        to = open_temp(&there);
    }
    if (to)
        return to;
    forget();
    return fopen(path, "we");
}

bool outfile_end(bool keep)
{
    bool ok = true;
    int reason;

    if (!target)
        return true;
    if (keep)
        ok = !rename(temp, target);
    reason = errno;
    if (!keep || !ok)
        (void)unlink(temp);
    forget();
    errno = reason;
    return ok;
}
