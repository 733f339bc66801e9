/*
 * json/split.h - guesses where an event begins, from any byte of an array.
 *
 * The guess is the next "{" that stands behind a "}" and a comma and before a
 * quote whose next character cannot follow a closed string.  In valid JSON
 * that quote opens one, so the place is outside strings.  It may still be an
 * object inside an event: who uses the guess must prove it, by parsing up to
 * it.
 */
#ifndef TT_JSON_SPLIT_H
#define TT_JSON_SPLIT_H

#include <stddef.h>

/*
 * The offset of the first guess at or behind `from`; `len` when there is none.
 * Looks at nothing before `ptr` or behind `ptr + len`.
 */
size_t tt_split_next(const char *ptr, size_t len, size_t from);

/* The offset of the last guess behind `from`; `len` when there is none. */
size_t tt_split_last(const char *ptr, size_t len, size_t from);

#endif
