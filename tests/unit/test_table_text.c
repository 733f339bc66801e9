/* test_table_text.c - t2t_table_write_text() of trace2tree/table.h */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/table.h>

#include "table/width.h"

#define HAN "\xe6\xbc\xa2"

static const struct t2t_table_column columns[] = {
    {.name = "name", .type = T2T_STRING, .flags = T2T_COLUMN_CUT},
    {.name = "kind", .type = T2T_STRING},
    {.name = "count", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL},
    {.name = "gpu_ns_sum",
     .unit = "ns",
     .type = T2T_INTEGER,
     .flags = T2T_COLUMN_TOTAL,
     .heading = "gpu"},
    {.name = "gpu_ns_mean", .unit = "ns", .type = T2T_REAL, .hide = 2},
    {.name = "first_index", .type = T2T_INTEGER, .flags = T2T_COLUMN_HIDDEN},
    {.name = "percent",
     .unit = "%",
     .type = T2T_REAL,
     .flags = T2T_COLUMN_BAR,
     .heading = "%"},
    {.name = "std", .type = T2T_REAL, .hide = 3},
};

static void add(t2t_table *table, const char *name, const char *kind,
                uint64_t count, uint64_t ns, double percent)
{
    assert_int_equal(t2t_table_add_string(table, t2t_text_of(name)), T2T_OK);
    assert_int_equal(t2t_table_add_string(table, t2t_text_of(kind)), T2T_OK);
    assert_int_equal(t2t_table_add_unsigned(table, count), T2T_OK);
    assert_int_equal(t2t_table_add_unsigned(table, ns), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, (double)ns /
                                                   (double)(count ? count : 1)),
                     T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 77), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, percent), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
}

static t2t_table *new_table(void)
{
    t2t_table *table = NULL;

    assert_int_equal(t2t_table_create(&table, "demo", columns, 8, NULL),
                     T2T_OK);
    return table;
}

static t2t_table *full_table(void)
{
    t2t_table *table = new_table();

    add(table, "aten::convolution_backward_overrideable", "GEMM", 3, 7500000,
        75);
    add(table, HAN HAN "\xcc\x81", "copy", 10, 2000400, 20.004);
    add(table, "aten::relu_", "elementwise", 1, 499600, 4.996);
    return table;
}

static char *text_of(const t2t_table *table, struct t2t_text_style style)
{
    char *ptr = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&ptr, &len);

    assert_int_equal(t2t_table_write_text(table, to, &style, NULL), T2T_OK);
    assert_int_equal(fclose(to), 0);
    return ptr;
}

static void assert_text(const t2t_table *table, struct t2t_text_style style,
                        const char *expected)
{
    char *text = text_of(table, style);

    assert_string_equal(text, expected);
    free(text);
}

#define STYLE(...)                                                             \
    (struct t2t_text_style)                                                    \
    {                                                                          \
        __VA_ARGS__                                                            \
    }

static void test_a_table_is_whole_where_there_is_room(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_text(table, STYLE(.width = 0),
                "name                                     kind         "
                "count  gpu (ms)  gpu_mean (ms)      %              std\n"
                "aten::convolution_backward_overrideable  GEMM             "
                "3     7.500          2.500  75.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c       -\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                            "
                "         copy            10     2.000          0.200  "
                "20.00 \xe2\x96\x88\xe2\x96\x88             -\n"
                "aten::relu_                              elementwise      "
                "1     0.500          0.500   5.00 "
                "\xe2\x96\x8c              -\n"
                "total                                                    "
                "14    10.000\n");
    t2t_table_free(table);
}

static void test_bars_are_ascii_where_they_must_be(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_text(table, STYLE(.width = 120, .ascii = true),
                "name                                     kind         "
                "count  gpu (ms)  gpu_mean (ms)      %              std\n"
                "aten::convolution_backward_overrideable  GEMM             "
                "3     7.500          2.500  75.00 ########       -\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                            "
                "         copy            10     2.000          0.200  "
                "20.00 ##             -\n"
                "aten::relu_                              elementwise      "
                "1     0.500          0.500   5.00                -\n"
                "total                                                    "
                "14    10.000\n");
    t2t_table_free(table);
}

static void test_names_give_way_then_bars(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_text(table, STYLE(.width = 105),
                "name                                  kind         count  "
                "gpu (ms)  gpu_mean (ms)      %              std\n"
                "aten::convolution\xe2\x80\xa6kward_overrideable  "
                "GEMM             3     7.500          2.500  "
                "75.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c       -\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                            "
                "      copy            10     2.000          0.200  "
                "20.00 \xe2\x96\x88\xe2\x96\x88             -\n"
                "aten::relu_                           elementwise      "
                "1     0.500          0.500   5.00 "
                "\xe2\x96\x8c              -\n"
                "total                                                 "
                "14    10.000\n");
    assert_text(table, STYLE(.width = 90),
                "name                              kind         count  gpu "
                "(ms)  gpu_mean (ms)      %   std\n"
                "aten::convoluti\xe2\x80\xa6"
                "ard_overrideable  GEMM             3     7.500          "
                "2.500  75.00     -\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                            "
                "  copy            10     2.000          0.200  20.00     -\n"
                "aten::relu_                       elementwise      1     "
                "0.500          0.500   5.00     -\n"
                "total                                             14    "
                "10.000\n");
    t2t_table_free(table);
}

static void test_columns_give_way_by_hide_and_are_named(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_text(table, STYLE(.width = 72, .hint = "--format csv has them"),
                "name                      kind         count  gpu "
                "(ms)      %\n"
                "aten::convo\xe2\x80\xa6overrideable  GEMM             "
                "3     7.500  75.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                      "
                "copy            10     2.000  20.00 \xe2\x96\x88\xe2\x96\x88\n"
                "aten::relu_               elementwise      1     0.500   "
                "5.00 \xe2\x96\x8c\n"
                "total                                     14    10.000\n"
                "(2 columns not shown: gpu_ns_mean, std; --format csv has "
                "them)\n");
    assert_text(table, STYLE(.width = 72, .ascii = true),
                "name                      kind         count  gpu "
                "(ms)      %\n"
                "aten::conv...verrideable  GEMM             3     7.500  "
                "75.00 ########\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81                      "
                "copy            10     2.000  20.00 ##\n"
                "aten::relu_               elementwise      1     0.500   "
                "5.00\n"
                "total                                     14    10.000\n"
                "(2 columns not shown: gpu_ns_mean, std)\n");
    t2t_table_free(table);
}

static void test_all_gives_way_in_the_end(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_text(table, STYLE(.width = 30),
                "name        kind         count\n"
                "aten\xe2\x80\xa6"
                "eable  GEMM             3\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81        copy            10\n"
                "aten\xe2\x80\xa6relu_  elementwise      1\n"
                "total                       14\n"
                "(4 columns not shown:\n"
                "gpu_ns_sum, gpu_ns_mean,\n"
                "percent, std)\n");
    assert_text(table, STYLE(.width = 4),
                "name\n"
                "a\xe2\x80\xa6le\n"
                "\xe6\xbc\xa2\xe6\xbc\xa2\xcc\x81\n"
                "a\xe2\x80\xa6u_\n"
                "(6\n"
                "colu\n"
                "mns\n"
                "not\n"
                "show\n"
                "n:\n"
                "kind\n"
                ",\n"
                "coun\n"
                "t,\n"
                "gpu_\n"
                "ns_s\n"
                "um,\n"
                "gpu_\n"
                "ns_m\n"
                "ean,\n"
                "perc\n"
                "ent,\n"
                "std)\n");
    t2t_table_free(table);
}

static void test_no_line_is_longer_than_the_terminal(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    assert_int_equal(t2t_table_select(table, "module", "\"M_0/B_1\""), T2T_OK);
    add(table, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80 wide", "x", 0, UINT64_MAX,
        (double)NAN);
    t2t_table_top(table, 3);
    for (unsigned width = 2; width < 150; width++) {
        char *text = text_of(table, STYLE(.width = width, .hint = "wider"));

        for (char *line = text; *line;) {
            size_t len = strcspn(line, "\n");

            assert_true(tt_width(line, len) <= width);
            assert_true(!len || line[len - 1] != ' ');
            line += len + 1;
        }
        free(text);
    }
    t2t_table_free(table);
}

static void test_the_total_of_a_top_is_of_all(void **state)
{
    t2t_table *table = full_table();

    (void)state;
    t2t_table_top(table, 1);
    assert_text(table, STYLE(.unit = T2T_US),
                "name                                     kind  count   gpu "
                "(us)  gpu_mean (us)      %              std\n"
                "aten::convolution_backward_overrideable  GEMM      3   "
                "7500.000       2500.000  75.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c       -\n"
                "total                                             14  "
                "10000.000\n"
                "1 of 3 rows; the total is of all\n");
    t2t_table_top(table, 0);
    assert_text(table, STYLE(.unit = T2T_NS),
                "name   kind  count  gpu (ns)  gpu_mean (ns)     "
                "%              std\n"
                "total           14  10000000\n"
                "0 of 3 rows; the total is of all\n");
    t2t_table_free(table);
}

static void test_a_unit_that_is_none_is_refused(void **state)
{
    static const int none[] = {-1, 5, 1 << 20};
    t2t_table *table = new_table();
    struct t2t_error err;

    (void)state;
    add(table, "a", "b", 1, 2, 3);
    for (size_t i = 0; i < 3; i++) {
        struct t2t_text_style style = {.unit = (enum t2t_time_unit)none[i]};

        assert_int_equal(t2t_table_write_text(table, stdout, &style, &err),
                         T2T_ERR_USAGE);
        assert_int_equal(strncmp(err.text, "no such unit: ", 14), 0);
    }
    t2t_table_free(table);
}

static void test_totals_may_pass_64_bits(void **state)
{
    static const struct t2t_table_column two[] = {
        {.name = "name", .type = T2T_STRING},
        {.name = "n", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL},
        {.name = "r", .type = T2T_REAL, .flags = T2T_COLUMN_TOTAL},
        {.name = "none", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL},
    };
    static const double reals[] = {1e100, 1, -1e100};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "demo", two, 4, NULL), T2T_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(t2t_table_add_null(table), T2T_OK);
        assert_int_equal(t2t_table_add_unsigned(table, UINT64_MAX - i), T2T_OK);
        assert_int_equal(t2t_table_add_real(table, reals[i]), T2T_OK);
        assert_int_equal(t2t_table_add_null(table), T2T_OK);
    }
    assert_text(table, STYLE(.width = 0),
                "name                      n              r  none\n"
                "-      18446744073709551615   1.00000e+100     -\n"
                "-      18446744073709551614           1.00     -\n"
                "-      18446744073709551613  -1.00000e+100     -\n"
                "total           5.53402e+19           1.00\n");
    t2t_table_free(table);
    assert_int_equal(t2t_table_create(&table, "demo", two, 4, NULL), T2T_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(t2t_table_add_string(table, t2t_text_of("x")), T2T_OK);
        assert_int_equal(t2t_table_add_integer(table, -5), T2T_OK);
        assert_int_equal(t2t_table_add_real(table, (double)NAN), T2T_OK);
        assert_int_equal(t2t_table_add_null(table), T2T_OK);
    }
    assert_text(table, STYLE(.width = 0),
                "name     n     r  none\n"
                "x       -5   nan     -\n"
                "x       -5   nan     -\n"
                "total  -10\n");
    t2t_table_free(table);
}

static void test_totals_need_a_place_for_their_name(void **state)
{
    static const struct t2t_table_column one[] = {
        {.name = "n", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL},
    };
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "demo", one, 1, NULL), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 1), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 2), T2T_OK);
    assert_text(table, STYLE(.width = 0), "n\n1\n2\n");
    t2t_table_free(table);
}

static void test_parts_of_one_another_have_one_unit(void **state)
{
    static const struct t2t_table_column times[] = {
        {.name = "all_ns",
         .unit = "ns",
         .type = T2T_INTEGER,
         .flags = T2T_COLUMN_PART},
        {.name = "part_ns",
         .unit = "ns",
         .type = T2T_INTEGER,
         .flags = T2T_COLUMN_PART},
        {.name = "other_ns", .unit = "ns", .type = T2T_INTEGER},
    };
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "demo", times, 3, NULL), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 2500000), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 45000), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 45), T2T_OK);
    assert_text(table, STYLE(.width = 0),
                "all (ms)  part (ms)  other (ns)\n"
                "   2.500      0.045          45\n");
    assert_text(table, STYLE(.width = 0, .unit = T2T_US),
                "all (us)  part (us)  other (us)\n"
                "2500.000     45.000       0.045\n");
    t2t_table_free(table);
}

static void test_bars_are_as_long_as_their_share(void **state)
{
    static const struct t2t_table_column share[] = {
        {.name = "share", .type = T2T_REAL, .flags = T2T_COLUMN_BAR},
        {.name = "x", .type = T2T_STRING},
    };
    static const double values[] = {0,    0.5, 0.7, 1.25, 10,         50,
                                    98.8, 100, 250, -3,   (double)NAN};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "demo", share, 2, NULL), T2T_OK);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        assert_int_equal(t2t_table_add_real(table, values[i]), T2T_OK);
        assert_int_equal(t2t_table_add_string(table, t2t_text_of("x")), T2T_OK);
    }
    assert_text(table, STYLE(.width = 80),
                " share             x\n"
                "  0.00             x\n"
                "  0.50             x\n"
                "  0.70 \xe2\x96\x8f           x\n"
                "  1.25 \xe2\x96\x8f           x\n"
                " 10.00 \xe2\x96\x88           x\n"
                " 50.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "       x\n"
                " 98.80 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x89"
                "  x\n"
                "100.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "  x\n"
                "250.00 "
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
                "  x\n"
                " -3.00             x\n"
                "   nan             x\n");
    t2t_table_free(table);
}

static void test_times_of_a_column_have_one_unit(void **state)
{
    static const struct t2t_table_column times[] = {
        {.name = "a_ns", .unit = "ns", .type = T2T_INTEGER},
        {.name = "b_ns_max", .unit = "ns", .type = T2T_INTEGER},
        {.name = "c_nsec", .unit = "ns", .type = T2T_REAL},
        {.name = "d_ns", .unit = "ns", .type = T2T_REAL},
        {.name = "bytes", .unit = "bytes", .type = T2T_INTEGER},
    };
    static const int64_t values[][2] = {
        {1499, 999}, {-2000500, 0}, {5, 1}, {2999999999, 14}, {0, 7}};
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "demo", times, 5, NULL), T2T_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(t2t_table_add_integer(table, values[i][0]), T2T_OK);
        assert_int_equal(t2t_table_add_integer(table, values[i][1]), T2T_OK);
        assert_int_equal(t2t_table_add_real(table, (double)values[i][0] / 3),
                         T2T_OK);
        assert_int_equal(t2t_table_add_real(table, (double)values[i][1]),
                         T2T_OK);
        assert_int_equal(t2t_table_add_integer(table, 1 << i), T2T_OK);
    }
    assert_text(table, STYLE(.width = 0),
                " a (s)  b_max (ns)  c_nsec (ms)   d (ns)  bytes\n"
                " 0.000         999        0.000  999.000      1\n"
                "-0.002           0       -0.667    0.000      2\n"
                " 0.000           1        0.000    1.000      4\n"
                " 3.000          14     1000.000   14.000      8\n"
                " 0.000           7        0.000    7.000     16\n");
    assert_text(table, STYLE(.unit = T2T_US),
                "     a (us)  b_max (us)  c_nsec (us)  d (us)  bytes\n"
                "      1.499       0.999        0.500   0.999      1\n"
                "  -2000.500       0.000     -666.833   0.000      2\n"
                "      0.005       0.001        0.002   0.001      4\n"
                "2999999.999       0.014  1000000.000   0.014      8\n"
                "      0.000       0.007        0.000   0.007     16\n");
    assert_int_equal(t2t_table_add_integer(table, -499), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, -499), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, -499), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, -0.0), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 0), T2T_OK);
    assert_text(table, STYLE(.unit = T2T_MS, .width = 0),
                "  a (ms)  b_max (ms)  c_nsec (ms)  d (ms)  bytes\n"
                "   0.001       0.001        0.000   0.001      1\n"
                "  -2.001       0.000       -0.667   0.000      2\n"
                "   0.000       0.000        0.000   0.000      4\n"
                "3000.000       0.000     1000.000   0.000      8\n"
                "   0.000       0.000        0.000   0.000     16\n"
                "   0.000       0.000        0.000   0.000      0\n");
    t2t_table_free(table);
}

static void test_times_of_a_selection_are_as_options_take_them(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_select(table, "between_ns",
                                      "[-1500,1000000000]"),
                     T2T_OK);
    assert_int_equal(t2t_table_select(table, "min_ns", "0"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "short_ns", "126001"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "a_ns", "999"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "b_ns", "1000200"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "c_ns", "-9223372036854775808"),
                     T2T_OK);
    assert_int_equal(t2t_table_select(table, "d_ns", "18446744073709551615"),
                     T2T_OK);
    assert_int_equal(t2t_table_select(table, "step", "[3,7]"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "ns", "5"), T2T_OK);
    assert_text(table, STYLE(.width = 90),
                "selected: between -1.5us 1s, min 0, short 126.001us, a 999ns, "
                "b 1.0002ms, c\n"
                "-9223372036.854775808s, d 18446744073.709551615s, step 3-7, "
                "ns 5\n"
                "name  kind  count  gpu (ns)  gpu_mean (ns)     "
                "%              std\n"
                "(no rows)\n");
    t2t_table_free(table);
}

static void test_the_selection_is_said_in_words(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_select(table, "linked_only", "true"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "step", "\"3-7\""), T2T_OK);
    assert_int_equal(t2t_table_select(table, "module", "\"a\\n\xc2\x9b\""),
                     T2T_OK);
    assert_int_equal(t2t_table_select(table, "gpu_events", "30"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "gpu_events_of", "512"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "part_of", "9"), T2T_OK);
    assert_text(table, STYLE(.width = 90),
                "selected: linked only, step \"3-7\", module "
                "\"a\\n\\u009b\", 30 of 512 GPU events, part of 9\n"
                "name  kind  count  gpu (ns)  gpu_mean (ns)     "
                "%              std\n"
                "(no rows)\n");
    t2t_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_is_whole_where_there_is_room),
        cmocka_unit_test(test_bars_are_ascii_where_they_must_be),
        cmocka_unit_test(test_names_give_way_then_bars),
        cmocka_unit_test(test_columns_give_way_by_hide_and_are_named),
        cmocka_unit_test(test_all_gives_way_in_the_end),
        cmocka_unit_test(test_no_line_is_longer_than_the_terminal),
        cmocka_unit_test(test_the_total_of_a_top_is_of_all),
        cmocka_unit_test(test_a_unit_that_is_none_is_refused),
        cmocka_unit_test(test_totals_may_pass_64_bits),
        cmocka_unit_test(test_totals_need_a_place_for_their_name),
        cmocka_unit_test(test_parts_of_one_another_have_one_unit),
        cmocka_unit_test(test_bars_are_as_long_as_their_share),
        cmocka_unit_test(test_times_of_a_column_have_one_unit),
        cmocka_unit_test(test_times_of_a_selection_are_as_options_take_them),
        cmocka_unit_test(test_the_selection_is_said_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
