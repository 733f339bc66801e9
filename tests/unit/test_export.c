/* test_export.c - trace2tree/export.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include <xxhash.h>

#include "fixture.h"
#include "future.h"

#define NAME "test_export"
#define PATH NAME ".t2t"
#define OUT "test_export.out"

/* What is exported of an index, to be freed. */
static char *export_index(const t2t_index *index, size_t *len)
{
    FILE *f = fopen(OUT, "wb");
    struct t2t_error err;

    assert_non_null(f);
    if (t2t_export_trace(index, f, &err))
        fail_msg("%s", err.text);
    assert_int_equal(fclose(f), 0);
    return (char *)read_file(OUT, len);
}

/* Exports the trace `from`, which must give `expected`, and that must give
 * itself. */
static void assert_export(const char *from, const char *expected)
{
    for (int i = 0; i < 2; i++) {
        t2t_index *index = make_index(NAME, from);
        size_t len;
        char *text = export_index(index, &len);

        assert_int_equal(len, strlen(expected));
        assert_memory_equal(text, expected, len);
        free(text);
        remove_index(NAME, index);
        from = expected;
    }
    (void)unlink(OUT);
}

static const struct {
    const char *from;
    const char *expected;
} traces[] = {
    {"[]", "[]"},
    {" \t[ \n ]\r\n", " \t[]\r\n"},
    {"[1 , {}]", "[\n1,\n{}\n]"},
    {"\xef\xbb\xbf[ null ] ", "[\nnull\n] "},
    {"{\"traceEvents\":[]}", "{\"traceEvents\":[]}"},
    {"{ \"\\u0074raceEvents\" : [ 1.50 ] , \"a\" : [ 1 ] }\n",
     "{ \"\\u0074raceEvents\" : [\n1.50\n] , \"a\" : [ 1 ] }\n"},
    {"{\"a\":[],\"a\":[2],\"x\":{\"traceEvents\":[3]},\"traceEvents\":[[ ],4]}",
     "{\"a\":[],\"a\":[2],\"x\":{\"traceEvents\":[3]},\"traceEvents\":[\n[],\n4"
     "\n]}"},
    {"[{\"ts\":-0.001,\"dur\":1e3,\"ts\":1},{\"ph\":\"X\",\"ts\":-12.340,"
     "\"dur\":0.5,\"pid\":18446744073709551615,\"tid\":-9223372036854775808,"
     "\"name\":\"\\u00e9\\ud800\\u001f\\/\"}]",
     "[\n{\"ts\":-0.001,\"dur\":1e3,\"ts\":1},\n{\"ph\":\"X\",\"ts\":-12.34,"
     "\"dur\":0.5,\"pid\":18446744073709551615,\"tid\":-9223372036854775808,"
     "\"name\":\"\xc3\xa9\\ud800\\u001f/\"}\n]"},
    {"[{\"ph\":\"X\",\"ts\":-0,\"dur\":-0.000,\"pid\":-0}]",
     "[\n{\"ph\":\"X\",\"ts\":-0,\"dur\":-0.000,\"pid\":-0}\n]"},
    {"[{\"a\":-0,\"b\":0,\"c\":-1,\"d\":9223372036854775807,\"e\":1E+400,"
     "\"f\":0.000000000000000001,\"g\":-0.05,\"h\":100000000000000000.5,"
     "\"i\":10,\"j\":99,\"k\":100,\"l\":-9.99,\"m\":1.10}]",
     "[\n{\"a\":-0,\"b\":0,\"c\":-1,\"d\":9223372036854775807,\"e\":1E+400,"
     "\"f\":0.000000000000000001,\"g\":-0.05,\"h\":100000000000000000.5,"
     "\"i\":10,\"j\":99,\"k\":100,\"l\":-9.99,\"m\":1.10}\n]"},
};

static void test_the_trace_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++)
        assert_export(traces[i].from, traces[i].expected);
}

/* Elements at, just before and just behind the end of a frame of the
 * envelope, with more frames behind them. */
static void test_elements_belong_anywhere_in_the_envelope(void **state)
{
    static const char head[] = "{\"a\":\"";
    static const char middle[] = "\",\"traceEvents\":[";
    enum { ROOM = 4 * 65536 };
    const size_t around = sizeof(head) - 1 + sizeof(middle) - 1;

    (void)state;
    for (size_t at = 65534; at <= 65538; at++) {
        char *from = calloc(1, ROOM);
        char *expected = calloc(1, ROOM);
        size_t pad = at - around;
        int more = 100000;

        assert_true(from && expected);
        (void)snprintf(from, ROOM, "%s%*s%s7, 8],\"b\":\"%*s\"} ", head,
                       (int)pad, "x", middle, more, "y");
        (void)snprintf(expected, ROOM, "%s%*s%s\n7,\n8\n],\"b\":\"%*s\"} ",
                       head, (int)pad, "x", middle, more, "y");
        assert_export(from, expected);
        free(from);
        free(expected);
    }
}

/* More than is written at a time, and more than a frame of elements. */
static void test_many_elements_come_back_in_their_order(void **state)
{
    enum { MANY = 60000 };
    char *text = malloc(64 * MANY);
    size_t len;

    (void)state;
    assert_non_null(text);
    len = (size_t)snprintf(text, 8, "[\n");
    for (int i = 0; i < MANY; i++)
        len += (size_t)snprintf(text + len, 64,
                                "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":%d,"
                                "\"ts\":%d}",
                                i ? ",\n" : "", i % 7, i * 13 % 1000);
    (void)snprintf(text + len, 8, "\n]");
    assert_export(text, text);
    free(text);
}

static void test_no_space_is_said(void **state)
{
    FILE *f = fopen("/dev/full", "wb");
    t2t_index *index = make_index(NAME, "[1]");
    struct t2t_error err;

    (void)state;
    if (f) {
        assert_int_equal(t2t_export_trace(index, f, &err), T2T_ERR_NO_SPACE);
        assert_int_equal(errno, ENOSPC);
        assert_string_equal(err.text, "cannot write: No space left on device");
        assert_int_equal(t2t_export_trace(index, f, NULL), T2T_ERR_NO_SPACE);
        (void)fclose(f);
    }
    f = fopen(PATH, "rb"); /* not for writing */
    assert_non_null(f);
    assert_int_equal(t2t_export_trace(index, f, &err), T2T_ERR_IO);
    assert_int_equal(errno, EBADF);
    assert_int_equal(fclose(f), 0);
    remove_index(NAME, index);
}

/* Places where no array is, in `{"a":[],"traceEvents":[` `]}`. */
static const uint64_t places[] = {0, 1, 22, 24, 25, 26, UINT64_MAX};

static void test_an_array_that_is_elsewhere_is_damage(void **state)
{
    static const char text[] = "{\"a\":\"\",\"traceEvents\":[1]}";
    t2t_index *index = make_index(NAME, text);
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    const struct tt_section *s = &future_table(ptr)[TT_SECTION_ARRAY - 1];
    FILE *f = fopen(OUT, "wb");

    (void)state;
    assert_non_null(f);
    assert_int_equal(ptr[s->offset], 23);
    t2t_index_close(index);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct t2t_error err;

        memcpy(ptr + s->offset, &places[i], sizeof(places[i]));
        future_seal(ptr);
        write_file(PATH, ptr, len);
        assert_int_equal(t2t_index_open(&index, PATH, NULL), T2T_OK);
        assert_int_equal(t2t_export_trace(index, f, &err),
                         T2T_ERR_INDEX_DAMAGE);
        assert_int_equal(err.offset, s->offset);
        assert_string_equal(err.text, "no array is where the elements belong");
        assert_int_equal(t2t_index_verify(index, &err), T2T_ERR_INDEX_DAMAGE);
        assert_int_equal(err.offset, s->offset);
        t2t_index_close(index);
    }
    assert_int_equal(fclose(f), 0);
    (void)unlink(OUT);
    free(ptr);
    remove_index(NAME, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_trace_comes_back),
        cmocka_unit_test(test_elements_belong_anywhere_in_the_envelope),
        cmocka_unit_test(test_many_elements_come_back_in_their_order),
        cmocka_unit_test(test_no_space_is_said),
        cmocka_unit_test(test_an_array_that_is_elsewhere_is_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
