/* common.c - files and questions of the targets. */
#include "fuzz.h"

#include <unistd.h>

#include <trace2tree/trace2tree.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define MOST 3000u /* elements that are looked at one by one */

bool fuzz_thorough;

/* ---- files --------------------------------------------------------------- */

static char paths[4][64];

static void remove_files(void)
{
    for (size_t i = 0; i < COUNT(paths); i++)
        if (*paths[i])
            (void)unlink(paths[i]);
}

const char *fuzz_path(int kind)
{
    static bool registered;

    if (!registered)
        (void)atexit(remove_files);
    registered = true;
    (void)snprintf(paths[kind], sizeof(paths[kind]), "%s/t2t-fuzz-%ld-%d",
                   access("/dev/shm", W_OK) ? "." : "/dev/shm", (long)getpid(),
                   kind);
    return paths[kind];
}

void fuzz_write(const char *path, const void *ptr, size_t len)
{
    FILE *f = fopen(path, "wb");

    CHECK(f && fwrite(ptr, 1, len, f) == len && !fclose(f));
}

unsigned char *fuzz_read(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    unsigned char *ptr;
    long end;

    CHECK(f && !fseek(f, 0, SEEK_END));
    end = ftell(f);
    CHECK(end >= 0 && !fseek(f, 0, SEEK_SET));
    *len = (size_t)end;
    ptr = malloc(*len + 1);
    CHECK(ptr && fread(ptr, 1, *len, f) == *len && !fclose(f));
    return ptr;
}

/* ---- questions ----------------------------------------------------------- */

static const struct t2t_selection everything = {.steps = true,
                                                .last_step = UINT64_MAX,
                                                .between = true,
                                                .from_ns = INT64_MIN,
                                                .to_ns = INT64_MAX,
                                                .module = "A/B"};

static FILE *nowhere; /* what is printed goes there */
static bool damaged;  /* an answer was that the index is */

/* Takes an answer for what it says. */
static enum t2t_status said(enum t2t_status st)
{
    damaged |= st == T2T_ERR_INDEX_DAMAGE;
    return st;
}

/* Prints a table that was made, in every form, and frees it. */
static void put(enum t2t_status st, t2t_table *table)
{
    struct t2t_text_style style = {.width = 80};
    struct t2t_text name = {"a", 1};
    struct t2t_error err;
    size_t columns;

    CHECK(!st == (table != NULL));
    if (!table)
        return;
    CHECK(!t2t_table_write_csv(table, nowhere, &err));
    CHECK(!t2t_table_write_text(table, nowhere, &style, &err));
    columns = t2t_table_column_count(table);
    CHECK(columns);
    CHECK(!t2t_table_sort(table, t2t_table_row_count(table) % columns, true));
    CHECK(!t2t_table_write_json(table, nowhere, name, &err));
    t2t_table_top(table, 2);
    CHECK(!t2t_table_write_text(table, nowhere, &style, &err));
    t2t_table_free(table);
}

#define TRY(call)                                                              \
    do {                                                                       \
        t2t_table *out = NULL;                                                 \
        enum t2t_status st = said(call);                                       \
        put(st, out);                                                          \
    } while (0)

static void ask_tables(const t2t_index *x, const struct t2t_selection *s)
{
    struct t2t_timeline_options by = {.micro_idle_ns = 1000, .recompute = true};
    struct t2t_error err;

    TRY(t2t_timeline(x, s, &by, &out, &err));
    by.by_step = true;
    TRY(t2t_timeline(x, s, &by, &out, &err));
    for (int i = 0; i <= T2T_OPS_BY_LAUNCHER; i++)
        TRY(t2t_ops(x, s, (enum t2t_ops_by)i, s != NULL, &out, &err));
    for (int i = 0; i <= T2T_KERNELS_BY_DURATION; i++)
        TRY(t2t_kernels(x, s, (enum t2t_kernels_by)i, 5000, &out, &err));
    for (int i = 0; i <= T2T_MODULES_BY_PATH; i++)
        TRY(t2t_modules(x, s, (enum t2t_modules_by)i, true, &out, &err));
    for (int i = 0; i <= T2T_LAUNCHES_UNLINKED; i++)
        TRY(t2t_launches(x, s, (enum t2t_launches_by)i, &out, &err));
    for (int i = 0; i <= T2T_GAPS_BY_HOLE; i++)
        TRY(t2t_gaps(x, s, (enum t2t_gaps_by)i, 1000, &out, &err));
    TRY(t2t_collectives(x, s, &out, &err));
    TRY(t2t_links(x, &out, &err));
    TRY(t2t_suspects(x, &out, &err));
}

static void ask_searches(const t2t_index *x)
{
    static const struct t2t_filter filters[] = {
        {.outside = true},
        {.name = "a", .ignore_case = true, .order = T2T_BY_DURATION, .top = 3},
        {.regex = "^[a-z:]+$", .order = T2T_BY_GPU_SUM},
        {.module = "A/B", .order = T2T_BY_START},
        {.layer = T2T_LAYER_GPU, .min_dur_ns = 100},
    };
    struct t2t_error err;

    for (size_t i = 0; i < COUNT(filters); i++) {
        uint32_t count, matched;
        t2t_id *ids = NULL;

        if (!said(t2t_find(x, &filters[i], &ids, &count, &matched, &err)))
            free(ids);
    }
}

/* A number, if it is one. */
static void ask_value(struct t2t_text key, struct t2t_text json)
{
    int64_t integer;
    double real;

    CHECK(key.ptr && json.ptr);
    if (!t2t_json_integer(json, &integer))
        CHECK(!t2t_json_real(json, &real) && real == (double)integer);
}

/* What it says, and where that is. */
static void ask_source(t2t_cursor *c, t2t_id id)
{
    struct t2t_error err;
    struct t2t_text key, json;
    uint32_t position;
    uint64_t offset;
    t2t_id other;

    if (!said(t2t_cursor_position(c, id, &position, &err)))
        (void)said(t2t_cursor_id(c, position, &other, &err));
    (void)said(t2t_cursor_offset(c, id, &offset, &err));
    (void)said(t2t_cursor_json(c, id, &json, &err));
    (void)said(t2t_cursor_argument(c, id, "correlation", &json, &err));
    (void)said(t2t_cursor_string(c, id, "Collective name", &json, &err));
    (void)said(t2t_cursor_field(c, id, "ts", &json, &err));
    for (uint32_t n = 0;
         n < 20 && !said(t2t_cursor_argument_at(c, id, n, &key, &json, &err));
         n++)
        ask_value(key, json);
    for (uint32_t n = 0;
         n < 20 && !said(t2t_cursor_field_at(c, id, n, &key, &json, &err)); n++)
        ask_value(key, json);
}

/* What its name says, to people too. */
static void ask_name(const t2t_index *x, t2t_id id)
{
    struct t2t_text name = t2t_index_name(x, id);
    struct t2t_kernel_name said_of;
    uint32_t string;

    if (!name.ptr)
        return;
    t2t_kernel_name_parse(name, &said_of);
    for (unsigned i = 0; t2t_kernel_column_name((enum t2t_kernel_column)i);
         i++) {
        char room[T2T_KERNEL_TEXT_MAX];
        struct t2t_text text =
            t2t_kernel_name_text(&said_of, (enum t2t_kernel_column)i, room);

        t2t_text_print(nowhere, text, T2T_ESCAPE_CELL);
    }
    t2t_text_print(nowhere, name, T2T_ESCAPE_TERMINAL);
    (void)said(t2t_index_find_string(x, name, &string));
}

static void ask_of_element(const t2t_index *x, t2t_cursor *c, t2t_id id)
{
    struct t2t_element e;
    struct t2t_lane lane;

    if (!said(t2t_index_element(x, id, &e))) {
        if (!said(t2t_index_lane(x, e.lane, &lane)))
            (void)t2t_index_lane_of(x, lane.side, &lane.pid, &lane.tid);
        (void)t2t_index_category(x, e.category);
        (void)t2t_index_at(x, e.lane, e.start_ns);
        (void)t2t_index_next_named(x, e.name, id + 1);
    }
    ask_name(x, id);
    (void)t2t_index_parent(x, id);
    (void)t2t_index_depth(x, id);
    (void)t2t_index_above(x, id, T2T_LAYER_OPERATION);
    (void)t2t_index_first_child(x, id);
    (void)t2t_index_next_sibling(x, id);
    (void)t2t_index_next_root(x, id);
    (void)t2t_index_launch(x, id);
    (void)t2t_index_gpu_event(x, id, 1);
    (void)t2t_index_gpu_count(x, id);
    (void)t2t_index_gpu_sum_ns(x, id);
    (void)t2t_index_module(x, id);
    (void)t2t_index_forward(x, id);
    (void)t2t_index_backward(x, id, 0);
    ask_source(c, id);
}

/* Of the first elements and the last. */
static void ask_elements(const t2t_index *x)
{
    struct t2t_index_info info;
    struct t2t_text key, json;
    struct t2t_error err;
    t2t_cursor *c = NULL;

    t2t_index_info(x, &info);
    if (said(t2t_cursor_open(&c, x, &err)))
        return;
    for (t2t_id id = 0; id < info.element_count && id < MOST; id++)
        ask_of_element(x, c, id);
    for (t2t_id n = 0; n < 5; n++)
        ask_of_element(x, c, info.element_count - n);
    ask_of_element(x, c, UINT32_MAX);
    for (uint32_t n = 0;
         n < 20 && !said(t2t_cursor_member(c, n, &key, &json, &err)); n++)
        CHECK(json.ptr);
    (void)said(t2t_cursor_member_named(c, "distributedInfo", &json, &err));
    t2t_cursor_close(c);
}

static void ask_rest(const t2t_index *x)
{
    struct t2t_section_info section;
    struct t2t_anomaly anomaly;
    struct t2t_loss loss;
    struct t2t_index_info info;
    struct t2t_error err;
    t2t_steps *steps = NULL;
    uint32_t *places;

    for (uint32_t n = 0; !t2t_index_section(x, n, &section); n++)
        ;
    for (uint32_t n = 0; !t2t_index_anomaly(x, n, &anomaly); n++)
        ;
    for (uint32_t n = 0; !t2t_index_loss(x, n, &loss); n++)
        ;
    if (!said(t2t_steps_open(&steps, x, &err)))
        (void)t2t_steps_of(steps, 0);
    t2t_steps_close(steps);
    t2t_index_info(x, &info);
    places = malloc(((size_t)info.element_count + 1) * sizeof(*places));
    CHECK(places);
    (void)said(t2t_index_all_positions(x, places, &err));
    (void)said(t2t_index_all_ids(x, places, &err));
    (void)said(t2t_index_all_modules(x, places, &err));
    free(places);
}

bool fuzz_ask(const struct t2t_index *index)
{
    struct t2t_error err;

    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    CHECK(nowhere);
    damaged = false;
    ask_rest(index);
    ask_elements(index);
    ask_searches(index);
    ask_tables(index, NULL);
    ask_tables(index, &everything);
    (void)said(t2t_export_trace(index, nowhere, &err));
    return !damaged;
}
