/*
 * step.h - the recorded steps of a trace.
 *
 * A step is what the profiler's step() records: a complete event ("ph" is "X")
 * of category user_annotation named ProfilerStep#N, N decimal.  It stands
 * outside the tree, on a thread of the host, so what belongs to it is told by
 * time: its interval is half open, [start, end).  A gpu_user_annotation of that
 * name, on a stream, is no step.
 *
 * Steps are read once and then only asked: any number of threads may ask the
 * same ones at a time.
 */
#ifndef TRACE2TREE_STEP_H
#define TRACE2TREE_STEP_H

#include <stdint.h>

#include <trace2tree/index.h>
#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct t2t_steps t2t_steps;

#define T2T_NO_STEP UINT32_MAX

struct t2t_step {
    uint64_t number;  /* N; not unique where processes are merged */
    t2t_id id;        /* of the annotation: an element outside the tree */
    uint32_t lane;    /* where it was recorded: one with T2T_NO_SIDE */
    int64_t start_ns; /* on the trace's clock */
    int64_t end_ns;   /* INT64_MAX if it is past that */
};

/*
 * Reads the steps of `index`, which must stay open longer than they.  Looks at
 * the category of each element outside the tree.  An N past 64 bits is no
 * number of a step, nor is a step one without a readable time.
 *
 * @param out  set on success, also when there is no step; release with
 *             t2t_steps_close().
 * @param err  filled on failure when not NULL.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_steps_open(t2t_steps **out, const t2t_index *index,
                                       struct t2t_error *err);

/* Frees `steps`.  NULL is allowed. */
T2T_API void t2t_steps_close(t2t_steps *steps);

/* How many steps there are. */
T2T_API uint32_t t2t_steps_count(const t2t_steps *steps);

/* Fills `out` with the n-th step, n from 0, by start, then by id;
 * T2T_NOT_FOUND past the last. */
T2T_API enum t2t_status t2t_steps_at(const t2t_steps *steps, uint32_t n,
                                     struct t2t_step *out);

/*
 * The step, as t2t_steps_at() counts, that element `id` belongs to, or
 * T2T_NO_STEP: that in which it starts, a GPU event that in which its launch
 * starts, and one without a launch that in which it starts itself.
 *
 * Where steps overlap, as those of several processes in one trace, it is one
 * of the process (pid) of the element or launch, if there is one, and of
 * several the one that started last (of equal starts, the larger id).  A GPU
 * event without a launch has no process: a GPU's pid says which GPU.
 *
 * Takes O(log n).  T2T_NO_STEP also for an id that is none, without a readable
 * time, or damaged.
 */
T2T_API uint32_t t2t_steps_of(const t2t_steps *steps, t2t_id id);

#ifdef __cplusplus
}
#endif

#endif
