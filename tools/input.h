/*
 * input.h - finds and opens the index that a subcommand is asked about.
 *
 * INDEX may be the name of a trace: its sidecar, the file of that name with
 * ".t2t" behind it, is used then, and built first when it is not there or is
 * not of the trace as it is now.
 */
#ifndef T2T_INPUT_H
#define T2T_INPUT_H

#include <stdbool.h>

#include "cmd.h"
#include "sidecar.h"

/* An index that is open. */
struct input {
    t2t_index *index;
    char *path; /* of the index, owned */
};

/*
 * Opens the index `name`, or that of the trace `name`:
 *
 * - its sidecar, when that fits the trace, or the trace is gone;
 * - else the sidecar is built, which is said;
 * - a private index, which nobody else sees and which is gone with the process,
 *   when the sidecar cannot be written: its folder cannot, or what is there is
 *   no index, or cannot be read, and so is not written over, or is somebody
 *   else's in a folder that keeps it.  That is said, too.
 *
 * A trace that is damaged inside values is repaired, which is said; one that is
 * damaged otherwise is refused.  Says also what an index lacks that was made
 * with
 * --salvage.
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

#endif
