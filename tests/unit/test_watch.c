/* test_watch.c - base/watch.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bqueue.h"

/* A watcher that counts, and cancels at the call `last`. */
struct watcher {
    int calls;
    int last;
};

static bool look(void *context)
{
    struct watcher *w = context;

    return ++w->calls != w->last;
}

static void test_nobody_has_to_watch(void **state)
{
    struct tt_watch w;

    (void)state;
    tt_watch_init(&w, NULL, NULL);
    for (size_t i = 0; i < 3; i++) {
        struct tt_watch *watch = i ? &w : NULL;

        assert_true(tt_watch_go_on(watch));
        assert_true(tt_watch_now(watch));
        assert_true(tt_watch_wait(watch));
        assert_true(tt_watch_turn(watch, 0));
        assert_false(tt_watch_is_used(watch));
        assert_false(tt_watch_is_canceled(watch));
        assert_int_equal(tt_watch_reason(watch), T2T_ERR_NO_MEMORY);
        tt_watch_count(watch, 3);
        tt_watch_dismiss(watch);
    }
    assert_int_equal(tt_watch_bytes(&w), 6);
}

static void test_it_calls_when_it_is_due(void **state)
{
    struct watcher watcher = {0, 0};
    struct tt_watch w;

    (void)state;
    tt_watch_init(&w, look, &watcher);
    w.due_ns = UINT64_MAX;
    assert_true(tt_watch_go_on(&w));
    assert_int_equal(watcher.calls, 0);
    assert_true(tt_watch_now(&w));
    assert_int_equal(watcher.calls, 1);
    w.interval_ns = w.due_ns = 0;
    for (size_t i = 0; i < 4; i++)
        assert_true(tt_watch_go_on(&w));
    assert_int_equal(watcher.calls, 5);
    for (size_t i = 0; i <= 4096; i++)
        assert_true(tt_watch_turn(&w, i));
    assert_int_equal(watcher.calls, 7);
}

static void test_a_watcher_that_cancels_is_not_called_again(void **state)
{
    struct watcher watcher = {0, 2};
    struct tt_watch w;

    (void)state;
    tt_watch_init(&w, look, &watcher);
    w.interval_ns = w.due_ns = 0;
    assert_true(tt_watch_go_on(&w));
    assert_false(tt_watch_go_on(&w));
    assert_false(tt_watch_go_on(&w));
    assert_false(tt_watch_now(&w));
    assert_false(tt_watch_wait(&w));
    assert_true(tt_watch_is_canceled(&w));
    assert_int_equal(tt_watch_reason(&w), T2T_ERR_CANCELED);
    assert_int_equal(watcher.calls, 2);
}

/* What another thread is answered. */
struct answers {
    struct tt_watch *watch;
    bool go_on;
    bool wait;
};

static void ask(void *arg)
{
    struct answers *a = arg;

    a->go_on = tt_watch_go_on(a->watch);
    a->wait = tt_watch_wait(a->watch);
}

static struct answers ask_elsewhere(struct tt_watch *w)
{
    struct answers a = {w, false, false};
    uv_thread_t thread;

    assert_int_equal(uv_thread_create(&thread, ask, &a), 0);
    assert_int_equal(uv_thread_join(&thread), 0);
    return a;
}

static void test_other_threads_hear_of_it_and_never_call(void **state)
{
    struct watcher watcher = {0, 1};
    struct tt_watch w;
    struct answers a;

    (void)state;
    tt_watch_init(&w, look, &watcher);
    w.interval_ns = w.due_ns = 0;
    a = ask_elsewhere(&w);
    assert_true(a.go_on && a.wait);
    tt_watch_dismiss(&w);
    a = ask_elsewhere(&w);
    assert_true(a.go_on);
    assert_false(a.wait);
    assert_int_equal(watcher.calls, 0);
    assert_false(tt_watch_wait(&w));
    a = ask_elsewhere(&w);
    assert_false(a.go_on || a.wait);
    assert_int_equal(watcher.calls, 1);
}

static void test_a_queue_that_stays_empty_is_left_when_canceled(void **state)
{
    struct watcher watcher = {0, 3};
    struct tt_watch w;
    struct tt_bqueue q;
    int item;

    (void)state;
    tt_watch_init(&w, look, &watcher);
    w.interval_ns = w.due_ns = 0;
    assert_int_equal(tt_bqueue_init(&q, 1), T2T_OK);
    assert_true(tt_bqueue_push(&q, &item));
    assert_ptr_equal(tt_bqueue_pop_watched(&q, &w), &item);
    assert_int_equal(watcher.calls, 0);
    assert_null(tt_bqueue_pop_watched(&q, &w));
    assert_int_equal(watcher.calls, 3);
    tt_bqueue_release(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_has_to_watch),
        cmocka_unit_test(test_it_calls_when_it_is_due),
        cmocka_unit_test(test_a_watcher_that_cancels_is_not_called_again),
        cmocka_unit_test(test_other_threads_hear_of_it_and_never_call),
        cmocka_unit_test(test_a_queue_that_stays_empty_is_left_when_canceled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
