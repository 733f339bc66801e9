/*
 * textfile.h - a FILE whose text is kept in memory.
 *
 * As open_memstream(), but what there was no memory for is an error: that of
 * glibc loses it and says nothing.
 */
#ifndef T2T_TEXTFILE_H
#define T2T_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct textfile {
    char *ptr; /* owned: to be freed */
    size_t len;
    size_t cap;
};

/* Opens one that is empty; NULL when memory is short. */
FILE *textfile_open(struct textfile *text);

/* Closes it; false: memory was short.  The text is there in any case. */
bool textfile_close(FILE *to);

#endif
