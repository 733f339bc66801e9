/*
 * progress.h - a build that shows how far it is and that a signal ends.
 */
#ifndef T2T_PROGRESS_H
#define T2T_PROGRESS_H

#include <stdbool.h>

#include <trace2tree/trace2tree.h>

/*
 * t2t_build(), with one line on standard error that is drawn again and again
 * and erased at the end, when that is a terminal and `show` says so.  To be
 * called between interrupt_begin() and interrupt_end(): T2T_ERR_CANCELED is an
 * answer when there was a signal.
 *
 * @param options  without a watch; when damage is told, the line is erased.
 */
enum t2t_status progress_build(const char *trace, const char *path,
                               const struct t2t_build_options *options,
                               bool show, struct t2t_build_result *result,
                               struct t2t_error *err);

#endif
