/*
 * json/scalar.h - JSON numbers, exact: no floating point but where a double is
 * asked for, no locale.
 */
#ifndef TT_JSON_SCALAR_H
#define TT_JSON_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What kind of number a text is. */
enum tt_number {
    TT_NUMBER_BAD,     /* no JSON number */
    TT_NUMBER_INTEGER, /* an int64_t, written as printf would */
    TT_NUMBER_DECIMAL, /* mantissa / 10^digits, written so: digits 1 to 18 */
    TT_NUMBER_OTHER,   /* exponents, more digits, -0, ... */
};

/*
 * Looks at the text of a number.  `value` is set for an integer, and to the
 * mantissa of a decimal, `digits` for a decimal.
 */
enum tt_number tt_number_read(const char *ptr, size_t len, int64_t *value,
                              unsigned *digits);

/*
 * The whole number that a text of digits stands for, if it fits 64 bits,
 * signed or unsigned: no fraction, no exponent, no leading zero; -0 is 0.
 * False for any other text.
 */
bool tt_number_whole(const char *ptr, size_t len, uint64_t *value,
                     bool *negative);

/*
 * The integer that a JSON number is, such as 12, 12.0 or 1.2e1.  False: the
 * text is no JSON number, or the number no integer, or past int64_t.
 */
bool tt_number_integer(const char *ptr, size_t len, int64_t *value);

/* More digits than it can take to decide between two doubles. */
#define TT_DIGITS_MAX 800u

/* A number: digits * 10^exponent. */
struct tt_digits {
    unsigned char digit[TT_DIGITS_MAX]; /* 0 to 9, the first is not 0 */
    unsigned count;                     /* 0: the number is 0 */
    long exponent;
    bool negative;
};

/*
 * Takes a JSON number apart.  Of one with more than TT_DIGITS_MAX digits the
 * rest is left out, but a last digit of 0 becomes 1 when not all of it is 0,
 * so that it still lies on the same side of a number of fewer digits.  False:
 * it is none.
 */
bool tt_number_digits(const char *ptr, size_t len, struct tt_digits *out);

/*
 * The double nearest to a JSON number, rounded once.  False: the text is no
 * JSON number, or the number past what a double can be.
 */
bool tt_number_real(const char *ptr, size_t len, double *value);

/* A time in microseconds, read exactly. */
struct tt_time {
    __int128 ns;    /* saturates far outside 64 bits */
    bool exponent;  /* it has one */
    bool rounded;   /* digits past the third decimal were dropped, half even */
    bool canonical; /* plain digits, at most three decimals, in int64_t, not -0
                     */
};

/* False: the text is no JSON number. */
bool tt_time_read(const char *ptr, size_t len, struct tt_time *out);

#endif
