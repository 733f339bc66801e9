/* test_width.c - table/width.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "table/width.h"

#define HAN "\xe6\xbc\xa2"          /* two columns */
#define ACUTE "\xcc\x81"            /* combines: none */
#define EMOJI "\xf0\x9f\x98\x80"    /* two */
#define EURO "\xe2\x82\xac"         /* one */
#define HANGUL "\xea\xb0\x80"       /* two */
#define JOINER "\xe2\x80\x8d"       /* none */
#define SELECTOR "\xf3\xa0\x84\x80" /* none */

static void test_columns_are_those_of_a_terminal(void **state)
{
    static const struct {
        const char *text;
        size_t width;
    } texts[] = {
        {"", 0},           {"plain", 5},        {"\xc3\xa4\xc3\xb6", 2},
        {HAN "x", 3},      {"e" ACUTE "x", 2},  {EMOJI, 2},
        {EURO, 1},         {HANGUL HANGUL, 4},  {"a" JOINER "b", 2},
        {"a" SELECTOR, 1}, {"\xef\xbc\xa1", 2}, {"\xef\xbf\xbd", 1},
        {"\xc2\xa0", 1},   {"\xe2\x80\xa6", 1}, {"\xe2\x96\x88", 1},
        {"\xe2", 1}, /* not whole */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(tt_width(texts[i].text, strlen(texts[i].text)),
                         texts[i].width);
    assert_int_equal(tt_width(NULL, 0), 0);
}

static void test_a_start_ends_with_what_combines(void **state)
{
    static const char text[] = "ae" ACUTE ACUTE HAN "b";
    static const struct {
        size_t width;
        size_t bytes;
        size_t used;
    } cuts[] = {{0, 0, 0}, {1, 1, 1},  {2, 6, 2}, {3, 6, 2},
                {4, 9, 4}, {5, 10, 5}, {9, 10, 5}};
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        assert_int_equal(tt_width_head(text, sizeof(text) - 1, cuts[i].width,
                                       &used),
                         cuts[i].bytes);
        assert_int_equal(used, cuts[i].used);
    }
}

/* text, width, bytes of the head, where the tail begins */
static void test_escapes_are_not_cut(void **state)
{
    static const struct {
        const char *text;
        size_t width;
        size_t head;
        size_t skip;
    } cuts[] = {
        {"a\\u001bb", 6, 1, 7},
        {"a\\u001bb", 7, 7, 1},
        {"ab\\ncd", 3, 2, 4},
        {"ab\\ncd", 4, 4, 2},
        {"\\\\u0041", 5, 5, 2},
        {"\\\\u0041", 7, 7, 0},
        {"C:\\users", 4, 4, 4},
        {"\\u12", 2, 2, 2},
        {"\\udb40\\udc41x", 12, 12, 12},
        {"\\udb40\\udc41x", 11, 0, 12},
        {"x\\udb40\\u0041", 8, 7, 7},
    };
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        size_t len = strlen(cuts[i].text);

        assert_int_equal(tt_width(cuts[i].text, len), len);
        assert_int_equal(tt_width_head(cuts[i].text, len, cuts[i].width, &used),
                         cuts[i].head);
        assert_int_equal(used, cuts[i].head);
        assert_int_equal(tt_width_tail(cuts[i].text, len, cuts[i].width, &used),
                         cuts[i].skip);
        assert_int_equal(used, len - cuts[i].skip);
    }
}

static void test_an_end_begins_with_a_character(void **state)
{
    static const char text[] = "ae" ACUTE ACUTE HAN "b";
    static const struct {
        size_t width;
        size_t skip;
        size_t used;
    } cuts[] = {{0, 10, 0}, {1, 9, 1}, {2, 9, 1}, {3, 6, 3},
                {4, 1, 4},  {5, 0, 5}, {9, 0, 5}};
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        assert_int_equal(tt_width_tail(text, sizeof(text) - 1, cuts[i].width,
                                       &used),
                         cuts[i].skip);
        assert_int_equal(used, cuts[i].used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_those_of_a_terminal),
        cmocka_unit_test(test_a_start_ends_with_what_combines),
        cmocka_unit_test(test_an_end_begins_with_a_character),
        cmocka_unit_test(test_escapes_are_not_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
