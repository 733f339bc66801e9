/* test_arena.c - base/arena.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

#define PIECES 5000

static void test_an_empty_arena_can_be_released(void **state)
{
    struct tt_arena a = {0};

    (void)state;
    tt_arena_release(&a);
    tt_arena_release(&a);
    assert_null(a.blocks);
}

/* The length of piece `i`: none, short ones, some longer than a block. */
static size_t length_of(size_t i)
{
    static const size_t lengths[] = {0, 1, 7, 64, 333, 4096};

    if (i % 500 == 499)
        return 65535 + i / 500; /* around the size of a block */
    return lengths[i % (sizeof(lengths) / sizeof(*lengths))];
}

static void test_pieces_do_not_touch_each_other(void **state)
{
    static char *piece[PIECES];
    struct tt_arena a = {0};

    (void)state;
    for (size_t i = 0; i < PIECES; i++) {
        piece[i] = tt_arena_take(&a, length_of(i));
        assert_non_null(piece[i]);
        memset(piece[i], (int)(i % 251), length_of(i));
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t n = 0; n < length_of(i); n++)
            assert_int_equal((unsigned char)piece[i][n], i % 251);
    tt_arena_release(&a);
}

static void test_a_copy_is_another_place_with_the_same_bytes(void **state)
{
    static const char text[] = "a\0b\xff";
    struct tt_arena a = {0};
    const char *copy;

    (void)state;
    copy = tt_arena_copy(&a, text, sizeof(text));
    assert_ptr_not_equal(copy, text);
    assert_memory_equal(copy, text, sizeof(text));
    tt_arena_release(&a);
}

static void test_no_bytes_have_an_address_too(void **state)
{
    struct tt_arena a = {0};

    (void)state;
    assert_non_null(tt_arena_copy(&a, NULL, 0));
    assert_non_null(tt_arena_take(&a, 0));
    tt_arena_release(&a);
}

static void test_a_piece_that_cannot_be_leaves_the_arena_as_it_was(void **state)
{
    struct tt_arena a = {0};
    size_t most = SIZE_MAX;
    const char *copy;

    (void)state;
    assert_null(tt_arena_take(&a, most));
    copy = tt_arena_copy(&a, "kept", 4);
    assert_null(tt_arena_take(&a, most - 1));
    assert_memory_equal(copy, "kept", 4);
    assert_non_null(tt_arena_take(&a, 10));
    tt_arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_arena_can_be_released),
        cmocka_unit_test(test_pieces_do_not_touch_each_other),
        cmocka_unit_test(test_a_copy_is_another_place_with_the_same_bytes),
        cmocka_unit_test(test_no_bytes_have_an_address_too),
        cmocka_unit_test(
            test_a_piece_that_cannot_be_leaves_the_arena_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
