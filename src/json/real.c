/* real.c - decimal text to the nearest double, by integers. */
#include "json/scalar.h"

#include <float.h>
#include <math.h>

#define EXACT ((int64_t)1 << DBL_MANT_DIG) /* all integers up to it are */
#define TEN_MAX 310    /* no double has more digits before the point */
#define TEN_MIN (-330) /* less than half of the least double is below */
#define LOWEST (DBL_MIN_EXP - DBL_MANT_DIG) /* 2^LOWEST is the least double */

/* 800 digits divided by 10^1130 with 66 bits left: less than 4,000 bits. */
#define LIMBS 128u

_Static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53, "double is binary64");

/* A large integer, lowest first. */
struct big {
    uint32_t limb[LIMBS];
    unsigned count; /* the last one is not 0 */
};

/* b = b * by + plus. */
static void multiply(struct big *b, uint32_t by, uint32_t plus)
{
    uint64_t carry = plus;

    for (unsigned i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->count < LIMBS)
        b->limb[b->count++] = (uint32_t)carry;
}

/* b = b / by; whether something was left. */
static bool divide(struct big *b, uint32_t by)
{
    uint64_t left = 0;

    for (unsigned i = b->count; i--;) {
        left = left << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(left / by);
        left %= by;
    }
    while (b->count && !b->limb[b->count - 1])
        b->count--;
    return left != 0;
}

/* b = b * 2^(32 * limbs). */
static void shift_limbs(struct big *b, unsigned limbs)
{
    for (unsigned i = b->count; i--;)
        b->limb[i + limbs] = b->limb[i];
    for (unsigned i = 0; i < limbs; i++)
        b->limb[i] = 0;
    b->count += limbs;
}

static int bit_count(const struct big *b)
{
    if (!b->count)
        return 0;
    return 32 * (int)b->count - __builtin_clz(b->limb[b->count - 1]);
}

static bool has_bit(const struct big *b, int i)
{
    return i >= 0 && b->limb[i / 32] >> i % 32 & 1;
}

/* Whether one of the lowest `count` bits is set. */
static bool has_bits_below(const struct big *b, int count)
{
    for (int i = 0; i < count; i++)
        if (has_bit(b, i))
            return true;
    return false;
}

/* b * 2^exponent, a bit more if `more`, rounded half to even. */
static double round_big(const struct big *b, int exponent, bool more)
{
    int bits = bit_count(b);
    int keep = bits + exponent - LOWEST; /* bits that a double has room for */
    int drop;
    uint64_t mantissa = 0;

    if (keep > DBL_MANT_DIG)
        keep = DBL_MANT_DIG;
    if (keep < 0)
        return 0;
    drop = bits - keep;
    for (int i = bits - 1; i >= drop; i--)
        mantissa = mantissa << 1 | has_bit(b, i);
    if (has_bit(b, drop - 1) &&
        (more || (mantissa & 1) || has_bits_below(b, drop - 1)))
        mantissa++;
    return ldexp((double)mantissa, exponent + drop);
}

/* The double nearest to the digits, their sign aside. */
static double nearest(const struct tt_digits *d)
{
    long ten = d->exponent;
    struct big b = {.count = 0};
    unsigned limbs = 0;
    bool more = false;

    if (!d->count || (long)d->count + ten < TEN_MIN)
        return 0;
    if ((long)d->count + ten > TEN_MAX)
        return HUGE_VAL;
    for (unsigned i = 0; i < d->count; i++)
        multiply(&b, 10, d->digit[i]);
    for (; ten > 0; ten--)
        multiply(&b, 10, 0);
    if (ten < 0) {
        /* 10^-ten has less than 10/3 * -ten bits; 66 are more than enough */
        int missing = 66 + (int)(-ten * 10 / 3) + 1 - bit_count(&b);

        limbs = missing > 0 ? (unsigned)(missing + 31) / 32 : 0;
        shift_limbs(&b, limbs);
    }
    for (; ten <= -9; ten += 9)
        more |= divide(&b, 1000000000);
    for (; ten < 0; ten++)
        more |= divide(&b, 10);
    return round_big(&b, -32 * (int)limbs, more);
}

/* The everyday form: few digits, so that one division is the one rounding. */
static bool read_short(const char *ptr, size_t len, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                   1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                   1e14, 1e15, 1e16, 1e17, 1e18};
    unsigned digits = 0;
    int64_t v = 0;
    enum tt_number kind = tt_number_read(ptr, len, &v, &digits);

    if (FLT_EVAL_METHOD || v > EXACT || v < -EXACT)
        return false;
    if (kind != TT_NUMBER_INTEGER && kind != TT_NUMBER_DECIMAL)
        return false;
    *value = (double)v / power[kind == TT_NUMBER_DECIMAL ? digits : 0];
    return true;
}

bool tt_number_real(const char *ptr, size_t len, double *value)
{
    struct tt_digits digits;
    double d;

    if (read_short(ptr, len, value))
        return true;
    if (!tt_number_digits(ptr, len, &digits))
        return false;
    d = nearest(&digits);
    if (isinf(d))
        return false;
    *value = digits.negative ? -d : d;
    return true;
}
