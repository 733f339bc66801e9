/* hands.c - start, help, end. */
#include "pipeline/hands.h"

static void help(void *arg)
{
    while (tt_writer_help(arg, true))
        continue;
}

/* They wait at the writer, which wakes them itself. */
static void call(void *context, unsigned more)
{
    (void)context;
    (void)more;
}

void tt_hands_start(struct tt_hands *h, struct tt_writer *writer, size_t count)
{
    if (count > TT_HANDS_MOST)
        count = TT_HANDS_MOST;
    *h = (struct tt_hands){.writer = writer, .helpers = {count, call, NULL}};
    if (!count)
        return;
    tt_writer_invite(writer, &h->helpers);
    h->helpers.count = 0;
    while (h->helpers.count < count &&
           !uv_thread_create(&h->thread[h->helpers.count], help, writer))
        h->helpers.count++;
}

void tt_hands_end(struct tt_hands *h)
{
    tt_writer_dismiss(h->writer);
    for (size_t i = 0; i < h->helpers.count; i++)
        (void)uv_thread_join(&h->thread[i]);
}
