/*
 * topic.h - help about what several subcommands share.
 */
#ifndef T2T_TOPIC_H
#define T2T_TOPIC_H

#include <stdbool.h>

/* Prints the help about `name`; false when there is none. */
bool topic_help(const char *name);

/* The n-th topic; NULL past the last. */
const char *topic_at(unsigned n);

#endif
