/* cmd_links.c - t2t links: pairs of forward operations and backward nodes. */
#include "answer.h"

struct links_options {
    struct answer_options answer;
};

static const struct option_row options[] = {
    ANSWER_PRINT_OPTIONS(links_options, answer),
    OPTIONS_END,
};

static int print_links(const struct command *self, const void *given,
                       const struct input *in, char **rest)
{
    const struct links_options *o = given;
    struct t2t_error err;
    enum t2t_status st;
    t2t_table *table = NULL;

    (void)rest;
    st = t2t_links(in->index, &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct links_options o = {0};

    return input_run(self, argc, argv, &o, print_links);
}

const struct command cmd_links = {
    "links",
    "INDEX",
    "pairs of forward operations and backward nodes",
    "\n"
    "forward and backward are places in traceEvents: @N for t2t show.\n",
    options,
    run,
    "  t2t links rank0.json.gz --format csv\n",
    (const char *const[]){"links", NULL},
};
