/*
 * model/lane.h - who an event belongs to: a thread of the host or a stream of
 * a GPU.
 *
 * A lane is (side, pid, tid).  An integer and a string of its digits are one
 * id; a missing id and null are one; any other string is an id by its text,
 * anything else by its JSON text.
 */
#ifndef TT_MODEL_LANE_H
#define TT_MODEL_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Kinds of an id, as in the index: doc/format.md, Lanes. */
enum {
    TT_ID_MISSING = 0,
    TT_ID_INTEGER = 1,  /* an int64_t, two's complement */
    TT_ID_UNSIGNED = 2, /* 2^63 and above */
    TT_ID_TEXT = 3,     /* a string number */
};

struct tt_id {
    uint64_t value;
    uint8_t kind;
    bool is_json; /* the string is JSON, of an array or object; an id is the
                     same without */
};

struct tt_lane {
    struct tt_id pid;
    struct tt_id tid;
    uint8_t side; /* enum t2t_side */
};

/* Equal lanes get equal numbers, in the order in which they first come. */
struct tt_lanes {
    struct tt_memory *memory; /* where they lie, or NULL; not owned */
    struct tt_lane *lane;     /* by number, owned */
    size_t cap;
    size_t count;
    uint32_t *slot; /* number plus one, open addressing, owned */
    size_t slots;
    uint32_t last; /* the one that was asked for last */
};

#define TT_LANES_FAILED UINT32_MAX

/* An all-zero table is empty and ready, and so is one that has its memory. */
void tt_lanes_release(struct tt_lanes *t);

/* Memory that it takes. */
size_t tt_lanes_bytes(const struct tt_lanes *t);

/* The number of `lane`; TT_LANES_FAILED when memory is short. */
uint32_t tt_lanes_add(struct tt_lanes *t, const struct tt_lane *lane);

/* Whether two ids are one. */
static inline bool tt_id_equal(struct tt_id a, struct tt_id b)
{
    return a.kind == b.kind && a.value == b.value;
}

#endif
