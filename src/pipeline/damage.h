/*
 * pipeline/damage.h - what is damaged in the document: counted, kept, told.
 */
#ifndef TT_PIPELINE_DAMAGE_H
#define TT_PIPELINE_DAMAGE_H

#include <trace2tree/build.h>

#include "base/memory.h"
#include "base/status.h"
#include "format/format.h"
#include "model/anomaly.h"
#include "json/repair.h"

/* What to try where something is past a limit. */
#define TT_GIVES_IT_UP "; build --salvage gives it up"

struct tt_damage {
    enum t2t_tolerance tolerance;
    struct tt_anomalies *anomalies; /* counts repairs; not owned */
    struct tt_memory *memory;       /* for those lost, or NULL; not owned */
    struct tt_loss_record *loss;    /* owned; ascending by offset */
    size_t losses;
    size_t loss_cap;
    bool losing;          /* the last loss has no end yet */
    const char *reason;   /* of that, static storage, or NULL */
    t2t_build_tell *tell; /* told of both, or NULL */
    void *context;
};

/* All-zero is allowed. */
void tt_damage_release(struct tt_damage *d);

/* Counts the repairs that a scan noted and forgets them.  They belong to the
 * element at `position`, or to none: TT_NO_POSITION. */
void tt_damage_repaired(struct tt_damage *d, struct tt_repair *r,
                        uint64_t position);

/* A loss begins at `offset`, because of the byte at `damage`.  Why may be set
 * in `reason` then. */
enum t2t_status tt_damage_lose(struct tt_damage *d, uint64_t offset,
                               uint64_t damage, enum t2t_status class,
                               struct t2t_error *err);

/* The loss under way, or the last one; its elements are for the one who began
 * it. */
static inline struct tt_loss_record *tt_damage_loss(struct tt_damage *d)
{
    return &d->loss[d->losses - 1];
}

/* It ends at `offset`; of the elements lost the first is at `position`. */
void tt_damage_end(struct tt_damage *d, uint64_t offset, uint64_t position);

#endif
