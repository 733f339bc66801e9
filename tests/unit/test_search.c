/* test_search.c - where the array begins behind damage before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/search.h"

#define EVENT "{\"ph\":\"X\"}"

/* The array begins at the "^", which is no part of the text; without one there
 * is none. */
static const struct {
    const char *text;
    bool all;
    bool named;
} rows[] = {
    {"{x \"traceEvents\":[^" EVENT "]}", true, true},
    {"{x \"traceEvents\" \n: [^" EVENT, false, true},
    /* the name */
    {"{traceEvents:[^" EVENT "]}", true, true},
    {"{traceEvents\":[^" EVENT "]}", true, true},
    {"{\"traceEvents:[^" EVENT "]}", true, true},
    {"{'traceEvents':[^" EVENT "]}", true, true},
    {"{x,\"\\u0074race\\u0045vent\\u0073\":[^" EVENT "]}", true, true},
    {"{\"a\":1 \"traceEvents\" [^" EVENT "]}", true, true},
    {"{\"traceEvents\"[^" EVENT "]}", true, true},
    {"{\"traceEvents\":=[^" EVENT "]}", true, true},
    /* the bracket */
    {"{\"traceEvents\":^" EVENT "," EVENT "]}", true, true},
    {"{\"traceEvents\":(^" EVENT "," EVENT "]}", true, true},
    {"{\"traceEvents\"^" EVENT "," EVENT "]}", false, true},
    /* another name, and no array */
    {"{x,\"my_traceEvents\":[1],\"traceEvents2\":[2]}", true, true},
    {"{x,\"traceEvents\":1}", true, true},
    {"{x,\"of\":\"traceEvents\"}", true, true},
    {"{x,\"traceEvents", true, true},
    {"", true, true},
    /* one that is empty */
    {"{x,\"traceEvents\":[^]}", true, true},
    {"{x,\"a\":{\"traceEvents\":[]},\"traceEvents\":[^" EVENT "]}", true, true},
    /* one inside of a member, before the real one */
    {"{x,\"a\":{\"traceEvents\":[1,2]},\"traceEvents\":[^" EVENT "]}", true,
     true},
    {"{x,\"a\":{\"traceEvents\":[" EVENT "," EVENT "]},\"traceEvents\":[^" EVENT
     "]}",
     true, true},
    {"{x,\"a\":{\"traceEvents\":[" EVENT "]},\"traceEvents\":[^" EVENT, false,
     true},
    {"{x,\"a\":{\"traceEvents\":{\"n\":1}},\"traceEvents\":[^" EVENT "]}", true,
     true},
    {"{x,\"a\":\"traceEvents: [1]\",\"traceEvents\":[^" EVENT "]}", true, true},
    {"{x,\"a\":\"{\\\"traceEvents\\\": [1\",\"traceEvents\":[^" EVENT "]}",
     true, true},
    /* and behind it, in it */
    {"{x,\"traceEvents\":[^" EVENT ",{\"args\":{\"traceEvents\":[" EVENT
     "]}}],\"b\":{\"traceEvents\":[" EVENT "," EVENT "," EVENT "," EVENT "]}}",
     true, true},
    /* damaged, too: the one with events, the longer one */
    {"{x,\"a\":{\"traceEvents\":[1,2]},\"traceEvents\":[^x," EVENT "]}", true,
     true},
    {"{x,\"traceEvents\":[^{\"a\":}," EVENT "]}", true, true},
    {"{x,\"a\":{\"traceEvents\":[" EVENT "]},\"traceEvents\":[^" EVENT "," EVENT
     "],\"b\":x}",
     true, true},
    {"{x,\"traceEvents\":[^" EVENT "," EVENT "],\"b\":{\"traceEvents\":[" EVENT
     "]},\"c\":x}",
     true, true},
    {"{x,\"traceEvents\":[^NaN,", false, true},
    {"{x,\"traceEvents\":[^{\"ph\":\"X\",\"a\":NaN,\"b\":\"\\q\"}],\"c\":inf}",
     true, true},
    /* without a name */
    {"\x01\x02\x03,^" EVENT "," EVENT "]}", true, false},
    {"x [^" EVENT "]", true, false},
    {"{\"a\":[{\"ph\":7},{\"ph\":\"long\"},{\"ph\":\"X\"]}", true, false},
    {"x^" EVENT ",{\"args\":{\"s\":\"traceEvents [\"}}," EVENT "]}", true,
     false},
};

static void test_the_array_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *mark = strchr(rows[i].text, '^');
        size_t before = mark ? (size_t)(mark - rows[i].text) : 0;
        size_t len = strlen(rows[i].text) - (mark ? 1 : 0);
        char *text = malloc(len + 1); /* of just its size, but for 0 */
        struct tt_search_found found = {SIZE_MAX, false};
        enum t2t_status st;

        assert_non_null(text);
        if (mark)
            memcpy(text, rows[i].text, before);
        memcpy(text + before, rows[i].text + before + (mark ? 1 : 0),
               len - before);
        st = tt_search_array(text, len, rows[i].all, &found);
        if (st != (mark ? T2T_OK : T2T_END) || (mark && found.at != before))
            fail_msg("%s: %d, %zu", rows[i].text, (int)st, found.at);
        if (mark)
            assert_int_equal(found.named, rows[i].named);
        free(text);
    }
}

/* Text that is all names, or all braces, is read a bounded number of times. */
static void test_no_text_takes_long(void **state)
{
    static const char *const pieces[] = {
        "\"traceEvents\":[],",
        "traceEvents[{\"",
        "traceEvents:{\"ph\":\"X\"",
        "{\"",
        "{\"a\":",
        "traceEvents[" EVENT "],",
        "\\u0074\\u0072",
        "[{\"ph\":\"X\",\"",
    };
    const size_t cap = (size_t)1 << 20;
    char *text = malloc(cap);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        size_t len = strlen(pieces[i]);
        struct tt_search_found found;

        for (size_t n = 0; n + len <= cap; n += len)
            memcpy(text + n, pieces[i], len);
        for (int all = 0; all < 2; all++)
            (void)tt_search_array(text, cap / len * len, all, &found);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_array_is_found),
        cmocka_unit_test(test_no_text_takes_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
