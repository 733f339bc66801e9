/* test_argument.c - cursor.h: fields, and arguments as values */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/reader.h"

#define NAME "test_argument"

static const char trace[] =
    "["
    /* 0 */ "{\"ph\":\"i\",\"args\":{"
    "\"int\":12,\"negative\":-7,\"point\":12.0,\"exponent\":1.2e1,"
    "\"text\":\"12\",\"text point\":\"12.0\",\"half\":12.5,\"text half\":"
    "\"0.5\",\"true\":true,\"false\":false,\"null\":null,"
    "\"max\":9223372036854775807,\"past\":9223372036854775808,"
    "\"unsigned\":18446744073709551615,\"huge\":1e400,\"tiny\":1e-400,"
    "\"tenth\":0.1,\"word\":\"twelve\",\"empty\":\"\",\"space\":\" 12\","
    "\"zero\":\"012\",\"list\":[12],\"object\":{\"int\":12},\"quoted\":"
    "\"a\\n\\\"b\\\" \\u00e4\\ud83d\\ude00\\/\\u0000\",\"half pair\":"
    "\"\\ud800\",\"int twice\":1,\"int twice\":2,\"t\\u0061b\\t\":3}},"
    /* 1 */ "{\"ph\":\"s\",\"id\":7,\"pid\":1,\"tid\":2,\"ts\":1.5,\"name\":"
    "\"a\\u00e4\",\"cat\":\"ac2g\",\"bp\":\"e\",\"args\":{\"in\":1},\"id\":"
    "\"8\",\"k\\n\":{\"deep\":[1,{\"id\":9}]}},"
    /* 2 */ "{},"
    /* 3 */ "[{\"ph\":1}],"
    /* 4 */ "17,"
    /* 5 */ "{\"args\":5,\"ph\":\"i\"}"
    "]";

struct open_cursor {
    t2t_index *index;
    t2t_cursor *cursor;
};

static struct open_cursor begin(void)
{
    struct open_cursor o = {make_index(NAME, trace), NULL};

    assert_int_equal(t2t_cursor_open(&o.cursor, o.index, NULL), T2T_OK);
    return o;
}

static void end(struct open_cursor *o)
{
    t2t_cursor_close(o->cursor);
    remove_index(NAME, o->index);
}

/* An argument of element 0 as each kind of value; only what is. */
static const struct {
    const char *key;
    enum t2t_status integer;
    int64_t integer_value;
    enum t2t_status real;
    double real_value;
} numbers[] = {
    {"int", T2T_OK, 12, T2T_OK, 12},
    {"negative", T2T_OK, -7, T2T_OK, -7},
    {"point", T2T_OK, 12, T2T_OK, 12},
    {"exponent", T2T_OK, 12, T2T_OK, 12},
    {"text", T2T_OK, 12, T2T_OK, 12},
    {"text point", T2T_OK, 12, T2T_OK, 12},
    {"half", T2T_OTHER_TYPE, 0, T2T_OK, 12.5},
    {"text half", T2T_OTHER_TYPE, 0, T2T_OK, 0.5},
    {"true", T2T_OK, 1, T2T_OK, 1},
    {"false", T2T_OK, 0, T2T_OK, 0},
    {"null", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"max", T2T_OK, INT64_MAX, T2T_OK, 0x1p63},
    {"past", T2T_OTHER_TYPE, 0, T2T_OK, 0x1p63},
    {"unsigned", T2T_OTHER_TYPE, 0, T2T_OK, 0x1p64},
    {"huge", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"tiny", T2T_OTHER_TYPE, 0, T2T_OK, 0},
    {"tenth", T2T_OTHER_TYPE, 0, T2T_OK, 0.1},
    {"word", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"empty", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"space", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"zero", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"list", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"object", T2T_OTHER_TYPE, 0, T2T_OTHER_TYPE, 0},
    {"int twice", T2T_OK, 2, T2T_OK, 2},
    {"tab\t", T2T_OK, 3, T2T_OK, 3},
    {"missing", T2T_NOT_FOUND, 0, T2T_NOT_FOUND, 0},
    {"args", T2T_NOT_FOUND, 0, T2T_NOT_FOUND, 0},
};

static void test_an_argument_is_a_number(void **state)
{
    struct open_cursor o = begin();

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct t2t_error err = {.code = T2T_OK};
        int64_t integer = -99;
        double real = -99;

        assert_int_equal(t2t_cursor_integer(o.cursor, 0, numbers[i].key,
                                            &integer, &err),
                         numbers[i].integer);
        assert_int_equal(integer,
                         numbers[i].integer ? -99 : numbers[i].integer_value);
        assert_int_equal(t2t_cursor_real(o.cursor, 0, numbers[i].key, &real,
                                         &err),
                         numbers[i].real);
        assert_true(real == (numbers[i].real ? -99 : numbers[i].real_value));
        assert_int_equal(err.code, T2T_OK); /* an answer is no error */
    }
    end(&o);
}

static void test_an_argument_is_a_string(void **state)
{
    static const char quoted[] = "a\n\"b\" \xc3\xa4\xf0\x9f\x98\x80/";
    static const char *const others[] = {"int",  "half", "true",  "null",
                                         "list", "past", "object"};
    struct open_cursor o = begin();
    struct t2t_text text;

    (void)state;
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "word", &text, NULL),
                     T2T_OK);
    assert_text(text, "twelve");
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "text", &text, NULL),
                     T2T_OK);
    assert_text(text, "12");
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "empty", &text, NULL),
                     T2T_OK);
    assert_text(text, "");
    /* the zero at the end is part of it */
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "quoted", &text, NULL),
                     T2T_OK);
    assert_int_equal(text.len, sizeof(quoted));
    assert_memory_equal(text.ptr, quoted, sizeof(quoted));
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "half pair", &text, NULL),
                     T2T_OK);
    assert_text(text, "\xed\xa0\x80");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_int_equal(t2t_cursor_string(o.cursor, 0, others[i], &text, NULL),
                         T2T_OTHER_TYPE);
    assert_int_equal(t2t_cursor_string(o.cursor, 0, "missing", &text, NULL),
                     T2T_NOT_FOUND);
    end(&o);
}

static void test_a_json_value_is_a_number_or_none(void **state)
{
    static const struct t2t_text none = {NULL, 0};
    int64_t integer = -99;
    double real = -99;

    (void)state;
    assert_int_equal(t2t_json_integer(t2t_text_of("\"-5\""), &integer), T2T_OK);
    assert_int_equal(integer, -5);
    assert_int_equal(t2t_json_integer(t2t_text_of("\""), &integer),
                     T2T_OTHER_TYPE);
    assert_int_equal(t2t_json_integer(t2t_text_of("\"5"), &integer),
                     T2T_OTHER_TYPE);
    assert_int_equal(t2t_json_integer(t2t_text_of("\"true\""), &integer),
                     T2T_OTHER_TYPE);
    assert_int_equal(t2t_json_integer(none, &integer), T2T_OTHER_TYPE);
    assert_int_equal(t2t_json_real(none, &real), T2T_OTHER_TYPE);
    assert_int_equal(integer, -5);
    assert_true(real == -99);
}

static void test_a_field_is_found_by_its_key(void **state)
{
    static const struct {
        t2t_id id;
        const char *key;
        const char *json; /* NULL: there is none */
    } found[] = {
        {1, "id", "\"8\""}, /* the last counts */
        {1, "ph", "\"s\""},
        {1, "bp", "\"e\""},
        {1, "ts", "1.5"},
        {1, "pid", "1"},
        {1, "name", "\"a\xc3\xa4\""},
        {1, "args", "{\"in\":1}"},
        {1, "k\n", "{\"deep\":[1,{\"id\":9}]}"},
        {1, "in", NULL},
        {1, "deep", NULL},
        {1, "dur", NULL},
        {2, "ph", NULL},
        {3, "ph", NULL},
        {4, "ph", NULL},
        {5, "args", "5"},
        {6, "ph", NULL},
    };
    struct open_cursor o = begin();

    (void)state;
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
        struct t2t_text json;
        enum t2t_status st =
            t2t_cursor_field(o.cursor, found[i].id, found[i].key, &json, NULL);

        assert_int_equal(st, found[i].json ? T2T_OK : T2T_NOT_FOUND);
        if (!st)
            assert_text(json, found[i].json);
    }
    end(&o);
}

static void test_fields_are_listed_in_any_order(void **state)
{
    static const char *const keys[] = {"\"ph\"",  "\"id\"",  "\"pid\"",
                                       "\"tid\"", "\"ts\"",  "\"name\"",
                                       "\"cat\"", "\"bp\"",  "\"args\"",
                                       "\"id\"",  "\"k\\n\""};
    static const uint32_t order[] = {0, 1, 2, 10, 9, 8, 3, 4, 5, 6, 7, 0, 0};
    struct open_cursor o = begin();
    struct t2t_text key;
    struct t2t_text json;

    (void)state;
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        assert_int_equal(t2t_cursor_field_at(o.cursor, 1, order[i], &key, &json,
                                             NULL),
                         T2T_OK);
        assert_text(key, keys[order[i]]);
        /* arguments have a place of their own */
        assert_int_equal(t2t_cursor_argument_at(o.cursor, 1, 0, &key, &json,
                                                NULL),
                         T2T_OK);
        assert_text(key, "\"in\"");
    }
    assert_int_equal(t2t_cursor_field_at(o.cursor, 1, 1, &key, &json, NULL),
                     T2T_OK);
    assert_text(json, "7");
    assert_int_equal(t2t_cursor_field_at(o.cursor, 1, 9, &key, &json, NULL),
                     T2T_OK);
    assert_text(json, "\"8\"");
    assert_int_equal(t2t_cursor_field_at(o.cursor, 1, 11, &key, &json, NULL),
                     T2T_NOT_FOUND);
    for (t2t_id id = 2; id < 5; id++)
        assert_int_equal(t2t_cursor_field_at(o.cursor, id, 0, &key, &json,
                                             NULL),
                         T2T_NOT_FOUND);
    assert_int_equal(t2t_cursor_field_at(o.cursor, 6, 0, &key, &json, NULL),
                     T2T_NOT_FOUND);
    end(&o);
}

/* Whatever byte of the strings is changed, asking ends and stays in bounds. */
static void test_damaged_strings_are_told_or_harmless(void **state)
{
    static const unsigned char bytes[] = {'"', '\\', 0, 0xed, '{', 'u'};
    struct open_cursor o = begin();
    const struct tt_section *s = o.index->section[TT_SECTION_STRING_BYTES];
    FILE *f = fopen(NAME ".t2t", "r+b");
    size_t told = 0;

    (void)state;
    assert_non_null(f);
    for (uint64_t i = 0; i < s->bytes; i++) {
        int old = (unsigned char)o.index->shapes.strings.bytes[i];

        for (size_t b = 0; b < sizeof(bytes); b++) {
            struct t2t_text text;
            struct t2t_text key;
            t2t_cursor *cursor;

            assert_int_equal(fseek(f, (long)(s->offset + i), SEEK_SET), 0);
            assert_int_equal(fputc(bytes[b], f), bytes[b]);
            assert_int_equal(fflush(f), 0);
            assert_int_equal(t2t_cursor_open(&cursor, o.index, NULL), T2T_OK);
            told += t2t_cursor_string(cursor, 0, "quoted", &text, NULL) < 0;
            for (uint32_t n = 0; n < 40; n++)
                told +=
                    t2t_cursor_field_at(cursor, 1, n, &key, &text, NULL) < 0;
            t2t_cursor_close(cursor);
        }
        assert_int_equal(fseek(f, (long)(s->offset + i), SEEK_SET), 0);
        assert_int_equal(fputc(old, f), old);
    }
    assert_int_equal(fclose(f), 0);
    assert_true(told > 0);
    assert_int_equal(t2t_index_verify(o.index, NULL), T2T_OK);
    end(&o);
}

/* Texts that no writer writes, each of as many bytes as the one in the trace.
 */
static const struct {
    const char *text;
    enum t2t_status field[2];    /* asked for the first, the second */
    enum t2t_status argument[2]; /* likewise */
} no_members[] = {
    {"{1,2345678901}",
     {T2T_ERR_INDEX_DAMAGE, T2T_ERR_INDEX_DAMAGE},
     {T2T_NOT_FOUND, T2T_NOT_FOUND}},
    {"{\"a\",\"b\":3456}",
     {T2T_ERR_INDEX_DAMAGE, T2T_ERR_INDEX_DAMAGE},
     {T2T_NOT_FOUND, T2T_NOT_FOUND}},
    {"{\"a\":1,234567}",
     {T2T_OK, T2T_ERR_INDEX_DAMAGE},
     {T2T_NOT_FOUND, T2T_NOT_FOUND}},
    {"{\"args\":{1,2}}",
     {T2T_OK, T2T_NOT_FOUND},
     {T2T_ERR_INDEX_DAMAGE, T2T_ERR_INDEX_DAMAGE}},
    {"{\"args\":{}   }",
     {T2T_OK, T2T_NOT_FOUND},
     {T2T_NOT_FOUND, T2T_NOT_FOUND}},
};

static void test_what_is_no_member_is_damage(void **state)
{
    static const char source[] = "\"123456789012\"";
    t2t_index *index = make_index(NAME "_lies", "[\"123456789012\"]");
    const struct tt_strings *s = &index->shapes.strings;
    const char *found = memmem(s->bytes, s->byte_count, source, 14);
    FILE *f = fopen(NAME "_lies.t2t", "r+b");

    (void)state;
    assert_non_null(f);
    assert_non_null(found);
    for (size_t i = 0; i < sizeof(no_members) / sizeof(no_members[0]); i++) {
        struct t2t_text key;
        struct t2t_text json;
        t2t_cursor *cursor;

        assert_int_equal(strlen(no_members[i].text), 14);
        assert_int_equal(fseek(f, (long)(found - (const char *)index->map),
                               SEEK_SET),
                         0);
        assert_int_equal(fwrite(no_members[i].text, 1, 14, f), 14);
        assert_int_equal(fflush(f), 0);
        assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
        for (uint32_t n = 0; n < 2; n++) {
            struct t2t_error err = {0};

            assert_int_equal(t2t_cursor_field_at(cursor, 0, n, &key, &json,
                                                 &err),
                             no_members[i].field[n]);
            assert_int_equal(t2t_cursor_argument_at(cursor, 0, n, &key, &json,
                                                    &err),
                             no_members[i].argument[n]);
        }
        t2t_cursor_close(cursor);
    }
    assert_int_equal(fclose(f), 0);
    remove_index(NAME "_lies", index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_argument_is_a_number),
        cmocka_unit_test(test_an_argument_is_a_string),
        cmocka_unit_test(test_a_json_value_is_a_number_or_none),
        cmocka_unit_test(test_a_field_is_found_by_its_key),
        cmocka_unit_test(test_fields_are_listed_in_any_order),
        cmocka_unit_test(test_damaged_strings_are_told_or_harmless),
        cmocka_unit_test(test_what_is_no_member_is_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
