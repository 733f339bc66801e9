/* hands.c - start, help, end. */
#include "pipeline/hands.h"

static void help(void *arg)
{
    while (tt_tasks_help(arg, true))
        continue;
}

/* They wait at the tasks, which wake them themselves. */
static void call(void *context, unsigned more)
{
    (void)context;
    (void)more;
}

void tt_hands_start(struct tt_hands *h, struct tt_tasks *tasks, size_t count)
{
    if (count > TT_HANDS_MOST)
        count = TT_HANDS_MOST;
    *h = (struct tt_hands){.tasks = tasks, .helpers = {0, call, NULL}};
    tt_tasks_open(tasks);
    while (h->helpers.count < count &&
           !uv_thread_create(&h->thread[h->helpers.count], help, tasks))
        h->helpers.count++;
}

void tt_hands_end(struct tt_hands *h)
{
    if (!h->tasks)
        return;
    tt_tasks_close(h->tasks);
    for (size_t i = 0; i < h->helpers.count; i++)
        (void)uv_thread_join(&h->thread[i]);
    *h = (struct tt_hands){.tasks = NULL};
}
