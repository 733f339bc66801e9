/*
 * index/cursor.h - what the library itself asks of a cursor.
 */
#ifndef TT_INDEX_CURSOR_H
#define TT_INDEX_CURSOR_H

#include <trace2tree/cursor.h>

#include "base/buffer.h"

/*
 * Appends the element at `position`, which is below E, as compact JSON to `to`,
 * which may have a part of it when that fails.
 */
enum t2t_status tt_cursor_append(t2t_cursor *cursor, uint32_t position,
                                 struct tt_buffer *to, struct t2t_error *err);

/*
 * Unpacks a frame of the envelope; T2T_NOT_FOUND past the last.  The text is
 * the cursor's and lasts until the next call with it.
 */
enum t2t_status tt_cursor_envelope_frame(t2t_cursor *cursor, uint32_t frame,
                                         struct t2t_text *text,
                                         struct t2t_error *err);

#endif
