/* recompute.c - finds what activation checkpointing computes again. */
#include "query/recompute.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/word.h"

enum { UNKNOWN, NO, YES };

/* Whether a name is that of such a frame, decided once for each. */
static bool is_frame(const t2t_index *index, uint8_t *decided, uint32_t name)
{
    if (decided[name] == UNKNOWN) {
        struct t2t_text text = t2t_index_string(index, name);

        decided[name] = tt_has_word(text, "torch/utils/checkpoint.py") &&
                                tt_has_word(text, "recompute_fn")
                            ? YES
                            : NO;
    }
    return decided[name] == YES;
}

static enum t2t_status find_frames(struct tt_recompute *r,
                                   const t2t_index *index, uint32_t nodes,
                                   uint8_t *decided, struct t2t_error *err)
{
    t2t_id id = 0;

    while (id < nodes) {
        struct t2t_element e;

        if (t2t_index_element(index, id, &e))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "element %u holds an impossible value", id);
        id++;
        if (e.layer != T2T_LAYER_PYTHON || e.name == T2T_NO_ID ||
            !is_frame(index, decided, e.name))
            continue;
        if (!tt_vec_room(&r->ids, &r->cap, r->count, sizeof(*r->ids)))
            return tt_no_memory(err);
        r->ids[r->count++] = (struct tt_ids){e.id, e.id + e.size};
        id = e.id + e.size;
    }
    return T2T_OK;
}

enum t2t_status tt_recompute_find(struct tt_recompute *r,
                                  const t2t_index *index, struct t2t_error *err)
{
    struct t2t_index_info info;
    enum t2t_status st;
    uint8_t *decided;

    *r = (struct tt_recompute){.count = 0};
    t2t_index_info(index, &info);
    decided = calloc((size_t)info.string_count + 1, 1);
    if (!decided)
        return tt_no_memory(err);
    st = find_frames(r, index, info.node_count, decided, err);
    free(decided);
    return st;
}

void tt_recompute_release(struct tt_recompute *r)
{
    free(r->ids);
    r->ids = NULL;
}

bool tt_is_recomputed(const struct tt_recompute *r, t2t_id id)
{
    uint32_t low = 0;
    uint32_t high = r->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (r->ids[middle].end <= id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->count && r->ids[low].begin <= id;
}
