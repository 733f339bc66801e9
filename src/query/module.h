/*
 * query/module.h - what belongs to a module that is named as a user does.
 */
#ifndef TT_QUERY_MODULE_H
#define TT_QUERY_MODULE_H

#include <stdint.h>

#include <trace2tree/index.h>

/*
 * Finds the subtrees that belong to `module` (find.h, t2t_filter.module):
 * those of its frames, and those of the backward events of what is below them.
 * They may lie in each other.
 *
 * @param begins  set to a bit for each node, from the lowest of each byte on,
 *                set where such a subtree begins; to be freed.
 * @return T2T_OK; T2T_ERR_USAGE; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_module_begins(const t2t_index *index, const char *module,
                                 uint8_t **begins, struct t2t_error *err);

#endif
