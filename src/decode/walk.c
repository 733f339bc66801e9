/* walk.c - the grammar of JSON over jsmn's tokens. */
#include "decode/walk.h"

#include <string.h>

#include "json/scalar.h"
#include "json/scan.h"

/* Whether token `t` begins `behind` bytes behind the current place. */
static bool is_here(const struct tt_walk *w, const jsmntok_t *t, size_t behind)
{
    return w->base + (size_t)t->start == w->at + behind;
}

bool tt_walk_open(struct tt_walk *w)
{
    if (w->next == w->count || !is_here(w, &w->token[w->next], 0))
        return false;
    w->next++;
    w->at++;
    return true;
}

bool tt_walk_string(struct tt_walk *w, struct tt_value *out)
{
    const jsmntok_t *t = &w->token[w->next];

    if (w->next == w->count || t->type != JSMN_STRING || !is_here(w, t, 1))
        return false;
    w->next++;
    out->type = TT_VALUE_STRING;
    out->ptr = w->text + w->at + 1;
    out->len = (size_t)(t->end - t->start);
    w->at += 1 + out->len + 1;
    out->kind = TT_TEXT_PLAIN;
    if (!tt_text_is_plain(out->ptr, out->len, w->len - (w->at - out->len - 1)))
        out->kind = tt_text_look(out->ptr, out->len);
    return out->kind != TT_TEXT_BAD;
}

static bool is_literal(const char *ptr, size_t len)
{
    return (len == 4 && (!memcmp(ptr, "true", 4) || !memcmp(ptr, "null", 4))) ||
           (len == 5 && !memcmp(ptr, "false", 5));
}

/* A number or a literal; the number is left for its reader to check. */
static bool walk_primitive(struct tt_walk *w, struct tt_value *out)
{
    const jsmntok_t *t = &w->token[w->next];

    if (w->next == w->count || t->type != JSMN_PRIMITIVE || !is_here(w, t, 0))
        return false;
    w->next++;
    out->ptr = w->text + w->at;
    out->len = (size_t)(t->end - t->start);
    w->at += out->len;
    if (is_literal(out->ptr, out->len)) {
        out->type = TT_VALUE_LITERAL;
        return true;
    }
    out->type = TT_VALUE_NUMBER;
    return *out->ptr == '-' || (*out->ptr >= '0' && *out->ptr <= '9');
}

/* What may come next inside a container. */
enum need { NEED_FIRST, NEED_ITEM, NEED_COMMA };

/* A string, number or literal in a container; false unless it is one. */
static bool walk_scalar(struct tt_walk *w, char c, bool *compact)
{
    struct tt_value v;
    int64_t value;
    unsigned digits;

    if (c == '"') {
        if (!tt_walk_string(w, &v))
            return false;
        *compact &= v.kind == TT_TEXT_PLAIN;
        return true;
    }
    return walk_primitive(w, &v) &&
           (v.type == TT_VALUE_LITERAL ||
            tt_number_read(v.ptr, v.len, &value, &digits) != TT_NUMBER_BAD);
}

/* A key and its colon. */
static bool walk_key(struct tt_walk *w, bool *compact)
{
    size_t end;

    if (!walk_scalar(w, '"', compact))
        return false;
    end = w->at;
    if (!tt_walk_take(w, ':'))
        return false;
    *compact &= w->at == end + 1;
    end = w->at;
    tt_walk_peek(w);
    *compact &= w->at == end;
    return true;
}

/* An item of the innermost container: all of a scalar, the opening bracket of
 * another container. */
static bool walk_item(struct tt_walk *w, char c, bool *compact, enum need *need)
{
    if (w->open.ptr[w->open.len - 1] == '{') {
        if (c != '"' || !walk_key(w, compact))
            return false;
        c = tt_walk_peek(w);
    }
    *need = NEED_COMMA;
    if (c != '{' && c != '[')
        return walk_scalar(w, c, compact);
    *need = NEED_FIRST;
    if (w->depth + w->open.len >= TT_SCAN_MAX_DEPTH)
        return false;
    tt_buffer_add_byte(&w->open, c);
    return !w->open.failed && tt_walk_open(w);
}

/* The inside of the container whose bracket was taken, and its end. */
static bool walk_container(struct tt_walk *w, bool *compact)
{
    enum need need = NEED_FIRST;

    while (w->open.len) {
        char close = w->open.ptr[w->open.len - 1] == '{' ? '}' : ']';
        size_t before = w->at;
        char c = tt_walk_peek(w);

        *compact &= w->at == before;
        if (c == close && need != NEED_ITEM) {
            w->at++;
            w->open.len--;
            need = NEED_COMMA;
        } else if (need == NEED_COMMA) {
            if (c != ',')
                return false;
            w->at++;
            need = NEED_ITEM;
        } else if (!walk_item(w, c, compact, &need)) {
            return false;
        }
    }
    return true;
}

bool tt_walk_value(struct tt_walk *w, struct tt_value *out)
{
    char c = tt_walk_peek(w);
    size_t start = w->at;

    if (c == '"')
        return tt_walk_string(w, out);
    if (c != '{' && c != '[')
        return walk_primitive(w, out);

    out->type = TT_VALUE_CONTAINER;
    out->compact = true;
    tt_buffer_clear(&w->open);
    tt_buffer_add_byte(&w->open, c);
    if (w->open.failed || !tt_walk_open(w) || !walk_container(w, &out->compact))
        return false;
    out->ptr = w->text + start;
    out->len = w->at - start;
    return true;
}
