/*
 * query/launcher.h - what launched the GPU events: the rows of the tables of
 * operations.
 *
 * The launcher of a GPU event is the nearest operation above its launch that is
 * not named "execute"; Python frames and calls around the launch are stepped
 * over.  Without such an operation it is the launch itself, and a GPU event
 * without a launch stands for itself, named "(unlinked)".
 *
 * Communication is no direct work of a launcher, but is in its subtree.
 */
#ifndef TT_QUERY_LAUNCHER_H
#define TT_QUERY_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "query/gpu.h"
#include "query/op_category.h"

struct tt_launcher {
    t2t_id id;
    uint32_t lane;
    int64_t start_ns;
    uint32_t name;         /* see tt_launcher_name() */
    uint8_t category;      /* enum tt_op_category */
    bool is_unlinked;      /* it is a GPU event */
    uint32_t direct_count; /* direct GPU events that are no communication */
    uint64_t direct_ns;    /* their busy time */
    uint64_t subtree_ns;   /* that of all GPU events below it */
    struct tt_run below;   /* those events, among the events of `gpu` */
};

struct tt_launchers {
    const struct tt_gpu *gpu;
    struct tt_launcher *item; /* owned; in the order of their first events */
    uint32_t count;
    uint32_t *of;       /* the launcher of each event of `gpu`; owned */
    uint32_t *order;    /* those with direct events, by start, then by place in
                           traceEvents; owned */
    uint32_t row_count; /* length of `order` */
    uint32_t unlinked;  /* the name "(unlinked)", ... */
    uint32_t unnamed;   /* ... and that of events without a name */
};

/*
 * Finds the launchers of the events of `gpu`, which stays where it is as long
 * as they are used.
 *
 * @param l  release it with tt_launchers_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_launchers_find(struct tt_launchers *l,
                                  const struct tt_gpu *gpu,
                                  struct t2t_error *err);
void tt_launchers_release(struct tt_launchers *l);

/* Frees all but what tt_launcher_name() needs. */
void tt_launchers_trim(struct tt_launchers *l);

/* The text of the name of a launcher, "" where the trace has none.  Names are
 * equal texts when they are equal numbers. */
struct t2t_text tt_launcher_name(const struct tt_launchers *l, uint32_t name);

#endif
