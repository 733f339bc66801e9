/* climb.c - goes up the tree, and remembers. */
#include "query/climb.h"

#include <stdlib.h>

#include "base/status.h"

#define NOBODY UINT32_MAX

enum t2t_status tt_climb_init(struct tt_climb *c, const t2t_index *index,
                              tt_climb_ask *ask, void *context,
                              struct t2t_error *err)
{
    struct t2t_index_info info;

    t2t_index_info(index, &info);
    *c = (struct tt_climb){.index = index,
                           .ask = ask,
                           .context = context,
                           .node_count = info.node_count};
    c->known = calloc((size_t)info.node_count + 1, sizeof(*c->known));
    if (!c->known)
        return tt_no_memory(err);
    return T2T_OK;
}

void tt_climb_release(struct tt_climb *c)
{
    free(c->known);
    c->known = NULL;
}

uint32_t tt_climb(struct tt_climb *c, t2t_id id)
{
    uint32_t answer = 0;
    t2t_id top;

    for (top = id; top < c->node_count; top = t2t_index_parent(c->index, top)) {
        answer = c->known[top];
        if (!answer)
            answer = c->ask(c->context, top);
        if (answer)
            break;
    }
    if (!answer)
        answer = NOBODY;
    for (; id != top; id = t2t_index_parent(c->index, id))
        c->known[id] = answer;
    if (top < c->node_count)
        c->known[top] = answer;
    return answer == NOBODY ? 0 : answer;
}
