/* answer.c - selects GPU events and prints a table. */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

const char *const answer_formats[] = {"text", "csv", "json", NULL};

/* Reads "3" or "3-7". */
static bool read_steps(const char *text, struct t2t_selection *selection)
{
    const char *dash = strchr(text, '-');
    char first[24];
    size_t len = dash ? (size_t)(dash - text) : strlen(text);

    if (len >= sizeof(first))
        return false;
    memcpy(first, text, len);
    first[len] = '\0';
    selection->steps = true;
    return parse_number(first, UINT64_MAX, &selection->first_step) &&
           parse_number(dash ? dash + 1 : text, UINT64_MAX,
                        &selection->last_step) &&
           selection->first_step <= selection->last_step;
}

/* A time of the command line on the trace's clock; one past what there is, is
 * the last. */
static int64_t on_clock(int64_t origin_ns, int64_t time_ns)
{
    int64_t sum;

    if (__builtin_add_overflow(origin_ns, time_ns, &sum))
        return time_ns < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

int answer_selection(const struct command *self, const struct answer_options *o,
                     const struct input *in, struct t2t_selection *selection)
{
    struct t2t_index_info info;

    *selection = (struct t2t_selection){.linked_only = o->linked_only,
                                        .between = o->between.given,
                                        .device = o->device,
                                        .module = o->module};
    t2t_index_info(in->index, &info);
    selection->from_ns = on_clock(info.origin_ns, o->between.from_ns);
    selection->to_ns = on_clock(info.origin_ns, o->between.to_ns);
    if (o->step && !read_steps(o->step, selection))
        return wrong_use(self, "--step takes N or N-M, not '%s'", o->step);
    return EXIT_DONE;
}

static enum t2t_status write_table(const struct answer_options *o,
                                   const struct input *in,
                                   const t2t_table *table, struct output *out,
                                   struct t2t_error *err)
{
    struct t2t_text_style style = {
        .width = output_width(out),
        .unit = (enum t2t_time_unit)o->time_unit,
        .ascii = output_ascii(),
        .keep = o->sort,
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

/* Says which columns there are. */
static int wrong_sort(const struct command *self, const char *sort,
                      const t2t_table *table)
{
    const struct t2t_table_column *column;
    char *names = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&names, &len);
    int status;

    if (!to)
        return out_of_memory();
    for (size_t i = 0; (column = t2t_table_column(table, i)); i++)
        (void)fprintf(to, "%s%s", i ? "|" : "", column->name);
    if (fclose(to))
        status = out_of_memory();
    else
        status = wrong_use(self, "--sort takes %s, not '%s'", names, sort);
    free(names);
    return status;
}

/* Puts the rows in the order that is asked for and cuts them. */
static int arrange(const struct command *self, const struct answer_options *o,
                   t2t_table *table)
{
    size_t column;

    if (o->sort) {
        column = t2t_table_find_column(table, o->sort);
        if (column == T2T_NO_COLUMN)
            return wrong_sort(self, o->sort, table);
        if (t2t_table_sort(table, column,
                           t2t_table_column(table, column)->type != T2T_STRING))
            return out_of_memory();
    }
    if (o->top)
        t2t_table_top(table, o->top);
    return EXIT_DONE;
}

static int print(const struct command *self, const struct answer_options *o,
                 const struct input *in, t2t_table *table)
{
    struct t2t_error err;
    struct output out;
    int status = arrange(self, o, table);

    if (!status)
        status = output_open(self, &out, o->output, in);
    if (!status) {
        status = output_wrote(&out, write_table(o, in, table, &out, &err));
        status = output_close(&out, status);
    }
    return status;
}

int answer_fail(const struct command *self, const struct input *in,
                const struct t2t_error *err)
{
    if (err->code == T2T_ERR_USAGE)
        return wrong_use(self, "%s", err->text);
    return fail(in->path, err);
}

/* Whether a table says that no GPU event was selected. */
static bool is_of_nothing(const t2t_table *table)
{
    const char *json;
    const char *key;

    for (size_t n = 0; (key = t2t_table_selection(table, n, &json)); n++)
        if (!strcmp(key, "gpu_events"))
            return !strcmp(json, "0");
    return false;
}

int answer_check(const struct command *self, const struct input *in,
                 const struct t2t_selection *selection, const t2t_table *table)
{
    struct t2t_error err;

    if (is_of_nothing(table) && t2t_selection_check(in->index, selection, &err))
        return answer_fail(self, in, &err);
    return EXIT_DONE;
}

static int answer(const struct command *self, const void *options,
                  const struct input *in, char **rest)
{
    const struct answer_options *o = options;
    struct t2t_selection selection;
    struct t2t_error err;
    t2t_table *table = NULL;
    int status = answer_selection(self, o, in, &selection);

    (void)rest;
    if (status)
        return status;
    if (o->make(options, in->index, &selection, &table, &err))
        return answer_fail(self, in, &err);
    status = answer_check(self, in, &selection, table);
    if (!status)
        status = print(self, o, in, table);
    t2t_table_free(table);
    return status;
}

int answer_run(const struct command *self, int argc, char **argv, void *options,
               answer_make *make)
{
    struct answer_options *o = options;

    o->make = make;
    return input_run(self, argc, argv, options, answer);
}
