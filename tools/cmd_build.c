/* cmd_build.c - t2t build: traces in, indexes out. */
#include "cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "interrupt.h"
#include "options.h"
#include "print.h"
#include "progress.h"
#include "remark.h"

#define MOST_WORKERS 1024u

struct build_options {
    const char *output;
    uint64_t chunk_bytes;
    uint64_t memory_bytes;
    uint64_t max_bytes;
    uint32_t workers;
    bool anonymous;
    bool no_layouts;
    bool force;
    bool no_progress;
    bool strict;
    bool salvage;
    bool quiet;
    bool verbose;
};

static const struct option_row options[] = {
    {"output", 'o', "OUT", OPTION_TEXT, offsetof(struct build_options, output),
     "name of the index; needed for -", NULL},
    {"jobs", 'j', "N", OPTION_NUMBER, offsetof(struct build_options, workers),
     "threads; default 0: one a processor, up to 16", NULL},
    {"memory", 0, "SIZE", OPTION_SIZE,
     offsetof(struct build_options, memory_bytes),
     "at most; not below 35 MB; default: 1/4 of all", NULL},
    {"max-bytes", 0, "SIZE", OPTION_SIZE,
     offsetof(struct build_options, max_bytes),
     "refuse a trace that is longer, decompressed", NULL},
    {"force", 'f', NULL, OPTION_FLAG, offsetof(struct build_options, force),
     "build also when the index is there and fits", NULL},
    {"no-progress", 0, NULL, OPTION_FLAG,
     offsetof(struct build_options, no_progress),
     "do not show on a terminal how far it is", NULL},
    {"anonymous", 0, NULL, OPTION_FLAG,
     offsetof(struct build_options, anonymous),
     "leave out user, host and folders", NULL},
    {"strict", 0, NULL, OPTION_FLAG, offsetof(struct build_options, strict),
     "refuse damage that could be repaired", NULL},
    {"salvage", 0, NULL, OPTION_FLAG, offsetof(struct build_options, salvage),
     "keep what is whole of a damaged trace", NULL},
    {"quiet", 'q', NULL, OPTION_FLAG, offsetof(struct build_options, quiet),
     "print nothing but errors", NULL},
    {"verbose", 'v', NULL, OPTION_FLAG, offsetof(struct build_options, verbose),
     "print sizes and where the time went", NULL},
    {"chunk", 0, "SIZE", OPTION_SIZE,
     offsetof(struct build_options, chunk_bytes), NULL, NULL},
    {"no-layouts", 0, NULL, OPTION_FLAG,
     offsetof(struct build_options, no_layouts), NULL, NULL},
    OPTIONS_END,
};

static bool is_pipe(const char *trace)
{
    return !strcmp(trace, "-");
}

enum before {
    BUILD,     /* nothing is there, or an index that does not fit */
    LEAVE,     /* an index of just this trace is there */
    NOT_INDEX, /* another file is there */
    UNKNOWN,   /* a file that cannot be read */
    NO_FILE,   /* a folder, a device, a link: not to be replaced */
};

/* Whether the trace of the index was damaged, so that --strict refuses it. */
static bool was_damaged(const t2t_index *index)
{
    struct t2t_anomaly anomaly;
    struct t2t_loss loss;

    for (uint32_t n = 0; !t2t_index_anomaly(index, n, &anomaly); n++)
        if (anomaly.is_repair)
            return true;
    return !t2t_index_loss(index, 0, &loss);
}

/* Whether the index may name its source: one that is anonymous does not, and
 * one of a file that is not always does. */
static bool names_source(const t2t_index *index)
{
    struct t2t_index_info info;

    t2t_index_info(index, &info);
    return info.source_name.len > 0;
}

/* Looks at what is where the index goes; the index that is there is to be
 * closed, and `err` says why something is unknown. */
static enum before look(const struct build_options *o, const char *trace,
                        const char *path, t2t_index **index,
                        struct t2t_error *err)
{
    enum sidecar sidecar = sidecar_look(trace, path, index, err);

    if (!sidecar_may_replace(path))
        return NO_FILE;
    if (sidecar == SIDECAR_NO_INDEX)
        return NOT_INDEX;
    if (sidecar == SIDECAR_UNKNOWN)
        return UNKNOWN;
    if (sidecar != SIDECAR_FITS || is_pipe(trace))
        return BUILD;
    if (o->anonymous && names_source(*index))
        return BUILD;
    return o->strict && was_damaged(*index) ? BUILD : LEAVE;
}

/* Prints ", NUMBER WORD". */
static void say_count(const char *before, uint64_t count, const char *after)
{
    char number[COUNT_MAX];

    count_text(number, count);
    (void)fprintf(stderr, "%s%s%s", before, number, after);
}

/* Prints the kinds of odd things that the index counted; repairs have a line
 * of their own. */
static void say_anomalies(const t2t_index *index)
{
    struct t2t_anomaly anomaly;
    bool any = false;

    for (uint32_t n = 0; !t2t_index_anomaly(index, n, &anomaly); n++) {
        if (anomaly.is_repair)
            continue;
        (void)fprintf(stderr, "%s %s", any ? "," : "; odd:", anomaly.name);
        say_count(" ", anomaly.count, "");
        any = true;
    }
}

static void say_time(const char *label, uint64_t ns)
{
    char text[TIME_MAX];

    time_with_unit(text, ns, T2T_AUTO);
    (void)fprintf(stderr, "  %-22s %12s\n", label, text);
}

static void say_bytes(const char *label, uint64_t bytes)
{
    char text[COUNT_MAX];

    count_text(text, bytes);
    (void)fprintf(stderr, "  %-22s %12s bytes\n", label, text);
}

static void say_sizes(const struct t2t_build_result *r)
{
    say_bytes("trace file", r->source_bytes);
    say_bytes("JSON", r->document_bytes);
    say_bytes("index", r->index_bytes);
    say_time("reading and parsing", r->read_ns);
    say_time("tree and index", r->merge_ns);
    say_time("waiting for the disk", r->sync_ns);
}

/* Keeps the last damage of the compressed data. */
static void note_container(void *context, const struct t2t_damage *d)
{
    struct t2t_damage *kept = context;

    if (is_about_container(d->status))
        *kept = *d;
}

static void say_container(const struct t2t_damage *d)
{
    char text[REMARK_MAX];

    if (!d->status)
        return;
    (void)snprintf(text, sizeof(text),
                   "%s at byte %" PRIu64 " of the compressed file",
                   t2t_status_text(d->status), d->offset);
    remark_put(stderr, "damaged", text);
}

/* Says in a line what became of a trace, in more what is wrong with it, and
 * with -v how. */
static void say_result(const struct build_options *o, const char *path,
                       const struct t2t_build_result *r,
                       const struct t2t_damage *container)
{
    t2t_index *index = NULL;
    char took[TIME_MAX];

    if (o->quiet)
        return;
    (void)t2t_index_open(&index, path, NULL); /* there is less to say else */
    time_with_unit(took, r->read_ns + r->merge_ns + r->sync_ns, T2T_AUTO);
    (void)fputs("t2t: ", stderr);
    print_text(stderr, t2t_text_of(path));
    (void)fputs(": ", stderr);
    say_count("", r->element_count,
              r->element_count == 1 ? " event, " : " events, ");
    say_count("", r->node_count, " in the tree, ");
    say_count("", r->gpu_count, " on GPUs (");
    say_count("", r->linked_count, " with a launch)");
    if (index)
        say_anomalies(index);
    (void)fprintf(stderr, "; %s\n", took);
    say_container(container);
    if (index)
        remark_all(index);
    if (o->verbose)
        say_sizes(r);
    t2t_index_close(index);
}

/* Says that the index stays as it is; the status is that of its build. */
static int leave(const struct build_options *o, const char *path,
                 const t2t_index *index)
{
    struct t2t_loss loss;
    char lost[REMARK_MAX];

    if (!o->quiet)
        message("%s: is there and fits its trace (--force builds it again)",
                path);
    remark_losses(lost, index);
    if (!o->quiet && *lost)
        remark_put(stderr, "lost", lost);
    return t2t_index_loss(index, 0, &loss) ? EXIT_DONE : EXIT_LOSSES;
}

/* Whether a file has that name, as far as one may look. */
static bool is_there(const char *path)
{
    struct stat st;

    return !lstat(path, &st);
}

/* Whether the index may and need be built; else says why not, in `status`. */
static bool is_to_build(const struct command *self,
                        const struct build_options *o, const char *trace,
                        const char *path, int *status)
{
    t2t_index *index = NULL;
    struct t2t_error err;
    enum before before = look(o, trace, path, &index, &err);
    bool is_to = false;

    *status = EXIT_DONE;
    if (!is_pipe(trace) && same_file(trace, path)) {
        *status = wrong_use(self, "%s would be written over", trace);
    } else if (before == NO_FILE) {
        *status = wrong_use(self, "%s is there and is no plain file", path);
    } else if (before == NOT_INDEX && !o->force) {
        *status = wrong_use(self,
                            "%s is there and is no index (--force: write "
                            "over it)",
                            path);
    } else if (before == UNKNOWN && !o->force) {
        message("%s: %s: %s%s", path, t2t_status_text(err.code), err.text,
                is_there(path) ? " (--force: write over it)" : "");
        *status = EXIT_MACHINE;
    } else if (before == LEAVE && !o->force) {
        *status = leave(o, path, index);
    } else {
        is_to = true;
    }
    t2t_index_close(index);
    return is_to;
}

static int build(const struct command *self, const struct build_options *o,
                 const char *trace, const char *path)
{
    struct t2t_damage container = {0};
    struct t2t_build_options build = {.workers = o->workers,
                                      .chunk_bytes = (size_t)o->chunk_bytes,
                                      .memory_bytes = o->memory_bytes,
                                      .max_bytes = o->max_bytes,
                                      .anonymous = o->anonymous,
                                      .no_layouts = o->no_layouts,
                                      .tolerance = o->strict    ? T2T_STRICT
                                                   : o->salvage ? T2T_SALVAGE
                                                                : T2T_REPAIR,
                                      .tell = note_container,
                                      .tell_context = &container};
    struct t2t_build_result result = {0};
    struct t2t_error err;
    unsigned flags = (!o->quiet && !o->no_progress ? PROGRESS_SHOW : 0) |
                     (o->force ? PROGRESS_OVER : 0);
    enum t2t_status st;
    int status;

    if (!is_to_build(self, o, trace, path, &status))
        return status;
    st = progress_build(trace, path, &build, flags, &result, &err);
    if (st == T2T_ERR_CANCELED)
        return interrupt_exit();
    if (st == T2T_ERR_USAGE)
        return wrong_use(self, "%s: %s (--force: write over it)", path,
                         err.text);
    if (st)
        return fail_build(is_pipe(trace) ? "standard input" : trace, &err,
                          &build);
    say_result(o, path, &result, &container);
    return result.loss_count ? EXIT_LOSSES : EXIT_DONE;
}

/* Builds the index of a trace at its place beside it. */
static int build_beside(const struct command *self,
                        const struct build_options *o, const char *trace)
{
    char *path = sidecar_of(trace);
    int status = path ? build(self, o, trace, path) : out_of_memory();

    free(path);
    return status;
}

static int check_use(const struct command *self, const struct build_options *o,
                     int count, char **trace)
{
    if (!count)
        return wrong_use(self, "build takes a trace");
    if (o->output && count != 1)
        return wrong_use(self, "-o takes one trace");
    if (o->strict && o->salvage)
        return wrong_use(self, "--strict and --salvage contradict each other");
    if (o->quiet && o->verbose)
        return wrong_use(self, "-q and -v contradict each other");
    if (o->workers > MOST_WORKERS)
        return wrong_use(self, "-j takes at most %u", MOST_WORKERS);
    for (int i = 0; i < count && !o->output; i++)
        if (is_pipe(trace[i]))
            return wrong_use(self, "- needs -o");
    return EXIT_DONE;
}

/* Builds all; the status is that of the first that failed. */
static int build_all(const struct command *self, const struct build_options *o,
                     int count, char **trace)
{
    int status = EXIT_DONE;

    if (o->output)
        return build(self, o, trace[0], o->output);
    for (int i = 0; i < count; i++) {
        int one = build_beside(self, o, trace[i]);

        if (one > 128)
            return one;
        if (one && !status)
            status = one; /* the others are built all the same */
        if (i + 1 < count && interrupt_noted())
            return interrupt_exit();
    }
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct build_options o = {0};
    int first;
    int status = options_parse(self, argc, argv, &o, &first);

    if (status >= 0)
        return status;
    status = check_use(self, &o, argc - first, argv + first);
    if (status)
        return status;
    interrupt_begin();
    status = build_all(self, &o, argc - first, argv + first);
    interrupt_end();
    return status;
}

const struct command cmd_build = {
    "build",
    "TRACE...",
    "read traces and write their indexes",
    "\n"
    "TRACE is a profiler trace, plain or compressed by gzip or zstd, or - for\n"
    "standard input.  The index of TRACE goes to TRACE.t2t, which is left\n"
    "alone when it is there and TRACE has not changed since.\n"
    "\n"
    "Damage inside a value (a bad escape, a control character, no UTF-8, NaN)\n"
    "is repaired, which is said; --strict refuses it.  Other damage gets no\n"
    "index; --salvage gives up the damaged parts and keeps every whole event:\n"
    "status 4.  't2t check' lists all damage.\n",
    options,
    run,
    "  t2t build rank0.json.gz rank1.json.gz -j 8\n",
    NULL,
};
