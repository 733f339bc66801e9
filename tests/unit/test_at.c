/* test_at.c - t2t_index_at() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"

#define NAME "test_at"

/* An event of thread 1 of process 1, or of stream `tid` of GPU 0, in us. */
#define CALL(cat, name, ts, dur, args)                                         \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name                       \
    "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur ",\"args\":{" args     \
    "}},"
#define KERNEL(tid, name, ts, dur, number)                                     \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name                        \
    "\",\"pid\":0,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur                  \
    ",\"args\":{\"correlation\":" number "}},"
#define END "{}]"

/* What runs at a time, by name; NULL: nothing. */
struct moment {
    int64_t ns;
    const char *name;
};

static const char *name_at(const t2t_index *index, uint32_t lane, int64_t ns)
{
    static char name[32];
    t2t_id id = t2t_index_at(index, lane, ns);
    struct t2t_element e;
    struct t2t_text text;

    if (id == T2T_NO_ID)
        return NULL;
    assert_int_equal(t2t_index_element(index, id, &e), T2T_OK);
    assert_true(e.in_tree);
    text = t2t_index_string(index, e.name);
    assert_non_null(text.ptr);
    (void)snprintf(name, sizeof(name), "%.*s", (int)text.len, text.ptr);
    return name;
}

static void assert_moments(const char *trace, uint32_t lane,
                           const struct moment *moments, size_t count)
{
    t2t_index *index = make_index(NAME, trace);

    for (size_t i = 0; i < count; i++) {
        const char *name = name_at(index, lane, moments[i].ns);

        if (!name || !moments[i].name)
            assert_ptr_equal(name, moments[i].name);
        else
            assert_string_equal(name, moments[i].name);
    }
    remove_index(NAME, index);
}

#define ASSERT_MOMENTS(trace, lane, moments)                                   \
    assert_moments(trace, lane, moments, sizeof(moments) / sizeof(*moments))

static void test_the_innermost_call_runs(void **state)
{
    static const struct moment moments[] = {
        {INT64_MIN, NULL}, {9999, NULL},     {10000, "outer"},
        {19999, "outer"},  {20000, "inner"}, {29999, "inner"}, /* half open */
        {30000, "outer"},  {40000, "next"}, /* it starts where outer ends */
        {49999, "next"},   {50000, NULL},    {60000, "late"},
        {60999, "late"},   {61000, NULL},    {INT64_MAX, NULL},
    };

    (void)state;
    ASSERT_MOMENTS("[" CALL("cpu_op", "outer", "10", "30", "")
                       CALL("cpu_op", "inner", "20", "10", "")
                           CALL("cpu_op", "next", "40", "10", "")
                               CALL("cpu_op", "late", "60", "1", "") END,
                   0, moments);
}

static void test_of_equal_starts_the_inner_one_runs(void **state)
{
    static const struct moment moments[] = {
        {10000, "op"},   {11999, "op"},   {12000, "frame"}, {20000, "second"},
        {25000, "full"}, {29999, "full"}, {30000, NULL},
    };

    (void)state;
    /* "empty" starts with "second" and covers nothing; "full" ends with it */
    ASSERT_MOMENTS("[" CALL("cpu_op", "op", "10", "2", "")
                       CALL("python_function", "frame", "10", "5", "")
                           CALL("cpu_op", "empty", "20", "0", "")
                               CALL("cpu_op", "second", "20", "10", "")
                                   CALL("cpu_op", "full", "25", "5", "") END,
                   0, moments);
}

static void test_a_cut_call_ends_with_its_parent(void **state)
{
    /* "long" recorded "parent": it is cut at 20, and so is "child" in it */
    static const struct moment moments[] = {
        {10000, "parent"}, {14000, "parent"}, {16000, "long"}, {18000, "child"},
        {19999, "child"},  {20000, NULL},     {30000, NULL},
    };

    (void)state;
    ASSERT_MOMENTS("[" CALL("python_function", "parent", "10", "10",
                            "\"Python id\":1")
                       CALL("python_function", "long", "15", "40",
                            "\"Python id\":2,\"Python parent id\":1")
                           CALL("python_function", "child", "17", "30",
                                "\"Python id\":3,\"Python parent id\":2") END,
                   0, moments);
}

static void test_a_crossed_call_ends_where_the_other_starts(void **state)
{
    /* what "first" has left is shorter than what "second" runs past it */
    static const struct moment moments[] = {
        {4999, "first"},
        {5000, "second"},
        {9000, "second"},
        {30000, NULL},
    };
    /* "third" crosses "b" and belongs to "p": "a" is over at 5 */
    static const struct moment recorded[] = {
        {4999, "b"},  {5000, "third"}, {19999, "third"}, {20000, "p"},
        {49999, "p"}, {99999, "p"},    {100000, NULL},
    };

    (void)state;
    ASSERT_MOMENTS("[" CALL("cpu_op", "first", "0", "10", "")
                       CALL("cpu_op", "second", "5", "25", "") END,
                   0, moments);
    ASSERT_MOMENTS("[" CALL("python_function", "p", "0", "100",
                            "\"Python id\":1")
                       CALL("python_function", "a", "1", "49",
                            "\"Python id\":2,\"Python parent id\":1")
                           CALL("python_function", "b", "2", "8",
                                "\"Python id\":3,\"Python parent id\":2")
                               CALL("python_function", "third", "5", "15",
                                    "\"Python id\":4,\"Python parent id\":1")
                                   END,
                   0, recorded);
}

static void test_gpu_events_between_calls_are_stepped_over(void **state)
{
    static const char trace[] = "[" CALL("cpu_op", "op", "10", "90", "")
        CALL("cuda_runtime", "one", "20", "10", "\"correlation\":1")
            CALL("cuda_runtime", "two", "40", "10", "\"correlation\":2")
                CALL("cpu_op", "last", "60", "10", "")
                    KERNEL("7", "k1", "200", "50", "1")
                        KERNEL("7", "k2", "0", "5", "1")
                            KERNEL("8", "k3", "210", "5", "1")
                                KERNEL("7", "k4", "220", "40", "2") END;
    static const struct moment host[] = {
        {0, NULL},      {10000, "op"},  {20000, "one"},  {30000, "op"},
        {40000, "two"}, {50000, "op"},  {65000, "last"}, {99999, "op"},
        {100000, NULL}, {210000, NULL},
    };
    static const struct moment stream[] = {
        {0, "k2"},      {4999, "k2"},   {5000, NULL},   {199999, NULL},
        {200000, "k1"}, {219999, "k1"}, {220000, "k4"}, {249999, "k4"},
        {259999, "k4"}, {260000, NULL},
    };
    static const struct moment other[] = {{210000, "k3"}, {215000, NULL}};

    (void)state;
    ASSERT_MOMENTS(trace, 0, host);
    ASSERT_MOMENTS(trace, 1, stream);
    ASSERT_MOMENTS(trace, 2, other);
}

static void test_of_gpu_events_the_latest_start_runs(void **state)
{
    /* b and c start together: c has the larger id; b runs on when c is over */
    static const struct moment moments[] = {
        {10000, "a"}, {20000, "c"}, {24999, "c"},
        {25000, "b"}, {30000, "a"}, {40000, NULL},
    };

    (void)state;
    ASSERT_MOMENTS("[" KERNEL("7", "a", "10", "30", "0")
                       KERNEL("7", "b", "20", "10", "0")
                           KERNEL("7", "c", "20", "5", "0") END,
                   0, moments);
}

static void test_the_ends_of_time_are_times(void **state)
{
    /* from the least int64 to the largest, in ns */
    static const struct moment moments[] = {
        {INT64_MIN, "all"},
        {0, "all"},
        {INT64_MAX - 1, "all"},
        {INT64_MAX, NULL},
    };

    (void)state;
    ASSERT_MOMENTS("[" CALL("cpu_op", "all", "-9223372036854775.808",
                            "18446744073709551.615", "") END,
                   0, moments);
}

static void test_a_lane_without_nodes_runs_nothing(void **state)
{
    t2t_index *index =
        make_index(NAME,
                   "[{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":9}]");

    (void)state;
    assert_int_equal(t2t_index_at(index, 0, 6000), T2T_NO_ID);
    assert_int_equal(t2t_index_at(index, 1, 6000), T2T_NO_ID);
    assert_int_equal(t2t_index_at(index, T2T_NO_ID, 6000), T2T_NO_ID);
    remove_index(NAME, index);
}

/* ---- random trees -------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

enum { EVENTS = 160, TICKS = 60 };

/* A trace of calls that nest, cross, start together, cover nothing. */
static char *random_trace(uint64_t seed)
{
    static const char *const cats[] = {"python_function", "cpu_op",
                                       "cuda_runtime", "kernel"};
    size_t cap = 64 + 256 * EVENTS;
    char *json = malloc(cap);
    size_t len;

    assert_non_null(json);
    len = (size_t)snprintf(json, cap, "[");
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t kind = draw(&seed, 4);
        bool gpu = kind == 3;
        uint32_t dur = draw(&seed, 1u << draw(&seed, 6));

        len += (size_t)snprintf(
            json + len, cap - len,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n\",\"pid\":%d,"
            "\"tid\":%u,\"ts\":%u,\"dur\":%u,\"args\":{\"Python id\":%u,"
            "\"Python parent id\":%u,\"External id\":%u,\"correlation\":%u}},",
            cats[kind], gpu ? 0 : 1, draw(&seed, 2), draw(&seed, TICKS), dur, i,
            draw(&seed, i + 1), draw(&seed, 20),
            kind > 1 ? draw(&seed, 30) : 0);
    }
    (void)snprintf(json + len, cap - len, "{}]");
    return json;
}

/* A tree in arrays, for a search that knows nothing of order. */
struct nodes {
    struct t2t_element e[EVENTS + 1];
    int64_t end_ns[EVENTS + 1]; /* as nested */
    uint32_t count;
    uint32_t cut;     /* nodes that are */
    uint32_t crossed; /* nodes that the next call ends */
};

static void read_nodes(struct nodes *n, const t2t_index *index)
{
    n->count = 0;
    while (!t2t_index_element(index, n->count, &n->e[n->count]) &&
           n->e[n->count].in_tree) {
        struct t2t_element *e = &n->e[n->count];
        int64_t end = e->start_ns + (int64_t)e->dur_ns;

        if (e->flags & T2T_CUT)
            end = n->end_ns[e->parent];
        n->cut += (e->flags & T2T_CUT) != 0;
        n->end_ns[n->count++] = end;
    }
}

/* Whether host node `id` is open at a time: started, not ended, and no call
 * that started by then is behind its subtree. */
static bool is_open(struct nodes *n, t2t_id id, int64_t ns)
{
    const struct t2t_element *e = &n->e[id];

    if (e->start_ns > ns || n->end_ns[id] <= ns)
        return false;
    for (t2t_id next = id + e->size; next < n->count; next++) {
        if (n->e[next].lane == e->lane && n->e[next].start_ns <= ns) {
            n->crossed++;
            return false;
        }
    }
    return true;
}

/* The answer by looking at everything. */
static t2t_id slow_at(struct nodes *n, uint32_t lane, int64_t ns)
{
    t2t_id found = T2T_NO_ID;

    for (t2t_id id = 0; id < n->count; id++) {
        const struct t2t_element *e = &n->e[id];

        if (e->lane != lane)
            continue;
        if (!(e->flags & T2T_GPU)) {
            if (is_open(n, id, ns))
                found = id; /* in preorder the innermost comes last */
        } else if (e->start_ns <= ns && n->end_ns[id] > ns &&
                   (found == T2T_NO_ID ||
                    e->start_ns >= n->e[found].start_ns)) {
            found = id;
        }
    }
    return found;
}

static void test_random_trees_agree_with_a_plain_search(void **state)
{
    struct nodes *n = calloc(1, sizeof(*n));
    uint32_t answers = 0;

    (void)state;
    assert_non_null(n);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char *json = random_trace(seed);
        t2t_index *index = make_index(NAME, json);

        read_nodes(n, index);
        assert_in_range(n->count, EVENTS / 2, EVENTS);
        for (uint32_t lane = 0; lane < 5; lane++) {
            for (int64_t at = -1; at < 2 * TICKS; at++) {
                for (int64_t ns = 1000 * at - 1; ns <= 1000 * at + 1; ns++) {
                    t2t_id id = slow_at(n, lane, ns);

                    if (t2t_index_at(index, lane, ns) != id)
                        fail_msg("seed %d, lane %u, at %d ns", (int)seed, lane,
                                 (int)ns);
                    answers += id != T2T_NO_ID;
                }
            }
        }
        remove_index(NAME, index);
        free(json);
    }
    /* the traces had what they were made for */
    assert_true(answers > 1000);
    assert_true(n->cut > 100);
    assert_true(n->crossed > 100);
    free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_innermost_call_runs),
        cmocka_unit_test(test_of_equal_starts_the_inner_one_runs),
        cmocka_unit_test(test_a_cut_call_ends_with_its_parent),
        cmocka_unit_test(test_a_crossed_call_ends_where_the_other_starts),
        cmocka_unit_test(test_gpu_events_between_calls_are_stepped_over),
        cmocka_unit_test(test_of_gpu_events_the_latest_start_runs),
        cmocka_unit_test(test_the_ends_of_time_are_times),
        cmocka_unit_test(test_a_lane_without_nodes_runs_nothing),
        cmocka_unit_test(test_random_trees_agree_with_a_plain_search),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
