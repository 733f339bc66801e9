/* test_timeline.c - t2t_timeline() and query/ratio.h */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "query/ratio.h"

#define NAME "test_timeline"
#define ROWS 8

/* Times of the eight rows of a block, in nanoseconds. */
struct block {
    const char *device;
    int64_t ns[ROWS]; /* computation, exposed comm, exposed memcpy, busy, idle,
                         total, comm, memcpy */
};

/* An event: a GPU event, or the launch of those that are linked. */
struct event {
    const char *category;
    const char *name;
    const char *pid; /* JSON */
    const char *ts;
    const char *dur;
    bool linked;
};

static const struct event launch = {
    "cuda_runtime", "launch", "1", "0", "1", true};

/* A trace of `count` events, valid until the next call. */
static const char *make_trace(const struct event *event, size_t count)
{
    static char json[4096];
    size_t len = (size_t)snprintf(json, sizeof(json), "[");

    for (size_t i = 0; i < count; i++, event++)
        len += (size_t)snprintf(
            json + len, sizeof(json) - len,
            "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%s,"
            "\"tid\":7,\"ts\":%s,\"dur\":%s,\"args\":{\"%s\":9}}",
            i ? "," : "", event->category, event->name, event->pid, event->ts,
            event->dur, event->linked ? "correlation" : "id");
    (void)snprintf(json + len, sizeof(json) - len, "]");
    return json;
}

#define TRACE(events) make_trace(events, sizeof(events) / sizeof(events[0]))

static t2t_table *make_timeline(const char *json, bool linked_only)
{
    struct t2t_selection selection = {.linked_only = linked_only};
    t2t_index *index = make_index(NAME, json);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_timeline(index, &selection, NULL, &table, &err))
        fail_msg("%s", err.text);
    remove_index(NAME, index);
    return table;
}

static void assert_blocks(const char *json, bool linked_only,
                          const struct block *blocks, size_t count)
{
    t2t_table *table = make_timeline(json, linked_only);

    assert_int_equal(t2t_table_row_count(table), count * ROWS);
    for (size_t b = 0; b < count; b++) {
        for (size_t r = 0; r < ROWS; r++) {
            size_t row = b * ROWS + r;
            double percent = t2t_table_real(table, row, 3);
            int64_t total = blocks[b].ns[5];

            assert_text(t2t_table_string(table, row, 0), blocks[b].device);
            assert_int_equal(t2t_table_integer(table, row, 2), blocks[b].ns[r]);
            if (total)
                assert_true(percent == tt_percent((uint64_t)blocks[b].ns[r],
                                                  (uint64_t)total));
            else
                assert_true(isnan(percent));
        }
    }
    t2t_table_free(table);
}

static void test_no_gpu_event_is_all_zero(void **state)
{
    static const struct block all = {"all", {0}};

    (void)state;
    assert_blocks("[]", false, &all, 1);
    assert_blocks(make_trace(&launch, 1), false, &all, 1);
}

static void test_what_is_hidden_is_not_exposed(void **state)
{
    static const struct event events[] = {
        {"kernel", "gemm", "0", "1000", "10", false},
        {"kernel", "gemm", "0", "1005", "15", false},
        {"kernel", "ncclKernel", "0", "1015", "15", false},
        {"gpu_memcpy", "Memcpy", "0", "1025", "15", false},
        {"gpu_memset", "Memset", "0", "1050", "10", false},
    };
    static const struct block blocks[] = {
        {"all", {30000, 10000, 10000, 50000, 10000, 60000, 15000, 15000}},
        {"0", {30000, 10000, 10000, 50000, 10000, 60000, 15000, 15000}},
    };

    (void)state;
    assert_blocks(TRACE(events), false, blocks, 2);
}

static void test_events_without_duration_cover_nothing(void **state)
{
    static const struct event events[] = {
        {"kernel", "a", "0", "1", "0", false},
        {"kernel", "b", "0", "10", "5", false},
        {"kernel", "c", "3", "99", "0", false},
    };
    static const struct block blocks[] = {
        {"all", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
        {"0", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
        {"3", {0}},
    };

    (void)state;
    assert_blocks(TRACE(events), false, blocks, 3);
}

static void test_devices_are_numbers_then_text(void **state)
{
    static const struct event events[] = {
        {"kernel", "k", "10", "0.001", "1", false},
        {"kernel", "k", "\"b\"", "0.001", "2", false},
        {"kernel", "k", "-1", "0.001", "3", false},
        {"kernel", "k", "18446744073709551615", "0.001", "4", false},
        {"kernel", "k", "\"10\"", "1.001", "1", false},
        {"kernel", "k", "\"a\"", "0.001", "5", false},
    };
    static const struct block blocks[] = {
        {"all", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
        {"-1", {3000, 0, 0, 3000, 0, 3000, 0, 0}},
        {"10", {2000, 0, 0, 2000, 0, 2000, 0, 0}},
        {"18446744073709551615", {4000, 0, 0, 4000, 0, 4000, 0, 0}},
        {"a", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
        {"b", {2000, 0, 0, 2000, 0, 2000, 0, 0}},
    };

    (void)state;
    assert_blocks(TRACE(events), false, blocks, 6);
}

static void test_a_span_may_take_64_bits(void **state)
{
    static const struct event events[] = {
        {"kernel", "k", "0", "-9223372036854775.808", "1", false},
        {"kernel", "k", "0", "9223372036854775.800", "99", false},
    };
    t2t_table *table = make_timeline(TRACE(events), false);

    (void)state;
    assert_true(t2t_table_unsigned(table, 0, 2) == 1007);
    assert_true(t2t_table_unsigned(table, 4, 2) == UINT64_MAX - 1007);
    assert_true(t2t_table_unsigned(table, 5, 2) == UINT64_MAX);
    t2t_table_free(table);
}

static void test_unlinked_events_can_be_left_out(void **state)
{
    const struct event events[] = {
        launch,
        {"kernel", "k", "0", "10", "5", true},
        {"kernel", "k", "0", "20", "5", false},
        {"kernel", "k", "1", "20", "5", false},
    };
    static const struct block blocks[] = {
        {"all", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
        {"0", {5000, 0, 0, 5000, 0, 5000, 0, 0}},
    };
    t2t_table *table;
    const char *value;

    (void)state;
    assert_blocks(TRACE(events), true, blocks, 2);
    table = make_timeline(TRACE(events), true);
    assert_string_equal(t2t_table_selection(table, 0, &value), "linked_only");
    assert_string_equal(value, "true");
    assert_string_equal(t2t_table_selection(table, 1, &value), "gpu_events");
    assert_string_equal(value, "1");
    assert_string_equal(t2t_table_selection(table, 2, &value), "gpu_events_of");
    assert_string_equal(value, "3");
    assert_null(t2t_table_selection(table, 3, &value));
    t2t_table_free(table);
    table = make_timeline(TRACE(events), false);
    assert_null(t2t_table_selection(table, 0, &value));
    t2t_table_free(table);
}

/* Which row of a block an event of 1 us adds to. */
static const struct {
    const char *category;
    const char *name;
    int row;
} buckets[] = {
    {"kernel", "gemm", 0},
    {"kernel", "xNcClx", 6},
    {"kernel", "RCCL", 6},
    {"kernel", "void Cross_Device_Reduce_1stage", 6},
    {"kernel", "cross_device", 0},
    {"kernel", "ncc", 0},
    {"gpu_memset", "nccl", 6},
    {"gpu_memset", "Memset", 0},
    {"gpu_memcpy", "nccl", 7},
    {"gpu_memcpy", "", 7},
    {"kernel", "MEMORY_COPY_HOST_TO_DEVICE", 7},
    {"kernel", "MEMORY_COPY_DEVICE_TO_HOST.kd", 7},
    {"kernel", "MEMORY_COPY_DEVICE_TO_DEVICE", 7},
    {"kernel", "MEMORY_COPY_HOST_TO_HOST", 0},
    {"kernel", "memory_copy_host_to_device", 0},
    {"gpu_memset", "MEMORY_COPY_HOST_TO_DEVICE", 0},
    {"kernel", "__amd_rocclr_copyBuffer", 7},
    {"kernel", "__amd_rocclr_copyBuffer.kd", 7},
    {"kernel", "__amd_rocclr_copyBufferRect", 7},
    {"kernel", "__amd_rocclr_copyBufferAligned.kd", 7},
    {"kernel", "__amd_rocclr_copyBufferRectAligned", 7},
    {"kernel", "__amd_rocclr_copyBufferAlignedRect", 0},
    {"kernel", "__amd_rocclr_copyBuffer.kd.kd", 0},
    {"kernel", "__amd_rocclr_copyBufferX", 0},
    {"kernel", "__amd_rocclr_fillBuffer", 0},
    {"kernel", "__amd_rocclr_fillBufferAligned.kd", 0},
};

static void test_names_decide_what_an_event_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(buckets) / sizeof(buckets[0]); i++) {
        static const int rows[] = {0, 6, 7};
        const struct event event = {
            buckets[i].category, buckets[i].name, "0", "5", "1", false};
        t2t_table *table = make_timeline(make_trace(&event, 1), false);

        for (size_t r = 0; r < 3; r++)
            if (t2t_table_integer(table, (size_t)rows[r], 2) !=
                (rows[r] == buckets[i].row ? 1000 : 0))
                fail_msg("%s %s: row %d", buckets[i].category, buckets[i].name,
                         rows[r]);
        t2t_table_free(table);
    }
}

/* 100 * part / total, rounded once by exact arithmetic elsewhere. */
static const struct {
    uint64_t part;
    uint64_t total;
    double percent;
} percents[] = {
    {0ull, 5ull, 0x0.0p+0},
    {5ull, 5ull, 0x1.9000000000000p+6},
    {1ull, 3ull, 0x1.0aaaaaaaaaaabp+5},
    {2ull, 3ull, 0x1.0aaaaaaaaaaabp+6},
    {45644932ull, 49652818ull, 0x1.6fb674de13b71p+6},
    {1ull, 18446744073709551615ull, 0x1.9000000000000p-58},
    {18446744073709551615ull, 1ull, 0x1.9000000000000p+70},
    {18446744073709551615ull, 18446744073709551615ull, 0x1.9000000000000p+6},
    {18446744073709551614ull, 18446744073709551615ull, 0x1.9000000000000p+6},
    {9007199254740993ull, 9007199254740992ull, 0x1.9000000000001p+6},
    {1ull, 9223372036854775808ull, 0x1.9000000000000p-57},
    {3185950873ull, 13ull, 0x1.6d2ffc39ec4ecp+34},
    {1087616251031009399ull, 2787324501ull, 0x1.22b8e573f3acep+35},
    {115ull, 237410ull, 0x1.8cd0cd7b42c78p-5},
    {244445783320738ull, 1635342798ull, 0x1.c82abcf06ee9ap+23},
    {9403ull, 56325017ull, 0x1.118477cfb9186p-6},
    {109562214ull, 60911551153ull, 0x1.7060347955659p-3},
    {857851683394142ull, 142ull, 0x1.12b8edefa7d1cp+49},
    {19057912897821798ull, 1ull, 0x1.a72bb14ab8018p+60},
    {0ull, 257732155ull, 0x0.0p+0},
    {3659143ull, 1213433ull, 0x1.2d8d8e16d6e12p+8},
    {437921213426ull, 24383155ull, 0x1.b679ef9218c5dp+20},
    {64865032ull, 24285028380144ull, 0x1.1812cd57d1ddbp-12},
    {23357814166417ull, 138313ull, 0x1.f74a89be1fd01p+33},
    {169ull, 334223189380ull, 0x1.b259a3dad0e8bp-25},
    {1ull, 5450597062886ull, 0x1.42c1cdbc8858dp-36},
    {21538481530522ull, 1456338677654917521ull, 0x1.83b2791e601ecp-10},
    {8073504ull, 406105266990690898ull, 0x1.113bab514ef5dp-29},
    {65ull, 7ull, 0x1.d049249249249p+9},
    {28449197137210ull, 4ull, 0x1.436e0f9e6d550p+49},
    {6779993996542985ull, 1ull, 0x1.2d179b93ca527p+59},
};

static void test_percentages_are_rounded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
        assert_true(tt_percent(percents[i].part, percents[i].total) ==
                    percents[i].percent);
    assert_true(isnan(tt_percent(0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_gpu_event_is_all_zero),
        cmocka_unit_test(test_what_is_hidden_is_not_exposed),
        cmocka_unit_test(test_events_without_duration_cover_nothing),
        cmocka_unit_test(test_devices_are_numbers_then_text),
        cmocka_unit_test(test_a_span_may_take_64_bits),
        cmocka_unit_test(test_unlinked_events_can_be_left_out),
        cmocka_unit_test(test_names_decide_what_an_event_does),
        cmocka_unit_test(test_percentages_are_rounded_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
