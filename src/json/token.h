/*
 * json/token.h - JSON text to tokens, by jsmn.
 *
 * The only place that knows how jsmn is built.  jsmn takes a chunk of many
 * elements at a time, which must fit an int; it accepts much that is not JSON,
 * so whoever walks the tokens checks what stands in and between them.
 */
#ifndef TT_JSON_TOKEN_H
#define TT_JSON_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#ifndef JSMN_PARENT_LINKS
#define JSMN_PARENT_LINKS
#endif
#ifndef JSMN_STATIC
#define JSMN_HEADER
#endif
#include <jsmn.h>

/* The longest text that can be tokenized. */
#define TT_TOKENS_MAX_BYTES ((size_t)1 << 30)

enum tt_within { TT_WITHIN_NOTHING, TT_WITHIN_STRING, TT_WITHIN_WORD };

struct tt_tokens {
    jsmntok_t *token; /* owned, reused from text to text */
    unsigned count;
    unsigned cap;

    const char *ptr; /* the text under way, not owned */
    size_t len;
    size_t end;            /* so much of it was given to jsmn */
    size_t step;           /* bytes to give it next */
    bool over;             /* there will be no more tokens */
    size_t looked;         /* brackets are counted up to here, ... */
    unsigned depth;        /* ... where so many are open */
    enum tt_within within; /* and the text is within that */
    jsmn_parser parser;
};

/* An all-zero array is ready. */
void tt_tokens_release(struct tt_tokens *t);

/*
 * Tokenizes as much of `ptr` as jsmn accepts: what it refuses or finds cut
 * short ends the tokens there, and the walk will notice; so does the last of
 * TT_SCAN_MAX_VALUES tokens.  False when memory is short or `len` is past
 * TT_TOKENS_MAX_BYTES.
 */
bool tt_tokens_parse(struct tt_tokens *t, const char *ptr, size_t len);

/*
 * The same bit by bit, for a text of which perhaps not all is wanted: begins
 * without a token, and tt_tokens_more() adds those of the next `step` bytes or
 * so, of more each time.  A bracket whose end is not there yet has none.
 */
bool tt_tokens_begin(struct tt_tokens *t, const char *ptr, size_t len,
                     size_t step);

/* False when memory is short; does nothing once the tokens are over. */
bool tt_tokens_more(struct tt_tokens *t);

#endif
