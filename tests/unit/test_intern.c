/* test_intern.c - base/intern.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/intern.h"

#define MANY 200000u

static void test_an_empty_table_can_be_released(void **state)
{
    struct tt_intern t = {0};

    (void)state;
    tt_intern_release(&t);
    tt_intern_release(&t);
    assert_int_equal(t.count, 0);
}

static const struct {
    const char *ptr;
    size_t len;
    uint32_t number;
} words[] = {
    {"aten::add", 9, 0},
    {"aten::mul", 9, 1},
    {"aten::add", 9, 0},
    {"", 0, 2},
    {"aten::ad", 8, 3},
    {"a\0b", 3, 4},
    {"a\0c", 3, 5},
    {"a", 1, 6},
    {"\0", 1, 7},
    {"\0\0", 2, 8},
    {"", 0, 2},
    {NULL, 0, 2},
    {"a\0b", 3, 4},
    {"aten::add ", 10, 9},
    {"\xed\xa0\x80", 3, 10},
};

static void test_numbers_are_given_as_bytes_first_come(void **state)
{
    struct tt_intern t = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        uint32_t n = tt_intern_add(&t, words[i].ptr, words[i].len);

        assert_int_equal(n, words[i].number);
        assert_int_equal(t.item[n].len, words[i].len);
        if (words[i].ptr)
            assert_memory_equal(t.item[n].ptr, words[i].ptr, words[i].len);
    }
    assert_int_equal(t.count, 11);
    tt_intern_release(&t);
}

static void test_the_bytes_are_copied(void **state)
{
    struct tt_intern t = {0};
    char text[] = "first";

    (void)state;
    assert_int_equal(tt_intern_add(&t, text, 5), 0);
    memcpy(text, "other", 5);
    assert_int_equal(tt_intern_add(&t, text, 5), 1);
    assert_memory_equal(t.item[0].ptr, "first", 5);
    tt_intern_release(&t);
}

/* Text `i`, different from all others. */
static size_t text_of(uint32_t i, char *to, size_t cap)
{
    return (size_t)snprintf(to, cap, "void kernel_%u<float, %u>", i, i % 7);
}

static void test_many_strings_stay_where_they_are(void **state)
{
    static const char *place[MANY];
    struct tt_intern t = {0};
    char text[64];

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        size_t len = text_of(i, text, sizeof(text));

        assert_int_equal(tt_intern_add(&t, text, len), i);
        place[i] = t.item[i].ptr;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        size_t len = text_of(i, text, sizeof(text));

        assert_int_equal(tt_intern_add(&t, text, len), i);
        assert_ptr_equal(t.item[i].ptr, place[i]);
        assert_int_equal(t.item[i].len, len);
        assert_memory_equal(t.item[i].ptr, text, len);
    }
    assert_int_equal(t.count, MANY);
    tt_intern_release(&t);
}

static void test_a_long_string_is_a_string(void **state)
{
    static char text[300000];
    struct tt_intern t = {0};

    (void)state;
    memset(text, 'x', sizeof(text));
    assert_int_equal(tt_intern_add(&t, text, sizeof(text)), 0);
    assert_int_equal(tt_intern_add(&t, text, sizeof(text) - 1), 1);
    text[sizeof(text) - 1] = 'y';
    assert_int_equal(tt_intern_add(&t, text, sizeof(text)), 2);
    text[sizeof(text) - 1] = 'x';
    assert_int_equal(tt_intern_add(&t, text, sizeof(text)), 0);
    tt_intern_release(&t);
}

static void test_what_did_not_come_is_not_found(void **state)
{
    struct tt_intern t = {0};

    (void)state;
    assert_int_equal(tt_intern_find(&t, "a", 1), TT_INTERN_NONE);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        (void)tt_intern_add(&t, words[i].ptr, words[i].len);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        assert_int_equal(tt_intern_find(&t, words[i].ptr, words[i].len),
                         words[i].number);
    assert_int_equal(tt_intern_find(&t, "b", 1), TT_INTERN_NONE);
    assert_int_equal(tt_intern_find(&t, "aten::a", 7), TT_INTERN_NONE);
    assert_int_equal(t.count, 11);
    tt_intern_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_table_can_be_released),
        cmocka_unit_test(test_numbers_are_given_as_bytes_first_come),
        cmocka_unit_test(test_what_did_not_come_is_not_found),
        cmocka_unit_test(test_the_bytes_are_copied),
        cmocka_unit_test(test_many_strings_stay_where_they_are),
        cmocka_unit_test(test_a_long_string_is_a_string),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
