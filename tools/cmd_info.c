/* cmd_info.c - t2t info: what an index holds. */
#include "cmd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "info.h"
#include "input.h"
#include "node.h"
#include "options.h"
#include "print.h"
#include "remark.h"

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

struct info_options {
    const char *output;
    int format;
    int time_unit;
    int color;
    bool all;
    bool sections;
};

static const struct option_row options[] = {
    {"all", 'a', NULL, OPTION_FLAG, offsetof(struct info_options, all),
     "print long lists whole; JSON is always whole", NULL},
    {"sections", 0, NULL, OPTION_FLAG, offsetof(struct info_options, sections),
     "print also what the index file is made of", NULL},
    OPTION_FORMAT(info_options, format, formats, "text|json"),
    OPTION_OUTPUT(info_options, output),
    OPTION_TIME_UNIT(info_options, time_unit),
    OPTION_COLOR(info_options, color),
    OPTIONS_END,
};

/* The lists of `info`, in the order in which they are printed. */
static const struct {
    info_list *fill;
    const char *title;
    bool when_asked; /* with --sections only */
    bool sentences;  /* a person gets no table but sentences */
} lists[] = {
    {info_devices, "GPUs", false, false},
    {info_lanes, "Lanes", false, false},
    {info_categories, "Categories", false, false},
    {info_members, "Beside traceEvents", false, false},
    {info_anomalies, "Odd things", false, false},
    {info_suspects, "Suspect", false, true},
    {info_losses, "Lost", false, false},
    {info_sections, "Sections of the index", true, false},
};

#define LIST_COUNT (sizeof(lists) / sizeof(lists[0]))

static void put_bytes(FILE *to, const char *label, uint64_t bytes)
{
    char count[COUNT_MAX];

    count_text(count, bytes);
    (void)fprintf(to, "%-11s%s bytes", label, count);
}

/* Prints the date of the source file, in UTC. */
static void put_date(FILE *to, int64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000);
    char text[32];
    struct tm tm;

    if (ns > 0 && gmtime_r(&seconds, &tm) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
        (void)fprintf(to, ", of %s UTC", text);
}

static void put_files(FILE *to, const struct info *in)
{
    const struct t2t_index_info *i = &in->nodes.info;

    (void)fputs("trace      ", to);
    if (i->source_name.len)
        print_text(to, i->source_name);
    else
        (void)fputs("(standard input)", to);
    (void)putc('\n', to);
    if (i->source_bytes) {
        put_bytes(to, "", i->source_bytes);
        put_date(to, i->source_mtime_ns);
        (void)putc('\n', to);
    }
    put_bytes(to, "JSON", i->document_bytes);
    (void)putc('\n', to);
    put_bytes(to, "index", i->index_bytes);
    (void)fprintf(to, ", format %u.%u, by ", i->format_major, i->format_minor);
    print_text(to, i->writer);
    (void)putc('\n', to);
}

static void put_count(FILE *to, const char *before, uint64_t count,
                      const char *after)
{
    char text[COUNT_MAX];

    count_text(text, count);
    (void)fprintf(to, "%s%s%s", before, text, after);
}

static void put_counts(FILE *to, const struct info *in)
{
    const struct t2t_index_info *i = &in->nodes.info;

    put_count(to, "events     ", i->element_count, "");
    put_count(to, ", ", i->node_count, " of them in the tree\n");
    put_count(to, "GPU events ", i->gpu_count, "");
    put_count(to, ", ", in->linked_count, " of them under a launch\n");
    put_count(to, "links      ", i->forward_count, " backward to forward\n");
    (void)fputs("time       ", to);
    print_duration(&in->nodes, to,
                   (uint64_t)i->last_end_ns - (uint64_t)i->origin_ns);
    (void)fprintf(to,
                  "\norigin     %" PRId64
                  " ns of the trace's clock: times count from there\n",
                  i->origin_ns);
}

/* Prints suspicions. */
static void put_sentences(FILE *to, const t2t_table *table)
{
    char text[REMARK_MAX];

    for (size_t row = 0; row < t2t_table_row_count(table); row++) {
        char *end;

        remark_suspect(text, table, row);
        end = strchr(text, ':');
        *end = '\0';
        remark_put(to, text, end + 2);
    }
}

/* Prints list `n` for a person, without what nobody reads to its end. */
static int put_list(struct info *in, size_t n)
{
    struct t2t_text_style style = {.width = (unsigned)in->out.width,
                                   .unit = in->nodes.unit,
                                   .ascii = output_ascii(),
                                   .hint = "--format json has them"};
    struct line line = {.out = &in->out};
    struct t2t_error err;
    t2t_table *table;
    uint64_t left;
    int status = lists[n].fill(in, &table, &left);

    if (status)
        return status;
    if (t2t_table_row_count(table)) {
        line_end(&line);
        line_paint(&line, PAINT_BOLD);
        line_static(&line, lists[n].title);
        line_paint(&line, PAINT_NOT);
        line_end(&line);
        if (lists[n].sentences)
            put_sentences(in->out.to, table);
        else
            status =
                output_wrote(&in->out, t2t_table_write_text(table, in->out.to,
                                                            &style, &err));
        if (left)
            put_count(in->out.to, "and ", left, " more (--all)\n");
    }
    t2t_table_free(table);
    return status;
}

static int put_text(struct info *in, bool sections)
{
    int status = EXIT_DONE;

    put_files(in->out.to, in);
    put_counts(in->out.to, in);
    for (size_t i = 0; !status && i < LIST_COUNT; i++)
        if (sections || !lists[i].when_asked)
            status = put_list(in, i);
    return status;
}

static void json_files(struct json *j, const struct info *in)
{
    const struct t2t_index_info *i = &in->nodes.info;

    json_open(j, "source", '{');
    json_text(j, "name", i->source_name);
    json_unsigned(j, "bytes", i->source_bytes);
    json_integer(j, "mtime_ns", i->source_mtime_ns);
    json_unsigned(j, "document_bytes", i->document_bytes);
    json_close(j, '}');
    json_open(j, "index", '{');
    json_unsigned(j, "bytes", i->index_bytes);
    json_unsigned(j, "format_major", i->format_major);
    json_unsigned(j, "format_minor", i->format_minor);
    json_text(j, "writer", i->writer);
    json_close(j, '}');
}

static void json_counts(struct json *j, const struct info *in)
{
    const struct t2t_index_info *i = &in->nodes.info;

    json_unsigned(j, "elements", i->element_count);
    json_unsigned(j, "nodes", i->node_count);
    json_unsigned(j, "gpu_events", i->gpu_count);
    json_unsigned(j, "linked_gpu_events", in->linked_count);
    json_unsigned(j, "forward_links", i->forward_count);
    json_integer(j, "origin_ns", i->origin_ns);
    json_integer(j, "last_end_ns", i->last_end_ns);
}

/* Whether text is an integer as JSON writes it: an id then, not a name. */
static bool is_integer(struct t2t_text text)
{
    char digits[24];
    uint64_t value;

    if (text.len && text.ptr[0] == '-') {
        text.ptr++;
        text.len--;
    }
    if (!text.len || text.len >= sizeof(digits) ||
        memchr(text.ptr, '\0', text.len) ||
        (text.ptr[0] == '0' && text.len > 1))
        return false;
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = '\0';
    return parse_number(digits, UINT64_MAX, &value);
}

/* Prints a cell that is not empty. */
static void json_cell(struct json *j, const t2t_table *table, size_t row,
                      size_t column)
{
    static const char *const ids[] = {"device", "pid", "tid", NULL};
    const struct t2t_table_column *c = t2t_table_column(table, column);
    struct t2t_text text = t2t_table_string(table, row, column);
    bool raw = !strcmp(c->name, "value"); /* of a member: JSON already */

    if (c->type == T2T_INTEGER) {
        if (t2t_table_integer(table, row, column) < 0)
            json_integer(j, c->name, t2t_table_integer(table, row, column));
        else
            json_unsigned(j, c->name, t2t_table_unsigned(table, row, column));
        return;
    }
    if (c->type == T2T_REAL) {
        json_real(j, c->name, t2t_table_real(table, row, column));
        return;
    }
    for (const char *const *id = ids; *id; id++)
        if (!strcmp(c->name, *id) && is_integer(text))
            raw = true;
    if (raw)
        json_raw(j, c->name, text);
    else
        json_text(j, c->name, text);
}

/* Prints the rows of a list as objects with the columns as keys. */
static void json_rows(struct json *j, const t2t_table *table)
{
    size_t columns = t2t_table_column_count(table);

    json_open(j, t2t_table_name(table), '[');
    for (size_t r = 0; r < t2t_table_row_count(table); r++) {
        json_open(j, NULL, '{');
        for (size_t c = 0; c < columns; c++) {
            if (t2t_table_is_null(table, r, c))
                json_null(j, t2t_table_column(table, c)->name);
            else
                json_cell(j, table, r, c);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

static int put_json(struct info *in, bool sections)
{
    struct json j;
    int status = EXIT_DONE;

    json_init(&j, in->out.to);
    json_open(&j, NULL, '{');
    json_files(&j, in);
    json_counts(&j, in);
    for (size_t i = 0; !status && i < LIST_COUNT; i++) {
        t2t_table *table;
        uint64_t left;

        if (lists[i].when_asked && !sections)
            continue;
        status = lists[i].fill(in, &table, &left);
        if (!status) {
            json_rows(&j, table);
            t2t_table_free(table);
        }
    }
    json_close(&j, '}');
    (void)putc('\n', in->out.to);
    return status;
}

static int info(const struct command *self, const void *given,
                const struct input *input, char **rest)
{
    const struct info_options *o = given;
    bool json = o->format == FORMAT_JSON;
    struct info in = {.whole = json || o->all, .json = json};
    int status = nodes_open(&in.nodes, input, o->time_unit);

    (void)rest;
    if (!status)
        status = info_count(&in);
    if (!status)
        status = output_open(self, &in.out, o->output, input);
    if (!status) {
        output_dress(&in.out, 0, o->color);
        status = json ? put_json(&in, o->sections) : put_text(&in, o->sections);
        status = output_close(&in.out, status);
    }
    info_release(&in);
    nodes_close(&in.nodes);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct info_options o = {0};

    return input_run(self, argc, argv, &o, info);
}

const struct command cmd_info = {
    "info",
    "INDEX",
    "what an index holds: GPUs, lanes, odd things",
    "\n"
    "Odd things are counted by kind, with the place in traceEvents and the\n"
    "byte of the trace where the first one is; repairs of a damaged trace are\n"
    "among them.  Suspect is what the tables of this trace will not say, or\n"
    "say wrong.  Lost is what build --salvage gave up: at which byte of the\n"
    "trace, how much, and why.\n",
    options,
    run,
    "  t2t info rank0.json.gz --sections\n",
    NULL,
};
