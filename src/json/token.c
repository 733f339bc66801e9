/* token.c - jsmn over a token array that grows. */
#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "json/token.h"

#include <stdlib.h>

#define FIRST_TOKENS 16384u

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

bool tt_tokens_parse(struct tt_tokens *t, const char *ptr, size_t len)
{
    jsmn_parser parser;

    if (len > TT_TOKENS_MAX_BYTES || (!t->cap && !grow(t)))
        return false;
    jsmn_init(&parser);
    while (jsmn_parse(&parser, ptr, len, t->token, t->cap) == JSMN_ERROR_NOMEM)
        if (!grow(t))
            return false;
    t->count = parser.toknext;
    return true;
}
