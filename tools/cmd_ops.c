/* cmd_ops.c - t2t ops: GPU time by what launched it. */
#include "answer.h"

/* In the order of enum t2t_ops_by. */
static const char *const by_words[] = {"category", "name",     "args",
                                       "module",   "launcher", NULL};

struct ops_options {
    struct answer_options answer;
    int by;
    bool recompute;
};

static const struct option_row options[] = {
    {"by", 0, "category|name|args|module|launcher", OPTION_WORD,
     offsetof(struct ops_options, by), "what a row is; name is the default",
     by_words},
    {"recompute", 0, NULL, OPTION_FLAG, offsetof(struct ops_options, recompute),
     "tell what checkpointing runs twice apart", NULL},
    ANSWER_SELECT_OPTIONS(ops_options, answer),
    ANSWER_PRINT_OPTIONS(ops_options, answer),
    OPTIONS_END,
};

static int print_ops(const struct command *self, const void *given,
                     const struct input *in, char **rest)
{
    const struct ops_options *o = given;
    struct t2t_selection selection;
    struct t2t_error err;
    enum t2t_status st;
    t2t_table *table = NULL;
    int status = answer_selection(self, &o->answer, in, &selection);

    (void)rest;
    if (status)
        return status;
    st = t2t_ops(in->index, &selection, (enum t2t_ops_by)o->by, o->recompute,
                 &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct ops_options o = {.by = T2T_OPS_BY_NAME};

    return input_run(self, argc, argv, &o, print_ops);
}

const struct command cmd_ops = {
    "ops",
    "INDEX",
    "GPU time by what launched it",
    "\n"
    "A GPU event is counted for its launcher: the nearest operation above its\n"
    "launch, else the launch; one without a launch is (unlinked).  direct is\n"
    "the time in which GPU events of the launcher ran that are no\n"
    "communication; subtree that of everything below it.  Of several "
    "launchers\n"
    "in a row the times are added up.\n",
    options,
    run,
    "  t2t ops rank0.json.gz --by args --top 10\n",
    (const char *const[]){"ops-by-name", "ops-by-args", "ops-by-category",
                          "ops-by-module", "launchers", NULL},
};
