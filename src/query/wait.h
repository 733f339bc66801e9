/*
 * query/wait.h - which GPU events a recorded wait for another stream names.
 *
 * A record "Stream Wait Event" stands beside the tree with the pid and tid of
 * the stream that waits, at the time of the host at which it was told so.  What
 * waits is what the stream is given next.  Where a trace has no such record,
 * calls of cudaStreamWaitEvent and the like are used, which do not say of which
 * stream they are: what their thread launches next counts as what waits.
 */
#ifndef TT_QUERY_WAIT_H
#define TT_QUERY_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "query/stream.h"

/* Something at a time of the host. */
struct tt_host_time {
    int64_t ns;
    uint32_t lane;
    t2t_id id;
};

struct tt_waits {
    const struct tt_streams *streams;
    struct tt_host_time *wait; /* by lane, then by time, then by id; owned */
    size_t cap;
    uint32_t count;
    struct tt_host_time *launch; /* all launches in the same order; owned */
    uint32_t launch_count;
    bool by_call; /* lanes are threads, not streams */
};

/*
 * Reads the waits of the index of `streams`.
 *
 * @param w  release it with tt_waits_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_LIMIT; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_waits_read(struct tt_waits *w,
                              const struct tt_streams *streams,
                              struct t2t_error *err);
void tt_waits_release(struct tt_waits *w);

/* The last wait that names event `i`, or T2T_NO_ID. */
t2t_id tt_waits_of(const struct tt_waits *w, uint32_t i);

#endif
