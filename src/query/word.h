/*
 * query/word.h - looking for words in names.
 */
#ifndef TT_QUERY_WORD_H
#define TT_QUERY_WORD_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include <trace2tree/text.h>

/* Whether `word` occurs in `text`. */
static inline bool tt_has_word(struct t2t_text text, const char *word)
{
    return text.ptr && memmem(text.ptr, text.len, word, strlen(word));
}

/* Whether `word` occurs in `text`, in any case of ASCII letters. */
static inline bool tt_has_word_any_case(struct t2t_text text, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; text.ptr && i + len <= text.len; i++)
        if (!strncasecmp(text.ptr + i, word, len))
            return true;
    return false;
}

#endif
