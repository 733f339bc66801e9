/*
 * query/launches.h - what the tables of launches share: see idle.h.
 */
#ifndef TT_QUERY_LAUNCHES_H
#define TT_QUERY_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "query/delay.h"
#include "query/group.h"
#include "query/launcher.h"
#include "query/row.h"
#include "query/stream.h"

/* All that a table is made of. */
struct tt_launches {
    struct tt_streams streams;
    struct tt_launchers launchers; /* only of tables that name operations */
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_stream_name name;
    uint32_t *member; /* the events that count; owned */
    uint32_t count;
    uint32_t *depth; /* by event; owned */
};

/* Lists the selected events that have a launch, or those that have none. */
enum t2t_status tt_launches_list(struct tt_launches *l, bool linked,
                                 struct t2t_error *err);

/* Finds the depths. */
enum t2t_status tt_launches_depths(struct tt_launches *l,
                                   struct t2t_error *err);

/* Fills place[n] with the place in traceEvents of the n-th member. */
enum t2t_status tt_launches_places(const struct tt_launches *l, uint32_t *place,
                                   struct t2t_error *err);

/* Ranks the groups that all members were added to, equal ones by the place of
 * their first member in the trace. */
enum t2t_status tt_launches_rank(struct tt_launches *l, struct t2t_error *err);

/* The n-th member. */
static inline const struct tt_gpu_event *
tt_launches_member(const struct tt_launches *l, uint32_t n)
{
    return &l->streams.gpu.event[l->member[n]];
}

/* The delay of event `i`. */
static inline int64_t tt_launches_delay(const struct tt_launches *l, uint32_t i)
{
    return tt_delay(l->streams.queued[i].launch_ns,
                    l->streams.gpu.event[i].time.start_ns);
}

/* The name of element `id`; "" without one. */
static inline struct t2t_text tt_launches_text(const struct tt_launches *l,
                                               t2t_id id)
{
    struct t2t_text text = t2t_index_name(l->streams.gpu.index, id);

    return text.ptr ? text : t2t_text_of("");
}

/* Make tables of single events, and of what has no GPU event or no launch. */
enum t2t_status tt_launches_by_event(struct tt_launches *l,
                                     struct t2t_error *err);
enum t2t_status tt_launches_unlinked(struct tt_launches *l,
                                     struct t2t_error *err);
enum t2t_status tt_launches_host_only(struct tt_launches *l,
                                      const struct t2t_selection *selection,
                                      struct t2t_error *err);

#endif
