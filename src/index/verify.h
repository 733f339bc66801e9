/*
 * index/verify.h - the parts of t2t_index_verify().
 *
 * Every part may rely on what the parts before it have found in order.
 */
#ifndef TT_INDEX_VERIFY_H
#define TT_INDEX_VERIFY_H

#include <trace2tree/cursor.h>

#include "index/reader.h"

/* Says that record `i` of section `id` is damaged: returns
 * T2T_ERR_INDEX_DAMAGE. */
enum t2t_status tt_damage_at(const t2t_index *index, enum tt_section_id id,
                             uint64_t i, const char *what,
                             struct t2t_error *err);

/* Elements, durations, lanes: every value on its own. */
enum t2t_status tt_verify_columns(const t2t_index *index,
                                  struct t2t_error *err);

/* Preorder, GPU events, links: how values fit together. */
enum t2t_status tt_verify_tree(const t2t_index *index, struct t2t_error *err);

/* Unpacks every frame of the envelope; in cursor.c. */
enum t2t_status tt_cursor_envelope(t2t_cursor *cursor, struct t2t_error *err);

#endif
