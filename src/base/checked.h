/*
 * base/checked.h - sizes added and multiplied without overflow.
 */
#ifndef TT_BASE_CHECKED_H
#define TT_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a + b fits; the sum is in `*out` then. */
static inline bool tt_add_ok(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* Whether a * b fits; the product is in `*out` then. */
static inline bool tt_mul_ok(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

#endif
