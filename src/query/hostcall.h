/*
 * query/hostcall.h - calls of the runtime and the driver that launched nothing
 * that was recorded: synchronizations, queries, allocations.
 */
#ifndef TT_QUERY_HOSTCALL_H
#define TT_QUERY_HOSTCALL_H

#include <stddef.h>
#include <stdint.h>

#include <trace2tree/index.h>
#include <trace2tree/selection.h>

struct tt_host_call {
    t2t_id id;
    uint32_t name; /* string id, or T2T_NO_ID */
    uint64_t dur_ns;
};

struct tt_host_calls {
    struct tt_host_call *item; /* by id; owned */
    size_t cap;
    uint32_t count;
};

/*
 * Lists those of `selection`, NULL for all: a call is in the step in which it
 * starts, and on no device.
 *
 * @param c  release it with tt_host_calls_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_USAGE when a module is no path; T2T_ERR_INDEX_DAMAGE;
 *         T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_host_calls_read(struct tt_host_calls *c,
                                   const t2t_index *index,
                                   const struct t2t_selection *selection,
                                   struct t2t_error *err);
void tt_host_calls_release(struct tt_host_calls *c);

#endif
