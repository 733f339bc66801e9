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

    if (t2t_kernels(index, NULL, &table, &err))
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
    /* (7 + 2 * (2^64 - 1)) / 3: the sum stops at 2^64 - 1, mean and percent
     * are those of it */
    assert_kernels(events, COUNT(events),
                   "other,(unlinked),k,7,3,18446744073709551615,"
                   "6.148914691236517e+18,7,18446744073709551615,0,100.0\n");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations_are_added_up_however_many_run),
        cmocka_unit_test(test_without_gpu_events_there_is_no_row),
        cmocka_unit_test(test_equal_sums_come_by_the_first_in_the_trace),
        cmocka_unit_test(test_an_end_past_the_last_time_is_that),
        cmocka_unit_test(test_streams_are_told_apart_as_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
