/* json.c - prints JSON: commas, keys, escapes. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

void json_init(struct json *j, FILE *to)
{
    *j = (struct json){.to = to, .shown = isatty(fileno(to))};
}

static void put_string(const struct json *j, struct t2t_text text)
{
    (void)putc('"', j->to);
    t2t_text_print(j->to, text,
                   j->shown ? T2T_ESCAPE_QUOTED_TERMINAL : T2T_ESCAPE_QUOTED);
    (void)putc('"', j->to);
}

/* Puts text that is JSON already. */
static void put_json(const struct json *j, struct t2t_text json)
{
    if (j->shown)
        t2t_text_print(j->to, json, T2T_ESCAPE_TERMINAL);
    else
        (void)fwrite(json.ptr, 1, json.len, j->to);
}

/* What comes before a value. */
static void begin(struct json *j, const char *key)
{
    if (j->comma)
        (void)putc(',', j->to);
    if (key) {
        put_string(j, (struct t2t_text){key, strlen(key)});
        (void)putc(':', j->to);
    }
    j->comma = true;
}

void json_open(struct json *j, const char *key, char bracket)
{
    begin(j, key);
    (void)putc(bracket, j->to);
    j->comma = false;
}

void json_close(struct json *j, char bracket)
{
    (void)putc(bracket, j->to);
    j->comma = true;
}

void json_integer(struct json *j, const char *key, int64_t value)
{
    begin(j, key);
    (void)fprintf(j->to, "%" PRId64, value);
}

void json_unsigned(struct json *j, const char *key, uint64_t value)
{
    begin(j, key);
    (void)fprintf(j->to, "%" PRIu64, value);
}

void json_unsigned_or_null(struct json *j, const char *key, uint64_t value)
{
    if (value == UINT64_MAX)
        json_null(j, key);
    else
        json_unsigned(j, key, value);
}

void json_real(struct json *j, const char *key, double value)
{
    begin(j, key);
    if (isfinite(value))
        (void)fprintf(j->to, "%.15g", value);
    else
        (void)fputs("null", j->to);
}

void json_bool(struct json *j, const char *key, bool value)
{
    begin(j, key);
    (void)fputs(value ? "true" : "false", j->to);
}

void json_null(struct json *j, const char *key)
{
    begin(j, key);
    (void)fputs("null", j->to);
}

void json_text(struct json *j, const char *key, struct t2t_text text)
{
    if (!text.ptr) {
        json_null(j, key);
        return;
    }
    begin(j, key);
    put_string(j, text);
}

void json_static(struct json *j, const char *key, const char *text)
{
    json_text(j, key, (struct t2t_text){text, strlen(text)});
}

void json_raw(struct json *j, const char *key, struct t2t_text json)
{
    begin(j, key);
    put_json(j, json);
}

void json_id(struct json *j, const char *key, t2t_id id)
{
    if (id == T2T_NO_ID)
        json_null(j, key);
    else
        json_unsigned(j, key, id);
}

void json_span(struct json *j, const char *key, int64_t after, int64_t before)
{
    bool negative = after < before;
    uint64_t span = negative ? (uint64_t)before - (uint64_t)after
                             : (uint64_t)after - (uint64_t)before;

    begin(j, key);
    (void)fprintf(j->to, "%s%" PRIu64, negative ? "-" : "", span);
}

void json_raw_key(struct json *j, struct t2t_text key)
{
    begin(j, NULL);
    put_json(j, key);
    (void)putc(':', j->to);
    j->comma = false;
}
