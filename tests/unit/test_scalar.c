/* test_scalar.c - json/scalar.h */
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

/* Texts that are no JSON number. */
static const char *const no_numbers[] = {
    "",     "-",   "+1",   "--1",   "01",    "-01",  "00",       "1.",
    "-1.",  ".5",  "-.5",  "1.e5",  "1e",    "1e+",  "1E-",      "1e5.5",
    "1e5e", " 1",  "1 ",   "1\n",   "0x10",  "1a",   "a1",       "NaN",
    "nan",  "inf", "1,5",  "1_0",   "1.5.5", "1-",   "1.-5",     "1e--5",
    "1/",   "1:",  "0.0/", "\"1\"", "true",  "null", "Infinity", "1e+-5",
};

/* ---- numbers of arguments ------------------------------------------------ */

static const struct {
    const char *text;
    enum tt_number kind;
    int64_t value;
    unsigned digits;
} numbers[] = {
    {"0", TT_NUMBER_INTEGER, 0, 0},
    {"7", TT_NUMBER_INTEGER, 7, 0},
    {"-1", TT_NUMBER_INTEGER, -1, 0},
    {"10", TT_NUMBER_INTEGER, 10, 0},
    {"123456789012345678", TT_NUMBER_INTEGER, 123456789012345678, 0},
    {"-123456789012345678", TT_NUMBER_INTEGER, -123456789012345678, 0},
    {"999999999999999999", TT_NUMBER_INTEGER, 999999999999999999, 0},
    {"0.0", TT_NUMBER_DECIMAL, 0, 1},
    {"0.5", TT_NUMBER_DECIMAL, 5, 1},
    {"-0.5", TT_NUMBER_DECIMAL, -5, 1},
    {"1.50", TT_NUMBER_DECIMAL, 150, 2},
    {"-12.003", TT_NUMBER_DECIMAL, -12003, 3},
    {"0.00000000000000001", TT_NUMBER_DECIMAL, 1, 17},
    {"99999999999999999.9", TT_NUMBER_DECIMAL, 999999999999999999, 1},
    {"-0", TT_NUMBER_OTHER, 0, 0},
    {"-0.0", TT_NUMBER_OTHER, 0, 0},
    {"1e5", TT_NUMBER_OTHER, 0, 0},
    {"1E+5", TT_NUMBER_OTHER, 0, 0},
    {"1.5e-3", TT_NUMBER_OTHER, 0, 0},
    {"0e0", TT_NUMBER_OTHER, 0, 0},
    {"18446744073709551615", TT_NUMBER_OTHER, 0, 0},
    {"-9223372036854775809", TT_NUMBER_OTHER, 0, 0},
    {"123456789012345678901234567890", TT_NUMBER_OTHER, 0, 0},
    {"0.12345678901234567890", TT_NUMBER_OTHER, 0, 0},
};

static void test_a_number_is_an_integer_a_decimal_or_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        int64_t value = 0;
        unsigned digits = 0;

        assert_int_equal(tt_number_read(numbers[i].text,
                                        strlen(numbers[i].text), &value,
                                        &digits),
                         numbers[i].kind);
        if (numbers[i].kind == TT_NUMBER_OTHER)
            continue;
        assert_int_equal(value, numbers[i].value);
        if (numbers[i].kind == TT_NUMBER_DECIMAL)
            assert_int_equal(digits, numbers[i].digits);
    }
}

static void test_what_is_no_json_number_is_no_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(no_numbers); i++) {
        int64_t value;
        unsigned digits;

        assert_int_equal(tt_number_read(no_numbers[i], strlen(no_numbers[i]),
                                        &value, &digits),
                         TT_NUMBER_BAD);
    }
}

static void test_an_integer_is_written_as_printf_would(void **state)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1000,    0,
                                   1,         INT64_MAX - 1, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        char text[32];
        size_t len =
            (size_t)snprintf(text, sizeof(text), "%lld", (long long)ends[i]);
        int64_t value;
        unsigned digits;
        enum tt_number kind = tt_number_read(text, len, &value, &digits);

        /* 19 digits may be too many, but then it must say so */
        assert_true(kind == TT_NUMBER_INTEGER ||
                    (kind == TT_NUMBER_OTHER && len >= 19));
        if (kind == TT_NUMBER_INTEGER)
            assert_int_equal(value, ends[i]);
    }
}

/* ---- whole numbers ------------------------------------------------------- */

static const struct {
    const char *text;
    uint64_t value;
    bool negative;
} wholes[] = {
    {"0", 0, false},
    {"-0", 0, false},
    {"5", 5, false},
    {"-1", UINT64_MAX, true},
    {"123456789012345678", 123456789012345678, false},
    {"1234567890123456789", 1234567890123456789, false},
    {"9223372036854775807", INT64_MAX, false},
    {"9223372036854775808", (uint64_t)1 << 63, false},
    {"18446744073709551615", UINT64_MAX, false},
    {"-9223372036854775807", (uint64_t)INT64_MIN + 1, true},
    {"-9223372036854775808", (uint64_t)1 << 63, true},
};

static void test_a_whole_number_fits_64_bits_with_its_sign(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wholes); i++) {
        uint64_t value = 99;
        bool negative = !wholes[i].negative;

        assert_true(tt_number_whole(wholes[i].text, strlen(wholes[i].text),
                                    &value, &negative));
        assert_int_equal(value, wholes[i].value);
        assert_int_equal(negative, wholes[i].negative);
    }
}

static const char *const no_wholes[] = {
    "18446744073709551616",
    "-9223372036854775809",
    "-18446744073709551615",
    "20000000000000000000",
    "99999999999999999999",
    "100000000000000000000",
    "00000000000000000000001",
    "-00",
    "0.0",
    "1.0",
    "1e0",
    "1e1",
};

static void test_any_other_text_is_no_whole_number(void **state)
{
    uint64_t value;
    bool negative;

    (void)state;
    for (size_t i = 0; i < COUNT(no_wholes); i++)
        assert_false(tt_number_whole(no_wholes[i], strlen(no_wholes[i]), &value,
                                     &negative));
    for (size_t i = 0; i < COUNT(no_numbers); i++)
        assert_false(tt_number_whole(no_numbers[i], strlen(no_numbers[i]),
                                     &value, &negative));
}

/* ---- times --------------------------------------------------------------- */

enum { CANONICAL = 1, ROUNDED = 2, EXPONENT = 4 };

struct time_row {
    const char *text;
    int64_t ns;
    int how;
};

static void assert_time(const struct time_row *row)
{
    struct tt_time t;

    memset(&t, 0xff, sizeof(t));
    assert_true(tt_time_read(row->text, strlen(row->text), &t));
    assert_true(t.ns >= INT64_MIN && t.ns <= INT64_MAX);
    assert_int_equal(t.ns, row->ns);
    assert_int_equal(t.canonical, (row->how & CANONICAL) != 0);
    assert_int_equal(t.rounded, (row->how & ROUNDED) != 0);
    assert_int_equal(t.exponent, (row->how & EXPONENT) != 0);
}

static void test_microseconds_become_nanoseconds_exactly(void **state)
{
    static const struct time_row rows[] = {
        {"0", 0, CANONICAL},
        {"0.000", 0, CANONICAL},
        {"1", 1000, CANONICAL},
        {"1.5", 1500, CANONICAL},
        {"1.25", 1250, CANONICAL},
        {"1.234", 1234, CANONICAL},
        {"-1.234", -1234, CANONICAL},
        {"-0.001", -1, CANONICAL},
        {"-0", 0, 0},
        {"-0.000", 0, 0},
        {"1700000000000000.123", 1700000000000000123, CANONICAL},
        {"1.2340", 1234, 0},
        {"1.234000000000000000000000", 1234, 0},
        {"0.0000000", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_time(&rows[i]);
}

static void test_the_ends_of_64_bits_are_exact(void **state)
{
    static const struct time_row rows[] = {
        {"9223372036854775.807", INT64_MAX, CANONICAL},
        {"9223372036854775.806", INT64_MAX - 1, CANONICAL},
        {"-9223372036854775.807", -INT64_MAX, CANONICAL},
        {"-9223372036854775.808", INT64_MIN, CANONICAL},
        {"9223372036854775.8074", INT64_MAX, ROUNDED},
        {"-9223372036854775.8085", INT64_MIN, ROUNDED},
        {"9223372036854775807e-3", INT64_MAX, EXPONENT},
        {"-9223372036854775808E-3", INT64_MIN, EXPONENT},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_time(&rows[i]);
}

static void test_digits_past_the_third_round_half_to_even(void **state)
{
    static const struct time_row rows[] = {
        {"1.2344", 1234, ROUNDED},
        {"1.2345", 1234, ROUNDED},
        {"1.2355", 1236, ROUNDED},
        {"1.2346", 1235, ROUNDED},
        {"1.23449999999999999999999", 1234, ROUNDED},
        {"1.23450000000000000000000", 1234, ROUNDED},
        {"1.23450000000000000000001", 1235, ROUNDED},
        {"0.0005", 0, ROUNDED},
        {"0.00050001", 1, ROUNDED},
        {"0.0015", 2, ROUNDED},
        {"0.0004", 0, ROUNDED},
        {"0.00009", 0, ROUNDED},
        {"0.9995", 1000, ROUNDED},
        {"999.9995", 1000000, ROUNDED},
        {"-0.0005", 0, ROUNDED},
        {"-0.0015", -2, ROUNDED},
        {"-0.0025", -2, ROUNDED},
        {"-1.2346", -1235, ROUNDED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_time(&rows[i]);
}

static void test_exponents_move_the_point(void **state)
{
    static const struct time_row rows[] = {
        {"1e0", 1000, EXPONENT},
        {"1e3", 1000000, EXPONENT},
        {"1E+3", 1000000, EXPONENT},
        {"1e-3", 1, EXPONENT},
        {"1.5e3", 1500000, EXPONENT},
        {"1.23456e2", 123456, EXPONENT},
        {"-2.5e-3", -2, EXPONENT | ROUNDED},
        {"5e-4", 0, EXPONENT | ROUNDED},
        {"15e-4", 2, EXPONENT | ROUNDED},
        {"51e-5", 1, EXPONENT | ROUNDED},
        {"9e-5", 0, EXPONENT | ROUNDED},
        {"1e-400", 0, EXPONENT | ROUNDED},
        {"1e-99999999999999999999", 0, EXPONENT | ROUNDED},
        {"0e99999999999999999999", 0, EXPONENT},
        {"0.000e-5", 0, EXPONENT},
        {"0.0000000000000000000000001e25", 1000, EXPONENT},
        {"1000000000000000000000000e-24", 1000, EXPONENT},
        {"1e000000000000000000000000001", 10000, EXPONENT},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_time(&rows[i]);
}

static void test_a_time_past_64_bits_is_told_from_one_that_fits(void **state)
{
    static const struct {
        const char *text;
        bool negative;
    } rows[] = {
        {"9223372036854775.808", false},
        {"9223372036854775.8075", false},
        {"-9223372036854775.809", true},
        {"18446744073709551615", false},
        {"-18446744073709551615", true},
        {"123456789012345678901234567890123456789012345678901234567890", false},
        {"1e16", false},
        {"-1e16", true},
        {"1e400", false},
        {"-1e99999999999999999999", true},
        {"0.1e99999999999999999999", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tt_time t;

        assert_true(tt_time_read(rows[i].text, strlen(rows[i].text), &t));
        assert_true(rows[i].negative ? t.ns < INT64_MIN : t.ns > INT64_MAX);
        assert_false(t.canonical);
    }
}

static void test_what_is_no_json_number_is_no_time(void **state)
{
    struct tt_time t;

    (void)state;
    for (size_t i = 0; i < COUNT(no_numbers); i++)
        assert_false(tt_time_read(no_numbers[i], strlen(no_numbers[i]), &t));
}

/* A number of very many digits whose exponent takes them all back. */
static void test_no_count_of_digits_is_too_much(void **state)
{
    static const size_t zeros[] = {1, 100, 9990, 10010, 300000};

    (void)state;
    for (size_t i = 0; i < COUNT(zeros); i++) {
        size_t cap = zeros[i] + 40;
        char *text = malloc(cap);
        struct time_row row = {text, 7000, EXPONENT};

        assert_non_null(text);
        memset(text, '0', zeros[i] + 2);
        text[1] = '.';
        (void)snprintf(text + 2 + zeros[i], 38, "7e%zu", zeros[i] + 1);
        assert_time(&row);
        memset(text, '0', zeros[i] + 1);
        text[0] = '7';
        (void)snprintf(text + 1 + zeros[i], 38, "e-%zu", zeros[i]);
        assert_time(&row);
        free(text);
    }
}

/* From memory of just their size: a sanitizer sees a read past the end. */
static void test_nothing_behind_the_text_is_looked_at(void **state)
{
    static const char text[] = "-9223372036854775.8075e+10";

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++) {
        char *copy = malloc(len ? len : 1);
        struct tt_time t;
        uint64_t whole;
        int64_t value;
        unsigned digits;
        bool negative;

        assert_non_null(copy);
        memcpy(copy, text, len);
        (void)tt_time_read(copy, len, &t);
        (void)tt_number_read(copy, len, &value, &digits);
        (void)tt_number_whole(copy, len, &whole, &negative);
        free(copy);
    }
}

/* ---- integers, however they are written ---------------------------------- */

static const struct {
    const char *text;
    int64_t value;
} integers[] = {
    {"0", 0},
    {"-0", 0},
    {"0.000", 0},
    {"-0e7", 0},
    {"0e-999999999999999999999", 0},
    {"12", 12},
    {"-12", -12},
    {"12.0", 12},
    {"12.000", 12},
    {"1.2e1", 12},
    {"1.20e1", 12},
    {"120e-1", 12},
    {"0.012E+3", 12},
    {"12e0", 12},
    {"1200000e-5", 12},
    {"123456789012345678", 123456789012345678},
    {"9223372036854775807", INT64_MAX},
    {"9223372036854775807.0", INT64_MAX},
    {"922337203685477580.7e1", INT64_MAX},
    {"-9223372036854775808", INT64_MIN},
    {"-922337203685477580800e-2", INT64_MIN},
    {"1e18", 1000000000000000000},
    {"5e18", 5000000000000000000},
    {"0.000000000000000000001e21", 1},
};

static void test_an_integer_is_one_however_it_is_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(integers); i++) {
        int64_t value = 77;

        if (!tt_number_integer(integers[i].text, strlen(integers[i].text),
                               &value) ||
            value != integers[i].value)
            fail_msg("%s", integers[i].text);
    }
}

static void test_what_is_no_integer_is_refused(void **state)
{
    static const char *const others[] = {
        "0.5",
        "12.5",
        "1.25e1",
        "1e-1",
        "-0.0000000000000000000001",
        "1e-999999999999999999999",
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775807.5",
        "18446744073709551615",
        "18446744073709551616",
        "1e19",
        "1e999999999999999999999",
        "123456789012345678901234567890",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        int64_t value = 77;

        if (tt_number_integer(others[i], strlen(others[i]), &value))
            fail_msg("%s", others[i]);
        assert_int_equal(value, 77);
    }
    for (size_t i = 0; i < COUNT(no_numbers); i++) {
        int64_t value = 77;

        if (tt_number_integer(no_numbers[i], strlen(no_numbers[i]), &value))
            fail_msg("%s", no_numbers[i]);
        assert_int_equal(value, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_integer_is_one_however_it_is_written),
        cmocka_unit_test(test_what_is_no_integer_is_refused),
        cmocka_unit_test(test_a_number_is_an_integer_a_decimal_or_another),
        cmocka_unit_test(test_what_is_no_json_number_is_no_number),
        cmocka_unit_test(test_an_integer_is_written_as_printf_would),
        cmocka_unit_test(test_a_whole_number_fits_64_bits_with_its_sign),
        cmocka_unit_test(test_any_other_text_is_no_whole_number),
        cmocka_unit_test(test_microseconds_become_nanoseconds_exactly),
        cmocka_unit_test(test_the_ends_of_64_bits_are_exact),
        cmocka_unit_test(test_digits_past_the_third_round_half_to_even),
        cmocka_unit_test(test_exponents_move_the_point),
        cmocka_unit_test(test_a_time_past_64_bits_is_told_from_one_that_fits),
        cmocka_unit_test(test_what_is_no_json_number_is_no_time),
        cmocka_unit_test(test_no_count_of_digits_is_too_much),
        cmocka_unit_test(test_nothing_behind_the_text_is_looked_at),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
