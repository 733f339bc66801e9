/* test_split.c - json/split.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/split.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* In memory of just its size: a sanitizer sees a look past either end. */
static size_t next(const char *text, size_t from)
{
    size_t len = strlen(text);
    char *copy = malloc(len ? len : 1);
    size_t at;

    assert_non_null(copy);
    memcpy(copy, text, len);
    at = tt_split_next(copy, len, from);
    free(copy);
    return at;
}

static size_t last(const char *text, size_t from)
{
    size_t len = strlen(text);
    char *copy = malloc(len ? len : 1);
    size_t at;

    assert_non_null(copy);
    memcpy(copy, text, len);
    at = tt_split_last(copy, len, from);
    free(copy);
    return at;
}

/* A place that is a guess is marked by the text before it. */
static const struct {
    const char *before;
    const char *behind;
} guesses[] = {
    {"{\"a\":1},", "{\"b\":2}"},
    {"},", "{\"b"},
    {"} ,\n", "{ \"b"},
    {"}\t\r\n , ", "{\t\r\n \"b"},
    {"},", "{\"\""},
    {"},", "{\"{"},
    {"},", "{\"\\u0041\":1}"},
    {"},", "{\"\xc3\xa9\":1}"},
    {"},{,{},{ },", "{\"b\":[{"},
};

static void test_a_brace_between_events_is_a_guess(void **state)
{
    char text[64];

    (void)state;
    for (size_t i = 0; i < COUNT(guesses); i++) {
        size_t at = strlen(guesses[i].before);

        (void)snprintf(text, sizeof(text), "%s%s", guesses[i].before,
                       guesses[i].behind);
        for (size_t from = 0; from <= at; from++)
            assert_int_equal(next(text, from), at);
        for (size_t from = 0; from < at; from++)
            assert_int_equal(last(text, from), at);
    }
}

static const char *const no_guesses[] = {
    "",
    "{",
    "{\"a\":1}",
    "[{\"a\":1}]",
    ",{\"a\":1}",
    " ,{\"a\":1}",
    "1,{\"a\":1}",
    "],{\"a\":1}",
    "\",{\"a\":1}",
    "}{\"a\":1}",
    "},",
    "},{",
    "},{\"",
    "},{ \"",
    "},{}",
    "},{ }",
    "},{1:1}",
    "},{\" ,",
    "},{\",\"",
    "},{\":1",
    "},{\"]",
    "},{\"}",
    "},{\"\n",
    "},{\\\"a",
};

static void test_anything_else_is_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(no_guesses); i++) {
        size_t len = strlen(no_guesses[i]);

        for (size_t from = 0; from <= len; from++) {
            assert_int_equal(next(no_guesses[i], from), len);
            assert_int_equal(last(no_guesses[i], from), len);
        }
    }
}

static void test_guesses_are_found_in_order_from_both_ends(void **state)
{
    /*                         8         19         30 */
    static const char text[] = "{\"a\":1},{\"b\":[2]} , {\"c\":3},{\"d\":4}]";
    const size_t len = sizeof(text) - 1;

    (void)state;
    assert_int_equal(next(text, 0), 8);
    assert_int_equal(next(text, 8), 8);
    assert_int_equal(next(text, 9), 20);
    assert_int_equal(next(text, 21), 28);
    assert_int_equal(next(text, 29), len);
    assert_int_equal(next(text, len), len);
    assert_int_equal(last(text, 0), 28);
    assert_int_equal(last(text, 27), 28);
    assert_int_equal(last(text, 28), len);
    assert_int_equal(tt_split_last(text, 28, 0), 20);
    assert_int_equal(tt_split_last(text, 20, 0), 8);
    assert_int_equal(tt_split_last(text, 20, 8), 20);
    assert_int_equal(tt_split_last(text, 8, 0), 8);
}

/* Whether `at` is outside the strings of valid JSON. */
static bool is_outside(const char *text, size_t at)
{
    bool inside = false;

    for (size_t i = 0; i < at; i++) {
        if (inside && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            inside = !inside;
    }
    return !inside;
}

/* Text `n` of up to five pieces that look like the border of events. */
static void write_hostile(unsigned n, char *to, size_t cap)
{
    static const char *const pieces[] = {"",     "}",    ",", "{",
                                         "\\\"", "\\\\", " ", "x"};

    to[0] = '\0';
    for (int i = 0; i < 5; i++, n /= 8)
        (void)snprintf(to + strlen(to), cap - strlen(to), "%s", pieces[n % 8]);
}

static void test_no_guess_is_inside_a_string(void **state)
{
    char hostile[32];
    char text[160];

    (void)state;
    for (unsigned n = 0; n < 8 * 8 * 8 * 8 * 8; n++) {
        size_t len, at;

        write_hostile(n, hostile, sizeof(hostile));
        len = (size_t)snprintf(text, sizeof(text),
                               "[{\"k\":\"%s\"},{\"%s\":[1,{},{\"%s\":{}}]}]",
                               hostile, hostile, hostile);
        for (at = 0; at < len; at++) {
            at = tt_split_next(text, len, at);
            assert_true(at == len || is_outside(text, at));
        }
        at = tt_split_last(text, len, 0);
        assert_true(at == len || is_outside(text, at));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_brace_between_events_is_a_guess),
        cmocka_unit_test(test_anything_else_is_none),
        cmocka_unit_test(test_guesses_are_found_in_order_from_both_ends),
        cmocka_unit_test(test_no_guess_is_inside_a_string),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
