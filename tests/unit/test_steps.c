/* test_steps.c - trace2tree/step.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/reader.h"

#define NAME "test_steps"

#define EVENT(ph, cat, name, pid, tid, ts, dur, args)                          \
    "{\"ph\":\"" ph "\",\"cat\":\"" cat "\",\"name\":\"" name                  \
    "\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{" args "}},"
#define STEP(number, pid, ts, dur)                                             \
    EVENT("X", "user_annotation", "ProfilerStep#" number, pid, "1", ts, dur, "")
#define OP(pid, ts) EVENT("X", "cpu_op", "op", pid, "1", ts, "1", "")
#define LAUNCH(pid, ts, number)                                                \
    EVENT("X", "cuda_runtime", "launch", pid, "1", ts, "1",                    \
          "\"correlation\":" number)
#define KERNEL(ts, number)                                                     \
    EVENT("X", "kernel", "k", "0", "7", ts, "1", "\"correlation\":" number)
#define END "17]"

static t2t_steps *open_steps(const t2t_index *index)
{
    struct t2t_error err = {0};
    t2t_steps *steps = NULL;

    if (t2t_steps_open(&steps, index, &err))
        fail_msg("%s", err.text);
    return steps;
}

/* The number of the step that the element at `position` belongs to; -1: none.
 */
static int step_of(const t2t_index *index, const t2t_steps *steps,
                   uint32_t position)
{
    t2t_cursor *cursor;
    struct t2t_step step;
    uint32_t n;
    t2t_id id;

    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_id(cursor, position, &id, NULL), T2T_OK);
    t2t_cursor_close(cursor);
    n = t2t_steps_of(steps, id);
    if (n == T2T_NO_STEP)
        return -1;
    assert_int_equal(t2t_steps_at(steps, n, &step), T2T_OK);
    return (int)step.number;
}

/* Asserts the steps of all elements of a trace, by position. */
static void assert_steps_of(const char *trace, const int *expected,
                            uint32_t count)
{
    t2t_index *index = make_index(NAME, trace);
    t2t_steps *steps = open_steps(index);

    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(step_of(index, steps, i), expected[i]);
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

#define ASSERT_STEPS_OF(trace, expected)                                       \
    assert_steps_of(trace, expected, sizeof(expected) / sizeof(*(expected)))

static void test_steps_come_by_start(void **state)
{
    t2t_index *index =
        make_index(NAME,
                   "[" STEP("8", "1", "300", "50.5")
                       STEP("6", "1", "100", "100") STEP("7", "1", "200", "100")
                           STEP("9", "2", "200", "10") END);
    static const struct {
        uint64_t number;
        t2t_id id;
        int64_t start_ns;
        int64_t end_ns;
    } expected[] = {
        {6, 1, 100000, 200000},
        {7, 2, 200000, 300000},
        {9, 3, 200000, 210000}, /* of equal starts the smaller id first */
        {8, 0, 300000, 350500},
    };
    t2t_steps *steps = open_steps(index);
    struct t2t_step step;

    (void)state;
    assert_int_equal(t2t_steps_count(steps), 4);
    for (uint32_t i = 0; i < 4; i++) {
        struct t2t_lane lane;

        assert_int_equal(t2t_steps_at(steps, i, &step), T2T_OK);
        assert_int_equal(step.number, expected[i].number);
        assert_int_equal(step.id, expected[i].id);
        assert_int_equal(step.start_ns, expected[i].start_ns);
        assert_int_equal(step.end_ns, expected[i].end_ns);
        assert_int_equal(t2t_index_lane(index, step.lane, &lane), T2T_OK);
        assert_int_equal(lane.pid.number, i == 2 ? 2 : 1);
    }
    assert_int_equal(t2t_steps_at(steps, 4, &step), T2T_NOT_FOUND);
    assert_int_equal(t2t_steps_at(steps, T2T_NO_STEP, &step), T2T_NOT_FOUND);
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

static void test_only_recorded_steps_are_steps(void **state)
{
    t2t_index *index = make_index(
        NAME,
        "[" EVENT("X", "user_annotation", "ProfilerStep#", "1", "1", "1", "9",
                  "") EVENT("X", "user_annotation", "ProfilerStep#1a", "1", "1",
                            "1", "9", "") EVENT("X", "user_annotation",
                                                "ProfilerStep#-1", "1", "1",
                                                "1", "9", "")
            EVENT("X", "user_annotation", "profilerstep#1", "1", "1", "1", "9",
                  "") EVENT("X", "user_annotation", " ProfilerStep#1", "1", "1",
                            "1", "9", "")
                EVENT("X", "user_annotation",
                      "ProfilerStep#18446744073709551616", "1", "1", "1", "9",
                      "") EVENT("X", "gpu_user_annotation", "ProfilerStep#1",
                                "0", "7", "1", "9", "")
                    EVENT("X", "cpu_op", "ProfilerStep#1", "1", "1", "1", "9",
                          "") EVENT("i", "user_annotation", "ProfilerStep#1",
                                    "1", "1", "1", "9", "")
                        EVENT("X", "user_annotation", "ProfilerStep#1", "1",
                              "1", "\"x\"", "9", "") END);
    t2t_steps *steps = open_steps(index);
    static const t2t_id ids[] = {0, 5, 11, T2T_NO_ID};

    (void)state;
    assert_int_equal(t2t_steps_count(steps), 0);
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        assert_int_equal(t2t_steps_of(steps, ids[i]), T2T_NO_STEP);
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

static void test_numbers_are_decimal_up_to_64_bits(void **state)
{
    t2t_index *index =
        make_index(NAME,
                   "[" STEP("18446744073709551615", "1", "1", "1")
                       STEP("007", "1", "2", "1") STEP("0", "1", "3", "1") END);
    static const uint64_t expected[] = {UINT64_MAX, 7, 0};
    t2t_steps *steps = open_steps(index);
    struct t2t_step step;

    (void)state;
    assert_int_equal(t2t_steps_count(steps), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(t2t_steps_at(steps, i, &step), T2T_OK);
        assert_true(step.number == expected[i]);
    }
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

static void test_what_starts_in_a_step_belongs_to_it(void **state)
{
    static const int expected[] = {
        1,  2, 3, /* the steps themselves */
        -1, 1, 1, 2, 2, -1, 3, -1, -1,
    };

    (void)state;
    ASSERT_STEPS_OF("[" STEP("1", "1", "100", "100") STEP("2", "1", "200", "50")
                        STEP("3", "1", "300", "50") OP("1", "99.999")
                            OP("1", "100") OP("1", "199.999") OP("1", "200")
                                OP("2", "249.999") OP("1", "250") OP("1", "300")
                                    OP("1", "350") END,
                    expected);
}

static void test_a_gpu_event_belongs_to_the_step_of_its_launch(void **state)
{
    static const int expected[] = {
        1, 2, 1, 2, /* steps, launches */
        1, 1, 2, 2, -1,
    };

    (void)state;
    /* kernels of launch 1 run in step 1, in step 2, after it; one of launch 2
     * in step 1; without a launch in step 2 and in none */
    ASSERT_STEPS_OF("[" STEP("1", "1", "100", "100") STEP("2", "1", "200", "50")
                        LAUNCH("1", "150", "1") LAUNCH("1", "210", "2")
                            KERNEL("160", "1") KERNEL("900", "1")
                                KERNEL("120", "2") KERNEL("240", "0")
                                    KERNEL("260", "0") END,
                    expected);
}

static void test_of_overlapping_steps_that_of_the_process_counts(void **state)
{
    static const int expected[] = {
        1,  2, 3, /* the steps themselves */
        1,  2,    /* each in its own, though the second started last */
        1,        /* its own has not begun: the only one */
        2,  3,    /* of a process without steps: the latest */
        3,        /* its own, though all three run */
        1,  2, 3, /* kernels of 1, of 2, of nobody */
        1,  2,    /* their launches */
        -1,       /* a step is half open */
    };

    (void)state;
    /* process 1: [100, 300), process 2: [150, 250), process 3: [200, 220) */
    ASSERT_STEPS_OF("[" STEP("1", "1", "100", "200")
                        STEP("2", "2", "150", "100") STEP("3", "3", "200", "20")
                            OP("1", "160") OP("2", "160") OP("2", "120")
                                OP("4", "160") OP("4", "210") OP("3", "215")
                                    KERNEL("210", "1") KERNEL("210", "2")
                                        KERNEL("210", "0")
                                            LAUNCH("1", "205", "1")
                                                LAUNCH("2", "205", "2")
                                                    OP("1", "300") END,
                    expected);
}

static void test_a_step_may_lie_in_another(void **state)
{
    static const int expected[] = {1, 2, 2, 1, 2, 4, 4, 1, -1};

    (void)state;
    /* one process: [100, 400) with [150, 200) and two that start at 250, of
     * which the later in the file counts; 3 covers nothing */
    ASSERT_STEPS_OF("[" STEP("1", "1", "100", "300") STEP("2", "1", "150", "50")
                        OP("1", "160") OP("1", "200") OP("1", "150")
                            STEP("3", "1", "250", "0")
                                STEP("4", "1", "250", "10") OP("1", "399")
                                    OP("1", "400") END,
                    expected);
}

static void test_a_process_may_have_a_name(void **state)
{
    static const int expected[] = {1, 2, 1, 2, 2};

    (void)state;
    ASSERT_STEPS_OF("[" STEP("1", "\"a\"", "100", "100")
                        STEP("2", "\"b\"", "110", "100") OP("\"a\"", "150")
                            OP("\"b\"", "150") OP("7", "150") END,
                    expected);
}

static void test_a_step_may_last_to_the_end_of_time(void **state)
{
    t2t_index *index =
        make_index(NAME, "[" STEP("1", "1", "9223372036854770", "1e15")
                             EVENT("X", "cpu_op", "late", "1", "1",
                                   "9223372036854775.806", "0", "") END);
    t2t_steps *steps = open_steps(index);
    struct t2t_step step;

    (void)state;
    assert_int_equal(t2t_steps_at(steps, 0, &step), T2T_OK);
    assert_int_equal(step.end_ns, INT64_MAX);
    assert_int_equal(t2t_steps_of(steps, 0), 0);
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

/* ---- random steps -------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

enum { STEPS = 30, EVENTS = 150, TICKS = 100, PROCESSES = 3 };

/* Steps and events of some processes, ordinary and overlapping. */
static char *random_trace(uint64_t seed)
{
    size_t cap = 200 * (STEPS + EVENTS) + 64;
    char *json = malloc(cap);
    size_t len;

    assert_non_null(json);
    len = (size_t)snprintf(json, cap, "[");
    for (int i = 0; i < STEPS + EVENTS; i++) {
        static const char *const cats[] = {"user_annotation", "cpu_op",
                                           "cuda_runtime", "kernel"};
        uint32_t kind = i < STEPS ? 0 : 1 + draw(&seed, 3);

        len += (size_t)snprintf(
            json + len, cap - len,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"ProfilerStep#%d\","
            "\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":%u,\"args\":{"
            "\"correlation\":%u}},",
            cats[kind], i, draw(&seed, PROCESSES), draw(&seed, TICKS),
            draw(&seed, 20), draw(&seed, 40));
    }
    (void)snprintf(json + len, cap - len, "17]");
    return json;
}

/* The answer by the words of step.h. */
static uint32_t slow_of(const t2t_index *index, const t2t_steps *steps,
                        t2t_id id)
{
    uint32_t own = T2T_NO_STEP;
    uint32_t any = T2T_NO_STEP;
    struct t2t_element e;
    struct t2t_step s;
    bool has_process;

    assert_int_equal(t2t_index_element(index, id, &e), T2T_OK);
    if (e.flags & T2T_LINKED)
        assert_int_equal(t2t_index_element(index, e.parent, &e), T2T_OK);
    has_process = e.lane != T2T_NO_ID && !(e.flags & T2T_GPU);
    for (uint32_t i = 0; !t2t_steps_at(steps, i, &s); i++) {
        struct t2t_lane a;
        struct t2t_lane b;

        if (!e.has_start || s.start_ns > e.start_ns || s.end_ns <= e.start_ns)
            continue;
        any = i; /* they come by start */
        if (has_process && !t2t_index_lane(index, e.lane, &a) &&
            !t2t_index_lane(index, s.lane, &b) && a.pid.number == b.pid.number)
            own = i;
    }
    return own != T2T_NO_STEP ? own : any;
}

static void test_random_steps_agree_with_a_plain_search(void **state)
{
    uint32_t in_steps = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        char *json = random_trace(seed);
        t2t_index *index = make_index(NAME, json);
        t2t_steps *steps = open_steps(index);

        assert_int_equal(t2t_steps_count(steps), STEPS);
        for (t2t_id id = 0; id <= STEPS + EVENTS; id++) {
            uint32_t n = t2t_steps_of(steps, id);

            assert_int_equal(n, slow_of(index, steps, id));
            in_steps += n != T2T_NO_STEP;
        }
        t2t_steps_close(steps);
        remove_index(NAME, index);
        free(json);
    }
    assert_true(in_steps > 1000);
}

/* One that goes over all, each of the others over a tenth: what is far back is
 * found without a look at all that ended since. */
static void test_a_step_far_back_is_found(void **state)
{
    enum { MANY = 20000 };
    char *json = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&json, &len);
    t2t_steps *steps;
    t2t_index *index;

    (void)state;
    assert_non_null(to);
    (void)fprintf(to, "[" STEP("0", "1", "0", "1e6"));
    for (int i = 0; i < MANY; i++)
        (void)fprintf(to,
                      STEP("1", "%d", "%d", "1") OP("1", "%d") OP("1", "%d")
                          OP("3", "%d"),
                      1 + i % 2, 10 * i, 10 * i, 10 * i + 5, 10 * i + 5);
    (void)fprintf(to, END);
    assert_int_equal(fclose(to), 0);
    index = make_index(NAME, json);
    free(json);
    steps = open_steps(index);
    assert_int_equal(t2t_steps_count(steps), MANY + 1);
    for (t2t_id id = 0; id < 3 * MANY; id++) {
        struct t2t_element e;
        struct t2t_step step;

        assert_int_equal(t2t_index_element(index, id, &e), T2T_OK);
        assert_int_equal(t2t_steps_at(steps, t2t_steps_of(steps, id), &step),
                         T2T_OK);
        /* one of process 2 is none of process 1 */
        assert_int_equal(step.number, e.start_ns % 20000 == 0);
    }
    t2t_steps_close(steps);
    remove_index(NAME, index);
}

/* ---- damage -------------------------------------------------------------- */

static void put_number(const t2t_index *index, enum tt_section_id id,
                       uint32_t record, uint32_t value)
{
    FILE *f = fopen(NAME ".t2t", "r+b");
    size_t bytes = index->section[id]->record_bytes;

    assert_non_null(f);
    assert_int_equal(fseek(f, (long)tt_index_offset(index, id, record),
                           SEEK_SET),
                     0);
    assert_int_equal(fwrite(&value, bytes < 4 ? bytes : 4, 1, f), 1);
    assert_int_equal(fclose(f), 0);
}

static void test_a_damaged_step_is_told(void **state)
{
    static const struct {
        enum tt_section_id id;
        uint32_t record;
    } lies[] = {
        {TT_SECTION_NAME, 1},
        {TT_SECTION_LANE, 1},
        {TT_SECTION_PHASE, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        t2t_index *index =
            make_index(NAME, "[" OP("1", "5") STEP("1", "1", "1", "9") END);
        struct t2t_error err = {0};
        t2t_steps *steps = NULL;

        put_number(index, lies[i].id, lies[i].record, 0xff0000ff);
        assert_int_equal(t2t_steps_open(&steps, index, &err),
                         T2T_ERR_INDEX_DAMAGE);
        assert_string_equal(err.text, "element 1 holds an impossible value");
        assert_null(steps);
        remove_index(NAME, index);
    }
}

static void test_a_damaged_element_is_in_no_step(void **state)
{
    t2t_index *index =
        make_index(NAME, "[" OP("1", "5") STEP("1", "1", "1", "9") END);
    t2t_steps *steps = open_steps(index);

    (void)state;
    assert_int_equal(t2t_steps_of(steps, 0), 0);
    put_number(index, TT_SECTION_NAME, 0, 5000);
    assert_int_equal(t2t_steps_of(steps, 0), T2T_NO_STEP);
    t2t_steps_close(steps);
    t2t_steps_close(NULL);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_come_by_start),
        cmocka_unit_test(test_only_recorded_steps_are_steps),
        cmocka_unit_test(test_numbers_are_decimal_up_to_64_bits),
        cmocka_unit_test(test_what_starts_in_a_step_belongs_to_it),
        cmocka_unit_test(test_a_gpu_event_belongs_to_the_step_of_its_launch),
        cmocka_unit_test(test_of_overlapping_steps_that_of_the_process_counts),
        cmocka_unit_test(test_a_step_may_lie_in_another),
        cmocka_unit_test(test_a_process_may_have_a_name),
        cmocka_unit_test(test_a_step_may_last_to_the_end_of_time),
        cmocka_unit_test(test_random_steps_agree_with_a_plain_search),
        cmocka_unit_test(test_a_step_far_back_is_found),
        cmocka_unit_test(test_a_damaged_step_is_told),
        cmocka_unit_test(test_a_damaged_element_is_in_no_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
