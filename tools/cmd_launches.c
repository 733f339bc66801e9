/* cmd_launches.c - t2t launches: how GPU events were launched. */
#include "answer.h"

#include <stdio.h>

/* In the order of enum t2t_launches_by. */
static const char *const by_words[] = {"op",        "call",     "event",
                                       "host-only", "unlinked", NULL};

struct launches_options {
    struct answer_options answer;
    int by;
};

static const struct option_row options[] = {
    {"by", 0, "op|call|event|host-only|unlinked", OPTION_WORD,
     offsetof(struct launches_options, by), "what a row is; op is the default",
     by_words},
    ANSWER_SELECT_OPTIONS(launches_options, answer),
    ANSWER_PRINT_OPTIONS(launches_options, answer),
    OPTIONS_END,
};

/* Why no row can be there; NULL: some can. */
static const char *why_empty(const struct launches_options *o)
{
    if (o->by == T2T_LAUNCHES_HOST_ONLY && o->answer.device)
        return "--by host-only is of calls of the host, which --device leaves "
               "out";
    if (o->by == T2T_LAUNCHES_UNLINKED && o->answer.linked_only)
        return "--by unlinked is of what --linked-only leaves out";
    if (o->by == T2T_LAUNCHES_UNLINKED && o->answer.module)
        return "--by unlinked is of GPU events without a launch, which are in "
               "no module";
    return NULL;
}

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct launches_options *o = given;
    const char *why = why_empty(o);

    if (why) {
        *err = (struct t2t_error){T2T_ERR_USAGE, T2T_NO_OFFSET, ""};
        (void)snprintf(err->text, sizeof(err->text), "%s", why);
        return T2T_ERR_USAGE;
    }
    return t2t_launches(index, selection, (enum t2t_launches_by)o->by, out,
                        err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct launches_options o = {.by = T2T_LAUNCHES_BY_OP};

    return answer_run(self, argc, argv, &o, make);
}

const struct command cmd_launches = {
    "launches",
    "INDEX",
    "launch delay, queue depth, what has no launch",
    "\n"
    "The delay of a GPU event is its start less the start of its launch; "
    "where\n"
    "clocks disagree it is below 0, is counted as such (negative) and is in "
    "all\n"
    "figures as it is.  Depth is how many other GPU events the stream had to "
    "do\n"
    "when it was launched; at depth 0 (empty) the GPU waited for the host.\n"
    "It is a fact of the whole trace, whatever is selected.\n"
    "\n"
    "  op         by the operation above the launch, else the launch\n"
    "  call       by the call, such as cudaLaunchKernel\n"
    "  event      each GPU event, the largest delay first\n"
    "  host-only  calls that launched nothing, such as synchronizations\n"
    "  unlinked   GPU events without a launch; early: before any with one\n",
    options,
    run,
    "  t2t launches rank0.json.gz --sort empty --top 10\n",
    (const char *const[]){"launches-by-op", "launches-by-call",
                          "launches-by-event", "launches-host-only",
                          "launches-unlinked", NULL},
};
