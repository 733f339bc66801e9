/*
 * base/tasks.h - work that any thread may do and that comes back in order.
 *
 * The owner pushes tasks into queues and pops them from each in the order in
 * which they were pushed, when they are done.  Any threads may help meanwhile.
 * What nobody has begun when it is its turn the owner does itself, so all is
 * done without help, too.
 *
 * One thread at a time owns a pool with its queues and calls all but
 * tt_tasks_help(), which any thread may call.
 */
#ifndef TT_BASE_TASKS_H
#define TT_BASE_TASKS_H

#include <stdbool.h>

#include <uv.h>

#include "base/status.h"

struct tt_task_queue;

enum tt_task_state {
    TT_TASK_WAITING,
    TT_TASK_TAKEN,
    TT_TASK_RUN, /* but its turn has not come */
    TT_TASK_DONE
};

/* A task, the first member of what it is about. */
struct tt_task {
    /* Does it, on any thread; NULL: there is nothing to do but wait for its
     * turn. */
    void (*run)(struct tt_task *task);
    /* The same, when it and all before it in the queue are done that far; on
     * any thread, but one at a time of a queue.  Or NULL. */
    void (*run_in_order)(struct tt_task *task);
    enum tt_task_state state; /* the pool's, as are the next */
    struct tt_task_queue *queue;
    struct tt_task *next;
};

struct tt_task_queue {
    struct tt_tasks *tasks;
    struct tt_task *first;
    struct tt_task *last;
    struct tt_task *turn;       /* the first that is not done; NULL: none */
    bool has_turn;              /* somebody runs that in order */
    struct tt_task_queue *next; /* of the pool */
};

struct tt_tasks {
    uv_mutex_t lock; /* of all below, and of what stands in the queues */
    uv_cond_t to_do; /* there is something to do, or there will not be */
    uv_cond_t done;  /* the first of a queue is */
    struct tt_task_queue *queue; /* a list of those to look through, in order */
    bool closed;                 /* nothing is pushed any more */
};

/* An open pool without queues; T2T_OK or T2T_ERR_NO_MEMORY. */
enum t2t_status tt_tasks_init(struct tt_tasks *tasks);

/* Ends it, when all queues have left it and nobody helps. */
void tt_tasks_release(struct tt_tasks *tasks);

/* Adds an empty queue to the pool, behind the others: what stands in those goes
 * before. */
void tt_task_queue_init(struct tt_task_queue *queue, struct tt_tasks *tasks);

/* Takes it out again, when no task of it is under way; an all-zero one is
 * allowed. */
void tt_task_queue_release(struct tt_task_queue *queue);

/* Puts a task, which stays the owner's, behind the others. */
void tt_task_push(struct tt_task_queue *queue, struct tt_task *task);

/* The first task, done, which is not in the queue any more.  NULL: there is
 * none, or it is not done and is not waited for. */
struct tt_task *tt_task_pop(struct tt_task_queue *queue, bool wait);

/*
 * Does a task that nobody has begun.
 *
 * @param wait  until there is one, or the pool is closed.
 * @return whether there was one.
 */
bool tt_tasks_help(struct tt_tasks *tasks, bool wait);

/* Nothing will be pushed from now on until it is opened: who waits to help goes
 * home. */
void tt_tasks_close(struct tt_tasks *tasks);
void tt_tasks_open(struct tt_tasks *tasks);

#endif
