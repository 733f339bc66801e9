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

/* Elements, durations: every value on its own. */
enum t2t_status tt_verify_columns(const t2t_index *index,
                                  struct t2t_error *err);

/* Lanes: their ids, their order, and what they say of their elements. */
enum t2t_status tt_verify_lanes(const t2t_index *index, struct t2t_error *err);

/* Preorder, order of siblings, flags, GPU events, links: how values fit
 * together. */
enum t2t_status tt_verify_tree(const t2t_index *index, struct t2t_error *err);

/* Compares two pids or tids in the order of lanes: below 0, 0, above 0. */
int tt_verify_order(const struct t2t_lane_id *a, const struct t2t_lane_id *b);

/* The end of a node; past the last time there is, that. */
int64_t tt_verify_end(const struct t2t_element *e);

/* ---- what elements said -------------------------------------------------- *
 *
 * Most elements are told by their shape: a template is read once, with its
 * holes, and each text that fills one, too.  What is left is to compare the
 * few members of an element that have columns.
 */
struct tt_said;

enum t2t_status tt_said_create(struct tt_said **out, const t2t_index *index,
                               struct t2t_error *err);
void tt_said_free(struct tt_said *s);

/*
 * Looks at shape `number`, which has the template `text`; before elements, all
 * shapes.  T2T_OK; T2T_ERR_INDEX_DAMAGE when it is no JSON, whatever fills its
 * holes; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_said_shape(struct tt_said *s, uint32_t number,
                              struct t2t_text text);

/*
 * Compares element `e` of shape `number`, with its values, with its columns.
 * Sets e->has_start when its time is the least there is, which an element
 * outside the tree cannot tell.
 *
 * @param json  the element, made with tt_shape_render().
 * @param what  set with T2T_ERR_INDEX_DAMAGE: what is wrong, static.
 */
enum t2t_status tt_said_check(struct tt_said *s, struct t2t_element *e,
                              uint32_t number, const uint64_t *value,
                              struct t2t_text json, const char **what);

/* Whether `text` is one JSON value.  T2T_OK; T2T_ERR_INDEX_DAMAGE;
 * T2T_ERR_NO_MEMORY. */
enum t2t_status tt_said_value(struct tt_said *s, struct t2t_text text);

/* ---- what elements of a thread say together ------------------------------ *
 *
 * The duration of a B is told by the E that closes it, the names of processes
 * and threads by metadata.
 */
struct tt_threads;

enum t2t_status tt_threads_create(struct tt_threads **out,
                                  const t2t_index *index,
                                  struct t2t_error *err);
void tt_threads_free(struct tt_threads *t);

/* Takes in an element, in the order of the trace; `cursor` is on the index. */
enum t2t_status tt_threads_take(struct tt_threads *t, t2t_cursor *cursor,
                                const struct t2t_element *e,
                                struct t2t_error *err);

/* Behind the last one. */
enum t2t_status tt_threads_finish(struct tt_threads *t, struct t2t_error *err);

/* Unpacks every frame of the envelope; in cursor.c. */
enum t2t_status tt_cursor_envelope(t2t_cursor *cursor, struct t2t_error *err);

#endif
