/* test_suspect.c - trace2tree/suspect.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/reader.h"

#define NAME "test_suspect"

#define EVENT(cat, pid, tid, ts, dur, number)                                  \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"n\",\"pid\":" pid            \
    ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur                              \
    ",\"args\":{\"correlation\":" number "}},"
#define OP(ts, dur) EVENT("cpu_op", "1", "1", ts, dur, "0")
#define LAUNCH(ts, number) EVENT("cuda_runtime", "1", "1", ts, "1", number)
#define GPU(tid, ts, dur, number) EVENT("kernel", "0", tid, ts, dur, number)
#define END "17]" /* an element that is no object */
#define NONE UINT32_MAX

/* A row of the table. */
struct row {
    const char *kind;
    uint64_t count;
    t2t_id first;
};

static void assert_rows(const char *trace, const struct row *rows, size_t count)
{
    t2t_index *index = make_index(NAME, trace);
    struct t2t_error err = {0};
    t2t_table *t = NULL;

    if (t2t_suspects(index, &t, &err))
        fail_msg("%s", err.text);
    assert_string_equal(t2t_table_name(t), "suspects");
    for (size_t i = 0; i < t2t_table_row_count(t) && i < count; i++) {
        assert_text(t2t_table_string(t, i, 0), rows[i].kind);
        assert_int_equal(t2t_table_unsigned(t, i, 1), rows[i].count);
        assert_int_equal(t2t_table_is_null(t, i, 2), rows[i].first == NONE);
        if (rows[i].first != NONE)
            assert_int_equal(t2t_table_unsigned(t, i, 2), rows[i].first);
        assert_true(t2t_table_string(t, i, 3).len > 30);
    }
    assert_int_equal(t2t_table_row_count(t), count);
    t2t_table_free(t);
    remove_index(NAME, index);
}

#define ASSERT_NONE(trace) assert_rows(trace, NULL, 0)
#define ASSERT_ROW(trace, ...)                                                 \
    do {                                                                       \
        static const struct row row = {__VA_ARGS__};                           \
                                                                               \
        assert_rows(trace, &row, 1);                                           \
    } while (0)

static void test_a_sound_trace_has_none(void **state)
{
    (void)state;
    ASSERT_NONE("[" OP("100", "40") LAUNCH("110", "1") LAUNCH("120", "2")
                    GPU("7", "130", "12", "1") GPU("7", "142", "5", "2") END);
}

/* Ids: 0 launch, 1 its kernel, 2 launch, 3 its kernel. */
static void
test_gpu_events_at_zero_are_suspect_when_the_rest_is_late(void **state)
{
    (void)state;
    ASSERT_ROW("[" LAUNCH("1000001", "1") LAUNCH("1000010", "2")
                   GPU("7", "1000020", "5", "1") GPU("7", "0", "9", "2") END,
               "gpu-at-zero", 1, 3);
    /* the trace itself begins within a second */
    ASSERT_NONE("[" LAUNCH("1000000", "1") LAUNCH("1000010", "2")
                    GPU("7", "1000020", "5", "1") GPU("7", "0", "9", "2") END);
    /* long as it may be, it does not overrun what comes after it */
    ASSERT_ROW("[" LAUNCH("9000001", "1") LAUNCH("9000010", "2")
                   GPU("7", "9000020", "5", "1") GPU("7", "0", "9900000", "2")
                       END,
               "gpu-at-zero", 1, 3);
}

static void test_more_than_seven_days_are_suspect(void **state)
{
    (void)state;
    /* 7 days are 604,800,000,000 us */
    ASSERT_NONE("[" OP("1", "604800000000") LAUNCH("2", "1")
                    GPU("7", "3", "1", "1") END);
    ASSERT_ROW("[" LAUNCH("1", "1") GPU("7", "2", "1", "1")
                   OP("10", "604800000000.001")
                       OP("700000000000000", "604800000001") END,
               "over-7-days", 2, 2);
}

/* Kernels on stream 7, in order of start, under launches 0, 2, 4, ...: ids 1,
 * 3, 5, ... */
#define LAUNCHES                                                               \
    LAUNCH("1", "1") LAUNCH("2", "2") LAUNCH("3", "3") LAUNCH("4", "4")

static void test_a_kernel_that_runs_over_the_next_ones_is_suspect(void **state)
{
    (void)state;
    /* over by 1,000 us, 100 times 10 us */
    ASSERT_ROW("[" LAUNCHES GPU("7", "100", "1020", "1")
                   GPU("7", "120", "10", "2") GPU("7", "140", "5", "3")
                       GPU("7", "2000", "500", "4") END,
               "gpu-overrun", 1, 1);
    /* one nanosecond less than a millisecond */
    ASSERT_NONE("[" LAUNCHES GPU("7", "100", "1019.999", "1")
                    GPU("7", "120", "9", "2") GPU("7", "140", "5", "3")
                        GPU("7", "2000", "500", "4") END);
    /* one that lasts more than a hundredth starts meanwhile */
    ASSERT_NONE("[" LAUNCHES GPU("7", "100", "1020", "1")
                    GPU("7", "120", "10", "2") GPU("7", "140", "10.001", "3")
                        GPU("7", "2000", "500", "4") END);
    /* it does after the end */
    ASSERT_ROW("[" LAUNCHES GPU("7", "100", "1020", "1")
                   GPU("7", "120", "10", "2") GPU("7", "1120", "500", "3")
                       GPU("7", "2000", "500", "4") END,
               "gpu-overrun", 1, 1);
    /* another stream */
    ASSERT_NONE("[" LAUNCHES GPU("7", "100", "90000", "1")
                    GPU("8", "120", "10", "2") GPU("8", "140", "5", "3")
                        GPU("8", "2000", "500", "4") END);
}

static void test_overruns_do_not_hide_each_other(void **state)
{
    (void)state;
    /* in the file they stand out of order */
    ASSERT_ROW("[" LAUNCHES GPU("7", "130", "90000", "3")
                   GPU("7", "140", "5", "4") GPU("7", "110", "90000", "1")
                       GPU("7", "120", "5", "2") END,
               "gpu-overrun", 2, 1);
    /* the last of a stream has none to overrun */
    ASSERT_NONE("[" LAUNCHES GPU("7", "110", "5", "1") GPU("7", "120", "5", "2")
                    GPU("7", "130", "5", "3") GPU("7", "140", "90000", "4")
                        END);
}

static void test_numbers_of_several_processes_are_suspect(void **state)
{
    (void)state;
    /* lanes of the host come first: ids 0 and 1, then the kernels */
    ASSERT_ROW("[" EVENT("cuda_runtime", "1", "1", "1", "1", "5")
                   EVENT("cuda_runtime", "2", "2", "2", "1", "5")
                       EVENT("kernel", "0", "7", "10", "1", "5")
                           EVENT("kernel", "1", "7", "11", "1", "5") END,
               "shared-correlation", 2, 2);
}

static void test_old_categories_are_no_nodes(void **state)
{
    static const struct row rows[] = {
        {"old-category", 3, 1},
        {"no-gpu-events", 0, NONE},
    };

    (void)state;
    /* id 0 is the operation, the only node */
    assert_rows("[" EVENT("Operator", "1", "1", "1", "9", "0")
                    EVENT("Runtime", "1", "1", "2", "1", "1") OP("3", "2")
                        EVENT("Kernel", "0", "7", "5", "1", "1") END,
                rows, 2);
}

static void test_a_tree_without_gpu_events_or_launches_is_suspect(void **state)
{
    (void)state;
    ASSERT_ROW("[]", "no-gpu-events", 0, NONE);
    ASSERT_ROW("[" OP("3", "2") LAUNCH("4", "1") END, "no-gpu-events", 0, NONE);
    ASSERT_ROW("[" OP("3", "2") GPU("7", "5", "1", "1") GPU("7", "6", "1", "2")
                   END,
               "no-launches", 2, 1);
}

static void test_a_damaged_index_is_refused(void **state)
{
    t2t_index *index =
        make_index(NAME, "[" LAUNCH("1", "1") GPU("7", "2", "1", "1") END);
    t2t_table *table = NULL;
    struct t2t_error err;
    t2t_index broken = *index;
    t2t_id none = 5;

    (void)state;
    broken.gpu_node = &none;
    assert_int_equal(t2t_suspects(&broken, &table, &err), T2T_ERR_INDEX_DAMAGE);
    assert_null(table);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_trace_has_none),
        cmocka_unit_test(
            test_gpu_events_at_zero_are_suspect_when_the_rest_is_late),
        cmocka_unit_test(test_more_than_seven_days_are_suspect),
        cmocka_unit_test(test_a_kernel_that_runs_over_the_next_ones_is_suspect),
        cmocka_unit_test(test_overruns_do_not_hide_each_other),
        cmocka_unit_test(test_numbers_of_several_processes_are_suspect),
        cmocka_unit_test(test_old_categories_are_no_nodes),
        cmocka_unit_test(test_a_tree_without_gpu_events_or_launches_is_suspect),
        cmocka_unit_test(test_a_damaged_index_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
