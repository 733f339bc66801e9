/*
 * real.c - the shortest decimal text that reads back as a double.
 *
 * A double stands for all numbers from halfway to the one below it to halfway
 * to the one above it.  Among the decimals in there those with the fewest
 * digits are wanted, and of these the nearest.  For sizes that tables have, all
 * of this is exact in integers of 128 bits; the rest is tried with printf.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "table/cell.h"

#define DIGITS 17 /* always enough */

typedef unsigned __int128 u128;

/* digits * 10^exponent; no zero at the end of the digits. */
struct decimal {
    uint64_t digits;
    int exponent;
};

static const uint64_t powers_of_5[] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

#define LEAST 1e-10 /* of which DIGITS digits need no larger power */
#define MOST 1e15

/* A double as units of 10^-scale: each integer times 2^shift. */
struct scaled {
    u128 value;
    u128 low;  /* halfway to the one below */
    u128 high; /* halfway to the one above */
    int shift;
    int scale;
    bool inclusive; /* halfway reads back, too */
};

/* The largest multiple of `unit` that is not above value. */
static uint64_t multiple_below(const struct scaled *s, uint64_t unit)
{
    uint64_t whole = (uint64_t)(s->value >> s->shift);

    return whole - whole % unit;
}

static bool reads_back(const struct scaled *s, uint64_t units)
{
    u128 at = (u128)units << s->shift;

    if (s->inclusive)
        return at >= s->low && at <= s->high;
    return at > s->low && at < s->high;
}

/* Scales a value from LEAST to MOST so that it has DIGITS digits before the
 * point. */
static struct scaled scale(double value)
{
    static const uint64_t least = 10000000000000000u; /* of DIGITS digits */
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), 53);
    struct scaled s = {.inclusive = !(mantissa & 1)};
    bool narrow = mantissa == (uint64_t)1 << 52; /* half as far to the lower */

    /* value = mantissa * 2^(exponent - 53); log10(2) is about 1233 / 4096 */
    s.scale = DIGITS - 1 - (exponent * 1233 - (exponent < 0 ? 4095 : 0)) / 4096;
    for (;;) {
        uint64_t whole;

        s.shift = 2 + 53 - exponent - s.scale;
        s.value = (u128)(mantissa * 4) * powers_of_5[s.scale];
        whole = (uint64_t)(s.value >> s.shift);
        if (whole >= least * 10)
            s.scale--;
        else if (whole < least)
            s.scale++;
        else
            break;
    }
    s.low = s.value - (u128)(narrow ? 1 : 2) * powers_of_5[s.scale];
    s.high = s.value + (u128)2 * powers_of_5[s.scale];
    return s;
}

/* The nearest of those that read back and end with as many zeros as can be. */
static struct decimal shortest(double value)
{
    struct scaled s = scale(value);
    uint64_t found = 0;
    int zeros;

    for (uint64_t unit = 1;; unit *= 10) {
        uint64_t below = multiple_below(&s, unit);
        bool down = reads_back(&s, below);
        bool up = reads_back(&s, below + unit);
        u128 middle = ((u128)below << s.shift) + ((u128)unit << s.shift >> 1);

        if (!down && !up)
            break;
        if (down && up) /* a tie goes to the even digit */
            up = s.value > middle ||
                 (s.value == middle && (below / unit & 1) != 0);
        found = up ? below + unit : below;
    }
    for (zeros = 0; found && found % 10 == 0; zeros++)
        found /= 10;
    return (struct decimal){found, zeros - s.scale};
}

/* `value` rounded to so many digits. */
static struct decimal rounded(double value, int digits)
{
    struct decimal d = {0, 0};
    char text[TT_REAL_MAX];

    (void)snprintf(text, sizeof(text), "%.*e", digits - 1, value);
    for (const char *p = text; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9') /* not the point of the locale */
            d.digits = d.digits * 10 + (uint64_t)(*p - '0');
    (void)sscanf(strchr(text, 'e') + 1, "%d", &d.exponent);
    d.exponent -= digits - 1;
    return d;
}

static bool is_value(struct decimal d, double value)
{
    char text[TT_REAL_MAX];
    double back;

    (void)snprintf(text, sizeof(text), "%" PRIu64 "e%d", d.digits, d.exponent);
    return sscanf(text, "%lf", &back) == 1 && back == value;
}

/* The same for any value above 0, by trying.  The decimal nearest to a power of
 * 2 may be too low, as the double below it is half as far: then the next one is
 * tried. */
static struct decimal tried(double value)
{
    struct decimal d = {0, 0};

    for (int digits = 1; digits <= DIGITS; digits++) {
        d = rounded(value, digits);
        if (is_value(d, value))
            break;
        d.digits++;
        if (is_value(d, value))
            break;
    }
    for (; d.digits && d.digits % 10 == 0; d.digits /= 10)
        d.exponent++;
    return d;
}

/* Writes digits with the point behind the first `before` of them, which may
 * be before or behind all. */
static char *put_plain(char *to, const char *digits, int count, int before)
{
    if (before <= 0) {
        memcpy(to, "0.", 2);
        memset(to + 2, '0', (size_t)-before);
        memcpy(to + 2 - before, digits, (size_t)count);
        return to + 2 - before + count;
    }
    if (before >= count) {
        memcpy(to, digits, (size_t)count);
        memset(to + count, '0', (size_t)(before - count));
        memcpy(to + before, ".0", 2);
        return to + before + 2;
    }
    memcpy(to, digits, (size_t)before);
    to[before] = '.';
    memcpy(to + before + 1, digits + before, (size_t)(count - before));
    return to + count + 1;
}

/* Writes digits with an exponent. */
static char *put_power(char *to, const char *digits, int count, int power)
{
    *to++ = digits[0];
    if (count > 1) {
        *to++ = '.';
        memcpy(to, digits + 1, (size_t)(count - 1));
        to += count - 1;
    }
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (power < 0)
        power = -power;
    if (power < 10)
        *to++ = '0';
    return to + tt_integer_text(to, (uint64_t)power, false);
}

size_t tt_real_text(char out[TT_REAL_MAX], double value)
{
    double size = fabs(value);
    struct decimal d = {0, 0};
    char digits[TT_INTEGER_MAX];
    char *to = out;
    int count;
    int power; /* of the first digit */

    if (isnan(value)) {
        memcpy(out, "nan", 4);
        return 3;
    }
    if (signbit(value))
        *to++ = '-';
    if (isinf(value)) {
        memcpy(to, "inf", 4);
        return (size_t)(to - out) + 3;
    }
    if (size >= LEAST && size < MOST)
        d = shortest(size);
    else if (size > 0)
        d = tried(size);
    count = (int)tt_integer_text(digits, d.digits, false);
    power = count - 1 + d.exponent;
    if (power < -4 || power > 15)
        to = put_power(to, digits, count, power);
    else
        to = put_plain(to, digits, count, power + 1);
    *to = '\0';
    return (size_t)(to - out);
}
