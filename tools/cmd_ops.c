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

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct ops_options *o = given;

    return t2t_ops(index, selection, (enum t2t_ops_by)o->by, o->recompute, out,
                   err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct ops_options o = {.by = T2T_OPS_BY_NAME};

    return answer_run(self, argc, argv, &o, make);
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
