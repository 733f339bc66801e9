/* test_version.c - trace2tree/version.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <trace2tree/version.h>

static void test_the_library_is_of_the_version_of_its_headers(void **state)
{
    char text[48];

    (void)state;
    (void)snprintf(text, sizeof(text), "%d.%d.%d", T2T_VERSION_MAJOR,
                   T2T_VERSION_MINOR, T2T_VERSION_PATCH);
    assert_string_equal(t2t_version(), text);
    assert_string_equal(t2t_version(), T2T_VERSION_TEXT);
    assert_string_equal(t2t_version(), PACKAGE_VERSION);
}

static void test_the_text_is_static(void **state)
{
    (void)state;
    assert_ptr_equal(t2t_version(), t2t_version());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_library_is_of_the_version_of_its_headers),
        cmocka_unit_test(test_the_text_is_static),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
