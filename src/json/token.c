/* token.c - jsmn over a token array that grows. */
#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "json/token.h"

#include <stdlib.h>
#include <string.h>

#include "json/scan.h"

#define FIRST_TOKENS 16384u
#define STEP_BYTES ((size_t)16 << 10)

void tt_tokens_release(struct tt_tokens *t)
{
    free(t->token);
    *t = (struct tt_tokens){0};
}

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

/* Brackets that are open, counted as far as the limit. */
static unsigned depth_of(const jsmn_parser *parser, const jsmntok_t *token)
{
    unsigned depth = 0;

    for (int at = parser->toksuper; at >= 0 && depth <= TT_SCAN_MAX_DEPTH;
         at = token[at].parent)
        depth += token[at].type == JSMN_ARRAY || token[at].type == JSMN_OBJECT;
    return depth;
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
    t->over = !len;
    return true;
}

/*
 * jsmn's closing of a bracket takes time in proportion to the depth, so depth
 * is looked at every few bytes, and text that is too deep ends the tokens.  A
 * string that is longer than a step is read again by the next one, which is
 * therefore twice as long.
 */
bool tt_tokens_more(struct tt_tokens *t)
{
    int answer;

    if (t->over)
        return true;
    t->end = safe_end(t->ptr, t->len,
                      t->len - t->end > t->step ? t->end + t->step : t->len);
    while ((answer = jsmn_parse(&t->parser, t->ptr, t->end, t->token,
                                t->cap)) == JSMN_ERROR_NOMEM)
        if (!grow(t))
            return false;
    t->count = t->parser.toknext;
    t->over = t->end == t->len || answer == JSMN_ERROR_INVAL ||
              depth_of(&t->parser, t->token) > TT_SCAN_MAX_DEPTH;
    if (t->parser.pos < t->end || t->step < STEP_BYTES)
        t->step *= 2;
    else
        t->step = STEP_BYTES;
    return true;
}

bool tt_tokens_parse(struct tt_tokens *t, const char *ptr, size_t len)
{
    if (!tt_tokens_begin(t, ptr, len, STEP_BYTES))
        return false;
    while (!t->over)
        if (!tt_tokens_more(t))
            return false;
    return true;
}
