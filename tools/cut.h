/*
 * cut.h - text in the columns of a terminal.
 *
 * Columns are those of wcwidth(): East Asian wide characters take two,
 * combining ones none.  The C library knows them in the locale that main()
 * sets, C.UTF-8; without it every character takes one.
 *
 * A cut is never inside a character or an escape (\n, \u001b, a pair of those).
 * The mark of one is an ellipsis, or dots where output_ascii() says so.
 */
#ifndef T2T_CUT_H
#define T2T_CUT_H

#include <stddef.h>

#include <trace2tree/text.h>

#define CUT_COLUMNS 1024u         /* the widest that text is */
#define CUT_MAX (4 * CUT_COLUMNS) /* bytes that text_cut() makes at most */

/*
 * Writes text, escaped for a terminal, cut in the middle to `width` columns, 1
 * to CUT_COLUMNS; returns its bytes and sets `*used` to its columns.
 */
size_t text_cut(char out[CUT_MAX], struct t2t_text text, size_t width,
                size_t *used);

/* Columns of UTF-8 that is escaped already. */
size_t text_columns(const char *ptr, size_t len);

#endif
