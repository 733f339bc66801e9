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

static int print_collectives(const struct command *self, const void *given,
                             const struct input *in, char **rest)
{
    const struct collectives_options *o = given;
    struct t2t_selection selection;
    struct t2t_error err;
    enum t2t_status st;
    t2t_table *table = NULL;
    int status = answer_selection(self, &o->answer, in, &selection);

    (void)rest;
    if (status)
        return status;
    st = t2t_collectives(in->index, &selection, &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct collectives_options o = {0};

    return input_run(self, argc, argv, &o, print_collectives);
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
