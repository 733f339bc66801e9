/*
 * private.h - an index that nobody else sees and that is gone with the process.
 */
#ifndef T2T_PRIVATE_H
#define T2T_PRIVATE_H

#include <stdbool.h>

#include <trace2tree/trace2tree.h>

/* Such an index, open. */
struct private
{
    t2t_index *index;
    char *path; /* what it was called, owned */
    struct t2t_build_result result;
};

/*
 * Builds the index of `trace` in a folder of its own in $TMPDIR, opens it, and
 * takes both away; also folders that killed processes of this user have left.
 * To be called between interrupt_begin() and interrupt_end().
 *
 * @param show  whether a terminal shows how far it is: progress_build().
 * @return T2T_OK; why it cannot be built or opened; T2T_ERR_IO when there is no
 *         place for it, with the path of that in `*place`, which is NULL else
 *         and static or from the environment.
 */
enum t2t_status private_build(struct private *p, const char *trace,
                              const struct t2t_build_options *options,
                              bool show, const char **place,
                              struct t2t_error *err);

/* Closes the index. */
void private_close(struct private *p);

#endif
