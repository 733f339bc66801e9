/* keys.c - prints the arguments that --args names. */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "textfile.h"

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

/* Writes an argument to a FILE, two spaces before it. */
static void write_argument(void *to, const char *key, struct t2t_text json)
{
    (void)fprintf(to, "  %s=", key);
    (void)fwrite(json.ptr, 1, json.len, to);
}

/* Prints an argument as a member of an object. */
static void json_argument(void *to, const char *key, struct t2t_text json)
{
    json_raw(to, key, json);
}

int keys_put(const struct keys *k, const struct nodes *n,
             const struct t2t_element *e, struct line *line)
{
    size_t left = line_room(line);
    size_t columns;
    struct textfile text;
    FILE *to;
    int status;

    if (!k->count) {
        line_node(line, n, e, left);
        return EXIT_DONE;
    }
    to = textfile_open(&text);
    if (!to)
        return out_of_memory();
    status = use_arguments(k, n, e, write_argument, to);
    if (!textfile_close(to) && !status)
        status = out_of_memory();
    if (!status) {
        columns = text_columns(text.ptr, text.len);
        line_node(line, n, e,
                  columns < left / 2 ? left - columns : left - left / 2);
        line_text(line, (struct t2t_text){text.ptr, text.len});
    }
    free(text.ptr);
    return status;
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
