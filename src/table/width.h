/*
 * table/width.h - columns that UTF-8 takes on a terminal.
 *
 * Wide characters take two, combining ones none, whatever the locale.  Text has
 * no control characters any more; an escape, as t2t_text_escape() and JSON have
 * them, is not cut in two, nor is a pair of them that is one character.
 */
#ifndef TT_TABLE_WIDTH_H
#define TT_TABLE_WIDTH_H

#include <stddef.h>

size_t tt_width(const char *ptr, size_t len);

/*
 * Bytes of the longest start of the text that takes at most `width` columns,
 * with what combines with its last character; `*used` is its columns.
 */
size_t tt_width_head(const char *ptr, size_t len, size_t width, size_t *used);

/*
 * Where the longest end of the text that takes at most `width` columns begins;
 * it does not begin with what combines with a character before.
 */
size_t tt_width_tail(const char *ptr, size_t len, size_t width, size_t *used);

#endif
