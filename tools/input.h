/*
 * input.h - finds and opens the index that a subcommand is asked about.
 */
#ifndef T2T_INPUT_H
#define T2T_INPUT_H

#include <stdbool.h>

#include "cmd.h"

#define INDEX_SUFFIX ".t2t"

/* An index that is open. */
struct input {
    t2t_index *index;
    char *path; /* of the index, owned */
};

/*
 * Opens the index `name`.  When that is a trace, its sidecar `name`.t2t is
 * opened, if it is there and fits the trace.
 *
 * @return EXIT_DONE, or another exit status after a message.
 */
int input_open(struct input *in, const char *name);

/* Closes the index. */
void input_close(struct input *in);

/*
 * What a subcommand does with its index.
 *
 * @param options  its struct, filled.
 * @param rest     the operands behind INDEX, up to a NULL.
 * @return the exit status.
 */
typedef int input_action(const struct command *self, const void *options,
                         const struct input *in, char **rest);

/*
 * The run() of a subcommand whose first operand is INDEX: parses the options
 * into the struct at `options`, which has the defaults, checks that there are
 * as many operands as `self->operands` says, opens the index, acts, closes.
 */
int input_run(const struct command *self, int argc, char **argv, void *options,
              input_action *act);

/* `name` with ".t2t" behind it, to be freed; NULL when memory is short. */
char *sidecar_of(const char *name);

/* Whether the index was made of the file `path` as it is now. */
bool index_fits(const t2t_index *index, const char *path);

#endif
