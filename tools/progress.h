/*
 * progress.h - a build that shows how far it is and that a signal ends.
 */
#ifndef T2T_PROGRESS_H
#define T2T_PROGRESS_H

#include <stdbool.h>

#include <trace2tree/trace2tree.h>

enum progress_flag {
    PROGRESS_SHOW = 1, /* draw on a terminal */
    PROGRESS_OVER = 2, /* write over whatever is there */
};

/*
 * t2t_build(), with one line on standard error that is drawn again and again
 * and erased at the end, when that is a terminal and `flags` say so.  To be
 * called between interrupt_begin() and interrupt_end(): T2T_ERR_CANCELED is an
 * answer when there was a signal, and T2T_ERR_IO when the trace was cut while
 * it was mapped (trap.h).
 *
 * The library replaces what has the name of the index at the end, also what has
 * appeared while the build went on.  Here it is looked at just before: what the
 * caller would not have written over is left, without PROGRESS_OVER, and
 * T2T_ERR_USAGE is the answer.
 *
 * @param options  without a watch; when damage is told, the line is erased.
 * @param flags    of enum progress_flag.
 */
enum t2t_status progress_build(const char *trace, const char *path,
                               const struct t2t_build_options *options,
                               unsigned flags, struct t2t_build_result *result,
                               struct t2t_error *err);

#endif
