/*
 * query/modpath.h - paths of modules, as a user writes them: find.h,
 * t2t_filter.module.
 *
 * Parts have a slash between them.  A slash in a name is written \/, and a
 * backslash \\; before anything else a backslash is one.
 */
#ifndef TT_QUERY_MODPATH_H
#define TT_QUERY_MODPATH_H

#include <stdbool.h>
#include <stddef.h>

#include <trace2tree/find.h>

#include "base/buffer.h"

struct tt_modpath {
    struct t2t_text part[T2T_MODULE_PATH_MAX]; /* names of frames, or classes */
    size_t count;
    char *text; /* what they point to; owned */
};

/*
 * Reads a path.
 *
 * @param p  release it with tt_modpath_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_USAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_modpath_read(struct tt_modpath *p, const char *text,
                                struct t2t_error *err);
void tt_modpath_release(struct tt_modpath *p);

/* Whether a frame of this name can stand for part `i`. */
bool tt_modpath_is(const struct tt_modpath *p, size_t i, struct t2t_text name);

/* Appends the name of a frame, without "nn.Module: ", as it is written in a
 * path. */
void tt_modpath_add(struct tt_buffer *to, struct t2t_text name);

#endif
