/* test_line.c - pipeline/line.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/line.h"

static void test_chunks_are_taken_and_leave_in_order(void **state)
{
    struct tt_chunk chunk[5];
    struct tt_line l;

    (void)state;
    assert_true(tt_line_init(&l, 3));
    for (int round = 0; round < 4; round++) { /* goes around the ring */
        assert_null(tt_line_first(&l));
        assert_null(tt_line_take(&l));
        tt_line_push(&l, &chunk[0]);
        tt_line_push(&l, &chunk[1]);
        assert_int_equal(tt_line_waiting(&l), 2);
        assert_int_equal(tt_line_room(&l), 1);
        assert_ptr_equal(tt_line_take(&l), &chunk[0]);
        assert_ptr_equal(tt_line_first(&l), &chunk[0]);
        assert_ptr_equal(tt_line_pop(&l), &chunk[0]);
        assert_ptr_equal(tt_line_take(&l), &chunk[1]);
        assert_null(tt_line_take(&l));
        assert_int_equal(tt_line_waiting(&l), 0);
        assert_ptr_equal(tt_line_pop(&l), &chunk[1]);
    }
    assert_null(tt_line_pop(&l));
    tt_line_release(&l);
}

static void test_a_chunk_that_left_is_not_taken(void **state)
{
    struct tt_chunk chunk[2];
    struct tt_line l;

    (void)state;
    assert_true(tt_line_init(&l, 2));
    tt_line_push(&l, &chunk[0]);
    tt_line_push(&l, &chunk[1]);
    assert_int_equal(tt_line_room(&l), 0);
    assert_ptr_equal(tt_line_pop(&l), &chunk[0]);
    assert_ptr_equal(tt_line_take(&l), &chunk[1]);
    assert_ptr_equal(tt_line_pop(&l), &chunk[1]);
    tt_line_release(&l);
}

static void test_a_line_too_long_is_refused(void **state)
{
    struct tt_line l;

    (void)state;
    assert_false(tt_line_init(&l, SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_are_taken_and_leave_in_order),
        cmocka_unit_test(test_a_chunk_that_left_is_not_taken),
        cmocka_unit_test(test_a_line_too_long_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
