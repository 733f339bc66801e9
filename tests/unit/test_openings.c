/* test_openings.c - how events begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/openings.h"

static void learn(struct tt_openings *o, const char *event)
{
    tt_openings_learn(o, event, strlen(event));
}

static bool have(const struct tt_openings *o, const char *object)
{
    return tt_openings_have(o, object, strlen(object));
}

static void test_an_opening_goes_to_the_end_of_the_first_key(void **state)
{
    struct tt_openings o = {0};

    (void)state;
    assert_false(have(&o, "{\"ph\":1}"));
    learn(&o, "{\n  \"ph\": \"X\"}");
    learn(&o, "{\n  \"ph\": \"M\"}");
    assert_int_equal(o.count, 1);
    assert_true(have(&o, "{\n  \"ph\""));
    assert_false(have(&o, "{\n  \"ph"));
    assert_false(have(&o, "{\"ph\":1}"));
    assert_false(have(&o, "{\n  \"phase\":1}"));
    assert_false(have(&o, ""));
    learn(&o, "{\"ph\":1}");
    learn(&o, "{\n  \"ph\": \"M\"}");
    assert_int_equal(o.count, 2);
    assert_true(have(&o, "{\"ph\":1}"));
}

static void test_what_is_too_long_or_too_many_is_not_learned(void **state)
{
    struct tt_openings o = {0};
    char event[100];

    (void)state;
    learn(&o, "{}");
    learn(&o, "");
    learn(&o, "{\"open");
    memset(event, ' ', sizeof(event));
    memcpy(event, "{", 1);
    memcpy(event + TT_OPENING_BYTES - 2, "\"a\"", 3);
    tt_openings_learn(&o, event, sizeof(event));
    assert_int_equal(o.count, 0);
    memcpy(event + TT_OPENING_BYTES - 3, "\"a\" ", 4);
    tt_openings_learn(&o, event, sizeof(event));
    assert_int_equal(o.count, 1);
    for (int i = 0; i < 100; i++) {
        (void)snprintf(event, sizeof(event), "{\"%d\":1}", i);
        learn(&o, event);
    }
    assert_int_equal(o.count, TT_OPENINGS);
    assert_true(have(&o, "{\"0\":1}"));
    assert_false(have(&o, "{\"99\":1}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_opening_goes_to_the_end_of_the_first_key),
        cmocka_unit_test(test_what_is_too_long_or_too_many_is_not_learned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
