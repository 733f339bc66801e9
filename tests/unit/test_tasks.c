/* test_tasks.c - base/tasks.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/tasks.h"

#define TASKS 500
#define QUEUES 3

struct job {
    struct tt_task task;
    unsigned number;
    unsigned result;
    unsigned *order; /* how many jobs of the queue have had their turn */
    unsigned turn;   /* that was when this one had */
};

static void square(struct tt_task *task)
{
    struct job *j = (struct job *)task;

    j->result = j->number * j->number + 1;
}

static void count_turn(struct tt_task *task)
{
    struct job *j = (struct job *)task;

    j->turn = ++*j->order;
}

static void help_all(void *tasks)
{
    while (tt_tasks_help(tasks, true))
        continue;
}

/* What goes through a pool: so many tasks in each queue, a few at a time. */
struct subject {
    struct tt_tasks tasks;
    struct tt_task_queue queue[QUEUES];
    struct job job[QUEUES][TASKS];
    unsigned pushed[QUEUES];
    unsigned popped[QUEUES];
    unsigned order[QUEUES];
};

static bool pop(struct subject *s, unsigned q, bool wait)
{
    struct job *j = (struct job *)tt_task_pop(&s->queue[q], wait);

    if (!j)
        return false;
    assert_ptr_equal(j, &s->job[q][s->popped[q]]);
    assert_int_equal(j->result, j->task.run ? j->number * j->number + 1 : 0);
    s->popped[q]++;
    assert_int_equal(j->turn, j->order ? s->popped[q] : 0);
    return true;
}

static void push(struct subject *s, unsigned q)
{
    struct job *j = &s->job[q][s->pushed[q]];

    *j = (struct job){.number = s->pushed[q]++};
    j->task.run = j->number % 5 == q ? NULL : square;
    if (q < 2) {
        j->order = &s->order[q];
        j->task.run_in_order = count_turn;
    }
    tt_task_push(&s->queue[q], &j->task);
}

static void go_through(size_t helpers, unsigned most)
{
    static struct subject s;
    uv_thread_t thread[3];

    s = (struct subject){.pushed = {0}};
    assert_int_equal(tt_tasks_init(&s.tasks), T2T_OK);
    for (unsigned q = 0; q < QUEUES; q++)
        tt_task_queue_init(&s.queue[q], &s.tasks);
    for (size_t i = 0; i < helpers; i++)
        assert_int_equal(uv_thread_create(&thread[i], help_all, &s.tasks), 0);
    for (unsigned i = 0; i < QUEUES * TASKS; i++) {
        unsigned q = i % QUEUES;

        push(&s, q);
        while (s.pushed[q] - s.popped[q] > most)
            assert_true(pop(&s, q, true));
        while (i % 7 == 0 && pop(&s, q, false))
            continue;
    }
    for (unsigned q = 0; q < QUEUES; q++) {
        while (pop(&s, q, true))
            continue;
        assert_int_equal(s.popped[q], TASKS);
    }
    tt_tasks_close(&s.tasks);
    for (size_t i = 0; i < helpers; i++)
        assert_int_equal(uv_thread_join(&thread[i]), 0);
    for (unsigned q = 0; q < QUEUES; q++)
        tt_task_queue_release(&s.queue[q]);
    tt_tasks_release(&s.tasks);
}

/* Tasks come out in order, done, with 0 to 3 helpers and any number under way,
 * and have their turns in order; those with nothing to do wait for theirs,
 * too. */
static void test_order_is_kept(void **state)
{
    (void)state;
    for (size_t helpers = 0; helpers < 4; helpers++)
        for (unsigned most = 1; most < 12; most += 3)
            go_through(helpers, most);
}

/* Who helps looks through the queues in their order, and does not wait when
 * the pool is closed, until it is opened. */
static void test_help(void **state)
{
    struct tt_tasks tasks;
    struct tt_task_queue queue[2];
    struct job job[3] = {{.number = 1}, {.number = 2}, {.number = 3}};

    (void)state;
    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    tt_task_queue_init(&queue[0], &tasks);
    tt_task_queue_init(&queue[1], &tasks);
    assert_false(tt_tasks_help(&tasks, false));
    assert_null(tt_task_pop(&queue[0], true));
    for (size_t i = 0; i < 3; i++)
        job[i].task.run = square;
    tt_task_push(&queue[1], &job[0].task);
    tt_task_push(&queue[0], &job[1].task);
    tt_task_push(&queue[0], &job[2].task);
    assert_null(tt_task_pop(&queue[0], false));
    assert_true(tt_tasks_help(&tasks, false));
    assert_int_equal(job[1].result, 5);
    assert_int_equal(job[0].result, 0);
    assert_true(tt_tasks_help(&tasks, true));
    assert_int_equal(job[2].result, 10);
    assert_ptr_equal(tt_task_pop(&queue[0], false), &job[1]);
    assert_ptr_equal(tt_task_pop(&queue[0], true), &job[2]);
    assert_null(tt_task_pop(&queue[0], true));
    tt_tasks_close(&tasks);
    assert_true(tt_tasks_help(&tasks, true));
    assert_false(tt_tasks_help(&tasks, true));
    assert_int_equal(job[0].result, 2);
    tt_tasks_open(&tasks);
    assert_ptr_equal(tt_task_pop(&queue[1], true), &job[0]);
    tt_task_queue_release(&queue[0]);
    tt_task_queue_release(&queue[0]);
    tt_task_queue_release(&queue[1]);
    assert_null(tasks.queue);
    tt_tasks_release(&tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_help),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
