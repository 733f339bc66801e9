/* test_kinds.c - t2t_table_kind() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/trace2tree.h>

static void test_every_column_says_what_it_means(void **state)
{
    const struct t2t_table_column *c;
    const char *name;
    size_t count;
    unsigned n = 0;

    (void)state;
    while ((name = t2t_table_kind(n++, &c, &count))) {
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            size_t len = strlen(c[i].name);

            if (!c[i].help || !*c[i].help)
                fail_msg("%s: %s", name, c[i].name);
            if (len > 3 && !strcmp(c[i].name + len - 3, "_ns"))
                assert_string_equal(c[i].unit, "ns");
        }
    }
    assert_true(n > 15);
}

static void test_no_table_and_no_column_is_there_twice(void **state)
{
    const struct t2t_table_column *c;
    const struct t2t_table_column *other;
    const char *name;
    const char *next;
    size_t count;
    size_t ignored;

    (void)state;
    for (unsigned n = 0; (name = t2t_table_kind(n, &c, &count)); n++) {
        for (unsigned m = n + 1; (next = t2t_table_kind(m, &other, &ignored));
             m++)
            assert_string_not_equal(name, next);
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count; k++)
                assert_string_not_equal(c[i].name, c[k].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_column_says_what_it_means),
        cmocka_unit_test(test_no_table_and_no_column_is_there_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
