/*
 * cursor.h - what an element said: its JSON, its arguments, where it stood.
 *
 * These lie compressed in the index, in frames of some thousand elements.  A
 * cursor decompresses the frame of the element asked for and keeps the frames
 * that it used last, so that going through elements in the order of the trace
 * or of ids is fast and asking for one touches little.  With a usual trace that
 * takes up to 10 MB a cursor; with one of huge elements 16 MB, and what one
 * frame and one element take.
 *
 * A cursor belongs to one thread at a time; an index may have any number of
 * them.  Text that a cursor answers is the cursor's and lasts until the next
 * call with it: print or copy it before asking for the next.
 *
 * Unless it says more, a function answers T2T_OK; T2T_NOT_FOUND when there is
 * no such thing; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.  What it fills is
 * filled with T2T_OK only, and `err`, when not NULL, with an error.
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

/* The place of element `id` in traceEvents. */
T2T_API enum t2t_status t2t_cursor_position(t2t_cursor *cursor, t2t_id id,
                                            uint32_t *position,
                                            struct t2t_error *err);

/* The id of the element at `position` of traceEvents.  Whoever goes through
 * many elements of a trace that is in no order asks this first for each. */
T2T_API enum t2t_status t2t_cursor_id(t2t_cursor *cursor, uint32_t position,
                                      t2t_id *id, struct t2t_error *err);

/* The byte of the decompressed trace where element `id` begins. */
T2T_API enum t2t_status t2t_cursor_offset(t2t_cursor *cursor, t2t_id id,
                                          uint64_t *offset,
                                          struct t2t_error *err);

/*
 * The element as compact JSON, equal as data to the source: no spaces outside
 * strings, in strings nothing escaped but `"`, `\`, control characters and
 * halves of surrogate pairs.  Numbers are as they were written, but that the
 * fractions of `ts` and `dur` may come without the zeros at their end: 1.500 as
 * 1.5, 22.0 as 22.
 */
T2T_API enum t2t_status t2t_cursor_json(t2t_cursor *cursor, t2t_id id,
                                        struct t2t_text *json,
                                        struct t2t_error *err);

/* ---- arguments and fields ------------------------------------------------ *
 *
 * An argument is a member of the object `args` of an element, a field one of
 * the element itself: "ph", "ts", "id", "args", ...  `key` is UTF-8, not
 * escaped; of duplicate keys, and of several `args`, the last counts.
 *
 * All these answer T2T_NOT_FOUND also when the element has no such member, and
 * T2T_ERR_LIMIT when its JSON is longer than 1 GiB.
 */

/* Argument `key` of element `id` as compact JSON. */
T2T_API enum t2t_status t2t_cursor_argument(t2t_cursor *cursor, t2t_id id,
                                            const char *key,
                                            struct t2t_text *json,
                                            struct t2t_error *err);

/*
 * The n-th argument of element `id`, in the order of the trace, n from 0: its
 * key as a JSON string with quotes and its value as compact JSON.  One after
 * the other they take linear time.
 */
T2T_API enum t2t_status t2t_cursor_argument_at(t2t_cursor *cursor, t2t_id id,
                                               uint32_t n, struct t2t_text *key,
                                               struct t2t_text *json,
                                               struct t2t_error *err);

/* Field `key` of element `id` as compact JSON. */
T2T_API enum t2t_status t2t_cursor_field(t2t_cursor *cursor, t2t_id id,
                                         const char *key, struct t2t_text *json,
                                         struct t2t_error *err);

/* The n-th field of element `id`, as t2t_cursor_argument_at(). */
T2T_API enum t2t_status t2t_cursor_field_at(t2t_cursor *cursor, t2t_id id,
                                            uint32_t n, struct t2t_text *key,
                                            struct t2t_text *json,
                                            struct t2t_error *err);

/*
 * Argument `key` of element `id` as a value; T2T_OTHER_TYPE when it is there
 * but is no such value.
 *   - An integer: t2t_json_integer().
 *   - A real number: t2t_json_real().
 *   - A string: without quotes and escapes, see text.h; no number, no null.
 */
T2T_API enum t2t_status t2t_cursor_integer(t2t_cursor *cursor, t2t_id id,
                                           const char *key, int64_t *value,
                                           struct t2t_error *err);
T2T_API enum t2t_status t2t_cursor_real(t2t_cursor *cursor, t2t_id id,
                                        const char *key, double *value,
                                        struct t2t_error *err);
T2T_API enum t2t_status t2t_cursor_string(t2t_cursor *cursor, t2t_id id,
                                          const char *key,
                                          struct t2t_text *text,
                                          struct t2t_error *err);

/*
 * The number that a JSON value is, such as a field or a member of the document:
 * a number, the text of one (writers quote some), or true or false, which are
 * 1 and 0.  No spaces before or behind it.
 *   - An integer is exact, however it is written: 12, 12.0, 1.2e1, "12".  One
 *     with a fraction or past int64_t is another type.
 *   - A real number is the nearest double, rounded once, half to even: 0.5,
 *     "1e-3".  One past what a double can be is another type.
 *
 * @return T2T_OK; T2T_OTHER_TYPE, and `*value` is not touched.
 */
T2T_API enum t2t_status t2t_json_integer(struct t2t_text json, int64_t *value);
T2T_API enum t2t_status t2t_json_real(struct t2t_text json, double *value);

/* ---- the document -------------------------------------------------------- */

/*
 * The n-th member of the document beside traceEvents, n from 0, in the order of
 * the document: its key, not escaped, which lasts as long as the index, and its
 * value as it was written, spaces too.
 */
T2T_API enum t2t_status t2t_cursor_member(t2t_cursor *cursor, uint32_t n,
                                          struct t2t_text *key,
                                          struct t2t_text *json,
                                          struct t2t_error *err);

/* The member with this key, UTF-8, not escaped: of duplicates the last. */
T2T_API enum t2t_status t2t_cursor_member_named(t2t_cursor *cursor,
                                                const char *key,
                                                struct t2t_text *json,
                                                struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
