/* test_hostwork.c - query/hostwork.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/hostwork.h"

#define NAME "test_hostwork"
#define NONE UINT32_MAX

/* A question in nanoseconds, and its answer: the place of the call. */
struct asked {
    int64_t start_ns;
    int64_t end_ns;
    uint32_t position; /* NONE: no call */
    uint64_t ns;
};

/* The lane of thread 1. */
static uint32_t thread(const t2t_index *index)
{
    const struct t2t_lane_id one = {.kind = T2T_ID_INTEGER, .number = 1};

    return t2t_index_lane_of(index, T2T_HOST, &one, &one);
}

/* Asks all questions at once, the last one first. */
static void assert_work(const struct said *row, size_t rows,
                        const struct asked *asked, uint32_t count)
{
    t2t_index *index = index_of(NAME, row, rows);
    struct tt_host_work work[32];

    assert_in_range(count, 1, 32);
    for (uint32_t i = 0; i < count; i++)
        work[count - 1 - i] =
            (struct tt_host_work){.lane = thread(index),
                                  .during = {asked[i].start_ns,
                                             asked[i].end_ns}};
    assert_int_equal(tt_host_work_find(index, work, count, NULL), T2T_OK);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_host_work *w = &work[count - 1 - i];

        if (asked[i].position == NONE)
            assert_int_equal(w->call, T2T_NO_ID);
        else
            assert_int_equal(w->call, id_at(index, asked[i].position));
        assert_int_equal(w->ns, asked[i].ns);
    }
    remove_index(NAME, index);
}

static void test_the_longest_outermost_call(void **state)
{
    static const struct said rows[] = {
        OP("a", "10", "10", ""), /* 10-20 */
        OP("b", "20", "5", ""),  /* 20-25 */
        OP("c", "30", "5", ""),  /* 30-35 */
        OP("d", "35", "0", ""),
    };
    static const struct asked asked[] = {
        {0, 10000, NONE, 0},     /* nothing runs yet */
        {12000, 18000, 0, 6000}, /* within a call */
        {12000, 24000, 0, 8000}, /* two: the longer */
        {15000, 25000, 0, 5000}, /* equals: the first */
        {15001, 25000, 1, 5000},
        {20000, 35000, 1, 5000},  /* 5 of each, 5 of none: the first */
        {20000, 35001, NONE, 0},  /* longer in none */
        {10000, 35000, 0, 10000}, /* all of them */
        {19999, 31000, 1, 5000},  /* b, as long as none */
        {25000, 30000, NONE, 0},  /* between */
        {35000, 40000, NONE, 0},  /* behind */
        {34999, 35001, 2, 1},     /* the last nanosecond */
    };

    (void)state;
    assert_work(rows, COUNT(rows), asked, COUNT(asked));
}

static void test_the_innermost_with_more_than_half(void **state)
{
    static const struct said rows[] = {
        PY("f", "0", "100"),     /* 0-100 */
        PY("g", "10", "80"),     /* 10-90 */
        OP("h", "20", "30", ""), /* 20-50 */
        LAUNCH("50", "1"),       /* 50-51 */
        OP("i", "55", "25", ""), /* 55-80 */
        KERNEL("k", "60", "5", "1"),
    };
    static const struct asked asked[] = {
        {0, 100000, 1, 80000},
        {0, 159999, 1, 80000},    /* 80 of the 100 that f runs */
        {20000, 80000, 1, 60000}, /* h and i have no more than half */
        {20000, 79999, 2, 30000},
        {20001, 80000, 1, 59999},
        {40000, 51000, 2, 10000},
        {49000, 51000, 1, 2000}, /* half is not more than half */
        {50000, 51000, 3, 1000},
        {92000, 98000, 0, 6000},
        {60000, 61000, 4, 1000},
    };

    (void)state;
    assert_work(rows, COUNT(rows), asked, COUNT(asked));
}

/* b starts in a and ends after it: a ends where b starts. */
static void test_a_call_that_crosses_ends_another(void **state)
{
    static const struct said rows[] = {
        OP("a", "10", "10", ""), /* 10-20, until 12 */
        OP("b", "12", "20", ""), /* 12-32 */
    };
    static const struct asked asked[] = {
        {10000, 20000, 1, 8000},
        {10000, 12000, 0, 2000},
        {10000, 14000, 0, 2000},
        {10000, 14001, 1, 2001},
    };

    (void)state;
    assert_work(rows, COUNT(rows), asked, COUNT(asked));
}

static void test_no_thread_has_no_answer(void **state)
{
    static const struct said rows[] = {OP("a", "10", "10", "")};
    t2t_index *index = INDEX_OF(rows);
    struct tt_host_work work = {.lane = T2T_NO_ID, .during = {0, 99}, .ns = 5};

    (void)state;
    assert_int_equal(tt_host_work_find(index, &work, 1, NULL), T2T_OK);
    assert_int_equal(work.call, T2T_NO_ID);
    assert_int_equal(work.ns, 0);
    assert_int_equal(tt_host_work_find(index, NULL, 0, NULL), T2T_OK);
    work.lane = 12345;
    assert_int_equal(tt_host_work_find(index, &work, 1, NULL),
                     T2T_ERR_INDEX_DAMAGE);
    remove_index(NAME, index);
}

static void test_times_at_the_ends_of_64_bits(void **state)
{
    static const struct said rows[] = {
        OP("all", "-9223372036854775.808", "99999999999999999", ""),
        OP("late", "0", "9999999999999999999", ""),
    };
    static const struct asked asked[] = {
        {INT64_MIN, INT64_MAX, 0, UINT64_MAX},
        {-1, INT64_MAX, 1, INT64_MAX},
        {INT64_MAX - 1, INT64_MAX, 1, 1},
        {INT64_MIN, INT64_MIN + 1, 0, 1},
    };

    (void)state;
    assert_work(rows, COUNT(rows), asked, COUNT(asked));
}

#define DEEP 20000

/* Calls that lie in each other, asked at every depth and all the way through:
 * a walk for each question would take some 10^8 steps a pass. */
static void test_deep_calls_take_one_walk(void **state)
{
    char *json = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&json, &len);
    struct tt_host_work *work = calloc(DEEP, sizeof(*work));
    t2t_index *index;
    clock_t began;

    (void)state;
    assert_non_null(to);
    assert_non_null(work);
    (void)fputs("[0", to);
    for (int i = 0; i < DEEP; i++)
        (void)fprintf(to,
                      ",{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"f"
                      "\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}",
                      i, 2 * (DEEP - i) - 1);
    (void)fputs("]", to);
    assert_int_equal(fclose(to), 0);
    index = make_index(NAME, json);
    free(json);
    for (int i = 0; i < DEEP; i++)
        work[i] = (struct tt_host_work){.lane = thread(index),
                                        .during = {(int64_t)i * 1000,
                                                   (int64_t)i * 1000 + 2}};
    began = clock();
    assert_int_equal(tt_host_work_find(index, work, DEEP, NULL), T2T_OK);
    assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
    for (uint32_t i = 0; i < DEEP; i++) {
        assert_int_equal(work[i].call, i);
        assert_int_equal(work[i].ns, 2);
    }
    free(work);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_outermost_call),
        cmocka_unit_test(test_the_innermost_with_more_than_half),
        cmocka_unit_test(test_a_call_that_crosses_ends_another),
        cmocka_unit_test(test_no_thread_has_no_answer),
        cmocka_unit_test(test_times_at_the_ends_of_64_bits),
        cmocka_unit_test(test_deep_calls_take_one_walk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
