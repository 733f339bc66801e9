/*
 * cmocka.h - as much of cmocka as the tests that are run for another machine
 * need; there is no library for that one.
 */
#ifndef TESTS_CROSS_CMOCKA_H
#define TESTS_CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(test)                                                 \
    {                                                                          \
#test, test                                                            \
    }

/* The first that is not so ends the program. */
#define EXPECT(what)                                                           \
    do {                                                                       \
        if (!(what)) {                                                         \
            printf("# %s:%d: %s\nnot ok 1\n", __FILE__, __LINE__, #what);      \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#define assert_true(what) EXPECT(what)
#define assert_false(what) EXPECT(!(what))
#define assert_non_null(ptr) EXPECT((ptr) != NULL)
#define assert_ptr_equal(a, b) EXPECT((const void *)(a) == (const void *)(b))
#define assert_int_equal(a, b)                                                 \
    EXPECT((unsigned long long)(a) == (unsigned long long)(b))
#define assert_in_range(what, least, most)                                     \
    EXPECT((what) >= (least) && (what) <= (most))
#define print_message(...) printf(__VA_ARGS__)
#define fail_msg(...)                                                          \
    do {                                                                       \
        printf(__VA_ARGS__);                                                   \
        EXPECT(!"failed");                                                     \
    } while (0)

static inline int run_tests(const struct CMUnitTest *test, size_t count,
                            int (*set_up)(void **state))
{
    if (set_up)
        (void)set_up(NULL);
    for (size_t i = 0; i < count; i++) {
        test[i].run(NULL);
        printf("ok %zu - %s\n", i + 1, test[i].name);
    }
    return 0;
}

#define cmocka_run_group_tests(tests, set_up, tear_down)                       \
    run_tests(tests, sizeof(tests) / sizeof(*(tests)), set_up)

#endif
