/* shape.c - reads templates and fills their holes. */
#include "format/shape.h"

#include <string.h>

#include "format/format.h"

#define NUMBER_MAX 48u /* bytes of the longest number made here */

bool tt_string_at(const struct tt_strings *strings, uint32_t id,
                  struct t2t_text *out)
{
    uint64_t begin;
    uint64_t end;

    if (id >= strings->count)
        return false;
    begin = strings->offset[id];
    end = strings->offset[id + 1];
    if (begin > end || end > strings->byte_count)
        return false;
    out->ptr = strings->bytes + begin;
    out->len = (size_t)(end - begin);
    return true;
}

unsigned tt_shape_hole(struct t2t_text shape, size_t *at)
{
    size_t i = *at;

    while (i < shape.len && (unsigned char)shape.ptr[i] >= 32)
        i++;
    *at = i;
    if (i == shape.len)
        return 0;
    if (!shape.ptr[i] || shape.ptr[i] >= TT_HOLE_END)
        return TT_HOLE_END;
    return (unsigned char)shape.ptr[i];
}

unsigned tt_hole_values(unsigned hole)
{
    switch (hole) {
    case TT_HOLE_INTEGER:
    case TT_HOLE_TEXT:
        return 1;
    case TT_HOLE_DECIMAL:
        return 2;
    default:
        return 0;
    }
}

bool tt_shape_values(struct t2t_text shape, uint32_t *count)
{
    uint64_t values = 0;
    unsigned hole;
    size_t at = 0;

    while ((hole = tt_shape_hole(shape, &at))) {
        if (hole == TT_HOLE_END)
            return false;
        values += tt_hole_values(hole);
        at++;
    }
    *count = (uint32_t)values;
    return values <= UINT32_MAX;
}

/* Writes the digits of `v`, at least `least` of them, before `end`; returns
 * the first. */
static char *put_digits(char *end, uint64_t v, unsigned least)
{
    char *p = end;

    while (v || least) {
        *--p = (char)('0' + v % 10);
        v /= 10;
        if (least)
            least--;
    }
    return p;
}

static void add_integer(struct tt_buffer *out, bool negative, uint64_t size)
{
    char text[NUMBER_MAX];
    char *end = text + sizeof(text);
    char *p = put_digits(end, size, 1);

    if (negative)
        *--p = '-';
    tt_buffer_add(out, p, (size_t)(end - p));
}

/* size / 10^digits, digits at least 1. */
static void add_decimal(struct tt_buffer *out, bool negative, uint64_t size,
                        unsigned digits)
{
    char text[NUMBER_MAX];
    char *end = text + sizeof(text);
    char *p = put_digits(end, size, digits + 1);
    size_t whole = (size_t)(end - p) - digits;

    if (negative)
        tt_buffer_add_byte(out, '-');
    tt_buffer_add(out, p, whole);
    tt_buffer_add_byte(out, '.');
    tt_buffer_add(out, p + whole, digits);
}

/* Nanoseconds as microseconds, no zeros at the end. */
static void add_time(struct tt_buffer *out, bool negative, uint64_t ns)
{
    unsigned digits = 3;

    while (digits && ns % 10 == 0) {
        ns /= 10;
        digits--;
    }
    if (digits)
        add_decimal(out, negative, ns, digits);
    else
        add_integer(out, negative, ns);
}

/* The size of a number without its sign. */
static uint64_t size_of(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static void add_string(struct tt_buffer *out, struct t2t_text text)
{
    char piece[256];

    tt_buffer_add_byte(out, '"');
    while (text.len) {
        size_t len =
            t2t_text_escape(&text, T2T_ESCAPE_JSON, piece, sizeof(piece));

        tt_buffer_add(out, piece, len);
    }
    tt_buffer_add_byte(out, '"');
}

static bool add_id(struct tt_buffer *out, const struct t2t_lane_id *id)
{
    switch (id->kind) {
    case T2T_ID_INTEGER:
        add_integer(out, (int64_t)id->number < 0, size_of((int64_t)id->number));
        return true;
    case T2T_ID_UNSIGNED:
        add_integer(out, false, id->number);
        return true;
    case T2T_ID_TEXT:
        add_string(out, id->text);
        return true;
    case T2T_ID_MISSING:
        break;
    }
    return false;
}

/* Fills a hole that has a slot, from the values at `value`. */
static bool add_slot(struct tt_buffer *out, unsigned hole,
                     const uint64_t *value, const struct tt_strings *strings,
                     size_t room)
{
    int64_t number = (int64_t)value[0];
    struct t2t_text text;

    if (hole == TT_HOLE_INTEGER) {
        add_integer(out, number < 0, size_of(number));
        return true;
    }
    if (hole == TT_HOLE_DECIMAL) {
        if (value[1] < 1 || value[1] > 18)
            return false;
        add_decimal(out, number < 0, size_of(number), (unsigned)value[1]);
        return true;
    }
    if (value[0] > UINT32_MAX ||
        !tt_string_at(strings, (uint32_t)value[0], &text) || text.len > room)
        return false;
    tt_buffer_add(out, text.ptr, text.len);
    return true;
}

/* Fills a hole that a column fills. */
static bool add_column(struct tt_buffer *out, unsigned hole,
                       const struct tt_element_values *values, size_t room)
{
    switch (hole) {
    case TT_HOLE_NAME:
        if (!values->name.ptr || values->name.len > room)
            return false;
        add_string(out, values->name);
        return true;
    case TT_HOLE_PID:
        return values->pid.text.len <= room && add_id(out, &values->pid);
    case TT_HOLE_TID:
        return values->tid.text.len <= room && add_id(out, &values->tid);
    case TT_HOLE_START:
        add_time(out, values->start_ns < 0, size_of(values->start_ns));
        return values->has_start;
    case TT_HOLE_DURATION:
        add_time(out, false, values->dur_ns);
        return true;
    default:
        return false;
    }
}

bool tt_shape_render(struct t2t_text shape,
                     const struct tt_element_values *values,
                     const struct tt_strings *strings, size_t limit,
                     struct tt_buffer *out)
{
    const uint64_t *value = values->value;
    size_t base = out->len;
    size_t begin = 0;
    size_t at = 0;
    unsigned hole;

    if (shape.len > limit)
        return false;
    do {
        size_t room;
        bool ok = true;

        hole = tt_shape_hole(shape, &at);
        tt_buffer_add(out, shape.ptr + begin, at - begin);
        if (out->failed || out->len - base > limit)
            return false;
        room = limit - (out->len - base);
        if (tt_hole_values(hole))
            ok = add_slot(out, hole, value, strings, room);
        else if (hole)
            ok = add_column(out, hole, values, room);
        if (!ok)
            return false;
        value += tt_hole_values(hole);
        begin = ++at;
    } while (hole);
    return !out->failed && out->len - base <= limit;
}
