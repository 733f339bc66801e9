/* test_token.c - json/token.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/scan.h"
#include "json/token.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Kind and text of the tokens of `text`, such as "a[1] p1". */
static void describe(struct tt_tokens *t, const char *text, size_t len,
                     char *to, size_t cap)
{
    static const char kinds[] = {[JSMN_OBJECT] = 'o',
                                 [JSMN_ARRAY] = 'a',
                                 [JSMN_STRING] = 's',
                                 [JSMN_PRIMITIVE] = 'p'};

    to[0] = '\0';
    assert_true(tt_tokens_parse(t, text, len));
    for (unsigned i = 0; i < t->count; i++) {
        const jsmntok_t *k = &t->token[i];
        size_t used = strlen(to);
        int end = k->end < 0 ? k->start + 1 : k->end;

        (void)snprintf(to + used, cap - used, "%s%c%.*s", i ? " " : "",
                       kinds[k->type], end - k->start, text + k->start);
    }
}

static const struct {
    const char *text;
    const char *tokens;
} parsed[] = {
    {"", ""},
    {" ", ""},
    {"1", "p1"},
    {"true", "ptrue"},
    {"\"a b\"", "sa b"},
    {"\"\"", "s"},
    {"[]", "a[]"},
    {"{\"a\":[1,-2.5e3]}", "o{\"a\":[1,-2.5e3]} sa a[1,-2.5e3] p1 p-2.5e3"},
    {"1,\"x\",{}", "p1 sx o{}"},
    {"\"\\\"\\u00e9\"", "s\\\"\\u00e9"},
};

static void test_text_becomes_tokens(void **state)
{
    struct tt_tokens t = {0};
    char got[128];

    (void)state;
    for (size_t i = 0; i < COUNT(parsed); i++) {
        describe(&t, parsed[i].text, strlen(parsed[i].text), got, sizeof(got));
        assert_string_equal(got, parsed[i].tokens);
    }
    tt_tokens_release(&t);
    tt_tokens_release(&t);
}

/* Text that is refused or cut short, and what comes before that place. */
static const struct {
    const char *text;
    size_t len;
    const char *tokens;
} ended[] = {
    {"1,]2", 4, "p1"},
    {"1}2", 3, "p1"},
    {"[1,2", 4, "a[ p1 p2"},
    {"[1}2", 4, "a[ p1"},
    {"{\"a\":\"b", 7, "o{ sa"},
    {"\"a\",\"\\x\",2", 10, "sa"},
    {"\"a\",\"\\u00g0\"", 12, "sa"},
    {"\"a\",\"\\u00", 9, "sa"},
    {"\"a\",\"\\", 6, "sa"},
    {"1,\x01,2", 5, "p1"},
    {"1,\xc3\xa9,2", 6, "p1"},
    {"1,\0,2", 5, "p1"},
    {"1,\"a\0b\",2", 9, "p1"},
};

static void test_what_is_refused_ends_the_tokens(void **state)
{
    struct tt_tokens t = {0};
    char got[128];

    (void)state;
    for (size_t i = 0; i < COUNT(ended); i++) {
        char *copy = malloc(ended[i].len);

        assert_non_null(copy);
        memcpy(copy, ended[i].text, ended[i].len);
        describe(&t, copy, ended[i].len, got, sizeof(got));
        assert_string_equal(got, ended[i].tokens);
        free(copy);
    }
    tt_tokens_release(&t);
}

/* "[0,{"k":"v"},[],0,...": five tokens for each of `count`, and one more. */
static size_t write_many(char *to, size_t cap, unsigned count)
{
    size_t len = 0;

    to[len++] = '[';
    for (unsigned i = 0; i < count; i++)
        len += (size_t)snprintf(to + len, cap - len, "%s%u,{\"k\":\"v%u\"},[]",
                                i ? "," : "", i, i);
    to[len++] = ']';
    return len;
}

static void test_the_array_grows_for_any_count_of_tokens(void **state)
{
    const unsigned count = 40000;
    size_t cap = (size_t)count * 40;
    char *text = malloc(cap);
    struct tt_tokens t = {0};
    size_t len;

    (void)state;
    assert_non_null(text);
    len = write_many(text, cap, count);
    assert_true(tt_tokens_parse(&t, text, len));
    assert_int_equal(t.count, 1 + 5 * count);
    assert_int_equal(t.token[0].end, len);
    for (unsigned i = 0; i < count; i++) {
        const jsmntok_t *k = &t.token[1 + 5 * (size_t)i];
        char number[16];

        (void)snprintf(number, sizeof(number), "%u", i);
        assert_int_equal(k[0].type, JSMN_PRIMITIVE);
        assert_memory_equal(text + k[0].start, number, strlen(number));
        assert_int_equal(k[0].end - k[0].start, strlen(number));
        assert_int_equal(k[1].type, JSMN_OBJECT);
        assert_int_equal(k[2].type, JSMN_STRING);
        assert_memory_equal(text + k[3].start + 1, number, strlen(number));
        assert_int_equal(k[4].type, JSMN_ARRAY);
    }
    free(text);
    tt_tokens_release(&t);
}

static void test_the_array_is_used_again(void **state)
{
    struct tt_tokens t = {0};
    const jsmntok_t *token;

    (void)state;
    assert_true(tt_tokens_parse(&t, "[1,2,3]", 7));
    assert_int_equal(t.count, 4);
    token = t.token;
    assert_true(tt_tokens_parse(&t, "{}", 2));
    assert_int_equal(t.count, 1);
    assert_ptr_equal(t.token, token);
    tt_tokens_release(&t);
}

static void test_text_that_is_too_long_is_refused_unread(void **state)
{
    struct tt_tokens t = {0};

    (void)state;
    assert_false(tt_tokens_parse(&t, "", TT_TOKENS_MAX_BYTES + 1));
    assert_false(tt_tokens_parse(&t, "", SIZE_MAX));
    tt_tokens_release(&t);
}

/* The text is given to jsmn in pieces: none may cut a number or a string. */
static void test_long_text_becomes_the_tokens_of_its_parts(void **state)
{
    enum { ITEMS = 20000 };
    size_t cap = (size_t)ITEMS * 32;
    char *text = malloc(cap);
    struct tt_tokens t = {0};
    size_t len = 1;

    (void)state;
    assert_non_null(text);
    text[0] = '[';
    for (unsigned i = 0; i < ITEMS; i++)
        len += (size_t)snprintf(text + len, cap - len, "%s%u,\"%0*u\"",
                                i ? "," : "", 100000 + i, (int)(i % 17) + 1, i);
    text[len++] = ']';
    assert_true(tt_tokens_parse(&t, text, len));
    assert_int_equal(t.count, 1 + 2 * ITEMS);
    for (unsigned i = 0; i < ITEMS; i++) {
        const jsmntok_t *number = &t.token[1 + 2 * i];

        assert_int_equal(number->end - number->start, 6);
        assert_int_equal(strtoul(text + number->start, NULL, 10), 100000 + i);
        assert_int_equal(number[1].type, JSMN_STRING);
    }
    free(text);
    tt_tokens_release(&t);
}

static void test_a_string_longer_than_any_piece_is_one_token(void **state)
{
    size_t len = 1000000;
    char *text = malloc(len);
    struct tt_tokens t = {0};

    (void)state;
    assert_non_null(text);
    memset(text, 'x', len);
    text[0] = text[len - 1] = '"';
    assert_true(tt_tokens_parse(&t, text, len));
    assert_int_equal(t.count, 1);
    assert_int_equal(t.token[0].end, len - 1);
    free(text);
    tt_tokens_release(&t);
}

static void test_text_that_is_too_deep_ends_the_tokens(void **state)
{
    size_t len = 1000000;
    char *text = malloc(2 * len);
    struct tt_tokens t = {0};

    (void)state;
    assert_non_null(text);
    memset(text, '[', len);
    memset(text + len, ']', len);
    assert_true(tt_tokens_parse(&t, text, 2 * len));
    assert_true(t.count > TT_SCAN_MAX_DEPTH);
    assert_true(t.count < 10 * TT_SCAN_MAX_DEPTH);
    free(text);
    tt_tokens_release(&t);
}

/* Brackets in strings and in words are none. */
static void test_only_what_is_a_bracket_makes_text_deep(void **state)
{
    static const struct {
        const char *before;
        const char *behind;
        unsigned tokens;
    } rows[] = {
        {"[\"", "\",1]", 3},
        {"[\"\\\"", "\",1]", 3},
        {"[x\"", ",1]", 3},
    };
    size_t len = 3 * TT_SCAN_MAX_DEPTH;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t before = strlen(rows[i].before);
        size_t behind = strlen(rows[i].behind);
        char *text = malloc(before + len + behind);
        struct tt_tokens t = {0};

        assert_non_null(text);
        memcpy(text, rows[i].before, before);
        memset(text + before, '[', len);
        memcpy(text + before + len, rows[i].behind, behind);
        assert_true(tt_tokens_parse(&t, text, before + len + behind));
        assert_int_equal(t.count, rows[i].tokens);
        free(text);
        tt_tokens_release(&t);
    }
}

/* A list that is open is long: no step may go back over all of it.  The one
 * with as many values as may be, itself counted, has its end; another value
 * ends the tokens. */
static void test_a_long_list_comes_bit_by_bit(void **state)
{
    size_t len = 2 * (size_t)TT_SCAN_MAX_VALUES;
    char *text = malloc(len + 3);
    struct tt_tokens t = {0};

    (void)state;
    assert_non_null(text);
    for (int more = 0; more < 2; more++) {
        size_t bytes = more ? len : len - 2;

        for (size_t i = 0; i < bytes; i += 2)
            memcpy(text + i, ",1", 2);
        text[0] = '[';
        memcpy(text + bytes, "],2", 3);
        assert_true(tt_tokens_begin(&t, text, bytes + 3, 1024));
        while (!t.over)
            assert_true(tt_tokens_more(&t));
        assert_int_equal(t.count, TT_SCAN_MAX_VALUES);
        assert_int_equal(t.token[0].end, more ? -1 : (int)bytes + 1);
    }
    assert_int_equal(t.cap, TT_SCAN_MAX_VALUES);
    free(text);
    tt_tokens_release(&t);
}

static void test_tokens_come_bit_by_bit(void **state)
{
    const char *text = "{\"a\":[1,2,3],\"b\":\"c d e f g h i j\"},{\"k\":123}";
    size_t len = strlen(text);
    struct tt_tokens t = {0};
    struct tt_tokens all = {0};
    unsigned before = 0;

    (void)state;
    assert_true(tt_tokens_parse(&all, text, len));
    for (size_t step = 1; step < len; step++) {
        assert_true(tt_tokens_begin(&t, text, len, step));
        for (before = 0; !t.over; before = t.count) {
            assert_true(tt_tokens_more(&t));
            assert_true(t.count >= before);
        }
        assert_true(tt_tokens_more(&t));
        assert_int_equal(t.count, all.count);
        for (unsigned i = 0; i < t.count; i++) {
            assert_int_equal(t.token[i].start, all.token[i].start);
            assert_int_equal(t.token[i].end, all.token[i].end);
        }
    }
    assert_true(tt_tokens_begin(&t, text, 0, 1));
    assert_true(t.over);
    assert_true(tt_tokens_begin(&t, text, len, 4));
    assert_true(tt_tokens_more(&t));
    assert_int_equal(t.token[0].end, -1);
    tt_tokens_release(&t);
    tt_tokens_release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_becomes_tokens),
        cmocka_unit_test(test_what_is_refused_ends_the_tokens),
        cmocka_unit_test(test_the_array_grows_for_any_count_of_tokens),
        cmocka_unit_test(test_the_array_is_used_again),
        cmocka_unit_test(test_text_that_is_too_long_is_refused_unread),
        cmocka_unit_test(test_long_text_becomes_the_tokens_of_its_parts),
        cmocka_unit_test(test_a_string_longer_than_any_piece_is_one_token),
        cmocka_unit_test(test_text_that_is_too_deep_ends_the_tokens),
        cmocka_unit_test(test_only_what_is_a_bracket_makes_text_deep),
        cmocka_unit_test(test_a_long_list_comes_bit_by_bit),
        cmocka_unit_test(test_tokens_come_bit_by_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
