/* test_busy.c - query/busy.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/busy.h"

#define MANY 20000
#define RANDOM_MAX 160

static void test_no_interval_is_busy_for_no_time(void **state)
{
    struct tt_run run = {0, 0, 17};

    (void)state;
    assert_true(tt_busy(NULL, 0) == 0);
    assert_int_equal(tt_busy_runs(NULL, 0, NULL, 0, NULL), T2T_OK);
    assert_int_equal(tt_busy_runs(NULL, 0, &run, 1, NULL), T2T_OK);
    assert_true(run.busy_ns == 0);
}

/* Some intervals and how long they are together. */
static const struct {
    struct tt_interval v[4];
    uint32_t count;
    uint64_t busy_ns;
} unions[] = {
    {{{5, 9}}, 1, 4},
    {{{5, 5}}, 1, 0},
    {{{5, 5}, {7, 7}, {9, 9}}, 3, 0},
    {{{1, 3}, {3, 5}}, 2, 4},
    {{{1, 3}, {4, 5}}, 2, 3},
    {{{4, 5}, {1, 3}}, 2, 3},
    {{{1, 9}, {2, 3}, {4, 8}}, 3, 8},
    {{{2, 3}, {4, 8}, {1, 9}}, 3, 8},
    {{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, 4, 1},
    {{{1, 2}, {1, 9}, {1, 1}, {1, 5}}, 4, 8},
    {{{3, 3}, {1, 2}, {2, 3}, {3, 4}}, 4, 3},
    {{{1, 5}, {4, 8}, {7, 11}, {20, 21}}, 4, 11},
    {{{-5, 0}, {0, 5}}, 2, 10},
    {{{INT64_MIN, INT64_MAX}}, 1, UINT64_MAX},
    {{{0, INT64_MAX}, {INT64_MIN, 0}}, 2, UINT64_MAX},
    {{{INT64_MIN, INT64_MIN + 1}, {INT64_MAX - 1, INT64_MAX}}, 2, 2},
    {{{INT64_MIN, INT64_MAX}, {INT64_MIN, INT64_MAX}}, 2, UINT64_MAX},
    {{{INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}}, 2, 0},
};

static void test_a_union_counts_every_moment_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(unions) / sizeof(unions[0]); i++) {
        struct tt_interval v[4];

        memcpy(v, unions[i].v, sizeof(v));
        if (tt_busy(v, unions[i].count) != unions[i].busy_ns)
            fail_msg("union %zu", i);
    }
}

static void test_a_cover_knows_where_it_begins_and_ends(void **state)
{
    static const struct tt_interval v[] = {{-9, -9}, {-7, -5}, {-6, -6},
                                           {2, 8},   {3, 4},   {90, 90}};
    struct tt_cover cover = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
        tt_cover_add(&cover, &v[i]);
    assert_true(cover.any);
    assert_int_equal(cover.start_ns, -7);
    assert_int_equal(cover.end_ns, 8);
    assert_int_equal(cover.ns, 8);
}

/* The same unions, each repeated so often that its run is a long one, all in
 * one array. */
static void test_long_runs_are_measured_as_short_ones(void **state)
{
    enum { TIMES = 20, UNIONS = sizeof(unions) / sizeof(unions[0]) };
    static struct tt_interval v[UNIONS * 4 * TIMES];
    static struct tt_run run[UNIONS];
    uint32_t count = 0;

    (void)state;
    for (size_t i = 0; i < UNIONS; i++) {
        run[i].first = count;
        for (size_t k = 0; k < TIMES; k++)
            for (uint32_t j = 0; j < unions[i].count; j++)
                v[count++] = unions[i].v[j];
        run[i].count = count - run[i].first;
        for (; run[i].count <= 32; run[i].count++)
            v[count++] = unions[i].v[0];
    }
    assert_int_equal(tt_busy_runs(v, count, run, UNIONS, NULL), T2T_OK);
    for (size_t i = 0; i < UNIONS; i++)
        if (run[i].busy_ns != unions[i].busy_ns)
            fail_msg("union %zu", i);
}

static void test_runs_may_lie_in_each_other_however_deep(void **state)
{
    static struct tt_interval v[MANY];
    static struct tt_run run[MANY];

    (void)state;
    /* run i is all that is behind i, as of nested frames */
    for (uint32_t i = 0; i < MANY; i++) {
        v[i] = (struct tt_interval){10 * (int64_t)i, 10 * (int64_t)i + 3};
        run[i] = (struct tt_run){i, MANY - i, 0};
    }
    assert_int_equal(tt_busy_runs(v, MANY, run, MANY, NULL), T2T_OK);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(run[i].busy_ns, 3 * (MANY - i));
}

static void test_runs_of_equal_starts_and_of_equal_intervals(void **state)
{
    static struct tt_interval v[MANY];
    static struct tt_run run[MANY];

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        v[i] = (struct tt_interval){7, 7 + (int64_t)i};
        run[i] = (struct tt_run){0, i + 1, 0};
    }
    assert_int_equal(tt_busy_runs(v, MANY, run, MANY, NULL), T2T_OK);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(run[i].busy_ns, i);
    for (uint32_t i = 0; i < MANY; i++)
        v[i] = (struct tt_interval){7, 9};
    assert_int_equal(tt_busy_runs(v, MANY, run, MANY, NULL), T2T_OK);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(run[i].busy_ns, 2);
}

/* ---- against a naive one ------------------------------------------------- */

static uint32_t random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* One of `count` numbers. */
static uint32_t one_of(uint64_t *seed, uint32_t count)
{
    return random_number(seed) % count;
}

/* Moment by moment. */
static uint64_t naive(const struct tt_interval *v, const struct tt_run *run,
                      int64_t span)
{
    uint64_t ns = 0;

    for (int64_t at = 0; at < span; at++)
        for (uint32_t i = 0; i < run->count; i++)
            if (v[run->first + i].start_ns <= at &&
                at < v[run->first + i].end_ns) {
                ns++;
                break;
            }
    return ns;
}

/* Makes most of them begin at or after the end of the one before. */
static void make_chain(struct tt_interval *v, uint32_t count, uint64_t *seed,
                       uint32_t span)
{
    for (uint32_t i = 1; i < count; i++) {
        if (!one_of(seed, count))
            continue;
        v[i].start_ns = v[i - 1].end_ns + one_of(seed, 2);
        if (v[i].start_ns >= span)
            v[i].start_ns = one_of(seed, span);
        v[i].end_ns = v[i].start_ns + one_of(seed, 3);
    }
}

static void compare_with_naive(uint64_t seed)
{
    struct tt_interval v[RANDOM_MAX];
    struct tt_run run[RANDOM_MAX];
    uint32_t count = 1 + one_of(&seed, RANDOM_MAX);
    uint32_t run_count = 1 + one_of(&seed, RANDOM_MAX);
    uint32_t span = 1 + one_of(&seed, 200);
    uint32_t longest = 1 + one_of(&seed, span);

    for (uint32_t i = 0; i < count; i++) {
        v[i].start_ns = one_of(&seed, span);
        v[i].end_ns = v[i].start_ns + one_of(&seed, longest);
    }
    if (seed % 2)
        make_chain(v, count, &seed, span);
    for (uint32_t i = 0; i < run_count; i++) {
        uint32_t first = one_of(&seed, count);

        run[i] = (struct tt_run){first, one_of(&seed, count - first + 1), 17};
    }
    assert_int_equal(tt_busy_runs(v, count, run, run_count, NULL), T2T_OK);
    for (uint32_t i = 0; i < run_count; i++)
        assert_int_equal(run[i].busy_ns, naive(v, &run[i], 2 * (int64_t)span));
}

static void test_random_runs_are_those_of_a_naive_measure(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++)
        compare_with_naive(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_interval_is_busy_for_no_time),
        cmocka_unit_test(test_a_union_counts_every_moment_once),
        cmocka_unit_test(test_a_cover_knows_where_it_begins_and_ends),
        cmocka_unit_test(test_long_runs_are_measured_as_short_ones),
        cmocka_unit_test(test_runs_may_lie_in_each_other_however_deep),
        cmocka_unit_test(test_runs_of_equal_starts_and_of_equal_intervals),
        cmocka_unit_test(test_random_runs_are_those_of_a_naive_measure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
