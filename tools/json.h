/*
 * json.h - prints JSON: commas, keys, escapes.
 *
 * Every function prints one value, as a member when `key` is not NULL.
 */
#ifndef T2T_JSON_H
#define T2T_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <trace2tree/trace2tree.h>

struct json {
    FILE *to;
    bool comma; /* the next value needs one before it */
    bool shown; /* it is a terminal: text is without what that would obey */
};

/* Ready for the first value. */
void json_init(struct json *j, FILE *to);

void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
void json_integer(struct json *j, const char *key, int64_t value);
void json_unsigned(struct json *j, const char *key, uint64_t value);
/* null for UINT64_MAX. */
void json_unsigned_or_null(struct json *j, const char *key, uint64_t value);
/* With 15 digits at most; null for what JSON has no number for. */
void json_real(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* A string; null for no text. */
void json_text(struct json *j, const char *key, struct t2t_text text);
void json_static(struct json *j, const char *key, const char *text);

/* Text that is JSON already. */
void json_raw(struct json *j, const char *key, struct t2t_text json);

/* An id; null for T2T_NO_ID. */
void json_id(struct json *j, const char *key, t2t_id id);

/* after - before, which may need 65 bits. */
void json_span(struct json *j, const char *key, int64_t after, int64_t before);

/* Prints a key that is a JSON string already, with its quotes. */
void json_raw_key(struct json *j, struct t2t_text key);

#endif
