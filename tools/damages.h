/*
 * damages.h - what is damaged in a trace, listed as it is read.
 */
#ifndef T2T_DAMAGES_H
#define T2T_DAMAGES_H

#include <stdbool.h>
#include <stdio.h>

#include "cmd.h"

struct damages_options {
    unsigned workers; /* threads; 0: as a build has them */
    bool json;
    bool quiet;    /* print nothing but errors */
    bool all;      /* print all damages and odd things, however many; JSON has
                      all anyway */
    bool progress; /* show how far it is */
    bool stranger; /* the file is no index and does not begin as a trace does:
                      say so when it cannot be read */
};

/*
 * Reads the trace `name`, "-" for standard input, and prints each damage to
 * `to` when it is come upon, then what is odd or suspect, and what a build
 * makes of it.
 *
 * @return EXIT_DONE; EXIT_NO for any damage; another exit status after a
 *         message when it cannot be read, or of a signal.
 */
int damages_check(const char *name, FILE *to, const struct damages_options *o);

#endif
