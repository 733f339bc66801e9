/* test_modules.c - t2t_modules() and t2t_links() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_modules"

#define ENGINE "autograd::engine::evaluate_function: B"
#define FORWARD(name, ts, dur, number)                                         \
    OP(name, ts, dur, "\"Sequence number\":" number ",\"Fwd thread id\":0")
#define BACKWARD(ts, dur, number)                                              \
    {                                                                          \
        "cpu_op", ENGINE, "1", "2", ts, dur,                                   \
            "\"Sequence number\":" number ",\"Fwd thread id\":1"               \
    }
#define BACKWARD_LAUNCH(ts, number)                                            \
    {                                                                          \
        "cuda_runtime", "l", "1", "2", ts, "1", "\"correlation\":" number      \
    }

/* The frames stand in the trace after what is in them. */
static const struct said events[] = {
    FORWARD("one", "10", "9", "1"), /* 0 */
    LAUNCH("11", "1"),
    KERNEL("k", "1000", "10", "1"),
    FORWARD("two", "30", "9", "2"),
    LAUNCH("31", "2"),
    KERNEL("k", "1100", "10", "2"), /* 5 */
    PY("nn.Module: B_0", "9", "20"),
    PY("nn.Module: A_0", "0", "100"),
    BACKWARD("200", "9", "2"),
    BACKWARD_LAUNCH("201", "3"),
    KERNEL("k", "1105", "10", "3"), /* 10 */
    BACKWARD("220", "9", "1"),
    BACKWARD_LAUNCH("221", "4"),
    KERNEL("k", "1200", "7", "4"),
    BACKWARD("240", "9", "1"),
    BACKWARD_LAUNCH("241", "5"), /* 15 */
    KERNEL("k", "1300", "3", "5"),
    UNLINKED("k", "1", "1"),
};

static t2t_table *modules(const t2t_index *index, bool backward)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_modules(index, NULL, backward, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

static t2t_table *links(const t2t_index *index)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_links(index, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

static void test_frames_are_in_the_order_of_the_trace(void **state)
{
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = modules(index, false);

    (void)state;
    assert_string_equal(t2t_table_name(table), "modules");
    assert_csv(table, "6,nn.Module: B_0,7,10000,10000,1\n"
                      "7,nn.Module: A_0,-1,20000,10000,2\n");
    remove_index(NAME, index);
}

static void test_backward_work_is_told_apart(void **state)
{
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = modules(index, true);

    (void)state;
    assert_string_equal(t2t_table_name(table), "modules-with-backward");
    assert_csv(table, "6,nn.Module: B_0,7,20000,20000,3,10000,10000,1,2\n"
                      "7,nn.Module: A_0,-1,35000,15000,5,20000,20000,2,3\n");
    remove_index(NAME, index);
}

static void test_links_are_places_in_order(void **state)
{
    t2t_index *index = INDEX_OF(events);
    t2t_table *table = links(index);

    (void)state;
    assert_string_equal(t2t_table_name(table), "links");
    assert_csv(table, "0,11\n0,14\n3,8\n");
    remove_index(NAME, index);
}

static void test_an_empty_trace_has_no_rows(void **state)
{
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    assert_csv(modules(index, false), "");
    assert_csv(modules(index, true), "");
    assert_csv(links(index), "");
    remove_index(NAME, index);
}

static void test_a_module_without_gpu_work_has_a_row_of_zeros(void **state)
{
    static const struct said frame[] = {PY("nn.Module: Dropout_0", "1", "1")};
    t2t_index *index = INDEX_OF(frame);

    (void)state;
    assert_csv(modules(index, false), "0,nn.Module: Dropout_0,-1,0,0,0\n");
    assert_csv(modules(index, true),
               "0,nn.Module: Dropout_0,-1,0,0,0,0,0,0,0\n");
    assert_csv(links(index), "");
    remove_index(NAME, index);
}

static void test_a_kernel_may_take_64_bits(void **state)
{
    static const struct said wide[] = {
        PY("nn.Module: A_0", "1", "9"),
        LAUNCH("2", "1"),
        KERNEL("k", "-9223372036854775.808", "18446744073709551.615", "1"),
    };
    t2t_index *index = INDEX_OF(wide);

    (void)state;
    assert_csv(modules(index, false),
               "0,nn.Module: A_0,-1,18446744073709551615,"
               "18446744073709551615,1\n");
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_in_the_order_of_the_trace),
        cmocka_unit_test(test_backward_work_is_told_apart),
        cmocka_unit_test(test_links_are_places_in_order),
        cmocka_unit_test(test_an_empty_trace_has_no_rows),
        cmocka_unit_test(test_a_module_without_gpu_work_has_a_row_of_zeros),
        cmocka_unit_test(test_a_kernel_may_take_64_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
