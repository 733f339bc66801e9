/*
 * query/climb.h - going up the tree from many nodes to what decides, without
 * going any way twice.
 */
#ifndef TT_QUERY_CLIMB_H
#define TT_QUERY_CLIMB_H

#include <trace2tree/index.h>

/* What node `id` decides: not 0 and not UINT32_MAX; 0 when it decides nothing,
 * so that what is above it does. */
typedef uint32_t tt_climb_ask(void *context, t2t_id id);

struct tt_climb {
    const t2t_index *index;
    tt_climb_ask *ask;
    void *context;
    uint32_t *known; /* by node, 0 where nobody has been; owned */
    uint32_t node_count;
};

/* @return T2T_OK; T2T_ERR_NO_MEMORY. */
enum t2t_status tt_climb_init(struct tt_climb *c, const t2t_index *index,
                              tt_climb_ask *ask, void *context,
                              struct t2t_error *err);
void tt_climb_release(struct tt_climb *c);

/* What the first node at or above `id` that decides something decides; 0 when
 * none does, and for what is no node. */
uint32_t tt_climb(struct tt_climb *c, t2t_id id);

#endif
