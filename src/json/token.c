/* token.c - jsmn over a token array that grows. */
#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "json/token.h"

#include <stdlib.h>
#include <string.h>

#include "json/scan.h"

#define FIRST_TOKENS 16384u

void tt_tokens_release(struct tt_tokens *t)
{
    free(t->token);
    *t = (struct tt_tokens){0};
}

_Static_assert(!(TT_SCAN_MAX_VALUES % FIRST_TOKENS) &&
                   !(TT_SCAN_MAX_VALUES / FIRST_TOKENS &
                     (TT_SCAN_MAX_VALUES / FIRST_TOKENS - 1)),
               "doubling ends at the limit");

static bool grow(struct tt_tokens *t)
{
    unsigned cap = t->cap ? t->cap * 2 : FIRST_TOKENS;
    jsmntok_t *token = realloc(t->token, (size_t)cap * sizeof(*token));

    if (!token)
        return false;
    t->token = token;
    t->cap = cap;
    return true;
}

/*
 * Counts brackets up to t->end as jsmn sees them, and brings the end forward to
 * where they are too deep.
 */
static void look(struct tt_tokens *t)
{
    for (; t->looked < t->end; t->looked++) {
        char c = t->ptr[t->looked];

        if (t->within == TT_WITHIN_STRING) {
            if (c == '"')
                t->within = TT_WITHIN_NOTHING;
            else if (c == '\\')
                t->looked++;
            continue;
        }
        if (t->within == TT_WITHIN_WORD && !memchr(" \t\r\n,:]}", c, 8))
            continue;
        t->within = TT_WITHIN_NOTHING;
        if (c == ']' || c == '}')
            t->depth -= t->depth > 0;
        else if (c == '"')
            t->within = TT_WITHIN_STRING;
        else if (c != '[' && c != '{')
            t->within =
                memchr(" \t\r\n,:", c, 6) ? TT_WITHIN_NOTHING : TT_WITHIN_WORD;
        else if (++t->depth > TT_SCAN_MAX_DEPTH)
            t->end = t->looked + 1;
    }
}

/* The first place at or behind `at` that does not cut a number or a word: jsmn
 * would take both halves for whole. */
static size_t safe_end(const char *ptr, size_t len, size_t at)
{
    while (at < len && !memchr(" \t\r\n,:[]{}\"", ptr[at - 1], 11))
        at++;
    return at < len ? at : len;
}

bool tt_tokens_begin(struct tt_tokens *t, const char *ptr, size_t len,
                     size_t step)
{
    if (len > TT_TOKENS_MAX_BYTES || (!t->cap && !grow(t)))
        return false;
    jsmn_init(&t->parser);
    t->count = 0;
    t->ptr = ptr;
    t->len = len;
    t->end = 0;
    t->step = step;
    t->looked = 0;
    t->depth = 0;
    t->within = TT_WITHIN_NOTHING;
    t->over = !len;
    return true;
}

/*
 * jsmn's closing of a bracket takes time in proportion to the depth, so text
 * that is too deep ends the tokens before jsmn sees it.  Each call of jsmn goes
 * back over the tokens of the bracket that is open, and reads a string again
 * that was cut, so each step is twice as long as the one before.
 */
bool tt_tokens_more(struct tt_tokens *t)
{
    int answer;

    if (t->over)
        return true;
    t->end = safe_end(t->ptr, t->len,
                      t->len - t->end > t->step ? t->end + t->step : t->len);
    look(t);
    while ((answer = jsmn_parse(&t->parser, t->ptr, t->end, t->token,
                                t->cap)) == JSMN_ERROR_NOMEM &&
           t->cap < TT_SCAN_MAX_VALUES)
        if (!grow(t))
            return false;
    t->count = t->parser.toknext;
    t->over = t->end == t->len || answer == JSMN_ERROR_INVAL ||
              answer == JSMN_ERROR_NOMEM || t->depth > TT_SCAN_MAX_DEPTH;
    t->step *= 2;
    return true;
}

bool tt_tokens_parse(struct tt_tokens *t, const char *ptr, size_t len)
{
    return tt_tokens_begin(t, ptr, len, len) && tt_tokens_more(t);
}
