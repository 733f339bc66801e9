/* remark.c - repairs, losses and suspicions as a person reads them. */
#include "remark.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "print.h"
#include "private.h"
#include "sidecar.h"

#define WIDTH 80u /* of lines, unless the terminal is narrower */
#define WIDTH_LEAST 40u
#define TRIAL_BYTES (16 << 20)               /* of a file ... */
#define TRIAL_DOCUMENT ((uint64_t)256 << 20) /* ... and of its text */

/* Adds to `out`; what is too long is cut. */
__attribute__((format(printf, 2, 3))) static void add(char out[REMARK_MAX],
                                                      const char *fmt, ...)
{
    size_t len = strlen(out);
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(out + len, REMARK_MAX - len, fmt, ap);
    va_end(ap);
}

/* Adds "1 part", "2 parts". */
static void add_count(char out[REMARK_MAX], uint64_t count, const char *one,
                      const char *several)
{
    char number[COUNT_MAX];

    count_text(number, count);
    add(out, "%s %s", number, count == 1 ? one : several);
}

/* How repairs are counted. */
static const struct {
    const char *kind; /* of t2t_anomaly */
    const char *one;
    const char *several;
} repairs[] = {
    {"repaired-escape", "string with a bad escape", "strings with bad escapes"},
    {"repaired-control-char", "string with a control character",
     "strings with control characters"},
    {"repaired-utf8", "string that was no UTF-8", "strings that were no UTF-8"},
    {"repaired-number", "number", "numbers"},
    {"trailing-comma", "comma behind the last event",
     "commas behind the last event"},
    {"array-not-closed", "array without its end", "arrays without their end"},
};

static void add_repair(char out[REMARK_MAX], const struct t2t_anomaly *a)
{
    if (*out)
        add(out, ", ");
    for (size_t i = 0; i < sizeof(repairs) / sizeof(repairs[0]); i++) {
        if (!strcmp(a->name, repairs[i].kind)) {
            add_count(out, a->count, repairs[i].one, repairs[i].several);
            return;
        }
    }
    add_count(out, a->count, a->name, a->name);
}

void remark_repairs(char out[REMARK_MAX], const t2t_index *index)
{
    uint64_t first = T2T_NO_OFFSET;
    struct t2t_anomaly a;

    *out = '\0';
    for (uint32_t n = 0; !t2t_index_anomaly(index, n, &a); n++) {
        if (!a.is_repair)
            continue;
        add_repair(out, &a);
        if (a.first_offset < first)
            first = a.first_offset;
    }
    if (first == T2T_NO_OFFSET)
        return;
    add(out, " (first at byte %" PRIu64 ")", first);
}

void remark_losses(char out[REMARK_MAX], const t2t_index *index)
{
    struct t2t_loss first;
    struct t2t_loss loss;
    uint64_t bytes = 0;
    uint64_t events = 0;
    uint32_t parts = 0;

    *out = '\0';
    if (t2t_index_loss(index, 0, &first))
        return;
    for (; !t2t_index_loss(index, parts, &loss); parts++) {
        bytes += loss.bytes;
        events += loss.element_count;
    }
    add_count(out, parts, "part", "parts");
    add(out, ", ");
    add_count(out, bytes, "byte", "bytes");
    add(out, ", ");
    add_count(out, events, "event", "events");
    add(out, " (first at byte %" PRIu64 ": %s)", first.damage_offset,
        t2t_status_text(first.status));
}

void remark_suspect(char out[REMARK_MAX], const t2t_table *suspects, size_t row)
{
    struct t2t_text kind = t2t_table_string(suspects, row, 0);
    struct t2t_text what = t2t_table_string(suspects, row, 3);
    uint64_t count = t2t_table_unsigned(suspects, row, 1);
    char number[COUNT_MAX];

    *out = '\0';
    add(out, "%.*s", (int)kind.len, kind.ptr);
    count_text(number, count);
    if (count)
        add(out, " %s", number);
    if (!t2t_table_is_null(suspects, row, 2))
        add(out, ", first id %" PRIu64, t2t_table_unsigned(suspects, row, 2));
    add(out, ": %.*s", (int)what.len, what.ptr);
}

void remark_put(FILE *to, const char *label, const char *text)
{
    struct output out = {.to = to};
    size_t width = output_width(&out);
    size_t used = strlen(label) + 3;

    if (!width || width > WIDTH)
        width = WIDTH;
    else if (width < WIDTH_LEAST)
        width = WIDTH_LEAST;
    (void)fprintf(to, "  %s:", label);
    while (*text) {
        size_t len = strcspn(text, " ");

        if (used + 1 + len > width) {
            (void)fputs("\n   ", to);
            used = 3;
        }
        (void)putc(' ', to);
        print_text(to, (struct t2t_text){text, len});
        used += 1 + len;
        text += len;
        text += strspn(text, " ");
    }
    (void)putc('\n', to);
}

static void put_suspects(const t2t_index *index)
{
    char text[REMARK_MAX];
    t2t_table *table;
    struct t2t_error err;

    /* what is damaged or does not fit in memory is for other commands */
    if (t2t_suspects(index, &table, &err))
        return;
    for (size_t row = 0; row < t2t_table_row_count(table); row++) {
        remark_suspect(text, table, row);
        remark_put(stderr, "suspect", text);
    }
    t2t_table_free(table);
}

void remark_all(const t2t_index *index)
{
    char text[REMARK_MAX];

    remark_repairs(text, index);
    if (*text)
        remark_put(stderr, "repaired", text);
    remark_losses(text, index);
    if (*text)
        remark_put(stderr, "lost", text);
    put_suspects(index);
}

void remark_repaired(const char *name, const t2t_index *index)
{
    char text[REMARK_MAX];

    remark_repairs(text, index);
    if (*text)
        message("%s: repaired: %s", name, text);
}

void remark_salvaged(const char *name, const t2t_index *index)
{
    char text[REMARK_MAX];

    remark_losses(text, index);
    if (*text)
        message("%s: made with --salvage, lost: %s", name, text);
}

/* Whether --salvage would keep an event of `name`, of which a build says `err`:
 * found out where that is soon done, else by what is near. */
static bool salvage_helps(const char *name, const struct t2t_error *err,
                          const struct t2t_build_options *asked)
{
    const struct t2t_build_options options = {
        .tolerance = T2T_SALVAGE,
        .workers = asked->workers,
        .memory_bytes = asked->memory_bytes,
        .max_bytes = asked->max_bytes && asked->max_bytes < TRIAL_DOCUMENT
                         ? asked->max_bytes
                         : TRIAL_DOCUMENT};
    struct private trial;
    struct t2t_error why;
    const char *place;
    struct stat file;
    enum t2t_status st = T2T_ERR_LIMIT;
    bool any = false;

    if (!stat(name, &file) && S_ISREG(file.st_mode) &&
        file.st_size <= TRIAL_BYTES) {
        st = private_build(&trial, name, &options, false, &place, &why);
        any = !st && trial.result.element_count > trial.result.lost_count;
        private_close(&trial);
    }
    if (st == T2T_ERR_LIMIT || (st < 0 && st >= T2T_ERR_NO_SPACE))
        return err->offset || names_events(name);
    return any;
}

/* What to try when a build of `name` says `err`; NULL when nothing helps. */
static const char *hint_of(const char *name, const struct t2t_error *err,
                           const struct t2t_build_options *asked)
{
    bool inside = err->code <= T2T_ERR_JSON_ESCAPE && err->code >= T2T_ERR_UTF8;
    bool text = err->code <= T2T_ERR_TRUNCATED && err->code >= T2T_ERR_UTF8;
    bool container =
        err->code <= T2T_ERR_GZIP_DATA && err->code >= T2T_ERR_ZSTD_TRUNCATED;

    if (asked->tolerance == T2T_STRICT && inside)
        return "without --strict it can be repaired";
    if (asked->tolerance != T2T_SALVAGE && (text || container) &&
        salvage_helps(name, err, asked))
        return "build --salvage keeps what is whole";
    return NULL;
}

int fail_build(const char *name, const struct t2t_error *err,
               const struct t2t_build_options *asked)
{
    const char *hint = hint_of(name, err, asked);
    struct t2t_error said = *err;

    if (hint)
        (void)snprintf(said.text, sizeof(said.text), "%.190s; %s", err->text,
                       hint);
    return fail(name, &said);
}

int no_private(const char *place, const struct t2t_error *err)
{
    message("%s: %s: cannot make a private index in it: %s", place,
            t2t_status_text(err->code), err->text);
    return EXIT_MACHINE;
}
