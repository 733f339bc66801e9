/* cmd_kernels.c - t2t kernels: durations of GPU events by name, stream and
 * launcher. */
#include "answer.h"

/* In the order of enum t2t_kernels_by. */
static const char *const by_words[] = {"all",      "name",     "op", "stream",
                                       "category", "duration", NULL};

struct kernels_options {
    struct answer_options answer;
    uint64_t short_ns; /* 0: not given */
    int by;
};

static const struct option_row options[] = {
    {"by", 0, "all|name|op|stream|category|duration", OPTION_WORD,
     offsetof(struct kernels_options, by),
     "what a row is; all is launcher, name and stream", by_words},
    {"short-us", 0, "T", OPTION_SPAN,
     offsetof(struct kernels_options, short_ns),
     "only GPU events shorter than T", NULL},
    ANSWER_SELECT_OPTIONS(kernels_options, answer),
    ANSWER_PRINT_OPTIONS(kernels_options, answer),
    OPTIONS_END,
};

static enum t2t_status make(const void *given, const t2t_index *index,
                            const struct t2t_selection *selection,
                            t2t_table **out, struct t2t_error *err)
{
    const struct kernels_options *o = given;

    return t2t_kernels(index, selection, (enum t2t_kernels_by)o->by,
                       o->short_ns, out, err);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct kernels_options o = {.by = T2T_KERNELS_BY_ALL};

    return answer_run(self, argc, argv, &o, make);
}

const struct command cmd_kernels = {
    "kernels",
    "INDEX",
    "durations of GPU events by name and launcher",
    "\n"
    "All GPU events, copies and communication too.  Durations are added up,\n"
    "however many events run at a time.  --by name also says what names of\n"
    "kernels say: of a GEMM its tile and types.  --by duration is a "
    "histogram.\n",
    options,
    run,
    "  t2t kernels rank0.json.gz --by name --top 20\n"
    "  t2t kernels rank0.json.gz --by duration --short-us 10\n",
    (const char *const[]){"kernels", "kernels-by-name", "kernels-by-op",
                          "kernels-by-stream", "kernels-by-category",
                          "kernels-by-duration", NULL},
};
