/* test_walk.c - decode/walk.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/walk.h"
#include "json/scan.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* A walk over text in memory of just its size. */
struct subject {
    char *text;
    struct tt_tokens tokens;
    struct tt_walk walk;
};

static void start(struct subject *s, const char *text, size_t len)
{
    *s = (struct subject){.text = malloc(len ? len : 1)};
    assert_non_null(s->text);
    memcpy(s->text, text, len);
    assert_true(tt_tokens_parse(&s->tokens, s->text, len));
    s->walk = (struct tt_walk){.text = s->text,
                               .len = len,
                               .token = s->tokens.token,
                               .count = s->tokens.count};
}

static void stop(struct subject *s)
{
    tt_tokens_release(&s->tokens);
    tt_buffer_release(&s->walk.open);
    free(s->text);
}

static const struct {
    const char *text;
    enum tt_value_type type;
    const char *value;
    bool compact; /* of a container; of a string: plain */
} values[] = {
    {"0", TT_VALUE_NUMBER, "0", false},
    {"-1.5e+3", TT_VALUE_NUMBER, "-1.5e+3", false},
    {"true", TT_VALUE_LITERAL, "true", false},
    {"false", TT_VALUE_LITERAL, "false", false},
    {" \t\r\nnull", TT_VALUE_LITERAL, "null", false},
    {"\"\"", TT_VALUE_STRING, "", true},
    {"\"a { b\"", TT_VALUE_STRING, "a { b", true},
    {"\"\xc3\xa9\"", TT_VALUE_STRING, "\xc3\xa9", true},
    {"\"\\\"\\u00e9\"", TT_VALUE_STRING, "\\\"\\u00e9", false},
    {"[]", TT_VALUE_CONTAINER, "[]", true},
    {"{}", TT_VALUE_CONTAINER, "{}", true},
    {" [1,-2.5,\"x\",true,null,{}]", TT_VALUE_CONTAINER,
     "[1,-2.5,\"x\",true,null,{}]", true},
    {"{\"a\":{\"b\":[[],[[0]]]},\"a\":\"\xc3\xa9\"}", TT_VALUE_CONTAINER,
     "{\"a\":{\"b\":[[],[[0]]]},\"a\":\"\xc3\xa9\"}", true},
    {"[ ]", TT_VALUE_CONTAINER, "[ ]", false},
    {"{ }", TT_VALUE_CONTAINER, "{ }", false},
    {"[1, 2]", TT_VALUE_CONTAINER, "[1, 2]", false},
    {"[1 ,2]", TT_VALUE_CONTAINER, "[1 ,2]", false},
    {"[1\n]", TT_VALUE_CONTAINER, "[1\n]", false},
    {"[[\t1]]", TT_VALUE_CONTAINER, "[[\t1]]", false},
    {"{\"a\" :1}", TT_VALUE_CONTAINER, "{\"a\" :1}", false},
    {"{\"a\":\r1}", TT_VALUE_CONTAINER, "{\"a\":\r1}", false},
    {"{ \"a\":1}", TT_VALUE_CONTAINER, "{ \"a\":1}", false},
    {"[\"\\/\"]", TT_VALUE_CONTAINER, "[\"\\/\"]", false},
    {"{\"\\u0061\":1}", TT_VALUE_CONTAINER, "{\"\\u0061\":1}", false},
};

static void test_a_value_is_told_by_kind_and_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        size_t len = strlen(values[i].text);
        size_t behind = 0;
        struct subject s;
        struct tt_value v;

        start(&s, values[i].text, len);
        assert_true(tt_walk_value(&s.walk, &v));
        assert_int_equal(v.type, values[i].type);
        assert_int_equal(v.len, strlen(values[i].value));
        assert_memory_equal(v.ptr, values[i].value, v.len);
        if (v.type == TT_VALUE_STRING) {
            behind = 1; /* its quote */
            assert_int_equal(v.kind, values[i].compact ? TT_TEXT_PLAIN
                                                       : TT_TEXT_ESCAPED);
        }
        if (v.type == TT_VALUE_CONTAINER)
            assert_int_equal(v.compact, values[i].compact);
        assert_ptr_equal(v.ptr + v.len + behind, s.text + s.walk.at);
        assert_int_equal(s.walk.at, len);
        assert_int_equal(s.walk.next, s.walk.count);
        stop(&s);
    }
}

static void test_what_follows_a_value_is_left(void **state)
{
    struct subject s;
    struct tt_value v;

    (void)state;
    start(&s, "[ 1 ] , \"a\" :  2\t,null", 22);
    assert_true(tt_walk_value(&s.walk, &v));
    assert_int_equal(s.walk.at, 5);
    assert_false(tt_walk_take(&s.walk, ':'));
    assert_true(tt_walk_take(&s.walk, ','));
    assert_int_equal(tt_walk_peek(&s.walk), '"');
    assert_true(tt_walk_string(&s.walk, &v));
    assert_int_equal(s.walk.at, 11);
    assert_true(tt_walk_take(&s.walk, ':'));
    assert_true(tt_walk_value(&s.walk, &v));
    assert_true(tt_walk_take(&s.walk, ','));
    assert_true(tt_walk_value(&s.walk, &v));
    assert_int_equal(tt_walk_peek(&s.walk), '\0');
    assert_false(tt_walk_take(&s.walk, ','));
    assert_false(tt_walk_value(&s.walk, &v));
    stop(&s);
}

static void test_an_object_can_be_walked_by_its_members(void **state)
{
    struct subject s;
    struct tt_value v;

    (void)state;
    start(&s, " { \"a\":1}", 9);
    assert_int_equal(tt_walk_peek(&s.walk), '{');
    assert_true(tt_walk_open(&s.walk));
    assert_false(tt_walk_open(&s.walk)); /* no bracket, nor a token, is here */
    assert_int_equal(tt_walk_peek(&s.walk), '"');
    assert_true(tt_walk_string(&s.walk, &v));
    assert_true(tt_walk_take(&s.walk, ':'));
    assert_false(tt_walk_string(&s.walk, &v));
    assert_true(tt_walk_value(&s.walk, &v));
    assert_true(tt_walk_take(&s.walk, '}'));
    stop(&s);
}

static const char *const no_values[] = {
    "",
    " ",
    ",",
    ":",
    "]",
    "}",
    "tru",
    "truex",
    "True",
    "nul",
    "nan",
    "+1",
    ".5",
    "'a'",
    "a",
    "\"",
    "\"abc",
    "\"a\\\"",
    "\"\\x\"",
    "\"\\u12g4\"",
    "\"a\nb\"",
    "\"\x80\"",
    "\"\xed\xa0\x80\"",
    "[",
    "[1",
    "[1,",
    "[[1]",
    "[1 2]",
    "[1,]",
    "[,1]",
    "[,]",
    "[1,,2]",
    "[1:2]",
    "[1}",
    "[01]",
    "[-]",
    "[1.]",
    "[1e]",
    "[.5]",
    "[1-2]",
    "[tru]",
    "[\"a\" \"b\"]",
    "[\"a\":1]",
    "[\"\\x\"]",
    "[\"\x1f\"]",
    "[\"\xff\"]",
    "[1\v]",
    "[\xc2\xa0]",
    "{",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "{\"a\":1,",
    "{\"a\":1]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\" 1}",
    "{\"a\",\"b\"}",
    "{\"a\":1,}",
    "{\"a\":1,,\"b\":2}",
    "{,\"a\":1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1:2}",
    "{\"a\"::1}",
    "{\"a\":1,\"b\"}",
    "{a:1}",
    "{1:2}",
    "{null:1}",
    "{[]:1}",
    "{{}:1}",
    "{\"\\x\":1}",
    "{\"a\":01}",
    "{\"a\":[}]",
    "{\"a\":{]}",
};

static void test_what_is_no_json_is_no_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(no_values); i++) {
        struct subject s;
        struct tt_value v;

        start(&s, no_values[i], strlen(no_values[i]));
        assert_false(tt_walk_value(&s.walk, &v));
        assert_true(s.walk.at <= s.walk.len);
        stop(&s);
    }
}

static void test_a_zero_byte_is_no_white_space(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } table[] = {
        {"\0", 1}, {"\0001", 2}, {"[\0]", 3}, {"[1\0]", 4}, {"[1,\0002]", 6},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct subject s;
        struct tt_value v;

        start(&s, table[i].text, table[i].len);
        assert_false(tt_walk_value(&s.walk, &v));
        stop(&s);
    }
}

static void test_a_cut_value_is_none(void **state)
{
    static const char text[] = "{\"a\\u00e9\xc3\xa9\": [true, -1.5e+3, {}]}";

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++) {
        struct subject s;
        struct tt_value v;

        start(&s, text, len);
        assert_int_equal(tt_walk_value(&s.walk, &v), len == sizeof(text) - 1);
        stop(&s);
    }
}

static void test_nesting_needs_no_recursion(void **state)
{
    enum { DEEP = 2000 };
    char text[2 * DEEP];
    struct subject s;
    struct tt_value v;

    (void)state;
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    start(&s, text, sizeof(text));
    assert_true(tt_walk_value(&s.walk, &v));
    assert_int_equal(v.len, sizeof(text));
    stop(&s);
    start(&s, text, sizeof(text) - 1);
    assert_false(tt_walk_value(&s.walk, &v));
    stop(&s);
}

static void test_levels_are_counted_with_those_around_the_value(void **state)
{
    size_t most = TT_SCAN_MAX_DEPTH;
    char *text = malloc(2 * most);
    struct tt_value v;

    (void)state;
    assert_non_null(text);
    for (unsigned depth = 0; depth < 3; depth++) {
        for (size_t levels = most - 3; levels <= most; levels++) {
            struct subject s;

            memset(text, '[', levels);
            memset(text + levels, ']', levels);
            start(&s, text, 2 * levels);
            s.walk.depth = depth;
            assert_int_equal(tt_walk_value(&s.walk, &v),
                             levels + depth <= most);
            stop(&s);
        }
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_value_is_told_by_kind_and_text),
        cmocka_unit_test(test_what_follows_a_value_is_left),
        cmocka_unit_test(test_an_object_can_be_walked_by_its_members),
        cmocka_unit_test(test_what_is_no_json_is_no_value),
        cmocka_unit_test(test_a_zero_byte_is_no_white_space),
        cmocka_unit_test(test_a_cut_value_is_none),
        cmocka_unit_test(test_nesting_needs_no_recursion),
        cmocka_unit_test(test_levels_are_counted_with_those_around_the_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
