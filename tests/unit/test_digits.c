/* test_digits.c - base/digits.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/digits.h"

/* Reads `text`, in memory of just its size, with `more` behind it. */
static unsigned read(const char *text, const char *more, uint64_t *value)
{
    size_t len = strlen(text) + strlen(more);
    char *copy = malloc(len + 1);
    unsigned count;

    assert_non_null(copy);
    (void)snprintf(copy, len + 1, "%s%s", text, more);
    copy = realloc(copy, len ? len : 1);
    assert_non_null(copy);
    count = tt_digits_read(copy, copy + len, value);
    free(copy);
    return count;
}

static void test_digits_of_any_length_are_read(void **state)
{
    static const char *const behind[] = {"",  ".",
                                         ",", "/",
                                         ":", "\x80",
                                         "a", ",\"tid\": 7,\n    \"ts\": 1419"};
    char text[32];
    uint64_t value;

    (void)state;
    for (unsigned len = 0; len <= 16; len++) {
        for (unsigned first = 0; first < 10; first++) {
            uint64_t wanted = 0;

            for (unsigned i = 0; i < len; i++) {
                text[i] = (char)('0' + (first + 3 * i) % 10);
                wanted = wanted * 10 + (first + 3 * i) % 10;
            }
            text[len] = '\0';
            for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++) {
                assert_int_equal(read(text, behind[i], &value), len);
                assert_int_equal(value, wanted);
            }
        }
    }
}

static void test_more_than_sixteen_are_told(void **state)
{
    uint64_t value;

    (void)state;
    assert_int_equal(read("12345678901234567", "", &value), 17);
    assert_int_equal(read("12345678901234567", ", and more of it", &value), 17);
    assert_int_equal(read("99999999999999999999", "", &value), 17);
    assert_int_equal(read("9999999999999999", ", and more of it", &value), 16);
    assert_int_equal(value, 9999999999999999);
}

static void test_every_other_byte_ends_them(void **state)
{
    char text[] = "12345\0, and more text behind it";
    uint64_t value;

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned digits = byte >= '0' && byte <= '9' ? 6 : 5;

        text[5] = (char)byte;
        assert_int_equal(tt_digits_read(text, text + sizeof(text) - 1, &value),
                         digits);
        assert_int_equal(tt_digits_read(text, text + 6, &value), digits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_of_any_length_are_read),
        cmocka_unit_test(test_more_than_sixteen_are_told),
        cmocka_unit_test(test_every_other_byte_ends_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
