/* cmd_kernels.c - t2t kernels: durations of GPU events by name, stream and
 * launcher. */
#include "answer.h"

struct kernels_options {
    struct answer_options answer;
};

static const struct option_row options[] = {
    ANSWER_SELECT_OPTIONS(kernels_options, answer),
    ANSWER_PRINT_OPTIONS(kernels_options, answer),
    OPTIONS_END,
};

static int print_kernels(const struct command *self, const void *given,
                         const struct input *in, char **rest)
{
    const struct kernels_options *o = given;
    struct t2t_selection selection;
    struct t2t_error err;
    enum t2t_status st;
    t2t_table *table = NULL;
    int status = answer_selection(self, &o->answer, in, &selection);

    (void)rest;
    if (status)
        return status;
    st = t2t_kernels(in->index, &selection, &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct kernels_options o = {0};

    return input_run(self, argc, argv, &o, print_kernels);
}

const struct command cmd_kernels = {
    "kernels",
    "INDEX",
    "durations of GPU events by name and launcher",
    "\n"
    "All GPU events, copies and communication too.  Durations are added up,\n"
    "however many events run at a time.\n",
    options,
    run,
    "  t2t kernels rank0.json.gz --top 20\n",
};
