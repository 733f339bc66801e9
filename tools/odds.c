/* odds.c - places by kind, the first of them or all. */
#include "odds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

static int compare(const void *a, const void *b)
{
    const struct odds_place *x = a;
    const struct odds_place *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The kind of that name; NULL when there are too many. */
static struct odds_kind *kind_of(struct odds *o, const char *name)
{
    for (unsigned i = 0; i < o->kinds; i++)
        if (o->kind[i].name == name || !strcmp(o->kind[i].name, name))
            return &o->kind[i];
    if (o->kinds == ODDS_KINDS)
        return NULL;
    o->kind[o->kinds].name = name;
    return &o->kind[o->kinds++];
}

static bool grow(struct odds_kind *k)
{
    size_t cap = k->cap ? k->cap * 2 : ODDS_FEW;
    struct odds_place *place = cap <= SIZE_MAX / sizeof(*place)
                                   ? realloc(k->place, cap * sizeof(*place))
                                   : NULL;

    if (!place)
        return false;
    k->place = place;
    k->cap = cap;
    return true;
}

/* Puts a place into a full list of the first few, if it is one. */
static void keep_first(struct odds_kind *k, const struct odds_place *p)
{
    size_t last = 0;

    for (size_t i = 1; i < k->count; i++)
        if (compare(&k->place[i], &k->place[last]) > 0)
            last = i;
    if (compare(p, &k->place[last]) < 0)
        k->place[last] = *p;
}

void odds_add(void *odds, const struct t2t_odd *odd)
{
    struct odds *o = odds;
    struct odds_place p = {odd->position, odd->offset};
    struct odds_kind *k = kind_of(o, odd->name);

    if (!k || o->failed) {
        o->failed = true;
        return;
    }
    if (!o->all && k->count == ODDS_FEW) {
        keep_first(k, &p);
        return;
    }
    if (k->count == k->cap && !grow(k)) {
        o->failed = true;
        return;
    }
    k->place[k->count++] = p;
}

/* Asks for the offsets of places that have none. */
static enum t2t_status find_offsets(struct odds_kind *k, t2t_cursor *cursor,
                                    struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    t2t_id id;

    for (size_t i = 0; !st && i < k->count; i++) {
        struct odds_place *p = &k->place[i];

        if (p->offset != T2T_NO_OFFSET || p->position == UINT64_MAX)
            continue;
        st = t2t_cursor_id(cursor, (uint32_t)p->position, &id, err);
        if (!st)
            st = t2t_cursor_offset(cursor, id, &p->offset, err);
    }
    return st;
}

enum t2t_status odds_settle(struct odds *o, const t2t_index *index,
                            struct t2t_error *err)
{
    t2t_cursor *cursor;
    enum t2t_status st = t2t_cursor_open(&cursor, index, err);

    if (st)
        return st;
    for (unsigned i = 0; !st && i < o->kinds; i++) {
        struct odds_kind *k = &o->kind[i];

        qsort(k->place, k->count, sizeof(*k->place), compare);
        st = find_offsets(k, cursor, err);
    }
    t2t_cursor_close(cursor);
    if (!st && o->failed) {
        st = T2T_ERR_NO_MEMORY;
        *err = (struct t2t_error){st, T2T_NO_OFFSET, "out of memory"};
    }
    return st;
}

static const struct odds_kind *find_kind(const struct odds *o, const char *name)
{
    for (unsigned i = 0; i < o->kinds; i++)
        if (!strcmp(o->kind[i].name, name))
            return &o->kind[i];
    return NULL;
}

/* ---- text ---------------------------------------------------------------- */

static void begin_line(FILE *to, const char *name)
{
    print_text(to, t2t_text_of(name));
    (void)fputs(": ", to);
}

/* Prints "BEFOREelement 5, byte 10", as far as it is known. */
static void put_place(FILE *to, const char *before, const struct odds_place *p)
{
    (void)fputs(before, to);
    if (p->position != UINT64_MAX)
        (void)fprintf(to, "element %" PRIu64, p->position);
    if (p->offset != T2T_NO_OFFSET)
        (void)fprintf(to, "%sbyte %" PRIu64,
                      p->position != UINT64_MAX ? ", " : "", p->offset);
}

/* A line of places behind the first. */
static void put_few(FILE *to, const char *name, const struct odds_kind *k,
                    uint64_t count)
{
    char number[COUNT_MAX];

    begin_line(to, name);
    (void)fprintf(to, "odd: %s", k->name);
    for (size_t i = 1; i < k->count && i < ODDS_FEW; i++)
        put_place(to, i == 1 ? ": then " : "; ", &k->place[i]);
    if (count > ODDS_FEW) {
        count_text(number, count - ODDS_FEW);
        (void)fprintf(to, "; and %s more (--all)", number);
    }
    (void)putc('\n', to);
}

static void put_all(FILE *to, const char *name, const struct odds_kind *k)
{
    for (size_t i = 0; i < k->count; i++) {
        begin_line(to, name);
        (void)fprintf(to, "odd: %s", k->name);
        put_place(to, ": ", &k->place[i]);
        (void)putc('\n', to);
    }
}

void odds_print(const struct odds *o, FILE *to, const char *name,
                const t2t_index *index)
{
    struct t2t_anomaly a;
    char number[COUNT_MAX];

    for (uint32_t n = 0; !t2t_index_anomaly(index, n, &a); n++) {
        const struct odds_kind *k = find_kind(o, a.name);
        struct odds_place first = {a.first_position, a.first_offset};

        if (a.is_repair)
            continue;
        begin_line(to, name);
        count_text(number, a.count);
        (void)fprintf(to, "odd: %s %s time%s", a.name, number,
                      a.count == 1 ? "" : "s");
        if (a.first_position != UINT64_MAX || a.first_offset != T2T_NO_OFFSET)
            put_place(to, ", first ", &first);
        (void)fprintf(to, ": %s\n", a.what);
        if (k && o->all)
            put_all(to, name, k);
        else if (k && a.count > 1)
            put_few(to, name, k, a.count);
    }
}

/* ---- JSON ---------------------------------------------------------------- */

static void json_places(struct json *j, const struct odds_kind *k)
{
    json_open(j, "places", '[');
    for (size_t i = 0; k && i < k->count; i++) {
        json_open(j, NULL, '{');
        json_unsigned_or_null(j, "position", k->place[i].position);
        json_unsigned_or_null(j, "offset", k->place[i].offset);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void odds_json(const struct odds *o, struct json *j, const t2t_index *index)
{
    struct t2t_anomaly a;

    json_open(j, "odd", '[');
    for (uint32_t n = 0; index && !t2t_index_anomaly(index, n, &a); n++) {
        if (a.is_repair)
            continue;
        json_open(j, NULL, '{');
        json_static(j, "kind", a.name);
        json_unsigned(j, "count", a.count);
        json_unsigned_or_null(j, "first_position", a.first_position);
        json_unsigned_or_null(j, "first_offset", a.first_offset);
        json_static(j, "what", a.what);
        json_places(j, find_kind(o, a.name));
        json_close(j, '}');
    }
    json_close(j, ']');
}

void odds_release(struct odds *o)
{
    for (unsigned i = 0; i < o->kinds; i++)
        free(o->kind[i].place);
}
