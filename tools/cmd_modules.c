/* cmd_modules.c - t2t modules: GPU time of the nn.Module frames. */
#include "answer.h"

/* In the order of enum t2t_modules_by. */
static const char *const by_words[] = {"frame", "class", "path", NULL};

struct modules_options {
    struct answer_options answer;
    int by;
    bool forward_only;
};

static const struct option_row options[] = {
    {"by", 0, "frame|class|path", OPTION_WORD,
     offsetof(struct modules_options, by),
     "what a row is; frame is the default", by_words},
    {"forward-only", 0, NULL, OPTION_FLAG,
     offsetof(struct modules_options, forward_only),
     "by place in the call tree only: no backward work", NULL},
    ANSWER_SELECT_OPTIONS(modules_options, answer),
    ANSWER_PRINT_OPTIONS(modules_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct modules_options *o = given;

    return t2t_modules(index, selection, (enum t2t_modules_by)o->by,
                       !o->forward_only, out, err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct modules_options o = {.by = T2T_MODULES_BY_FRAME};

    return answer_run(self, argc, argv, &o, make);
}

const struct command cmd_modules = {
    "modules",
    "INDEX",
    "GPU time of the nn.Module frames",
    "\n"
    "gpu is the time in which GPU events below a frame ran, own that of those\n"
    "below no other frame in it.  Work of the backward pass counts for the\n"
    "module of its forward operation, in gpu_ns_bwd.  --by class folds all\n"
    "frames of a class into a row (Linear), --by path those at the same place\n"
    "of the model (Model_0/Block_3/Linear_1).\n"
    "\n"
    "A GPU event has one owner, the first there is on the way up: a frame, or\n"
    "the module of a forward operation; it counts for that and the frames\n"
    "above.  --module selects by any frame on any of these ways, so with it\n"
    "other commands may have more GPU events than a module has here.\n",
    options,
    run,
    "  t2t modules rank0.json.gz --by path --top 20\n"
    "  t2t modules rank0.json.gz --sort gpu_ns\n",
    (const char *const[]){"modules-with-backward", "modules-folded", NULL},
};
