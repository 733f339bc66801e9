/*
 * query/gap.h - what the tables of holes share.
 */
#ifndef TT_QUERY_GAP_H
#define TT_QUERY_GAP_H

#include <stdint.h>

#include "query/group.h"
#include "query/hole.h"
#include "query/launcher.h"
#include "query/row.h"

/* All that a table is made of. */
struct tt_gaps {
    struct tt_streams streams;
    struct tt_holes holes;
    struct tt_launchers launchers; /* only of tables that name operations */
    struct tt_groups groups;
    struct tt_rows rows;
    struct tt_stream_name name;
    uint32_t *order; /* of holes, or NULL; owned */
};

/* Where a hole comes: by length, the longest first, if that is known, then by
 * start. */
struct tt_hole_order {
    int64_t start_ns;
    uint64_t ns; /* 0: not known */
    t2t_id next;
    uint32_t number;
};

/* For qsort(), of tt_hole_order. */
int tt_hole_compare(const void *left, const void *right);

const char *tt_gap_class_text(unsigned class);

/* The element that a hole was waited for, or T2T_NO_ID. */
t2t_id tt_gap_cause(const struct tt_gaps *g, const struct tt_hole *h);

/* The string id of its name; TT_NO_CAUSE where there is none. */
uint32_t tt_gap_cause_name(const struct tt_gaps *g, const struct tt_hole *h);
#define TT_NO_CAUSE (T2T_NO_ID - 1)

/* A name, or how no cause of a class is said. */
struct t2t_text tt_gap_text(const struct tt_gaps *g, unsigned class,
                            uint32_t name);

/* What a hole was waited for. */
static inline struct t2t_text tt_gap_cause_text(const struct tt_gaps *g,
                                                const struct tt_hole *h)
{
    return tt_gap_text(g, h->class, tt_gap_cause_name(g, h));
}

static inline const struct tt_gpu_event *tt_gap_event(const struct tt_gaps *g,
                                                      uint32_t i)
{
    return &g->streams.gpu.event[i];
}

/* The name of the operation that launched what runs behind a hole. */
static inline uint32_t tt_gap_op(const struct tt_gaps *g,
                                 const struct tt_hole *h)
{
    return g->launchers.item[g->launchers.of[h->next]].name;
}

/* Adds the cell of an id that may be none. */
static inline void tt_row_id(struct tt_rows *rows, t2t_id id)
{
    if (id == T2T_NO_ID)
        tt_row_null(rows);
    else
        tt_row_unsigned(rows, id);
}

/* Makes the table by hole. */
enum t2t_status tt_gaps_by_hole(struct tt_gaps *g, struct t2t_error *err);

#endif
