/* collectives.c - communication kernels of one rank by what they exchange. */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include <trace2tree/cursor.h>

#include "query/columns.h"
#include "query/gpu.h"
#include "query/group.h"
#include "query/place.h"
#include "query/row.h"
#include "query/said.h"
#include "query/word.h"

/* The arguments that tell one exchange from another. */
enum {
    GROUP_NAME,
    GROUP_RANKS,
    COLLECTIVE_NAME,
    GROUP_SIZE,
    DTYPE,
    IN_NELEMS,
    OUT_NELEMS,
    IN_SPLIT,
    OUT_SPLIT,
    STREAM,
    KEYS
};

static const char *const keys[KEYS] = {
    [GROUP_NAME] = "Process Group Name",
    [GROUP_RANKS] = "Process Group Ranks",
    [COLLECTIVE_NAME] = "Collective name",
    [GROUP_SIZE] = "Group size",
    [DTYPE] = "dtype",
    [IN_NELEMS] = "In msg nelems",
    [OUT_NELEMS] = "Out msg nelems",
    [IN_SPLIT] = "In split size",
    [OUT_SPLIT] = "Out split size",
    [STREAM] = "stream",
};

static const struct t2t_table_column columns[] = {
    {.name = "process_group_name",
     .type = T2T_STRING,
     .hide = 1,
     .heading = "group",
     .help = "argument Process Group Name of the kernel, as JSON"},
    {.name = "process_group_ranks",
     .type = T2T_STRING,
     .hide = 8,
     .heading = "ranks",
     .help = "argument Process Group Ranks, likewise"},
    {.name = "collective_name",
     .type = T2T_STRING,
     .heading = "collective",
     .help = "argument Collective name; null, named cross_device_reduce: "
             "allreduce"},
    {.name = "group_size",
     .type = T2T_STRING,
     .hide = 3,
     .heading = "size",
     .help = "argument Group size"},
    {.name = "dtype", .type = T2T_STRING, .help = "argument dtype"},
    {.name = "in_msg_nelems",
     .type = T2T_STRING,
     .hide = 7,
     .heading = "in_nelems",
     .help = "argument In msg nelems"},
    {.name = "out_msg_nelems",
     .type = T2T_STRING,
     .hide = 7,
     .heading = "out_nelems",
     .help = "argument Out msg nelems"},
    {.name = "in_split_size",
     .type = T2T_STRING,
     .hide = 9,
     .help = "argument In split size"},
    {.name = "out_split_size",
     .type = T2T_STRING,
     .hide = 9,
     .help = "argument Out split size"},
    {.name = "stream",
     .type = T2T_STRING,
     .hide = 4,
     .help = "argument stream, as JSON"},
    {.name = "in_msg_bytes",
     .unit = "bytes",
     .type = T2T_INTEGER,
     .heading = "in",
     .help = "in_msg_nelems * bytes of dtype"},
    {.name = "out_msg_bytes",
     .unit = "bytes",
     .type = T2T_INTEGER,
     .hide = 2,
     .heading = "out",
     .help = "out_msg_nelems * bytes of dtype"},
    TT_COLUMN_COUNT("kernels"),
    TT_COLUMN_SUM,
    TT_COLUMN_MEAN,
    {.name = "std",
     .unit = "ns",
     .type = T2T_REAL,
     .hide = 6,
     .help = "deviation of a sample (n - 1); empty for one"},
    TT_COLUMN_MIN,
    TT_COLUMN_MAX,
    TT_COLUMN_FIRST_EVENT,
};

const struct tt_kind tt_kind_collectives = TT_KIND("collectives", columns);

struct collectives {
    struct tt_gpu gpu;
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_intern texts;
    uint32_t count;
    uint32_t *event; /* the exchanges: places in gpu.event; owned */
    t2t_id *id;      /* of each; owned */
    uint32_t *said;  /* numbers of texts of each, KEYS at a time; owned */
    uint32_t *place; /* of each; owned */
    uint64_t *value; /* room for the durations of all; owned */
};

/* Bytes an element takes, 0 when the type is none that is known. */
static unsigned element_bytes(struct t2t_text dtype)
{
    static const struct {
        const char *json;
        unsigned bytes;
    } known[] = {
        {"\"Float\"", 4},  {"\"Int\"", 4},  {"\"Long\"", 8},
        {"\"Double\"", 8}, {"\"Half\"", 2}, {"\"BFloat16\"", 2},
        {"\"Short\"", 2},  {"\"Bool\"", 1}, {"\"Byte\"", 1},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (t2t_text_equal(dtype, t2t_text_of(known[i].json)))
            return known[i].bytes;
    return 0;
}

/* Lists the kernels that communicate. */
static enum t2t_status list_events(struct collectives *c, struct t2t_error *err)
{
    size_t room = (size_t)c->gpu.count + 1;

    c->event = malloc(room * sizeof(*c->event));
    c->id = malloc(room * sizeof(*c->id));
    if (!c->event || !c->id)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < c->gpu.count; i++) {
        const struct tt_gpu_event *e = &c->gpu.event[i];

        if (e->bucket != TT_COMMUNICATION ||
            !t2t_text_equal(t2t_index_category(c->gpu.index, e->category),
                            t2t_text_of("kernel")))
            continue;
        c->event[c->count] = i;
        c->id[c->count++] = e->id;
    }
    return T2T_OK;
}

/* Names a collective without a name that its kernel names. */
static enum t2t_status name_collective(struct collectives *c, uint32_t i,
                                       struct t2t_error *err)
{
    uint32_t *name = &c->said[(size_t)i * KEYS + COLLECTIVE_NAME];
    struct t2t_text kernel =
        t2t_index_string(c->gpu.index, c->gpu.event[c->event[i]].name);

    if (!t2t_text_equal(tt_said_text(&c->texts, *name), t2t_text_of("null")) ||
        !tt_has_word_any_case(kernel, "cross_device_reduce"))
        return T2T_OK;
    *name = tt_intern_add(&c->texts, "\"allreduce\"", 11);
    return *name == TT_INTERN_FAILED ? tt_no_memory(err) : T2T_OK;
}

static enum t2t_status group_events(struct collectives *c,
                                    struct t2t_error *err)
{
    enum t2t_status st;

    c->said = malloc(((size_t)c->count + 1) * KEYS * sizeof(*c->said));
    c->place = malloc(((size_t)c->count + 1) * sizeof(*c->place));
    c->value = malloc(((size_t)c->count + 1) * sizeof(*c->value));
    if (!c->said || !c->place || !c->value)
        return tt_no_memory(err);
    st = tt_said(c->gpu.index, c->id, c->count, keys, KEYS, &c->texts, c->said,
                 err);
    for (uint32_t i = 0; !st && i < c->count; i++) {
        st = name_collective(c, i, err);
        if (!st)
            st = tt_groups_add(&c->groups, c->said + (size_t)i * KEYS,
                               KEYS * sizeof(*c->said),
                               tt_gpu_ns(&c->gpu.event[c->event[i]]), err);
    }
    if (!st)
        st = tt_groups_collect(&c->groups, err);
    if (!st)
        st = tt_places(c->gpu.index, c->id, c->count, c->place, err);
    if (!st)
        tt_groups_rank_by_place(&c->groups, c->place);
    return st;
}

/* Whether it is an integer as such, or as text: no 1e3, no true. */
static bool is_whole(struct t2t_text json)
{
    for (size_t i = 0; i < json.len; i++)
        if (!strchr("-0123456789\"", json.ptr[i]) || !json.ptr[i])
            return false;
    return true;
}

/* Adds the bytes of a message of so many elements, if both are known. */
static void add_bytes(struct collectives *c, const uint32_t *said,
                      uint32_t nelems)
{
    unsigned each = element_bytes(tt_said_text(&c->texts, said[DTYPE]));
    struct t2t_text json = tt_said_text(&c->texts, said[nelems]);
    int64_t count;
    int64_t bytes;

    if (!each || !is_whole(json) || t2t_json_integer(json, &count) ||
        __builtin_mul_overflow(count, (int64_t)each, &bytes))
        tt_row_null(&c->rows);
    else
        tt_row_integer(&c->rows, bytes);
}

static void add_row(struct collectives *c, const struct tt_group *g)
{
    const uint32_t *said = c->said + (size_t)g->first * KEYS;
    struct tt_summary s;

    for (uint32_t i = 0; i < KEYS; i++)
        tt_row_text(&c->rows, tt_said_text(&c->texts, said[i]));
    add_bytes(c, said, IN_NELEMS);
    add_bytes(c, said, OUT_NELEMS);
    for (uint32_t i = 0; i < g->count; i++)
        c->value[i] =
            tt_gpu_ns(&c->gpu.event[c->event[c->groups.member[g->start + i]]]);
    tt_summarize(&s, c->value, g->count);
    tt_row_unsigned(&c->rows, g->count);
    tt_row_unsigned(&c->rows, s.sum);
    tt_row_real(&c->rows, s.mean);
    tt_row_real_or_null(&c->rows, s.std);
    tt_row_unsigned(&c->rows, s.min);
    tt_row_unsigned(&c->rows, s.max);
    tt_row_unsigned(&c->rows, g->place);
}

enum t2t_status t2t_collectives(const t2t_index *index,
                                const struct t2t_selection *selection,
                                t2t_table **out, struct t2t_error *err)
{
    struct collectives c = {.rows = {NULL, T2T_OK}};
    enum t2t_status st = tt_gpu_read(&c.gpu, index, selection, err);

    if (!st)
        st = list_events(&c, err);
    if (!st)
        st = group_events(&c, err);
    if (!st)
        st = tt_rows_open(&c.rows, &tt_kind_collectives, 0, 0, err);
    for (uint32_t i = 0; !st && i < c.groups.count; i++)
        add_row(&c, &c.groups.item[i]);
    if (!st)
        st = tt_gpu_describe(&c.gpu, selection, c.rows.table, err);
    free(c.event);
    free(c.id);
    free(c.said);
    free(c.place);
    free(c.value);
    tt_intern_release(&c.texts);
    tt_groups_release(&c.groups);
    tt_gpu_release(&c.gpu);
    return tt_rows_close(&c.rows, st, out, err);
}
