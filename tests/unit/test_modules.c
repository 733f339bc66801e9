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

    if (t2t_modules(index, NULL, T2T_MODULES_BY_FRAME, backward, &table, &err))
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

/* A_0 holds B_0 and B_1, which holds B_0 again; each has a kernel of its own.
 */
static const struct said nested[] = {
    PY("nn.Module: A_0", "0", "100"),
    LAUNCH("1", "1"),
    PY("nn.Module: B_0", "10", "9"),
    LAUNCH("11", "2"),
    PY("nn.Module: B_1", "20", "40"),
    LAUNCH("21", "3"),
    PY("nn.Module: B_0", "30", "9"),
    LAUNCH("31", "4"),
    PY("nn.Module: A_0", "200", "50"),
    PY("nn.Module: B_0", "210", "9"),
    LAUNCH("211", "5"),
    KERNEL("k", "1000", "1", "1"),
    KERNEL("k", "1010", "2", "2"),
    KERNEL("k", "1020", "4", "3"),
    KERNEL("k", "1030", "8", "4"),
    KERNEL("k", "1040", "16", "5"),
};

static void assert_folded(enum t2t_modules_by by, bool backward,
                          const char *rows)
{
    t2t_index *index = INDEX_OF(nested);
    t2t_table *table = NULL;

    assert_int_equal(t2t_modules(index, NULL, by, backward, &table, NULL),
                     T2T_OK);
    assert_string_equal(t2t_table_name(table), "modules-folded");
    assert_csv(table, rows);
    remove_index(NAME, index);
}

static void test_frames_of_a_class_are_added_up_once(void **state)
{
    (void)state;
    assert_folded(T2T_MODULES_BY_CLASS, false,
                  "B,4,30000,30000,96.7741935483871,4,2\n"
                  "A,2,31000,1000,3.225806451612903,5,0\n");
    assert_folded(T2T_MODULES_BY_CLASS, true,
                  "B,4,30000,30000,96.7741935483871,4,2,30000,0,4,0\n"
                  "A,2,31000,1000,3.225806451612903,5,0,31000,0,5,0\n");
}

static void test_frames_of_a_path_are_added_up(void **state)
{
    (void)state;
    assert_folded(T2T_MODULES_BY_PATH, false,
                  "A_0/B_0,2,18000,18000,58.064516129032256,2,2\n"
                  "A_0/B_1/B_0,1,8000,8000,25.806451612903224,1,6\n"
                  "A_0/B_1,1,12000,4000,12.903225806451612,2,4\n"
                  "A_0,2,31000,1000,3.225806451612903,5,0\n");
}

/* Two at a time: sums of a row pass what any GPU event ran, shares do not. */
static void test_shares_of_what_ran_at_a_time_are_of_all_rows(void **state)
{
    static const struct said at_a_time[] = {
        PY("nn.Module: L_0", "0", "10"),
        LAUNCH("1", "1"),
        PY("nn.Module: L_1", "20", "10"),
        LAUNCH("21", "2"),
        PY("nn.Module: M_0", "40", "10"),
        LAUNCH("41", "3"),
        KERNEL("k", "100", "30", "1"),
        {"kernel", "k", "0", "8", "100", "30", "\"correlation\":2"},
        {"kernel", "k", "0", "9", "100", "20", "\"correlation\":3"},
    };
    t2t_index *index = INDEX_OF(at_a_time);
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_modules(index, NULL, T2T_MODULES_BY_CLASS, false,
                                 &table, NULL),
                     T2T_OK);
    assert_csv(table, "L,2,60000,60000,75.0,2,0\n"
                      "M,1,20000,20000,25.0,1,4\n");
    remove_index(NAME, index);
}

/* A path that is very deep is cut at its beginning. */
static void test_a_path_has_an_end(void **state)
{
    enum { DEEP = 200 };
    struct said *row = calloc(DEEP, sizeof(*row));
    char(*text)[2][32] = calloc(DEEP, sizeof(*text));
    t2t_table *table = NULL;
    struct t2t_text path;
    t2t_index *index;

    (void)state;
    assert_non_null(row);
    assert_non_null(text);
    for (int i = 0; i < DEEP; i++) {
        (void)snprintf(text[i][0], sizeof(text[i][0]), "%d", i);
        (void)snprintf(text[i][1], sizeof(text[i][1]), "%d", 2 * DEEP - 2 * i);
        row[i] = (struct said)PY("nn.Module: M_0", text[i][0], text[i][1]);
    }
    index = index_of(NAME, row, DEEP);
    assert_int_equal(t2t_modules(index, NULL, T2T_MODULES_BY_PATH, false,
                                 &table, NULL),
                     T2T_OK);
    assert_int_equal(t2t_table_row_count(table), DEEP);
    path = t2t_table_string(table, 63, 0);
    assert_int_equal(path.len, 64 * 4 - 1);
    path = t2t_table_string(table, 64, 0);
    assert_int_equal(path.len, 4 + 64 * 4 - 1);
    assert_memory_equal(path.ptr, ".../M_0/", 8);
    path = t2t_table_string(table, DEEP - 1, 0);
    assert_int_equal(path.len, 4 + 64 * 4 - 1);
    t2t_table_free(table);
    remove_index(NAME, index);
    free(text);
    free(row);
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
        cmocka_unit_test(test_frames_of_a_class_are_added_up_once),
        cmocka_unit_test(test_frames_of_a_path_are_added_up),
        cmocka_unit_test(test_shares_of_what_ran_at_a_time_are_of_all_rows),
        cmocka_unit_test(test_a_path_has_an_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
