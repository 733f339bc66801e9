/*
 * query/hostwork.h - what a thread of the host did during some time.
 */
#ifndef TT_QUERY_HOSTWORK_H
#define TT_QUERY_HOSTWORK_H

#include <stdint.h>

#include <trace2tree/index.h>

#include "query/busy.h"

/* A question and its answer. */
struct tt_host_work {
    uint32_t lane; /* T2T_NO_ID: of no thread, no answer */
    struct tt_interval during;
    t2t_id call; /* the call that counts, or T2T_NO_ID: see idle.h */
    uint64_t ns; /* how long it ran during that time */
};

/*
 * Answers `count` questions, in any order.  Takes O((nodes + count) log) time,
 * however deep calls lie in each other.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_host_work_find(const t2t_index *index,
                                  struct tt_host_work *work, uint32_t count,
                                  struct t2t_error *err);

#endif
