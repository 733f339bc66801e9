/* test_repeats.c - decode/repeats.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/repeats.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Templates: bytes below 32 stand for values. */
static const struct {
    const char *template;
    bool repeats;
} templates[] = {
    {"\x08", false},
    {"null", false},
    {"{}", false},
    {"{\"a\":\x06}", false},
    {"{\"a\":\x06,\"b\":\x06}", false},
    {"{\"a\":\x06,\"a\":\x08}", true},
    {"{\"a\":\x06,\"b\":\x06,\"c\":\x06,\"a\":\x06}", true},
    {"{\"a\":\x06,\"ab\":\x06,\"b\":\x06}", false},
    {"{\"\":\x06,\"a\":\x06}", false},
    {"{\"\":\x06,\"\":\x06}", true},
    {"{\"a\\\"\":\x06,\"a\":\x06,\"\\\\\":\x06}", false},
    {"{\"a\\\"\":\x06,\"a\\\"\":\x06}", true},
    {"{\"\\\\\":\x06,\"\\\\\":\x06}", true},
    /* a value is no key */
    {"{\"a\":\"b\",\"b\":\"a\"}", false},
    {"{\"ph\":\"ph\",\"cat\":\"ph\"}", false},
    {"{\"ph\":\"X\\\",\\\"ph\",\"cat\":\"{\\\"\"}", false},
    /* arguments are an object of their own */
    {"{\"args\":{}}", false},
    {"{\"a\":\x06,\"args\":{\"a\":\x06,\"args\":\x06}}", false},
    {"{\"args\":{\"a\":\x06},\"a\":\x06}", false},
    {"{\"args\":{\"a\":\x06,\"a\":\x06}}", true},
    {"{\"a\":\x06,\"args\":{\"b\":\x06},\"a\":\x06}", true},
    {"{\"args\":{\"a\":\x06},\"args\":{\"b\":\x06}}", true},
    {"{\"args\":\x08,\"args\":{\"b\":\x06}}", true},
};

static void test_a_key_repeats_within_one_object(void **state)
{
    struct tt_repeats r = {0};

    (void)state;
    for (int round = 0; round < 2; round++) /* asked, then remembered */
        for (uint32_t i = 0; i < COUNT(templates); i++)
            assert_int_equal(tt_repeats_ask(&r, i, templates[i].template,
                                            strlen(templates[i].template)),
                             templates[i].repeats);
    assert_false(r.no_memory);
    tt_repeats_release(&r);
    tt_repeats_release(&r);
}

static void test_a_template_is_looked_at_once(void **state)
{
    static const char text[] = "{\"a\":\x06,\"a\":\x06}";
    struct tt_repeats r = {0};

    (void)state;
    assert_true(tt_repeats_ask(&r, 100000, text, sizeof(text) - 1));
    assert_true(tt_repeats_ask(&r, 100000, NULL, 0));
    assert_false(tt_repeats_ask(&r, 99999, "{}", 2));
    assert_false(tt_repeats_ask(&r, 99999, NULL, 0));
    tt_repeats_release(&r);
}

static void test_very_many_keys_are_no_effort(void **state)
{
    const unsigned count = 50000;
    size_t cap = (size_t)count * 16;
    char *text = malloc(cap);
    struct tt_repeats r = {0};
    size_t len = 0;

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, cap - len, "%c\"k%u\":\x06",
                                i ? ',' : '{', i);
    text[len++] = '}';
    assert_false(tt_repeats_ask(&r, 0, text, len));
    memcpy(text + len - 10, "k49998", 6); /* the last one */
    assert_true(tt_repeats_ask(&r, 1, text, len));
    tt_repeats_release(&r);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_repeats_within_one_object),
        cmocka_unit_test(test_a_template_is_looked_at_once),
        cmocka_unit_test(test_very_many_keys_are_no_effort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
