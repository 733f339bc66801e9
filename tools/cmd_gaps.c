/* cmd_gaps.c - t2t gaps: the idle holes of each stream, and why. */
#include "answer.h"

/* In the order of enum t2t_gaps_by. */
static const char *const by_words[] = {"stream", "cause", "op", "hole", NULL};

struct gaps_options {
    struct answer_options answer;
    uint64_t min_ns; /* 0: not given */
    int by;
};

static const struct option_row options[] = {
    {"by", 0, "stream|cause|op|hole", OPTION_WORD,
     offsetof(struct gaps_options, by), "what a row is; stream is the default",
     by_words},
    {"min", 0, "T", OPTION_SPAN, offsetof(struct gaps_options, min_ns),
     "holes shorter than T are of class short", NULL},
    ANSWER_SELECT_OPTIONS(gaps_options, answer),
    ANSWER_PRINT_OPTIONS(gaps_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct gaps_options *o = given;

    return t2t_gaps(index, selection, (enum t2t_gaps_by)o->by, o->min_ns, out,
                    err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct gaps_options o = {.by = T2T_GAPS_BY_STREAM};

    return answer_run(self, argc, argv, &o, make);
}

const struct command cmd_gaps = {
    "gaps",
    "INDEX",
    "idle holes of each stream, and why",
    "\n"
    "A hole is a time between two GPU events of a stream in which none runs.\n"
    "It waits for\n"
    "\n"
    "  host    the next event was launched after the hole began\n"
    "  stream  else, and a recorded wait for another stream names the next "
    "event,\n"
    "          or another stream of the device was busy past its middle\n"
    "  other   neither: time that the device takes between two events\n"
    "\n"
    "Of host the cause is the call in which the launching thread was for more\n"
    "than half of the time, the innermost one; of stream the GPU event, or "
    "the\n"
    "wait.  A selection picks holes by the event behind them.\n"
    "\n"
    "  stream  by stream and class, beside busy: together from first to last\n"
    "  cause   by what was waited for; node: t2t stack says where that is\n"
    "  op      by the operation that launched the event behind the hole\n"
    "  hole    each hole, the longest first\n",
    options,
    run,
    "  t2t gaps rank0.json.gz --by cause --top 10\n",
    (const char *const[]){"gaps-by-stream", "gaps-by-cause", "gaps-by-op",
                          "gaps-by-hole", NULL},
};
