/* damages.c - a trace is read with T2T_SALVAGE, to see what that does. */
#include "damages.h"

#include <inttypes.h>
#include <string.h>

#include "interrupt.h"
#include "json.h"
#include "odds.h"
#include "print.h"
#include "private.h"
#include "remark.h"

#define LINES 100u /* of damages, without --all */

/* A trace that is being read. */
struct listing {
    const char *name;
    FILE *to;
    const struct damages_options *options;
    struct json json;
    bool is_open;   /* the JSON object is */
    bool is_none;   /* it is neither a trace nor an index */
    uint64_t shown; /* damages printed as text */
    uint64_t repaired;
    uint64_t lost;       /* parts given up */
    uint64_t lost_bytes; /* in them */
    uint64_t lost_events;
    struct odds odds;
};

/* What is wrong, and what becomes of it when it is repaired. */
static const struct {
    enum t2t_status class;
    const char *what;
    const char *inside;   /* the same inside a value; NULL: `what` */
    const char *repaired; /* "... a build" */
} words[] = {
    {T2T_ERR_TRUNCATED, "the document ends too early",
     "the array ends without its bracket", "closes it"},
    {T2T_ERR_EXTRA_DATA, "there is more text behind the document", NULL, NULL},
    {T2T_ERR_JSON_SYNTAX, "this is no JSON", "a comma behind the last element",
     "leaves it out"},
    {T2T_ERR_JSON_ESCAPE, "this is no JSON", "a backslash begins no escape",
     "takes it for itself"},
    {T2T_ERR_JSON_CONTROL_CHAR, "this is no JSON",
     "a raw control character in a string", "escapes it"},
    {T2T_ERR_JSON_NUMBER, "this is no number of JSON", NULL, "makes it null"},
    {T2T_ERR_UTF8, "this is no UTF-8", NULL, "puts U+FFFD in its place"},
    {T2T_ERR_LIMIT, "this is past a limit", NULL, NULL},
    {T2T_ERR_ENCODING, "this is another encoding", NULL, NULL},
    {T2T_ERR_NOT_A_TRACE, "this is not as it is in a trace", NULL, NULL},
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static const char *what_of(const struct t2t_damage *d)
{
    if (!d->repaired && d->reason)
        return d->reason;
    for (size_t i = 0; i < WORDS; i++)
        if (words[i].class == d->status)
            return d->repaired && words[i].inside ? words[i].inside
                                                  : words[i].what;
    return "this is damaged";
}

/* What a build does about a repair. */
static const char *repair_of(const struct t2t_damage *d)
{
    for (size_t i = 0; i < WORDS; i++)
        if (words[i].class == d->status && words[i].repaired)
            return words[i].repaired;
    return "repairs it";
}

static const char *title(const struct listing *l)
{
    return strcmp(l->name, "-") ? l->name : "standard input";
}

/* ---- text ---------------------------------------------------------------- */

static void begin_line(const struct listing *l)
{
    print_text(l->to, t2t_text_of(title(l)));
    (void)fputs(": ", l->to);
}

/* Prints ", NUMBER WORD" or WORDS. */
static void put_count(FILE *to, const char *before, uint64_t count,
                      const char *word)
{
    char number[COUNT_MAX];

    count_text(number, count);
    (void)fprintf(to, "%s%s %s%s", before, number, word, count == 1 ? "" : "s");
}

static void put_lost(const struct listing *l, const struct t2t_damage *d)
{
    if (!l->lost)
        (void)fputs("a build ends here, ", l->to);
    if (!d->lost_bytes && !d->lost_elements) {
        (void)fputs("--salvage goes on\n", l->to);
        return;
    }
    put_count(l->to, "--salvage gives up ", d->lost_bytes, "byte");
    (void)fprintf(l->to, " from byte %" PRIu64 " on", d->lost_offset);
    if (d->lost_elements)
        put_count(l->to, ", ", d->lost_elements, "element");
    (void)putc('\n', l->to);
}

static void put_line(struct listing *l, const struct t2t_damage *d)
{
    begin_line(l);
    (void)fprintf(l->to, "byte %" PRIu64, d->offset);
    if (is_about_container(d->status))
        (void)fputs(" of the compressed file", l->to);
    else if (d->position != UINT64_MAX)
        (void)fprintf(l->to, ", element %" PRIu64, d->position);
    else
        (void)fputs(", outside the events", l->to);
    (void)fprintf(l->to, ": %s: %s; ", t2t_status_text(d->status), what_of(d));
    if (!d->repaired)
        put_lost(l, d);
    else
        (void)fprintf(l->to, "%s %s\n", l->lost ? "--salvage" : "a build",
                      repair_of(d));
}

static void put_suspects(const struct listing *l, const t2t_table *suspects)
{
    char text[REMARK_MAX];

    for (size_t row = 0; row < t2t_table_row_count(suspects); row++) {
        remark_suspect(text, suspects, row);
        begin_line(l);
        (void)fprintf(l->to, "suspect: %s\n", text);
    }
}

/* Prints what a build makes of it. */
static void put_verdict(const struct listing *l,
                        const struct t2t_build_result *r)
{
    begin_line(l);
    if (!l->repaired && !l->lost) {
        put_count(l->to, "whole: a trace of ", r->element_count, "event");
        put_count(l->to, ", ", r->document_bytes, "byte");
        (void)fputs(" of JSON\n", l->to);
    } else if (!l->lost) {
        put_count(l->to, "damaged: a build makes ", l->repaired, "repair");
        put_count(l->to, " and keeps all ", r->element_count, "event");
        (void)putc('\n', l->to);
    } else {
        (void)fputs("damaged: a build refuses it; --salvage", l->to);
        if (l->repaired)
            put_count(l->to, " makes ", l->repaired, "repair");
        put_count(l->to, l->repaired ? ", gives up " : " gives up ", l->lost,
                  "part");
        put_count(l->to, " (", l->lost_bytes, "byte");
        put_count(l->to, ", ", l->lost_events, "event");
        put_count(l->to, ") and keeps ",
                  r->element_count - (uint64_t)r->lost_count, "event");
        (void)putc('\n', l->to);
    }
}

static void put_text(const struct listing *l, const struct private *p,
                     const t2t_table *suspects)
{
    if (l->repaired + l->lost > l->shown) {
        begin_line(l);
        put_count(l->to, "and ", l->repaired + l->lost - l->shown, "damage");
        (void)fputs(" more (--all)\n", l->to);
    }
    odds_print(&l->odds, l->to, title(l), p->index);
    put_suspects(l, suspects);
    put_verdict(l, &p->result);
}

/* ---- JSON ---------------------------------------------------------------- */

static void json_begin(struct listing *l)
{
    if (l->is_open)
        return;
    l->is_open = true;
    json_open(&l->json, NULL, '{');
    json_text(&l->json, "file", t2t_text_of(title(l)));
    if (l->is_none)
        json_null(&l->json, "kind");
    else
        json_static(&l->json, "kind", "trace");
    json_open(&l->json, "damages", '[');
}

static void json_damage(struct listing *l, const struct t2t_damage *d,
                        const char *text)
{
    struct json *j = &l->json;

    json_begin(l);
    json_open(j, NULL, '{');
    json_static(j, "class", t2t_status_text(d->status));
    json_unsigned_or_null(j, "offset", d->offset);
    json_unsigned_or_null(j, "position", d->position);
    json_text(j, "text", t2t_text_of(text));
    json_static(j, "default",
                l->lost       ? "not reached"
                : d->repaired ? "repaired"
                              : "refused");
    if (d->repaired || d->lost_offset == UINT64_MAX) {
        json_null(j, "lost");
    } else {
        json_open(j, "lost", '{');
        json_unsigned(j, "offset", d->lost_offset);
        json_unsigned(j, "bytes", d->lost_bytes);
        json_unsigned(j, "elements", d->lost_elements);
        json_close(j, '}');
    }
    json_close(j, '}');
}

static void json_suspects(struct json *j, const t2t_table *t)
{
    json_open(j, "suspects", '[');
    for (size_t row = 0; t && row < t2t_table_row_count(t); row++) {
        json_open(j, NULL, '{');
        json_text(j, "kind", t2t_table_string(t, row, 0));
        json_unsigned(j, "count", t2t_table_unsigned(t, row, 1));
        if (t2t_table_is_null(t, row, 2))
            json_null(j, "first");
        else
            json_unsigned(j, "first", t2t_table_unsigned(t, row, 2));
        json_text(j, "what", t2t_table_string(t, row, 3));
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Ends the object; `p` is NULL when there is no index. */
static void json_end(struct listing *l, const struct private *p,
                     const t2t_table *suspects)
{
    struct json *j = &l->json;
    const char *how = "builds";

    json_begin(l);
    json_close(j, ']');
    odds_json(&l->odds, j, p ? p->index : NULL);
    json_suspects(j, suspects);
    if (l->lost || !p)
        how = "is refused";
    else if (l->repaired)
        how = "builds with repairs";
    json_bool(j, "ok", p && !l->lost && !l->repaired);
    json_static(j, "default", how);
    if (p) {
        json_unsigned(j, "events", p->result.element_count);
        json_unsigned(j, "bytes", p->result.document_bytes);
    } else {
        json_null(j, "events");
        json_null(j, "bytes");
    }
    json_close(j, '}');
    (void)putc('\n', l->to);
}

/* ---- reading ------------------------------------------------------------- */

static void tell(void *context, const struct t2t_damage *d)
{
    struct listing *l = context;

    if (l->options->json && !l->options->quiet) {
        json_damage(l, d, what_of(d));
    } else if (!l->options->quiet && (l->options->all || l->shown < LINES)) {
        put_line(l, d);
        l->shown++;
    }
    if (d->repaired) {
        l->repaired++;
        return;
    }
    l->lost++;
    l->lost_bytes += d->lost_bytes;
    l->lost_events += d->lost_elements;
}

/* Whether an error says that the text is none of a trace. */
static bool is_about_text(enum t2t_status st)
{
    return st <= T2T_ERR_NOT_A_TRACE && st >= T2T_ERR_UTF8;
}

/* The trace cannot be read, which is the last of its damages. */
static int unreadable(struct listing *l, const struct t2t_error *err)
{
    struct t2t_damage last = {.status = err->code,
                              .offset = err->offset,
                              .position = UINT64_MAX,
                              .lost_offset = UINT64_MAX};
    struct t2t_error said = *err;
    int status;

    l->is_none = l->options->stranger && is_about_text(err->code);
    if (l->is_none && err->code != T2T_ERR_ENCODING)
        (void)snprintf(said.text, sizeof(said.text),
                       "neither a trace nor an index: %.190s", err->text);
    status = fail(title(l), &said);
    if (!l->options->json || l->options->quiet)
        return status;
    if (status == EXIT_INPUT)
        json_damage(l, &last, said.text);
    if (l->is_open)
        json_end(l, NULL, NULL);
    return status;
}

static int finish(struct listing *l, const struct private *p)
{
    t2t_table *suspects;
    struct t2t_error err;

    if (!l->options->quiet && odds_settle(&l->odds, p->index, &err))
        return unreadable(l, &err);
    if (t2t_suspects(p->index, &suspects, &err))
        return unreadable(l, &err);
    if (l->options->json && !l->options->quiet)
        json_end(l, p, suspects);
    else if (!l->options->quiet)
        put_text(l, p, suspects);
    t2t_table_free(suspects);
    return l->repaired || l->lost ? EXIT_NO : EXIT_DONE;
}

int damages_check(const char *name, FILE *to, const struct damages_options *o)
{
    struct listing l = {.name = name,
                        .to = to,
                        .options = o,
                        .odds = {.all = o->all || o->json}};
    struct t2t_build_options build = {.workers = o->workers,
                                      .tolerance = T2T_SALVAGE,
                                      .tell = tell,
                                      .tell_context = &l,
                                      .odd = o->quiet ? NULL : odds_add,
                                      .odd_context = &l.odds};
    struct private p;
    struct t2t_error err;
    const char *place;
    enum t2t_status st;
    int status;

    json_init(&l.json, to);
    interrupt_begin();
    st = private_build(&p, name, &build, o->progress, &place, &err);
    if (st == T2T_ERR_CANCELED)
        status = interrupt_exit();
    else if (place)
        status = no_private(place, &err);
    else
        status = st ? unreadable(&l, &err) : finish(&l, &p);
    odds_release(&l.odds);
    private_close(&p);
    interrupt_end();
    return status;
}
