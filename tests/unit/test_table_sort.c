/* test_table_sort.c - order and top of trace2tree/table.h, and many rows */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/table.h>

enum { NAME, NUMBER, SHARE, PLACE };

static const struct t2t_table_column columns[] = {
    {.name = "name", .type = T2T_STRING},
    {.name = "number", .type = T2T_INTEGER},
    {.name = "share", .unit = "%", .type = T2T_REAL},
    {.name = "place", .type = T2T_INTEGER},
};

static t2t_table *new_table(void)
{
    t2t_table *table = NULL;

    assert_int_equal(t2t_table_create(&table, "demo", columns, 4, NULL),
                     T2T_OK);
    return table;
}

/* Adds a row; `place` counts the rows. */
static void add(t2t_table *table, const char *name, int64_t number,
                double share)
{
    size_t place = t2t_table_row_count(table);

    assert_int_equal(t2t_table_add_string(table, t2t_text_of(name)), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, number), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, share), T2T_OK);
    assert_int_equal(t2t_table_add_unsigned(table, place), T2T_OK);
}

/* The places of the rows, a digit each. */
static void assert_order(const t2t_table *table, const char *places)
{
    assert_int_equal(t2t_table_row_count(table), strlen(places));
    for (size_t r = 0; places[r]; r++)
        assert_int_equal(t2t_table_integer(table, r, PLACE), places[r] - '0');
}

static void sort(t2t_table *table, size_t column, bool descending)
{
    assert_int_equal(t2t_table_sort(table, column, descending), T2T_OK);
}

static void test_integers_sort_by_size(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, "", 5, 0);
    add(table, "", -1, 0);
    add(table, "", INT64_MIN, 0);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_unsigned(table, UINT64_MAX), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 3), T2T_OK);
    add(table, "", INT64_MAX, 0);
    add(table, "", 0, 0);
    sort(table, NUMBER, false);
    assert_order(table, "215043");
    assert_true(t2t_table_unsigned(table, 5, NUMBER) == UINT64_MAX);
    sort(table, NUMBER, true);
    assert_order(table, "340512");
    t2t_table_free(table);
}

static void test_reals_sort_with_nan_and_nothing_last(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, 0), T2T_OK);
    add(table, "", 0, (double)NAN);
    add(table, "", 0, 0.0);
    add(table, "", 0, -0.0);
    add(table, "", 0, -1e300);
    add(table, "", 0, (double)INFINITY);
    add(table, "", 0, 5e-324);
    add(table, "", 0, -(double)NAN);
    sort(table, SHARE, false);
    assert_order(table, "42365170");
    sort(table, SHARE, true);
    assert_order(table, "56234170");
    t2t_table_free(table);
}

static void test_texts_sort_by_bytes(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, "b", 0, 0);
    add(table, "\xc3\xa4", 0, 0);
    add(table, "a", 0, 0);
    add(table, "", 0, 0);
    add(table, "aa", 0, 0);
    add(table, "a", 0, 0);
    add(table, NULL, 0, 0);
    sort(table, NAME, false);
    assert_order(table, "3254016");
    sort(table, NAME, true);
    assert_order(table, "1042536");
    t2t_table_free(table);
}

static void test_rows_that_are_equal_stay_in_order(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, "x", 1, 0);
    add(table, "y", 1, 0);
    add(table, "x", 2, 0);
    add(table, "y", 1, 0);
    add(table, "x", 1, 0);
    sort(table, NUMBER, true);
    assert_order(table, "20134");
    sort(table, NAME, false);
    assert_order(table, "20413");
    t2t_table_free(table);
}

static void test_the_top_knows_how_many_rows_there_were(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    for (int i = 0; i < 5; i++)
        add(table, "x", i, i);
    sort(table, NUMBER, true);
    t2t_table_top(table, 9);
    assert_order(table, "43210");
    t2t_table_top(table, 2);
    assert_order(table, "43");
    assert_int_equal(t2t_table_row_count_of(table), 5);
    assert_true(t2t_table_is_null(table, 2, NUMBER));
    t2t_table_top(table, 4);
    assert_order(table, "43");
    sort(table, SHARE, false);
    assert_order(table, "34");
    t2t_table_free(table);
}

static void test_no_rows_come_after_sorting(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    sort(table, NAME, false);
    assert_int_equal(t2t_table_row_count(table), 0);
    assert_int_equal(t2t_table_add_null(table), T2T_ERR_USAGE);
    assert_int_equal(t2t_table_add_string(table, t2t_text_of("x")),
                     T2T_ERR_USAGE);
    assert_int_equal(t2t_table_sort(table, 4, false), T2T_ERR_USAGE);
    assert_int_equal(t2t_table_sort(table, T2T_NO_COLUMN, false),
                     T2T_ERR_USAGE);
    t2t_table_free(table);
    table = new_table();
    assert_int_equal(t2t_table_add_null(table), T2T_OK); /* no row yet */
    t2t_table_top(table, 3);
    assert_int_equal(t2t_table_row_count(table), 0);
    assert_int_equal(t2t_table_add_null(table), T2T_ERR_USAGE);
    t2t_table_free(table);
}

static void test_columns_are_found_by_name(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_find_column(table, "share"), SHARE);
    assert_true(t2t_table_find_column(table, "shar") == T2T_NO_COLUMN);
    assert_true(t2t_table_find_column(table, "") == T2T_NO_COLUMN);
    add(table, "x", 1, 1);
    assert_true(t2t_table_is_null(table, 0, T2T_NO_COLUMN));
    assert_null(t2t_table_column(table, T2T_NO_COLUMN));
    t2t_table_free(table);
}

static void test_many_rows_come_back_and_sort(void **state)
{
    enum { ROWS = 100000 };
    t2t_table *table = new_table();
    char name[32];

    (void)state;
    for (uint32_t i = 0; i < ROWS; i++) {
        (void)snprintf(name, sizeof(name), "name %u", i % 1000);
        add(table, name, i * 48271u % ROWS, i / 8.0);
    }
    assert_int_equal(t2t_table_row_count(table), ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        (void)snprintf(name, sizeof(name), "name %u", i % 1000);
        assert_true(t2t_text_equal(t2t_table_string(table, i, NAME),
                                   t2t_text_of(name)));
        assert_true(t2t_table_real(table, i, SHARE) == i / 8.0);
    }
    sort(table, NUMBER, false);
    for (uint32_t i = 1; i < ROWS; i++) {
        int64_t before = t2t_table_integer(table, i - 1, NUMBER);
        int64_t number = t2t_table_integer(table, i, NUMBER);
        int64_t place = t2t_table_integer(table, i, PLACE);

        assert_true(before < number ||
                    (before == number &&
                     t2t_table_integer(table, i - 1, PLACE) < place));
        assert_int_equal(number, (uint32_t)place * 48271u % ROWS);
    }
    t2t_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_sort_by_size),
        cmocka_unit_test(test_reals_sort_with_nan_and_nothing_last),
        cmocka_unit_test(test_texts_sort_by_bytes),
        cmocka_unit_test(test_rows_that_are_equal_stay_in_order),
        cmocka_unit_test(test_the_top_knows_how_many_rows_there_were),
        cmocka_unit_test(test_no_rows_come_after_sorting),
        cmocka_unit_test(test_columns_are_found_by_name),
        cmocka_unit_test(test_many_rows_come_back_and_sort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
