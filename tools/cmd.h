/*
 * cmd.h - what a subcommand of t2t is.
 *
 * A subcommand is a row of the table in t2t.c and its options are rows of a
 * table of its own (options.h); parsing and help come from them.  The command
 * is a client of the library like any other: files in tools/ see include/ and
 * not src/.
 */
#ifndef T2T_CMD_H
#define T2T_CMD_H

#include <trace2tree/trace2tree.h>

/* Exit statuses, the same for every subcommand. */
enum {
    EXIT_DONE = 0,
    EXIT_NO = 1, /* the answer is no: a check found damage */
    EXIT_WRONG_USE = 2,
    EXIT_INPUT = 3,   /* the trace or the index cannot be read */
    EXIT_LOSSES = 4,  /* done, but parts of the trace were given up */
    EXIT_MACHINE = 5, /* no space, no memory, no permission, read or write */
    EXIT_INTERRUPTED = 130, /* by SIGINT; others: 128 + number of the signal */
};

struct option_row;

struct command {
    const char *name;
    const char *operands;             /* such as "INDEX [NODE]" */
    const char *summary;              /* one line */
    const char *details;              /* paragraphs of the help; may be "" */
    const struct option_row *options; /* up to a row without a name */
    int (*run)(const struct command *self, int argc, char **argv);
    const char *example;       /* lines of the help, each indented by two */
    const char *const *tables; /* that it prints, up to NULL; NULL: none */
};

extern const struct command cmd_build;
extern const struct command cmd_check;
extern const struct command cmd_collectives;
extern const struct command cmd_dump;
extern const struct command cmd_export;
extern const struct command cmd_find;
extern const struct command cmd_gaps;
extern const struct command cmd_help;
extern const struct command cmd_info;
extern const struct command cmd_kernels;
extern const struct command cmd_launches;
extern const struct command cmd_links;
extern const struct command cmd_modules;
extern const struct command cmd_ops;
extern const struct command cmd_report;
extern const struct command cmd_show;
extern const struct command cmd_stack;
extern const struct command cmd_timeline;
extern const struct command cmd_tree;
extern const struct command cmd_version;

/* The n-th subcommand; NULL past the last. */
const struct command *command_at(unsigned n);

/* The subcommand `name`, or NULL. */
const struct command *command_find(const char *name);

/* Prints "t2t: ", a line, in which control characters are escaped, and a line
 * feed to standard error. */
void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Whether it is gzip or zstd data that are damaged: then offsets are those of
 * the compressed file. */
bool is_about_container(enum t2t_status class);

/*
 * Prints "t2t: PATH: CLASS: TEXT (at byte N)", for a damaged index beside its
 * trace also how to make it again, and returns the exit status for it.
 */
int fail(const char *path, const struct t2t_error *err);

/* Prints "t2t: ", a message and how to get help; returns EXIT_WRONG_USE. */
int wrong_use(const struct command *self, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints that memory is short and returns EXIT_MACHINE. */
int out_of_memory(void);

#endif
