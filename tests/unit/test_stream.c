/* test_stream.c - query/stream.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/stream.h"

#define NAME "test_stream"

static const struct said events[] = {
    LAUNCH("5", "1"),
    LAUNCH("3", "2"),
    KERNEL("b", "20", "5", "1"),
    KERNEL("a", "20", "5", "2"),
    UNLINKED("d", "20", "5"),
    UNLINKED("first", "4", "2"),
    {"kernel", "other", "0", "5", "99", "1", "\"correlation\":1"},
};

/* Those that start together come by launch, the ones without a launch last. */
static void test_events_come_by_stream_and_launch(void **state)
{
    static const uint32_t order[] = {6, 5, 3, 2, 4};
    t2t_index *index = INDEX_OF(events);
    struct tt_streams s;

    (void)state;
    assert_int_equal(tt_streams_read(&s, index, false, NULL, NULL), T2T_OK);
    assert_int_equal(s.gpu.count, 5);
    assert_int_equal(s.selected_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(s.gpu.event[s.order[i]].id, id_at(index, order[i]));
    for (uint32_t i = 0; i < 5; i++) {
        const struct tt_gpu_event *e = &s.gpu.event[i];

        assert_true(s.queued[i].is_selected);
        assert_int_equal(s.queued[i].launch_lane == T2T_NO_ID,
                         e->launch == T2T_NO_ID);
        if (e->launch == T2T_NO_ID)
            assert_int_equal(s.queued[i].launch_ns, e->time.start_ns);
    }
    tt_streams_release(&s);
    tt_streams_release(&s);
    remove_index(NAME, index);
}

/* Others are there, but where they are to be taken away. */
static void test_a_selection_marks_events(void **state)
{
    const struct t2t_selection late = {.between = true,
                                       .from_ns = 20000,
                                       .to_ns = 21000};
    const struct t2t_selection linked = {.linked_only = true};
    t2t_index *index = INDEX_OF(events);
    struct tt_streams s;

    (void)state;
    assert_int_equal(tt_streams_read(&s, index, false, &late, NULL), T2T_OK);
    assert_int_equal(s.gpu.count, 5);
    assert_int_equal(s.selected_count, 3);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(s.queued[i].is_selected,
                         s.gpu.event[i].time.start_ns == 20000);
    tt_streams_release(&s);
    assert_int_equal(tt_streams_read(&s, index, false, &linked, NULL), T2T_OK);
    assert_int_equal(s.gpu.count, 5);
    assert_int_equal(s.selected_count, 3);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(s.queued[i].is_selected,
                         s.gpu.event[i].launch != T2T_NO_ID);
    tt_streams_release(&s);
    assert_int_equal(tt_streams_read(&s, index, true, &linked, NULL), T2T_OK);
    assert_int_equal(s.gpu.count, 3);
    assert_int_equal(s.selected_count, 3);
    tt_streams_release(&s);
    remove_index(NAME, index);
}

static void test_queues_of_streams_are_apart(void **state)
{
    static const struct {
        uint32_t position;
        uint32_t depth;
    } expected[] = {
        {6, 0}, /* at 5: nothing else on stream 5 */
        {3, 0}, /* at 3 */
        {2, 2}, /* at 5: a, and first, which runs */
        {4, 0}, /* no launch */
        {5, 0},
    };
    t2t_index *index = INDEX_OF(events);
    struct tt_streams s;
    uint32_t depth[5];

    (void)state;
    assert_int_equal(tt_streams_read(&s, index, false, NULL, NULL), T2T_OK);
    assert_int_equal(tt_streams_depths(&s, depth, NULL), T2T_OK);
    for (size_t n = 0; n < COUNT(expected); n++)
        for (uint32_t i = 0; i < 5; i++)
            if (s.gpu.event[i].id == id_at(index, expected[n].position))
                assert_int_equal(depth[i], expected[n].depth);
    tt_streams_release(&s);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_come_by_stream_and_launch),
        cmocka_unit_test(test_a_selection_marks_events),
        cmocka_unit_test(test_queues_of_streams_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
