/* test_timeline_views.c - t2t_timeline() by step, of a window, with gaps and
 * recomputation told apart */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_timeline_views"
#define US 1000

#define AGAIN "torch/utils/checkpoint.py(99): recompute_fn"

static void assert_view(const struct said *row, size_t count,
                        const struct t2t_selection *selection,
                        const struct t2t_timeline_options *options,
                        const char *rows)
{
    t2t_index *index = index_of(NAME, row, count);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_timeline(index, selection, options, &table, &err))
        fail_msg("%s", err.text);
    assert_csv(table, rows);
    remove_index(NAME, index);
}

/* Gaps of 1, 5 and 4 us; the one at 107 is none, an event without duration does
 * not end it. */
static void test_short_gaps_are_told_apart(void **state)
{
    static const struct said events[] = {
        UNLINKED("a", "100", "2"),  UNLINKED("b", "103", "1"),
        UNLINKED("c", "103", "2"),  UNLINKED("d", "107", "0"),
        UNLINKED("e", "110", "10"), UNLINKED("f", "124", "1"),
    };
    static const struct t2t_timeline_options four = {.micro_idle_ns = 4 * US};
    static const struct t2t_timeline_options more = {.micro_idle_ns =
                                                         4 * US + 1};

    (void)state;
    assert_view(events, COUNT(events), NULL, &four,
                "all,computation_time,15000,60.0\n"
                "all,exposed_comm_time,0,0.0\n"
                "all,exposed_memcpy_time,0,0.0\n"
                "all,busy_time,15000,60.0\n"
                "all,idle_time,10000,40.0\n"
                "all,micro_idle_time,1000,4.0\n"
                "all,macro_idle_time,9000,36.0\n"
                "all,total_time,25000,100.0\n"
                "all,total_comm_time,0,0.0\n"
                "all,total_memcpy_time,0,0.0\n"
                "0,computation_time,15000,60.0\n"
                "0,exposed_comm_time,0,0.0\n"
                "0,exposed_memcpy_time,0,0.0\n"
                "0,busy_time,15000,60.0\n"
                "0,idle_time,10000,40.0\n"
                "0,micro_idle_time,1000,4.0\n"
                "0,macro_idle_time,9000,36.0\n"
                "0,total_time,25000,100.0\n"
                "0,total_comm_time,0,0.0\n"
                "0,total_memcpy_time,0,0.0\n");
    assert_view(events, 0, NULL, &more,
                "all,computation_time,0,nan\n"
                "all,exposed_comm_time,0,nan\n"
                "all,exposed_memcpy_time,0,nan\n"
                "all,busy_time,0,nan\n"
                "all,idle_time,0,nan\n"
                "all,micro_idle_time,0,nan\n"
                "all,macro_idle_time,0,nan\n"
                "all,total_time,0,nan\n"
                "all,total_comm_time,0,nan\n"
                "all,total_memcpy_time,0,nan\n");
}

/* A window of the timeline cuts what reaches over its ends. */
static void test_a_window_cuts_events(void **state)
{
    static const struct said events[] = {
        UNLINKED("before", "100", "10"), UNLINKED("over", "95", "20"),
        UNLINKED("in", "120", "5"),      UNLINKED("empty", "112", "0"),
        UNLINKED("after", "130", "10"),
    };
    static const struct t2t_selection window = {.between = true,
                                                .from_ns = 110 * US,
                                                .to_ns = 122 * US};
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = NULL;
    const char *value;

    (void)state;
    assert_int_equal(t2t_timeline(index, &window, NULL, &table, NULL), T2T_OK);
    assert_int_equal(t2t_table_integer(table, 3, 2), 7 * US);  /* busy */
    assert_int_equal(t2t_table_integer(table, 4, 2), 5 * US);  /* idle */
    assert_int_equal(t2t_table_integer(table, 5, 2), 12 * US); /* total */
    assert_string_equal(t2t_table_selection(table, 1, &value), "gpu_events");
    assert_string_equal(value, "3"); /* over, in, empty */
    t2t_table_free(table);
    remove_index(NAME, index);
}

/* Of step 5: two kernels and a copy, in step 6 none; one is in no step. */
static void test_a_row_is_a_step(void **state)
{
    static const struct said events[] = {
        STEP("5", "0", "100"),
        STEP("6", "100", "50"),
        LAUNCH("10", "1"),
        LAUNCH("20", "2"),
        LAUNCH("170", "3"),
        KERNEL("k", "300", "10", "1"),
        KERNEL("nccl", "305", "10", "2"),
        KERNEL("k", "400", "3", "3"),
        {"gpu_memcpy", "Memcpy", "0", "8", "20", "5", ""},
    };
    static const struct t2t_timeline_options by_step = {.by_step = true};
    static const struct t2t_timeline_options gaps = {.by_step = true,
                                                     .micro_idle_ns = 1};

    (void)state;
    assert_view(events, COUNT(events), NULL, &by_step,
                "ProfilerStep#5,3,100000,10000,5000,5000,20000,275000,295000,"
                "10000,5000\n"
                "ProfilerStep#6,0,50000,0,0,0,0,0,0,0,0\n"
                "(no step),1,,3000,0,0,3000,0,3000,0,0\n");
    assert_view(events, COUNT(events), NULL, &gaps,
                "ProfilerStep#5,3,100000,10000,5000,5000,20000,275000,295000,"
                "10000,5000,0,275000\n"
                "ProfilerStep#6,0,50000,0,0,0,0,0,0,0,0,0,0\n"
                "(no step),1,,3000,0,0,3000,0,3000,0,0,0,0\n");
    assert_view(events, 0, NULL, &by_step, "");
}

/* The kernel of 320 is launched again below a recompute_fn. */
static const struct said twice[] = {
    LAUNCH("10", "1"),
    PY(AGAIN, "20", "10"),
    PY(AGAIN, "21", "8"), /* in the other */
    LAUNCH("22", "2"),
    PY("torch/utils/checkpoint.py(9): forward", "40", "9"),
    LAUNCH("41", "3"),
    {"cpu_op", AGAIN, "1", "1", "60", "9", ""}, /* no Python frame */
    LAUNCH("61", "4"),
    KERNEL("k", "300", "20", "1"),
    KERNEL("k", "310", "30", "2"),
    KERNEL("k", "350", "10", "3"),
    KERNEL("k", "370", "10", "4"),
};

static void test_recomputation_is_measured_against_the_same_span(void **state)
{
    static const struct t2t_timeline_options apart = {.recompute = true};
    t2t_index *index = INDEX_OF(twice);
    t2t_table *table = NULL;
    static const struct {
        const char *type;
        int64_t no;
        int64_t yes;
    } rows[] = {
        {"computation_time", 40, 30},  {"exposed_comm_time", 0, 0},
        {"exposed_memcpy_time", 0, 0}, {"busy_time", 40, 30},
        {"idle_time", 40, 50},         {"total_time", 80, 80},
        {"total_comm_time", 0, 0},     {"total_memcpy_time", 0, 0},
        {"exclusive_time", 30, 20},
    };

    (void)state;
    assert_int_equal(t2t_timeline(index, NULL, &apart, &table, NULL), T2T_OK);
    assert_int_equal(t2t_table_row_count(table), 4 * COUNT(rows));
    for (size_t i = 0; i < 4 * COUNT(rows); i++) {
        bool again = i / COUNT(rows) % 2;
        size_t r = i % COUNT(rows);

        assert_text(t2t_table_string(table, i, 0), again ? "yes" : "no");
        assert_text(t2t_table_string(table, i, 1),
                    i < 2 * COUNT(rows) ? "all" : "0");
        assert_text(t2t_table_string(table, i, 2), rows[r].type);
        assert_int_equal(t2t_table_integer(table, i, 3),
                         US * (again ? rows[r].yes : rows[r].no));
    }
    t2t_table_free(table);
    remove_index(NAME, index);
}

/* The span's ends are gaps of a part that does not reach them. */
static void test_gaps_of_a_part_are_within_the_span(void **state)
{
    static const struct t2t_timeline_options options = {.by_step = true,
                                                        .micro_idle_ns =
                                                            20 * US,
                                                        .recompute = true};

    (void)state;
    assert_view(twice, COUNT(twice), NULL, &options,
                "no,(no step),3,,40000,0,0,40000,40000,80000,0,0,10000,30000\n"
                "yes,(no step),1,,30000,0,0,30000,50000,80000,0,0,10000,"
                "40000\n");
}

static void
test_operations_that_compute_again_have_rows_of_their_own(void **state)
{
    static const struct {
        enum t2t_ops_by by;
        const char *rows;
    } tables[] = {
        {T2T_OPS_BY_LAUNCHER, "no,0,launch,other,20000,20000,1\n"
                              "yes,3,launch,other,30000,30000,1\n"
                              "no,5,launch,other,10000,10000,1\n"
                              "no,6," AGAIN ",other,10000,10000,1\n"},
        {T2T_OPS_BY_CATEGORY,
         "no,other,3,40000,0,57.142857142857146,57.142857142857146\n"
         "yes,other,1,30000,3,42.857142857142854,100.0\n"},
        {T2T_OPS_BY_NAME,
         "no,launch,\"[\"\"other\"\"]\",2,30000,30000,0,42.857142857142854,"
         "42.857142857142854\n"
         "yes,launch,\"[\"\"other\"\"]\",1,30000,30000,3,42.857142857142854,"
         "85.71428571428571\n"
         "no," AGAIN ",\"[\"\"other\"\"]\",1,10000,10000,6,"
         "14.285714285714286,100.0\n"},
        {T2T_OPS_BY_MODULE,
         "no,(no module),3,40000,40000,0,57.142857142857146,"
         "57.142857142857146\n"
         "yes,(no module),1,30000,30000,3,42.857142857142854,100.0\n"},
    };
    t2t_index *index = INDEX_OF(twice);

    (void)state;
    for (size_t i = 0; i < COUNT(tables); i++) {
        t2t_table *table = NULL;

        assert_int_equal(t2t_ops(index, NULL, tables[i].by, true, &table, NULL),
                         T2T_OK);
        assert_csv(table, tables[i].rows);
    }
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_gaps_are_told_apart),
        cmocka_unit_test(test_a_window_cuts_events),
        cmocka_unit_test(test_a_row_is_a_step),
        cmocka_unit_test(test_recomputation_is_measured_against_the_same_span),
        cmocka_unit_test(test_gaps_of_a_part_are_within_the_span),
        cmocka_unit_test(
            test_operations_that_compute_again_have_rows_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
