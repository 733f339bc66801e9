/* private.c - builds an index in a folder that only this user may look into. */
#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "sidecar.h"

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

    if (asprintf(&p->path, "%s/private" INDEX_SUFFIX, folder) < 0) {
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

    *p = (struct private){.index = NULL};
    *place = NULL;
    if (!parent || !*parent)
        parent = "/tmp";
    if (asprintf(&folder, "%s/t2t.XXXXXX", parent) < 0)
        return failed(err, T2T_ERR_NO_MEMORY, "out of memory");
    if (mkdtemp(folder)) {
        st = build_in(p, trace, folder, options, show, err);
        (void)rmdir(folder);
    } else {
        st = failed(err, T2T_ERR_IO, strerror(errno));
        *place = parent;
    }
    free(folder);
    return st;
}

void private_close(struct private *p)
{
    t2t_index_close(p->index);
    free(p->path);
    *p = (struct private){.index = NULL};
}
