/* progress.c - "rank0.json  47 %  512 MB of 1.07 GB  410 MB/s  2 s left" */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cut.h"
#include "interrupt.h"
#include "print.h"
#include "sidecar.h"
#include "trap.h"

#define QUIET_NS 300000000u /* a build that takes no longer shows nothing */
#define WIDTH 80u           /* of a terminal that does not tell */
#define NAME_LEAST 12u /* columns for the name before fields are left out */
#define FIELD_MAX 64u
#define FIELDS_MAX 4u

struct progress {
    struct output terminal;
    struct t2t_text name;
    uint64_t start_ns;
    size_t drawn; /* columns of the line that is there */
    bool show;
    const char *path;     /* that nothing but an index may have; or NULL */
    bool is_taken;        /* something else has it */
    t2t_build_tell *tell; /* told of damage, or NULL */
    void *tell_context;
};

/* What stands behind the name, the most important first. */
struct fields {
    char text[FIELDS_MAX][FIELD_MAX];
    size_t count;
};

static uint64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Bytes with three digits, such as "1.07 GB". */
static void size_text(char out[FIELD_MAX], double bytes, const char *after)
{
    static const char *const units[] = {"B",  "kB", "MB", "GB",
                                        "TB", "PB", "EB"};
    size_t unit = 0;
    int decimals;

    for (; bytes >= 999.5 && unit < 6; unit++)
        bytes /= 1000;
    decimals = !unit || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    (void)snprintf(out, FIELD_MAX, "%.*f %s%s", decimals, bytes, units[unit],
                   after);
}

static void left_text(char out[FIELD_MAX], double seconds)
{
    uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.999) : 1000000000u;

    if (s < 60)
        (void)snprintf(out, FIELD_MAX, "%" PRIu64 " s left", s);
    else if (s < 3600)
        (void)snprintf(out, FIELD_MAX, "%" PRIu64 " min %" PRIu64 " s left",
                       s / 60, s % 60);
    else
        (void)snprintf(out, FIELD_MAX, "%" PRIu64 " h %" PRIu64 " min left",
                       s / 3600, s / 60 % 60);
}

static char *next_field(struct fields *f)
{
    return f->text[f->count++];
}

static void reading_fields(struct fields *f, const struct t2t_build_progress *p,
                           uint64_t took_ns)
{
    double done = (double)p->source_bytes;
    double total = (double)p->source_total;
    double rate = done / ((double)took_ns / 1e9);
    char bytes[FIELD_MAX];
    char all[FIELD_MAX];

    size_text(bytes, done, "");
    if (p->source_total) {
        size_text(all, total, "");
        (void)snprintf(next_field(f), FIELD_MAX, "%.0f %%", 100 * done / total);
        (void)snprintf(next_field(f), FIELD_MAX, "%.20s of %.20s", bytes, all);
    } else {
        (void)snprintf(next_field(f), FIELD_MAX, "%.20s", bytes);
    }
    size_text(next_field(f), rate, "/s");
    if (p->source_total && rate > 0)
        left_text(next_field(f), (total - done) / rate);
}

static void fill_fields(struct fields *f, const struct t2t_build_progress *p,
                        uint64_t took_ns)
{
    char count[COUNT_MAX];

    switch (p->phase) {
    case T2T_READING:
        reading_fields(f, p, took_ns);
        break;
    case T2T_TREE:
    case T2T_WRITING:
    case T2T_SYNCING:
        (void)snprintf(next_field(f), FIELD_MAX, "%s",
                       t2t_build_phase_text(p->phase));
        break;
    }
    if (p->phase == T2T_TREE) {
        count_text(count, p->element_count);
        (void)snprintf(next_field(f), FIELD_MAX, "%s event%s", count,
                       p->element_count == 1 ? "" : "s");
    }
}

/* Puts as many fields as leave room for the name in `width` columns into `out`,
 * with two blanks before each; returns their columns. */
static size_t join_fields(char out[FIELDS_MAX * (FIELD_MAX + 2)],
                          const struct fields *f, size_t width)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < f->count; i++) {
        size_t len = strlen(f->text[i]) + 2;

        if (used + len + NAME_LEAST > width)
            break;
        memcpy(out + used, "  ", 2);
        memcpy(out + used + 2, f->text[i], len - 1);
        used += len;
    }
    return used;
}

static void draw(struct progress *p, const struct fields *f)
{
    size_t width = output_width(&p->terminal);
    char fields[FIELDS_MAX * (FIELD_MAX + 2)];
    char name[CUT_MAX];
    size_t used;
    size_t name_len;
    size_t name_used;

    width = (width ? width : WIDTH) - 1; /* the last column would wrap */
    if (width < NAME_LEAST)
        return;
    if (width > CUT_COLUMNS)
        width = CUT_COLUMNS;
    used = join_fields(fields, f, width);
    name_len = text_cut(name, p->name, width - used, &name_used);
    used += name_used;
    (void)fprintf(stderr, "\r%.*s%s%*s", (int)name_len, name, fields,
                  (int)(p->drawn > used ? p->drawn - used : 0), "");
    (void)fflush(stderr);
    p->drawn = used;
}

static void erase(struct progress *p)
{
    if (!p->drawn)
        return;
    (void)fprintf(stderr, "\r%*s\r", (int)p->drawn, "");
    (void)fflush(stderr);
    p->drawn = 0;
}

static bool watch(void *context, const struct t2t_build_progress *now)
{
    struct progress *p = context;
    struct fields f = {.count = 0};
    uint64_t took_ns;

    if (interrupt_noted() || trap_noted())
        return false;
    if (p->path && now->phase == T2T_SYNCING && !sidecar_is_free(p->path)) {
        p->is_taken = true;
        return false;
    }
    took_ns = p->show ? now_ns() - p->start_ns : 0;
    if (took_ns > QUIET_NS) {
        fill_fields(&f, now, took_ns);
        draw(p, &f);
    }
    return true;
}

/* What is printed about damage begins a line of its own. */
static void tell(void *context, const struct t2t_damage *damage)
{
    struct progress *p = context;

    if (trap_noted())
        return; /* of zeros that are not the trace's */
    erase(p);
    p->tell(p->tell_context, damage);
}

/* What to call a trace: the last part of its path. */
static struct t2t_text name_of(const char *trace)
{
    const char *slash = strrchr(trace, '/');
    const char *name = slash ? slash + 1 : trace;

    if (!strcmp(trace, "-"))
        name = "standard input";
    return (struct t2t_text){name, strlen(name)};
}

static enum t2t_status fail_with(struct t2t_error *err, enum t2t_status st,
                                 const char *text)
{
    *err = (struct t2t_error){st, T2T_NO_OFFSET, ""};
    (void)snprintf(err->text, sizeof(err->text), "%s", text);
    return st;
}

enum t2t_status progress_build(const char *trace, const char *path,
                               const struct t2t_build_options *options,
                               unsigned flags, struct t2t_build_result *result,
                               struct t2t_error *err)
{
    struct progress p = {.terminal = {.to = stderr},
                         .name = name_of(trace),
                         .start_ns = now_ns(),
                         .show = flags & PROGRESS_SHOW && isatty(STDERR_FILENO),
                         .path = flags & PROGRESS_OVER ? NULL : path,
                         .tell = options->tell,
                         .tell_context = options->tell_context};
    struct t2t_build_options watched = *options;
    enum t2t_status st;

    watched.watch = watch;
    watched.watch_context = &p;
    if (p.tell) {
        watched.tell = tell;
        watched.tell_context = &p;
    }
    trap_begin();
    st = t2t_build(trace, path, &watched, result, err);
    trap_end();
    erase(&p);
    if (st && trap_noted())
        return fail_with(err, T2T_ERR_IO, trap_text);
    if (st == T2T_ERR_CANCELED && p.is_taken)
        return fail_with(err, T2T_ERR_USAGE,
                         "what has appeared there meanwhile is no index");
    return st;
}
