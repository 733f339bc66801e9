/* shape.c - reads templates and fills their holes. */
#include "format/shape.h"

#include <string.h>

#include "format/format.h"

#define NUMBER_MAX 32u /* bytes of the longest number made here */

#define ONES 0x0101010101010101u
#define HIGH 0x8080808080808080u

/* The bytes of `eight` that are below `least`, at most 128, have their highest
 * bit set in the result, and perhaps some behind the first of them. */
static uint64_t below(uint64_t eight, unsigned char least)
{
    return (eight - ONES * least) & ~eight & HIGH;
}

/* The first of eight bytes of which `marks` has the highest bit. */
static size_t first_of(uint64_t marks)
{
    return (size_t)__builtin_ctzll(marks) / 8;
}

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

/* The hole at `at`, where a byte below 32 or the end is. */
static unsigned hole_at(struct t2t_text shape, size_t at)
{
    if (at == shape.len)
        return 0;
    if (!shape.ptr[at] || shape.ptr[at] >= TT_HOLE_END)
        return TT_HOLE_END;
    return (unsigned char)shape.ptr[at];
}

unsigned tt_shape_hole(struct t2t_text shape, size_t *at)
{
    size_t i = *at;

    while (i < shape.len && (unsigned char)shape.ptr[i] >= 32)
        i++;
    *at = i;
    return hole_at(shape, i);
}

/* The same, and appends what stands before the hole: eight bytes at a time,
 * where those behind it are written over.  0 also when memory is short. */
static unsigned copy_to_hole(struct t2t_text shape, size_t *at,
                             struct tt_buffer *out)
{
    size_t i = *at;
    uint64_t eight;
    uint64_t holes = 0;
    char *to;

    if (out->cap - out->len < shape.len - i &&
        !tt_buffer_reserve(out, shape.len - i))
        return 0;
    to = out->ptr + out->len;
    while (!holes && shape.len - i >= sizeof(eight)) {
        size_t step;

        memcpy(&eight, shape.ptr + i, sizeof(eight));
        memcpy(to, &eight, sizeof(eight));
        holes = below(eight, 32);
        step = holes ? first_of(holes) : sizeof(eight);
        i += step;
        to += step;
    }
    while (i < shape.len && (unsigned char)shape.ptr[i] >= 32)
        *to++ = shape.ptr[i++];
    out->len = (size_t)(to - out->ptr);
    *at = i;
    return hole_at(shape, i);
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
    uint32_t values = 0;
    unsigned seen = 0; /* holes that columns fill */
    unsigned hole;
    size_t at = 0;

    while ((hole = tt_shape_hole(shape, &at))) {
        unsigned more = tt_hole_values(hole);

        if (hole == TT_HOLE_END || (!more && seen & 1u << hole))
            return false;
        values += more;
        if (values > TT_VALUES_MAX)
            return false;
        if (!more)
            seen |= 1u << hole;
        at++;
    }
    *count = values;
    return true;
}

static const uint64_t powers[] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

/* How many digits `v` has; 0 has one. */
static unsigned count_digits(uint64_t v)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);
    unsigned count = bits * 1233 >> 12; /* of 10^count > v, or one too few */

    return count + (v >= powers[count] || !v);
}

/* Writes the last `count` digits of `v`. */
static void put_digits(char *to, unsigned count, uint64_t v)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324"
        "25262728293031323334353637383940414243444546474849"
        "50515253545556575859606162636465666768697071727374"
        "75767778798081828384858687888990919293949596979899";

    for (; count >= 2; v /= 100) {
        count -= 2;
        memcpy(to + count, pairs + 2 * (v % 100), 2);
    }
    if (count)
        *to = (char)('0' + v % 10);
}

/* Appends whole + fraction / 10^digits; no point when digits is 0. */
static void add_number(struct tt_buffer *out, bool negative, uint64_t whole,
                       uint64_t fraction, unsigned digits)
{
    unsigned count = count_digits(whole);
    char *to;

    if (out->cap - out->len < NUMBER_MAX && !tt_buffer_reserve(out, NUMBER_MAX))
        return;
    to = out->ptr + out->len;
    *to = '-';
    to += negative;
    put_digits(to, count, whole);
    to += count;
    if (digits) {
        *to = '.';
        put_digits(to + 1, digits, fraction);
        to += 1 + digits;
    }
    out->len = (size_t)(to - out->ptr);
}

static void add_integer(struct tt_buffer *out, bool negative, uint64_t size)
{
    add_number(out, negative, size, 0, 0);
}

/* size / 10^digits, 1 <= digits <= 18. */
static void add_decimal(struct tt_buffer *out, bool negative, uint64_t size,
                        unsigned digits)
{
    uint64_t unit = powers[digits];

    add_number(out, negative, size / unit, size % unit, digits);
}

/* Nanoseconds as microseconds, no zeros at the end. */
static void add_time(struct tt_buffer *out, bool negative, uint64_t ns)
{
    unsigned fraction = (unsigned)(ns % 1000);
    unsigned digits = fraction ? 3 : 0;

    for (; digits && fraction % 10 == 0; digits--)
        fraction /= 10;
    add_number(out, negative, ns / 1000, fraction, digits);
}

/* The size of a number without its sign. */
static uint64_t size_of(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* Whether `eight` bytes hold one that a JSON string may not hold as it is, or
 * one that is not ASCII. */
static bool is_special(uint64_t eight)
{
    return (below(eight, 32) | below(eight ^ ONES * '"', 1) |
            below(eight ^ ONES * '\\', 1) | (eight & HIGH)) != 0;
}

static void add_string(struct tt_buffer *out, struct t2t_text text)
{
    size_t plain = 0;
    char piece[256];
    uint64_t eight;

    tt_buffer_add_byte(out, '"');
    while (text.len - plain >= sizeof(eight)) {
        memcpy(&eight, text.ptr + plain, sizeof(eight));
        if (is_special(eight))
            break;
        plain += sizeof(eight);
    }
    tt_buffer_add(out, text.ptr, plain);
    text.ptr += plain;
    text.len -= plain;
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
    size_t at = 0;
    unsigned hole;

    if (shape.len > limit)
        return false;
    do {
        size_t room;
        bool ok = true;

        hole = copy_to_hole(shape, &at, out);
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
        at++;
    } while (hole);
    return !out->failed && out->len - base <= limit;
}
