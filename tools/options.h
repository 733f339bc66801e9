/*
 * options.h - options as rows of a table.
 *
 * A row says how an option is written, what it takes, which field of the
 * subcommand's struct it sets and how the help describes it.  A table ends
 * with a row without a name.
 */
#ifndef T2T_OPTIONS_H
#define T2T_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd.h"
#include "color.h"

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_NUMBER, /* uint32_t */
    OPTION_COUNT,  /* the same, 1 or more */
    OPTION_TEXT,   /* const char * */
    OPTION_SIZE,   /* uint64_t bytes above 0: 64, 64K, 2M, 1G */
    OPTION_TIME,   /* uint64_t ns: 1.5ms, 200us, 3s, 10ns, bare: us */
    OPTION_SPAN,   /* the same, above 0 */
    OPTION_RANGE,  /* struct time_range: two times */
    OPTION_WORD,   /* int: the place of the word in `words` */
};

struct time_range {
    bool given;
    int64_t from_ns; /* below 0: before the origin */
    int64_t to_ns;   /* not before from_ns */
};

struct option_row {
    const char *name;  /* without its dashes */
    char letter;       /* 0: only the long form */
    const char *value; /* what the help calls it; NULL for a flag */
    enum option_kind kind;
    size_t field;             /* offset in the struct */
    const char *help;         /* NULL: not in the help */
    const char *const *words; /* of OPTION_WORD, up to a NULL */
};

/* Rows that several subcommands share, for a field of their struct. */
#define OPTION_OUTPUT(type, member)                                            \
    {                                                                          \
        "output", 'o', "FILE", OPTION_TEXT, offsetof(struct type, member),     \
            "write to FILE, not to standard output", NULL                      \
    }
#define OPTION_FORMAT(type, member, list, text)                                \
    {                                                                          \
        "format", 0, text, OPTION_WORD, offsetof(struct type, member),         \
            "how to print; text is the default", list                          \
    }
#define OPTION_TIME_UNIT(type, member)                                         \
    {                                                                          \
        "time-unit", 0, "ns|us|ms|s|auto", OPTION_WORD,                        \
            offsetof(struct type, member),                                     \
            "unit of times in text; auto is the default", time_unit_words      \
    }
#define OPTION_COLOR(type, member)                                             \
    {                                                                          \
        "color", 0, "auto|always|never", OPTION_WORD,                          \
            offsetof(struct type, member), "auto, the default: on a terminal", \
            color_words                                                        \
    }
#define OPTIONS_END                                                            \
    {                                                                          \
        NULL, 0, NULL, OPTION_FLAG, 0, NULL, NULL                              \
    }

extern const char *const time_unit_words[]; /* by enum t2t_time_unit */

/*
 * Parses the options of `self` into the struct at `to`, with defaults in it.
 *
 * @param argv   argv[0] is the subcommand; operands move behind the options.
 * @param first  set to the first operand.
 * @return -1 to go on; else the exit status: help was asked for and printed,
 *         or something is wrong, and said.
 */
int options_parse(const struct command *self, int argc, char **argv, void *to,
                  int *first);

/* Prints the help of a subcommand. */
void options_help(const struct command *self);

/*
 * Prints what may stand for the last of `count` words behind the subcommand, a
 * line each: options, words, or "@index", "@trace" or "@file" for names of
 * such.
 */
void options_complete(const struct command *self, char **word, int count);

/* Reads "1.5ms" as nanoseconds; false when it is no time. */
bool parse_time(const char *text, uint64_t *ns);

/* Reads a decimal number up to `most`; false when it is none. */
bool parse_number(const char *text, uint64_t most, uint64_t *value);

#endif
