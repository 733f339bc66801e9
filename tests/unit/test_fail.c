/* test_fail.c - base/fail.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <uv.h>

#include "base/fail.h"

#define THREADS 8

static void test_nothing_is_recorded_at_first(void **state)
{
    struct tt_fail fail;

    (void)state;
    tt_fail_init(&fail);
    assert_false(tt_fail_is_set(&fail));
}

static void test_later_failures_are_dropped(void **state)
{
    struct t2t_error first;
    struct t2t_error second;
    struct tt_fail fail;

    (void)state;
    tt_error(&first, T2T_ERR_IO, 7, "cannot read");
    tt_error(&second, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    tt_fail_init(&fail);
    tt_fail_record(&fail, &first);
    tt_fail_record(&fail, &second);
    assert_true(tt_fail_is_set(&fail));
    assert_int_equal(fail.error.code, T2T_ERR_IO);
    assert_int_equal(fail.error.offset, 7);
    assert_string_equal(fail.error.text, "cannot read");
}

/* A thread that fails, and what it saw when it had. */
struct failing {
    struct tt_fail *fail;
    uint64_t own;
    uint64_t seen; /* offset of the recorded error, TT_NO_OFFSET if none yet */
};

static void record_own(void *arg)
{
    struct failing *f = arg;
    struct t2t_error err;

    tt_error(&err, T2T_ERR_IO, f->own, "cannot read");
    tt_fail_record(f->fail, &err);
    if (tt_fail_is_set(f->fail))
        f->seen = f->fail->error.offset;
}

static void test_many_threads_record_one_failure(void **state)
{
    struct failing failing[THREADS];
    uv_thread_t thread[THREADS];
    struct tt_fail fail;

    (void)state;
    tt_fail_init(&fail);
    for (size_t i = 0; i < THREADS; i++) {
        failing[i] = (struct failing){&fail, i, TT_NO_OFFSET};
        assert_false(uv_thread_create(&thread[i], record_own, &failing[i]));
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_false(uv_thread_join(&thread[i]));
    assert_true(tt_fail_is_set(&fail));
    assert_true(fail.error.offset < THREADS);
    assert_string_equal(fail.error.text, "cannot read");
    for (size_t i = 0; i < THREADS; i++)
        if (failing[i].seen != TT_NO_OFFSET)
            assert_int_equal(failing[i].seen, fail.error.offset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_recorded_at_first),
        cmocka_unit_test(test_later_failures_are_dropped),
        cmocka_unit_test(test_many_threads_record_one_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
