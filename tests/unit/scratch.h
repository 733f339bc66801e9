/* scratch.h - a folder of the test's own in the build folder. */
#ifndef TT_TEST_SCRATCH_H
#define TT_TEST_SCRATCH_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct scratch {
    char folder[32];
};

static inline void make_scratch(struct scratch *s)
{
    *s = (struct scratch){.folder = "unit.XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
}

/* The path of a file in the folder; good for the next seven calls. */
static inline const char *path_in(const struct scratch *s, const char *name)
{
    static char paths[8][64];
    static unsigned used;
    char *path = paths[used++ % 8];

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", s->folder, name);
    return path;
}

/* Calls `visit`, if there is one, for each file; how many there are. */
static inline size_t scratch_files(const struct scratch *s,
                                   int (*visit)(const char *path))
{
    DIR *dir = opendir(s->folder);
    const struct dirent *entry;
    size_t count = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char path[512];

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        count++;
        (void)snprintf(path, sizeof(path), "%s/%s", s->folder, entry->d_name);
        if (visit)
            assert_int_equal(visit(path), 0);
    }
    assert_int_equal(closedir(dir), 0);
    return count;
}

static inline size_t count_files(const struct scratch *s)
{
    return scratch_files(s, NULL);
}

static inline void remove_scratch(const struct scratch *s)
{
    (void)scratch_files(s, remove);
    assert_int_equal(rmdir(s->folder), 0);
}

/* Lets no file grow past `bytes`; RLIM_INFINITY ends that. */
static inline void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
