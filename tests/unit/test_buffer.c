/* test_buffer.c - base/buffer.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"

static void test_an_empty_buffer_can_be_released(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    tt_buffer_release(&b);
    tt_buffer_release(&b);
    assert_null(b.ptr);
}

static void test_bytes_come_at_the_end(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    tt_buffer_add(&b, "abc", 3);
    tt_buffer_add_byte(&b, '\0');
    tt_buffer_add(&b, "de", 2);
    tt_buffer_add(&b, NULL, 0);
    assert_int_equal(b.len, 6);
    assert_memory_equal(b.ptr, "abc\0de", 6);
    assert_false(b.failed);
    tt_buffer_release(&b);
}

static void test_nothing_added_to_nothing_is_nothing(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    tt_buffer_add(&b, NULL, 0);
    tt_buffer_clear(&b);
    assert_int_equal(b.len, 0);
    assert_false(b.failed);
    tt_buffer_release(&b);
}

static void test_it_grows_and_keeps_its_bytes(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    for (int i = 0; i < 300000; i++) {
        if (i % 3)
            tt_buffer_add_byte(&b, (char)(i % 127));
        else
            tt_buffer_add(&b, (const char[]){(char)(i % 127)}, 1);
    }
    assert_int_equal(b.len, 300000);
    for (int i = 0; i < 300000; i++)
        assert_int_equal(b.ptr[i], i % 127);
    tt_buffer_release(&b);
}

static void test_reserved_room_is_there_without_another_move(void **state)
{
    static const size_t rooms[] = {0, 1, 255, 256, 257, 1000000};

    (void)state;
    for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
        struct tt_buffer b = {0};
        const char *ptr;

        tt_buffer_add(&b, "xyz", 3);
        assert_true(tt_buffer_reserve(&b, rooms[i]));
        assert_true(b.cap - b.len >= rooms[i]);
        ptr = b.ptr;
        for (size_t n = 0; n < rooms[i]; n++)
            tt_buffer_add_byte(&b, 'r');
        assert_ptr_equal(b.ptr, ptr);
        assert_memory_equal(b.ptr, "xyz", 3);
        tt_buffer_release(&b);
    }
}

static void test_clearing_keeps_the_memory(void **state)
{
    struct tt_buffer b = {0};
    const char *ptr;

    (void)state;
    tt_buffer_add(&b, "abc", 3);
    ptr = b.ptr;
    tt_buffer_clear(&b);
    assert_int_equal(b.len, 0);
    tt_buffer_add(&b, "d", 1);
    assert_ptr_equal(b.ptr, ptr);
    assert_memory_equal(b.ptr, "d", 1);
    tt_buffer_release(&b);
}

static void test_it_remembers_that_memory_ran_out(void **state)
{
    struct tt_buffer b = {0};
    size_t most = SIZE_MAX;

    (void)state;
    tt_buffer_add(&b, "abc", 3);
    assert_false(tt_buffer_reserve(&b, most));
    assert_true(b.failed);
    assert_int_equal(b.len, 3);
    assert_memory_equal(b.ptr, "abc", 3);
    tt_buffer_add_byte(&b, 'd');
    assert_true(b.failed);
    tt_buffer_clear(&b);
    assert_false(b.failed);
    tt_buffer_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_buffer_can_be_released),
        cmocka_unit_test(test_bytes_come_at_the_end),
        cmocka_unit_test(test_nothing_added_to_nothing_is_nothing),
        cmocka_unit_test(test_it_grows_and_keeps_its_bytes),
        cmocka_unit_test(test_reserved_room_is_there_without_another_move),
        cmocka_unit_test(test_clearing_keeps_the_memory),
        cmocka_unit_test(test_it_remembers_that_memory_ran_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
