/* test_launches.c - t2t_launches() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_launches"

/* A call that is named, takes `dur`, and is on thread `tid`. */
#define CALL(name, tid, ts, dur, args)                                         \
    {                                                                          \
        "cuda_runtime", name, "1", tid, ts, dur, args                          \
    }
/* An event of any device and stream. */
#define EVENT(category, name, device, stream, ts, dur, args)                   \
    {                                                                          \
        category, name, device, stream, ts, dur, args                          \
    }
#define CORRELATION(n) "\"correlation\":" n

static void assert_launches(const struct said *row, size_t count,
                            const struct t2t_selection *selection,
                            enum t2t_launches_by by, const char *expected)
{
    t2t_index *index = index_of(NAME, row, count);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_launches(index, selection, by, &table, &err))
        fail_msg("%s", err.text);
    assert_csv(table, expected);
    remove_index(NAME, index);
}

static const struct said nothing[] = {PY("f", "0", "10")};

static void test_a_trace_without_gpu_has_no_rows(void **state)
{
    (void)state;
    for (int by = 0; by <= T2T_LAUNCHES_UNLINKED; by++) {
        assert_launches(nothing, 0, NULL, (enum t2t_launches_by)by, "");
        assert_launches(nothing, 1, NULL, (enum t2t_launches_by)by, "");
    }
}

/*
 * Stream 7: a 10-20 (launched at 1), b 20-40 (at 2), c 50-60 (at 45), and one
 * without a launch, 3-5.  At 1 nothing is queued; at 2 a is (the one without a
 * launch counts from 3 on); at 45 nothing is.
 */
static const struct said queue[] = {
    OP("aten::mm", "0", "4", ""),
    OP("aten::add", "44", "4", ""),
    CALL("cudaLaunchKernel", "1", "1", "0.5", CORRELATION("1")),
    CALL("cudaLaunchKernel", "1", "2", "1", CORRELATION("2")),
    CALL("cudaLaunchKernel", "1", "45", "2", CORRELATION("3")),
    KERNEL("a", "10", "10", "1"),
    KERNEL("b", "20", "20", "2"),
    KERNEL("c", "50", "10", "3"),
    UNLINKED("d", "3", "2"),
};

static void test_delay_and_depth_of_operations(void **state)
{
    (void)state;
    assert_launches(queue, COUNT(queue), NULL, T2T_LAUNCHES_BY_OP,
                    "aten::mm,2,2,1500,13500.0,13500.0,18000,9000,18000,0,0.5,"
                    "1,1,50.0,4,5\n"
                    "aten::add,1,1,2000,5000.0,5000.0,5000,5000,5000,0,0.0,0,1,"
                    "100.0,7,7\n");
}

static void test_delay_and_depth_of_calls(void **state)
{
    (void)state;
    assert_launches(queue, COUNT(queue), NULL, T2T_LAUNCHES_BY_CALL,
                    "cudaLaunchKernel,3,3,3500,10666.666666666666,9000.0,18000,"
                    "5000,18000,0,0.3333333333333333,1,2,66.66666666666667,4,5"
                    "\n");
}

static void test_each_event_by_delay(void **state)
{
    (void)state;
    assert_launches(queue, COUNT(queue), NULL, T2T_LAUNCHES_BY_EVENT,
                    "4,b,aten::mm,0,7,3,2000,18000,1,20000\n"
                    "2,a,aten::mm,0,7,1,1000,9000,0,10000\n"
                    "7,c,aten::add,0,7,6,45000,5000,0,10000\n");
}

static void test_what_is_selected_waits_in_the_whole_queue(void **state)
{
    const struct t2t_selection from_b = {.between = true,
                                         .from_ns = 15000,
                                         .to_ns = 45000};

    (void)state;
    assert_launches(queue, COUNT(queue), &from_b, T2T_LAUNCHES_BY_EVENT,
                    "4,b,aten::mm,0,7,3,2000,18000,1,20000\n");
    assert_launches(queue, COUNT(queue), &from_b, T2T_LAUNCHES_BY_OP,
                    "aten::mm,1,1,1000,18000.0,18000.0,18000,18000,18000,0,1.0,"
                    "1,0,0.0,4,6\n");
    assert_launches(queue, COUNT(queue), &from_b, T2T_LAUNCHES_UNLINKED, "");
}

static void test_one_without_a_launch_queues_from_its_start(void **state)
{
    static const struct said rows[] = {
        LAUNCH("5", "1"),
        KERNEL("a", "20", "1", "1"),
        UNLINKED("running", "4", "2"),
        UNLINKED("starting", "5", "2"),
        UNLINKED("ended", "4", "1"),
    };
    const struct t2t_selection linked = {.linked_only = true};

    (void)state;
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_EVENT,
                    "1,a,launch,0,7,0,1000,15000,1,1000\n");
    /* what is not selected is in the queue as well */
    assert_launches(rows, COUNT(rows), &linked, T2T_LAUNCHES_BY_EVENT,
                    "1,a,launch,0,7,0,1000,15000,1,1000\n");
    assert_launches(rows, COUNT(rows), &linked, T2T_LAUNCHES_BY_OP,
                    "launch,1,1,1000,15000.0,15000.0,15000,15000,15000,0,1.0,1,"
                    "0,0.0,1,1\n");
    assert_launches(rows, COUNT(rows), &linked, T2T_LAUNCHES_UNLINKED, "");
}

static void test_delays_below_zero_are_counted(void **state)
{
    static const struct said rows[] = {
        LAUNCH("10", "1"), KERNEL("early", "4", "20", "1"),
        LAUNCH("12", "2"), KERNEL("late", "30", "1", "2"),
        LAUNCH("40", "3"), KERNEL("gone", "35", "1", "3"),
        LAUNCH("41", "4"), KERNEL("after", "50", "1", "4"),
    };

    (void)state;
    assert_launches(
        rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_OP,
        "launch,4,4,4000,4000.0,2000.0,18000,-6000,18000,2,0.25,1,3,"
        "75.0,3,1\n");
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_EVENT,
                    "3,late,launch,0,7,2,8000,18000,1,1000\n"
                    "7,after,launch,0,7,6,37000,9000,0,1000\n"
                    "5,gone,launch,0,7,4,36000,-5000,0,1000\n"
                    "1,early,launch,0,7,0,6000,-6000,0,20000\n");
}

/* Launches that start together are not before each other; a graph launch is
 * one, whatever it launched. */
static void test_ties_and_graphs_queue_once(void **state)
{
    static const struct said rows[] = {
        CALL("cudaGraphLaunch", "1", "0", "1", CORRELATION("1")),
        KERNEL("g1", "10", "5", "1"),
        KERNEL("g2", "15", "5", "1"),
        KERNEL("g3", "20", "5", "1"),
        CALL("left", "1", "12", "1", CORRELATION("2")),
        CALL("right", "2", "12", "1", CORRELATION("3")),
        KERNEL("l", "30", "1", "2"),
        KERNEL("r", "31", "1", "3"),
        CALL("end", "1", "20", "1", CORRELATION("4")),
        KERNEL("e", "32", "0", "4"),
        CALL("then", "1", "32", "1", CORRELATION("5")),
        KERNEL("t", "40", "1", "5"),
    };

    (void)state;
    assert_launches(
        rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_CALL,
        "cudaGraphLaunch,3,1,1000,15000.0,15000.0,20000,10000,20000,0,0.0,0,3,"
        "100.0,3,1\n"
        /* at 12: g1 runs, g2 and g3 wait */
        "left,1,1,1000,18000.0,18000.0,18000,18000,18000,0,3.0,3,0,0.0,5,6\n"
        "right,1,1,1000,19000.0,19000.0,19000,19000,19000,0,3.0,3,0,0.0,11,7\n"
        /* at 20: g2 has ended, g3, l and r have not */
        "end,1,1,1000,12000.0,12000.0,12000,12000,12000,0,3.0,3,0,0.0,7,9\n"
        "then,1,1,1000,8000.0,8000.0,8000,8000,8000,0,0.0,0,1,100.0,9,11\n");
}

static void test_streams_have_queues_of_their_own(void **state)
{
    static const struct said rows[] = {
        CALL("launch", "1", "1", "1", CORRELATION("1")),
        EVENT("kernel", "a", "0", "7", "20", "1", CORRELATION("1")),
        CALL("launch", "1", "2", "1", CORRELATION("2")),
        EVENT("kernel", "b", "1", "7", "21", "1", CORRELATION("2")),
        CALL("launch", "1", "3", "1", CORRELATION("3")),
        EVENT("kernel", "c", "0", "8", "22", "1", CORRELATION("3")),
        CALL("launch", "1", "4", "1", CORRELATION("4")),
        EVENT("kernel", "d", "1", "7", "23", "1", CORRELATION("4")),
    };
    const struct t2t_selection second = {.device = "1"};

    (void)state;
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_EVENT,
                    "1,a,launch,0,7,0,0,19000,0,1000\n"
                    "3,b,launch,1,7,2,1000,19000,0,1000\n"
                    "5,c,launch,0,8,4,2000,19000,0,1000\n"
                    "7,d,launch,1,7,6,3000,19000,1,1000\n");
    assert_launches(rows, COUNT(rows), &second, T2T_LAUNCHES_BY_OP,
                    "launch,2,2,2000,19000.0,19000.0,19000,19000,19000,0,0.5,1,"
                    "1,50.0,3,3\n");
    assert_launches(rows, COUNT(rows), &second, T2T_LAUNCHES_HOST_ONLY, "");
}

/* The trace has them the other way round than the tree. */
static void test_equal_amounts_come_in_the_order_of_the_trace(void **state)
{
    static const struct said rows[] = {
        CALL("sync", "1", "30", "2", ""),  LAUNCH("20", "2"),
        KERNEL("late", "25", "1", "2"),    UNLINKED("y", "90", "3"),
        CALL("malloc", "1", "3", "2", ""), LAUNCH("10", "1"),
        KERNEL("early", "15", "1", "1"),   UNLINKED("x", "80", "3"),
    };

    (void)state;
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_EVENT,
                    "4,late,launch,0,7,3,17000,5000,0,1000\n"
                    "2,early,launch,0,7,1,7000,5000,0,1000\n");
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_HOST_ONLY,
                    "sync,1,2000,2000.0,2000,50.0,5\n"
                    "malloc,1,2000,2000.0,2000,50.0,0\n");
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_UNLINKED,
                    "0,7,kernel,y,1,3000,3000.0,0,7\n"
                    "0,7,kernel,x,1,3000,3000.0,0,6\n");
}

static void test_calls_that_launched_nothing(void **state)
{
    static const struct said rows[] = {
        PY("nn.Module: Linear_0", "0", "6"),
        CALL("cudaStreamSynchronize", "1", "1", "3", CORRELATION("1")),
        CALL("cudaMalloc", "1", "4", "1", ""),
        CALL("cudaStreamSynchronize", "1", "10", "4", CORRELATION("2")),
        CALL("cudaLaunchKernel", "1", "20", "1", CORRELATION("3")),
        KERNEL("k", "30", "1", "3"),
        CALL("cudaLaunchKernel", "1", "22", "1", CORRELATION("4")),
        STEP("3", "9", "3"),
    };
    const struct t2t_selection step = {.steps = true,
                                       .first_step = 3,
                                       .last_step = 3};
    const struct t2t_selection before = {.between = true,
                                         .from_ns = 1000,
                                         .to_ns = 4000};
    const struct t2t_selection module = {.module = "Linear"};
    const struct t2t_selection linked = {.linked_only = true};
    const struct t2t_selection device = {.device = "1"};
    static const char all[] =
        "cudaStreamSynchronize,2,7000,3500.0,4000,77.77777777777777,3\n"
        "cudaMalloc,1,1000,1000.0,1000,11.11111111111111,2\n"
        "cudaLaunchKernel,1,1000,1000.0,1000,11.11111111111111,6\n";

    (void)state;
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_HOST_ONLY, all);
    assert_launches(rows, COUNT(rows), &linked, T2T_LAUNCHES_HOST_ONLY, all);
    assert_launches(rows, COUNT(rows), &step, T2T_LAUNCHES_HOST_ONLY,
                    "cudaStreamSynchronize,1,4000,4000.0,4000,100.0,3\n");
    assert_launches(rows, COUNT(rows), &before, T2T_LAUNCHES_HOST_ONLY,
                    "cudaStreamSynchronize,1,3000,3000.0,3000,100.0,1\n");
    assert_launches(rows, COUNT(rows), &module, T2T_LAUNCHES_HOST_ONLY,
                    "cudaStreamSynchronize,1,3000,3000.0,3000,75.0,1\n"
                    "cudaMalloc,1,1000,1000.0,1000,25.0,2\n");
    /* the thread has the pid of that device, but is on none */
    assert_launches(rows, COUNT(rows), &device, T2T_LAUNCHES_HOST_ONLY, "");
}

static void test_gpu_events_without_a_launch(void **state)
{
    static const struct said rows[] = {
        LAUNCH("0", "1"),
        EVENT("kernel", "x", "0", "7", "10", "3", CORRELATION("77")),
        EVENT("kernel", "linked", "0", "7", "12", "3", CORRELATION("1")),
        EVENT("kernel", "x", "0", "7", "12", "5", ""),
        EVENT("gpu_memcpy", "x", "0", "7", "11", "1", ""),
        EVENT("kernel", "x", "0", "8", "90", "7", ""),
        EVENT("kernel", "x", "1", "7", "10", "0", ""),
    };

    (void)state;
    assert_launches(rows, COUNT(rows), NULL, T2T_LAUNCHES_UNLINKED,
                    "0,7,kernel,x,2,8000,4000.0,1,2\n"
                    "0,8,kernel,x,1,7000,7000.0,1,5\n"
                    "0,7,gpu_memcpy,x,1,1000,1000.0,1,3\n"
                    "1,7,kernel,x,1,0,0.0,1,6\n");
}

static void test_times_at_the_ends_of_64_bits(void **state)
{
    static const struct said rows[] = {
        LAUNCH("-9223372036854775.808", "1"),
        KERNEL("a", "9223372036854775.806", "0.001", "1"),
        LAUNCH("9223372036854775.807", "2"),
        KERNEL("b", "-9223372036854775.808", "9223372036854775.807", "2"),
    };

    (void)state;
    assert_launches(
        rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_EVENT,
        "1,a,launch,0,7,0,0,9223372036854775807,0,1\n"
        "3,b,launch,0,7,2,9223372036854775807,-9223372036854775808,0,"
        "9223372036854775807\n");
    assert_launches(
        rows, COUNT(rows), NULL, T2T_LAUNCHES_BY_OP,
        "launch,2,2,1000,-0.5,-0.5,9223372036854775807,"
        "-9223372036854775808,9223372036854775807,1,0.0,0,2,100.0,1,"
        "1\n");
}

static void test_wrong_use_is_told(void **state)
{
    t2t_index *index = INDEX_OF(queue);
    const struct t2t_selection empty = {.module = ""};
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_launches(index, NULL, (enum t2t_launches_by)99, &table,
                                  &err),
                     T2T_ERR_USAGE);
    assert_int_equal(t2t_launches(index, &empty, T2T_LAUNCHES_BY_OP, &table,
                                  &err),
                     T2T_ERR_USAGE);
    assert_null(table);
    remove_index(NAME, index);
}

static void test_every_column_is_explained(void **state)
{
    t2t_index *index = INDEX_OF(queue);

    (void)state;
    for (int by = 0; by <= T2T_LAUNCHES_UNLINKED; by++) {
        t2t_table *table = NULL;

        assert_int_equal(t2t_launches(index, NULL, (enum t2t_launches_by)by,
                                      &table, NULL),
                         T2T_OK);
        for (size_t i = 0; i < t2t_table_column_count(table); i++)
            assert_non_null(t2t_table_column(table, i)->help);
        t2t_table_free(table);
    }
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_trace_without_gpu_has_no_rows),
        cmocka_unit_test(test_delay_and_depth_of_operations),
        cmocka_unit_test(test_delay_and_depth_of_calls),
        cmocka_unit_test(test_each_event_by_delay),
        cmocka_unit_test(test_what_is_selected_waits_in_the_whole_queue),
        cmocka_unit_test(test_one_without_a_launch_queues_from_its_start),
        cmocka_unit_test(test_delays_below_zero_are_counted),
        cmocka_unit_test(test_ties_and_graphs_queue_once),
        cmocka_unit_test(test_streams_have_queues_of_their_own),
        cmocka_unit_test(test_equal_amounts_come_in_the_order_of_the_trace),
        cmocka_unit_test(test_calls_that_launched_nothing),
        cmocka_unit_test(test_gpu_events_without_a_launch),
        cmocka_unit_test(test_times_at_the_ends_of_64_bits),
        cmocka_unit_test(test_wrong_use_is_told),
        cmocka_unit_test(test_every_column_is_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
