/* kernels.c - durations of GPU events by name, stream and what launched them.
 */
#include <trace2tree/analyze.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace2tree/kernel_name.h>

#include "query/columns.h"
#include "query/device.h"
#include "query/group.h"
#include "query/launcher.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/row.h"
#include "query/said.h"

#define LAUNCHER                                                               \
    {                                                                          \
        .name = "launcher", .type = T2T_STRING, .flags = T2T_COLUMN_CUT,       \
        .help = "the nearest operation above the launch, else the launch"      \
    }

#define KERNEL                                                                 \
    {                                                                          \
        .name = "kernel", .type = T2T_STRING, .flags = T2T_COLUMN_CUT,         \
        .help = "name of the GPU event"                                        \
    }

#define PERCENT                                                                \
    {                                                                          \
        .name = "percent", .unit = "%", .type = T2T_REAL,                      \
        .flags = T2T_COLUMN_BAR,                                               \
        .help = "share of the durations of all GPU events, short or not"       \
    }

/* What all of these tables end with. */
#define DURATIONS                                                              \
    TT_COLUMN_COUNT("GPU events"), TT_COLUMN_SUM, TT_COLUMN_MEAN,              \
        TT_COLUMN_MIN, TT_COLUMN_MAX, TT_COLUMN_FIRST_EVENT, PERCENT

static const struct t2t_table_column all_columns[] = {
    TT_COLUMN_CATEGORY(9), LAUNCHER, KERNEL, TT_COLUMN_STREAM, DURATIONS,
};

static const struct t2t_table_column name_columns[] = {
    KERNEL,
    {.name = "base_name",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "without result, template arguments and parameters"},
    {.name = "family",
     .type = T2T_STRING,
     .hide = 7,
     .help = "whose kernel it is, such as cutlass, triton, at-native"},
    {.name = "transpose",
     .type = T2T_STRING,
     .hide = 8,
     .help = "of a GEMM's A and B: N not, T transposed, ? not known"},
    {.name = "tile",
     .type = T2T_STRING,
     .hide = 6,
     .help = "of a GEMM: rows x columns x depth"},
    {.name = "dtype",
     .type = T2T_STRING,
     .hide = 5,
     .help = "of a GEMM: numbers of A and B -> of the result"},
    DURATIONS,
};

static const struct t2t_table_column op_columns[] = {
    TT_COLUMN_CATEGORY(9),
    LAUNCHER,
    DURATIONS,
};

static const struct t2t_table_column stream_columns[] = {
    {.name = "device", .type = T2T_STRING, .help = "pid of the GPU"},
    TT_COLUMN_STREAM,
    DURATIONS,
};

static const struct t2t_table_column category_columns[] = {
    TT_COLUMN_CATEGORY(0),
    DURATIONS,
};

static const struct t2t_table_column duration_columns[] = {
    {.name = "duration",
     .type = T2T_STRING,
     .help = "from the first time on, up to the second"},
    {.name = "from_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "the first of them"},
    {.name = "to_ns",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "the second"},
    TT_COLUMN_COUNT("GPU events"),
    {.name = "count_percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .heading = "of count",
     .help = "share of all GPU events, short or not"},
    TT_COLUMN_SUM,
    PERCENT,
};

const struct tt_kind tt_kind_kernels = TT_KIND("kernels", all_columns);
const struct tt_kind tt_kind_kernels_by_name =
    TT_KIND("kernels-by-name", name_columns);
const struct tt_kind tt_kind_kernels_by_op =
    TT_KIND("kernels-by-op", op_columns);
const struct tt_kind tt_kind_kernels_by_stream =
    TT_KIND("kernels-by-stream", stream_columns);
const struct tt_kind tt_kind_kernels_by_category =
    TT_KIND("kernels-by-category", category_columns);
const struct tt_kind tt_kind_kernels_by_duration =
    TT_KIND("kernels-by-duration", duration_columns);

/* What the events of a row have in common; 0 where it does not matter. */
struct common {
    uint32_t category;
    uint32_t launcher; /* its name */
    uint32_t kernel;   /* name */
    uint32_t device;
    uint32_t stream; /* number of a text */
};

/* Which of these a table is by. */
struct view {
    const struct tt_kind *kind;
    bool category;
    bool launcher;
    bool kernel;
    bool facts; /* and what the kernel's name says */
    bool device;
    bool stream;
};

static const struct view views[] = {
    [T2T_KERNELS_BY_ALL] = {.kind = &tt_kind_kernels,
                            .category = true,
                            .launcher = true,
                            .kernel = true,
                            .stream = true},
    [T2T_KERNELS_BY_NAME] = {.kind = &tt_kind_kernels_by_name,
                             .kernel = true,
                             .facts = true},
    [T2T_KERNELS_BY_OP] = {.kind = &tt_kind_kernels_by_op,
                           .category = true,
                           .launcher = true},
    [T2T_KERNELS_BY_STREAM] = {.kind = &tt_kind_kernels_by_stream,
                               .device = true,
                               .stream = true},
    [T2T_KERNELS_BY_CATEGORY] = {.kind = &tt_kind_kernels_by_category,
                                 .category = true},
};

struct kernels {
    const struct view *view;
    struct tt_gpu gpu;
    struct tt_launchers launchers;
    struct tt_devices devices;
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_intern texts;
    unsigned __int128
        total_ns;          /* of all events, also those that are not taken */
    uint32_t count;        /* of those that are taken: */
    uint32_t *event;       /* places in gpu.event; owned */
    t2t_id *id;            /* owned */
    uint32_t *stream;      /* numbers of texts; then places; owned */
    struct common *common; /* owned */
};

/* Takes the events that are shorter than that; 0: all. */
static enum t2t_status take(struct kernels *k, uint64_t shorter_than_ns,
                            struct t2t_error *err)
{
    size_t room = (size_t)k->gpu.count + 1;

    k->event = malloc(room * sizeof(*k->event));
    k->id = malloc(room * sizeof(*k->id));
    k->stream = calloc(room, sizeof(*k->stream));
    k->common = calloc(room, sizeof(*k->common));
    if (!k->event || !k->id || !k->stream || !k->common)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < k->gpu.count; i++) {
        uint64_t ns = tt_gpu_ns(&k->gpu.event[i]);

        k->total_ns += ns;
        if (shorter_than_ns && ns >= shorter_than_ns)
            continue;
        k->event[k->count] = i;
        k->id[k->count++] = k->gpu.event[i].id;
    }
    return T2T_OK;
}

/* Fills what matters of the i-th event that is taken, all zero at first. */
static enum t2t_status read_common(const struct kernels *k, uint32_t i,
                                   struct common *c, struct t2t_error *err)
{
    const struct view *v = k->view;
    const struct tt_gpu_event *e = &k->gpu.event[k->event[i]];
    const struct tt_launcher *l =
        &k->launchers.item[k->launchers.of[k->event[i]]];
    enum t2t_status st = T2T_OK;

    if (v->category)
        c->category = l->category;
    if (v->launcher)
        c->launcher = l->name;
    if (v->kernel)
        c->kernel = e->name == T2T_NO_ID ? k->launchers.unnamed : e->name;
    if (v->device)
        st = tt_device_of(&k->devices, e->lane, e->id, &c->device, err);
    if (v->stream)
        c->stream = k->stream[i];
    return st;
}

static enum t2t_status make_groups(struct kernels *k, struct t2t_error *err)
{
    static const char *const key[] = {"stream"};
    enum t2t_status st = T2T_OK;

    if (k->view->device)
        st = tt_devices_read(&k->devices, k->gpu.index, err);
    if (!st && k->view->stream)
        st = tt_said(k->gpu.index, k->id, k->count, key, 1, &k->texts,
                     k->stream, err);
    for (uint32_t i = 0; !st && i < k->count; i++) {
        st = read_common(k, i, &k->common[i], err);
        if (!st)
            st = tt_groups_add(&k->groups, &k->common[i], sizeof(k->common[i]),
                               tt_gpu_ns(&k->gpu.event[k->event[i]]), err);
    }
    if (!st)
        st = tt_groups_collect(&k->groups, err);
    if (!st)
        st = tt_places(k->gpu.index, k->id, k->count, k->stream, err);
    if (!st)
        tt_groups_rank_by_place(&k->groups, k->stream);
    tt_groups_trim(&k->groups);
    tt_launchers_trim(&k->launchers);
    free(k->id);
    free(k->stream);
    k->id = NULL;
    k->stream = NULL;
    return st;
}

/* Adds what a kernel's name says. */
static void add_facts(struct kernels *k, struct t2t_text name)
{
    struct t2t_kernel_name said;
    char room[T2T_KERNEL_TEXT_MAX];

    t2t_kernel_name_parse(name, &said);
    for (int c = 0; c < T2T_KERNEL_COLUMNS; c++) {
        struct t2t_text text =
            t2t_kernel_name_text(&said, (enum t2t_kernel_column)c, room);

        if (text.len)
            tt_row_text(&k->rows, text);
        else
            tt_row_null(&k->rows);
    }
}

static void add_row(struct kernels *k, const struct tt_group *g)
{
    const struct common *c = &k->common[g->first];
    const struct view *v = k->view;
    struct tt_rows *r = &k->rows;
    uint64_t min_ns = UINT64_MAX;
    uint64_t max_ns = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t member = k->groups.member[g->start + i];
        uint64_t ns = tt_gpu_ns(&k->gpu.event[k->event[member]]);

        min_ns = ns < min_ns ? ns : min_ns;
        max_ns = ns > max_ns ? ns : max_ns;
    }
    if (v->category)
        tt_row_text(r, tt_op_category_text((enum tt_op_category)c->category));
    if (v->launcher)
        tt_row_text(r, tt_launcher_name(&k->launchers, c->launcher));
    if (v->kernel)
        tt_row_text(r, tt_launcher_name(&k->launchers, c->kernel));
    if (v->facts)
        add_facts(k, tt_launcher_name(&k->launchers, c->kernel));
    if (v->device)
        tt_row_text(r, k->devices.item[c->device].label);
    if (v->stream)
        tt_row_text(r, tt_said_text(&k->texts, c->stream));
    tt_row_unsigned(r, g->count);
    tt_row_sum(r, g->amount);
    tt_row_real(r, tt_ratio(g->amount, g->count));
    tt_row_unsigned(r, min_ns);
    tt_row_unsigned(r, max_ns);
    tt_row_unsigned(r, g->place);
    tt_row_real(r, tt_percent(g->amount, k->total_ns));
}

static enum t2t_status by_view(struct kernels *k, const struct view *view,
                               struct t2t_error *err)
{
    enum t2t_status st;

    k->view = view;
    st = tt_launchers_find(&k->launchers, &k->gpu, err);
    if (!st)
        st = make_groups(k, err);
    if (!st)
        st = tt_rows_open(&k->rows, view->kind, 0, 0, err);
    for (uint32_t i = 0; !st && i < k->groups.count; i++)
        add_row(k, &k->groups.item[i]);
    return st;
}

/* ---- by duration --------------------------------------------------------- */

/* They begin at 0 and 1, 2, 5, 10, 20, 50 and so on to 10^19 ns. */
#define BINS 59u

struct bin {
    uint64_t from_ns;
    uint64_t count;
    unsigned __int128 sum_ns;
};

/* The last ends with the longest duration there can be. */
static void make_bins(struct bin bin[BINS + 1])
{
    static const unsigned steps[] = {1, 2, 5};
    uint64_t unit = 1;

    bin[0] = (struct bin){.from_ns = 0};
    for (unsigned i = 0; i < BINS - 1; i++) {
        bin[i + 1] = (struct bin){.from_ns = steps[i % 3] * unit};
        if (i % 3 == 2)
            unit *= 10;
    }
    bin[BINS] = (struct bin){.from_ns = UINT64_MAX};
}

/* Writes a limit, which is 1, 2 or 5 times a power of ten, such as 20us. */
static void write_limit(char *to, size_t room, uint64_t ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t u = 0;

    for (; ns && ns % 1000 == 0 && u < 3; u++)
        ns /= 1000;
    (void)snprintf(to, room, "%" PRIu64 "%s", ns, units[u]);
}

static void add_bin(struct kernels *k, const struct bin *bin)
{
    char from[32];
    char to[32];
    char text[sizeof(from) + sizeof(to) + 8];

    write_limit(from, sizeof(from), bin->from_ns);
    write_limit(to, sizeof(to), bin[1].from_ns);
    (void)snprintf(text, sizeof(text), "%s to %s", from, to);
    tt_row_text(&k->rows, t2t_text_of(text));
    tt_row_unsigned(&k->rows, bin->from_ns);
    tt_row_unsigned(&k->rows, bin[1].from_ns);
    tt_row_unsigned(&k->rows, bin->count);
    tt_row_real(&k->rows, tt_percent(bin->count, k->gpu.count));
    tt_row_sum(&k->rows, bin->sum_ns);
    tt_row_real(&k->rows, tt_percent(bin->sum_ns, k->total_ns));
}

static enum t2t_status by_duration(struct kernels *k, struct t2t_error *err)
{
    struct bin bin[BINS + 1];
    unsigned first = BINS;
    unsigned last = 0;
    enum t2t_status st;

    make_bins(bin);
    for (uint32_t i = 0; i < k->count; i++) {
        uint64_t ns = tt_gpu_ns(&k->gpu.event[k->event[i]]);
        unsigned b = 0;

        while (b + 1 < BINS && bin[b + 1].from_ns <= ns)
            b++;
        bin[b].count++;
        bin[b].sum_ns += ns;
        first = b < first ? b : first;
        last = b > last ? b : last;
    }
    st = tt_rows_open(&k->rows, &tt_kind_kernels_by_duration, 0, 0, err);
    for (unsigned b = first; !st && b <= last && k->count; b++)
        add_bin(k, &bin[b]);
    return st;
}

/* -------------------------------------------------------------------------- */

/* Says in the table which events were taken, and how many. */
static enum t2t_status describe(const struct kernels *k,
                                uint64_t shorter_than_ns, struct t2t_error *err)
{
    enum t2t_status st;
    char json[24];

    if (!shorter_than_ns)
        return T2T_OK;
    (void)snprintf(json, sizeof(json), "%" PRIu64, shorter_than_ns);
    st = t2t_table_select(k->rows.table, "shorter_than_ns", json);
    (void)snprintf(json, sizeof(json), "%" PRIu32, k->count);
    if (!st)
        st = t2t_table_select(k->rows.table, "short_gpu_events", json);
    return st ? tt_no_memory(err) : T2T_OK;
}

enum t2t_status t2t_kernels(const t2t_index *index,
                            const struct t2t_selection *selection,
                            enum t2t_kernels_by by, uint64_t shorter_than_ns,
                            t2t_table **out, struct t2t_error *err)
{
    struct kernels k = {.rows = {NULL, T2T_OK}};
    enum t2t_status st = tt_gpu_read(&k.gpu, index, selection, err);

    if (!st)
        st = take(&k, shorter_than_ns, err);
    if (!st && by == T2T_KERNELS_BY_DURATION)
        st = by_duration(&k, err);
    else if (!st && (size_t)by < sizeof(views) / sizeof(views[0]))
        st = by_view(&k, &views[by], err);
    else if (!st)
        st = tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no such table");
    if (!st)
        st = describe(&k, shorter_than_ns, err);
    if (!st)
        st = tt_gpu_describe(&k.gpu, selection, k.rows.table, err);
    free(k.common);
    free(k.stream);
    free(k.id);
    free(k.event);
    tt_intern_release(&k.texts);
    tt_groups_release(&k.groups);
    tt_devices_release(&k.devices);
    tt_launchers_release(&k.launchers);
    tt_gpu_release(&k.gpu);
    return tt_rows_close(&k.rows, st, out, err);
}
