/* cmd_collectives.c - t2t collectives: communication kernels by what they
 * exchange. */
#include "answer.h"

struct collectives_options {
    struct answer_options answer;
};

static const struct option_row options[] = {
    ANSWER_SELECT_OPTIONS(collectives_options, answer),
    ANSWER_PRINT_OPTIONS(collectives_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    (void)given;
    return t2t_collectives(index, selection, out, err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct collectives_options o = {0};

    return answer_run(self, argc, argv, &o, make);
}

const struct command cmd_collectives = {
    "collectives",
    "INDEX",
    "communication kernels by what they exchange",
    "\n"
    "Communication kernels of this rank by process group, collective, type "
    "and\n"
    "numbers of elements.  Durations are added up.\n",
    options,
    run,
    "  t2t collectives rank0.json.gz\n",
    (const char *const[]){"collectives", NULL},
};
