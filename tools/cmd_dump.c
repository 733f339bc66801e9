/* cmd_dump.c - t2t dump: one line an element, in file order. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "options.h"
#include "print.h"

#define BUFFER_BYTES 65536u
#define NUMBERS_MAX 96u /* bytes of all numbers and tabs of a line */

struct dump_options {
    const char *output;
};

static const struct option_row options[] = {
    OPTION_OUTPUT(dump_options, output),
    OPTIONS_END,
};

/* What is made ready before the first line. */
struct dump {
    const struct input *in;
    const t2t_index *index;
    struct t2t_index_info info;
    uint32_t *position; /* by id, owned */
    t2t_id *id;         /* by position, owned */
    t2t_id *module;     /* by node, owned */
    uint8_t *plain;     /* strings that need no escape: 1, other: 2; owned */
    struct output *out;
    enum t2t_escape
        quote;    /* on a terminal what misleads there is escaped, too */
    char *buffer; /* owned */
    size_t len;
};

static void flush(struct dump *d)
{
    if (fwrite(d->buffer, 1, d->len, d->out->to) != d->len)
        d->out->reason = errno;
    d->len = 0;
}

/* Makes room for `bytes`, at most BUFFER_BYTES. */
static char *room(struct dump *d, size_t bytes)
{
    if (BUFFER_BYTES - d->len < bytes)
        flush(d);
    return d->buffer + d->len;
}

/* Whether escaping would change nothing. */
static bool is_plain(struct t2t_text text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];

        if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x7f)
            return false;
    }
    return true;
}

static void put_escaped(struct dump *d, struct t2t_text text,
                        enum t2t_escape how)
{
    while (text.len) {
        char *to = room(d, 64);

        d->len += t2t_text_escape(&text, how, to, BUFFER_BYTES - d->len);
    }
}

/* Puts text and a tab; "-" for no text. */
static void put_text(struct dump *d, struct t2t_text text, bool plain)
{
    if (!text.ptr)
        text = (struct t2t_text){"-", 1};
    if (plain && text.len < BUFFER_BYTES) {
        memcpy(room(d, text.len), text.ptr, text.len);
        d->len += text.len;
    } else {
        put_escaped(d, text, d->quote);
    }
    *room(d, 1) = '\t';
    d->len++;
}

static void put_name(struct dump *d, uint32_t string)
{
    struct t2t_text text = t2t_index_string(d->index, string);

    if (text.ptr && !d->plain[string])
        d->plain[string] = is_plain(text) ? 1 : 2;
    put_text(d, text, !text.ptr || d->plain[string] == 1);
}

/* Puts the digits of `v` at `to` and returns their end. */
static char *put_number(char *to, uint32_t v)
{
    char digits[12];
    int n = 0;

    do {
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        *to++ = digits[--n];
    return to;
}

/* Puts the position of a node and a tab; -1 for none. */
static char *put_place(const struct dump *d, char *to, t2t_id id)
{
    if (id == T2T_NO_ID) {
        *to++ = '-';
        *to++ = '1';
    } else {
        to = put_number(to, d->position[id]);
    }
    *to++ = '\t';
    return to;
}

static char *put_flags(char *to, const struct t2t_element *e)
{
    if (!e->in_tree) {
        *to++ = '-';
    } else if (e->flags & T2T_GPU) {
        *to++ = 'G';
        if (e->flags & T2T_LINKED)
            *to++ = 'L';
    } else {
        *to++ = 'P';
        if (e->flags & T2T_CROSSED)
            *to++ = 'X';
        if (e->flags & T2T_CUT)
            *to++ = 'C';
        if (e->flags & T2T_ROOT_OP)
            *to++ = 'R';
    }
    *to++ = '\t';
    return to;
}

/* GPU events below the element, itself not counted. */
static uint32_t gpu_below(const struct dump *d, const struct t2t_element *e)
{
    uint32_t count = t2t_index_gpu_count(d->index, e->id);

    return count && (e->flags & T2T_GPU) ? count - 1 : count;
}

static void put_line(struct dump *d, uint32_t position,
                     const struct t2t_element *e)
{
    t2t_id forward = T2T_NO_ID;
    char *to;

    to = put_number(room(d, NUMBERS_MAX), position);
    *to++ = '\t';
    d->len = (size_t)(to - d->buffer);
    put_text(d, t2t_index_category(d->index, e->category), false);
    put_name(d, e->name);
    if (e->in_tree && d->info.forward_count)
        forward = t2t_index_forward(d->index, e->id);
    to = room(d, NUMBERS_MAX);
    to = put_place(d, to, e->parent);
    to = put_place(d, to, e->flags & T2T_LINKED ? e->parent : T2T_NO_ID);
    to = put_place(d, to, forward);
    to = put_flags(to, e);
    to = put_number(to, gpu_below(d, e));
    *to++ = '\t';
    to = put_place(d, to, e->in_tree ? d->module[e->id] : T2T_NO_ID);
    to[-1] = '\n';
    d->len = (size_t)(to - d->buffer);
}

static int prepare(struct dump *d)
{
    size_t elements = (size_t)d->info.element_count + 1;
    struct t2t_error err;

    d->position = calloc(elements, sizeof(*d->position));
    d->id = calloc(elements, sizeof(*d->id));
    d->module = calloc((size_t)d->info.node_count + 1, sizeof(*d->module));
    d->plain = calloc((size_t)d->info.string_count + 1, 1);
    d->buffer = malloc(BUFFER_BYTES);
    if (!d->position || !d->id || !d->module || !d->plain || !d->buffer)
        return out_of_memory();
    if (t2t_index_all_positions(d->index, d->position, &err) ||
        t2t_index_all_ids(d->index, d->id, &err) ||
        t2t_index_all_modules(d->index, d->module, &err))
        return fail(d->in->path, &err);
    return EXIT_DONE;
}

static int put_lines(struct dump *d)
{
    struct t2t_error err = {T2T_ERR_INDEX_DAMAGE, T2T_NO_OFFSET,
                            "an element holds an impossible value"};

    for (uint32_t i = 0; i < d->info.element_count && !ferror(d->out->to);
         i++) {
        struct t2t_element e;

        if (t2t_index_element(d->index, d->id[i], &e)) {
            flush(d);
            return fail(d->in->path, &err);
        }
        put_line(d, i, &e);
    }
    flush(d);
    return EXIT_DONE;
}

static int dump(const struct command *self, const void *given,
                const struct input *in, char **rest)
{
    const struct dump_options *o = given;
    struct dump d = {.in = in, .index = in->index, .quote = T2T_ESCAPE_QUOTED};
    struct output out;
    int status;

    (void)rest;
    t2t_index_will_scan(in->index);
    t2t_index_info(in->index, &d.info);
    status = prepare(&d);
    if (!status)
        status = output_open(self, &out, o->output, in);
    if (!status) {
        d.out = &out;
        if (isatty(fileno(out.to)))
            d.quote = T2T_ESCAPE_QUOTED_TERMINAL;
        status = put_lines(&d);
        status = output_close(&out, status);
    }
    free(d.position);
    free(d.id);
    free(d.module);
    free(d.plain);
    free(d.buffer);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct dump_options o = {0};

    return input_run(self, argc, argv, &o, dump);
}

const struct command cmd_dump = {
    "dump",
    "INDEX",
    "the tree for programs, one line an event",
    "\n"
    "Columns, with tabs between them: place in traceEvents, category, name,\n"
    "then the places of its parent, launch and forward operation (-1: none),\n"
    "flags (P in the host's tree, X crossed another call, C cut at its\n"
    "parent's end, R root operation, G GPU event, L linked to its launch;\n"
    "- outside the tree), GPU events below, and the place of its module.\n",
    options,
    run,
    "  t2t dump rank0.json.gz | awk -F '\\t' '$2 == \"kernel\"'\n",
    NULL,
};
