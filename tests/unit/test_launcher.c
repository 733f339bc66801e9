/* test_launcher.c - query/launcher.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/launcher.h"

#define NAME "test_launcher"

#define NONE UINT32_MAX

/* What a launcher is expected to be; `position` is that in the trace. */
struct expected {
    uint32_t position;
    const char *name;
    enum tt_op_category category;
    uint32_t direct_count;
    uint64_t direct_ns;
    uint64_t subtree_ns;
};

/* What launches in a trace, all together. */
struct launching {
    t2t_index *index;
    struct tt_gpu gpu;
    struct tt_launchers launchers;
};

static void open_launching(struct launching *l, const struct said *row,
                           size_t count)
{
    l->index = index_of(NAME, row, count);
    assert_int_equal(tt_gpu_read(&l->gpu, l->index, NULL, NULL), T2T_OK);
    assert_int_equal(tt_launchers_find(&l->launchers, &l->gpu, NULL), T2T_OK);
}

static void close_launching(struct launching *l)
{
    tt_launchers_release(&l->launchers);
    tt_gpu_release(&l->gpu);
    remove_index(NAME, l->index);
}

/* Asserts the rows, and the launcher of the GPU event at each position. */
static void assert_launchers(const struct said *row, size_t rows,
                             const struct expected *expected, uint32_t count)
{
    struct launching l;

    open_launching(&l, row, rows);
    assert_int_equal(l.launchers.row_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_launcher *is = &l.launchers.item[l.launchers.order[i]];

        assert_int_equal(is->id, id_at(l.index, expected[i].position));
        assert_text(tt_launcher_name(&l.launchers, is->name), expected[i].name);
        assert_int_equal(is->category, expected[i].category);
        assert_int_equal(is->direct_count, expected[i].direct_count);
        assert_int_equal(is->direct_ns, expected[i].direct_ns);
        assert_int_equal(is->subtree_ns, expected[i].subtree_ns);
    }
    close_launching(&l);
}

#define ASSERT_LAUNCHERS(rows, expected)                                       \
    assert_launchers(rows, COUNT(rows), expected, COUNT(expected))

static void test_nothing_launches_nothing(void **state)
{
    static const struct said nothing[] = {OP("aten::mm", "0", "9", "")};

    (void)state;
    assert_launchers(nothing, 0, NULL, 0);
    assert_launchers(nothing, 1, NULL, 0);
}

static void test_the_nearest_operation_launches(void **state)
{
    static const struct said events[] = {
        OP("outer", "0", "100", ""),
        PY("frame", "1", "90"),
        OP("aten::mm", "2", "50", ""),
        PY("frame", "3", "40"),
        {"cuda_driver", "call", "1", "1", "4", "30", ""},
        LAUNCH("5", "1"),
        KERNEL("k", "200", "10", "1"),
        LAUNCH("60", "2"),
        KERNEL("k", "205", "10", "2"),
    };
    static const struct expected expected[] = {
        {0, "outer", TT_OP_OTHER, 1, 10000, 15000},
        {2, "aten::mm", TT_OP_GEMM, 1, 10000, 10000},
    };

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
}

static void test_execute_is_stepped_over(void **state)
{
    static const struct said events[] = {
        OP("aten::mm", "0", "50", ""),
        OP("execute", "1", "40", ""),
        OP("execute", "2", "30", ""),
        LAUNCH("3", "1"),
        KERNEL("k", "200", "1", "1"),
        OP("execute", "60", "9", ""),
        LAUNCH("61", "2"),
        KERNEL("k", "210", "2", "2"),
        OP("executes", "80", "9", ""),
        LAUNCH("81", "3"),
        KERNEL("k", "220", "3", "3"),
    };
    static const struct expected expected[] = {
        {0, "aten::mm", TT_OP_GEMM, 1, 1000, 1000},
        {6, "launch", TT_OP_OTHER, 1, 2000, 2000},
        {8, "executes", TT_OP_OTHER, 1, 3000, 3000},
    };

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
}

static void test_without_an_operation_it_is_the_launch_or_nobody(void **state)
{
    static const struct said events[] = {
        UNLINKED("void at::native::reduce_kernel", "300", "5"),
        PY("frame", "0", "20"),
        {"cuda_runtime", "outer", "1", "1", "1", "9", "\"correlation\":8"},
        LAUNCH("2", "1"),
        KERNEL("k", "100", "5", "1"),
        UNLINKED("triton_k", "310", "0"),
    };
    static const struct expected expected[] = {
        {3, "launch", TT_OP_OTHER, 1, 5000, 5000},
        {0, "(unlinked)", TT_OP_REDUCE, 1, 5000, 5000},
        {5, "(unlinked)", TT_OP_OTHER, 1, 0, 0},
    };

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
}

static void test_communication_is_below_but_not_direct(void **state)
{
    static const struct said events[] = {
        OP("aten::mm", "0", "50", ""),
        LAUNCH("1", "1"),
        KERNEL("k", "100", "10", "1"),
        LAUNCH("3", "2"),
        KERNEL("nccl", "105", "20", "2"),
        OP("nccl:all", "60", "9", ""),
        LAUNCH("61", "3"),
        KERNEL("nccl", "200", "20", "3"),
        UNLINKED("rcclKernel", "400", "1"),
    };
    static const struct expected expected[] = {
        {0, "aten::mm", TT_OP_GEMM, 1, 10000, 25000},
    };
    struct launching l;

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
    open_launching(&l, events, COUNT(events));
    assert_int_equal(l.launchers.count, 3); /* two have no row */
    close_launching(&l);
}

static void test_equal_starts_are_in_the_order_of_the_trace(void **state)
{
    static const struct said events[] = {
        {"cpu_op", "c", "3", "1", "5", "9", ""},
        {"cpu_op", "b", "2", "1", "5", "9", ""},
        {"cpu_op", "a", "1", "1", "5", "9", ""},
        {"cpu_op", "first", "1", "2", "4", "9", ""},
        {"cuda_runtime", "l", "1", "1", "6", "1", "\"correlation\":1"},
        {"cuda_runtime", "l", "2", "1", "6", "1", "\"correlation\":2"},
        {"cuda_runtime", "l", "3", "1", "6", "1", "\"correlation\":3"},
        {"cuda_runtime", "l", "1", "2", "6", "1", "\"correlation\":4"},
        KERNEL("k", "100", "1", "1"),
        KERNEL("k", "100", "1", "2"),
        KERNEL("k", "100", "1", "3"),
        KERNEL("k", "100", "1", "4"),
    };
    static const struct expected expected[] = {
        {3, "first", TT_OP_OTHER, 1, 1000, 1000},
        {0, "c", TT_OP_OTHER, 1, 1000, 1000},
        {1, "b", TT_OP_OTHER, 1, 1000, 1000},
        {2, "a", TT_OP_OTHER, 1, 1000, 1000},
    };

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
}

#define ELEMENTWISE "void at::native::elementwise_kernel"
#define REDUCE "void at::native::reduce_kernel"

/* The launches are in one order, the GPU events in the other. */
static void test_the_earliest_kernel_says_the_category(void **state)
{
    static const struct said late_first[] = {
        OP("x", "0", "50", ""),
        LAUNCH("1", "1"),
        LAUNCH("3", "2"),
        KERNEL(ELEMENTWISE, "200", "1", "1"),
        KERNEL(REDUCE, "100", "1", "2"),
    };
    static const struct said communication_first[] = {
        OP("x", "0", "50", ""),
        LAUNCH("1", "1"),
        LAUNCH("3", "2"),
        KERNEL("nccl", "50", "1", "1"),
        KERNEL(REDUCE, "100", "1", "2"),
    };
    static const struct expected expected[] = {
        {0, "x", TT_OP_REDUCE, 2, 2000, 2000},
    };
    static const struct expected without[] = {
        {0, "x", TT_OP_REDUCE, 1, 1000, 2000},
    };

    (void)state;
    ASSERT_LAUNCHERS(late_first, expected);
    ASSERT_LAUNCHERS(communication_first, without);
}

/* Of three that start together, the first in the trace is the last launched,
 * with the name of the first launched. */
static void test_of_equal_starts_the_first_in_the_trace_says_it(void **state)
{
    static const struct said events[] = {
        OP("x", "0", "50", ""),
        LAUNCH("1", "1"),
        LAUNCH("3", "2"),
        LAUNCH("5", "3"),
        KERNEL(REDUCE, "100", "1", "2"),
        KERNEL(ELEMENTWISE, "100", "1", "3"),
        KERNEL(REDUCE, "100", "1", "1"),
    };
    static const struct expected expected[] = {
        {0, "x", TT_OP_REDUCE, 3, 1000, 1000},
    };

    (void)state;
    ASSERT_LAUNCHERS(events, expected);
}

static void test_names_are_equal_as_texts_are(void **state)
{
    static const struct said events[] = {
        OP("(unlinked)", "0", "9", ""), LAUNCH("1", "1"),
        KERNEL("k", "100", "1", "1"),   UNLINKED("k", "200", "1"),
        OP("", "20", "9", ""),          LAUNCH("21", "2"),
        KERNEL("k", "300", "1", "2"),
    };
    struct launching l;

    (void)state;
    open_launching(&l, events, COUNT(events));
    assert_int_equal(l.launchers.count, 3);
    assert_int_equal(l.launchers.item[l.launchers.order[0]].name,
                     l.launchers.unlinked);
    assert_int_equal(l.launchers.item[l.launchers.order[2]].name,
                     l.launchers.unlinked);
    assert_int_equal(l.launchers.item[l.launchers.order[1]].name,
                     l.launchers.unnamed);
    assert_text(tt_launcher_name(&l.launchers, l.launchers.unnamed), "");
    close_launching(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_launches_nothing),
        cmocka_unit_test(test_the_nearest_operation_launches),
        cmocka_unit_test(test_execute_is_stepped_over),
        cmocka_unit_test(test_without_an_operation_it_is_the_launch_or_nobody),
        cmocka_unit_test(test_communication_is_below_but_not_direct),
        cmocka_unit_test(test_equal_starts_are_in_the_order_of_the_trace),
        cmocka_unit_test(test_the_earliest_kernel_says_the_category),
        cmocka_unit_test(test_of_equal_starts_the_first_in_the_trace_says_it),
        cmocka_unit_test(test_names_are_equal_as_texts_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
