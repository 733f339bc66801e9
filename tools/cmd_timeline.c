/* cmd_timeline.c - t2t timeline: GPU time by what it was spent on. */
#include "cmd.h"

#include "input.h"
#include "options.h"
#include "print.h"

enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

static const char *const formats[] = {"text", "csv", "json", NULL};

struct timeline_options {
    const char *output;
    int format;
    int time_unit;
    bool linked_only;
};

static const struct option_row options[] = {
    OPTION_FORMAT(timeline_options, format, formats, "text|csv|json"),
    OPTION_OUTPUT(timeline_options, output),
    {"linked-only", 0, NULL, OPTION_FLAG,
     offsetof(struct timeline_options, linked_only),
     "leave out GPU events without a launch", NULL},
    OPTION_TIME_UNIT(timeline_options, time_unit),
    OPTIONS_END,
};

static enum t2t_status write_table(const struct timeline_options *o,
                                   const struct input *in,
                                   const t2t_table *table, struct output *out,
                                   struct t2t_error *err)
{
    struct t2t_text_style style = {
        .width = output_width(out),
        .unit = (enum t2t_time_unit)o->time_unit,
        .ascii = output_ascii(),
        .hint = "--format csv has them",
    };
    struct t2t_index_info info;

    switch (o->format) {
    case FORMAT_CSV:
        return t2t_table_write_csv(table, out->to, err);
    case FORMAT_JSON:
        t2t_index_info(in->index, &info);
        return t2t_table_write_json(table, out->to, info.source_name, err);
    default:
        return t2t_table_write_text(table, out->to, &style, err);
    }
}

static int print_timeline(const struct command *self, const void *given,
                          const struct input *in, char **rest)
{
    const struct timeline_options *o = given;
    struct t2t_selection selection = {.linked_only = o->linked_only};
    struct t2t_error err;
    struct output out;
    t2t_table *table;
    int status;

    (void)rest;
    if (t2t_timeline(in->index, &selection, &table, &err))
        return fail(in->path, &err);
    status = output_open(self, &out, o->output, in);
    if (!status) {
        status = output_wrote(&out, write_table(o, in, table, &out, &err));
        status = output_close(&out, status);
    }
    t2t_table_free(table);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct timeline_options o = {0};

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
    "computation + exposed_comm + exposed_memcpy + idle = total.\n",
    options,
    run,
    "  t2t timeline rank0.json.gz --format csv -o timeline.csv\n",
};
