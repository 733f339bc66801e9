/* test_table_real.c - reals as text, table/cell.h */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "table/cell.h"

/* As repr() of Python writes them. */
static const char *const reals[] = {
    "0.0",
    "-0.0",
    "100.0",
    "0.1",
    "-2.5",
    "91.92815426922678",
    "0.3333333333333333",
    "1e-07",
    "1.5e-05",
    "0.0001",
    "0.00012345",
    "9.999999999999999e-05",
    "123456789012345.6",
    "999999999999999.9",
    "1000000000000000.0",
    "9999999999999998.0",
    "1e+16",
    "1.2345678901234568e+17",
    "1e+22",
    "1.0000000000000001e+23",
    "5e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e+308",
    "7.120236347223045e-307",
    "9.5367431640625e-07",
    "1.1102230246251565e-16",
    "2.9802322387695312e-08",
    "6.103515625e-05",
    "1e-10",
    "9.999999999999999e-11",
    "0.30000000000000004",
    "2.0000000000000004",
    "8.41e+21",
    "562949953421312.0",
    "66.66666666666667",
    "1e-05",
    "5.000000000000001e-05",
    "1e+100",
    "12.345",
};

static void test_reals_are_written_as_short_as_can_be(void **state)
{
    char text[TT_REAL_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        double value;

        assert_int_equal(sscanf(reals[i], "%lf", &value), 1);
        assert_int_equal(tt_real_text(text, value), strlen(reals[i]));
        assert_string_equal(text, reals[i]);
    }
}

static void test_what_is_no_number_has_a_name(void **state)
{
    char text[TT_REAL_MAX];

    (void)state;
    assert_int_equal(tt_real_text(text, (double)NAN), 3);
    assert_string_equal(text, "nan");
    assert_int_equal(tt_real_text(text, (double)INFINITY), 3);
    assert_string_equal(text, "inf");
    assert_int_equal(tt_real_text(text, -(double)INFINITY), 4);
    assert_string_equal(text, "-inf");
}

/* Digits of a text without those that only say how large it is. */
static int digits_of(const char *text)
{
    int digits = 0;
    int zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text == '.' || *text == '-' || (*text == '0' && !digits))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

static void assert_short(double value)
{
    char text[TT_REAL_MAX];
    char other[TT_REAL_MAX];
    double back = 0;

    (void)tt_real_text(text, value);
    assert_int_equal(sscanf(text, "%lf", &back), 1);
    assert_memory_equal(&back, &value, sizeof(back));
    for (int digits = 1; digits < digits_of(text); digits++) {
        (void)snprintf(other, sizeof(other), "%.*e", digits - 1, value);
        assert_int_equal(sscanf(other, "%lf", &back), 1);
        assert_true(back != value);
    }
}

static void test_any_bits_read_back_equal(void **state)
{
    uint64_t bits = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double value;

        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value))
            assert_short(value);
        assert_short(ldexp((double)(bits >> 11), -(int)(bits % 100)));
        assert_short((double)(bits >> 40) / 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals_are_written_as_short_as_can_be),
        cmocka_unit_test(test_what_is_no_number_has_a_name),
        cmocka_unit_test(test_any_bits_read_back_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
