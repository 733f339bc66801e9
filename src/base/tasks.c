/* tasks.c - queues whose tasks are done in any order. */
#include "base/tasks.h"

enum t2t_status tt_tasks_init(struct tt_tasks *tasks)
{
    *tasks = (struct tt_tasks){.queue = NULL};
    if (uv_mutex_init(&tasks->lock))
        return T2T_ERR_NO_MEMORY;
    if (uv_cond_init(&tasks->to_do))
        goto free_lock;
    if (uv_cond_init(&tasks->done))
        goto free_to_do;
    return T2T_OK;

free_to_do:
    uv_cond_destroy(&tasks->to_do);
free_lock:
    uv_mutex_destroy(&tasks->lock);
    return T2T_ERR_NO_MEMORY;
}

void tt_tasks_release(struct tt_tasks *tasks)
{
    uv_cond_destroy(&tasks->done);
    uv_cond_destroy(&tasks->to_do);
    uv_mutex_destroy(&tasks->lock);
}

void tt_task_queue_init(struct tt_task_queue *queue, struct tt_tasks *tasks)
{
    struct tt_task_queue **at = &tasks->queue;

    *queue = (struct tt_task_queue){.tasks = tasks};
    uv_mutex_lock(&tasks->lock);
    while (*at)
        at = &(*at)->next;
    *at = queue;
    uv_mutex_unlock(&tasks->lock);
}

void tt_task_queue_release(struct tt_task_queue *queue)
{
    struct tt_tasks *tasks = queue->tasks;

    if (!tasks)
        return;
    uv_mutex_lock(&tasks->lock);
    for (struct tt_task_queue **at = &tasks->queue; *at; at = &(*at)->next)
        if (*at == queue) {
            *at = queue->next;
            break;
        }
    uv_mutex_unlock(&tasks->lock);
    *queue = (struct tt_task_queue){.tasks = NULL};
}

/* Runs in order what has come so far; the lock is held, but not while it does.
 * One thread does so for all, so they never wait for each other. */
static void run_in_order(struct tt_task_queue *queue)
{
    struct tt_tasks *tasks = queue->tasks;
    struct tt_task *t;

    if (queue->has_turn)
        return;
    queue->has_turn = true;
    while ((t = queue->turn) && t->state == TT_TASK_RUN) {
        if (t->run_in_order) {
            uv_mutex_unlock(&tasks->lock);
            t->run_in_order(t);
            uv_mutex_lock(&tasks->lock);
        }
        queue->turn = t->next;
        t->state = TT_TASK_DONE;
        if (t == queue->first)
            uv_cond_signal(&tasks->done);
    }
    queue->has_turn = false;
}

void tt_task_push(struct tt_task_queue *queue, struct tt_task *task)
{
    struct tt_tasks *tasks = queue->tasks;

    task->next = NULL;
    task->queue = queue;
    uv_mutex_lock(&tasks->lock);
    task->state = task->run ? TT_TASK_WAITING : TT_TASK_RUN;
    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    if (!queue->turn)
        queue->turn = task;
    if (task->run)
        uv_cond_signal(&tasks->to_do);
    else
        run_in_order(queue);
    uv_mutex_unlock(&tasks->lock);
}

static struct tt_task *find_waiting(const struct tt_task_queue *queue)
{
    struct tt_task *t = queue->first;

    while (t && t->state != TT_TASK_WAITING)
        t = t->next;
    return t;
}

static struct tt_task *find_any(const struct tt_tasks *tasks)
{
    struct tt_task *t = NULL;

    for (const struct tt_task_queue *q = tasks->queue; q && !t; q = q->next)
        t = find_waiting(q);
    return t;
}

/* Does a task that is waiting; the lock is held, but not while it does. */
static void run(struct tt_tasks *tasks, struct tt_task *t)
{
    t->state = TT_TASK_TAKEN;
    uv_mutex_unlock(&tasks->lock);
    t->run(t);
    uv_mutex_lock(&tasks->lock);
    t->state = TT_TASK_RUN;
    run_in_order(t->queue);
}

struct tt_task *tt_task_pop(struct tt_task_queue *queue, bool wait)
{
    struct tt_tasks *tasks = queue->tasks;
    struct tt_task *t;
    struct tt_task *other;

    uv_mutex_lock(&tasks->lock);
    t = queue->first;
    while (wait && t && t->state != TT_TASK_DONE) {
        other = find_waiting(queue);
        if (!other)
            other = find_any(tasks);
        if (other)
            run(tasks, other);
        else
            uv_cond_wait(&tasks->done, &tasks->lock);
    }
    if (t && t->state != TT_TASK_DONE)
        t = NULL;
    if (t)
        queue->first = t->next;
    uv_mutex_unlock(&tasks->lock);
    return t;
}

bool tt_tasks_help(struct tt_tasks *tasks, bool wait)
{
    struct tt_task *t;

    uv_mutex_lock(&tasks->lock);
    while (!(t = find_any(tasks)) && wait && !tasks->closed)
        uv_cond_wait(&tasks->to_do, &tasks->lock);
    if (t)
        run(tasks, t);
    uv_mutex_unlock(&tasks->lock);
    return t != NULL;
}

static void set_closed(struct tt_tasks *tasks, bool closed)
{
    uv_mutex_lock(&tasks->lock);
    tasks->closed = closed;
    uv_cond_broadcast(&tasks->to_do);
    uv_mutex_unlock(&tasks->lock);
}

void tt_tasks_close(struct tt_tasks *tasks)
{
    set_closed(tasks, true);
}

void tt_tasks_open(struct tt_tasks *tasks)
{
    set_closed(tasks, false);
}
