/* keys.c - prints the arguments that --args names. */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "textfile.h"

#define LEAST_VALUE 12u /* columns of a value that is cut behind a name */
#define BELOW_COLUMNS                                                          \
    8 /* spaces before arguments below a name: few, so that                    \
         values are whole on most terminals */

/* Moves a key of the text to `end`, behind those before it, unless it is one
 * of them; returns the new end. */
static char *add_key(struct keys *k, const char *key, char *end)
{
    size_t bytes = strlen(key) + 1;

    for (const char *p = k->text; p < end; p += strlen(p) + 1)
        if (!strcmp(p, key))
            return end;
    memmove(end, key, bytes);
    k->count++;
    return end + bytes;
}

/* Whether there is a key between the commas, each time. */
static bool is_list(const char *list)
{
    return *list && *list != ',' && !strstr(list, ",,") &&
           list[strlen(list) - 1] != ',';
}

int keys_open(struct keys *k, const struct command *self, const char *list)
{
    char *next;
    char *end;

    *k = (struct keys){NULL, 0};
    if (!list)
        return EXIT_DONE;
    if (!is_list(list))
        return wrong_use(self, "--args takes KEY[,KEY]..., not '%s'", list);
    k->text = strdup(list);
    if (!k->text)
        return out_of_memory();
    end = k->text;
    for (char *p = k->text; p; p = next) {
        next = strchr(p, ',');
        if (next)
            *next++ = '\0';
        end = add_key(k, p, end);
    }
    return EXIT_DONE;
}

void keys_close(struct keys *k)
{
    free(k->text);
    *k = (struct keys){NULL, 0};
}

/* Does something with an argument that an element has. */
typedef void use_argument(void *to, const char *key, struct t2t_text json);

/* Goes through the keys, in their order. */
static int use_arguments(const struct keys *k, const struct nodes *n,
                         const struct t2t_element *e, use_argument *use,
                         void *to)
{
    const char *key = k->text;

    for (size_t i = 0; i < k->count; i++, key += strlen(key) + 1) {
        struct t2t_text json;
        struct t2t_error err;
        enum t2t_status st =
            t2t_cursor_argument(n->cursor, e->id, key, &json, &err);

        if (st == T2T_NOT_FOUND)
            continue;
        if (st)
            return fail(n->in->path, &err);
        use(to, key, json);
    }
    return EXIT_DONE;
}

/* Prints what stands before a value. */
static void put_key(struct line *line, const char *key)
{
    line_put(line, "  ");
    line_static(line, key);
    line_static(line, "=");
}

/* Prints an argument whole, on a line without a limit. */
static void put_argument(void *to, const char *key, struct t2t_text json)
{
    put_key(to, key);
    line_text(to, json);
}

/* An argument of an element. */
struct argument {
    const char *key;
    size_t at; /* its JSON in the text */
    size_t len;
    size_t columns; /* that its JSON takes, CUT_COLUMNS at most */
};

/* The arguments of an element that were asked for and that it has. */
struct arguments {
    struct argument *all; /* owned */
    size_t count;
    FILE *to; /* the text */
    struct textfile text;
};

/* Columns that text takes when it is printed, CUT_COLUMNS at most. */
static size_t columns_of(struct t2t_text text)
{
    char cut[CUT_MAX];
    size_t columns;

    (void)text_cut(cut, text, CUT_COLUMNS, &columns);
    return columns;
}

/* Keeps an argument. */
static void keep_argument(void *to, const char *key, struct t2t_text json)
{
    struct arguments *a = to;
    size_t at = 0;

    if (a->count)
        at = a->all[a->count - 1].at + a->all[a->count - 1].len;
    a->all[a->count++] = (struct argument){key, at, json.len, columns_of(json)};
    (void)fwrite(json.ptr, 1, json.len, a->to);
}

static struct t2t_text json_of(const struct arguments *a, size_t n)
{
    return (struct t2t_text){a->text.ptr + a->all[n].at, a->all[n].len};
}

/*
 * Shares `room` columns out among the values: what a short one does not take
 * the others have.  False where one that is cut would have less than
 * LEAST_VALUE.
 */
static bool share_out(struct arguments *a, size_t room)
{
    size_t longer = a->count; /* values above the share */
    size_t share = 0;
    size_t before;

    do {
        size_t left = room;

        before = longer;
        for (size_t i = 0; i < a->count; i++)
            left -= a->all[i].columns <= share ? a->all[i].columns : 0;
        share = longer ? left / longer : share;
        longer = 0;
        for (size_t i = 0; i < a->count; i++)
            longer += a->all[i].columns > share;
    } while (longer && longer < before);
    if (longer && share < LEAST_VALUE)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->all[i].columns > share)
            a->all[i].columns = share;
    return true;
}

/* Whether the arguments have room behind the name, of `name` columns, on what
 * is left of the line; shares it out. */
static bool is_room(struct arguments *a, size_t name, size_t left)
{
    for (size_t i = 0; i < a->count; i++)
        name += columns_of(t2t_text_of(a->all[i].key)) + 3; /* "  ", "=" */
    return name <= left && share_out(a, left - name);
}

/* Prints the name and the arguments behind it, or each below it. */
static void put_arguments(struct arguments *a, const struct nodes *n,
                          const struct t2t_element *e, struct line *line)
{
    size_t left = line_room(line);
    bool behind = is_room(a, columns_of(node_name(n, e)), left);

    line_node(line, n, e, left);
    for (size_t i = 0; i < a->count; i++) {
        if (!behind) {
            line_end(line);
            line_put(line, "%*s", BELOW_COLUMNS, "");
        }
        put_key(line, a->all[i].key);
        line_within(line, json_of(a, i),
                    behind ? a->all[i].columns : LINE_NO_LIMIT);
    }
}

int keys_put(const struct keys *k, const struct nodes *n,
             const struct t2t_element *e, struct line *line)
{
    struct arguments a = {.count = 0};
    int status = EXIT_DONE;

    if (!k->count || line_room(line) == LINE_NO_LIMIT) {
        line_node(line, n, e, LINE_NO_LIMIT);
        return use_arguments(k, n, e, put_argument, line);
    }
    a.all = calloc(k->count, sizeof(*a.all));
    a.to = textfile_open(&a.text);
    if (a.all && a.to)
        status = use_arguments(k, n, e, keep_argument, &a);
    if ((!a.to || !textfile_close(a.to) || !a.all) && !status)
        status = out_of_memory();
    if (!status)
        put_arguments(&a, n, e, line);
    free(a.all);
    free(a.text.ptr);
    return status;
}

/* Prints an argument as a member of an object. */
static void json_argument(void *to, const char *key, struct t2t_text json)
{
    json_raw(to, key, json);
}

int keys_json(const struct keys *k, const struct nodes *n,
              const struct t2t_element *e, struct json *j)
{
    int status;

    if (!k->count)
        return EXIT_DONE;
    json_open(j, "args", '{');
    status = use_arguments(k, n, e, json_argument, j);
    if (!status)
        json_close(j, '}');
    return status;
}
