/* timeline.c - GPU time by what it was spent on. */
#include <trace2tree/analyze.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "query/percent.h"
#include "query/word.h"

/* What a GPU event does. */
enum bucket { UNDECIDED, COMPUTE, COMMUNICATION, MEMCPY };

/* A GPU event. */
struct interval {
    int64_t start_ns;
    int64_t end_ns;
    uint32_t device;
    enum bucket bucket;
};

struct device {
    struct t2t_text label;
    char number[24]; /* what `label` points to for an integer */
    struct t2t_lane_id pid;
    uint32_t count; /* of its intervals; while they are sorted, their place */
};

struct timeline {
    const t2t_index *index;
    struct interval *interval; /* owned: by start, then by device and start */
    uint32_t count;
    struct device *device; /* owned, in the order of the table */
    uint32_t device_count;
    uint32_t *lane_device; /* device of each lane, owned */
    uint8_t *decided;      /* buckets by name: of kernels, of the rest; owned */
    uint32_t string_count;
};

static const struct t2t_table_column columns[] = {
    {.name = "device", .type = T2T_STRING},
    {.name = "type", .type = T2T_STRING},
    {.name = "time_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "percent", .unit = "%", .type = T2T_REAL},
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

static bool is(struct t2t_text text, const char *word)
{
    return t2t_text_equal(text, t2t_text_of(word));
}

/* Whether `name`, with or without ".kd", is one of `words`, up to a NULL. */
static bool is_one_of(struct t2t_text name, const char *const *words)
{
    if (name.len >= 3 && !memcmp(name.ptr + name.len - 3, ".kd", 3))
        name.len -= 3;
    for (; *words; words++)
        if (is(name, *words))
            return true;
    return false;
}

/* What an event of this name does. */
static enum bucket decide(struct t2t_text name, bool kernel)
{
    static const char *const copies[] = {
        "MEMORY_COPY_HOST_TO_DEVICE",         "MEMORY_COPY_DEVICE_TO_HOST",
        "MEMORY_COPY_DEVICE_TO_DEVICE",       "__amd_rocclr_copyBuffer",
        "__amd_rocclr_copyBufferRect",        "__amd_rocclr_copyBufferAligned",
        "__amd_rocclr_copyBufferRectAligned", NULL,
    };
    static const char *const fills[] = {
        "__amd_rocclr_fillBuffer",
        "__amd_rocclr_fillBufferAligned",
        NULL,
    };

    if (kernel && is_one_of(name, copies))
        return MEMCPY;
    if (kernel && is_one_of(name, fills))
        return COMPUTE;
    if (tt_has_word_any_case(name, "nccl") ||
        tt_has_word_any_case(name, "rccl") ||
        tt_has_word_any_case(name, "cross_device_reduce"))
        return COMMUNICATION;
    return COMPUTE;
}

/* The bucket of an event, decided once for each name. */
static enum bucket bucket_of(struct timeline *t, const struct t2t_element *e)
{
    struct t2t_text category = t2t_index_category(t->index, e->category);
    bool kernel = is(category, "kernel");
    uint8_t *decided;

    if (is(category, "gpu_memcpy"))
        return MEMCPY;
    if (e->name == T2T_NO_ID)
        return COMPUTE;
    decided = &t->decided[(kernel ? 0 : (size_t)t->string_count) + e->name];
    if (*decided == UNDECIDED)
        *decided = (uint8_t)decide(t2t_index_string(t->index, e->name), kernel);
    return (enum bucket) * decided;
}

/* Integers ascending, then text. */
static int compare_devices(const void *left, const void *right)
{
    const struct device *a = left;
    const struct device *b = right;
    bool a_text = a->pid.kind == T2T_ID_TEXT;
    bool b_text = b->pid.kind == T2T_ID_TEXT;
    size_t len = a->label.len < b->label.len ? a->label.len : b->label.len;
    int order;

    if (a_text != b_text)
        return a_text ? 1 : -1;
    if (!a_text && a->pid.kind != b->pid.kind)
        return a->pid.kind == T2T_ID_INTEGER ? -1 : 1;
    if (a->pid.kind == T2T_ID_INTEGER)
        return ((int64_t)a->pid.number > (int64_t)b->pid.number) -
               ((int64_t)a->pid.number < (int64_t)b->pid.number);
    if (!a_text)
        return (a->pid.number > b->pid.number) -
               (a->pid.number < b->pid.number);
    order = len ? memcmp(a->label.ptr, b->label.ptr, len) : 0;
    if (order)
        return order;
    return (a->label.len > b->label.len) - (a->label.len < b->label.len);
}

/* Makes a device of a pid.  A missing one has the name the oracle gives it. */
static void name_device(struct device *d, const struct t2t_lane_id *pid)
{
    int len;

    *d = (struct device){.pid = *pid};
    if (pid->kind == T2T_ID_MISSING)
        d->pid = (struct t2t_lane_id){T2T_ID_TEXT, 0, {"None", 4}};
    if (d->pid.kind == T2T_ID_TEXT) {
        d->label = d->pid.text;
        return;
    }
    if (pid->kind == T2T_ID_INTEGER)
        len = snprintf(d->number, sizeof(d->number), "%" PRId64,
                       (int64_t)pid->number);
    else
        len = snprintf(d->number, sizeof(d->number), "%" PRIu64, pid->number);
    d->label.len = len > 0 ? (size_t)len : 0;
}

/* The device of a pid that has one. */
static uint32_t find_device(const struct timeline *t,
                            const struct t2t_lane_id *pid)
{
    struct device key;
    const struct device *found;

    name_device(&key, pid);
    found =
        bsearch(&key, t->device, t->device_count, sizeof(key), compare_devices);
    return found ? (uint32_t)(found - t->device) : 0;
}

/* Sorts the devices and keeps one of each. */
static void settle_devices(struct timeline *t)
{
    uint32_t kept = 0;

    if (t->device_count)
        qsort(t->device, t->device_count, sizeof(*t->device), compare_devices);
    for (uint32_t i = 0; i < t->device_count; i++)
        if (!kept || compare_devices(&t->device[kept - 1], &t->device[i]) != 0)
            t->device[kept++] = t->device[i];
    t->device_count = kept;
    for (uint32_t i = 0; i < kept; i++)
        if (t->device[i].pid.kind != T2T_ID_TEXT)
            t->device[i].label.ptr = t->device[i].number;
}

/* Lists the pids of the GPU lanes and gives each lane its device. */
static enum t2t_status read_devices(struct timeline *t, uint32_t lanes,
                                    struct t2t_error *err)
{
    struct t2t_lane lane;

    t->device = calloc((size_t)lanes + 1, sizeof(*t->device));
    t->lane_device = calloc((size_t)lanes + 1, sizeof(*t->lane_device));
    if (!t->device || !t->lane_device)
        return no_memory(err);
    for (uint32_t i = 0; i < lanes; i++) {
        if (t2t_index_lane(t->index, i, &lane))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "lane %u holds an impossible value", i);
        if (lane.side == T2T_DEVICE)
            name_device(&t->device[t->device_count++], &lane.pid);
    }
    settle_devices(t);
    for (uint32_t i = 0; i < lanes; i++)
        if (!t2t_index_lane(t->index, i, &lane) && lane.side == T2T_DEVICE)
            t->lane_device[i] = find_device(t, &lane.pid);
    return T2T_OK;
}

/* An end past the last time there is, is that. */
static int64_t end_of(const struct t2t_element *e)
{
    __int128 end_ns = (__int128)e->start_ns + e->dur_ns;

    return end_ns > INT64_MAX ? INT64_MAX : (int64_t)end_ns;
}

/* Takes GPU event `id` in. */
static enum t2t_status add_event(struct timeline *t, t2t_id id,
                                 bool linked_only, struct t2t_error *err)
{
    struct t2t_element e;
    struct interval *v = &t->interval[t->count];

    if (t2t_index_element(t->index, id, &e) || !e.has_start ||
        e.lane == T2T_NO_ID)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "GPU event %u holds an impossible value", id);
    if (linked_only && !(e.flags & T2T_LINKED))
        return T2T_OK;
    v->start_ns = e.start_ns;
    v->end_ns = end_of(&e);
    v->device = t->lane_device[e.lane];
    v->bucket = bucket_of(t, &e);
    if (t->device_count)
        t->device[v->device].count++;
    t->count++;
    return T2T_OK;
}

static enum t2t_status read_events(struct timeline *t, bool linked_only,
                                   struct t2t_error *err)
{
    uint32_t count;
    const t2t_id *ids = t2t_index_gpu_nodes(t->index, &count);

    t->interval = calloc((size_t)count + 1, sizeof(*t->interval));
    t->decided = calloc((size_t)t->string_count * 2 + 1, 1);
    if (!t->interval || !t->decided)
        return no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        enum t2t_status st = add_event(t, ids[i], linked_only, err);

        if (st)
            return st;
    }
    return T2T_OK;
}

static int compare_starts(const void *left, const void *right)
{
    const struct interval *a = left;
    const struct interval *b = right;

    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Puts the intervals, sorted by start, in order of device; each keeps its
 * order. */
static enum t2t_status group_by_device(struct timeline *t,
                                       struct t2t_error *err)
{
    struct interval *to = calloc((size_t)t->count + 1, sizeof(*to));
    uint32_t place = 0;

    if (!to)
        return no_memory(err);
    for (uint32_t d = 0; d < t->device_count; d++) {
        uint32_t count = t->device[d].count;

        t->device[d].count = place;
        place += count;
    }
    for (uint32_t i = 0; t->device_count && i < t->count; i++)
        to[t->device[t->interval[i].device].count++] = t->interval[i];
    place = 0;
    for (uint32_t d = 0; d < t->device_count; d++) {
        uint32_t end = t->device[d].count;

        t->device[d].count = end - place;
        place = end;
    }
    free(t->interval);
    t->interval = to;
    return T2T_OK;
}

/* A union of intervals that come by start: how long it is. */
struct cover {
    uint64_t ns;
    int64_t start_ns; /* of all */
    int64_t end_ns;   /* covered up to here */
    bool any;
};

static void cover_add(struct cover *c, const struct interval *v)
{
    int64_t from = v->start_ns;

    if (c->any && from < c->end_ns)
        from = c->end_ns;
    if (!c->any)
        c->start_ns = v->start_ns;
    if (!c->any || v->end_ns > c->end_ns) {
        c->ns += (uint64_t)v->end_ns - (uint64_t)from;
        c->end_ns = v->end_ns;
    }
    c->any = true;
}

static enum t2t_status add_row(t2t_table *table, struct t2t_text device,
                               const char *type, uint64_t ns, uint64_t total,
                               struct t2t_error *err)
{
    struct t2t_text text = {type, strlen(type)};
    enum t2t_status st;

    st = t2t_table_add_string(table, device);
    if (!st)
        st = t2t_table_add_string(table, text);
    if (!st)
        st = t2t_table_add_unsigned(table, ns);
    if (!st)
        st = t2t_table_add_real(table, tt_percent(ns, total));
    return st ? no_memory(err) : T2T_OK;
}

/* Adds the eight rows of the intervals at `v`, which come by start. */
static enum t2t_status add_block(t2t_table *table, struct t2t_text device,
                                 const struct interval *v, uint32_t count,
                                 struct t2t_error *err)
{
    struct cover one[MEMCPY + 1] = {{0}};
    struct cover kernels = {0}; /* computing and communication */
    struct cover all = {0};
    enum t2t_status st = T2T_OK;
    uint64_t total;

    for (uint32_t i = 0; i < count; i++) {
        if (v[i].end_ns <= v[i].start_ns)
            continue;
        cover_add(&one[v[i].bucket], &v[i]);
        cover_add(&all, &v[i]);
        if (v[i].bucket != MEMCPY)
            cover_add(&kernels, &v[i]);
    }
    total = (uint64_t)all.end_ns - (uint64_t)all.start_ns;
    const struct {
        const char *type;
        uint64_t ns;
    } rows[] = {
        {"computation_time", one[COMPUTE].ns},
        {"exposed_comm_time", kernels.ns - one[COMPUTE].ns},
        {"exposed_memcpy_time", all.ns - kernels.ns},
        {"busy_time", all.ns},
        {"idle_time", total - all.ns},
        {"total_time", total},
        {"total_comm_time", one[COMMUNICATION].ns},
        {"total_memcpy_time", one[MEMCPY].ns},
    };
    for (size_t i = 0; !st && i < sizeof(rows) / sizeof(rows[0]); i++)
        st = add_row(table, device, rows[i].type, rows[i].ns, total, err);
    return st;
}

static enum t2t_status add_blocks(struct timeline *t, t2t_table *table,
                                  struct t2t_error *err)
{
    const struct interval *v;
    enum t2t_status st;

    if (t->count)
        qsort(t->interval, t->count, sizeof(*t->interval), compare_starts);
    st = add_block(table, (struct t2t_text){"all", 3}, t->interval, t->count,
                   err);
    if (!st)
        st = group_by_device(t, err);
    v = t->interval;
    for (uint32_t d = 0; !st && d < t->device_count; d++) {
        if (!t->device[d].count)
            continue;
        st = add_block(table, t->device[d].label, v, t->device[d].count, err);
        v += t->device[d].count;
    }
    return st;
}

/* Says what was left out, and how much. */
static enum t2t_status add_selection(const struct timeline *t, t2t_table *table,
                                     struct t2t_error *err)
{
    char number[16];
    uint32_t all;
    enum t2t_status st = t2t_table_select(table, "linked_only", "true");

    (void)t2t_index_gpu_nodes(t->index, &all);
    (void)snprintf(number, sizeof(number), "%" PRIu32, t->count);
    if (!st)
        st = t2t_table_select(table, "gpu_events", number);
    (void)snprintf(number, sizeof(number), "%" PRIu32, all);
    if (!st)
        st = t2t_table_select(table, "gpu_events_of", number);
    return st ? no_memory(err) : T2T_OK;
}

enum t2t_status t2t_timeline(const t2t_index *index,
                             const struct t2t_selection *selection,
                             t2t_table **out, struct t2t_error *err)
{
    bool linked_only = selection && selection->linked_only;
    struct timeline t = {.index = index};
    struct t2t_index_info info;
    t2t_table *table = NULL;
    enum t2t_status st;

    t2t_index_will_scan(index);
    t2t_index_info(index, &info);
    t.string_count = info.string_count;
    st = read_devices(&t, info.lane_count, err);
    if (!st)
        st = read_events(&t, linked_only, err);
    if (!st)
        st = t2t_table_create(&table, "timeline", columns,
                              sizeof(columns) / sizeof(columns[0]), err);
    if (!st && linked_only)
        st = add_selection(&t, table, err);
    if (!st)
        st = add_blocks(&t, table, err);
    free(t.interval);
    free(t.device);
    free(t.lane_device);
    free(t.decided);
    if (st) {
        t2t_table_free(table);
        return st;
    }
    *out = table;
    return T2T_OK;
}
