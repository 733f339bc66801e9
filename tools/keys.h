/*
 * keys.h - the arguments that --args names.
 */
#ifndef T2T_KEYS_H
#define T2T_KEYS_H

#include "line.h"
#include "node.h"

struct keys {
    char *text;   /* the keys, with NULs between; owned */
    size_t count; /* 0 without --args */
};

/* Splits "KEY[,KEY]..."; NULL: no keys.  An exit status after a message. */
int keys_open(struct keys *k, const struct command *self, const char *list);

/* Frees what it holds. */
void keys_close(struct keys *k);

/*
 * Prints the name of the element and the arguments that were asked for and that
 * it has.  The name is whole where the line has room for it; where not all has,
 * each value is cut by itself, or if they would be too short, each argument
 * stands on a line of its own below the name.
 */
int keys_put(const struct keys *k, const struct nodes *n,
             const struct t2t_element *e, struct line *line);

/* Prints them as the member "args"; nothing without --args. */
int keys_json(const struct keys *k, const struct nodes *n,
              const struct t2t_element *e, struct json *j);

#endif
