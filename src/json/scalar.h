/*
 * json/scalar.h - JSON numbers, exact: no floating point, no locale.
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
