/*
 * pipeline/build.h - a build under way; inside of pipeline/ only.
 *
 * All parts and what is known so far.  One thread, the builder's.
 */
#ifndef TT_PIPELINE_BUILD_H
#define TT_PIPELINE_BUILD_H

#include <trace2tree/build.h>

#include "index/writer.h"
#include "input/source.h"
#include "merge/inbox.h"
#include "merge/tree.h"
#include "pipeline/assemble.h"
#include "pipeline/crew.h"
#include "pipeline/hands.h"
#include "pipeline/pump.h"

struct tt_build {
    struct tt_watch watch;
    t2t_build_watch *told; /* the caller's function, or NULL */
    void *told_context;
    uint64_t source_total; /* by the caller; 0: not known */
    enum t2t_build_phase phase;
    uint64_t parsed;     /* bytes of the document */
    struct tt_pump pump; /* of t2t_build_from() */
    struct tt_source *source;
    const struct tt_source_facts *facts;
    struct tt_memory memory;
    struct tt_tasks tasks;
    struct tt_hands hands; /* for them, when all is read */
    struct tt_trace trace;
    struct tt_inbox *inbox;
    struct tt_writer *writer;
    struct tt_assembly assembly;
    struct tt_crew crew;
    struct tt_tree tree;
    struct tt_lane_record *lane; /* of `memory` */
    size_t lanes;                /* there is room for */
    struct tt_header header;
    struct t2t_build_result result;
    enum t2t_status cut;  /* why the text ended before its end, or T2T_OK */
    t2t_build_tell *tell; /* told of damage, or NULL */
    void *tell_context;
    struct t2t_damage *held; /* not told yet: what is wrong with the text of a
                                compressed trace; of `memory` */
    size_t held_count;
    size_t held_cap;
    bool held_failed; /* memory was short for it */
    bool anonymous;
    t2t_build_odd *odd; /* told of odd things */
    void *odd_context;
};

/* Begins a phase; T2T_ERR_CANCELED when that is wanted. */
enum t2t_status tt_build_enter(struct tt_build *b, enum t2t_build_phase phase,
                               struct t2t_error *err);

/* The same on the way, when `at` bytes of the document are parsed. */
enum t2t_status tt_build_advance(struct tt_build *b, uint64_t at,
                                 struct t2t_error *err);

#endif
