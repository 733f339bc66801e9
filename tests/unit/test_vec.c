/* test_vec.c - base/vec.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"

static void test_the_first_room_is_made_from_nothing(void **state)
{
    uint16_t *items = NULL;
    size_t cap = 0;

    (void)state;
    assert_true(tt_vec_room(&items, &cap, 0, sizeof(*items)));
    assert_non_null(items);
    assert_true(cap >= 1);
    free(items);
}

static void test_there_is_room_for_one_more_every_time(void **state)
{
    uint64_t *items = NULL;
    size_t cap = 0;
    size_t moves = 0;

    (void)state;
    for (size_t i = 0; i < 1000000; i++) {
        size_t before = cap;

        assert_true(tt_vec_room(&items, &cap, i, sizeof(*items)));
        assert_true(cap > i);
        moves += cap != before;
        items[i] = i * i;
    }
    for (size_t i = 0; i < 1000000; i++)
        assert_int_equal(items[i], i * i);
    assert_true(moves < 40); /* it grows by a part of what there is */
    free(items);
}

static void test_room_that_is_there_is_left_alone(void **state)
{
    int *items = NULL;
    size_t cap = 0;
    const int *before;

    (void)state;
    assert_true(tt_vec_room(&items, &cap, 0, sizeof(*items)));
    before = items;
    for (size_t i = 0; i < cap; i++)
        assert_true(tt_vec_room(&items, &cap, i, sizeof(*items)));
    assert_ptr_equal(items, before);
    free(items);
}

/* Counts and sizes whose room cannot be said in a size_t. */
static const struct {
    size_t count;
    size_t record_bytes;
} too_large[] = {
    {SIZE_MAX, 1},     {SIZE_MAX - 10, 1},  {SIZE_MAX / 3 * 2, 1},
    {SIZE_MAX / 8, 8}, {SIZE_MAX / 64, 64}, {16, SIZE_MAX / 16},
};

static void test_what_cannot_be_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(too_large) / sizeof(*too_large); i++) {
        char item = 'x';
        char *items = &item;
        size_t cap = 1;

        assert_false(tt_vec_grow(&items, &cap, too_large[i].count,
                                 too_large[i].record_bytes));
        assert_ptr_equal(items, &item);
        assert_int_equal(cap, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_room_is_made_from_nothing),
        cmocka_unit_test(test_there_is_room_for_one_more_every_time),
        cmocka_unit_test(test_room_that_is_there_is_left_alone),
        cmocka_unit_test(test_what_cannot_be_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
