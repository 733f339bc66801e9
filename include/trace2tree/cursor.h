/*
 * cursor.h - what an element said: its JSON, its arguments, where it stood.
 *
 * These lie compressed in the index.  A cursor decompresses the frame of the
 * element asked for and remembers it, so that going through elements in file
 * order is fast and asking for one touches little.  A cursor belongs to one
 * thread at a time; an index may have any number of them.
 */
#ifndef TRACE2TREE_CURSOR_H
#define TRACE2TREE_CURSOR_H

#include <trace2tree/index.h>
#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct t2t_cursor t2t_cursor;

/*
 * Makes a cursor on `index`, which must stay open longer than it.
 *
 * @return T2T_OK; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_cursor_open(t2t_cursor **out,
                                        const t2t_index *index,
                                        struct t2t_error *err);

/* Frees `cursor`.  NULL is allowed. */
T2T_API void t2t_cursor_close(t2t_cursor *cursor);

/* The functions below answer T2T_NOT_FOUND for an id that is none,
 * T2T_ERR_INDEX_DAMAGE, or T2T_ERR_NO_MEMORY. */

/* The place of element `id` in traceEvents. */
T2T_API enum t2t_status t2t_cursor_position(t2t_cursor *cursor, t2t_id id,
                                            uint32_t *position,
                                            struct t2t_error *err);

/* The id of the element at `position` of traceEvents. */
T2T_API enum t2t_status t2t_cursor_id(t2t_cursor *cursor, uint32_t position,
                                      t2t_id *id, struct t2t_error *err);

/* The byte of the decompressed trace where element `id` begins. */
T2T_API enum t2t_status t2t_cursor_offset(t2t_cursor *cursor, t2t_id id,
                                          uint64_t *offset,
                                          struct t2t_error *err);

/*
 * The element as compact JSON, equal as data to the source.  The text is the
 * cursor's and lasts until the next call with it.
 */
T2T_API enum t2t_status t2t_cursor_json(t2t_cursor *cursor, t2t_id id,
                                        struct t2t_text *json,
                                        struct t2t_error *err);

/*
 * Argument `key` of element `id` as compact JSON: of duplicate keys the last.
 * Lasts until the next call.  T2T_NOT_FOUND also when the element has no such
 * argument; T2T_ERR_LIMIT when it is longer than 1 GiB.  `key` is UTF-8, not
 * escaped.
 */
T2T_API enum t2t_status t2t_cursor_argument(t2t_cursor *cursor, t2t_id id,
                                            const char *key,
                                            struct t2t_text *json,
                                            struct t2t_error *err);

/*
 * The n-th argument of element `id`, in the order of the trace, n from 0: its
 * key as a JSON string with quotes and its value as compact JSON.
 * T2T_NOT_FOUND past the last.
 */
T2T_API enum t2t_status t2t_cursor_argument_at(t2t_cursor *cursor, t2t_id id,
                                               uint32_t n, struct t2t_text *key,
                                               struct t2t_text *json,
                                               struct t2t_error *err);

/*
 * The n-th member of the document beside traceEvents, as it was written; key
 * is not escaped.  T2T_NOT_FOUND past the last.
 */
T2T_API enum t2t_status t2t_cursor_member(t2t_cursor *cursor, uint32_t n,
                                          struct t2t_text *key,
                                          struct t2t_text *json,
                                          struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
