/*
 * scan.h - goes through the members of JSON that is known to be valid.
 *
 *     scan_open(&scan, json, '{');
 *     while (scan_member(&scan, &key, &value))
 *         ...
 */
#ifndef T2T_SCAN_H
#define T2T_SCAN_H

#include <stdbool.h>

#include <trace2tree/trace2tree.h>

struct scan {
    struct t2t_text rest; /* behind the last member */
};

/* Whether `json` begins with `bracket`, '{' or '['; then its members can be
 * read. */
bool scan_open(struct scan *scan, struct t2t_text json, char bracket);

/* The next member: its key with its quotes and its value, as they stand there;
 * false when there is none. */
bool scan_member(struct scan *scan, struct t2t_text *key,
                 struct t2t_text *value);

/* The next value of an array. */
bool scan_item(struct scan *scan, struct t2t_text *value);

/* Whether text is `"word"`, with the quotes. */
bool scan_is(struct t2t_text text, const char *word);

#endif
