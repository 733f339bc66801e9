/* cmd_report.c - t2t report: every table as a CSV file. */
#include "answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print.h"

struct report_options {
    struct answer_options answer;
    const char *csv_dir;
};

static const struct option_row options[] = {
    {"csv-dir", 0, "DIR", OPTION_TEXT, offsetof(struct report_options, csv_dir),
     "the folder; made when it is not there", NULL},
    ANSWER_SELECT_OPTIONS(report_options, answer),
    OPTIONS_END,
};

enum function {
    TIMELINE,
    OPS,
    KERNELS,
    MODULES,
    LINKS,
    COLLECTIVES,
    LAUNCHES,
    GAPS
};

/* A file: how its table is made. */
static const struct file {
    enum function function;
    int by;
    bool backward;
} files[] = {
    {TIMELINE, false, false},
    {TIMELINE, true, false}, /* by step */
    {OPS, T2T_OPS_BY_LAUNCHER, false},
    {OPS, T2T_OPS_BY_CATEGORY, false},
    {OPS, T2T_OPS_BY_NAME, false},
    {OPS, T2T_OPS_BY_ARGS, false},
    {OPS, T2T_OPS_BY_MODULE, false},
    {KERNELS, T2T_KERNELS_BY_ALL, false},
    {KERNELS, T2T_KERNELS_BY_NAME, false},
    {MODULES, T2T_MODULES_BY_FRAME, false},
    {MODULES, T2T_MODULES_BY_FRAME, true},
    {MODULES, T2T_MODULES_BY_PATH, true},
    {LINKS, 0, false},
    {COLLECTIVES, 0, false},
    {LAUNCHES, T2T_LAUNCHES_BY_OP, false},
    {LAUNCHES, T2T_LAUNCHES_HOST_ONLY, false},
    {LAUNCHES, T2T_LAUNCHES_UNLINKED, false},
    {GAPS, T2T_GAPS_BY_STREAM, false},
    {GAPS, T2T_GAPS_BY_CAUSE, false},
};

#define FILES (sizeof(files) / sizeof(files[0]))

static enum t2t_status make_table(const t2t_index *index,
                                  const struct t2t_selection *selection,
                                  const struct file *f, t2t_table **out,
                                  struct t2t_error *err)
{
    struct t2t_timeline_options timeline = {.by_step = f->by};

    switch (f->function) {
    case TIMELINE:
        return t2t_timeline(index, selection, &timeline, out, err);
    case OPS:
        return t2t_ops(index, selection, (enum t2t_ops_by)f->by, false, out,
                       err);
    case KERNELS:
        return t2t_kernels(index, selection, (enum t2t_kernels_by)f->by, 0, out,
                           err);
    case MODULES:
        return t2t_modules(index, selection, (enum t2t_modules_by)f->by,
                           f->backward, out, err);
    case LINKS:
        return t2t_links(index, out, err);
    case COLLECTIVES:
        return t2t_collectives(index, selection, out, err);
    case LAUNCHES:
        return t2t_launches(index, selection, (enum t2t_launches_by)f->by, out,
                            err);
    case GAPS:
        break;
    }
    return t2t_gaps(index, selection, (enum t2t_gaps_by)f->by, 0, out, err);
}

/* Writes one file, named as its table. */
static int write_file(const struct command *self,
                      const struct report_options *o, const struct input *in,
                      const t2t_table *table)
{
    const char *name = t2t_table_name(table);
    size_t room = strlen(o->csv_dir) + strlen(name) + sizeof("/.csv");
    char *path = malloc(room);
    struct t2t_error err;
    struct output out;
    int status;

    if (!path)
        return out_of_memory();
    (void)snprintf(path, room, "%s/%s.csv", o->csv_dir, name);
    status = output_open(self, &out, path, in);
    if (!status) {
        status = output_wrote(&out, t2t_table_write_csv(table, out.to, &err));
        status = output_close(&out, status);
    }
    free(path);
    return status;
}

/* *made: whether it was not there. */
static int make_folder(const char *path, bool *made)
{
    *made = !mkdir(path, 0777);
    if (*made || errno == EEXIST)
        return EXIT_DONE;
    message("%s: io: cannot make it: %s", path, strerror(errno));
    return EXIT_MACHINE;
}

/* Makes one table and writes its file; the folder is made when the first table
 * is there, so wrong use leaves none behind.  *made: whether it was. */
static int report_table(const struct command *self,
                        const struct report_options *o, const struct input *in,
                        const struct t2t_selection *selection, size_t n,
                        bool *made)
{
    t2t_table *table = NULL;
    struct t2t_error err;
    int status;

    if (make_table(in->index, selection, &files[n], &table, &err))
        return answer_fail(self, in, &err);
    status = n ? EXIT_DONE : answer_check(self, in, selection, table);
    if (!n && !status)
        status = make_folder(o->csv_dir, made);
    if (!status)
        status = write_file(self, o, in, table);
    t2t_table_free(table);
    return status;
}

static int write_files(const struct command *self, const void *given,
                       const struct input *in, char **rest)
{
    const struct report_options *o = given;
    struct t2t_selection selection;
    int status = answer_selection(self, &o->answer, in, &selection);
    bool made = false;

    (void)rest;
    for (size_t i = 0; !status && i < FILES; i++)
        status = report_table(self, o, in, &selection, i, &made);
    if (status && made)
        (void)rmdir(o->csv_dir); /* if no file is in it */
    return status;
}

static int act(const struct command *self, const void *given,
               const struct input *in, char **rest)
{
    const struct report_options *o = given;

    if (!o->csv_dir)
        return wrong_use(self, "report needs --csv-dir DIR");
    return write_files(self, given, in, rest);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct report_options o = {.csv_dir = NULL};

    return input_run(self, argc, argv, &o, act);
}

const struct command cmd_report = {
    "report",
    "INDEX",
    "every table as a CSV file in a folder",
    "\n"
    "Writes timeline.csv, launchers.csv, ops-by-args.csv and so on: a file\n"
    "for each table that is not a part of another.  Times are in nanoseconds.\n"
    "A file appears when it is whole.  The first that cannot be written is "
    "the\n"
    "last; an interrupted report leaves those that it had finished.\n",
    options,
    run,
    "  t2t report rank0.json.gz --csv-dir report\n",
    NULL,
};
