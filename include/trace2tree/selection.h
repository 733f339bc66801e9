/*
 * selection.h - which GPU events an analysis looks at.
 */
#ifndef TRACE2TREE_SELECTION_H
#define TRACE2TREE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/index.h>
#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A GPU event is looked at when it passes all that is set.  All zero: every
 * one.  Whole events are selected, never parts of one.
 */
struct t2t_selection {
    bool linked_only; /* leave out those without a launch */

    bool steps; /* whether first_step and last_step count: */
    uint64_t first_step;
    uint64_t last_step; /* of a step with such a number: see step.h.  It is the
                           step in which the launch starts */

    bool between; /* whether from_ns and to_ns count: */
    int64_t from_ns;
    int64_t to_ns; /* starts in [from_ns, to_ns), on the trace's clock */

    const char *device; /* of the GPU with this pid, as text; NULL: any */

    const char *module; /* under a module frame, also through a backward link:
                           see t2t_filter.module in find.h; NULL: any */
};

/*
 * Whether `index` has what a selection names: its device, one of its steps, its
 * module.  Analyses do not ask: of what is not there they answer tables without
 * rows, as of what has no GPU events.  Goes through the index for a module.
 *
 * @param selection  NULL has no names.
 * @param err        filled when not NULL; for what is not there with a line
 *                   such as "no device '2': there are 0, 1".
 * @return T2T_OK; T2T_ERR_USAGE when something is not there, or a module is no
 *         path; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status
t2t_selection_check(const t2t_index *index,
                    const struct t2t_selection *selection,
                    struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
