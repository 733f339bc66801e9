/* input.c - an index by its own name or by that of its trace. */
#include "input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "options.h"
#include "private.h"
#include "progress.h"
#include "remark.h"
#include "trap.h"

static const struct t2t_build_options defaults;

/* Says why the trace `name` got no index. */
static int say_refused(const char *name, const struct t2t_error *err)
{
    struct t2t_error said = *err;

    if (err->code == T2T_ERR_CANCELED)
        return interrupt_exit();
    if (err->code <= T2T_ERR_NOT_A_TRACE && err->code >= T2T_ERR_UTF8)
        (void)snprintf(said.text, sizeof(said.text),
                       "no index, nor a trace that can be read: %.140s",
                       err->text);
    return fail_build(name, &said, &defaults);
}

/* Builds the index `path` of the trace `name` and opens it. */
static int make_index(struct input *in, const char *name, const char *path)
{
    struct t2t_error err;

    if (!progress_build(name, path, &defaults, PROGRESS_SHOW, NULL, &err) &&
        !t2t_index_open(&in->index, path, &err))
        return EXIT_DONE;
    if (err.code == T2T_ERR_USAGE)
        return fail(path, &err);
    return say_refused(name, &err);
}

/* Builds an index that nobody else sees and that is gone with the process. */
static int make_private(struct input *in, const char *name)
{
    struct private made;
    struct t2t_error err;
    const char *place;
    enum t2t_status st =
        private_build(&made, name, &defaults, true, &place, &err);

    in->index = made.index;
    in->path = made.path;
    if (!st)
        return EXIT_DONE;
    return place ? no_private(place, &err) : say_refused(name, &err);
}

/* The folder of `path`, to be freed; NULL when memory is short. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* Whether a file can be made beside `path`. */
static bool is_folder_writable(const char *path)
{
    char *folder = folder_of(path);
    bool ok = folder && !access(folder, W_OK | X_OK);

    free(folder);
    return ok;
}

/* Whether `path` is somebody else's in a folder such as /tmp, where only its
 * owner may take it away. */
static bool is_kept(const char *path)
{
    struct stat there;
    struct stat st;
    char *folder = folder_of(path);
    bool kept = folder && !lstat(path, &there) && !stat(folder, &st) &&
                st.st_mode & S_ISVTX && geteuid() != 0 &&
                geteuid() != there.st_uid && geteuid() != st.st_uid;

    free(folder);
    return kept;
}

/* Why the index cannot go to `path`, which may be the text of `err`; NULL when
 * it can. */
static const char *why_private(const char *path, enum sidecar sidecar,
                               const struct t2t_error *err)
{
    struct stat st;

    if (sidecar == SIDECAR_UNKNOWN)
        return err->text;
    if (sidecar == SIDECAR_NO_INDEX)
        return "what is there is no index";
    if (!sidecar_may_replace(path))
        return "what is there is no plain file";
    if (lstat(path, &st) && errno == ENAMETOOLONG)
        return "that name is too long";
    if (!is_folder_writable(path))
        return "its folder cannot be written";
    return is_kept(path) ? "what is there belongs to somebody else" : NULL;
}

/* Says that the sidecar of `name` is built, and why. */
static void say_building(const char *name, const char *path,
                         enum sidecar sidecar, const struct t2t_error *err)
{
    if (sidecar == SIDECAR_OTHER)
        message("%s: is of another state of the trace; building it again",
                path);
    else if (sidecar == SIDECAR_BAD)
        message("%s: %s: %s; building it again", path,
                t2t_status_text(err->code), err->text);
    else
        message("%s: building its index %s", name, path);
}

/* The trace `name` has no index that could be used at in->path. */
static int build_sidecar(struct input *in, const char *name,
                         enum sidecar sidecar, const struct t2t_error *err)
{
    const char *why = why_private(in->path, sidecar, err);
    char *path = in->path;
    int status;

    if (!looks_like_trace(name)) {
        /* what it is, the build says */
    } else if (why) {
        message("%s: building a private index, not %s: %s", name, path, why);
    } else {
        say_building(name, path, sidecar, err);
    }
    interrupt_begin();
    if (why) {
        in->path = NULL;
        free(path);
        status = make_private(in, name);
    } else {
        status = make_index(in, name, path);
    }
    if (!status && interrupt_noted())
        status = interrupt_exit();
    if (!status)
        remark_repaired(name, in->index);
    interrupt_end();
    return status;
}

/* Whether the error is one of an index, not that the file is something else. */
static bool is_about_index(const char *name, const struct t2t_error *err)
{
    return err->code == T2T_ERR_INDEX_FORMAT ? was_index(name)
                                             : err->code != T2T_ERR_IO;
}

/* Opens the index of the trace `name`, which is no index because of `err`. */
static int open_trace(struct input *in, const char *name,
                      const struct t2t_error *err)
{
    struct t2t_error why;
    enum sidecar sidecar;
    struct stat st;
    bool there = !stat(name, &st);

    if (there && (!S_ISREG(st.st_mode) || is_about_index(name, err)))
        return fail(name, err);
    in->path = sidecar_of(name);
    if (!in->path)
        return out_of_memory();
    sidecar = sidecar_look(name, in->path, &in->index, &why);
    if (sidecar == SIDECAR_FITS || (sidecar == SIDECAR_OTHER && !there))
        return EXIT_DONE;
    if ((sidecar == SIDECAR_BAD && !there) ||
        (sidecar == SIDECAR_UNKNOWN &&
         (!there || why.code == T2T_ERR_NO_MEMORY)))
        return fail(in->path, &why);
    if (err->code != T2T_ERR_INDEX_FORMAT)
        return fail(name, err);
    t2t_index_close(in->index);
    in->index = NULL;
    return build_sidecar(in, name, sidecar, &why);
}

int input_open(struct input *in, const char *name)
{
    struct t2t_error err;
    int status;

    *in = (struct input){NULL, NULL};
    trap_name(name);
    if (!strcmp(name, "-"))
        return wrong_use(NULL, "- is no INDEX: build one with 't2t build -o "
                               "OUT -'");
    if (!t2t_index_open(&in->index, name, &err)) {
        in->path = strdup(name);
        status = in->path ? EXIT_DONE : out_of_memory();
    } else {
        status = open_trace(in, name, &err);
    }
    if (status) {
        input_close(in);
    } else {
        trap_name(in->path);
        remark_salvaged(name, in->index);
    }
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

    /* an option behind them is none */
    for (const char *p = strchr(operands, ' '); p && p[1] != '-';
         p = strchr(p + 1, ' ')) {
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
