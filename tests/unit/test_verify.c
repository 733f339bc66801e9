/* test_verify.c - t2t_index_verify(): what an index says twice */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "future.h"

#define NAME "test_verify"
#define PATH NAME ".t2t"

/*
 * Ids: 0 frame, 1 aten::mm, 2 launch, 3 and 4 its kernels, 5 aten::inner, which
 * outlasts its parent, 6 aten::late of another thread, 7 a pair; outside: 8 a
 * note, 9 the end of the pair, 10 and 11 names, 12 no object, 13 a pair.
 */
static const char trace[] =
    "{\"before\":{\"a\":[1,2]},\"traceEvents\":["
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"frame\",\"pid\":1,"
    "\"tid\":2,\"ts\":10,\"dur\":90,\"args\":{}},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,"
    "\"tid\":2,\"ts\":20,\"dur\":30,\"args\":{\"dims\":[[7,8],[9]]}},"
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\",\"pid\":1,"
    "\"tid\":2,\"ts\":25,\"dur\":5,\"args\":{\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,"
    "\"tid\":7,\"ts\":140,\"dur\":5,\"args\":{\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,"
    "\"tid\":7,\"ts\":140,\"dur\":5,\"args\":{\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::inner\",\"pid\":1,"
    "\"tid\":2,\"ts\":40,\"dur\":11,\"args\":{}},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::late\",\"pid\":1,"
    "\"tid\":\"t\",\"ts\":50,\"dur\":5,\"args\":{}},"
    "{\"ph\":\"B\",\"cat\":\"cpu_op\",\"name\":\"pair\",\"pid\":1,"
    "\"tid\":\"t\",\"ts\":60,\"args\":{}},"
    "{\"ph\":\"i\",\"cat\":\"note\",\"name\":\"note\",\"pid\":null,"
    "\"ts\":\"70\",\"s\":\"t\"},"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":\"t\",\"ts\":80},"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"ts\":0,"
    "\"args\":{\"name\":\"python\"}},"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":\"t\",\"ts\":0,"
    "\"args\":{\"name\":\"worker\"}},"
    "\"no object\","
    "{\"ph\":\"B\",\"cat\":\"marks\",\"name\":\"open\",\"pid\":1,"
    "\"tid\":\"t\",\"ts\":81,\"args\":{}}"
    "],\"after\":true}";

static enum t2t_status check_bytes(const unsigned char *ptr, size_t len,
                                   struct t2t_error *err)
{
    t2t_index *index = NULL;
    enum t2t_status st;

    write_file(PATH, ptr, len);
    st = t2t_index_open(&index, PATH, err);
    if (!st)
        st = t2t_index_verify(index, err);
    t2t_index_close(index);
    return st;
}

/* The bytes of the index, and a copy of them to be changed; both to be freed.
 */
static unsigned char *make_bytes(unsigned char **copy, size_t *len)
{
    unsigned char *ptr;
    struct t2t_error err = {0};

    build_index(NAME, trace);
    ptr = read_file(PATH, len);
    *copy = malloc(*len);
    assert_non_null(*copy);
    if (check_bytes(ptr, *len, &err))
        fail_msg("%s", err.text);
    return ptr;
}

static void assert_damage(unsigned char *copy, size_t len, size_t i,
                          const char *text)
{
    struct t2t_error err = {0};

    future_seal(copy);
    if (check_bytes(copy, len, &err) != T2T_ERR_INDEX_DAMAGE)
        fail_msg("row %zu is not seen: %s", i, text);
    if (strcmp(err.text, text) != 0)
        fail_msg("row %zu: %s, not %s", i, err.text, text);
}

/* Records that hold another value, in a file whose checksums are right. */
static const struct {
    enum tt_section_id id;
    uint32_t record;
    uint32_t at; /* byte of the record */
    uint32_t bytes;
    uint64_t value;
    const char *text;
} records[] = {
    {TT_SECTION_NAME, 8, 0, 4, TT_NONE, "element 8 holds an impossible value"},
    {TT_SECTION_NAME, 9, 0, 4, 0, "an element has another name"},
    {TT_SECTION_NAME, 12, 0, 4, 0,
     "an element that is no object has properties"},
    {TT_SECTION_PHASE, 0, 0, 1, 'B', "an element has another phase"},
    {TT_SECTION_PHASE, 8, 0, 1, 'I', "an element has another phase"},
    {TT_SECTION_PHASE, 12, 0, 1, 'X',
     "an element that is no object has properties"},
    {TT_SECTION_DURATION, 7, 0, 4, 1, "a lane has other times"},
    {TT_SECTION_DURATION, 8, 0, 4, 1, "an element has another time"},
    {TT_SECTION_DURATION, 13, 0, 4, 1, "an element has another time"},
    {TT_SECTION_START, 8, 0, 8, 71000, "an element has another time"},
    {TT_SECTION_START, 8, 0, 8, UINT64_C(1) << 63,
     "an element has another time"},
    {TT_SECTION_START, 5, 0, 8, 19000, "siblings are not in order"},
    {TT_SECTION_FLAGS, 1, 0, 1, 0, "the flags of a node cannot be"},
    {TT_SECTION_FLAGS, 0, 0, 1, TT_FLAG_ROOT_OP,
     "the flags of a node cannot be"},
    {TT_SECTION_FLAGS, 5, 0, 1, TT_FLAG_CROSSED,
     "the flags of a node cannot be"},
    {TT_SECTION_FLAGS, 5, 0, 1, TT_FLAG_CUT, "the flags of a node cannot be"},
    {TT_SECTION_FLAGS, 1, 0, 1, TT_FLAG_ROOT_OP | TT_FLAG_CUT,
     "the flags of a node cannot be"},
    {TT_SECTION_FLAGS, 3, 0, 1, TT_FLAG_GPU | TT_FLAG_LINKED | TT_FLAG_CUT,
     "the flags of a node cannot be"},
    {TT_SECTION_LANE, 2, 0, 4, 1, "a node is not in the lane of its parent"},
    {TT_SECTION_LANE, 6, 0, 4, 0, "a lane has another number of elements"},
    {TT_SECTION_LANES, 0, 8, 8, 2, "lanes are not in order"},
    {TT_SECTION_LANES, 0, 24, 4, TT_NONE, "a lane has other names"},
    {TT_SECTION_LANES, 1, 28, 4, 0, "a lane has other names"},
    {TT_SECTION_LANES, 0, 32, 4, 1, "a lane has other nodes"},
    {TT_SECTION_LANES, 0, 36, 4, 5, "a lane has other nodes"},
    {TT_SECTION_LANES, 0, 40, 4, 5, "a lane has another number of elements"},
    {TT_SECTION_LANES, 0, 48, 8, 9, "a lane has other times"},
    {TT_SECTION_LANES, 2, 56, 8, 9, "a lane has other times"},
    {TT_SECTION_CATEGORIES, 1, 0, 4, TT_NONE, "a category is there twice"},
    {TT_SECTION_MEMBERS, 0, 24, 8, 1 << 20, "a member is not where one can be"},
    {TT_SECTION_MEMBERS, 1, 16, 8, 3, "a member is not where one can be"},
    {TT_SECTION_ANOMALIES, 0, 24, 8, 3,
     "an anomaly is not where its element is"},
};

static void test_records_that_contradict_others_are_seen(void **state)
{
    unsigned char *copy;
    size_t len;
    unsigned char *ptr = make_bytes(&copy, &len);

    (void)state;
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
        const struct tt_section *s;

        memcpy(copy, ptr, len);
        s = &future_table(copy)[records[i].id - 1];
        assert_true(records[i].record < s->count);
        memcpy(copy + s->offset + (size_t)records[i].record * s->record_bytes +
                   records[i].at,
               &records[i].value, records[i].bytes);
        assert_damage(copy, len, i, records[i].text);
    }
    free(copy);
    free(ptr);
    remove_index(NAME, NULL);
}

static void test_times_of_the_header_are_compared(void **state)
{
    unsigned char *copy;
    size_t len;
    unsigned char *ptr = make_bytes(&copy, &len);

    (void)state;
    memcpy(copy, ptr, len);
    future_header(copy)->origin_ns++;
    assert_damage(copy, len, 0, "the header has other times");
    memcpy(copy, ptr, len);
    future_header(copy)->last_end_ns++;
    assert_damage(copy, len, 1, "the header has other times");
    free(copy);
    free(ptr);
    remove_index(NAME, NULL);
}

/* Strings that hold something else of the same length. */
static const struct {
    const char *from;
    const char *to;
    const char *text;
} strings[] = {
    /* templates */
    {"{\"ph\":\"X\",\"cat\":\"kernel\"", "{\"ph\":\"Y\",\"cat\":\"kernel\"",
     "an element has another phase"},
    {"{\"ph\":\"X\",\"cat\":\"kernel\"", "{\"ph\":\"X\",\"cat\":\"kernal\"",
     "an element has another category"},
    {"{\"ph\":\"X\",\"cat\":\"kernel\"", "{\"ph\":\"X\",\"cut\":\"kernel\"",
     "an element has another category"},
    {"{\"ph\":\"X\",\"cat\":\"kernel\"", "{\"ph\":\"X\" \"cat\":\"kernel\"",
     "a template is no JSON"},
    {"\"kernel\",\"name\":\1", "\"kernel\",\"nome\":\1",
     "an element has another name"},
    {"\"kernel\",\"name\":\1", "\"kernel\",\"name\":3",
     "an element has another name"},
    {"\"kernel\",\"name\":\1,\"pid\":\2", "\"kernel\",\"name\":\1,\"pid\":7",
     "an element has another lane"},
    {"\"kernel\",\"name\":\1,\"pid\":\2", "\"kernel\",\"name\":\1,\"pit\":\2",
     "an element has another lane"},
    {"\"kernel\",\"name\":\1,\"pid\":\2", "\"kernel\",\"name\":\1,\"pid\":\3",
     "a shape is no template"},
    {"\5,\"args\":{\"correlation\":\6", "4,\"args\":{\"correlation\":\6",
     "an element has another time"},
    {"\4,\"dur\":\5,\"args\":{\"correlation\":\6",
     "\4,\"dun\":\5,\"args\":{\"correlation\":\6",
     "an element has another time"},
    {"\"correlation\":\6", "\"correlatio\6\":1", "a template is no JSON"},
    {"\"correlation\":\6", "\"correlatio\":\6\6", "a template is no JSON"},
    {"\"correlation\":\6", "\"correlatio\":-\6", "a template is no JSON"},
    {"\"correlation\":\6", "\"correlation\",\6", "a template is no JSON"},
    /* texts of slots */
    {"[[7,8],[9]]", "[[7,8],[9}]", "an element is no JSON"},
    {"[[7,8],[9]]", "[[7,8],[09]", "an element is no JSON"},
    {"\"python\"", "\"pyth\nn\"", "an element is no JSON"},
    {"\"python\"", "\"pytton\"", "a lane has other names"},
    {"\"worker\"", "\"walker\"", "a lane has other names"},
    {"\"70\"", "\"71\"", "an element has another time"},
    {"\"70\"", "\"x7\"", "an element has another time"},
    /* names and categories */
    {"thread_name", "threat_name", "a lane has other names"},
    {"aten::late", "aten::mmmm", NULL},
};

/* Where `from` stands in the bytes of the strings, and not inside a longer
 * one where it is a whole one. */
static unsigned char *find(unsigned char *ptr, const char *from)
{
    const struct tt_section *s =
        &future_table(ptr)[TT_SECTION_STRING_BYTES - 1];

    return memmem(ptr + s->offset, (size_t)s->bytes, from, strlen(from));
}

static void test_strings_that_contradict_columns_are_seen(void **state)
{
    unsigned char *copy;
    size_t len;
    unsigned char *ptr = make_bytes(&copy, &len);

    (void)state;
    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        struct t2t_error err = {0};
        unsigned char *at;

        memcpy(copy, ptr, len);
        at = find(copy, strings[i].from);
        if (!at)
            fail_msg("row %zu: there is no %s", i, strings[i].from);
        assert_int_equal(strlen(strings[i].from), strlen(strings[i].to));
        memcpy(at, strings[i].to, strlen(strings[i].to));
        if (strings[i].text) {
            assert_damage(copy, len, i, strings[i].text);
            continue;
        }
        future_seal(copy); /* nothing else says so */
        assert_int_equal(check_bytes(copy, len, &err), T2T_OK);
    }
    free(copy);
    free(ptr);
    remove_index(NAME, NULL);
}

static void test_no_string_is_there_twice(void **state)
{
    unsigned char *copy;
    size_t len;
    unsigned char *ptr = make_bytes(&copy, &len);
    unsigned char *at;

    (void)state;
    memcpy(copy, ptr, len);
    at = find(copy, "frame");
    assert_non_null(at);
    memcpy(at, "aaaaa", 5);
    at = find(copy, "after");
    assert_non_null(at);
    memcpy(at, "aaaaa", 5);
    assert_damage(copy, len, 0, "a string is there twice");
    free(copy);
    free(ptr);
    remove_index(NAME, NULL);
}

/* Odd documents whose index is whole. */
static const char *const odd[] = {
    "[]",
    "[1,\"x\",null,[{}],{}]",
    "[{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":1}]",
    "[{\"ph\":\"B\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":5},"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":3}]",
    "[{\"ph\":\"B\",\"pid\":1,\"tid\":\"1\",\"ts\":5},"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":-9223372036854775.808}]",
    "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1.5,\"tid\":[1, {}],"
    "\"ts\":9223372036854775.807,\"dur\":7}]",
    "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1e3,\"dur\":\"2\","
    "\"pid\":18446744073709551615,\"tid\":true}]",
    "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"name\":7,\"ts\":1,"
    "\"ph\":\"i\",\"dur\":-5,\"p\\u0068\":\"\\u0058\"}]",
    "[{\"ph\":\"\\u0000\",\"cat\":\"\\ud800\",\"name\":\"\\\"\",\"ts\":1},"
    "{\"ph\":\"XX\",\"cat\":7,\"name\":null}]",
    "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":"
    "\"a\",\"name\":\"b\"}},{\"ph\":\"M\",\"name\":\"process_name\","
    "\"pid\":\"1\",\"args\":{\"name\":5}}]",
};

static void test_odd_traces_make_indexes_that_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        t2t_index *index = make_index(NAME, odd[i]);
        struct t2t_error err = {0};

        if (t2t_index_verify(index, &err))
            fail_msg("%s: %s", odd[i], err.text);
        remove_index(NAME, index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_that_contradict_others_are_seen),
        cmocka_unit_test(test_times_of_the_header_are_compared),
        cmocka_unit_test(test_strings_that_contradict_columns_are_seen),
        cmocka_unit_test(test_no_string_is_there_twice),
        cmocka_unit_test(test_odd_traces_make_indexes_that_are_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
