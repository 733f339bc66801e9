/* test_status.c - base/status.h and trace2tree/status.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void test_every_status_has_a_class(void **state)
{
    (void)state;
#define X(name, value, text)                                                   \
    assert_int_equal(T2T_##name, value);                                       \
    assert_string_equal(t2t_status_text(T2T_##name), text);
    T2T_STATUS_MAP(X)
#undef X
}

static void test_another_value_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(t2t_status_text((enum t2t_status)99), "unknown");
    assert_string_equal(t2t_status_text((enum t2t_status) - 99), "unknown");
}

static void test_an_error_has_class_offset_and_text(void **state)
{
    struct t2t_error err;

    (void)state;
    assert_int_equal(tt_error(&err, T2T_ERR_IO, 7, "cannot read %s", "a.json"),
                     T2T_ERR_IO);
    assert_int_equal(err.code, T2T_ERR_IO);
    assert_int_equal(err.offset, 7);
    assert_string_equal(err.text, "cannot read a.json");
}

static void test_nobody_has_to_want_the_error(void **state)
{
    (void)state;
    assert_int_equal(tt_error(NULL, T2T_ERR_LIMIT, TT_NO_OFFSET, "%d", 1),
                     T2T_ERR_LIMIT);
}

static void test_an_error_may_be_wrapped_in_itself(void **state)
{
    struct t2t_error err;

    (void)state;
    tt_error(&err, T2T_ERR_IO, 7, "no such file");
    tt_error(&err, err.code, err.offset, "cannot open x: %s", err.text);
    assert_string_equal(err.text, "cannot open x: no such file");
}

static void test_an_error_is_one_line(void **state)
{
    struct t2t_error err;

    (void)state;
    tt_error(&err, T2T_ERR_IO, 0, "no file %s", "a\nb\x1b[1m\x7f");
    assert_string_equal(err.text, "no file a?b?[1m?");
}

/* What fits stays; else 228 bytes of 231 stay, or fewer to end a character. */
static const struct cut {
    size_t len;       /* of a text of 'a' */
    const char *tail; /* appended to it */
    size_t kept;      /* of the 'a' and the tail */
    const char *end;  /* what follows them */
} cuts[] = {
    {231, "", 231, ""},
    {232, "", 228, "..."},
    {1000, "", 228, "..."},
    {227, "\xc3\xa9\xc3\xa9\xc3\xa9", 227, "..."},
    {226, "\xc3\xa9\xc3\xa9\xc3\xa9", 228, "..."},
    {225, "\xf0\x9f\x8c\xb3\xf0\x9f\x8c\xb3", 225, "..."},
    {224, "\xf0\x9f\x8c\xb3\xf0\x9f\x8c\xb3", 228, "..."},
    {223, "\xf0\x9f\x8c\xb3\xf0\x9f\x8c\xb3", 231, ""},
};

static void test_a_long_error_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        const struct cut *c = &cuts[i];
        char given[1100];
        struct t2t_error err;

        memset(given, 'a', c->len);
        memcpy(given + c->len, c->tail, strlen(c->tail) + 1);
        tt_error(&err, T2T_ERR_IO, 0, "%s", given);
        assert_memory_equal(err.text, given, c->kept);
        assert_string_equal(err.text + c->kept, c->end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_a_class),
        cmocka_unit_test(test_another_value_is_unknown),
        cmocka_unit_test(test_an_error_has_class_offset_and_text),
        cmocka_unit_test(test_nobody_has_to_want_the_error),
        cmocka_unit_test(test_an_error_may_be_wrapped_in_itself),
        cmocka_unit_test(test_an_error_is_one_line),
        cmocka_unit_test(test_a_long_error_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
