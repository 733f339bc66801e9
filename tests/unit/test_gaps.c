/* test_gaps.c - t2t_gaps() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_gaps"

#define CALL(name, tid, ts, dur, args)                                         \
    {                                                                          \
        "cuda_runtime", name, "1", tid, ts, dur, args                          \
    }
#define EVENT(category, name, device, stream, ts, dur, args)                   \
    {                                                                          \
        category, name, device, stream, ts, dur, args                          \
    }
#define CORRELATION(n) "\"correlation\":" n

static t2t_table *make_gaps(t2t_index *index,
                            const struct t2t_selection *selection,
                            enum t2t_gaps_by by, uint64_t min_ns)
{
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_gaps(index, selection, by, min_ns, &table, &err))
        fail_msg("%s", err.text);
    return table;
}

static void assert_selected(const struct said *row, size_t count,
                            const struct t2t_selection *selection,
                            enum t2t_gaps_by by, uint64_t min_ns,
                            const char *expected)
{
    t2t_index *index = index_of(NAME, row, count);

    assert_csv(make_gaps(index, selection, by, min_ns), expected);
    remove_index(NAME, index);
}

static void assert_gaps(const struct said *row, size_t count,
                        enum t2t_gaps_by by, const char *expected)
{
    assert_selected(row, count, NULL, by, 0, expected);
}

static void test_a_trace_without_gpu_has_no_rows(void **state)
{
    static const struct said nothing[] = {PY("f", "0", "10")};

    (void)state;
    for (int by = 0; by <= T2T_GAPS_BY_HOLE; by++) {
        assert_gaps(nothing, 0, (enum t2t_gaps_by)by, "");
        assert_gaps(nothing, 1, (enum t2t_gaps_by)by, "");
    }
}

static void test_one_event_is_busy(void **state)
{
    static const struct said rows[] = {UNLINKED("k", "5", "10")};
    static const struct said empty[] = {UNLINKED("k", "5", "0")};

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_STREAM,
                "0,7,host,0,0,,,0.0,,\n"
                "0,7,stream,0,0,,,0.0,,\n"
                "0,7,other,0,0,,,0.0,,\n"
                "0,7,busy,1,10000,,,100.0,,\n");
    assert_gaps(empty, COUNT(empty), T2T_GAPS_BY_STREAM,
                "0,7,host,0,0,,,nan,,\n"
                "0,7,stream,0,0,,,nan,,\n"
                "0,7,other,0,0,,,nan,,\n"
                "0,7,busy,1,0,,,nan,,\n");
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_HOLE, "");
}

/*
 * Stream 7: a 10-20, b 23-30, c 50-60.  b was launched at 2, before the hole
 * 20-23: other.  c was launched at 45, within 30-50: host.  In it the host was
 * in aten::item 31-44, of that 32-43 in cudaStreamSynchronize.
 */
static const struct said plain[] = {
    OP("aten::mm", "0", "4", ""),
    OP("aten::item", "31", "13", ""),
    OP("aten::add", "44", "4", ""),
    CALL("cudaLaunchKernel", "1", "1", "0.5", CORRELATION("1")),
    CALL("cudaLaunchKernel", "1", "2", "1", CORRELATION("2")),
    CALL("cudaStreamSynchronize", "1", "32", "11", ""),
    CALL("cudaLaunchKernel", "1", "45", "2", CORRELATION("3")),
    KERNEL("a", "10", "10", "1"),
    KERNEL("b", "23", "7", "2"),
    KERNEL("c", "50", "10", "3"),
};

static void test_classes_and_busy_time_make_the_span(void **state)
{
    (void)state;
    assert_gaps(plain, COUNT(plain), T2T_GAPS_BY_STREAM,
                "0,7,host,1,20000,20000.0,20000,40.0,cudaStreamSynchronize,"
                "100.0\n"
                "0,7,stream,0,0,,,0.0,,\n"
                "0,7,other,1,3000,3000.0,3000,6.0,,100.0\n"
                "0,7,busy,3,27000,,,54.0,,\n");
}

static void test_holes_by_what_was_waited_for(void **state)
{
    (void)state;
    assert_gaps(plain, COUNT(plain), T2T_GAPS_BY_CAUSE,
                "host,cudaStreamSynchronize,1,20000,20000.0,20000,"
                "86.95652173913044,9,6\n"
                "other,,1,3000,3000.0,3000,13.043478260869565,4,\n");
}

static void test_holes_by_the_operation_behind_them(void **state)
{
    (void)state;
    assert_gaps(plain, COUNT(plain), T2T_GAPS_BY_OP,
                "aten::add,1,20000,20000,0,0,0,20000.0,20000,"
                "86.95652173913044,9\n"
                "aten::mm,1,3000,0,0,3000,0,3000.0,3000,13.043478260869565,4"
                "\n");
}

static void test_each_hole_by_length(void **state)
{
    (void)state;
    assert_gaps(plain, COUNT(plain), T2T_GAPS_BY_HOLE,
                "30000,20000,host,0,7,cudaStreamSynchronize,aten::add,c,5000,"
                "cudaStreamSynchronize,11000,9,4,6,6\n"
                "20000,3000,other,0,7,,aten::mm,b,21000,,,4,2,,\n");
}

static void test_short_holes_are_counted(void **state)
{
    t2t_index *index = INDEX_OF(plain);
    const char *const expected[][2] = {{"min_ns", "3001"},
                                       {"short_holes", "1"},
                                       {"short_ns", "3000"}};
    t2t_table *table;
    const char *json;

    (void)state;
    assert_csv(make_gaps(index, NULL, T2T_GAPS_BY_STREAM, 3001),
               "0,7,host,1,20000,20000.0,20000,40.0,cudaStreamSynchronize,"
               "100.0\n"
               "0,7,stream,0,0,,,0.0,,\n"
               "0,7,other,0,0,,,0.0,,\n"
               "0,7,short,1,3000,3000.0,3000,6.0,,100.0\n"
               "0,7,busy,3,27000,,,54.0,,\n");
    assert_csv(make_gaps(index, NULL, T2T_GAPS_BY_CAUSE, 3001),
               "host,cudaStreamSynchronize,1,20000,20000.0,20000,"
               "86.95652173913044,9,6\n"
               "short,,1,3000,3000.0,3000,13.043478260869565,4,\n");
    assert_csv(make_gaps(index, NULL, T2T_GAPS_BY_OP, 3001),
               "aten::add,1,20000,20000,0,0,0,20000.0,20000,"
               "86.95652173913044,9\n"
               "aten::mm,1,3000,0,0,0,3000,3000.0,3000,13.043478260869565,4\n");
    for (int by = 0; by <= T2T_GAPS_BY_HOLE; by++) {
        table = make_gaps(index, NULL, (enum t2t_gaps_by)by, 3001);
        for (size_t i = 0; i < 3; i++) {
            assert_string_equal(t2t_table_selection(table, i, &json),
                                expected[i][0]);
            assert_string_equal(json, expected[i][1]);
        }
        t2t_table_free(table);
    }
    table = make_gaps(index, NULL, T2T_GAPS_BY_HOLE, 3001);
    assert_int_equal(t2t_table_row_count(table), 1);
    t2t_table_free(table);
    table = make_gaps(index, NULL, T2T_GAPS_BY_HOLE, 3000);
    assert_int_equal(t2t_table_row_count(table), 2);
    t2t_table_free(table);
    remove_index(NAME, index);
}

/* One launched when the hole begins was there to be done. */
static void test_host_is_what_was_launched_within(void **state)
{
    static const struct said rows[] = {
        LAUNCH("1", "1"),         KERNEL("a", "10", "10", "1"),
        LAUNCH("20", "2"),        KERNEL("b", "22", "8", "2"),
        LAUNCH("30.001", "3"),    KERNEL("c", "32", "8", "3"),
        LAUNCH("60", "4"),        KERNEL("clocks disagree", "50", "5", "4"),
        UNLINKED("d", "70", "5"),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_HOLE,
                "54000,15000,other,0,7,,(unlinked),d,,,,8,7,,\n"
                "39000,10000,host,0,7,(no call),launch,clocks disagree,-10000,"
                ",,7,5,,\n"
                "19000,2000,other,0,7,,launch,b,2000,launch,1000,3,1,2,\n"
                "29000,2000,host,0,7,launch,launch,c,1999,launch,1000,5,3,4,4"
                "\n");
}

/* The class of the hole 20-40 of stream 7 beside one event. */
static void assert_beside(const char *device, const char *stream,
                          const char *ts, const char *dur, const char *class)
{
    const struct said rows[] = {
        LAUNCH("1", "1"),
        LAUNCH("2", "2"),
        KERNEL("a", "10", "10", "1"),
        KERNEL("b", "40", "5", "2"),
        EVENT("kernel", "beside", device, stream, ts, dur, ""),
    };
    t2t_index *index = INDEX_OF(rows);
    t2t_table *table = make_gaps(index, NULL, T2T_GAPS_BY_HOLE, 0);
    bool is_stream = !strcmp(class, "stream");

    assert_int_equal(t2t_table_row_count(table), 1);
    assert_text(t2t_table_string(table, 0, 2), class);
    assert_text(t2t_table_string(table, 0, 5), is_stream ? "beside" : "");
    assert_int_equal(t2t_table_is_null(table, 0, 14), !is_stream);
    t2t_table_free(table);
    remove_index(NAME, index);
}

static void test_another_stream_is_busy_until_the_end(void **state)
{
    (void)state;
    assert_beside("0", "20", "15", "25", "stream"); /* ends with the hole */
    assert_beside("0", "20", "39", "1", "stream");
    assert_beside("0", "20", "0", "100", "stream"); /* goes on */
    assert_beside("0", "20", "39.999", "5", "stream");
    assert_beside("0", "20", "15", "15.001", "stream"); /* past the middle */
    assert_beside("0", "20", "15", "15", "other");
    assert_beside("0", "20", "40", "5", "other"); /* begins with b */
    assert_beside("0", "20", "5", "15", "other"); /* ends where it begins */
    assert_beside("0", "20", "39", "0", "other"); /* covers nothing */
    assert_beside("1", "7", "15", "25", "other"); /* another device's 7 */
    assert_beside("1", "20", "15", "25", "other");
}

static void test_the_event_of_another_stream_that_ends_last(void **state)
{
    static const struct said rows[] = {
        LAUNCH("1", "1"),
        LAUNCH("2", "2"),
        KERNEL("a", "10", "10", "1"),
        KERNEL("b", "40", "5", "2"),
        EVENT("kernel", "second", "0", "8", "26", "13", ""),
        EVENT("kernel", "first", "0", "9", "25", "14", ""),
        EVENT("kernel", "earlier", "0", "8", "20", "18", ""),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_CAUSE,
                "stream,first,1,20000,20000.0,20000,100.0,3,6\n");
}

/* What follows a wait: the hole 20-24 before an event launched at 5, behind one
 * launched at 1, with another element. */
static void assert_after_wait(const struct said *wait, size_t waits,
                              const char *class, const char *cause)
{
    struct said rows[8] = {
        LAUNCH("1", "1"),
        LAUNCH("5", "2"),
        KERNEL("a", "10", "10", "1"),
        KERNEL("b", "24", "6", "2"),
        EVENT("kernel", "far", "0", "20", "100", "1", ""),
    };
    t2t_index *index;
    t2t_table *table;

    memcpy(rows + 5, wait, waits * sizeof(*wait));
    index = index_of(NAME, rows, 5 + waits);
    table = make_gaps(index, NULL, T2T_GAPS_BY_HOLE, 0);
    assert_int_equal(t2t_table_row_count(table), 1);
    assert_text(t2t_table_string(table, 0, 2), class);
    assert_text(t2t_table_string(table, 0, 5), cause);
    t2t_table_free(table);
    remove_index(NAME, index);
}

#define WAIT(stream, ts, args)                                                 \
    {                                                                          \
        "cuda_sync", "Stream Wait Event", "0", stream, ts, "0", args           \
    }
#define ON(own, other) "\"stream\":" own ",\"wait_on_stream\":" other

static void test_a_recorded_wait_names_what_the_stream_is_given(void **state)
{
    static const struct {
        struct said wait[2];
        const char *class;
    } cases[] = {
        {{WAIT("7", "3", ON("7", "20"))}, "stream"},
        {{WAIT("7", "3", "")}, "stream"},
        {{WAIT("7", "5", ON("7", "20"))}, "stream"}, /* with the launch */
        {{WAIT("7", "1.001", ON("7", "20"))}, "stream"},
        {{WAIT("7", "1", ON("7", "20"))}, "other"}, /* names a */
        {{WAIT("7", "0", ON("7", "20"))}, "other"},
        {{WAIT("7", "5.001", ON("7", "20"))}, "other"}, /* too late */
        {{WAIT("20", "3", ON("20", "7"))}, "other"},    /* another waits */
        {{WAIT("7", "3", ON("7", "7"))}, "other"},      /* for itself */
        {{WAIT("8", "3", ON("8", "20"))}, "other"},     /* no such stream */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_after_wait(cases[i].wait, 1, cases[i].class,
                          !strcmp(cases[i].class, "stream")
                              ? "Stream Wait Event"
                              : "");
}

static void test_a_call_to_wait_names_what_its_thread_launches(void **state)
{
    static const struct said same[] = {
        CALL("cudaStreamWaitEvent", "1", "3", "1", "")};
    static const struct said hip[] = {
        CALL("hipStreamWaitEvent", "1", "3", "1", "")};
    static const struct said before[] = {
        CALL("cudaStreamWaitEvent", "1", "0", "1", "")};
    static const struct said other[] = {
        CALL("cudaStreamWaitEvent", "2", "3", "1", "")};
    static const struct said op[] = {OP("cudaStreamWaitEvent", "3", "1", "")};
    static const struct said beside_record[] = {CALL("cudaStreamWaitEvent", "1",
                                                     "3", "1", ""),
                                                WAIT("20", "3", ON("20", "7"))};
    static const struct said not_beside_a_stream[] = {
        CALL("cudaStreamWaitEvent", "1", "3", "1", ""),
        WAIT("99", "3", ON("20", "7"))};

    (void)state;
    assert_after_wait(same, 1, "stream", "cudaStreamWaitEvent");
    assert_after_wait(hip, 1, "stream", "hipStreamWaitEvent");
    assert_after_wait(before, 1, "other", "");
    assert_after_wait(other, 1, "other", "");
    assert_after_wait(op, 1, "other", "");
    assert_after_wait(beside_record, 2, "other", "");
    assert_after_wait(not_beside_a_stream, 2, "stream", "cudaStreamWaitEvent");
}

static void test_events_that_overlap_leave_no_hole(void **state)
{
    static const struct said rows[] = {
        UNLINKED("a", "1", "9"),  UNLINKED("b", "5", "3"),
        UNLINKED("c", "10", "2"), UNLINKED("d", "9", "11"),
        UNLINKED("e", "18", "2"), UNLINKED("empty", "22", "0"),
        UNLINKED("f", "25", "1"), UNLINKED("at the end", "25", "0"),
        UNLINKED("g", "25", "2"),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_STREAM,
                "0,7,host,0,0,,,0.0,,\n"
                "0,7,stream,0,0,,,0.0,,\n"
                "0,7,other,1,5000,5000.0,5000,19.23076923076923,,100.0\n"
                "0,7,busy,9,21000,,,80.76923076923077,,\n");
    /* of d and e, which both end at 20, d is the first */
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_HOLE,
                "19000,5000,other,0,7,,(unlinked),f,,,,6,2,,\n");
}

static void test_of_equal_starts_the_first_launched_is_next(void **state)
{
    static const struct said rows[] = {
        LAUNCH("1", "1"),
        LAUNCH("2", "2"),
        LAUNCH("25", "3"),
        KERNEL("a", "10", "10", "1"),
        UNLINKED("without", "30", "5"),
        KERNEL("late", "30", "5", "3"),
        KERNEL("first", "30", "5", "2"),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_HOLE,
                "19000,10000,other,0,7,,launch,first,28000,,,3,1,,\n");
}

static void test_streams_of_a_number_are_told_by_device(void **state)
{
    static const struct said rows[] = {
        EVENT("kernel", "a", "1", "7", "0", "1", ""),
        EVENT("kernel", "b", "1", "7", "3", "1", ""),
        EVENT("kernel", "c", "0", "7", "1", "1", ""),
        EVENT("kernel", "d", "0", "7", "5", "1", ""),
        EVENT("kernel", "e", "0", "9", "5", "1", ""),
    };
    const struct t2t_selection first = {.device = "0"};

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_STREAM,
                "0,7,host,0,0,,,0.0,,\n"
                "0,7,stream,0,0,,,0.0,,\n"
                "0,7,other,1,3000,3000.0,3000,60.0,,100.0\n"
                "0,7,busy,2,2000,,,40.0,,\n"
                "0,9,host,0,0,,,0.0,,\n"
                "0,9,stream,0,0,,,0.0,,\n"
                "0,9,other,0,0,,,0.0,,\n"
                "0,9,busy,1,1000,,,100.0,,\n"
                "1,7,host,0,0,,,0.0,,\n"
                "1,7,stream,0,0,,,0.0,,\n"
                "1,7,other,1,2000,2000.0,2000,50.0,,100.0\n"
                "1,7,busy,2,2000,,,50.0,,\n");
    assert_selected(rows, COUNT(rows), &first, T2T_GAPS_BY_CAUSE, 0,
                    "other,,1,3000,3000.0,3000,100.0,1,\n");
}

/* A hole goes with the event behind it; what is linked only has holes where
 * something without a launch ran. */
static void test_selections(void **state)
{
    static const struct said rows[] = {
        LAUNCH("1", "1"),         KERNEL("a", "10", "10", "1"),
        LAUNCH("2", "2"),         KERNEL("b", "30", "5", "2"),
        LAUNCH("3", "3"),         KERNEL("c", "45", "5", "3"),
        UNLINKED("d", "38", "2"), STEP("4", "2.5", "10"),
    };
    const struct t2t_selection from_b = {.between = true,
                                         .from_ns = 30000,
                                         .to_ns = 45000};
    const struct t2t_selection linked = {.linked_only = true};
    const struct t2t_selection step = {.steps = true,
                                       .first_step = 4,
                                       .last_step = 4};
    static const char no_host[] = "0,7,host,0,0,,,0.0,,\n"
                                  "0,7,stream,0,0,,,0.0,,\n";
    char expected[256];

    (void)state;
    /* b and d: 20-30 and 35-38 are idle, 30-35 and 38-40 busy */
    (void)snprintf(expected, sizeof(expected), "%s%s", no_host,
                   "0,7,other,2,13000,6500.0,10000,65.0,,100.0\n"
                   "0,7,busy,2,7000,,,35.0,,\n");
    assert_selected(rows, COUNT(rows), &from_b, T2T_GAPS_BY_STREAM, 0,
                    expected);
    (void)snprintf(expected, sizeof(expected), "%s%s", no_host,
                   "0,7,other,2,20000,10000.0,10000,50.0,,100.0\n"
                   "0,7,busy,3,20000,,,50.0,,\n");
    assert_selected(rows, COUNT(rows), &linked, T2T_GAPS_BY_STREAM, 0,
                    expected);
    (void)snprintf(expected, sizeof(expected), "%s%s", no_host,
                   "0,7,other,1,5000,5000.0,5000,50.0,,100.0\n"
                   "0,7,busy,1,5000,,,50.0,,\n");
    assert_selected(rows, COUNT(rows), &step, T2T_GAPS_BY_STREAM, 0, expected);
}

static void test_times_at_the_ends_of_64_bits(void **state)
{
    static const struct said rows[] = {
        UNLINKED("a", "-9223372036854775.808", "0.001"),
        UNLINKED("b", "9223372036854775.806", "5"),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_HOLE,
                "1,18446744073709551613,other,0,7,,(unlinked),b,,,,1,0,,\n");
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_STREAM,
                "0,7,host,0,0,,,0.0,,\n"
                "0,7,stream,0,0,,,0.0,,\n"
                "0,7,other,1,18446744073709551613,1.8446744073709552e+19,"
                "18446744073709551613,100.0,,100.0\n"
                "0,7,busy,2,2,,,1.0842021724855044e-17,,\n");
}

static void test_equal_causes_are_one_row_in_order(void **state)
{
    static const struct said rows[] = {
        OP("aten::item", "20", "9", ""),
        OP("aten::nonzero", "40", "10", ""),
        OP("aten::item", "60", "6", ""),
        LAUNCH("1", "1"),
        LAUNCH("29", "2"),
        LAUNCH("50", "3"),
        LAUNCH("66", "4"),
        KERNEL("a", "10", "10", "1"),
        KERNEL("b", "30", "10", "2"),
        KERNEL("c", "51", "9", "3"),
        KERNEL("d", "67", "1", "4"),
    };

    (void)state;
    assert_gaps(rows, COUNT(rows), T2T_GAPS_BY_CAUSE,
                "host,aten::item,2,17000,8500.0,10000,60.714285714285715,4,2\n"
                "host,aten::nonzero,1,11000,11000.0,11000,39.285714285714285,7,"
                "5\n");
}

static void test_wrong_use_is_told(void **state)
{
    t2t_index *index = INDEX_OF(plain);
    const struct t2t_selection empty = {.module = ""};
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_gaps(index, NULL, (enum t2t_gaps_by)99, 0, &table,
                              &err),
                     T2T_ERR_USAGE);
    assert_int_equal(t2t_gaps(index, &empty, T2T_GAPS_BY_HOLE, 0, &table, &err),
                     T2T_ERR_USAGE);
    assert_null(table);
    remove_index(NAME, index);
}

static void test_every_column_is_explained(void **state)
{
    t2t_index *index = INDEX_OF(plain);

    (void)state;
    for (int by = 0; by <= T2T_GAPS_BY_HOLE; by++) {
        t2t_table *table = make_gaps(index, NULL, (enum t2t_gaps_by)by, 0);

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
        cmocka_unit_test(test_one_event_is_busy),
        cmocka_unit_test(test_classes_and_busy_time_make_the_span),
        cmocka_unit_test(test_holes_by_what_was_waited_for),
        cmocka_unit_test(test_holes_by_the_operation_behind_them),
        cmocka_unit_test(test_each_hole_by_length),
        cmocka_unit_test(test_short_holes_are_counted),
        cmocka_unit_test(test_host_is_what_was_launched_within),
        cmocka_unit_test(test_another_stream_is_busy_until_the_end),
        cmocka_unit_test(test_the_event_of_another_stream_that_ends_last),
        cmocka_unit_test(test_a_recorded_wait_names_what_the_stream_is_given),
        cmocka_unit_test(test_a_call_to_wait_names_what_its_thread_launches),
        cmocka_unit_test(test_events_that_overlap_leave_no_hole),
        cmocka_unit_test(test_of_equal_starts_the_first_launched_is_next),
        cmocka_unit_test(test_streams_of_a_number_are_told_by_device),
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_times_at_the_ends_of_64_bits),
        cmocka_unit_test(test_equal_causes_are_one_row_in_order),
        cmocka_unit_test(test_wrong_use_is_told),
        cmocka_unit_test(test_every_column_is_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
