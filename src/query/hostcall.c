/* hostcall.c - calls that launched nothing. */
#include "query/hostcall.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/sieve.h"

/* A bit for each node, set where a GPU event was launched; NULL when memory is
 * short. */
static uint8_t *mark_launches(const t2t_index *index, uint32_t node_count)
{
    uint8_t *launched = calloc((size_t)node_count / 8 + 1, 1);
    uint32_t count;
    const t2t_id *ids = t2t_index_gpu_nodes(index, &count);

    for (uint32_t i = 0; launched && i < count; i++) {
        t2t_id launch = t2t_index_launch(index, ids[i]);

        if (launch < node_count)
            launched[launch / 8] |= (uint8_t)(1 << launch % 8);
    }
    return launched;
}

/* Adds node `id`, a call that launched nothing, if it passes. */
static enum t2t_status add_call(struct tt_host_calls *c, const t2t_index *index,
                                struct tt_sieve *sieve, t2t_id id,
                                struct t2t_error *err)
{
    struct t2t_element e;
    struct tt_gpu_event as_event;

    if (t2t_index_element(index, id, &e) || !e.has_start || e.lane == T2T_NO_ID)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "element %" PRIu32 " holds an impossible value", id);
    as_event = (struct tt_gpu_event){.time = {e.start_ns, e.start_ns},
                                     .id = id,
                                     .launch = id,
                                     .name = e.name,
                                     .lane = e.lane};
    if (sieve && !tt_sieve_passes(sieve, &as_event))
        return T2T_OK;
    if (!tt_vec_room(&c->item, &c->cap, c->count, sizeof(*c->item)))
        return tt_no_memory(err);
    c->item[c->count++] = (struct tt_host_call){id, e.name, e.dur_ns};
    return T2T_OK;
}

/* Goes through the nodes of layer launch. */
static enum t2t_status add_calls(struct tt_host_calls *c,
                                 const t2t_index *index, struct tt_sieve *sieve,
                                 struct t2t_error *err)
{
    struct t2t_columns columns;
    struct t2t_index_info info;
    uint8_t *is_launch;
    uint8_t *launched;
    enum t2t_status st = T2T_OK;

    t2t_index_info(index, &info);
    t2t_index_columns(index, &columns);
    t2t_index_will_read(index, columns.category,
                        (size_t)columns.node_count * sizeof(*columns.category));
    is_launch = calloc((size_t)UINT16_MAX + 1, 1);
    launched = mark_launches(index, columns.node_count);
    if (!is_launch || !launched)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < info.category_count && i <= UINT16_MAX; i++)
        is_launch[i] = t2t_index_category_layer(index, i) == T2T_LAYER_LAUNCH;
    for (t2t_id id = 0; !st && id < columns.node_count; id++)
        if (is_launch[columns.category[id]] &&
            !(launched[id / 8] >> id % 8 & 1))
            st = add_call(c, index, sieve, id, err);
    free(is_launch);
    free(launched);
    return st;
}

enum t2t_status tt_host_calls_read(struct tt_host_calls *c,
                                   const t2t_index *index,
                                   const struct t2t_selection *selection,
                                   struct t2t_error *err)
{
    struct tt_sieve sieve;
    enum t2t_status st;

    *c = (struct tt_host_calls){.count = 0};
    if (!selection)
        return add_calls(c, index, NULL, err);
    st = tt_sieve_open(&sieve, index, selection, err);
    if (!st)
        st = add_calls(c, index, &sieve, err);
    tt_sieve_close(&sieve);
    return st;
}

void tt_host_calls_release(struct tt_host_calls *c)
{
    free(c->item);
    *c = (struct tt_host_calls){.count = 0};
}
