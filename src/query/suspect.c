/* suspect.c - what makes tables say less, or other, than they seem to. */
#include <trace2tree/suspect.h>

#include <stdlib.h>
#include <string.h>

#include <trace2tree/cursor.h>

#include "base/status.h"

#define SECOND_NS 1000000000
#define LONGEST_NS ((uint64_t)7 * 24 * 3600 * SECOND_NS)
#define OVERRUN_LEAST_NS 1000000 /* shorter ones are between kernels */
#define OVERRUN_TIMES 100u       /* as long as what starts meanwhile */
#define OVERRUN_LOOKS 1000u      /* events that are looked at for one */

/* Kind, name, sentence, in the order of the table. */
#define SUSPECT_MAP(X)                                                         \
    X(AT_ZERO, "gpu-at-zero",                                                  \
      "GPU events start at 0, long before all else: when they ran is not "     \
      "known, and total and idle times may count from there")                  \
    X(LONG, "over-7-days",                                                     \
      "events last longer than 7 days: times that count them are wrong")       \
    X(OVERRUN, "gpu-overrun",                                                  \
      "GPU events run on over the next ones of their stream, 100 times as "    \
      "long as those: sums and busy times count them whole")                   \
    X(SHARED, "shared-correlation",                                            \
      "GPU events have a number that launches of several processes have, as "  \
      "in merged traces: they are under no launch, so no call counts them")    \
    X(OLD, "old-category",                                                     \
      "events have categories of before 2022 (Operator, Kernel, Runtime, "     \
      "...): they are no nodes of the tree, and no table counts them")         \
    X(NO_GPU, "no-gpu-events",                                                 \
      "the tree has no GPU event: tables of GPU time are empty")               \
    X(NO_LAUNCH, "no-launches",                                                \
      "GPU events, but no launches are there: no operation and no module has " \
      "GPU time")

enum suspicion {
#define X(name, text, what) name,
    SUSPECT_MAP(X)
#undef X
        SUSPICIONS
};

static const struct {
    const char *name;
    const char *what;
} words[SUSPICIONS] = {
#define X(name, text, what) [name] = {text, what},
    SUSPECT_MAP(X)
#undef X
};

static const struct t2t_table_column columns[] = {
    {.name = "kind", .type = T2T_STRING},
    {.name = "count", .type = T2T_INTEGER},
    {.name = "first", .type = T2T_INTEGER},
    {.name = "what", .type = T2T_STRING},
};

/* A GPU event on its stream. */
struct run {
    int64_t start_ns;
    uint64_t dur_ns;
    t2t_id id;
    uint32_t lane;
};

struct suspects {
    const t2t_index *index;
    struct t2t_index_info info;
    uint64_t count[SUSPICIONS];
    bool raised[SUSPICIONS];
    t2t_id first[SUSPICIONS]; /* T2T_NO_ID: none */
    struct run *run;          /* [runs], by lane; owned */
    uint32_t runs;
};

/* Counts one of a kind: element `id`. */
static void count_one(struct suspects *s, enum suspicion kind, t2t_id id)
{
    s->raised[kind] = true;
    s->count[kind]++;
    if (id < s->first[kind])
        s->first[kind] = id;
}

/* ---- GPU events ---------------------------------------------------------- */

static bool is_at_zero(const struct suspects *s, const struct t2t_element *e)
{
    return !e->start_ns && s->info.origin_ns > SECOND_NS;
}

/* Reads the GPU events, by id, but for those at 0. */
static enum t2t_status read_runs(struct suspects *s, struct t2t_error *err)
{
    uint32_t count;
    const t2t_id *ids = t2t_index_gpu_nodes(s->index, &count);

    s->run = malloc(((size_t)count + 1) * sizeof(*s->run));
    if (!s->run)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        struct t2t_element e;

        if (t2t_index_element(s->index, ids[i], &e) || !e.has_start ||
            e.lane >= s->info.lane_count)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "GPU event %u holds an impossible value", ids[i]);
        if (is_at_zero(s, &e))
            count_one(s, AT_ZERO, e.id);
        else
            s->run[s->runs++] =
                (struct run){e.start_ns, e.dur_ns, e.id, e.lane};
    }
    return T2T_OK;
}

static int compare_runs(const void *left, const void *right)
{
    const struct run *a = left;
    const struct run *b = right;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Puts those of a stream in order, if they are not. */
static void sort_runs(struct run *run, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (compare_runs(&run[i - 1], &run[i]) > 0) {
            qsort(run, count, sizeof(*run), compare_runs);
            return;
        }
    }
}

/* From the start of `a` to that of a later one. */
static uint64_t between(const struct run *a, const struct run *b)
{
    return (uint64_t)b->start_ns - (uint64_t)a->start_ns;
}

/* How long event `i` of a stream lasts, if it ends before the next starts. */
static uint64_t length_of(const struct run *run, uint32_t count, uint32_t i)
{
    uint64_t gap = i + 1 < count ? between(&run[i], &run[i + 1]) : UINT64_MAX;

    return run[i].dur_ns < gap ? run[i].dur_ns : gap;
}

/* suspect.h, gpu-overrun: whether it is true of event `i` of a stream. */
static bool is_overrun(const struct run *run, uint32_t count, uint32_t i)
{
    uint64_t gap;
    uint64_t over_ns;

    if (i + 1 >= count)
        return false;
    gap = between(&run[i], &run[i + 1]);
    if (run[i].dur_ns < gap || run[i].dur_ns - gap < OVERRUN_LEAST_NS)
        return false;
    over_ns = run[i].dur_ns - gap;
    for (uint32_t k = i + 1; k < count && k - i <= OVERRUN_LOOKS; k++) {
        if (between(&run[i], &run[k]) >= run[i].dur_ns)
            break;
        if (length_of(run, count, k) > over_ns / OVERRUN_TIMES)
            return false;
    }
    return true;
}

/* Puts the events in order of lane, each lane's by id. */
static enum t2t_status group_runs(struct suspects *s, uint32_t *begin,
                                  struct t2t_error *err)
{
    struct run *to = malloc(((size_t)s->runs + 1) * sizeof(*to));
    uint32_t place = 0;

    if (!to)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < s->runs; i++)
        begin[s->run[i].lane]++;
    for (uint32_t lane = 0; lane <= s->info.lane_count; lane++) {
        uint32_t here = begin[lane];

        begin[lane] = place;
        place += here;
    }
    for (uint32_t i = 0; i < s->runs; i++)
        to[begin[s->run[i].lane]++] = s->run[i];
    free(s->run);
    s->run = to;
    return T2T_OK;
}

static enum t2t_status find_overruns(struct suspects *s, struct t2t_error *err)
{
    uint32_t *begin = calloc((size_t)s->info.lane_count + 1, sizeof(*begin));
    enum t2t_status st = begin ? group_runs(s, begin, err) : tt_no_memory(err);
    uint32_t end = 0;

    while (!st && end < s->runs) {
        struct run *run = &s->run[end];
        uint32_t count = begin[run->lane] - end; /* moved to where it ends */

        sort_runs(run, count);
        for (uint32_t i = 0; i < count; i++)
            if (is_overrun(run, count, i))
                count_one(s, OVERRUN, run[i].id);
        end += count;
    }
    free(begin);
    return st;
}

/* ---- the rest ------------------------------------------------------------ */

static void find_long(struct suspects *s, const struct t2t_columns *c)
{
    for (uint32_t i = 0; i < c->long_count; i++)
        if (c->long_duration[i].dur_ns > LONGEST_NS &&
            c->long_duration[i].id < c->element_count)
            count_one(s, LONG, c->long_duration[i].id);
}

/* The id of the element at `position`; T2T_NO_ID when there is none. */
static enum t2t_status find_id(const struct suspects *s, uint64_t position,
                               t2t_id *id, struct t2t_error *err)
{
    t2t_cursor *cursor;
    enum t2t_status st;

    if (position >= s->info.element_count)
        return T2T_OK;
    st = t2t_cursor_open(&cursor, s->index, err);
    if (st)
        return st;
    st = t2t_cursor_id(cursor, (uint32_t)position, id, err);
    t2t_cursor_close(cursor);
    return st;
}

static enum t2t_status find_shared(struct suspects *s, struct t2t_error *err)
{
    struct t2t_anomaly a;

    for (uint32_t n = 0; !t2t_index_anomaly(s->index, n, &a); n++) {
        if (strcmp(a.name, words[SHARED].name) != 0)
            continue;
        s->raised[SHARED] = true;
        s->count[SHARED] = a.count;
        return find_id(s, a.first_position, &s->first[SHARED], err);
    }
    return T2T_OK;
}

static bool is_old(struct t2t_text category)
{
    static const char *const old[] = {"Operator", "Kernel", "Memcpy", "Memset",
                                      "Runtime"};

    for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++)
        if (t2t_text_equal(category, t2t_text_of(old[i])))
            return true;
    return false;
}

/* Looks at the categories, and where there are old ones at all elements. */
static enum t2t_status find_old(struct suspects *s, const struct t2t_columns *c,
                                struct t2t_error *err)
{
    bool *old = calloc((size_t)s->info.category_count + 1, sizeof(*old));
    bool any = false;

    if (!old)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < s->info.category_count; i++) {
        old[i] = is_old(t2t_index_category(s->index, i));
        any |= old[i];
    }
    if (any)
        t2t_index_will_read(s->index, c->category,
                            (size_t)c->element_count * sizeof(*c->category));
    for (uint32_t id = 0; any && id < c->element_count; id++)
        if (c->category[id] < s->info.category_count && old[c->category[id]])
            count_one(s, OLD, id);
    free(old);
    return T2T_OK;
}

/* Whether there are launches: events of a category of theirs. */
static bool has_launch(const struct suspects *s)
{
    for (uint32_t i = 0; i < s->info.category_count; i++)
        if (t2t_index_category_layer(s->index, i) == T2T_LAYER_LAUNCH)
            return true;
    return false;
}

static void find_absent(struct suspects *s, const struct t2t_columns *c)
{
    if (!c->gpu_count) {
        s->raised[NO_GPU] = true;
    } else if (!has_launch(s)) {
        s->raised[NO_LAUNCH] = true;
        s->count[NO_LAUNCH] = c->gpu_count;
        s->first[NO_LAUNCH] = c->gpu_node[0];
    }
}

static enum t2t_status add_row(const struct suspects *s, enum suspicion kind,
                               t2t_table *table)
{
    enum t2t_status st =
        t2t_table_add_string(table, t2t_text_of(words[kind].name));

    if (!st)
        st = t2t_table_add_unsigned(table, s->count[kind]);
    if (!st && s->first[kind] == T2T_NO_ID)
        st = t2t_table_add_null(table);
    else if (!st)
        st = t2t_table_add_unsigned(table, s->first[kind]);
    if (!st)
        st = t2t_table_add_string(table, t2t_text_of(words[kind].what));
    return st;
}

static enum t2t_status make_table(const struct suspects *s, t2t_table **out,
                                  struct t2t_error *err)
{
    t2t_table *table;
    enum t2t_status st =
        t2t_table_create(&table, "suspects", columns,
                         sizeof(columns) / sizeof(*columns), err);

    if (st)
        return st;
    for (int kind = 0; !st && kind < SUSPICIONS; kind++)
        if (s->raised[kind])
            st = add_row(s, (enum suspicion)kind, table);
    if (st) {
        t2t_table_free(table);
        return tt_no_memory(err);
    }
    *out = table;
    return T2T_OK;
}

enum t2t_status t2t_suspects(const t2t_index *index, t2t_table **out,
                             struct t2t_error *err)
{
    struct suspects s = {.index = index};
    struct t2t_columns c;
    enum t2t_status st;

    t2t_index_info(index, &s.info);
    t2t_index_columns(index, &c);
    for (int kind = 0; kind < SUSPICIONS; kind++)
        s.first[kind] = T2T_NO_ID;
    st = read_runs(&s, err);
    if (!st)
        st = find_overruns(&s, err);
    if (!st)
        st = find_old(&s, &c, err);
    if (!st)
        st = find_shared(&s, err);
    if (!st) {
        find_long(&s, &c);
        find_absent(&s, &c);
        st = make_table(&s, out, err);
    }
    free(s.run);
    return st;
}
