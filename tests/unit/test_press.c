/* test_press.c - index/press.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "index/press.h"

#define FRAMES 200

/* What is pushed and popped, in order. */
struct order {
    struct tt_tasks tasks;
    struct tt_press press;
    unsigned number[FRAMES];
    size_t pushed;
    size_t popped;
};

static void check(struct order *o, struct tt_press_frame *f)
{
    char text[64];
    size_t len;

    assert_int_equal(*(unsigned *)f->owner, o->popped++);
    assert_int_equal(f->status, T2T_OK);
    len = ZSTD_decompress(text, sizeof(text), f->packed.ptr, f->record.bytes);
    assert_int_equal(len, f->record.raw_bytes);
    text[len] = '\0';
    assert_int_equal(strtoul(text, NULL, 10), o->popped - 1);
    tt_press_give(&o->press, f);
}

static void push(struct order *o)
{
    unsigned *number = &o->number[o->pushed];
    struct tt_press_frame *f;
    char text[16];

    while (tt_press_take(&o->press, &f) == T2T_END)
        check(o, tt_press_pop(&o->press, true));
    *number = (unsigned)o->pushed++;
    (void)snprintf(text, sizeof(text), "%u", *number);
    tt_buffer_add(&f->raw, text, strlen(text));
    f->owner = number;
    tt_press_push(&o->press, f);
}

static void help_all(void *tasks)
{
    while (tt_tasks_help(tasks, true))
        continue;
}

/* Frames come out in order, with 0 to 3 helpers, and any number under way. */
static void test_order_is_kept(void **state)
{
    (void)state;
    for (size_t helpers = 0; helpers < 4; helpers++)
        for (size_t most = 1; most < 12; most += 3) {
            static struct order o;
            uv_thread_t thread[3];
            struct tt_press_frame *f;

            o.pushed = o.popped = 0;
            assert_int_equal(tt_tasks_init(&o.tasks), T2T_OK);
            tt_press_init(&o.press, &o.tasks);
            tt_press_set_most(&o.press, most);
            for (size_t i = 0; i < helpers; i++)
                assert_int_equal(uv_thread_create(&thread[i], help_all,
                                                  &o.tasks),
                                 0);
            while (o.pushed < FRAMES) {
                push(&o);
                while (o.pushed % 7 && (f = tt_press_pop(&o.press, false)))
                    check(&o, f);
            }
            while ((f = tt_press_pop(&o.press, true)))
                check(&o, f);
            assert_int_equal(o.popped, FRAMES);
            tt_tasks_close(&o.tasks);
            for (size_t i = 0; i < helpers; i++)
                assert_int_equal(uv_thread_join(&thread[i]), 0);
            tt_press_release(&o.press);
            tt_tasks_release(&o.tasks);
        }
}

/* A frame of ids; and nothing comes out when nothing was put in. */
static void test_ids(void **state)
{
    static const uint32_t ids[] = {0, 1, 2};
    struct tt_press_frame *f;
    struct tt_tasks tasks;
    struct tt_press p;

    (void)state;
    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    tt_press_init(&p, &tasks);
    assert_null(tt_press_pop(&p, true));
    assert_int_equal(tt_press_take(&p, &f), T2T_OK);
    f->ids = ids;
    f->count = 3;
    tt_press_push(&p, f);
    assert_null(tt_press_pop(&p, false));
    assert_ptr_equal(tt_press_pop(&p, true), f);
    assert_int_equal(f->record.raw_bytes, 3);
    tt_press_give(&p, f);
    tt_press_release(&p);
    tt_tasks_release(&tasks);
}

/* Frames that are never popped are freed, and so are spare ones that are too
 * many. */
static void test_all_is_freed(void **state)
{
    struct tt_press_frame *f[5];
    struct tt_tasks tasks;
    struct tt_press p;

    (void)state;
    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    tt_press_init(&p, &tasks);
    tt_press_set_most(&p, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(tt_press_take(&p, &f[i]), T2T_OK);
    for (size_t i = 0; i < 3; i++) {
        f[i]->sheet = tt_sheet_create();
        assert_non_null(f[i]->sheet);
        tt_press_give(&p, f[i]);
    }
    tt_press_push(&p, f[3]);
    tt_press_set_most(&p, 3);
    assert_int_equal(p.frames, 3);
    tt_press_frame_free(f[4]);
    tt_press_release(&p);
    tt_tasks_release(&tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_all_is_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
