/* cmd_timeline.c - t2t timeline: GPU time: computing, communication, copies,
 * idle. */
#include "answer.h"

struct timeline_options {
    struct answer_options answer;
};

static const struct option_row options[] = {
    ANSWER_SELECT_OPTIONS(timeline_options, answer),
    ANSWER_PRINT_OPTIONS(timeline_options, answer),
    OPTIONS_END,
};

static int print_timeline(const struct command *self, const void *given,
                          const struct input *in, char **rest)
{
    const struct timeline_options *o = given;
    struct t2t_selection selection;
    struct t2t_error err;
    enum t2t_status st;
    t2t_table *table = NULL;
    int status = answer_selection(self, &o->answer, in, &selection);

    (void)rest;
    if (status)
        return status;
    st = t2t_timeline(in->index, &selection, &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct timeline_options o = {0};

    return input_run(self, argc, argv, &o, print_timeline);
}

const struct command cmd_timeline = {
    "timeline",
    "INDEX",
    "GPU time: computing, communication, copies, idle",
    "\n"
    "For all devices together and for each: computation, the communication\n"
    "and the copies that no computation hides (exposed), busy (any of them),\n"
    "idle, and total time from the first start to the last end.\n"
    "computation + exposed_comm + exposed_memcpy + idle = total.\n",
    options,
    run,
    "  t2t timeline rank0.json.gz --format csv -o timeline.csv\n",
};
