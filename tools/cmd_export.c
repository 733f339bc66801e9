/* cmd_export.c - t2t export: the trace back. */
#include "cmd.h"

#include "input.h"
#include "options.h"
#include "print.h"

static const char *const targets[] = {"trace", NULL};

struct export_options {
    const char *output;
    int to; /* place in `targets`, below 0 when not given */
};

static const struct option_row options[] = {
    OPTION_OUTPUT(export_options, output),
    {"to", 0, "trace", OPTION_WORD, offsetof(struct export_options, to),
     "what to write, always needed: the JSON trace", targets},
    OPTIONS_END,
};

static int export_to(const struct command *self, const void *given,
                     const struct input *in, char **rest)
{
    const struct export_options *o = given;
    struct output out;
    struct t2t_error err;
    enum t2t_status st;
    int status;

    (void)rest;
    if (o->to < 0)
        return wrong_use(self, "export needs --to trace");
    status = output_open(self, &out, o->output, in);
    if (status)
        return status;
    st = t2t_export_trace(in->index, out.to, &err);
    if (st == T2T_ERR_INDEX_DAMAGE)
        status = fail(in->path, &err);
    else
        status = output_wrote(&out, st);
    return output_close(&out, status);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct export_options o = {.to = -1};

    return input_run(self, argc, argv, &o, export_to);
}

const struct command cmd_export = {
    "export",
    "INDEX --to trace",
    "write the trace again",
    "\n"
    "The JSON trace of which the index was made, equal to it as data: all\n"
    "elements with all they said, in their order, and what stood around "
    "them.\n",
    options,
    run,
    "  t2t export rank0.json.gz.t2t --to trace | gzip >again.json.gz\n",
    NULL,
};
