/*
 * export.h - an index turned back into what it was made of.
 *
 * Nothing of a trace is lost in its index, so the trace can be written again.
 * An index is only read: any number of threads may export at a time, each to
 * its own FILE.
 */
#ifndef TRACE2TREE_EXPORT_H
#define TRACE2TREE_EXPORT_H

#include <stdio.h>

#include <trace2tree/index.h>
#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the JSON trace of which `index` was made, equal to it as data: the
 * same keys in the same order, duplicates too, and the same values, numbers
 * exact.  What stands around the elements of traceEvents is as it was written,
 * byte for byte; the elements are as t2t_cursor_json() has them, one a line.
 * UTF-8 without a byte order mark.
 *
 * It is written piece by piece, with memory for a few frames of the index and
 * the largest element, whatever the size of the trace.
 *
 * @return T2T_OK; T2T_ERR_IO or T2T_ERR_NO_SPACE when `to` has an error, with
 *         the reason in errno; T2T_ERR_INDEX_DAMAGE, when part of the trace may
 *         have been written; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_export_trace(const t2t_index *index, FILE *to,
                                         struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
