/* test_said.c - query/said.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/said.h"

#define NAME "test_said"

static const char *const keys[] = {"a", "b c"};

#define KEYS 2

static const struct said events[] = {
    OP("x", "1", "1", "\"a\": [ 1, [2.50, -0], \"t\\u0061\" ]"),
    OP("x", "2", "1", "\"b c\":{\"k\" : null }, \"a\":1, \"a\":2"),
    OP("x", "3", "1", "\"a\":null,\"b c\":\"\\ud83d\\ude00\""),
    OP("x", "4", "1", "\"a\":\"\\ud83d!\",\"b c\":\"\\\\ud83d\\u0001\""),
    OP("x", "5", "1", "\"A\":1,\"b\":2"),
    OP("x", "6", "1", "\"a\":[1,[2.50,-0],\"ta\"]"),
};

static const char *const expected[COUNT(events)][KEYS] = {
    {"[1,[2.50,-0],\"ta\"]", "null"},
    {"2", "{\"k\":null}"},
    {"null", "\"\xf0\x9f\x98\x80\""},
    {"\"\xed\xa0\xbd!\"", "\"\\\\ud83d\\u0001\""},
    {"null", "null"},
    {"[1,[2.50,-0],\"ta\"]", "null"},
};

static void test_arguments_are_compact_json_by_number(void **state)
{
    t2t_index *index = INDEX_OF(events);
    struct tt_intern texts = {.count = 0};
    t2t_id id[COUNT(events)];
    uint32_t number[COUNT(events) * KEYS];

    (void)state;
    for (uint32_t i = 0; i < COUNT(events); i++)
        id[i] = id_at(index, COUNT(events) - 1 - i); /* in any order */
    assert_int_equal(tt_said(index, id, COUNT(events), keys, KEYS, &texts,
                             number, NULL),
                     T2T_OK);
    for (size_t i = 0; i < COUNT(events); i++)
        for (size_t k = 0; k < KEYS; k++)
            assert_text(tt_said_text(&texts, number[i * KEYS + k]),
                        expected[COUNT(events) - 1 - i][k]);
    assert_int_equal(number[0], number[5 * KEYS]);
    assert_int_equal(number[1], number[KEYS]);
    tt_intern_release(&texts);
    remove_index(NAME, index);
}

static void test_what_is_no_element_says_null(void **state)
{
    t2t_index *index = INDEX_OF(events);
    struct tt_intern texts = {.count = 0};
    t2t_id id[] = {T2T_NO_ID, 1, T2T_NO_ID};
    uint32_t number[3];

    (void)state;
    assert_int_equal(tt_said(index, id, 3, keys, 1, &texts, number, NULL),
                     T2T_OK);
    assert_text(tt_said_text(&texts, number[0]), "null");
    assert_text(tt_said_text(&texts, number[1]), "2");
    assert_text(tt_said_text(&texts, number[2]), "null");
    assert_int_equal(tt_said(index, id, 0, keys, 1, &texts, number, NULL),
                     T2T_OK);
    tt_intern_release(&texts);
    remove_index(NAME, index);
}

static void test_nobody_says_anything_in_an_empty_trace(void **state)
{
    t2t_index *index = make_index(NAME, "[]");
    struct tt_intern texts = {.count = 0};
    uint32_t number;
    t2t_id id = T2T_NO_ID;

    (void)state;
    assert_int_equal(tt_said(index, &id, 0, keys, KEYS, &texts, &number, NULL),
                     T2T_OK);
    id = 5;
    assert_int_equal(tt_said(index, &id, 1, keys, 1, &texts, &number, NULL),
                     T2T_ERR_INDEX_DAMAGE);
    tt_intern_release(&texts);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_are_compact_json_by_number),
        cmocka_unit_test(test_what_is_no_element_says_null),
        cmocka_unit_test(test_nobody_says_anything_in_an_empty_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
