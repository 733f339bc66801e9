/*
 * base/digits.h - decimal digits to integers, eight at a time.
 */
#ifndef TT_BASE_DIGITS_H
#define TT_BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TT_DIGITS_ZEROS 0x3030303030303030u
#define TT_DIGITS_HIGH 0x8080808080808080u

/* Of eight bytes less '0' each: the highest bit of the first that is no digit,
 * and perhaps of some behind it. */
static inline uint64_t tt_digits_others(uint64_t eight)
{
    return ((eight + 0x7676767676767676u) | eight) & TT_DIGITS_HIGH;
}

/* The number that eight digits are, the first in the lowest byte. */
static inline uint64_t tt_digits_join(uint64_t eight)
{
    uint64_t pairs = eight * 10 + (eight >> 8); /* in every other byte */

    return ((pairs & 0x000000ff000000ffu) * (100 + (UINT64_C(1000000) << 32)) +
            (pairs >> 16 & 0x000000ff000000ffu) *
                (1 + (UINT64_C(10000) << 32))) >>
           32;
}

/*
 * The digits at `ptr`, at most 16, as a number in `*value`.
 *
 * @param end  of the bytes that can be read.
 * @return how many there are; 17 when there are more than 16.
 */
__attribute__((always_inline)) static inline unsigned
tt_digits_read(const char *ptr, const char *end, uint64_t *value)
{
    static const uint32_t power[] = {1,      10,      100,      1000,     10000,
                                     100000, 1000000, 10000000, 100000000};
    uint64_t eight;
    uint64_t others;
    unsigned count;

    *value = 0;
    if (end - ptr < 17) {
        for (count = 0; ptr + count < end && count < 17; count++) {
            unsigned digit = (unsigned char)ptr[count] - (unsigned)'0';

            if (digit > 9)
                break;
            if (count < 16)
                *value = *value * 10 + digit;
        }
        return count;
    }
    memcpy(&eight, ptr, sizeof(eight));
    eight ^= TT_DIGITS_ZEROS;
    others = tt_digits_others(eight);
    if (others) {
        count = (unsigned)__builtin_ctzll(others) / 8;
        if (count)
            *value = tt_digits_join(eight << (64 - 8 * count));
        return count;
    }
    *value = tt_digits_join(eight);
    memcpy(&eight, ptr + 8, sizeof(eight));
    eight ^= TT_DIGITS_ZEROS;
    others = tt_digits_others(eight);
    count = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    if (count)
        *value =
            *value * power[count] + tt_digits_join(eight << (64 - 8 * count));
    if (count == 8 && (unsigned char)ptr[16] - (unsigned)'0' <= 9)
        return 17;
    return 8 + count;
}

#endif
