/*
 * decode/walk.h - goes through the tokens of a chunk and checks all that stands
 * in and between them.
 *
 * jsmn finds where strings, numbers and brackets are but lets much pass that is
 * not JSON.  The walk keeps a place in the text and accepts a token only where
 * the grammar wants one, so it fails on any text that is not JSON; it does not
 * say why: json/scan.h does.  No recursion.
 */
#ifndef TT_DECODE_WALK_H
#define TT_DECODE_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "json/text.h"
#include "json/token.h"

struct tt_walk {
    const char *text;
    size_t len;
    size_t at;      /* the next byte of the text */
    size_t base;    /* where the text of the tokens begins */
    unsigned depth; /* brackets open around the value */
    const jsmntok_t *token;
    unsigned count;
    unsigned next;         /* the next token */
    struct tt_buffer open; /* brackets open inside a value, owned */
};

enum tt_value_type {
    TT_VALUE_STRING,    /* ptr, len: without quotes */
    TT_VALUE_NUMBER,    /* not checked yet: its reader must */
    TT_VALUE_LITERAL,   /* true, false, null */
    TT_VALUE_CONTAINER, /* with its brackets */
};

struct tt_value {
    enum tt_value_type type;
    enum tt_text_kind kind; /* of a string */
    bool compact;           /* a container without spaces or escapes */
    const char *ptr;
    size_t len;
};

static inline bool tt_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Steps over white space; the byte that comes then, 0 at the end. */
static inline char tt_walk_peek(struct tt_walk *w)
{
    while (w->at < w->len && tt_is_space(w->text[w->at]))
        w->at++;
    return w->at < w->len ? w->text[w->at] : '\0';
}

/* Steps over white space and `byte`; false when something else is there. */
static inline bool tt_walk_take(struct tt_walk *w, char byte)
{
    if (tt_walk_peek(w) != byte)
        return false;
    w->at++;
    return true;
}

/* Steps over the bracket at the current place, which is a token. */
bool tt_walk_open(struct tt_walk *w);

/* Steps over the string at the current place. */
bool tt_walk_string(struct tt_walk *w, struct tt_value *out);

/* Steps over white space and a value of any kind. */
bool tt_walk_value(struct tt_walk *w, struct tt_value *out);

#endif
