/*
 * format/shape.h - templates of elements, and elements made from them.
 *
 * A template is the JSON text of an element in which values are holes, one
 * byte each (doc/format.md, Elements).  Some holes are filled from columns of
 * the index (name, pid, tid, ts, dur), the others from the element's slots: an
 * integer and a text take one value each, a decimal takes two, its mantissa
 * and its digits.  Nothing here trusts a template or a value: what cannot be
 * is answered with false.
 */
#ifndef TT_FORMAT_SHAPE_H
#define TT_FORMAT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/index.h>

#include "base/buffer.h"

/* The strings of an index: STRING_OFFSET and STRING_BYTES. */
struct tt_strings {
    const uint64_t *offset; /* count + 1 of them */
    const char *bytes;
    uint64_t byte_count;
    uint32_t count;
};

/* String `id` in `*out`; false when there is no such string. */
bool tt_string_at(const struct tt_strings *strings, uint32_t id,
                  struct t2t_text *out);

/*
 * Finds the next hole of `shape` at or behind `*at` and moves `*at` to it.
 *
 * @return a TT_HOLE_...; 0 and `*at` at the end when there is none;
 *         TT_HOLE_END for a byte that no template may hold.
 */
unsigned tt_shape_hole(struct t2t_text shape, size_t *at);

/* How many values a hole takes from the slots: 0, 1 or 2. */
unsigned tt_hole_values(unsigned hole);

/* Counts the values of `shape`; false when it is no template, as one with a
 * hole twice that a column fills, or with more values than there may be. */
bool tt_shape_values(struct t2t_text shape, uint32_t *count);

/* What fills the holes of an element. */
struct tt_element_values {
    struct t2t_text name; /* ptr NULL if it has none */
    struct t2t_lane_id pid;
    struct t2t_lane_id tid;
    int64_t start_ns;
    bool has_start;
    uint64_t dur_ns;
    const uint64_t *value; /* of the slots, in order */
};

/*
 * Appends the JSON of an element to `out`.
 *
 * @param limit  most bytes that may be appended.
 * @return false when the template has a hole that cannot be filled or `limit`
 *         is passed; out->failed, too, says that memory ran out.
 */
bool tt_shape_render(struct t2t_text shape,
                     const struct tt_element_values *values,
                     const struct tt_strings *strings, size_t limit,
                     struct tt_buffer *out);

#endif
