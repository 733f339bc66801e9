/* scalar.c - decimal text to integers. */
#include "json/scalar.h"

#define SATURATED ((__int128)1 << 100)
#define EXPONENT_LIMIT 1000000000000 /* more than a text can have digits */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The parts of a number's text. */
struct parts {
    const char *whole; /* digits before the point */
    size_t whole_len;
    const char *fraction;
    size_t fraction_len;
    long exponent;
    bool negative;
    bool has_exponent;
};

static size_t digits_from(const char *ptr, size_t len, size_t at)
{
    size_t end = at;

    while (end < len && is_digit(ptr[end]))
        end++;
    return end - at;
}

static bool read_exponent(const char *ptr, size_t len, size_t at,
                          struct parts *p)
{
    bool negative = false;
    long value = 0;

    if (at < len && (ptr[at] == '+' || ptr[at] == '-'))
        negative = ptr[at++] == '-';
    if (at == len)
        return false;
    for (; at < len; at++) {
        if (!is_digit(ptr[at]))
            return false;
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (ptr[at] - '0');
    }
    if (value > EXPONENT_LIMIT)
        value = EXPONENT_LIMIT;
    p->exponent = negative ? -value : value;
    p->has_exponent = true;
    return true;
}

/* Whether the text is a JSON number, and its parts. */
static bool split_number(const char *ptr, size_t len, struct parts *p)
{
    size_t at = 0;

    *p = (struct parts){0};
    if (len && ptr[0] == '-') {
        p->negative = true;
        at = 1;
    }
    p->whole = ptr + at;
    p->whole_len = digits_from(ptr, len, at);
    if (!p->whole_len || (p->whole_len > 1 && p->whole[0] == '0'))
        return false;
    at += p->whole_len;
    if (at < len && ptr[at] == '.') {
        p->fraction = ptr + at + 1;
        p->fraction_len = digits_from(ptr, len, at + 1);
        if (!p->fraction_len)
            return false;
        at += 1 + p->fraction_len;
    }
    if (at == len)
        return true;
    if (ptr[at] != 'e' && ptr[at] != 'E')
        return false;
    return read_exponent(ptr, len, at + 1, p);
}

static int64_t join_digits(int64_t value, const char *ptr, size_t len)
{
    for (size_t i = 0; i < len; i++)
        value = value * 10 + (ptr[i] - '0');
    return value;
}

/* An integer of at most 18 digits and nothing else. */
static bool read_short(const char *ptr, size_t len, int64_t *value)
{
    int64_t v = 0;

    if (!len || len > 18 || (*ptr == '0' && len > 1))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_digit(ptr[i]))
            return false;
        v = v * 10 + (ptr[i] - '0');
    }
    *value = v;
    return true;
}

enum tt_number tt_number_read(const char *ptr, size_t len, int64_t *value,
                              unsigned *digits)
{
    struct parts p;
    int64_t v;

    if (read_short(ptr, len, value))
        return TT_NUMBER_INTEGER;
    if (!split_number(ptr, len, &p))
        return TT_NUMBER_BAD;
    if (p.has_exponent || p.whole_len + p.fraction_len > 18)
        return TT_NUMBER_OTHER;
    v = join_digits(0, p.whole, p.whole_len);
    v = join_digits(v, p.fraction, p.fraction_len);
    if (!v && p.negative)
        return TT_NUMBER_OTHER;
    *value = p.negative ? -v : v;
    *digits = (unsigned)p.fraction_len;
    return p.fraction_len ? TT_NUMBER_DECIMAL : TT_NUMBER_INTEGER;
}

bool tt_number_whole(const char *ptr, size_t len, uint64_t *value,
                     bool *negative)
{
    size_t at = len && ptr[0] == '-';
    uint64_t v = 0;
    int64_t quick;

    if (read_short(ptr, len, &quick)) {
        *value = (uint64_t)quick;
        *negative = false;
        return true;
    }
    if (at == len || len - at > 20 || (ptr[at] == '0' && len - at > 1))
        return false;
    for (size_t i = at; i < len; i++) {
        if (!is_digit(ptr[i]) || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(ptr[i] - '0'), &v))
            return false;
    }
    if (at && v > (uint64_t)1 << 63)
        return false;
    *negative = at && v;
    *value = at ? 0 - v : v;
    return true;
}

/* Digit `i` of whole and fraction written after each other. */
static char digit_at(const struct parts *p, size_t i)
{
    return i < p->whole_len ? p->whole[i] : p->fraction[i - p->whole_len];
}

bool tt_number_integer(const char *ptr, size_t len, int64_t *value)
{
    struct parts p;
    size_t count;
    long zeros;
    uint64_t v = 0;

    if (read_short(ptr, len, value))
        return true;
    if (!split_number(ptr, len, &p))
        return false;
    count = p.whole_len + p.fraction_len;
    while (count && digit_at(&p, count - 1) == '0')
        count--;
    /* zeros to put behind the digits that are left, or digits too many */
    zeros = (long)p.whole_len + p.exponent - (long)count;
    if (count && zeros < 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(digit_at(&p, i) - '0'), &v))
            return false;
    for (; v && zeros; zeros--)
        if (__builtin_mul_overflow(v, 10, &v))
            return false;
    if (v > (uint64_t)INT64_MAX + p.negative)
        return false;
    *value = p.negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

bool tt_number_digits(const char *ptr, size_t len, struct tt_digits *out)
{
    struct parts p;
    size_t count;
    size_t i = 0;

    if (!split_number(ptr, len, &p))
        return false;
    count = p.whole_len + p.fraction_len;
    while (i < count && digit_at(&p, i) == '0')
        i++;
    out->negative = p.negative;
    out->count = 0;
    for (; i < count && out->count < TT_DIGITS_MAX; i++)
        out->digit[out->count++] = (unsigned char)(digit_at(&p, i) - '0');
    out->exponent = (long)p.whole_len + p.exponent - (long)i;
    for (; i < count; i++)
        if (digit_at(&p, i) != '0' && !out->digit[TT_DIGITS_MAX - 1])
            out->digit[TT_DIGITS_MAX - 1] = 1;
    return true;
}

/* Whether what is dropped behind digit `keep` rounds away from zero. */
static bool rounds_up(const struct parts *p, size_t count, size_t keep,
                      bool odd)
{
    char first = digit_at(p, keep);

    if (first != '5')
        return first > '5';
    for (size_t i = keep + 1; i < count; i++)
        if (digit_at(p, i) != '0')
            return true;
    return odd;
}

static bool drops_something(const struct parts *p, size_t count, size_t keep)
{
    for (size_t i = keep; i < count; i++)
        if (digit_at(p, i) != '0')
            return true;
    return false;
}

/* The number times 10^3, for any text: digits, then a power of ten. */
static void read_slowly(const struct parts *p, struct tt_time *out)
{
    size_t count = p->whole_len + p->fraction_len;
    /* digits that stand before the point of the result */
    long keep = (long)p->whole_len + p->exponent + 3;
    size_t used = keep < 0 ? 0 : keep > (long)count ? count : (size_t)keep;
    __int128 v = 0;

    for (size_t i = 0; i < used; i++)
        v = v < SATURATED ? v * 10 + (digit_at(p, i) - '0') : SATURATED;
    for (long i = (long)count; i < keep && v && v < SATURATED; i++)
        v *= 10;
    if (keep >= 0 && used < count && rounds_up(p, count, used, v & 1))
        v++;
    out->rounded = used < count && drops_something(p, count, used);
    if (v > SATURATED)
        v = SATURATED;
    out->ns = p->negative ? -v : v;
}

/* Digits at `ptr`, at most `most`, put behind those of `*v`; how many. */
static size_t take_digits(const char *ptr, size_t len, size_t most, uint64_t *v)
{
    size_t n = 0;

    for (; n < len && n <= most && is_digit(ptr[n]); n++)
        *v = *v * 10 + (uint64_t)(ptr[n] - '0');
    return n;
}

/* The everyday form: at most 16 digits and three decimals. */
static bool read_plain(const char *ptr, size_t len, struct tt_time *out)
{
    static const uint64_t scale[] = {1000, 100, 10, 1};
    size_t at = len && ptr[0] == '-';
    uint64_t v = 0;
    size_t whole = take_digits(ptr + at, len - at, 16, &v);
    size_t fraction = 0;

    if (!whole || whole > 16 || (whole > 1 && ptr[at] == '0'))
        return false;
    at += whole;
    if (at < len && ptr[at] == '.') {
        fraction = take_digits(ptr + at + 1, len - at - 1, 3, &v);
        if (!fraction || fraction > 3)
            return false;
        at += 1 + fraction;
    }
    v *= scale[fraction];
    if (at != len || v > INT64_MAX)
        return false;
    *out = (struct tt_time){.canonical = v || *ptr != '-'};
    out->ns = *ptr == '-' ? -(__int128)v : (__int128)v;
    return true;
}

bool tt_time_read(const char *ptr, size_t len, struct tt_time *out)
{
    struct parts p;

    if (read_plain(ptr, len, out))
        return true;
    if (!split_number(ptr, len, &p))
        return false;
    *out = (struct tt_time){.exponent = p.has_exponent};
    read_slowly(&p, out);
    out->canonical = !p.has_exponent && p.fraction_len <= 3 &&
                     out->ns >= INT64_MIN && out->ns <= INT64_MAX;
    return true;
}
