/* input.c - an index by its own name or by that of its trace. */
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

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

/* Opens the sidecar of `name`, which is there. */
static int open_sidecar(struct input *in, const char *name)
{
    struct t2t_error err;

    if (t2t_index_open(&in->index, in->path, &err))
        return fail(in->path, &err);
    if (!access(name, F_OK) && !index_fits(in->index, name)) {
        (void)fprintf(stderr,
                      "t2t: %s: its index %s is of another state of it; run "
                      "'t2t build %s' to build it again\n",
                      name, in->path, name);
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

/* `name` cannot be opened as an index, because of `err`. */
static int open_other(struct input *in, const char *name,
                      const struct t2t_error *err)
{
    bool there = !access(name, F_OK);
    struct stat st;

    if (there && err->code != T2T_ERR_INDEX_FORMAT)
        return fail(name, err);
    in->path = sidecar_of(name);
    if (!in->path)
        return out_of_memory();
    if (!access(in->path, F_OK))
        return open_sidecar(in, name);
    if (!there || stat(name, &st) || !S_ISREG(st.st_mode))
        return fail(name, err);
    (void)fprintf(stderr,
                  "t2t: %s: index-format: no index; if it is a trace, run "
                  "'t2t build %s' first\n",
                  name, name);
    return EXIT_INPUT;
}

int input_open(struct input *in, const char *name)
{
    struct t2t_error err;
    int status;

    *in = (struct input){NULL, NULL};
    if (!t2t_index_open(&in->index, name, &err)) {
        in->path = strdup(name);
        status = in->path ? EXIT_DONE : out_of_memory();
    } else {
        status = open_other(in, name, &err);
    }
    if (status)
        input_close(in);
    return status;
}

void input_close(struct input *in)
{
    t2t_index_close(in->index);
    free(in->path);
    *in = (struct input){NULL, NULL};
}

/* Whether `count` operands are as many as a line such as "INDEX [NODE]" or
 * "INDEX NODE..." names. */
static bool is_count(const char *operands, int count)
{
    int least = 1;
    int most = 1;

    for (const char *p = strchr(operands, ' '); p; p = strchr(p + 1, ' ')) {
        least += p[1] != '[';
        most++;
    }
    return count >= least && (count <= most || strstr(operands, "..."));
}

int input_run(const struct command *self, int argc, char **argv, void *options,
              input_action *act)
{
    struct input in;
    int first;
    int status = options_parse(self, argc, argv, options, &first);

    if (status >= 0)
        return status;
    if (!is_count(self->operands, argc - first))
        return wrong_use(self, "%s takes %s", self->name, self->operands);
    status = input_open(&in, argv[first]);
    if (status)
        return status;
    status = act(self, options, &in, argv + first + 1);
    input_close(&in);
    return status;
}
