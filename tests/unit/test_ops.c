/* test_ops.c - t2t_ops() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_ops"

#define SHAPED                                                                 \
    "\"Input Dims\":[[2, 3],[]],\"Input type\":[\"float\",\"Scalar\"]"

/*
 * Two addmm of one shape in module A (10 and 20 us), one of another outside
 * (25 us), a copy of 5 us below the second, an operation that only
 * communicates, a launch of its own, and an event without launch.
 */
static const struct said events[] = {
    {"Trace", "x", "1", "1", "0", "1", ""}, /* 0 */
    PY("nn.Module: A_0", "0", "100"),
    OP("aten::addmm", "10", "10", SHAPED),
    LAUNCH("11", "1"),
    KERNEL("gemm", "1000", "10", "1"),
    OP("aten::addmm", "30", "20", SHAPED), /* 5 */
    LAUNCH("31", "2"),
    KERNEL("gemm", "1100", "20", "2"),
    OP("aten::copy_", "40", "8", ""),
    LAUNCH("41", "3"),
    {"gpu_memcpy", "Memcpy DtoD", "0", "7", "1115", "5", /* 10 */
     "\"correlation\":3"},
    OP("aten::addmm", "200", "20", "\"Input Dims\":[[4]]"),
    LAUNCH("201", "4"),
    LAUNCH("205", "5"),
    KERNEL("gemm", "1200", "20", "4"),
    KERNEL("gemm", "1215", "10", "5"), /* 15 */
    OP("nccl:all_reduce", "300", "9", ""),
    LAUNCH("301", "6"),
    KERNEL("ncclKernel", "1300", "90", "6"),
    LAUNCH("400", "7"),
    KERNEL("void at::native::reduce_kernel", "1400", "4", "7"), /* 20 */
    UNLINKED("void at::native::elementwise_kernel", "5", "1"),
};

static t2t_table *ops(const t2t_index *index, enum t2t_ops_by by)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_ops(index, NULL, by, false, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

static void assert_ops(enum t2t_ops_by by, const char *name, const char *rows)
{
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = ops(index, by);
    const char *json;

    assert_string_equal(t2t_table_name(table), name);
    assert_null(t2t_table_selection(table, 0, &json));
    assert_csv(table, rows);
    remove_index(NAME, index);
}

static void test_launchers_come_by_start(void **state)
{
    (void)state;
    assert_ops(T2T_OPS_BY_LAUNCHER, "launchers",
               "21,(unlinked),elementwise,1000,1000,1\n"
               "2,aten::addmm,GEMM,10000,10000,1\n"
               "5,aten::addmm,GEMM,20000,20000,1\n"
               "8,aten::copy_,elementwise,5000,5000,1\n"
               "11,aten::addmm,GEMM,25000,25000,2\n"
               "19,launch,reduce,4000,4000,1\n");
}

static void test_categories_add_their_launchers_up(void **state)
{
    (void)state;
    /* 55, 6 and 4 of 65 */
    assert_ops(T2T_OPS_BY_CATEGORY, "ops-by-category",
               "GEMM,3,55000,2,84.61538461538461,84.61538461538461\n"
               "elementwise,2,6000,21,9.23076923076923,93.84615384615384\n"
               "reduce,1,4000,19,6.153846153846154,100.0\n");
}

static void test_names_add_their_launchers_up(void **state)
{
    (void)state;
    assert_ops(
        T2T_OPS_BY_NAME, "ops-by-name",
        "aten::addmm,\"[\"\"GEMM\"\"]\",3,55000,55000,2,84.61538461538461,"
        "84.61538461538461\n"
        "aten::copy_,\"[\"\"elementwise\"\"]\",1,5000,5000,8,7."
        "6923076923076925,"
        "92.3076923076923\n"
        "launch,\"[\"\"reduce\"\"]\",1,4000,4000,19,6.153846153846154,"
        "98.46153846153847\n"
        "(unlinked),\"[\"\"elementwise\"\"]\",1,1000,1000,21,1."
        "5384615384615385,"
        "100.0\n");
}

static void test_arguments_tell_operations_apart(void **state)
{
    (void)state;
    /* std of 10000 and 20000: 5000 * sqrt(2) */
    assert_ops(T2T_OPS_BY_ARGS, "ops-by-args",
               "aten::addmm,GEMM,Unknown,Unknown,\"[[2,3],[]]\","
               "\"[\"\"float\"\",\"\"Scalar\"\"]\",null,null,2,"
               "30000,15000.0,15000.0,7071.067811865475,10000,20000,"
               "30000,15000.0,15000.0,7071.067811865475,10000,20000,"
               "2,46.15384615384615,46.15384615384615\n"
               "aten::addmm,GEMM,Unknown,Unknown,[[4]],null,null,null,1,"
               "25000,25000.0,25000.0,,25000,25000,"
               "25000,25000.0,25000.0,,25000,25000,"
               "11,38.46153846153846,84.61538461538461\n"
               "aten::copy_,elementwise,Unknown,Unknown,null,null,null,null,1,"
               "5000,5000.0,5000.0,,5000,5000,5000,5000.0,5000.0,,5000,5000,"
               "8,7.6923076923076925,92.3076923076923\n"
               "launch,reduce,Unknown,Unknown,null,null,null,null,1,"
               "4000,4000.0,4000.0,,4000,4000,4000,4000.0,4000.0,,4000,4000,"
               "19,6.153846153846154,98.46153846153847\n"
               "(unlinked),elementwise,Unknown,Unknown,null,null,null,null,1,"
               "1000,1000.0,1000.0,,1000,1000,1000,1000.0,1000.0,,1000,1000,"
               "21,1.5384615384615385,100.0\n");
}

static void test_modules_have_what_is_launched_in_them(void **state)
{
    (void)state;
    assert_ops(
        T2T_OPS_BY_MODULE, "ops-by-module",
        "nn.Module: A_0,3,35000,35000,2,53.84615384615385,53.84615384615385\n"
        "(no module),3,30000,30000,21,46.15384615384615,100.0\n");
}

/* ---- edges --------------------------------------------------------------- */

static void test_without_gpu_events_there_is_no_row(void **state)
{
    static const struct said host[] = {OP("aten::mm", "1", "1", "")};
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    for (int by = 0; by <= T2T_OPS_BY_LAUNCHER; by++)
        assert_csv(ops(index, (enum t2t_ops_by)by), "");
    remove_index(NAME, index);
    index = INDEX_OF(host);
    for (int by = 0; by <= T2T_OPS_BY_LAUNCHER; by++)
        assert_csv(ops(index, (enum t2t_ops_by)by), "");
    remove_index(NAME, index);
}

static void test_no_time_at_all_has_no_share(void **state)
{
    static const struct said empty[] = {OP("b", "1", "1", ""), LAUNCH("1", "1"),
                                        KERNEL("k", "9", "0", "1"),
                                        UNLINKED("k", "9", "0")};
    t2t_index *index = INDEX_OF(empty);

    (void)state;
    assert_csv(ops(index, T2T_OPS_BY_CATEGORY), "other,2,0,0,nan,nan\n");
    assert_csv(ops(index, T2T_OPS_BY_NAME),
               "b,\"[\"\"other\"\"]\",1,0,0,0,nan,nan\n"
               "(unlinked),\"[\"\"other\"\"]\",1,0,0,3,nan,nan\n");
    remove_index(NAME, index);
}

static void test_equal_times_come_by_the_first_member(void **state)
{
    static const struct said equal[] = {
        UNLINKED("k", "50", "2"),
        OP("late", "30", "5", ""),
        OP("early", "10", "5", ""),
        LAUNCH("31", "1"),
        LAUNCH("11", "2"),
        KERNEL("k", "100", "2", "1"),
        KERNEL("k", "200", "2", "2"),
        OP("early", "20", "5", ""),
        LAUNCH("21", "3"),
        KERNEL("k", "300", "0", "3"),
    };
    t2t_index *index = INDEX_OF(equal);

    (void)state;
    /* first_index is that of the member that starts first, ties go by it */
    assert_csv(ops(index, T2T_OPS_BY_NAME),
               "(unlinked),\"[\"\"other\"\"]\",1,2000,2000,0,"
               "33.333333333333336,33.333333333333336\n"
               "late,\"[\"\"other\"\"]\",1,2000,2000,1,"
               "33.333333333333336,66.66666666666667\n"
               "early,\"[\"\"other\"\"]\",2,2000,2000,2,"
               "33.333333333333336,100.0\n");
    remove_index(NAME, index);
}

static void test_times_of_64_bits_stop_at_the_largest(void **state)
{
#define WIDE UNLINKED("k", "-9223372036854775.808", "18446744073709551.615")
    static const struct said wide[] = {WIDE, WIDE, WIDE};
    t2t_index *index = INDEX_OF(wide);

    (void)state;
    assert_csv(ops(index, T2T_OPS_BY_NAME),
               "(unlinked),\"[\"\"other\"\"]\",3,18446744073709551615,"
               "18446744073709551615,0,100.0,100.0\n");
    remove_index(NAME, index);
}

static void
test_names_of_processes_and_threads_are_part_of_the_key(void **state)
{
    static const char trace[] =
        "[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,"
        "\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\","
        "\"pid\":1,\"tid\":7,\"ts\":1,\"dur\":1},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":3,"
        "\"args\":{\"name\":\"old\"}},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,"
        "\"args\":{\"name\":\"gpu\"}},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":7,"
        "\"args\":{\"name\":\"stream 7\"}}]";
    t2t_index *index = make_index(NAME, trace);

    (void)state;
    assert_csv(ops(index, T2T_OPS_BY_ARGS),
               "(unlinked),other,Unknown,Unknown,null,null,null,null,1,"
               "1000,1000.0,1000.0,,1000,1000,1000,1000.0,1000.0,,1000,1000,"
               "0,50.0,50.0\n"
               "(unlinked),other,gpu,stream 7,null,null,null,null,1,"
               "1000,1000.0,1000.0,,1000,1000,1000,1000.0,1000.0,,1000,1000,"
               "1,50.0,100.0\n");
    remove_index(NAME, index);
}

static void test_one_name_may_be_of_several_categories(void **state)
{
    static const struct said two[] = {
        OP("mine", "1", "5", ""),
        LAUNCH("2", "1"),
        KERNEL("void at::native::reduce_kernel", "100", "1", "1"),
        OP("mine", "11", "5", ""),
        LAUNCH("12", "2"),
        KERNEL("void at::native::elementwise_kernel", "200", "1", "2"),
    };
    t2t_index *index = INDEX_OF(two);

    (void)state;
    assert_csv(ops(index, T2T_OPS_BY_NAME),
               "mine,\"[\"\"elementwise\"\",\"\"reduce\"\"]\",2,2000,2000,0,"
               "100.0,100.0\n");
    remove_index(NAME, index);
}

static void test_there_is_no_other_table(void **state)
{
    t2t_index *index = INDEX_OF(events);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_ops(index, NULL,
                             (enum t2t_ops_by)(T2T_OPS_BY_LAUNCHER + 1), false,
                             &table, &err),
                     T2T_ERR_USAGE);
    assert_null(table);
    assert_string_equal(err.text, "no such table");
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launchers_come_by_start),
        cmocka_unit_test(test_categories_add_their_launchers_up),
        cmocka_unit_test(test_names_add_their_launchers_up),
        cmocka_unit_test(test_arguments_tell_operations_apart),
        cmocka_unit_test(test_modules_have_what_is_launched_in_them),
        cmocka_unit_test(test_without_gpu_events_there_is_no_row),
        cmocka_unit_test(test_no_time_at_all_has_no_share),
        cmocka_unit_test(test_equal_times_come_by_the_first_member),
        cmocka_unit_test(test_times_of_64_bits_stop_at_the_largest),
        cmocka_unit_test(
            test_names_of_processes_and_threads_are_part_of_the_key),
        cmocka_unit_test(test_one_name_may_be_of_several_categories),
        cmocka_unit_test(test_there_is_no_other_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
