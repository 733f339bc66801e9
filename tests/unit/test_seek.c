/* test_seek.c - places where whole text may begin again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/seek.h"

/* Lists what is found: E or ], and the byte behind it. */
static void list(const char *text, size_t piece, char *out, size_t cap)
{
    struct tt_seek s = {.open = false};
    size_t len = strlen(text);
    size_t at = 0;

    out[0] = '\0';
    tt_seek_begin(&s);
    while (at < len) {
        size_t left = len - at < piece ? len - at : piece;
        size_t end = at + left;

        while (at < end) {
            size_t used;
            enum tt_seek_found found =
                tt_seek_feed(&s, text + at, end - at, &used);
            size_t had = strlen(out);

            assert_true(used <= end - at);
            at += used;
            if (!found)
                break;
            (void)snprintf(out + had, cap - had, "%s%c%zu", had ? " " : "",
                           found == TT_SEEK_END ? ']' : 'E', at);
            if (found == TT_SEEK_ELEMENT) {
                assert_int_equal(s.text.ptr[0], '{');
                assert_int_equal(s.text.ptr[s.text.len - 1], '"');
                assert_memory_equal(s.text.ptr, text + at - s.text.len,
                                    s.text.len);
                tt_seek_begin(&s);
            }
        }
    }
    tt_seek_release(&s);
}

static void test_elements_and_ends_are_found_however_the_text_is_cut(void **st)
{
    static const struct {
        const char *text;
        const char *found;
    } rows[] = {
        {"x},{\"ph\"", "E5"}, {"{ \n\t\"a\"}", "E5"},
        {"{{\"a\"", "E3"},    {"{1,{ }[]", "]8"},
        {"\"x]y\"", "]3"},    {"{\\\"a", ""},
        {"}]}", "]2"},        {"", ""},
    };

    (void)st;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t piece = 1; piece <= 9; piece++) {
            char out[128];

            list(rows[i].text, piece, out, sizeof(out));
            assert_string_equal(out, rows[i].found);
        }
}

static void test_what_stands_before_an_element_tells_its_place(void **st)
{
    static const struct {
        const char *text;
        enum tt_seek_place place;
    } rows[] = {
        {"{\"a", TT_SEEK_ANYWHERE},           {"},{\"a", TT_SEEK_ANYWHERE},
        {"x:{\"a", TT_SEEK_ANYWHERE},         {",[{\"a", TT_SEEK_ANYWHERE},
        {"\"k\" : { \"a", TT_SEEK_IN_OBJECT}, {"k\":{\"a", TT_SEEK_IN_OBJECT},
        {"k\":\n[ {\"a", TT_SEEK_IN_LIST},
    };

    (void)st;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tt_seek s = {.open = false};
        size_t used;

        tt_seek_begin(&s);
        assert_int_equal(tt_seek_feed(&s, rows[i].text, strlen(rows[i].text),
                                      &used),
                         TT_SEEK_ELEMENT);
        assert_int_equal(tt_seek_place(&s), rows[i].place);
        tt_seek_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_elements_and_ends_are_found_however_the_text_is_cut),
        cmocka_unit_test(test_what_stands_before_an_element_tells_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
