/* test_unclosed.c - brackets that are known never to be closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/unclosed.h"

static void test_what_is_open_at_the_end_is_listed(void **state)
{
    static const struct {
        const char *text;
        const char *open; /* a caret below each */
    } rows[] = {
        {"", ""},
        {"{\"a\":[1,2],\"b\":{}}", "                  "},
        {"{\"a\":[{\"b\":[]},{", "^    ^         ^"},
        {"{\"[\":\"\\\"[{\",\"\\\\\":[", "^                ^"},
        {"[\"]\",\"cut {", "^          "},
        {"[\"cut \\", "^      "},
        {"}]{", "  ^"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct tt_unclosed u = {.bad = 0};

        for (int twice = 0; twice < 2; twice++) {
            assert_true(
                tt_unclosed_find(&u, rows[i].text, strlen(rows[i].text), 1000));
            for (size_t at = 0; at < strlen(rows[i].open); at++)
                assert_int_equal(tt_unclosed_has(&u, 1000 + at),
                                 rows[i].open[at] == '^');
            assert_false(tt_unclosed_has(&u, 0));
            assert_false(tt_unclosed_has(&u, UINT64_MAX));
        }
        tt_unclosed_release(&u);
    }
}

static void test_the_inner_and_late_half_is_taken_off(void **state)
{
    struct tt_unclosed u = {.bad = 0};

    (void)state;
    tt_unclosed_halve(&u);
    assert_true(tt_unclosed_find(&u, "[[  [  [[[", 10, 0));
    u.bad = 10;
    tt_unclosed_halve(&u);
    assert_true(tt_unclosed_has(&u, 0));
    assert_true(tt_unclosed_has(&u, 1));
    assert_true(tt_unclosed_has(&u, 4));
    assert_false(tt_unclosed_has(&u, 7));
    tt_unclosed_release(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_open_at_the_end_is_listed),
        cmocka_unit_test(test_the_inner_and_late_half_is_taken_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
