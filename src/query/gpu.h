/*
 * query/gpu.h - the GPU events that an analysis looks at.
 */
#ifndef TT_QUERY_GPU_H
#define TT_QUERY_GPU_H

#include <stdint.h>

#include <trace2tree/analyze.h>
#include <trace2tree/index.h>

#include "query/bucket.h"
#include "query/busy.h"

struct tt_gpu_event {
    struct tt_interval time; /* on the trace's clock; an end past the last
                                time there is, is that */
    t2t_id id;
    t2t_id launch; /* or T2T_NO_ID */
    uint32_t name; /* string id, or T2T_NO_ID */
    uint32_t lane;
    uint16_t category; /* as of an element */
    uint8_t bucket;    /* enum tt_bucket */
};

/* Those of a selection. */
struct tt_gpu {
    const t2t_index *index;
    struct tt_gpu_event *event; /* by id; owned */
    uint32_t count;
    uint32_t all; /* how many the index has */
};

/*
 * Reads the GPU events of `selection`, NULL for all.
 *
 * @param gpu  release it with tt_gpu_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_USAGE when a module is no path; T2T_ERR_INDEX_DAMAGE;
 *         T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_gpu_read(struct tt_gpu *gpu, const t2t_index *index,
                            const struct t2t_selection *selection,
                            struct t2t_error *err);

/* The same, but of the window of the selection: also the events that reach into
 * it, and all cut at its ends. */
enum t2t_status tt_gpu_read_cut(struct tt_gpu *gpu, const t2t_index *index,
                                const struct t2t_selection *selection,
                                struct t2t_error *err);
void tt_gpu_release(struct tt_gpu *gpu);

/* Says in the table what was selected, if anything was, and how many of how
 * many GPU events that is. */
enum t2t_status tt_gpu_describe(const struct tt_gpu *gpu,
                                const struct t2t_selection *selection,
                                t2t_table *table, struct t2t_error *err);

/* The name that events without one count for: that of "", if the index has it.
 * Looks at all strings. */
uint32_t tt_unnamed(const t2t_index *index);

static inline uint64_t tt_gpu_ns(const struct tt_gpu_event *e)
{
    return (uint64_t)e->time.end_ns - (uint64_t)e->time.start_ns;
}

#endif
