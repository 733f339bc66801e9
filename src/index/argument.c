/* argument.c - takes the JSON of an element apart. */
#include "index/cursor.h"

#include <string.h>

#include "base/status.h"
#include "format/shape.h"
#include "json/scalar.h"
#include "json/text.h"

/* The JSON text of a token, strings with their quotes. */
static struct t2t_text token_text(const t2t_cursor *c, uint32_t i)
{
    const jsmntok_t *t = &c->tokens.token[i];
    int quote = t->type == JSMN_STRING;

    return (struct t2t_text){c->json.ptr + t->start - quote,
                             (size_t)(t->end - t->start + 2 * quote)};
}

/*
 * Whether token `i` is a key of object `object` and the token behind it its
 * value, both whole.
 */
static bool is_member(const t2t_cursor *c, uint32_t object, uint32_t i)
{
    const jsmntok_t *t = c->tokens.token;

    return i + 1 < c->tokens.count && t[i].type == JSMN_STRING &&
           t[i].parent == (int)object && t[i + 1].parent == (int)i &&
           t[i].end >= 0 && t[i + 1].end >= 0;
}

/* The key after the one of token `i`, whose value may be large. */
static uint32_t next_member(const t2t_cursor *c, uint32_t i)
{
    const jsmntok_t *t = c->tokens.token;
    int end = t[i + 1].end;

    i += 2;
    while (i < c->tokens.count && t[i].start < end)
        i++;
    return i;
}

/*
 * The last member of `object` whose key, quotes included, is `key`: the token
 * of its value, or 0.
 */
static uint32_t find_member(const t2t_cursor *c, uint32_t object,
                            struct t2t_text key)
{
    uint32_t found = 0;

    for (uint32_t i = object + 1; is_member(c, object, i);
         i = next_member(c, i))
        if (t2t_text_equal(token_text(c, i), key))
            found = i + 1;
    return found;
}

static void start_walk(struct tt_members_walk *w, uint32_t object)
{
    *w = (struct tt_members_walk){.object = object, .token = object + 1};
}

/* Tokenizes c->json and finds its `args`; false when memory is short. */
static bool take_apart(t2t_cursor *c)
{
    const jsmntok_t *t;
    uint32_t args;

    if (!tt_tokens_parse(&c->tokens, c->json.ptr, c->json.len))
        return false;
    t = c->tokens.token;
    c->has_fields = c->tokens.count && t[0].type == JSMN_OBJECT;
    c->has_arguments = false;
    if (c->has_fields) {
        args = find_member(c, 0, t2t_text_of("\"args\""));
        c->has_arguments = args && t[args].type == JSMN_OBJECT;
        start_walk(&c->field, 0);
        start_walk(&c->argument, args);
    }
    return true;
}

/* Sees to it that the JSON of element `id` is tokenized; T2T_NOT_FOUND when it
 * is no object. */
static enum t2t_status load_fields(t2t_cursor *c, t2t_id id,
                                   struct t2t_error *err)
{
    enum t2t_status st = tt_cursor_load(c, id, err);

    if (st)
        return st;
    if (!c->has_tokens) {
        if (c->json.len > TT_TOKENS_MAX_BYTES)
            return tt_error(err, T2T_ERR_LIMIT, TT_NO_OFFSET,
                            "element %u is too large to be taken apart", id);
        if (!take_apart(c))
            return tt_cursor_no_memory(err);
        c->has_tokens = true;
    }
    return c->has_fields ? T2T_OK : T2T_NOT_FOUND;
}

/* The same of the arguments; T2T_NOT_FOUND also when it has none. */
static enum t2t_status load_arguments(t2t_cursor *c, t2t_id id,
                                      struct t2t_error *err)
{
    enum t2t_status st = load_fields(c, id, err);

    return st || c->has_arguments ? st : T2T_NOT_FOUND;
}

/* Finds member `key` of an object: `*token` is that of its value. */
static enum t2t_status find_value(t2t_cursor *c, uint32_t object,
                                  const char *key, uint32_t *token,
                                  struct t2t_error *err)
{
    struct t2t_text quoted;

    tt_buffer_clear(&c->text);
    tt_buffer_add_byte(&c->text, '"');
    tt_text_encode(key, strlen(key), &c->text);
    tt_buffer_add_byte(&c->text, '"');
    if (c->text.failed)
        return tt_cursor_no_memory(err);
    quoted = (struct t2t_text){c->text.ptr, c->text.len};
    *token = find_member(c, object, quoted);
    return *token ? T2T_OK : T2T_NOT_FOUND;
}

/* Goes to member `n` of an object of element `id`. */
static enum t2t_status walk_to(const t2t_cursor *c, t2t_id id,
                               struct tt_members_walk *w, uint32_t n,
                               struct t2t_text *key, struct t2t_text *json,
                               struct t2t_error *err)
{
    if (n < w->n)
        start_walk(w, w->object);
    while (is_member(c, w->object, w->token)) {
        if (w->n == n) {
            *key = token_text(c, w->token);
            *json = token_text(c, w->token + 1);
            return T2T_OK;
        }
        w->token = next_member(c, w->token);
        w->n++;
    }
    if (w->token < c->tokens.count &&
        c->tokens.token[w->token].parent == (int)w->object)
        return tt_cursor_damage(c, id, err); /* in it, and no member */
    return T2T_NOT_FOUND;
}

/* Finds argument `key` of element `id`. */
static enum t2t_status find_argument(t2t_cursor *c, t2t_id id, const char *key,
                                     uint32_t *token, struct t2t_error *err)
{
    enum t2t_status st = load_arguments(c, id, err);

    return st ? st : find_value(c, c->argument.object, key, token, err);
}

/* ---- by template --------------------------------------------------------- */

/*
 * Looks for argument `key` in a template, which becomes JSON with 0 in each
 * hole.
 *
 * @return TT_SPOT_UNUSED when memory is short.
 */
static enum tt_spot_answer look_in_template(t2t_cursor *c,
                                            struct t2t_text shape,
                                            const char *key,
                                            struct tt_spot *spot)
{
    uint32_t token;
    uint32_t args;
    size_t at = 0;

    c->json_id = T2T_NO_ID;
    c->has_tokens = false;
    if (shape.len > TT_TOKENS_MAX_BYTES)
        return TT_SPOT_UNTOLD;
    tt_buffer_clear(&c->json);
    tt_buffer_add(&c->json, shape.ptr, shape.len);
    if (c->json.failed)
        return TT_SPOT_UNUSED;
    for (; tt_shape_hole(shape, &at); at++)
        c->json.ptr[at] = '0';
    if (!take_apart(c))
        return TT_SPOT_UNUSED;
    if (!c->has_fields)
        return TT_SPOT_UNTOLD;
    args = c->argument.object;
    if (!c->has_arguments)
        return args && c->json.ptr[c->tokens.token[args].start] == '0'
                   ? TT_SPOT_UNTOLD
                   : TT_SPOT_ABSENT;
    switch (find_value(c, args, key, &token, NULL)) {
    case T2T_OK:
        tt_spot_set(spot, shape,
                    (size_t)(token_text(c, token).ptr - c->json.ptr),
                    token_text(c, token).len);
        return TT_SPOT_FOUND;
    case T2T_NOT_FOUND:
        return TT_SPOT_ABSENT;
    default:
        return TT_SPOT_UNUSED;
    }
}

/*
 * Answers argument `key` of element `id` out of its template.
 *
 * @return also T2T_OTHER_TYPE: that cannot be told so.
 */
static enum t2t_status by_template(t2t_cursor *c, t2t_id id, const char *key,
                                   struct t2t_text *json, struct t2t_error *err)
{
    struct tt_spot found = {0};
    struct tt_said said;
    struct tt_spot *spot;
    enum t2t_status st;

    if (c->json_id == id && c->has_tokens)
        return T2T_OTHER_TYPE;
    st = tt_cursor_said(c, id, &said, err);
    if (st)
        return st;
    spot = tt_spot_slot(c->spot, said.number, key);
    if (!spot)
        return T2T_OTHER_TYPE;
    if (!tt_spot_is(spot, said.number, key)) {
        found.number = said.number;
        found.answer = (uint8_t)look_in_template(c, said.shape, key, &found);
        if (found.answer == TT_SPOT_UNUSED)
            return tt_cursor_no_memory(err);
        memcpy(found.key, key, strlen(key) + 1);
        *spot = found;
    }
    switch ((enum tt_spot_answer)spot->answer) {
    case TT_SPOT_FOUND:
        return tt_cursor_part(c, id, &said, spot, json, err);
    case TT_SPOT_ABSENT:
        return T2T_NOT_FOUND;
    default:
        return T2T_OTHER_TYPE;
    }
}

enum t2t_status t2t_cursor_argument(t2t_cursor *cursor, t2t_id id,
                                    const char *key, struct t2t_text *json,
                                    struct t2t_error *err)
{
    uint32_t token;
    enum t2t_status st = by_template(cursor, id, key, json, err);

    if (st != T2T_OTHER_TYPE)
        return st;
    st = find_argument(cursor, id, key, &token, err);
    if (!st)
        *json = token_text(cursor, token);
    return st;
}

enum t2t_status t2t_cursor_argument_at(t2t_cursor *cursor, t2t_id id,
                                       uint32_t n, struct t2t_text *key,
                                       struct t2t_text *json,
                                       struct t2t_error *err)
{
    enum t2t_status st = load_arguments(cursor, id, err);

    return st ? st : walk_to(cursor, id, &cursor->argument, n, key, json, err);
}

enum t2t_status t2t_cursor_field(t2t_cursor *cursor, t2t_id id, const char *key,
                                 struct t2t_text *json, struct t2t_error *err)
{
    uint32_t token;
    enum t2t_status st = load_fields(cursor, id, err);

    if (!st)
        st = find_value(cursor, 0, key, &token, err);
    if (!st)
        *json = token_text(cursor, token);
    return st;
}

enum t2t_status t2t_cursor_field_at(t2t_cursor *cursor, t2t_id id, uint32_t n,
                                    struct t2t_text *key, struct t2t_text *json,
                                    struct t2t_error *err)
{
    enum t2t_status st = load_fields(cursor, id, err);

    return st ? st : walk_to(cursor, id, &cursor->field, n, key, json, err);
}

/* ---- values -------------------------------------------------------------- */

/* What a JSON text says of a number: its digits, without quotes. */
static struct t2t_text number_text(struct t2t_text json)
{
    if (json.len >= 2 && json.ptr[0] == '"' && json.ptr[json.len - 1] == '"')
        return (struct t2t_text){json.ptr + 1, json.len - 2};
    if (t2t_text_equal(json, t2t_text_of("true")))
        return t2t_text_of("1");
    if (t2t_text_equal(json, t2t_text_of("false")))
        return t2t_text_of("0");
    return json;
}

enum t2t_status t2t_json_integer(struct t2t_text json, int64_t *value)
{
    struct t2t_text text = number_text(json);

    return tt_number_integer(text.ptr, text.len, value) ? T2T_OK
                                                        : T2T_OTHER_TYPE;
}

enum t2t_status t2t_json_real(struct t2t_text json, double *value)
{
    struct t2t_text text = number_text(json);

    return tt_number_real(text.ptr, text.len, value) ? T2T_OK : T2T_OTHER_TYPE;
}

enum t2t_status t2t_cursor_integer(t2t_cursor *cursor, t2t_id id,
                                   const char *key, int64_t *value,
                                   struct t2t_error *err)
{
    struct t2t_text json;
    enum t2t_status st = t2t_cursor_argument(cursor, id, key, &json, err);

    return st ? st : t2t_json_integer(json, value);
}

enum t2t_status t2t_cursor_real(t2t_cursor *cursor, t2t_id id, const char *key,
                                double *value, struct t2t_error *err)
{
    struct t2t_text json;
    enum t2t_status st = t2t_cursor_argument(cursor, id, key, &json, err);

    return st ? st : t2t_json_real(json, value);
}

enum t2t_status t2t_cursor_string(t2t_cursor *cursor, t2t_id id,
                                  const char *key, struct t2t_text *text,
                                  struct t2t_error *err)
{
    struct t2t_text json;
    enum t2t_status st = t2t_cursor_argument(cursor, id, key, &json, err);

    if (st)
        return st;
    if (json.len < 2 || json.ptr[0] != '"')
        return T2T_OTHER_TYPE;
    json = (struct t2t_text){json.ptr + 1, json.len - 2};
    switch (tt_text_look(json.ptr, json.len)) {
    case TT_TEXT_PLAIN:
        *text = json;
        return T2T_OK;
    case TT_TEXT_ESCAPED:
        break;
    case TT_TEXT_BAD:
        return tt_cursor_damage(cursor, id, err);
    }
    tt_buffer_clear(&cursor->text);
    tt_text_decode(json.ptr, json.len, &cursor->text);
    if (cursor->text.failed)
        return tt_cursor_no_memory(err);
    *text = (struct t2t_text){cursor->text.ptr, cursor->text.len};
    return T2T_OK;
}
