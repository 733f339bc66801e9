/*
 * base/status.h - how the library's own code reports an error.
 */
#ifndef TT_BASE_STATUS_H
#define TT_BASE_STATUS_H

#include <trace2tree/status.h>

#define TT_NO_OFFSET T2T_NO_OFFSET

/*
 * Fills `err`, when not NULL, and returns `code`, so that a failing function
 * says what went wrong and leaves in one line:
 *
 *     return tt_error(err, T2T_ERR_INDEX_FORMAT, off, "section %u: ...", id);
 *
 * The text becomes one line: control characters are replaced by '?', and what
 * does not fit is cut between two characters of UTF-8 and ends with "...".  So
 * names go last or are short.  err->text may itself be an argument.
 */
enum t2t_status tt_error(struct t2t_error *err, enum t2t_status code,
                         uint64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Says that memory is short; returns T2T_ERR_NO_MEMORY. */
enum t2t_status tt_no_memory(struct t2t_error *err);

#endif
