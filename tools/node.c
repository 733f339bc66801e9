/* node.c - finds elements and prints what is said of each. */
#include "node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "textfile.h"

#define MANY 1000u /* elements for which it pays to look up all */

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
    free(n->modules);
    free(n->positions);
    n->cursor = NULL;
    n->modules = NULL;
    n->positions = NULL;
}

int nodes_prepare(struct nodes *n, uint32_t count)
{
    struct t2t_error err;

    if (count < MANY || n->modules)
        return EXIT_DONE;
    n->modules = calloc((size_t)n->info.node_count + 1, sizeof(*n->modules));
    n->positions =
        calloc((size_t)n->info.element_count + 1, sizeof(*n->positions));
    if (!n->modules || !n->positions)
        return out_of_memory();
    if (t2t_index_all_modules(n->index, n->modules, &err) ||
        t2t_index_all_positions(n->index, n->positions, &err))
        return fail(n->in->path, &err);
    return EXIT_DONE;
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

int line_lane(struct line *line, const struct t2t_lane *lane)
{
    struct textfile text;
    FILE *to = textfile_open(&text);
    bool good;

    if (!to)
        return out_of_memory();
    print_lane(to, lane);
    good = textfile_close(to);
    if (good)
        line_text(line, (struct t2t_text){text.ptr, text.len});
    free(text.ptr);
    return good ? EXIT_DONE : out_of_memory();
}

static bool is_module(const struct nodes *n, const struct t2t_element *e)
{
    return e->layer == T2T_LAYER_PYTHON && e->in_tree &&
           t2t_index_is_module(n->index, e->id);
}

struct t2t_text node_kind(const struct nodes *n, const struct t2t_element *e)
{
    struct t2t_text category = t2t_index_category(n->index, e->category);

    if (!e->in_tree)
        return category.ptr ? category : t2t_text_of("-");
    switch (e->layer) {
    case T2T_LAYER_PYTHON:
        return t2t_text_of(is_module(n, e) ? "module" : "python");
    case T2T_LAYER_OPERATION:
        return t2t_text_of("op");
    case T2T_LAYER_GPU:
        if (category.len > 4 && !memcmp(category.ptr, "gpu_", 4))
            return (struct t2t_text){category.ptr + 4, category.len - 4};
        return category.ptr ? category : t2t_text_of("gpu");
    default:
        return t2t_text_of("launch");
    }
}

enum paint node_paint(const struct nodes *n, const struct t2t_element *e)
{
    if (e->flags & T2T_GPU)
        return PAINT_GPU;
    return is_module(n, e) ? PAINT_MODULE : PAINT_NOT;
}

struct t2t_text node_name(const struct nodes *n, const struct t2t_element *e)
{
    struct t2t_text name = t2t_index_string(n->index, e->name);

    return name.ptr ? name : t2t_text_of("(no name)");
}

void line_node(struct line *line, const struct nodes *n,
               const struct t2t_element *e, size_t columns)
{
    enum paint paint = node_paint(n, e);

    if (paint)
        line_paint(line, paint);
    line_within(line, node_name(n, e), columns);
    if (paint)
        line_paint(line, PAINT_NOT);
}

struct t2t_text node_class(const struct nodes *n, const struct t2t_element *e)
{
    struct t2t_text none = {NULL, 0};

    return is_module(n, e)
               ? t2t_module_class_name(t2t_index_string(n->index, e->name))
               : none;
}

t2t_id node_module(const struct nodes *n, t2t_id id)
{
    if (n->modules)
        return id < n->info.node_count ? n->modules[id] : T2T_NO_ID;
    return t2t_index_module(n->index, id);
}

void print_duration(const struct nodes *n, FILE *to, uint64_t ns)
{
    char text[TIME_MAX];

    time_with_unit(text, ns, n->unit);
    (void)fputs(text, to);
}

void start_text(char out[TIME_MAX], const struct nodes *n,
                const struct t2t_element *e, bool with_unit)
{
    bool early = e->start_ns < n->info.origin_ns;
    uint64_t ns = (uint64_t)e->start_ns - (uint64_t)n->info.origin_ns;
    char time[TIME_MAX];

    if (!e->has_start) {
        (void)snprintf(out, TIME_MAX, "-");
        return;
    }
    if (with_unit)
        time_with_unit(time, early ? -ns : ns, n->unit);
    else
        time_text(time, early ? -ns : ns, n->unit);
    early = early && strpbrk(time, "123456789"); /* not -0.000 */
    (void)snprintf(out, TIME_MAX, "%s%.*s", early ? "-" : "", TIME_MAX - 2,
                   time);
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
                       const struct t2t_element *e, t2t_id module)
{
    t2t_id backward;
    uint32_t i = 0;

    json_id(j, "parent", e->parent);
    json_unsigned(j, "size", e->size);
    json_flags(j, e->flags);
    json_id(j, "module", module);
    json_text(j, "class", node_class(n, e));
    json_id(j, "launch", t2t_index_launch(n->index, e->id));
    json_id(j, "forward", t2t_index_forward(n->index, e->id));
    json_open(j, "backward", '[');
    while ((backward = t2t_index_backward(n->index, e->id, i++)) != T2T_NO_ID)
        json_id(j, NULL, backward);
    json_close(j, ']');
    json_unsigned(j, "gpu_events", t2t_index_gpu_count(n->index, e->id));
    json_unsigned(j, "gpu_sum_ns", t2t_index_gpu_sum_ns(n->index, e->id));
}

int json_node(const struct nodes *n, struct json *j,
              const struct t2t_element *e, t2t_id module)
{
    const char *layer = layer_name(e->layer);
    struct t2t_error err;
    uint32_t position;

    if (n->positions)
        position = n->positions[e->id];
    else if (t2t_cursor_position(n->cursor, e->id, &position, &err))
        return fail(n->in->path, &err);
    json_unsigned(j, "id", e->id);
    json_unsigned(j, "position", position);
    json_text(j, "name", t2t_index_string(n->index, e->name));
    json_text(j, "category", t2t_index_category(n->index, e->category));
    json_text(j, "layer", t2t_text_of(layer));
    json_text(j, "phase",
              (struct t2t_text){e->phase ? &e->phase : NULL, e->phase != 0});
    json_bool(j, "in_tree", e->in_tree);
    if (e->has_start)
        json_span(j, "start_ns", e->start_ns, n->info.origin_ns);
    else
        json_null(j, "start_ns");
    json_unsigned(j, "dur_ns", e->dur_ns);
    json_links(n, j, e, module);
    json_open(j, "lane", '{');
    if (e->lane != T2T_NO_ID)
        json_lane(j, n->index, e->lane);
    json_close(j, '}');
    return EXIT_DONE;
}
