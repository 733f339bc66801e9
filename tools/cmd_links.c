/* cmd_links.c - t2t links: pairs of forward operations and backward nodes. */
#include "answer.h"

struct links_options {
    struct answer_options answer;
};

static const struct option_row options[] = {
    ANSWER_PRINT_OPTIONS(links_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    (void)given;
    (void)selection;
    return t2t_links(index, out, err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct links_options o = {0};

    return answer_run(self, argc, argv, &o, make);
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
