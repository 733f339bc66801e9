/* info.c - the lists that t2t info prints, as tables. */
#include "info.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

#define MANY 40u         /* rows of a list without --all */
#define MEMBER_MAX 1000u /* bytes of the longest value shown */

int info_count(struct info *in)
{
    const t2t_index *index = in->nodes.index;

    in->category_count = calloc((size_t)in->nodes.info.category_count + 1,
                                sizeof(*in->category_count));
    if (!in->category_count)
        return out_of_memory();
    t2t_index_will_scan(index);
    for (t2t_id id = 0; id < in->nodes.info.element_count; id++) {
        struct t2t_element e;

        /* What is damaged is not counted; the rest is worth knowing. */
        if (t2t_index_element(index, id, &e))
            continue;
        in->category_count[e.category]++;
        in->linked_count += (e.flags & T2T_LINKED) != 0;
    }
    return EXIT_DONE;
}

void info_release(struct info *in)
{
    free(in->category_count);
    in->category_count = NULL;
}

/* Ends a list: NULL and a message when it could not be filled. */
static int finish(t2t_table **out, t2t_table *table, enum t2t_status st)
{
    if (st) {
        t2t_table_free(table);
        return out_of_memory();
    }
    *out = table;
    return EXIT_DONE;
}

/* Adds a pid or tid as text. */
static enum t2t_status add_id(t2t_table *table, const struct t2t_lane_id *id)
{
    char number[24];

    switch (id->kind) {
    case T2T_ID_INTEGER:
        (void)snprintf(number, sizeof(number), "%" PRId64, (int64_t)id->number);
        break;
    case T2T_ID_UNSIGNED:
        (void)snprintf(number, sizeof(number), "%" PRIu64, id->number);
        break;
    case T2T_ID_TEXT:
        return t2t_table_add_string(table, id->text);
    default:
        return t2t_table_add_null(table);
    }
    return t2t_table_add_string(table, t2t_text_of(number));
}

/* A GPU: the lanes that have its pid, which follow each other. */
struct gpu {
    struct t2t_lane first;
    uint32_t streams;
    uint64_t events;
};

/* The JSON of a member of the document; no text when there is none. */
static int find_member(struct info *in, const char *wanted,
                       struct t2t_text *json)
{
    struct t2t_error err;
    enum t2t_status st =
        t2t_cursor_member_named(in->nodes.cursor, wanted, json, &err);

    if (st < 0)
        return fail(in->nodes.in->path, &err);
    if (st)
        *json = (struct t2t_text){NULL, 0};
    return EXIT_DONE;
}

/* What deviceProperties say of a GPU. */
struct gpu_name {
    int64_t id;
    size_t place; /* the first of several counts */
    struct t2t_text name;
};

/* By id, then place; owned. */
struct gpu_names {
    struct gpu_name *row;
    size_t count;
};

static int compare_names(const void *left, const void *right)
{
    const struct gpu_name *a = left;
    const struct gpu_name *b = right;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Reads an entry of deviceProperties; false when it lacks its id or name. */
static bool read_entry(struct t2t_text entry, struct gpu_name *out)
{
    struct t2t_text key;
    struct t2t_text value;
    struct scan scan;
    bool found = false;

    out->name = (struct t2t_text){NULL, 0};
    if (!scan_open(&scan, entry, '{'))
        return false;
    while (scan_member(&scan, &key, &value)) {
        if (scan_is(key, "id"))
            found = strchr("-0123456789", *value.ptr) && *value.ptr &&
                    !t2t_json_integer(value, &out->id);
        else if (scan_is(key, "name") && value.len > 2 && *value.ptr == '"')
            out->name = (struct t2t_text){value.ptr + 1, value.len - 2};
    }
    return found && out->name.ptr;
}

/* Reads deviceProperties, to whose text the names point. */
static enum t2t_status read_names(struct t2t_text properties,
                                  struct gpu_names *out)
{
    struct t2t_text entry;
    struct scan scan;
    size_t count = 0;

    *out = (struct gpu_names){NULL, 0};
    if (!scan_open(&scan, properties, '['))
        return T2T_OK;
    while (scan_item(&scan, &entry))
        count++;
    out->row = calloc(count + 1, sizeof(*out->row));
    if (!out->row)
        return T2T_ERR_NO_MEMORY;
    (void)scan_open(&scan, properties, '[');
    for (size_t i = 0; i < count && scan_item(&scan, &entry); i++) {
        out->row[out->count].place = i;
        out->count += read_entry(entry, &out->row[out->count]);
    }
    qsort(out->row, out->count, sizeof(*out->row), compare_names);
    return T2T_OK;
}

/* The name of the GPU by deviceProperties; no text where they lack it. */
static struct t2t_text name_of(const struct gpu_names *names,
                               const struct t2t_lane_id *pid)
{
    int64_t id = (int64_t)pid->number;
    size_t low = 0;
    size_t high = names->count;

    if (pid->kind != T2T_ID_INTEGER)
        return (struct t2t_text){NULL, 0};
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (names->row[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || names->row[low].id != id)
        return (struct t2t_text){NULL, 0};
    return names->row[low].name;
}

static enum t2t_status add_gpu(t2t_table *table, const struct gpu *gpu,
                               const struct gpu_names *names)
{
    enum t2t_status st;

    if (!gpu->streams)
        return T2T_OK;
    st = add_id(table, &gpu->first.pid);
    if (!st)
        st = t2t_table_add_string(table, name_of(names, &gpu->first.pid));
    if (!st)
        st = t2t_table_add_string(table, gpu->first.process_name);
    if (!st)
        st = t2t_table_add_integer(table, gpu->streams);
    if (!st)
        st = t2t_table_add_unsigned(table, gpu->events);
    return st;
}

int info_devices(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "device", .type = T2T_STRING},
        {.name = "name", .type = T2T_STRING},
        {.name = "process", .type = T2T_STRING},
        {.name = "streams", .type = T2T_INTEGER},
        {.name = "events", .type = T2T_INTEGER},
    };
    struct gpu gpu = {.streams = 0};
    struct t2t_text properties;
    struct gpu_names names;
    struct t2t_lane lane;
    t2t_table *t = NULL;
    enum t2t_status st;
    int status = find_member(in, "deviceProperties", &properties);

    *left = 0;
    if (status)
        return status;
    st = read_names(properties, &names);
    if (!st)
        st = t2t_table_create(&t, "devices", columns, 5, NULL);
    for (uint32_t i = 0; !st && i < in->nodes.info.lane_count; i++) {
        if (t2t_index_lane(in->nodes.index, i, &lane) ||
            lane.side != T2T_DEVICE)
            continue;
        if (gpu.streams && !t2t_lane_id_equal(&gpu.first.pid, &lane.pid)) {
            st = add_gpu(t, &gpu, &names);
            gpu.streams = 0;
        }
        if (!gpu.streams)
            gpu = (struct gpu){.first = lane};
        gpu.streams++;
        gpu.events += lane.element_count;
    }
    if (!st)
        st = add_gpu(t, &gpu, &names);
    free(names.row);
    return finish(table, t, st);
}

/* Adds the start of a lane, counted from the earliest one. */
static enum t2t_status add_start(const struct info *in, t2t_table *table,
                                 const struct t2t_lane *lane)
{
    int64_t origin = in->nodes.info.origin_ns;
    uint64_t start = (uint64_t)lane->start_ns - (uint64_t)origin;

    if (lane->start_ns < origin)
        return t2t_table_add_integer(table, (int64_t)start);
    return t2t_table_add_unsigned(table, start);
}

static enum t2t_status add_lane(struct info *in, t2t_table *table,
                                const struct t2t_lane *lane)
{
    static const char *const sides[] = {"host", "gpu", "-"};
    uint64_t span = (uint64_t)lane->end_ns - (uint64_t)lane->start_ns;
    bool timed = lane->start_ns != lane->end_ns || lane->start_ns;
    enum t2t_status st =
        t2t_table_add_string(table, t2t_text_of(sides[lane->side]));

    if (!st)
        st = add_id(table, &lane->pid);
    if (!st)
        st = add_id(table, &lane->tid);
    if (!st)
        st = t2t_table_add_string(table, lane->process_name);
    if (!st)
        st = t2t_table_add_string(table, lane->thread_name);
    if (!st)
        st = t2t_table_add_integer(table, lane->element_count);
    if (!st)
        st = t2t_table_add_integer(table, lane->node_count);
    if (!st)
        st = timed ? add_start(in, table, lane) : t2t_table_add_null(table);
    if (!st)
        st = timed ? t2t_table_add_unsigned(table, span)
                   : t2t_table_add_null(table);
    return st;
}

int info_lanes(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "side", .type = T2T_STRING},
        {.name = "pid", .type = T2T_STRING},
        {.name = "tid", .type = T2T_STRING},
        {.name = "process", .type = T2T_STRING},
        {.name = "thread", .type = T2T_STRING},
        {.name = "events", .type = T2T_INTEGER},
        {.name = "nodes", .type = T2T_INTEGER},
        {.name = "start_ns", .unit = "ns", .type = T2T_INTEGER},
        {.name = "span_ns", .unit = "ns", .type = T2T_INTEGER},
    };
    struct t2t_lane lane;
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "lanes", columns, 9, NULL);

    *left = 0;
    for (uint32_t i = 0; !st && i < in->nodes.info.lane_count; i++) {
        if (t2t_index_lane(in->nodes.index, i, &lane))
            continue;
        if (!in->whole &&
            (lane.side == T2T_NO_SIDE || t2t_table_row_count(t) >= MANY))
            (*left)++;
        else
            st = add_lane(in, t, &lane);
    }
    return finish(table, t, st);
}

int info_categories(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "category", .type = T2T_STRING},
        {.name = "layer", .type = T2T_STRING},
        {.name = "events", .type = T2T_INTEGER},
    };
    const t2t_index *index = in->nodes.index;
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "categories", columns, 3, NULL);

    *left = 0;
    for (uint32_t i = 0; !st && i < in->nodes.info.category_count; i++) {
        if (!in->whole && t2t_table_row_count(t) >= MANY) {
            (*left)++;
            continue;
        }
        st = t2t_table_add_string(t, t2t_index_category(index, i));
        if (!st)
            st = t2t_table_add_string(
                t, t2t_text_of(layer_name(t2t_index_category_layer(index, i))));
        if (!st)
            st = t2t_table_add_integer(t, in->category_count[i]);
    }
    return finish(table, t, st);
}

/* Whether a member says where or by whom the trace was made. */
static bool is_private(struct t2t_text key)
{
    static const char *const keys[] = {"host_name", "username", NULL};

    for (const char *const *k = keys; *k; k++)
        if (key.len == strlen(*k) && !memcmp(key.ptr, *k, key.len))
            return true;
    return false;
}

/* Adds the JSON of a member; for a person without its line breaks. */
static enum t2t_status add_value(const struct info *in, t2t_table *table,
                                 struct t2t_text json)
{
    char *line;
    size_t len = 0;
    enum t2t_status st;

    if (in->json)
        return t2t_table_add_string(table, json);
    line = malloc(json.len + 1);
    if (!line)
        return T2T_ERR_NO_MEMORY;
    for (size_t i = 0; i < json.len; i++) {
        bool space = strchr(" \n\r\t", json.ptr[i]) && json.ptr[i];

        if (!space)
            line[len++] = json.ptr[i];
        else if (len && line[len - 1] != ' ')
            line[len++] = ' ';
    }
    st = t2t_table_add_string(table, (struct t2t_text){line, len});
    free(line);
    return st;
}

int info_members(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "member", .type = T2T_STRING},
        {.name = "bytes", .type = T2T_INTEGER},
        {.name = "value", .type = T2T_STRING},
    };
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "members", columns, 3, NULL);

    *left = 0;
    for (uint32_t n = 0; !st && n < in->nodes.info.member_count; n++) {
        struct t2t_text key;
        struct t2t_text json;
        struct t2t_error err;
        bool shown;

        if (!in->whole && n >= MANY) {
            (*left)++;
            continue;
        }
        if (t2t_cursor_member(in->nodes.cursor, n, &key, &json, &err)) {
            t2t_table_free(t);
            return fail(in->nodes.in->path, &err);
        }
        shown = in->whole || (json.len <= MEMBER_MAX && !is_private(key));
        st = t2t_table_add_string(t, key);
        if (!st)
            st = t2t_table_add_unsigned(t, json.len);
        if (!st)
            st = shown ? add_value(in, t, json) : t2t_table_add_null(t);
    }
    return finish(table, t, st);
}

static enum t2t_status add_place(t2t_table *table, uint64_t place)
{
    if (place == UINT64_MAX)
        return t2t_table_add_null(table);
    return t2t_table_add_unsigned(table, place);
}

int info_anomalies(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "kind", .type = T2T_STRING},
        {.name = "count", .type = T2T_INTEGER},
        {.name = "first_position", .type = T2T_INTEGER},
        {.name = "first_offset", .type = T2T_INTEGER},
        {.name = "what", .type = T2T_STRING},
    };
    struct t2t_anomaly a;
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "anomalies", columns, 5, NULL);

    *left = 0;
    for (uint32_t n = 0; !st && !t2t_index_anomaly(in->nodes.index, n, &a);
         n++) {
        st = t2t_table_add_string(t, t2t_text_of(a.name));
        if (!st)
            st = t2t_table_add_unsigned(t, a.count);
        if (!st)
            st = add_place(t, a.first_position);
        if (!st)
            st = add_place(t, a.first_offset);
        if (!st)
            st = t2t_table_add_string(t, t2t_text_of(a.what));
    }
    return finish(table, t, st);
}

static enum t2t_status add_loss(t2t_table *table, const struct t2t_loss *loss)
{
    enum t2t_status st = t2t_table_add_unsigned(table, loss->offset);

    if (!st)
        st = t2t_table_add_unsigned(table, loss->bytes);
    if (!st)
        st = t2t_table_add_integer(table, loss->element_count);
    if (!st)
        st = add_place(table, loss->position);
    if (!st)
        st = t2t_table_add_string(table,
                                  t2t_text_of(t2t_status_text(loss->status)));
    if (!st)
        st = t2t_table_add_unsigned(table, loss->damage_offset);
    return st;
}

int info_losses(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "offset", .type = T2T_INTEGER},
        {.name = "bytes", .type = T2T_INTEGER},
        {.name = "elements", .type = T2T_INTEGER},
        {.name = "first_position", .type = T2T_INTEGER},
        {.name = "class", .type = T2T_STRING},
        {.name = "damage_offset", .type = T2T_INTEGER},
    };
    struct t2t_loss loss;
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "losses", columns, 6, NULL);

    *left = 0;
    for (uint32_t n = 0; !st && !t2t_index_loss(in->nodes.index, n, &loss);
         n++) {
        if (!in->whole && n >= MANY)
            (*left)++;
        else
            st = add_loss(t, &loss);
    }
    return finish(table, t, st);
}

int info_suspects(struct info *in, t2t_table **table, uint64_t *left)
{
    struct t2t_error err;

    *left = 0;
    if (t2t_suspects(in->nodes.index, table, &err))
        return fail(in->nodes.in->path, &err);
    return EXIT_DONE;
}

/* Adds a row of the sections; `id` and `records` only of a section. */
static enum t2t_status add_section(const struct info *in, t2t_table *table,
                                   const struct t2t_section_info *s, bool real)
{
    const struct t2t_index_info *i = &in->nodes.info;
    const uint32_t per[] = {i->element_count, i->node_count};
    double bytes = (double)s->bytes;
    enum t2t_status st =
        real ? t2t_table_add_integer(table, s->id) : t2t_table_add_null(table);

    if (!st)
        st = t2t_table_add_string(table, t2t_text_of(s->name));
    if (!st)
        st = real ? t2t_table_add_unsigned(table, s->count)
                  : t2t_table_add_null(table);
    if (!st)
        st = t2t_table_add_unsigned(table, s->bytes);
    if (!st)
        st = t2t_table_add_real(table, 100 * bytes / (double)i->index_bytes);
    for (size_t n = 0; n < 2 && !st; n++)
        st = per[n] ? t2t_table_add_real(table, bytes / (double)per[n])
                    : t2t_table_add_null(table);
    return st;
}

int info_sections(struct info *in, t2t_table **table, uint64_t *left)
{
    static const struct t2t_table_column columns[] = {
        {.name = "id", .type = T2T_INTEGER},
        {.name = "section", .type = T2T_STRING},
        {.name = "records", .type = T2T_INTEGER},
        {.name = "bytes", .type = T2T_INTEGER},
        {.name = "file_percent", .unit = "%", .type = T2T_REAL},
        {.name = "bytes_per_element", .type = T2T_REAL},
        {.name = "bytes_per_node", .type = T2T_REAL},
    };
    struct t2t_section_info rest = {.name = "(header, table, gaps)",
                                    .bytes = in->nodes.info.index_bytes};
    struct t2t_section_info total = {.name = "total", .bytes = rest.bytes};
    struct t2t_section_info s;
    t2t_table *t = NULL;
    enum t2t_status st = t2t_table_create(&t, "sections", columns, 7, NULL);

    *left = 0;
    for (uint32_t n = 0; !st && !t2t_index_section(in->nodes.index, n, &s);
         n++) {
        st = add_section(in, t, &s, true);
        rest.bytes -= s.bytes < rest.bytes ? s.bytes : rest.bytes;
    }
    if (!st && !in->json)
        st = add_section(in, t, &rest, false);
    if (!st && !in->json)
        st = add_section(in, t, &total, false);
    return finish(table, t, st);
}
