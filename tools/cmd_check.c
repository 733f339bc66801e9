/* cmd_check.c - t2t check: is a trace or an index whole? */
#include "cmd.h"

#include <string.h>
#include <sys/stat.h>

#include "damages.h"
#include "json.h"
#include "options.h"
#include "print.h"
#include "sidecar.h"
#include "trap.h"

enum { FORMAT_TEXT, FORMAT_JSON };

static const char *const formats[] = {"text", "json", NULL};

#define MOST_WORKERS 1024u

struct check_options {
    const char *output;
    int format;
    uint32_t workers;
    bool all;
    bool no_progress;
    bool quiet;
};

static const struct option_row options[] = {
    {"all", 'a', NULL, OPTION_FLAG, offsetof(struct check_options, all),
     "print all there is, as JSON always does", NULL},
    {"jobs", 'j', "N", OPTION_NUMBER, offsetof(struct check_options, workers),
     "threads; default: one a processor, up to 16", NULL},
    {"no-progress", 0, NULL, OPTION_FLAG,
     offsetof(struct check_options, no_progress),
     "do not show on a terminal how far it is", NULL},
    OPTION_FORMAT(check_options, format, formats, "text|json"),
    OPTION_OUTPUT(check_options, output),
    {"quiet", 'q', NULL, OPTION_FLAG, offsetof(struct check_options, quiet),
     "print nothing but errors; the status says it", NULL},
    OPTIONS_END,
};

/* What was found out about a file. */
struct finding {
    const char *name;
    const char *kind;       /* "index", or NULL when it is not known */
    const t2t_index *index; /* NULL when it cannot be opened */
    struct t2t_index_info info;
    uint32_t sections;
    bool is_damaged;
    struct t2t_error damage;
};

static void count_sections(struct finding *f)
{
    struct t2t_section_info section;

    t2t_index_info(f->index, &f->info);
    while (!t2t_index_section(f->index, f->sections, &section))
        f->sections++;
}

static void put_text(FILE *to, const struct finding *f)
{
    char count[COUNT_MAX];

    print_text(to, t2t_text_of(f->name));
    if (f->is_damaged) {
        (void)fprintf(to, ": %s: ", t2t_status_text(f->damage.code));
        print_text(to, t2t_text_of(f->damage.text));
        if (f->damage.offset != T2T_NO_OFFSET)
            (void)fprintf(to, " (at byte %llu)",
                          (unsigned long long)f->damage.offset);
        (void)putc('\n', to);
        return;
    }
    (void)fprintf(to, ": whole: %u section%s, ", f->sections,
                  f->sections == 1 ? "" : "s");
    count_text(count, f->info.index_bytes);
    (void)fprintf(to, "%s bytes, ", count);
    count_text(count, f->info.element_count);
    (void)fprintf(to, "%s event%s\n", count,
                  f->info.element_count == 1 ? "" : "s");
}

static void put_json(FILE *to, const struct finding *f)
{
    struct json j;

    json_init(&j, to);
    json_open(&j, NULL, '{');
    json_text(&j, "file", t2t_text_of(f->name));
    if (f->kind)
        json_static(&j, "kind", f->kind);
    else
        json_null(&j, "kind");
    json_bool(&j, "ok", !f->is_damaged);
    if (f->index) {
        json_unsigned(&j, "sections", f->sections);
        json_unsigned(&j, "bytes", f->info.index_bytes);
    } else {
        json_null(&j, "sections");
        json_null(&j, "bytes");
    }
    json_open(&j, "damages", '[');
    if (f->is_damaged) {
        json_open(&j, NULL, '{');
        json_static(&j, "class", t2t_status_text(f->damage.code));
        if (f->damage.offset == T2T_NO_OFFSET)
            json_null(&j, "offset");
        else
            json_unsigned(&j, "offset", f->damage.offset);
        json_text(&j, "text", t2t_text_of(f->damage.text));
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    (void)putc('\n', to);
}

/* Whether `name` is read as a trace before it is opened: what is no file can be
 * read only once, and no index is mapped from it. */
static bool is_stream(const char *name)
{
    struct stat st;

    return !strcmp(name, "-") ||
           (!stat(name, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static int check_trace(const struct check_options *o, const char *name,
                       bool stranger, FILE *to)
{
    struct damages_options how = {.workers = o->workers,
                                  .json = o->format == FORMAT_JSON,
                                  .quiet = o->quiet,
                                  .all = o->all,
                                  .progress = !o->quiet && !o->no_progress,
                                  .stranger = stranger};

    return damages_check(name, to, &how);
}

/* Says why it is not known whether a file is whole: f->damage. */
static int unread(const struct check_options *o, struct finding *f, FILE *to)
{
    int status = fail(f->name, &f->damage);

    f->is_damaged = true;
    if (f->damage.code != T2T_ERR_INDEX_VERSION)
        f->kind = NULL;
    if (status == EXIT_INPUT && !o->quiet && o->format == FORMAT_JSON)
        put_json(to, f);
    return status;
}

/* Checks one file and prints what it is. */
static int check(const struct check_options *o, const char *name, FILE *to)
{
    struct finding f = {.name = name, .kind = "index"};
    struct t2t_error *err = &f.damage;
    t2t_index *index = NULL;
    enum t2t_status st;

    trap_name(name);
    if (is_stream(name))
        return check_trace(o, name, false, to);
    st = t2t_index_open(&index, name, err);
    if (st == T2T_ERR_INDEX_FORMAT && !was_index(name))
        return check_trace(o, name,
                           !looks_like_trace(name) && !looks_like_text(name),
                           to);
    if (st && st != T2T_ERR_INDEX_DAMAGE)
        return unread(o, &f, to);
    if (!st) {
        f.index = index;
        count_sections(&f);
        st = t2t_index_verify(index, err);
    }
    if (st && st != T2T_ERR_INDEX_DAMAGE) {
        t2t_index_close(index);
        f.index = NULL;
        return unread(o, &f, to);
    }
    f.is_damaged = st != T2T_OK;
    if (!o->quiet && o->format == FORMAT_JSON)
        put_json(to, &f);
    else if (!o->quiet)
        put_text(to, &f);
    t2t_index_close(index);
    return f.is_damaged ? EXIT_NO : EXIT_DONE;
}

/* Whether -o would write over what is checked, or over the trace of it. */
static int check_output(const struct command *self, const char *output,
                        const char *name)
{
    t2t_index *index = NULL;
    bool is_trace;

    if (same_file(output, name))
        return wrong_use(self, "-o %s would be written over", name);
    if (is_stream(name) || t2t_index_open(&index, name, NULL))
        return EXIT_DONE;
    is_trace = is_trace_of(index, name, output);
    t2t_index_close(index);
    if (is_trace)
        return wrong_use(self, "-o %s is the trace of %s", output, name);
    return EXIT_DONE;
}

/* Closes the report.  What was found out about the other files is kept, even if
 * one could not be read. */
static int close_report(struct output *out, int worst)
{
    bool any = ftell(out->to) > 0;
    int status = output_close(out, any ? EXIT_DONE : worst);

    return status == EXIT_DONE ? worst : status;
}

static int check_all(const struct command *self, const struct check_options *o,
                     int count, char **name)
{
    struct output out;
    int worst = EXIT_DONE;
    int status = EXIT_DONE;

    for (int i = 0; !status && o->output && i < count; i++)
        status = check_output(self, o->output, name[i]);
    if (!status)
        status = output_open(self, &out, o->output, NULL);
    if (status)
        return status;
    for (int i = 0; i < count; i++) {
        status = check(o, name[i], out.to);
        if (status > 128)
            return output_close(&out, status);
        worst = status > worst ? status : worst;
    }
    return close_report(&out, worst);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct check_options o = {0};
    int first;
    int status = options_parse(self, argc, argv, &o, &first);

    if (status >= 0)
        return status;
    if (first == argc)
        return wrong_use(self, "check takes %s", self->operands);
    if (o.workers > MOST_WORKERS)
        return wrong_use(self, "-j takes at most %u", MOST_WORKERS);
    return check_all(self, &o, argc - first, argv + first);
}

const struct command cmd_check = {
    "check",
    "TRACE|INDEX...",
    "is a trace or an index whole?",
    "\n"
    "Reads all of each file.  Of a TRACE, or - for standard input, a line for\n"
    "each damage says byte, element, class and what a build does: repair it,\n"
    "or end there, and what --salvage gives up; then what is odd or suspect.\n"
    "Of an INDEX, a line says that it is whole, or its first damage.  JSON is\n"
    "one object a file (t2t help json).  The status is 0 when all are whole,\n"
    "odd things or not, 1 for damage, 3 for what cannot be read; the largest\n"
    "of all files.\n",
    options,
    run,
    "  t2t check rank0.json.gz\n",
    NULL,
};
