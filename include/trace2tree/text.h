/*
 * text.h - a piece of text, and how it is printed.
 *
 * Text is UTF-8 and may hold any character, U+0000 too.  JSON can escape half
 * of a surrogate pair; such a half is kept as its three bytes in the manner of
 * UTF-8, which is why text must be escaped on its way out.
 */
#ifndef TRACE2TREE_TEXT_H
#define TRACE2TREE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Some UTF-8; `ptr` is NULL for "no text", which differs from "". */
struct t2t_text {
    const char *ptr;
    size_t len;
};

/* The text of a C string, which it points to; of NULL, no text. */
static inline struct t2t_text t2t_text_of(const char *string)
{
    struct t2t_text text = {string, string ? strlen(string) : 0};

    return text;
}

/* Whether both are the same bytes, or both no text. */
static inline bool t2t_text_equal(struct t2t_text a, struct t2t_text b)
{
    if (!a.ptr || !b.ptr)
        return !a.ptr && !b.ptr;
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* Whether `text` begins with the C string `start`.  No text does not, not even
 * with "". */
static inline bool t2t_text_starts_with(struct t2t_text text, const char *start)
{
    size_t len = strlen(start);

    return text.ptr && text.len >= len && memcmp(text.ptr, start, len) == 0;
}

/*
 * What is escaped.  Control characters always are, as JSON does: \b \f \n \r
 * \t, else \u00xx.  Each byte that belongs to no UTF-8 becomes U+FFFD, so that
 * what comes out is UTF-8, whatever goes in.
 */
enum t2t_escape {
    T2T_ESCAPE_JSON,     /* the inside of a JSON string, equal as data: also the
                            quote, the backslash, and halves as \udxxx */
    T2T_ESCAPE_QUOTED,   /* the same, but halves become U+FFFD */
    T2T_ESCAPE_CELL,     /* control characters; halves become U+FFFD */
    T2T_ESCAPE_TERMINAL, /* the same, with U+007F to U+009F and what is not seen
                           and hides or turns around what is: marks of
                           direction and what Unicode says can be ignored; as
                           \uxxxx */
    T2T_ESCAPE_QUOTED_TERMINAL /* what both escape: JSON that is to be seen */
};

#define T2T_ESCAPE_MAX 12u /* bytes that one character can become */

/*
 * Writes the start of `*text`, escaped, to the `cap` bytes at `to`, cap at
 * least T2T_ESCAPE_MAX, and takes it off `*text`.  Call again until its len is
 * 0.
 *
 * @param how  another value is as T2T_ESCAPE_CELL.
 * @return the bytes written.
 */
T2T_API size_t t2t_text_escape(struct t2t_text *text, enum t2t_escape how,
                               char *to, size_t cap);

/*
 * Writes `text` to `to`, escaped; of no text nothing.  An error of `to` is
 * there to be asked for by ferror().
 */
T2T_API void t2t_text_print(FILE *to, struct t2t_text text,
                            enum t2t_escape how);

#ifdef __cplusplus
}
#endif

#endif
