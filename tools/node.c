/* node.c - finds elements and prints what is said of each. */
#include "node.h"

#include <inttypes.h>
#include <string.h>

#include "options.h"

int nodes_open(struct nodes *n, const struct input *in, int time_unit)
{
    struct t2t_error err;

    *n = (struct nodes){.in = in,
                        .index = in->index,
                        .unit = (enum t2t_time_unit)time_unit};
    t2t_index_info(in->index, &n->info);
    if (t2t_cursor_open(&n->cursor, in->index, &err))
        return fail(in->path, &err);
    return EXIT_DONE;
}

void nodes_close(struct nodes *n)
{
    t2t_cursor_close(n->cursor);
    n->cursor = NULL;
}

int node_get(const struct nodes *n, t2t_id id, struct t2t_element *e)
{
    enum t2t_status st = t2t_index_element(n->index, id, e);
    struct t2t_error err = {st, T2T_NO_OFFSET, ""};

    if (!st)
        return EXIT_DONE;
    (void)snprintf(err.text, sizeof(err.text),
                   "element %" PRIu32 " holds an impossible value", id);
    err.code = T2T_ERR_INDEX_DAMAGE;
    return fail(n->in->path, &err);
}

int node_find(const struct command *self, struct nodes *n, const char *text,
              struct t2t_element *e)
{
    bool place = *text == '@';
    struct t2t_error err;
    enum t2t_status st;
    uint64_t number;
    t2t_id id;

    if (!parse_number(text + place, UINT64_MAX, &number))
        return wrong_use(self, "'%s' is no NODE: an id, or @ and a place",
                         text);
    if (number >= n->info.element_count)
        return wrong_use(self, "no element %s: %s has %" PRIu32, text,
                         n->in->path, n->info.element_count);
    id = (t2t_id)number;
    if (place) {
        st = t2t_cursor_id(n->cursor, (uint32_t)number, &id, &err);
        if (st)
            return fail(n->in->path, &err);
    }
    return node_get(n, id, e);
}

const char *layer_name(enum t2t_layer layer)
{
    switch (layer) {
    case T2T_LAYER_PYTHON:
        return "python";
    case T2T_LAYER_OPERATION:
        return "operation";
    case T2T_LAYER_LAUNCH:
        return "launch";
    case T2T_LAYER_GPU:
        return "gpu";
    case T2T_LAYER_NONE:
        break;
    }
    return NULL;
}

void print_lane_id(FILE *to, const struct t2t_lane_id *id)
{
    switch (id->kind) {
    case T2T_ID_MISSING:
        (void)putc('-', to);
        break;
    case T2T_ID_INTEGER:
        (void)fprintf(to, "%" PRId64, (int64_t)id->number);
        break;
    case T2T_ID_UNSIGNED:
        (void)fprintf(to, "%" PRIu64, id->number);
        break;
    case T2T_ID_TEXT:
        print_text(to, id->text);
        break;
    }
}

/* Prints what a process or a thread is called, in quotes. */
static void print_quoted(FILE *to, struct t2t_text name)
{
    if (!name.ptr)
        return;
    (void)fputs(" \"", to);
    print_text(to, name);
    (void)putc('"', to);
}

void print_lane(FILE *to, const struct t2t_lane *lane)
{
    bool gpu = lane->side == T2T_DEVICE;

    (void)fputs(gpu ? "stream " : "thread ", to);
    print_lane_id(to, &lane->tid);
    print_quoted(to, lane->thread_name);
    (void)fputs(gpu ? " of GPU " : " of process ", to);
    print_lane_id(to, &lane->pid);
    print_quoted(to, lane->process_name);
}

void print_name(const struct nodes *n, FILE *to, const struct t2t_element *e)
{
    struct t2t_text name = t2t_index_string(n->index, e->name);

    if (name.ptr)
        print_text(to, name);
    else
        (void)fputs("(no name)", to);
}

void print_duration(const struct nodes *n, FILE *to, uint64_t ns)
{
    char text[TIME_MAX];

    time_with_unit(text, ns, n->unit);
    (void)fputs(text, to);
}

void print_start(const struct nodes *n, FILE *to, const struct t2t_element *e)
{
    int64_t origin = n->info.origin_ns;

    if (!e->has_start) {
        (void)putc('-', to);
    } else if (e->start_ns < origin) {
        (void)putc('-', to);
        print_duration(n, to, (uint64_t)origin - (uint64_t)e->start_ns);
    } else {
        print_duration(n, to, (uint64_t)e->start_ns - (uint64_t)origin);
    }
}

static void json_lane_id(struct json *j, const char *key,
                         const struct t2t_lane_id *id)
{
    switch (id->kind) {
    case T2T_ID_MISSING:
        json_null(j, key);
        break;
    case T2T_ID_INTEGER:
        json_integer(j, key, (int64_t)id->number);
        break;
    case T2T_ID_UNSIGNED:
        json_unsigned(j, key, id->number);
        break;
    case T2T_ID_TEXT:
        json_text(j, key, id->text);
        break;
    }
}

void json_lane(struct json *j, const t2t_index *index, uint32_t lane)
{
    static const char *const sides[] = {"host", "gpu", NULL};
    struct t2t_lane l;

    if (t2t_index_lane(index, lane, &l)) {
        json_null(j, "side");
        return;
    }
    if (sides[l.side])
        json_static(j, "side", sides[l.side]);
    else
        json_null(j, "side");
    json_lane_id(j, "pid", &l.pid);
    json_lane_id(j, "tid", &l.tid);
    json_text(j, "process_name", l.process_name);
    json_text(j, "thread_name", l.thread_name);
}

static void json_flags(struct json *j, unsigned flags)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        {T2T_CROSSED, "crossed"},        {T2T_CUT, "cut"},
        {T2T_ROOT_OP, "root-operation"}, {T2T_GPU, "gpu"},
        {T2T_LINKED, "linked"},
    };

    json_open(j, "flags", '[');
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (flags & names[i].bit)
            json_static(j, NULL, names[i].name);
    json_close(j, ']');
}

/* The members that only nodes of the tree can have. */
static void json_links(const struct nodes *n, struct json *j,
                       const struct t2t_element *e)
{
    t2t_id backward;
    uint32_t i = 0;

    json_id(j, "parent", e->parent);
    json_unsigned(j, "size", e->size);
    json_flags(j, e->flags);
    json_id(j, "module", t2t_index_module(n->index, e->id));
    json_id(j, "forward", t2t_index_forward(n->index, e->id));
    json_open(j, "backward", '[');
    while ((backward = t2t_index_backward(n->index, e->id, i++)) != T2T_NO_ID)
        json_id(j, NULL, backward);
    json_close(j, ']');
    json_unsigned(j, "gpu_events", t2t_index_gpu_count(n->index, e->id));
    json_unsigned(j, "gpu_sum_ns", t2t_index_gpu_sum_ns(n->index, e->id));
}

int json_node(const struct nodes *n, struct json *j,
              const struct t2t_element *e)
{
    const char *layer = layer_name(e->layer);
    struct t2t_error err;
    uint32_t position;

    if (t2t_cursor_position(n->cursor, e->id, &position, &err))
        return fail(n->in->path, &err);
    json_unsigned(j, "id", e->id);
    json_unsigned(j, "position", position);
    json_text(j, "name", t2t_index_string(n->index, e->name));
    json_text(j, "category", t2t_index_category(n->index, e->category));
    json_text(j, "layer", (struct t2t_text){layer, layer ? strlen(layer) : 0});
    json_text(j, "phase",
              (struct t2t_text){e->phase ? &e->phase : NULL, e->phase != 0});
    json_bool(j, "in_tree", e->in_tree);
    if (e->has_start)
        json_span(j, "start_ns", e->start_ns, n->info.origin_ns);
    else
        json_null(j, "start_ns");
    json_unsigned(j, "dur_ns", e->dur_ns);
    json_links(n, j, e);
    json_open(j, "lane", '{');
    if (e->lane != T2T_NO_ID)
        json_lane(j, n->index, e->lane);
    json_close(j, '}');
    return EXIT_DONE;
}
