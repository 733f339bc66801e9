/*
 * query/recompute.h - what activation checkpointing computes a second time.
 *
 * That is a Python frame whose name holds both "torch/utils/checkpoint.py" and
 * "recompute_fn", and everything below it.
 */
#ifndef TT_QUERY_RECOMPUTE_H
#define TT_QUERY_RECOMPUTE_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/index.h>

/* Nodes from `begin` up to `end`. */
struct tt_ids {
    t2t_id begin;
    t2t_id end;
};

struct tt_recompute {
    struct tt_ids *ids; /* owned; ascending, none in another */
    size_t cap;
    uint32_t count;
};

/*
 * Finds them.
 *
 * @param r  release it with tt_recompute_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_recompute_find(struct tt_recompute *r,
                                  const t2t_index *index,
                                  struct t2t_error *err);
void tt_recompute_release(struct tt_recompute *r);

/* Whether node `id` is below one. */
bool tt_is_recomputed(const struct tt_recompute *r, t2t_id id);

#endif
