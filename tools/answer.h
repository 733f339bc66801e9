/*
 * answer.h - what the subcommands that print one table have in common: how to
 * print it, and of which GPU events it is.
 */
#ifndef T2T_ANSWER_H
#define T2T_ANSWER_H

#include "cmd.h"
#include "input.h"
#include "options.h"

/*
 * Makes the table that a subcommand prints.
 *
 * @param options  its struct.
 */
typedef enum t2t_status answer_make(const void *options, const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    t2t_table **out, struct t2t_error *err);

struct answer_options {
    answer_make *make; /* set by answer_run() */
    const char *output;
    const char *sort; /* a column, or NULL */
    const char *step; /* N or N-M, or NULL */
    const char *device;
    const char *module;
    struct time_range between;
    uint32_t top; /* rows; 0: all */
    int format;
    int time_unit;
    bool linked_only;
};

extern const char *const answer_formats[];

/* How to print; for a struct whose member `member` is the above. */
#define ANSWER_FIELD(type, member, field)                                      \
    (offsetof(struct type, member) + offsetof(struct answer_options, field))
#define ANSWER_PRINT_OPTIONS(type, member)                                     \
    {"sort",                                                                   \
     0,                                                                        \
     "COLUMN",                                                                 \
     OPTION_TEXT,                                                              \
     ANSWER_FIELD(type, member, sort),                                         \
     "by this CSV column, largest first; texts A to Z",                        \
     NULL},                                                                    \
        {"top",                                                                \
         'n',                                                                  \
         "N",                                                                  \
         OPTION_COUNT,                                                         \
         ANSWER_FIELD(type, member, top),                                      \
         "only the first N rows",                                              \
         NULL},                                                                \
        {"format",                                                             \
         0,                                                                    \
         "text|csv|json",                                                      \
         OPTION_WORD,                                                          \
         ANSWER_FIELD(type, member, format),                                   \
         "how to print; text is the default",                                  \
         answer_formats},                                                      \
        {"output",                                                             \
         'o',                                                                  \
         "FILE",                                                               \
         OPTION_TEXT,                                                          \
         ANSWER_FIELD(type, member, output),                                   \
         "write to FILE, not to standard output",                              \
         NULL},                                                                \
    {                                                                          \
        "time-unit", 0, "ns|us|ms|s|auto", OPTION_WORD,                        \
            ANSWER_FIELD(type, member, time_unit),                             \
            "unit of times in text; auto is the default", time_unit_words      \
    }

/* Of which GPU events. */
#define ANSWER_SELECT_OPTIONS(type, member)                                    \
    {"linked-only",                                                            \
     0,                                                                        \
     NULL,                                                                     \
     OPTION_FLAG,                                                              \
     ANSWER_FIELD(type, member, linked_only),                                  \
     "leave out GPU events without a launch",                                  \
     NULL},                                                                    \
        {"step",                                                               \
         0,                                                                    \
         "N[-M]",                                                              \
         OPTION_TEXT,                                                          \
         ANSWER_FIELD(type, member, step),                                     \
         "GPU events launched in ProfilerStep#N, to #M",                       \
         NULL},                                                                \
        {"between",                                                            \
         0,                                                                    \
         "T T",                                                                \
         OPTION_RANGE,                                                         \
         ANSWER_FIELD(type, member, between),                                  \
         "GPU events that start between these times",                          \
         NULL},                                                                \
        {"device",                                                             \
         0,                                                                    \
         "DEVICE",                                                             \
         OPTION_TEXT,                                                          \
         ANSWER_FIELD(type, member, device),                                   \
         "GPU events of this device, as info lists it",                        \
         NULL},                                                                \
    {                                                                          \
        "module", 0, "MODULE", OPTION_TEXT,                                    \
            ANSWER_FIELD(type, member, module),                                \
            "GPU events with this module above: see below", NULL               \
    }

/*
 * Fills the selection that the options ask for.
 *
 * @return EXIT_DONE, or another exit status after a message.
 */
int answer_selection(const struct command *self, const struct answer_options *o,
                     const struct input *in, struct t2t_selection *selection);

/*
 * Says when the selection names what the index has not, which a table of no GPU
 * events may come from.
 *
 * @return EXIT_DONE, or another exit status after a message.
 */
int answer_check(const struct command *self, const struct input *in,
                 const struct t2t_selection *selection, const t2t_table *table);

/*
 * Says why there is no table.
 *
 * @return the exit status.
 */
int answer_fail(const struct command *self, const struct input *in,
                const struct t2t_error *err);

/*
 * The run() of a subcommand that prints one table.
 *
 * @param options  its struct, with the defaults, that begins with its struct
 *                 answer_options.
 * @return the exit status.
 */
int answer_run(const struct command *self, int argc, char **argv, void *options,
               answer_make *make);

#endif
