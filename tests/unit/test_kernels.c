/* test_kernels.c - t2t_kernels() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_kernels"

static void assert_kernels(const struct said *row, size_t count,
                           const char *rows)
{
    t2t_index *index = index_of(NAME, row, count);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_kernels(index, NULL, T2T_KERNELS_BY_ALL, 0, &table, &err))
        fail_msg("%s", err.text);
    assert_string_equal(t2t_table_name(table), "kernels");
    assert_csv(table, rows);
    remove_index(NAME, index);
}

#define ON(category, name, tid, ts, dur, args)                                 \
    {                                                                          \
        category, name, "0", tid, ts, dur, args                                \
    }

static void test_durations_are_added_up_however_many_run(void **state)
{
    static const struct said events[] = {
        OP("aten::mm", "0", "50", ""),
        LAUNCH("1", "1"),
        LAUNCH("5", "2"),
        KERNEL("k", "100", "10", "2"),
        KERNEL("k", "100", "20", "1"),
        KERNEL("nccl", "100", "5", "2"), /* 5 */
        UNLINKED("k", "100", "10"),
        ON("gpu_memcpy", "Memcpy", "7", "1", "3", "\"stream\":\"7\""),
        ON("gpu_memset", "Memset", "7", "1", "2", ""),
    };

    (void)state;
    assert_kernels(events, COUNT(events),
                   "GEMM,aten::mm,k,7,2,30000,15000.0,10000,20000,3,60.0\n"
                   "other,(unlinked),k,7,1,10000,10000.0,10000,10000,6,20.0\n"
                   "GEMM,aten::mm,nccl,7,1,5000,5000.0,5000,5000,5,10.0\n"
                   "other,(unlinked),Memcpy,\"\"\"7\"\"\",1,3000,3000.0,3000,"
                   "3000,7,6.0\n"
                   "other,(unlinked),Memset,null,1,2000,2000.0,2000,2000,8,"
                   "4.0\n");
}

static void test_without_gpu_events_there_is_no_row(void **state)
{
    static const struct said host[] = {LAUNCH("1", "1")};

    (void)state;
    assert_kernels(host, 0, "");
    assert_kernels(host, 1, "");
}

/* Ids are by start, so they are not in the order of the trace. */
static void test_equal_sums_come_by_the_first_in_the_trace(void **state)
{
    static const struct said events[] = {
        UNLINKED("c", "30", "0"),
        UNLINKED("a", "20", "0"),
        UNLINKED("b", "10", "0"),
        UNLINKED("a", "1", "0"),
    };

    (void)state;
    assert_kernels(events, COUNT(events),
                   "other,(unlinked),c,7,1,0,0.0,0,0,0,nan\n"
                   "other,(unlinked),a,7,2,0,0.0,0,0,1,nan\n"
                   "other,(unlinked),b,7,1,0,0.0,0,0,2,nan\n");
}

static void test_an_end_past_the_last_time_is_that(void **state)
{
    static const struct said events[] = {
        UNLINKED("k", "9223372036854775.800", "99"),
        UNLINKED("k", "-9223372036854775.808", "18446744073709551.615"),
        UNLINKED("k", "-9223372036854775.808", "18446744073709551.615"),
    };

    (void)state;
    /* the sum stops at 2^64 - 1, the mean is (7 + 2 * (2^64 - 1)) / 3 */
    assert_kernels(events, COUNT(events),
                   "other,(unlinked),k,7,3,18446744073709551615,"
                   "1.2297829382473034e+19,7,18446744073709551615,0,100.0\n");
}

static void test_streams_are_told_apart_as_json(void **state)
{
    static const struct said events[] = {
        ON("kernel", "k", "7", "1", "4", "\"stream\":7"),
        ON("kernel", "k", "7", "11", "3", "\"stream\":\"7\""),
        ON("kernel", "k", "7", "21", "2", "\"stream\":7.0"),
        ON("kernel", "k", "7", "31", "1", "\"stream\":[7, 8]"),
        ON("kernel", "k", "8", "41", "1", "\"stream\": 7"),
        ON("kernel", "k", "8", "51", "1", "\"stream\":1,\"stream\":7"),
    };

    (void)state;
    assert_kernels(
        events, COUNT(events),
        "other,(unlinked),k,7,3,6000,2000.0,1000,4000,0,50.0\n"
        "other,(unlinked),k,\"\"\"7\"\"\",1,3000,3000.0,3000,3000,1,25.0\n"
        "other,(unlinked),k,7.0,1,2000,2000.0,2000,2000,2,16.666666666666668\n"
        "other,(unlinked),k,\"[7,8]\",1,1000,1000.0,1000,1000,3,"
        "8.333333333333334\n");
}

#define LONG_GEMM                                                              \
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128_"  \
    "nn_align8>(Params)"

static const struct said views[] = {
    OP("aten::mm", "0", "50", ""),
    LAUNCH("1", "1"),
    LAUNCH("5", "2"),
    KERNEL(LONG_GEMM, "100", "10", "1"),
    KERNEL("k", "200", "2", "2"),
    {"kernel", "k", "1", "7", "300", "1", "\"stream\":7"}, /* 5 */
    UNLINKED("k", "400", "0.999"),
    UNLINKED("k", "500", "0"),
};

static void assert_view(enum t2t_kernels_by by, uint64_t shorter_than_ns,
                        const char *rows)
{
    t2t_index *index = INDEX_OF(views);
    t2t_table *table = NULL;

    assert_int_equal(t2t_kernels(index, NULL, by, shorter_than_ns, &table,
                                 NULL),
                     T2T_OK);
    assert_csv(table, rows);
    remove_index(NAME, index);
}

static void test_rows_may_be_by_one_thing(void **state)
{
    (void)state;
    assert_view(T2T_KERNELS_BY_NAME, 0,
                LONG_GEMM ",cutlass::Kernel2,cutlass,NN,128x128,bf16,1,10000,"
                          "10000.0,10000,10000,3,71.43367383384528\n"
                          "k,k,,,,,4,3999,999.75,0,2000,4,"
                          "28.566326166154724\n");
    assert_view(T2T_KERNELS_BY_OP, 0,
                "GEMM,aten::mm,2,12000,6000.0,2000,10000,3,85.72040860061433\n"
                "other,(unlinked),3,1999,666.3333333333334,0,1000,5,"
                "14.279591399385671\n");
    assert_view(T2T_KERNELS_BY_STREAM, 0,
                "0,7,4,12999,3249.75,0,10000,3,92.85663261661547\n"
                "1,7,1,1000,1000.0,1000,1000,5,7.143367383384527\n");
    assert_view(T2T_KERNELS_BY_CATEGORY, 0,
                "GEMM,2,12000,6000.0,2000,10000,3,85.72040860061433\n"
                "other,3,1999,666.3333333333334,0,1000,5,14.279591399385671\n");
}

static void test_short_ones_are_a_part_of_all(void **state)
{
    (void)state;
    assert_view(T2T_KERNELS_BY_ALL, 1000,
                "other,(unlinked),k,7,2,999,499.5,0,999,6,"
                "7.136224016001143\n");
    assert_view(T2T_KERNELS_BY_NAME, 1001,
                "k,k,,,,,3,1999,666.3333333333334,0,1000,5,"
                "14.279591399385671\n");
}

static void test_durations_are_counted_in_a_histogram(void **state)
{
    (void)state;
    assert_view(T2T_KERNELS_BY_DURATION, 1000,
                "0ns to 1ns,0,1,1,20.0,0,0.0\n"
                "1ns to 2ns,1,2,0,0.0,0,0.0\n"
                "2ns to 5ns,2,5,0,0.0,0,0.0\n"
                "5ns to 10ns,5,10,0,0.0,0,0.0\n"
                "10ns to 20ns,10,20,0,0.0,0,0.0\n"
                "20ns to 50ns,20,50,0,0.0,0,0.0\n"
                "50ns to 100ns,50,100,0,0.0,0,0.0\n"
                "100ns to 200ns,100,200,0,0.0,0,0.0\n"
                "200ns to 500ns,200,500,0,0.0,0,0.0\n"
                "500ns to 1us,500,1000,1,20.0,999,7.136224016001143\n");
    assert_view(T2T_KERNELS_BY_DURATION, 1, "0ns to 1ns,0,1,1,20.0,0,0.0\n");
}

static void test_the_longest_duration_is_counted(void **state)
{
    static const struct said events[] = {
        UNLINKED("k", "-9223372036854775.808", "18446744073709551.615")};
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_kernels(index, NULL, T2T_KERNELS_BY_DURATION, 0,
                                 &table, NULL),
                     T2T_OK);
    assert_csv(table, "10000000000s to 18446744073709551615ns,"
                      "10000000000000000000,18446744073709551615,1,100.0,"
                      "18446744073709551615,100.0\n");
    assert_int_equal(t2t_kernels(index, NULL,
                                 (enum t2t_kernels_by)(T2T_KERNELS_BY_DURATION +
                                                       1),
                                 0, &table, NULL),
                     T2T_ERR_USAGE);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations_are_added_up_however_many_run),
        cmocka_unit_test(test_without_gpu_events_there_is_no_row),
        cmocka_unit_test(test_equal_sums_come_by_the_first_in_the_trace),
        cmocka_unit_test(test_an_end_past_the_last_time_is_that),
        cmocka_unit_test(test_streams_are_told_apart_as_json),
        cmocka_unit_test(test_rows_may_be_by_one_thing),
        cmocka_unit_test(test_short_ones_are_a_part_of_all),
        cmocka_unit_test(test_durations_are_counted_in_a_histogram),
        cmocka_unit_test(test_the_longest_duration_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
