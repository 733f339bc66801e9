/* test_text.c - json/text.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/text.h>

#include "json/text.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Text with its length: it may hold zeros. */
struct piece {
    const char *ptr;
    size_t len;
};

#define PIECE(text)                                                            \
    {                                                                          \
        (text), sizeof(text) - 1                                               \
    }

/* ---- looking ------------------------------------------------------------- */

static const struct piece plain[] = {
    PIECE(""),
    PIECE(" "),
    PIECE("/"),
    PIECE("~\x7f"),
    PIECE("aten::add"),
    PIECE("\xc2\x80"),
    PIECE("\xdf\xbf"),
    PIECE("\xe0\xa0\x80"),
    PIECE("\xed\x9f\xbf"),
    PIECE("\xee\x80\x80"),
    PIECE("\xef\xbf\xbf"),
    PIECE("\xf0\x90\x80\x80"),
    PIECE("\xf4\x8f\xbf\xbf"),
    PIECE("\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb3"),
};

static const struct piece escaped[] = {
    PIECE("\\\""),
    PIECE("\\\\"),
    PIECE("\\/"),
    PIECE("\\b"),
    PIECE("\\f\\n\\r\\t"),
    PIECE("\\u0000"),
    PIECE("\\uabCD"),
    PIECE("\\ud83c\\udf33"),
    PIECE("\\ud83c"),
    PIECE("\\udf33"),
    PIECE("\\\\u"),
    PIECE("\\\\x"),
    PIECE("\xc3\xa9\\n\xc3\xa9"),
};

static const struct piece bad[] = {
    PIECE("\0"),
    PIECE("\x01"),
    PIECE("\n"),
    PIECE("\x1f"),
    PIECE("\\"),
    PIECE("\\\\\\"),
    PIECE("\\x"),
    PIECE("\\\0"),
    PIECE("\\U0041"),
    PIECE("\\u"),
    PIECE("\\u004"),
    PIECE("\\u00g0"),
    PIECE("\\u-001"),
    PIECE("\\u+041"),
    PIECE("\x80"),
    PIECE("\xbf"),
    PIECE("\xc0\x80"),
    PIECE("\xc1\xbf"),
    PIECE("\xc3"),
    PIECE("\xc3("),
    PIECE("\xe0\x80\x80"),
    PIECE("\xe0\x9f\xbf"),
    PIECE("\xe2\x82"),
    PIECE("\xe2\x82("),
    PIECE("\xed\xa0\x80"),
    PIECE("\xed\xbf\xbf"),
    PIECE("\xf0\x80\x80\x80"),
    PIECE("\xf0\x8f\xbf\xbf"),
    PIECE("\xf0\x9f\x8c"),
    PIECE("\xf4\x90\x80\x80"),
    PIECE("\xf5\x80\x80\x80"),
    PIECE("\xff"),
    PIECE("\xc3\xa9\xa9"),
};

/* Looks at text of just its size: a sanitizer sees a read past its end. */
static enum tt_text_kind look(const char *ptr, size_t len)
{
    char *copy = malloc(len ? len : 1);
    enum tt_text_kind kind;

    assert_non_null(copy);
    memcpy(copy, ptr, len);
    kind = tt_text_look(copy, len);
    free(copy);
    return kind;
}

/* A glance at the first `len` bytes of some text, also from memory of `room`.
 */
static bool glance(const char *ptr, size_t len, size_t room)
{
    char *copy = malloc(room ? room : 1);
    bool is_plain;

    assert_non_null(copy);
    memset(copy, '\\', room); /* what is behind does not matter */
    memcpy(copy, ptr, len);
    is_plain = tt_text_is_plain(copy, len, room);
    free(copy);
    return is_plain;
}

/* Looks at a piece with up to 17 letters before and behind it. */
static void assert_kind(struct piece p, enum tt_text_kind kind)
{
    char text[64];

    for (size_t before = 0; before < 18; before++) {
        for (size_t after = 0; after < 18; after++) {
            size_t len = before + p.len + after;

            memset(text, 'x', sizeof(text));
            memcpy(text + before, p.ptr, p.len);
            assert_int_equal(look(text, len), kind);
            if (kind == TT_TEXT_PLAIN)
                continue;
            for (size_t room = len; room < len + 10; room++)
                assert_false(glance(text, len, room));
        }
    }
}

static void test_text_is_plain_escaped_or_bad_wherever_it_stands(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(plain); i++)
        assert_kind(plain[i], TT_TEXT_PLAIN);
    for (size_t i = 0; i < COUNT(escaped); i++)
        assert_kind(escaped[i], TT_TEXT_ESCAPED);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_kind(bad[i], TT_TEXT_BAD);
}

static void test_what_is_bad_stays_bad_behind_an_escape(void **state)
{
    char text[64] = "\\n\\u0041";

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        memcpy(text + 8, bad[i].ptr, bad[i].len);
        assert_int_equal(look(text, 8 + bad[i].len), TT_TEXT_BAD);
    }
}

static void test_ascii_is_seen_to_be_plain_at_a_glance(void **state)
{
    static const char text[] = "~ aten::add<float>/\"\x7f ABCDEFGHIJKLMNOPQRST";

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++) {
        for (size_t room = len; room < len + 8; room++)
            (void)glance(text, len, room); /* it reads no further */
        for (size_t room = len + 8; room < len + 16; room++)
            assert_true(glance(text, len, room));
    }
}

/* ---- what a string says -------------------------------------------------- */

static const struct {
    struct piece inside;
    struct piece says;
} strings[] = {
    {PIECE(""), PIECE("")},
    {PIECE("plain \xc3\xa9"), PIECE("plain \xc3\xa9")},
    {PIECE("\\\"\\\\\\/"), PIECE("\"\\/")},
    {PIECE("\\b\\f\\n\\r\\t"), PIECE("\b\f\n\r\t")},
    {PIECE("a\\u0000b"), PIECE("a\0b")},
    {PIECE("\\u0041\\u007f"), PIECE("A\x7f")},
    {PIECE("\\u0080\\u07ff"), PIECE("\xc2\x80\xdf\xbf")},
    {PIECE("\\u0800\\uffff"), PIECE("\xe0\xa0\x80\xef\xbf\xbf")},
    {PIECE("\\uD83C\\udf33"), PIECE("\xf0\x9f\x8c\xb3")},
    {PIECE("\\ud800\\udc00"), PIECE("\xf0\x90\x80\x80")},
    {PIECE("\\udbff\\udfff"), PIECE("\xf4\x8f\xbf\xbf")},
    {PIECE("\\ud83c"), PIECE("\xed\xa0\xbc")},
    {PIECE("\\ud83cx"), PIECE("\xed\xa0\xbcx")},
    {PIECE("\\ud83c\\n"), PIECE("\xed\xa0\xbc\n")},
    {PIECE("\\ud83c\\u0041"), PIECE("\xed\xa0\xbc\x41")},
    {PIECE("\\udf33\\ud83c"), PIECE("\xed\xbc\xb3\xed\xa0\xbc")},
    {PIECE("\\ud83c\\ud83c\\udf33"), PIECE("\xed\xa0\xbc\xf0\x9f\x8c\xb3")},
    {PIECE("\\\\u0041"), PIECE("\\u0041")},
};

static void assert_bytes(const struct tt_buffer *b, struct piece p)
{
    assert_false(b->failed);
    assert_int_equal(b->len, p.len);
    if (p.len)
        assert_memory_equal(b->ptr, p.ptr, p.len);
}

static void test_a_string_says_its_text_with_escapes_undone(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(strings); i++) {
        tt_buffer_clear(&b);
        tt_text_decode(strings[i].inside.ptr, strings[i].inside.len, &b);
        assert_bytes(&b, strings[i].says);
    }
    tt_buffer_release(&b);
}

static void test_text_is_appended(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    tt_text_decode("a\\n", 3, &b);
    tt_text_encode("\n", 1, &b);
    tt_text_compact("[ 1 ]", 5, &b);
    tt_text_compact_id("[ 2 ]", 5, &b);
    assert_bytes(&b, (struct piece)PIECE("a\n\\n[1][2]"));
    tt_buffer_release(&b);
}

static const struct {
    struct piece says;
    struct piece inside;
} encoded[] = {
    {PIECE(""), PIECE("")},
    {PIECE("a/\x7f\xc3\xa9"), PIECE("a/\x7f\xc3\xa9")},
    {PIECE("\"\\"), PIECE("\\\"\\\\")},
    {PIECE("\0\x01\x07"), PIECE("\\u0000\\u0001\\u0007")},
    {PIECE("\b\t\n\v\f\r\x0e"), PIECE("\\b\\t\\n\\u000b\\f\\r\\u000e")},
    {PIECE("\x1f "), PIECE("\\u001f ")},
    {PIECE("\xed\x9f\xbf"), PIECE("\xed\x9f\xbf")},
    {PIECE("\xed\xa0\x80"), PIECE("\\ud800")},
    {PIECE("\xed\xbf\xbf"), PIECE("\\udfff")},
    {PIECE("\xed\xbc\xb3\xed\xa0\xbc!"), PIECE("\\udf33\\ud83c!")},
    {PIECE("\xf0\x9f\x8c\xb3"), PIECE("\xf0\x9f\x8c\xb3")},
};

static void test_only_what_must_be_is_escaped(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(encoded); i++) {
        tt_buffer_clear(&b);
        tt_text_encode(encoded[i].says.ptr, encoded[i].says.len, &b);
        assert_bytes(&b, encoded[i].inside);
    }
    tt_buffer_release(&b);
}

static void test_every_unit_comes_back_from_its_escape(void **state)
{
    static const char hex[] = "0123456789abcdef";
    struct tt_buffer says = {0};
    struct tt_buffer inside = {0};
    struct tt_buffer again = {0};

    (void)state;
    for (unsigned unit = 0; unit < 0x10000; unit++) {
        char text[] = {'\\',
                       'u',
                       hex[unit >> 12],
                       hex[unit >> 8 & 15],
                       hex[unit >> 4 & 15],
                       hex[unit & 15]};

        tt_buffer_clear(&says);
        tt_buffer_clear(&inside);
        tt_buffer_clear(&again);
        tt_text_decode(text, sizeof(text), &says);
        tt_text_encode(says.ptr, says.len, &inside);
        tt_text_decode(inside.ptr, inside.len, &again);
        assert_bytes(&again, (struct piece){says.ptr, says.len});
        assert_int_not_equal(tt_text_look(inside.ptr, inside.len), TT_TEXT_BAD);
    }
    tt_buffer_release(&says);
    tt_buffer_release(&inside);
    tt_buffer_release(&again);
}

/* ---- compact JSON -------------------------------------------------------- */

static const struct {
    const char *json;
    const char *compact;
    const char *id; /* NULL: the same */
} compacts[] = {
    {"", "", NULL},
    {"{}", "{}", NULL},
    {" \t\r\n[ \t\r\n] \t\r\n", "[]", NULL},
    {"{ \"a b\" : [ 1 , -2.50e+3 ] }", "{\"a b\":[1,-2.50e+3]}", NULL},
    {"[true , false,null ]", "[true,false,null]", NULL},
    {"[\"a\\\\\", \"b\\\"\" ]", "[\"a\\\\\",\"b\\\"\"]", NULL},
    {"[\" \\\" , \\\" \"]", "[\" \\\" , \\\" \"]", NULL},
    {"\"\\u0041\\/\\u00e9\"", "\"A/\xc3\xa9\"", NULL},
    {"\"\\u0008\\u000a\\u001F\"", "\"\\b\\n\\u001f\"", NULL},
    {"\"\\ud83c\\udf33\"", "\"\xf0\x9f\x8c\xb3\"", NULL},
    {"{\"\\u0022\":\"\\u005c\"}", "{\"\\\"\":\"\\\\\"}", NULL},
    {"[\"\\uD83C\"]", "[\"\\ud83c\"]", "[\"\xed\xa0\xbc\"]"},
    {"[\"\\udf33\\ud83c\" ]", "[\"\\udf33\\ud83c\"]",
     "[\"\xed\xbc\xb3\xed\xa0\xbc\"]"},
};

static void test_json_becomes_compact(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(compacts); i++) {
        const char *id = compacts[i].id ? compacts[i].id : compacts[i].compact;

        tt_buffer_clear(&b);
        tt_text_compact(compacts[i].json, strlen(compacts[i].json), &b);
        assert_bytes(&b, (struct piece){compacts[i].compact,
                                        strlen(compacts[i].compact)});
        tt_buffer_clear(&b);
        tt_text_compact_id(compacts[i].json, strlen(compacts[i].json), &b);
        assert_bytes(&b, (struct piece){id, strlen(id)});
    }
    tt_buffer_release(&b);
}

static void test_compact_json_stays_as_it_is(void **state)
{
    struct tt_buffer b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(compacts); i++) {
        const char *compact = compacts[i].compact;

        tt_buffer_clear(&b);
        tt_text_compact(compact, strlen(compact), &b);
        assert_bytes(&b, (struct piece){compact, strlen(compact)});
    }
    tt_buffer_release(&b);
}

/* ---- trace2tree/text.h --------------------------------------------------- */

static void test_text_of_a_string_points_to_it(void **state)
{
    const char *string = "abc";

    (void)state;
    assert_ptr_equal(t2t_text_of(string).ptr, string);
    assert_int_equal(t2t_text_of(string).len, 3);
    assert_non_null(t2t_text_of("").ptr);
    assert_int_equal(t2t_text_of("").len, 0);
    assert_null(t2t_text_of(NULL).ptr);
    assert_int_equal(t2t_text_of(NULL).len, 0);
}

static void test_text_is_equal_byte_by_byte(void **state)
{
    static const struct t2t_text zero = {"a\0b", 3};
    static const struct t2t_text other = {"a\0c", 3};
    static const struct t2t_text none = {NULL, 0};

    (void)state;
    assert_true(t2t_text_equal(zero, zero));
    assert_false(t2t_text_equal(zero, other));
    assert_false(t2t_text_equal(zero, t2t_text_of("a")));
    assert_true(t2t_text_equal(t2t_text_of(""), t2t_text_of("")));
    assert_true(t2t_text_equal(none, none));
    assert_false(t2t_text_equal(none, t2t_text_of("")));
    assert_false(t2t_text_equal(t2t_text_of(""), none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_a_string_points_to_it),
        cmocka_unit_test(test_text_is_equal_byte_by_byte),
        cmocka_unit_test(test_text_is_plain_escaped_or_bad_wherever_it_stands),
        cmocka_unit_test(test_what_is_bad_stays_bad_behind_an_escape),
        cmocka_unit_test(test_ascii_is_seen_to_be_plain_at_a_glance),
        cmocka_unit_test(test_a_string_says_its_text_with_escapes_undone),
        cmocka_unit_test(test_text_is_appended),
        cmocka_unit_test(test_only_what_must_be_is_escaped),
        cmocka_unit_test(test_every_unit_comes_back_from_its_escape),
        cmocka_unit_test(test_json_becomes_compact),
        cmocka_unit_test(test_compact_json_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
