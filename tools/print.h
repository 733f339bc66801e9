/*
 * print.h - where a subcommand prints, and how it prints numbers and texts.
 */
#ifndef T2T_PRINT_H
#define T2T_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd.h"
#include "color.h"
#include "input.h"

/* Standard output, or the file of -o. */
struct output {
    FILE *to;
    const char *path; /* NULL for standard output */
    int reason;       /* why writing failed, an errno, when that is known */
    size_t width;     /* columns of the terminal; 0: unlimited */
    bool color;       /* whether to print colours */
};

/*
 * Opens `path`, or standard output for NULL and "-".
 *
 * A file appears when the command has succeeded (outfile.h).
 *
 * An index is never written over.
 *
 * @param in  the index that is open: its trace is not written over, either, as
 *            far as is_trace_of() knows.  May be NULL.
 * @return EXIT_DONE, or another exit status after a message.
 */
int output_open(const struct command *self, struct output *out,
                const char *path, const struct input *in);

/*
 * Remembers what a writer of tables answered, just after it: errno has the
 * reason then.  An exit status after a message when memory was short.
 */
int output_wrote(struct output *out, enum t2t_status st);

/*
 * Closes the output.  A closed pipe is no failure; anything else that could
 * not be written is, and is said.
 *
 * @param status  what the subcommand came to so far.
 * @return the exit status: that, if all is written or nobody reads the pipe.
 */
int output_close(struct output *out, int status);

/*
 * Sets width and colour, once it is open.
 *
 * @param least  columns that a line has at least, where there is a limit.
 */
void output_dress(struct output *out, size_t least, int color_when);

/* Columns of the terminal that `out` is, $COLUMNS, or 0 for neither. */
unsigned output_width(const struct output *out);

/* Sets the locale: what is printed is UTF-8 whatever the user's is; columns and
 * regular expressions count characters. */
void output_locale(void);

/* Whether the user's locale is not UTF-8: what t2t draws itself - bars, lines
 * of trees, marks of cuts - is ASCII then. */
bool output_ascii(void);

/* Prints text, escaped for a terminal. */
void print_text(FILE *to, struct t2t_text text);

#define TIME_MAX 40u

/* Writes a duration, such as "12.345 us", in a unit of its own for T2T_AUTO;
 * other units stand in the heading: only the number then. */
void time_text(char out[TIME_MAX], uint64_t ns, enum t2t_time_unit unit);

/* The same with the unit always. */
void time_with_unit(char out[TIME_MAX], uint64_t ns, enum t2t_time_unit unit);

#define COUNT_MAX 32u

/* Writes a number with commas. */
void count_text(char out[COUNT_MAX], uint64_t count);

#endif
