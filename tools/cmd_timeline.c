/* cmd_timeline.c - t2t timeline: GPU time: computing, communication, copies,
 * idle. */
#include "answer.h"

struct timeline_options {
    struct answer_options answer;
    uint64_t micro_idle_ns; /* 0: not given */
    int by;
    bool recompute;
};

enum { BY_DEVICE, BY_STEP };

static const char *const by_words[] = {"device", "step", NULL};

static const struct option_row options[] = {
    {"by", 0, "device|step", OPTION_WORD, offsetof(struct timeline_options, by),
     "what a block or row is of; device is the default", by_words},
    {"micro-idle", 0, "T", OPTION_SPAN,
     offsetof(struct timeline_options, micro_idle_ns),
     "tell gaps shorter than T from other idle time", NULL},
    {"recompute", 0, NULL, OPTION_FLAG,
     offsetof(struct timeline_options, recompute),
     "tell what checkpointing runs twice apart", NULL},
    ANSWER_SELECT_OPTIONS(timeline_options, answer),
    ANSWER_PRINT_OPTIONS(timeline_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct timeline_options *o = given;

    return t2t_timeline(index, selection,
                        &(struct t2t_timeline_options){
                            .by_step = o->by == BY_STEP,
                            .micro_idle_ns = o->micro_idle_ns,
                            .recompute = o->recompute,
                        },
                        out, err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct timeline_options o = {.by = BY_DEVICE};

    return answer_run(self, argc, argv, &o, make);
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
