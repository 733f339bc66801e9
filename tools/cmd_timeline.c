/* cmd_timeline.c - t2t timeline: GPU time: computing, communication, copies,
 * idle. */
#include "answer.h"

struct timeline_options {
    struct answer_options answer;
    uint64_t micro_idle_ns; /* UINT64_MAX: not given */
    int by;
    bool recompute;
};

enum { BY_DEVICE, BY_STEP };

static const char *const by_words[] = {"device", "step", NULL};

static const struct option_row options[] = {
    {"by", 0, "device|step", OPTION_WORD, offsetof(struct timeline_options, by),
     "what a block or row is of; device is the default", by_words},
    {"micro-idle", 0, "T", OPTION_TIME,
     offsetof(struct timeline_options, micro_idle_ns),
     "tell gaps shorter than T from other idle time", NULL},
    {"recompute", 0, NULL, OPTION_FLAG,
     offsetof(struct timeline_options, recompute),
     "tell what checkpointing runs twice apart", NULL},
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
    if (!status && !o->micro_idle_ns)
        status = wrong_use(self, "--micro-idle takes a time above 0");
    if (status)
        return status;
    st = t2t_timeline(in->index, &selection,
                      &(struct t2t_timeline_options){
                          .by_step = o->by == BY_STEP,
                          .micro_idle_ns = o->micro_idle_ns == UINT64_MAX
                                               ? 0
                                               : o->micro_idle_ns,
                          .recompute = o->recompute,
                      },
                      &table, &err);
    return answer_print(self, &o->answer, in, st, table, &err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct timeline_options o = {.micro_idle_ns = UINT64_MAX};

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
    "computation + exposed_comm + exposed_memcpy + idle = total.\n"
    "\n"
    "--between is a window here: events that reach into it are taken, and cut\n"
    "at its ends.  With --recompute, exclusive_time is that in which only one\n"
    "of the two runs; both are measured against the same total time.\n",
    options,
    run,
    "  t2t timeline rank0.json.gz --by step --micro-idle 10us\n",
    (const char *const[]){"timeline", "timeline-by-step", NULL},
};
