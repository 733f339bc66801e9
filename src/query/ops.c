/* ops.c - GPU time by what launched it. */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include "query/columns.h"
#include "query/group.h"
#include "query/launcher.h"
#include "query/place.h"
#include "query/ratio.h"
#include "query/recompute.h"
#include "query/row.h"
#include "query/said.h"

/* All that a table is made of. */
struct ops {
    struct tt_gpu gpu;
    struct tt_launchers launchers;
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_recompute again;
    bool recompute;  /* whether it is told apart */
    t2t_id *modules; /* of each node the nearest module frame; owned; only of
                        the table by module */
};

/* What all launchers of a group have in common, beside what it is by. */
struct key {
    uint32_t is_recomputed;
    uint32_t by;
};

/* The launcher of row `i` of those in order. */
static const struct tt_launcher *in_order(const struct ops *o, uint32_t i)
{
    return &o->launchers.item[o->launchers.order[i]];
}

/* Ranks the groups: by time, then by the place of the member that starts
 * first. */
static enum t2t_status rank(struct ops *o, struct t2t_error *err)
{
    struct tt_groups *g = &o->groups;
    t2t_id *id = malloc(((size_t)g->count + 1) * sizeof(*id));
    uint32_t *place = malloc(((size_t)g->count + 1) * sizeof(*place));
    enum t2t_status st = tt_groups_collect(g, err);

    if (!st && (!id || !place))
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < g->count; i++)
        id[i] = in_order(o, g->item[i].first)->id;
    if (!st)
        st = tt_places(o->gpu.index, id, g->count, place, err);
    for (uint32_t i = 0; !st && i < g->count; i++)
        g->item[i].place = place[i];
    if (!st)
        tt_groups_rank(g);
    free(id);
    free(place);
    return st;
}

static enum t2t_status open_rows(struct ops *o, const struct tt_kind *kind,
                                 struct t2t_error *err)
{
    return tt_rows_open(&o->rows, kind, !o->recompute, 0, err);
}

/* Whether a launcher computes again, where that is asked for. */
static uint32_t is_recomputed(const struct ops *o, const struct tt_launcher *l)
{
    return o->recompute && tt_is_recomputed(&o->again, l->id);
}

/* Begins the row of a launcher, or of the first of a group. */
static void begin_row(struct ops *o, const struct tt_launcher *l)
{
    if (o->recompute)
        tt_row_text(&o->rows, t2t_text_of(is_recomputed(o, l) ? "yes" : "no"));
}

/* first_index, percent, cumulative_percent. */
static void add_share(struct ops *o, const struct tt_group *g,
                      unsigned __int128 *running)
{
    *running += g->amount;
    tt_row_unsigned(&o->rows, g->place);
    tt_row_real(&o->rows, tt_percent(g->amount, o->groups.total));
    tt_row_real(&o->rows, tt_percent(*running, o->groups.total));
}

/* Of all members of a group. */
static uint64_t subtree_sum(const struct ops *o, const struct tt_group *g)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < g->count; i++)
        sum = tt_sum(sum,
                     in_order(o, o->groups.member[g->start + i])->subtree_ns);
    return sum;
}

/* ---- by one property of a launcher --------------------------------------- */

/* How launchers are grouped. */
struct grouping {
    const struct tt_kind *kind;
    uint32_t (*key)(const struct ops *o, const struct tt_launcher *l);
    void (*add)(struct ops *o, const struct tt_group *g); /* the cells before
                                                             the count */
    bool subtree; /* whether there is such a column */
};

static enum t2t_status by_key(struct ops *o, const struct grouping *by,
                              struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    unsigned __int128 running = 0;

    for (uint32_t i = 0; !st && i < o->launchers.row_count; i++) {
        const struct tt_launcher *l = in_order(o, i);
        struct key key = {is_recomputed(o, l), by->key(o, l)};

        st = tt_groups_add(&o->groups, &key, sizeof(key), l->direct_ns, err);
    }
    if (!st)
        st = rank(o, err);
    if (!st)
        st = open_rows(o, by->kind, err);
    for (uint32_t i = 0; !st && i < o->groups.count; i++) {
        const struct tt_group *g = &o->groups.item[i];

        begin_row(o, in_order(o, g->first));
        by->add(o, g);
        tt_row_unsigned(&o->rows, g->count);
        tt_row_sum(&o->rows, g->amount);
        if (by->subtree)
            tt_row_unsigned(&o->rows, subtree_sum(o, g));
        add_share(o, g, &running);
    }
    return st;
}

/* ---- by launcher --------------------------------------------------------- */

#define NAME                                                                   \
    {                                                                          \
        .name = "name", .type = T2T_STRING, .flags = T2T_COLUMN_CUT,           \
        .help = "of the launcher; (unlinked): a GPU event without a launch"    \
    }

static const struct t2t_table_column launcher_columns[] = {
    TT_COLUMN_RECOMPUTE,
    {.name = "index", .type = T2T_INTEGER, .help = "place in traceEvents"},
    NAME,
    TT_COLUMN_CATEGORY(1),
    TT_COLUMN_DIRECT,
    TT_COLUMN_SUBTREE,
    {.name = "direct_kernels",
     .type = T2T_INTEGER,
     .heading = "kernels",
     .flags = T2T_COLUMN_TOTAL,
     .help = "how many GPU events it launched, no communication"},
};

const struct tt_kind tt_kind_launchers = TT_KIND("launchers", launcher_columns);

static enum t2t_status by_launcher(struct ops *o, struct t2t_error *err)
{
    uint32_t count = o->launchers.row_count;
    t2t_id *id = malloc(((size_t)count + 1) * sizeof(*id));
    uint32_t *place = malloc(((size_t)count + 1) * sizeof(*place));
    enum t2t_status st = T2T_OK;

    if (!id || !place)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        id[i] = in_order(o, i)->id;
    if (!st)
        st = tt_places(o->gpu.index, id, count, place, err);
    if (!st)
        st = open_rows(o, &tt_kind_launchers, err);
    for (uint32_t i = 0; !st && i < count; i++) {
        const struct tt_launcher *l = in_order(o, i);

        begin_row(o, l);
        tt_row_unsigned(&o->rows, place[i]);
        tt_row_text(&o->rows, tt_launcher_name(&o->launchers, l->name));
        tt_row_text(&o->rows, tt_op_category_text(l->category));
        tt_row_unsigned(&o->rows, l->direct_ns);
        tt_row_unsigned(&o->rows, l->subtree_ns);
        tt_row_unsigned(&o->rows, l->direct_count);
    }
    free(id);
    free(place);
    return st;
}

/* ---- by category --------------------------------------------------------- */

static const struct t2t_table_column category_columns[] = {
    TT_COLUMN_RECOMPUTE,          TT_COLUMN_CATEGORY(0),
    TT_COLUMN_COUNT("launchers"), TT_COLUMN_DIRECT,
    TT_COLUMN_FIRST_LAUNCHER,     TT_COLUMN_DIRECT_PERCENT,
    TT_COLUMN_CUMULATIVE,
};

const struct tt_kind tt_kind_ops_by_category =
    TT_KIND("ops-by-category", category_columns);

static uint32_t category_key(const struct ops *o, const struct tt_launcher *l)
{
    (void)o;
    return l->category;
}

static void add_category(struct ops *o, const struct tt_group *g)
{
    tt_row_text(&o->rows, tt_op_category_text(in_order(o, g->first)->category));
}

static const struct grouping by_category = {&tt_kind_ops_by_category,
                                            category_key, add_category, false};

/* ---- by name ------------------------------------------------------------- */

static const struct t2t_table_column name_columns[] = {
    TT_COLUMN_RECOMPUTE,
    NAME,
    {.name = "categories",
     .type = T2T_STRING,
     .hide = 3,
     .help = "of launchers of that name, a JSON list"},
    TT_COLUMN_COUNT("launchers"),
    TT_COLUMN_DIRECT,
    TT_COLUMN_SUBTREE,
    TT_COLUMN_FIRST_LAUNCHER,
    TT_COLUMN_DIRECT_PERCENT,
    TT_COLUMN_CUMULATIVE,
};

const struct tt_kind tt_kind_ops_by_name = TT_KIND("ops-by-name", name_columns);

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

#define CATEGORIES_MAX 1024 /* of all of them as JSON */

/* The categories of a group as a JSON list in their order. */
static struct t2t_text list_categories(const struct ops *o,
                                       const struct tt_group *g,
                                       char out[CATEGORIES_MAX])
{
    const char *name[TT_OP_CATEGORIES];
    bool seen[TT_OP_CATEGORIES] = {false};
    size_t count = 0;
    size_t len = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t member = o->groups.member[g->start + i];
        uint8_t category = in_order(o, member)->category;

        if (!seen[category])
            name[count++] =
                tt_op_category_text((enum tt_op_category)category).ptr;
        seen[category] = true;
    }
    qsort(name, count, sizeof(*name), compare_texts);
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(out + len, CATEGORIES_MAX - len, "%s\"%s\"",
                         i ? "," : "[", name[i]);

        len += n > 0 ? (size_t)n : 0;
    }
    out[len++] = ']';
    return (struct t2t_text){out, len};
}

static uint32_t name_key(const struct ops *o, const struct tt_launcher *l)
{
    (void)o;
    return l->name;
}

static void add_name(struct ops *o, const struct tt_group *g)
{
    char categories[CATEGORIES_MAX];

    tt_row_text(&o->rows,
                tt_launcher_name(&o->launchers, in_order(o, g->first)->name));
    tt_row_text(&o->rows, list_categories(o, g, categories));
}

static const struct grouping by_name = {&tt_kind_ops_by_name, name_key,
                                        add_name, true};

/* ---- by arguments -------------------------------------------------------- */

#define ARGUMENTS 4

static const char *const argument_keys[ARGUMENTS] = {"Input Dims", "Input type",
                                                     "Input Strides",
                                                     "Concrete Inputs"};

static const struct t2t_table_column args_columns[] = {
    TT_COLUMN_RECOMPUTE,
    NAME,
    TT_COLUMN_CATEGORY(9),
    {.name = "process_name",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "of the launcher's pid, the last in the trace; Unknown"},
    {.name = "thread_name",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "of the launcher's tid, the last in the trace; Unknown"},
    {.name = "input_dims",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "argument Input Dims, as JSON; null: it has none"},
    {.name = "input_type",
     .type = T2T_STRING,
     .hide = 3,
     .help = "argument Input type, likewise"},
    {.name = "input_strides",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "argument Input Strides, likewise"},
    {.name = "concrete_inputs",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "argument Concrete Inputs, likewise"},
    TT_COLUMN_COUNT("launchers"),
    {.name = "direct_ns_sum",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .heading = "direct",
     .help = "direct_ns of the launchers, added up"},
    {.name = "direct_ns_mean",
     .unit = "ns",
     .type = T2T_REAL,
     .heading = "mean",
     .hide = 1,
     .help = "mean of direct_ns"},
    {.name = "direct_ns_median",
     .unit = "ns",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "median of direct_ns, of the two middle ones the mean"},
    {.name = "direct_ns_std",
     .unit = "ns",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "deviation of a sample (n - 1) of direct_ns; empty for one"},
    {.name = "direct_ns_min",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "least direct_ns"},
    {.name = "direct_ns_max",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "largest direct_ns"},
    {.name = "subtree_ns_sum",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "subtree_ns of the launchers, added up"},
    {.name = "subtree_ns_mean",
     .unit = "ns",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "mean of subtree_ns"},
    {.name = "subtree_ns_median",
     .unit = "ns",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "median of subtree_ns, of the two middle ones the mean"},
    {.name = "subtree_ns_std",
     .unit = "ns",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "deviation of a sample (n - 1) of subtree_ns; empty for one"},
    {.name = "subtree_ns_min",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "least subtree_ns"},
    {.name = "subtree_ns_max",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_HIDDEN,
     .help = "largest subtree_ns"},
    TT_COLUMN_FIRST_LAUNCHER,
    TT_COLUMN_DIRECT_PERCENT,
    TT_COLUMN_CUMULATIVE,
};

const struct tt_kind tt_kind_ops_by_args = TT_KIND("ops-by-args", args_columns);

/* What launchers of a group have in common. */
struct signature {
    uint32_t is_recomputed;
    uint32_t name;
    uint32_t category;
    uint32_t process; /* numbers of texts, as are the arguments */
    uint32_t thread;
    uint32_t argument[ARGUMENTS];
};

/* Names of processes and threads by lane, as numbers of texts. */
struct lane_names {
    uint32_t process;
    uint32_t thread;
};

static uint32_t number_of(struct tt_intern *texts, struct t2t_text name)
{
    if (!name.ptr)
        name = t2t_text_of("Unknown");
    return tt_intern_add(texts, name.ptr, name.len);
}

static enum t2t_status name_lanes(const t2t_index *index,
                                  struct tt_intern *texts,
                                  struct lane_names **out,
                                  struct t2t_error *err)
{
    struct t2t_index_info info;
    struct lane_names *names;

    t2t_index_info(index, &info);
    names = calloc((size_t)info.lane_count + 1, sizeof(*names));
    if (!names)
        return tt_no_memory(err);
    *out = names;
    for (uint32_t i = 0; i < info.lane_count; i++) {
        struct t2t_lane lane;

        if (t2t_index_lane(index, i, &lane))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "lane %u holds an impossible value", i);
        names[i].process = number_of(texts, lane.process_name);
        names[i].thread = number_of(texts, lane.thread_name);
        if (names[i].process == TT_INTERN_FAILED ||
            names[i].thread == TT_INTERN_FAILED)
            return tt_no_memory(err);
    }
    return T2T_OK;
}

/* Groups by signature; signature[i] is that of launcher `i` in order. */
static enum t2t_status group_by_signature(struct ops *o,
                                          struct signature *signature,
                                          struct tt_intern *texts,
                                          struct t2t_error *err)
{
    uint32_t count = o->launchers.row_count;
    t2t_id *id = malloc(((size_t)count + 1) * sizeof(*id));
    uint32_t *said = malloc(((size_t)count + 1) * ARGUMENTS * sizeof(*said));
    struct lane_names *lanes = NULL;
    enum t2t_status st = name_lanes(o->gpu.index, texts, &lanes, err);

    if (!st && (!id || !said))
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        id[i] = in_order(o, i)->is_unlinked ? T2T_NO_ID : in_order(o, i)->id;
    if (!st)
        st = tt_said(o->gpu.index, id, count, argument_keys, ARGUMENTS, texts,
                     said, err);
    for (uint32_t i = 0; !st && i < count; i++) {
        const struct tt_launcher *l = in_order(o, i);
        struct signature *s = &signature[i];

        *s = (struct signature){.is_recomputed = is_recomputed(o, l),
                                .name = l->name,
                                .category = l->category,
                                .process = lanes[l->lane].process,
                                .thread = lanes[l->lane].thread};
        memcpy(s->argument, said + (size_t)i * ARGUMENTS, sizeof(s->argument));
        st = tt_groups_add(&o->groups, s, sizeof(*s), l->direct_ns, err);
    }
    free(id);
    free(said);
    free(lanes);
    return st;
}

/* Adds the row of a group; `value` has room for the times of its members. */
static void add_signature(struct ops *o, const struct tt_group *g,
                          const struct signature *s,
                          const struct tt_intern *texts, uint64_t *value)
{
    struct tt_rows *r = &o->rows;
    struct tt_summary summary;

    begin_row(o, in_order(o, g->first));
    tt_row_text(r, tt_launcher_name(&o->launchers, s->name));
    tt_row_text(r, tt_op_category_text((enum tt_op_category)s->category));
    tt_row_text(r, tt_said_text(texts, s->process));
    tt_row_text(r, tt_said_text(texts, s->thread));
    for (size_t k = 0; k < ARGUMENTS; k++)
        tt_row_text(r, tt_said_text(texts, s->argument[k]));
    tt_row_unsigned(r, g->count);
    for (uint32_t i = 0; i < g->count; i++)
        value[i] = in_order(o, o->groups.member[g->start + i])->direct_ns;
    tt_summarize(&summary, value, g->count);
    tt_row_summary(r, &summary);
    for (uint32_t i = 0; i < g->count; i++)
        value[i] = in_order(o, o->groups.member[g->start + i])->subtree_ns;
    tt_summarize(&summary, value, g->count);
    tt_row_summary(r, &summary);
}

static enum t2t_status by_args(struct ops *o, struct t2t_error *err)
{
    uint32_t count = o->launchers.row_count;
    struct signature *signature =
        malloc(((size_t)count + 1) * sizeof(*signature));
    uint64_t *value = malloc(((size_t)count + 1) * sizeof(*value));
    struct tt_intern texts = {.count = 0};
    enum t2t_status st = T2T_OK;
    unsigned __int128 running = 0;

    if (!signature || !value)
        st = tt_no_memory(err);
    if (!st)
        st = group_by_signature(o, signature, &texts, err);
    if (!st)
        st = rank(o, err);
    if (!st)
        st = open_rows(o, &tt_kind_ops_by_args, err);
    for (uint32_t i = 0; !st && i < o->groups.count; i++) {
        const struct tt_group *g = &o->groups.item[i];

        add_signature(o, g, &signature[g->first], &texts, value);
        add_share(o, g, &running);
    }
    tt_intern_release(&texts);
    free(signature);
    free(value);
    return st;
}

/* ---- by module ----------------------------------------------------------- */

static const struct t2t_table_column module_columns[] = {
    TT_COLUMN_RECOMPUTE,
    {.name = "module",
     .type = T2T_STRING,
     .flags = T2T_COLUMN_CUT,
     .help = "name of the nearest nn.Module frame above; (no module)"},
    TT_COLUMN_COUNT("launchers"),
    TT_COLUMN_DIRECT,
    TT_COLUMN_SUBTREE,
    TT_COLUMN_FIRST_LAUNCHER,
    TT_COLUMN_DIRECT_PERCENT,
    TT_COLUMN_CUMULATIVE,
};

const struct tt_kind tt_kind_ops_by_module =
    TT_KIND("ops-by-module", module_columns);

/* The name of the nearest module frame above, as a string; T2T_NO_ID: none. */
static uint32_t module_key(const struct ops *o, const struct tt_launcher *l)
{
    t2t_id module = o->modules[l->id];
    struct t2t_element e;

    if (module == T2T_NO_ID || t2t_index_element(o->gpu.index, module, &e))
        return T2T_NO_ID;
    return e.name;
}

static void add_module(struct ops *o, const struct tt_group *g)
{
    uint32_t name = module_key(o, in_order(o, g->first));

    tt_row_text(&o->rows, name == T2T_NO_ID
                              ? t2t_text_of("(no module)")
                              : t2t_index_string(o->gpu.index, name));
}

static const struct grouping by_module = {&tt_kind_ops_by_module, module_key,
                                          add_module, true};

static enum t2t_status find_modules(struct ops *o, struct t2t_error *err)
{
    struct t2t_index_info info;

    t2t_index_info(o->gpu.index, &info);
    o->modules = malloc(((size_t)info.node_count + 1) * sizeof(*o->modules));
    if (!o->modules)
        return tt_no_memory(err);
    return t2t_index_all_modules(o->gpu.index, o->modules, err);
}

/* -------------------------------------------------------------------------- */

static enum t2t_status make_table(struct ops *o, enum t2t_ops_by by,
                                  struct t2t_error *err)
{
    enum t2t_status st;

    switch (by) {
    case T2T_OPS_BY_CATEGORY:
        return by_key(o, &by_category, err);
    case T2T_OPS_BY_NAME:
        return by_key(o, &by_name, err);
    case T2T_OPS_BY_ARGS:
        return by_args(o, err);
    case T2T_OPS_BY_MODULE:
        st = find_modules(o, err);
        return st ? st : by_key(o, &by_module, err);
    case T2T_OPS_BY_LAUNCHER:
        return by_launcher(o, err);
    }
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no such table");
}

enum t2t_status t2t_ops(const t2t_index *index,
                        const struct t2t_selection *selection,
                        enum t2t_ops_by by, bool recompute, t2t_table **out,
                        struct t2t_error *err)
{
    struct ops o = {.rows = {NULL, T2T_OK}, .recompute = recompute};
    enum t2t_status st = tt_gpu_read(&o.gpu, index, selection, err);

    if (!st)
        st = tt_launchers_find(&o.launchers, &o.gpu, err);
    if (!st)
        st = recompute ? tt_recompute_find(&o.again, index, err) : T2T_OK;
    if (!st)
        st = make_table(&o, by, err);
    if (!st)
        st = tt_gpu_describe(&o.gpu, selection, o.rows.table, err);
    free(o.modules);
    tt_recompute_release(&o.again);
    tt_groups_release(&o.groups);
    tt_launchers_release(&o.launchers);
    tt_gpu_release(&o.gpu);
    return tt_rows_close(&o.rows, st, out, err);
}
