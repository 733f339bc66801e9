/* kinds.c - lists the kinds of tables. */
#include "query/kinds.h"

#include <trace2tree/analyze.h>

static const struct tt_kind *const kinds[] = {
    &tt_kind_timeline,
    &tt_kind_timeline_by_step,
    &tt_kind_launchers,
    &tt_kind_ops_by_category,
    &tt_kind_ops_by_name,
    &tt_kind_ops_by_args,
    &tt_kind_ops_by_module,
    &tt_kind_kernels,
    &tt_kind_kernels_by_name,
    &tt_kind_kernels_by_op,
    &tt_kind_kernels_by_stream,
    &tt_kind_kernels_by_category,
    &tt_kind_kernels_by_duration,
    &tt_kind_launches_by_op,
    &tt_kind_launches_by_call,
    &tt_kind_launches_by_event,
    &tt_kind_launches_host_only,
    &tt_kind_launches_unlinked,
    &tt_kind_gaps_by_stream,
    &tt_kind_gaps_by_cause,
    &tt_kind_gaps_by_op,
    &tt_kind_gaps_by_hole,
    &tt_kind_modules,
    &tt_kind_modules_with_backward,
    &tt_kind_modules_folded,
    &tt_kind_links,
    &tt_kind_collectives,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *t2t_table_kind(unsigned n, const struct t2t_table_column **columns,
                           size_t *count)
{
    if (n >= KINDS)
        return NULL;
    *columns = kinds[n]->column;
    *count = kinds[n]->count;
    return kinds[n]->name;
}
