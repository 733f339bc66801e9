/* test_table.c - trace2tree/table.h and trace2tree/text.h */
#include <errno.h>
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

#define TEXT(literal)                                                          \
    (struct t2t_text)                                                          \
    {                                                                          \
        literal, sizeof(literal) - 1                                           \
    }

static const struct t2t_table_column columns[] = {
    {.name = "name", .type = T2T_STRING},
    {.name = "time_ns", .unit = "ns", .type = T2T_INTEGER},
    {.name = "percent", .unit = "%", .type = T2T_REAL},
};

static t2t_table *new_table(void)
{
    t2t_table *table = NULL;

    assert_int_equal(t2t_table_create(&table, "demo", columns, 3, NULL),
                     T2T_OK);
    return table;
}

static void add(t2t_table *table, struct t2t_text name, int64_t ns,
                double percent)
{
    assert_int_equal(t2t_table_add_string(table, name), T2T_OK);
    assert_int_equal(t2t_table_add_integer(table, ns), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, percent), T2T_OK);
}

static void assert_csv(const t2t_table *table, const char *expected)
{
    char *ptr = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&ptr, &len);

    assert_int_equal(t2t_table_write_csv(table, to, NULL), T2T_OK);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(ptr, expected);
    free(ptr);
}

static void assert_json(const t2t_table *table, const char *expected)
{
    char *ptr = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&ptr, &len);

    assert_int_equal(t2t_table_write_json(table, to, TEXT("t\"r"), NULL),
                     T2T_OK);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(ptr, expected);
    free(ptr);
}

static void assert_plain(const t2t_table *table, unsigned width,
                         enum t2t_time_unit unit, const char *expected)
{
    struct t2t_text_style style = {.width = width, .unit = unit};
    char *ptr = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&ptr, &len);

    assert_int_equal(t2t_table_write_text(table, to, &style, NULL), T2T_OK);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(ptr, expected);
    free(ptr);
}

static void test_cells_come_back(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, TEXT("a"), INT64_MIN, 0.5);
    add(table, TEXT(""), 7, (double)NAN);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_row_count(table), 2); /* one is under way */
    assert_true(t2t_table_integer(table, 0, 1) == INT64_MIN);
    assert_true(t2t_table_real(table, 0, 2) == 0.5);
    assert_true(isnan(t2t_table_real(table, 1, 2)));
    assert_int_equal(t2t_table_string(table, 1, 0).len, 0);
    assert_non_null(t2t_table_string(table, 1, 0).ptr);
    assert_false(t2t_table_is_null(table, 1, 0));
    assert_string_equal(t2t_table_name(table), "demo");
    assert_int_equal(t2t_table_column_count(table), 3);
    assert_string_equal(t2t_table_column(table, 1)->unit, "ns");
    t2t_table_free(table);
}

static void test_integers_reach_past_63_bits(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_unsigned(table, UINT64_MAX), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    add(table, TEXT("x"), -1, 0);
    assert_true(t2t_table_integer(table, 0, 1) == INT64_MAX);
    assert_true(t2t_table_unsigned(table, 0, 1) == UINT64_MAX);
    assert_true(t2t_table_integer(table, 1, 1) == -1);
    assert_int_equal(t2t_table_unsigned(table, 1, 1), 0);
    assert_csv(table, "name,time_ns,percent\n"
                      ",18446744073709551615,\n"
                      "x,-1,0.0\n");
    assert_plain(table, 0, T2T_NS,
                 "name             time (ns)  percent (%)\n"
                 "-     18446744073709551615            -\n"
                 "x                       -1         0.00\n");
    t2t_table_free(table);
}

static void test_what_is_not_there_is_empty(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_true(t2t_table_is_null(table, 0, 0));
    assert_true(t2t_table_is_null(table, 9, 9));
    assert_null(t2t_table_string(table, 0, 0).ptr);
    assert_int_equal(t2t_table_integer(table, 0, 0), 0);
    assert_true(isnan(t2t_table_real(table, 0, 0)));
    assert_null(t2t_table_column(table, 3));
    t2t_table_free(table);
    t2t_table_free(NULL);
}

static void test_a_cell_must_have_the_type_of_its_column(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_int_equal(t2t_table_add_integer(table, 1), T2T_ERR_USAGE);
    assert_int_equal(t2t_table_add_real(table, 1), T2T_ERR_USAGE);
    assert_int_equal(t2t_table_add_string(table, TEXT("x")), T2T_OK);
    assert_int_equal(t2t_table_add_string(table, TEXT("x")), T2T_ERR_USAGE);
    assert_int_equal(t2t_table_create(&table, "x", columns, 0, NULL),
                     T2T_ERR_USAGE);
    t2t_table_free(table);
}

static void test_csv_quotes_what_must_be(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, TEXT("plain name"), 1, 100);
    add(table, TEXT("a,\"b\""), -2, 0);
    add(table, TEXT("line\nbreak\t\x01 \xed\xb0\x80"), 3, (double)NAN);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_csv(table, "name,time_ns,percent\n"
                      "plain name,1,100.0\n"
                      "\"a,\"\"b\"\"\",-2,0.0\n"
                      "line\\nbreak\\t\\u0001 \xef\xbf\xbd,3,nan\n"
                      ",,\n");
    t2t_table_free(table);
}

static void test_json_is_strict(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    assert_json(table,
                "{\"table\":\"demo\",\"trace\":\"t\\\"r\",\"selection\":{},"
                "\"columns\":[{\"name\":\"name\",\"unit\":\"\",\"type\":"
                "\"string\"},{\"name\":\"time_ns\",\"unit\":\"ns\",\"type\":"
                "\"integer\"},{\"name\":\"percent\",\"unit\":\"%\",\"type\":"
                "\"real\"}],\"rows\":[]}\n");
    add(table, TEXT("a\"\\\n"), 1, (double)NAN);
    add(table, TEXT("\xed\xa0\x80"), 1, (double)INFINITY);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_real(table, 1e300), T2T_OK);
    assert_int_equal(t2t_table_select(table, "linked_only", "true"), T2T_OK);
    assert_int_equal(t2t_table_select(table, "gpu_events", "3"), T2T_OK);
    assert_json(table,
                "{\"table\":\"demo\",\"trace\":\"t\\\"r\",\"selection\":"
                "{\"linked_only\":true,\"gpu_events\":3},"
                "\"columns\":[{\"name\":\"name\",\"unit\":\"\",\"type\":"
                "\"string\"},{\"name\":\"time_ns\",\"unit\":\"ns\",\"type\":"
                "\"integer\"},{\"name\":\"percent\",\"unit\":\"%\",\"type\":"
                "\"real\"}],\"rows\":[\n"
                "[\"a\\\"\\\\\\n\",1,null],\n"
                "[\"\xef\xbf\xbd\",1,null],\n"
                "[null,null,1e+300]]}\n");
    t2t_table_free(table);
}

static void test_json_says_how_many_rows_there_were(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, TEXT("a"), 1, 0.5);
    add(table, TEXT("b"), 2, 1);
    t2t_table_top(table, 1);
    assert_json(table,
                "{\"table\":\"demo\",\"trace\":\"t\\\"r\",\"selection\":{},"
                "\"columns\":[{\"name\":\"name\",\"unit\":\"\",\"type\":"
                "\"string\"},{\"name\":\"time_ns\",\"unit\":\"ns\",\"type\":"
                "\"integer\"},{\"name\":\"percent\",\"unit\":\"%\",\"type\":"
                "\"real\"}],\"rows_of\":2,\"rows\":[\n"
                "[\"a\",1,0.5]]}\n");
    assert_csv(table, "name,time_ns,percent\na,1,0.5\n");
    t2t_table_free(table);
}

static void test_csv_quotes_names_of_columns(void **state)
{
    static const struct t2t_table_column odd[] = {
        {.name = "a,b", .type = T2T_STRING},
        {.name = "say \"c\"", .type = T2T_STRING},
        {.name = "d\ne", .type = T2T_STRING},
    };
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "odd", odd, 3, NULL), T2T_OK);
    assert_csv(table, "\"a,b\",\"say \"\"c\"\"\",d\\ne\n");
    t2t_table_free(table);
}

static void test_a_column_of_no_type_is_refused(void **state)
{
    static const int none[] = {-1, 3};
    struct t2t_table_column column = {.name = "a"};
    struct t2t_error err;
    t2t_table *table = NULL;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        column.type = (enum t2t_type)none[i];
        assert_int_equal(t2t_table_create(&table, "none", &column, 1, &err),
                         T2T_ERR_USAGE);
        assert_null(table);
    }
}

static void test_a_line_of_csv_is_never_empty(void **state)
{
    t2t_table *table = NULL;

    (void)state;
    assert_int_equal(t2t_table_create(&table, "names", columns, 1, NULL),
                     T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_string(table, TEXT("")), T2T_OK);
    assert_csv(table, "name\n\"\"\n\"\"\n");
    t2t_table_free(table);
}

static void test_text_is_aligned_and_has_units(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, TEXT("one"), 1500000, 12.345);
    add(table, TEXT("a\x1b[31m\x7f"), 1, (double)NAN);
    add(table, TEXT("b\xc2\x85"), 7, 0);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_int_equal(t2t_table_add_null(table), T2T_OK);
    assert_plain(table, 0, T2T_AUTO,
                 "name               time (ms)  percent (%)\n"
                 "one                    1.500        12.35\n"
                 "a\\u001b[31m\\u007f      0.000          nan\n"
                 "b\\u0085                0.000         0.00\n"
                 "-                          -            -\n");
    assert_plain(table, 0, T2T_NS,
                 "name               time (ns)  percent (%)\n"
                 "one                  1500000        12.35\n"
                 "a\\u001b[31m\\u007f          1          nan\n"
                 "b\\u0085                    7         0.00\n"
                 "-                          -            -\n");
    t2t_table_free(table);
}

static void test_long_names_are_cut_in_the_middle(void **state)
{
    t2t_table *table = new_table();

    (void)state;
    add(table, TEXT("abcdefghijklmnopqrstuvwxyz"), 1, 1);
    add(table, TEXT("\xc3\xa4\xc3\xb6\xc3\xbc"), 2, 2);
    assert_plain(table, 36, T2T_NS,
                 "name          time (ns)  percent (%)\n"
                 "abcde\xe2\x80\xa6uvwxyz          1         1.00\n"
                 "\xc3\xa4\xc3\xb6\xc3\xbc                   2         2.00\n");
    /* Numbers are never cut while there is another column. */
    assert_plain(table, 20, T2T_NS,
                 "name       time (ns)\n"
                 "abcd\xe2\x80\xa6wxyz          1\n"
                 "\xc3\xa4\xc3\xb6\xc3\xbc                2\n"
                 "(1 column not shown:\n"
                 "percent)\n");
    t2t_table_free(table);
}

static void test_a_full_disk_is_said(void **state)
{
    t2t_table *table = new_table();
    struct t2t_error err = {0};
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    if (full) {
        add(table, TEXT("x"), 1, 1);
        assert_int_equal(t2t_table_write_csv(table, full, &err),
                         T2T_ERR_NO_SPACE);
        assert_int_equal(err.code, T2T_ERR_NO_SPACE);
        (void)fclose(full);
        full = fopen("/dev/full", "w");
        assert_non_null(full);
        for (int i = 0; i < 10000; i++)
            add(table, TEXT("more than one block"), i, 1);
        assert_int_equal(t2t_table_write_json(table, full, TEXT("t"), NULL),
                         T2T_ERR_NO_SPACE);
        assert_int_equal(errno, ENOSPC);
        (void)fclose(full);
    }
    t2t_table_free(table);
}

static void test_escapes_fit_any_room(void **state)
{
    static const char text[] = "a\"\\\b\f\n\r\t\x0b/\x7f\xc2\x80\xc2\xa0"
                               "\xed\x9f\xbf\xed\xa0\x80\xee\x80\x80";
    static const struct {
        enum t2t_escape how;
        const char *expected;
    } ways[] = {
        {T2T_ESCAPE_JSON, "a\\\"\\\\\\b\\f\\n\\r\\t\\u000b/\x7f\xc2\x80"
                          "\xc2\xa0\xed\x9f\xbf\\ud800\xee\x80\x80"},
        {T2T_ESCAPE_QUOTED, "a\\\"\\\\\\b\\f\\n\\r\\t\\u000b/\x7f\xc2\x80"
                            "\xc2\xa0\xed\x9f\xbf\xef\xbf\xbd\xee\x80\x80"},
        {T2T_ESCAPE_CELL, "a\"\\\\b\\f\\n\\r\\t\\u000b/\x7f\xc2\x80"
                          "\xc2\xa0\xed\x9f\xbf\xef\xbf\xbd\xee\x80\x80"},
        {T2T_ESCAPE_TERMINAL, "a\"\\\\b\\f\\n\\r\\t\\u000b/\\u007f\\u0080"
                              "\xc2\xa0\xed\x9f\xbf\xef\xbf\xbd\xee\x80\x80"},
        {T2T_ESCAPE_QUOTED_TERMINAL,
         "a\\\"\\\\\\b\\f\\n\\r\\t\\u000b/\\u007f\\u0080"
         "\xc2\xa0\xed\x9f\xbf\xef\xbf\xbd\xee\x80\x80"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        for (size_t cap = T2T_ESCAPE_MAX; cap < 40; cap++) {
            struct t2t_text rest = {text, sizeof(text) - 1};
            char piece[40];
            char *ptr = NULL;
            size_t len = 0;
            FILE *to = open_memstream(&ptr, &len);

            while (rest.len)
                (void)fwrite(piece, 1,
                             t2t_text_escape(&rest, ways[i].how, piece, cap),
                             to);
            assert_int_equal(fclose(to), 0);
            assert_string_equal(ptr, ways[i].expected);
            free(ptr);
        }
    }
}

/* What turns text around or is not seen, up to both ends of its range. */
static void test_what_misleads_is_seen_on_a_terminal(void **state)
{
    static const struct {
        const char *text;
        const char *seen; /* NULL: as it is */
    } rows[] = {
        {"\xd8\x9b", NULL},
        {"\xd8\x9c", "\\u061c"},
        {"\xe2\x80\x8a", NULL},
        {"\xe2\x80\x8b", "\\u200b"}, /* a space without width, joiners */
        {"\xe2\x80\x8c", "\\u200c"},
        {"\xe2\x80\x8d", "\\u200d"},
        {"\xe2\x80\x8e", "\\u200e"},
        {"\xe2\x80\x8f", "\\u200f"},
        {"\xe2\x80\x90", NULL},
        {"\xe2\x80\xa7", NULL},
        {"\xe2\x80\xa8", "\\u2028"},
        {"\xe2\x80\xae", "\\u202e"},
        {"\xe2\x80\xaf", NULL},
        {"\xe2\x81\x9f", NULL},
        {"\xe2\x81\xa0", "\\u2060"},
        {"\xe2\x81\xa6", "\\u2066"},
        {"\xe2\x81\xaf", "\\u206f"},
        {"\xe2\x81\xb0", NULL},
        {"\xef\xbb\xbf", "\\ufeff"},
        {"\xef\xbf\xaf", NULL},
        {"\xef\xbf\xb0", "\\ufff0"},
        {"\xc2\xac", NULL},
        {"\xc2\xad", "\\u00ad"},
        {"\xc2\xae", NULL},
        {"\xcd\x8f", "\\u034f"},
        {"\xe1\x85\x9f", "\\u115f"},
        {"\xe1\xa0\x8e", "\\u180e"},
        {"\xe3\x85\xa4", "\\u3164"},
        {"\xef\xb8\x8f", "\\ufe0f"},
        {"\xef\xbe\xa0", "\\uffa0"},
        {"\xef\xbf\xb9", "\\ufff9"},
        {"\xef\xbf\xbb", "\\ufffb"},
        {"\xef\xbf\xbc", NULL},
        {"\xf3\x9f\xbf\xbf", NULL},
        {"\xf3\xa0\x80\x80", "\\udb40\\udc00"},
        {"\xf3\xa0\x81\xbf", "\\udb40\\udc7f"},
        {"\xf3\xa0\x84\x80", "\\udb40\\udd00"},
        {"\xf3\xa0\xbf\xbf", "\\udb43\\udfff"},
        {"\xf3\xa1\x80\x80", NULL},
        {"\xf0\x9d\x85\xb3", "\\ud834\\udd73"},
        {"\xf0\x9f\x98\x80", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int how = T2T_ESCAPE_JSON; how <= T2T_ESCAPE_QUOTED_TERMINAL;
             how++) {
            struct t2t_text text = t2t_text_of(rows[i].text);
            bool as_it_is = how < T2T_ESCAPE_TERMINAL || !rows[i].seen;
            char out[T2T_ESCAPE_MAX + 1];
            size_t len = t2t_text_escape(&text, (enum t2t_escape)how, out,
                                         T2T_ESCAPE_MAX);

            out[len] = '\0';
            assert_int_equal(text.len, 0);
            assert_string_equal(out, as_it_is ? rows[i].text : rows[i].seen);
        }
}

static void test_what_changes_is_found_at_any_place(void **state)
{
    static const struct {
        const char *from;
        const char *to;
    } changes[] = {
        {"\x1f", "\\u001f"},
        {"\n", "\\n"},
        {"\"", "\\\""},
        {"\\", "\\\\"},
        {" ", " "},
        {"\x7e", "\x7e"},
        {"\xc3\xa4", "\xc3\xa4"},
        {"\xff", "\xef\xbf\xbd"},
        {"\x7f", "\x7f"},
    };

    (void)state;
    for (size_t at = 0; at < 25; at++) {
        for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
            char text[64];
            char expected[64];
            char out[64];
            struct t2t_text rest;
            size_t len;

            (void)snprintf(text, sizeof(text), "%.*s%s%s", (int)at,
                           "!#azAZ09!#azAZ09!#azAZ09!", changes[i].from,
                           "0123456789ab");
            (void)snprintf(expected, sizeof(expected), "%.*s%s%s", (int)at,
                           "!#azAZ09!#azAZ09!#azAZ09!", changes[i].to,
                           "0123456789ab");
            rest = t2t_text_of(text);
            len = t2t_text_escape(&rest, T2T_ESCAPE_QUOTED, out, sizeof(out));
            assert_int_equal(rest.len, 0);
            assert_int_equal(len, strlen(expected));
            assert_memory_equal(out, expected, len);
        }
    }
}

static void test_what_is_no_utf8_comes_out_as_utf8(void **state)
{
    static const struct {
        const char *text;
        const char *expected; /* ? for U+FFFD */
    } pieces[] = {
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb3", NULL},
        {"\xe0\xa0\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", NULL},
        {"\xef\xbf\xbf\xec\x80\x80\xe1\x80\x80", NULL},
        {"\xff", "?"},
        {"a\x80z", "a?z"},
        {"\xc3", "?"},
        {"\xc3z", "?z"},
        {"\xc0\x80\xc1\xbf", "????"},
        {"\xe2\x82", "??"},
        {"\xe2\x82z", "??z"},
        {"\xe0\x9f\xbf", "???"},
        {"\xed\xa0", "??"},
        {"\xf0\x8f\xbf\xbf", "????"},
        {"\xf4\x90\x80\x80", "????"},
        {"\xf5\x80\x80\x80", "????"},
        {"\xc2", "?"},
        {"\xc2\xc3\xa9", "?\xc3\xa9"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        for (int how = T2T_ESCAPE_JSON; how <= T2T_ESCAPE_QUOTED_TERMINAL;
             how++) {
            char *ptr = NULL;
            size_t len = 0;
            FILE *to = open_memstream(&ptr, &len);
            char *expected = NULL;
            FILE *by_hand = open_memstream(&expected, &len);
            const char *p = pieces[i].expected;

            for (p = p ? p : pieces[i].text; *p; p++)
                (void)fputs(*p == '?' ? "\xef\xbf\xbd" : (char[]){*p, 0},
                            by_hand);
            (void)fclose(by_hand);
            t2t_text_print(to, t2t_text_of(pieces[i].text),
                           (enum t2t_escape)how);
            assert_int_equal(fclose(to), 0);
            assert_string_equal(ptr, expected);
            free(ptr);
            free(expected);
        }
    }
}

static void test_text_is_printed_whole_and_escaped(void **state)
{
    struct t2t_text text;
    char long_text[2000];
    char *ptr = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&ptr, &len);

    (void)state;
    memset(long_text, '\n', sizeof(long_text));
    text = (struct t2t_text){long_text, sizeof(long_text)};
    t2t_text_print(to, text, T2T_ESCAPE_TERMINAL);
    t2t_text_print(to, t2t_text_of(NULL), T2T_ESCAPE_TERMINAL);
    t2t_text_print(to, t2t_text_of("\"\x1b"), T2T_ESCAPE_JSON);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(len, 4000 + 8);
    for (size_t i = 0; i < 4000; i += 2)
        assert_memory_equal(ptr + i, "\\n", 2);
    assert_string_equal(ptr + 4000, "\\\"\\u001b");
    free(ptr);
}

static void test_printing_ends_where_writing_fails(void **state)
{
    FILE *to = fopen("/dev/full", "w");

    (void)state;
    if (!to)
        skip();
    assert_int_equal(setvbuf(to, NULL, _IONBF, 0), 0);
    t2t_text_print(to, t2t_text_of("name"), T2T_ESCAPE_CELL);
    assert_true(ferror(to));
    (void)fclose(to);
}

static void test_the_start_of_a_text_is_compared(void **state)
{
    (void)state;
    assert_true(t2t_text_starts_with(t2t_text_of("aten::mm"), "aten::"));
    assert_true(t2t_text_starts_with(t2t_text_of("aten::"), "aten::"));
    assert_true(t2t_text_starts_with(t2t_text_of(""), ""));
    assert_false(t2t_text_starts_with(t2t_text_of("aten:"), "aten::"));
    assert_false(t2t_text_starts_with(t2t_text_of("Aten::mm"), "aten::"));
    assert_false(t2t_text_starts_with(t2t_text_of(NULL), ""));
    assert_false(t2t_text_starts_with(t2t_text_of(NULL), "a"));
}

static void test_no_text_escapes_to_nothing(void **state)
{
    struct t2t_text none = {NULL, 0};
    char piece[8];

    (void)state;
    assert_int_equal(t2t_text_escape(&none, T2T_ESCAPE_JSON, piece, 8), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_come_back),
        cmocka_unit_test(test_integers_reach_past_63_bits),
        cmocka_unit_test(test_what_is_not_there_is_empty),
        cmocka_unit_test(test_a_cell_must_have_the_type_of_its_column),
        cmocka_unit_test(test_csv_quotes_names_of_columns),
        cmocka_unit_test(test_a_column_of_no_type_is_refused),
        cmocka_unit_test(test_csv_quotes_what_must_be),
        cmocka_unit_test(test_json_is_strict),
        cmocka_unit_test(test_text_is_aligned_and_has_units),
        cmocka_unit_test(test_long_names_are_cut_in_the_middle),
        cmocka_unit_test(test_json_says_how_many_rows_there_were),
        cmocka_unit_test(test_a_line_of_csv_is_never_empty),
        cmocka_unit_test(test_a_full_disk_is_said),
        cmocka_unit_test(test_escapes_fit_any_room),
        cmocka_unit_test(test_what_misleads_is_seen_on_a_terminal),
        cmocka_unit_test(test_what_changes_is_found_at_any_place),
        cmocka_unit_test(test_what_is_no_utf8_comes_out_as_utf8),
        cmocka_unit_test(test_text_is_printed_whole_and_escaped),
        cmocka_unit_test(test_printing_ends_where_writing_fails),
        cmocka_unit_test(test_the_start_of_a_text_is_compared),
        cmocka_unit_test(test_no_text_escapes_to_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
