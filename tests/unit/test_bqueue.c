/* test_bqueue.c - base/bqueue.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bqueue.h"

static void test_items_come_out_in_order(void **state)
{
    struct tt_bqueue q;
    int item[5];

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 3), T2T_OK);
    for (int round = 0; round < 4; round++) { /* goes around the ring */
        for (int i = 0; i < 2; i++)
            assert_true(tt_bqueue_push(&q, &item[i]));
        for (int i = 0; i < 2; i++)
            assert_ptr_equal(tt_bqueue_pop(&q), &item[i]);
    }
    tt_bqueue_release(&q);
}

static void test_closed_queue_drains_then_refuses(void **state)
{
    struct tt_bqueue q;
    int item;

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 1), T2T_OK);
    assert_true(tt_bqueue_push(&q, &item));
    tt_bqueue_close(&q);
    tt_bqueue_close(&q);
    assert_false(tt_bqueue_push(&q, &item));
    assert_ptr_equal(tt_bqueue_pop(&q), &item);
    assert_null(tt_bqueue_pop(&q));
    tt_bqueue_release(&q);
}

static void test_a_queue_too_large_is_refused(void **state)
{
    struct tt_bqueue q;

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, SIZE_MAX / 2), T2T_ERR_NO_MEMORY);
    tt_bqueue_release(NULL);
}

/* A thread that sends the numbers from 1 to `count` as long as it may. */
struct sender {
    struct tt_bqueue *q;
    uintptr_t count;
    uintptr_t sent;
};

static void send_numbers(void *arg)
{
    struct sender *s = arg;

    while (s->sent < s->count && tt_bqueue_push(s->q, (void *)(s->sent + 1)))
        s->sent++;
}

static void test_full_queue_blocks_the_sender(void **state)
{
    struct tt_bqueue q;
    struct sender s = {.q = &q, .count = 10000};
    uv_thread_t thread;

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 2), T2T_OK);
    assert_false(uv_thread_create(&thread, send_numbers, &s));
    for (uintptr_t i = 1; i <= s.count; i++)
        assert_int_equal((uintptr_t)tt_bqueue_pop(&q), i);
    assert_false(uv_thread_join(&thread));
    assert_int_equal(s.sent, s.count);
    tt_bqueue_release(&q);
}

static void test_close_wakes_a_blocked_sender(void **state)
{
    struct tt_bqueue q;
    struct sender s = {.q = &q, .count = 10};
    uv_thread_t thread;
    uintptr_t received = 0;

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 1), T2T_OK);
    assert_false(uv_thread_create(&thread, send_numbers, &s));
    assert_non_null(tt_bqueue_pop(&q));
    received++;
    tt_bqueue_close(&q);
    assert_false(uv_thread_join(&thread));
    while (tt_bqueue_pop(&q))
        received++;
    assert_int_equal(received, s.sent);
    assert_true(s.sent < s.count);
    tt_bqueue_release(&q);
}

/* A thread that receives until the queue is closed and empty. */
struct receiver {
    struct tt_bqueue *q;
    uintptr_t sum;
};

static void receive_numbers(void *arg)
{
    struct receiver *r = arg;
    void *item;

    while ((item = tt_bqueue_pop(r->q)))
        r->sum += (uintptr_t)item;
}

static void test_close_wakes_waiting_receivers(void **state)
{
    struct tt_bqueue q;
    struct receiver r[3];
    uv_thread_t thread[3];

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 4), T2T_OK);
    for (int i = 0; i < 3; i++) {
        r[i] = (struct receiver){.q = &q};
        assert_false(uv_thread_create(&thread[i], receive_numbers, &r[i]));
    }
    tt_bqueue_close(&q);
    for (int i = 0; i < 3; i++) {
        assert_false(uv_thread_join(&thread[i]));
        assert_int_equal(r[i].sum, 0);
    }
    tt_bqueue_release(&q);
}

static void test_many_to_many_loses_nothing(void **state)
{
    struct tt_bqueue q;
    struct sender s[3];
    struct receiver r[3];
    uv_thread_t sending[3];
    uv_thread_t receiving[3];
    uintptr_t sum = 0;

    (void)state;
    assert_int_equal(tt_bqueue_init(&q, 2), T2T_OK);
    for (int i = 0; i < 3; i++) {
        s[i] = (struct sender){.q = &q, .count = 2000};
        r[i] = (struct receiver){.q = &q};
        assert_false(uv_thread_create(&sending[i], send_numbers, &s[i]));
        assert_false(uv_thread_create(&receiving[i], receive_numbers, &r[i]));
    }
    for (int i = 0; i < 3; i++)
        assert_false(uv_thread_join(&sending[i]));
    tt_bqueue_close(&q);
    for (int i = 0; i < 3; i++) {
        assert_false(uv_thread_join(&receiving[i]));
        sum += r[i].sum;
    }
    assert_int_equal(sum, 3 * (2000u * 2001u / 2));
    tt_bqueue_release(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_come_out_in_order),
        cmocka_unit_test(test_closed_queue_drains_then_refuses),
        cmocka_unit_test(test_a_queue_too_large_is_refused),
        cmocka_unit_test(test_full_queue_blocks_the_sender),
        cmocka_unit_test(test_close_wakes_a_blocked_sender),
        cmocka_unit_test(test_close_wakes_waiting_receivers),
        cmocka_unit_test(test_many_to_many_loses_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
