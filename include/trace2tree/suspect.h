/*
 * suspect.h - what in a trace makes its tables say less, or other, than they
 * seem to.
 *
 * An anomaly (index.h) is one event that is odd by itself.  A suspicion is
 * about what the tables of an index come to: times that cannot be, links that
 * are not there, events that are no nodes.
 */
#ifndef TRACE2TREE_SUSPECT_H
#define TRACE2TREE_SUSPECT_H

#include <trace2tree/index.h>
#include <trace2tree/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A row for each kind of suspicion that there is reason for, so none for most
 * traces.  Columns: kind, count (of elements), first (the smallest id of
 * them; empty where it is about none), what (a sentence without its stop,
 * without the count).  The kinds, in this order:
 *
 * gpu-at-zero         GPU events that start at 0, when everything else starts
 *                     after 1 s.
 * over-7-days         Elements that last longer than 7 days.
 * gpu-overrun         GPU events that end after the next one on their stream
 *                     has started, by at least 1 ms, and by at least 100 times
 *                     as much as any of those lasts that start meanwhile; the
 *                     first 1,000 of them are looked at.  One that ends after
 *                     the start of the next counts as ending there, so that
 *                     several that overrun do not hide each other.  What starts
 *                     at 0 is left out.
 * shared-correlation  GPU events under no launch, as launches of several
 *                     processes have their number: the anomaly of that name.
 * old-category        Elements of the categories Operator, Kernel, Memcpy,
 *                     Memset and Runtime, which were written until 2022.
 * no-gpu-events       The tree has no GPU event; count is 0.
 * no-launches         There are GPU events, but no event of a category of
 *                     launches.
 *
 * Takes time in proportion to the GPU events, where those of a stream stand in
 * order, and to the elements where there are old categories.
 *
 * @param out  set on success; free with t2t_table_free().
 * @param err  filled on failure when not NULL.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_suspects(const t2t_index *index, t2t_table **out,
                                     struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
