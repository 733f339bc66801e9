/* test_real.c - json/scalar.h: tt_number_real(), tt_number_digits() */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/scalar.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const struct {
    const char *text;
    double value;
} numbers[] = {
    {"0", 0},
    {"1", 1},
    {"-1", -1},
    {"0.5", 0.5},
    {"-12.25", -12.25},
    {"0.1", 0x1.999999999999ap-4},
    {"1e0", 1},
    {"1.5E3", 1500},
    {"25e-2", 0.25},
    {"0e999999999999999999999", 0},
    {"0.000e-5", 0},
    {"1e22", 1e22},
    {"1e23", 0x1.52d02c7e14af6p+76},
    {"123456789012345678", 0x1.b69b4ba630f35p+56},
    /* integers that lie between two doubles: half to even */
    {"9007199254740992", 9007199254740992.0},
    {"9007199254740993", 9007199254740992.0},
    {"9007199254740995", 9007199254740996.0},
    {"9007199254740993.00000000000000000000000000000000001",
     9007199254740994.0},
    {"18446744073709551615", 0x1p64},
    {"-9223372036854775809", -0x1p63},
    /* the largest, and what rounds to it */
    {"1.7976931348623157e308", DBL_MAX},
    {"1.7976931348623158e308", DBL_MAX},
    /* the least normal one, the largest below it, the least of all */
    {"2.2250738585072014e-308", DBL_MIN},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"4.9406564584124654e-324", 0x1p-1074},
    {"5e-324", 0x1p-1074},
    {"2.4703282292062328e-324", 0x1p-1074}, /* more than half of it */
    {"2.4703282292062327e-324", 0},         /* less than half of it */
    {"1e-330", 0},
    {"1e-999999999999", 0},
};

static void test_a_number_is_the_nearest_double(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        double value = NAN;

        if (!tt_number_real(numbers[i].text, strlen(numbers[i].text), &value) ||
            value != numbers[i].value)
            fail_msg("%s: %a", numbers[i].text, value);
    }
}

static void test_zero_keeps_its_sign(void **state)
{
    static const char *const zeros[] = {"-0", "-0.0", "-0e5", "-1e-400"};

    (void)state;
    for (size_t i = 0; i < COUNT(zeros); i++) {
        double value = NAN;

        assert_true(tt_number_real(zeros[i], strlen(zeros[i]), &value));
        assert_true(value == 0 && signbit(value));
    }
}

static void test_what_no_double_can_be_is_refused(void **state)
{
    static const char *const texts[] = {"1.7976931348623159e308",
                                        "-1e309",
                                        "1e999999999999",
                                        "",
                                        "-",
                                        "1.",
                                        ".5",
                                        "0x1",
                                        "nan",
                                        "inf",
                                        "Infinity",
                                        "1 ",
                                        " 1",
                                        "01",
                                        "+1",
                                        "1,5"};

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        double value = 7;

        assert_false(tt_number_real(texts[i], strlen(texts[i]), &value));
        assert_true(value == 7);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Any double but the infinite and what is no number. */
static double random_double(uint64_t *seed)
{
    uint64_t bits = next_random(seed);
    double d;

    memcpy(&d, &bits, sizeof(d));
    return isfinite(d) ? d : 1.5;
}

static void assert_real(const char *text, double expected)
{
    double value = NAN;

    if (!tt_number_real(text, strlen(text), &value) ||
        memcmp(&value, &expected, sizeof(value)) != 0)
        fail_msg("%s: %a, not %a", text, value, expected);
}

static void test_doubles_come_back_from_their_digits(void **state)
{
    uint64_t seed = 88172645463325252u;
    char text[1200];

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double d = random_double(&seed);

        (void)snprintf(text, sizeof(text), "%.16e", d);
        assert_real(text, d);
        if (i % 100 == 0) {
            (void)snprintf(text, sizeof(text), "%.1080f", d); /* all digits */
            assert_real(text, d);
        }
    }
}

#if LDBL_MANT_DIG >= 64
/* The double above `d`, which is not below 0. */
static double next_up(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof(bits));
    bits++;
    memcpy(&d, &bits, sizeof(bits));
    return d;
}

static void test_the_middle_goes_to_the_even_double(void **state)
{
    uint64_t seed = 1234567;
    char text[2400];

    (void)state;
    for (int i = 0; i < 2000; i++) {
        double d = fabs(random_double(&seed));
        double up = next_up(d);
        uint64_t bits;
        char *e;

        if (isinf(up))
            continue;
        (void)snprintf(text, sizeof(text), "%.900Le",
                       ((long double)d + (long double)up) / 2);
        memcpy(&bits, &d, sizeof(bits));
        assert_real(text, bits & 1 ? up : d);
        /* a last digit far behind decides: a middle has at most 768 */
        e = strchr(text, 'e');
        e[-1] = '1';
        assert_real(text, up);
    }
}
#endif

static void test_no_locale_changes_a_number(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8",
                                        "C"};
    double value;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        (void)setlocale(LC_ALL, names[i]); /* where it is installed */
        assert_true(tt_number_real("1.5e0", 5, &value));
        assert_true(value == 1.5);
        assert_false(tt_number_real("1,5", 3, &value));
    }
}

static void test_digits_past_the_last_are_told_by_it(void **state)
{
    static const struct {
        const char *tail; /* of 1 and 799 zeros */
        unsigned char last;
    } tails[] = {{"", 0}, {"0", 0}, {"00.00", 0}, {"1", 1}, {"0.05", 1}};
    char text[900];
    struct tt_digits d;

    (void)state;
    for (size_t i = 0; i < COUNT(tails); i++) {
        memset(text, '0', sizeof(text));
        text[0] = '1';
        (void)snprintf(text + 800, sizeof(text) - 800, "%s", tails[i].tail);
        assert_true(tt_number_digits(text, strlen(text), &d));
        assert_int_equal(d.count, TT_DIGITS_MAX);
        assert_int_equal(d.digit[0], 1);
        assert_int_equal(d.digit[TT_DIGITS_MAX - 1], tails[i].last);
        assert_int_equal(d.exponent, strcspn(tails[i].tail, "."));
    }
    assert_true(tt_number_digits("-0.0120e3", 9, &d));
    assert_true(d.negative);
    assert_int_equal(d.count, 3); /* 120 * 10^-1 */
    assert_memory_equal(d.digit, "\1\2\0", 3);
    assert_int_equal(d.exponent, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_number_is_the_nearest_double),
        cmocka_unit_test(test_zero_keeps_its_sign),
        cmocka_unit_test(test_what_no_double_can_be_is_refused),
        cmocka_unit_test(test_doubles_come_back_from_their_digits),
#if LDBL_MANT_DIG >= 64
        cmocka_unit_test(test_the_middle_goes_to_the_even_double),
#endif
        cmocka_unit_test(test_no_locale_changes_a_number),
        cmocka_unit_test(test_digits_past_the_last_are_told_by_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
