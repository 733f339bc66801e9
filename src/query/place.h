/*
 * query/place.h - the places in traceEvents of some elements, which settle the
 * order of what is equal otherwise.
 */
#ifndef TT_QUERY_PLACE_H
#define TT_QUERY_PLACE_H

#include <trace2tree/index.h>

/*
 * Fills position[i] with the place of element id[i].  Takes them in order of
 * ids, so that no frame of the index is unpacked twice.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_places(const t2t_index *index, const t2t_id *id,
                          uint32_t count, uint32_t *position,
                          struct t2t_error *err);

#endif
