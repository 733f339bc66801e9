/* test_collectives.c - t2t_collectives() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"

#define NAME "test_collectives"

#define ON(category, name, ts, dur, args)                                      \
    {                                                                          \
        category, name, "0", "7", ts, dur, args                                \
    }

static void assert_collectives(const struct said *row, size_t count,
                               const char *rows)
{
    t2t_index *index = index_of(NAME, row, count);
    struct t2t_error err = {0};
    t2t_table *table = NULL;

    if (t2t_collectives(index, NULL, &table, &err))
        fail_msg("%s", err.text);
    assert_string_equal(t2t_table_name(table), "collectives");
    assert_csv(table, rows);
    remove_index(NAME, index);
}

#define ALLREDUCE                                                              \
    "\"Process Group Name\":\"dp\",\"Process Group Ranks\":[0, 1],"            \
    "\"Collective name\":\"allreduce\",\"Group size\":2,\"dtype\":\"Half\","   \
    "\"In msg nelems\":100,\"Out msg nelems\":50,\"In split size\":[],"        \
    "\"Out split size\":[],\"stream\":20"

static void test_equal_exchanges_are_a_row(void **state)
{
    static const struct said events[] = {
        ON("kernel", "gemm", "1", "1", ""),
        ON("kernel", "ncclDevKernel_A", "100", "30", ALLREDUCE),
        ON("kernel", "ncclDevKernel_B", "10", "10", ALLREDUCE),
        ON("kernel", "ncclDevKernel_A", "200", "40", ""),
        ON("gpu_memset", "nccl", "300", "99", ALLREDUCE),
        ON("gpu_memcpy", "nccl", "400", "99", ALLREDUCE),
    };

    (void)state;
    assert_collectives(
        events, COUNT(events),
        "\"\"\"dp\"\"\",\"[0,1]\",\"\"\"allreduce\"\"\",2,\"\"\"Half\"\"\",100,"
        "50,[],[],20,200,100,2,40000,20000.0,14142.13562373095,10000,30000,1\n"
        "null,null,null,null,null,null,null,null,null,null,,,1,40000,40000.0,,"
        "40000,40000,3\n");
}

static void test_without_communication_there_is_no_row(void **state)
{
    static const struct said events[] = {ON("kernel", "gemm", "1", "1", "")};

    (void)state;
    assert_collectives(events, 0, "");
    assert_collectives(events, 1, "");
}

static void test_cross_device_reduce_is_an_allreduce(void **state)
{
    static const struct said events[] = {
        ON("kernel", "void Cross_Device_Reduce_1stage", "1", "3", ""),
        ON("kernel", "cross_device_reduce", "11", "2",
           "\"Collective name\":null"),
        ON("kernel", "cross_device_reduce", "21", "1",
           "\"Collective name\":\"mine\""),
    };

    (void)state;
    assert_collectives(
        events, COUNT(events),
        "null,null,\"\"\"allreduce\"\"\",null,null,null,null,null,null,null,,,"
        "2,5000,2500.0,707.1067811865476,2000,3000,0\n"
        "null,null,\"\"\"mine\"\"\",null,null,null,null,null,null,null,,,"
        "1,1000,1000.0,,1000,1000,2\n");
}

/* Bytes of a message by what the kernel says; "" is none. */
static const struct {
    const char *dtype; /* JSON */
    const char *nelems;
    const char *bytes;
} messages[] = {
    {"\"Float\"", "3", "12"},
    {"\"Int\"", "3", "12"},
    {"\"Long\"", "3", "24"},
    {"\"Double\"", "3", "24"},
    {"\"BFloat16\"", "3", "6"},
    {"\"Half\"", "3", "6"},
    {"\"Short\"", "3", "6"},
    {"\"Bool\"", "3", "3"},
    {"\"Byte\"", "3", "3"},
    {"\"Float\"", "\"3\"", "12"},
    {"\"Float\"", "0", "0"},
    {"\"Float\"", "-1", "-4"},
    {"\"Float\"", "3.0", ""},
    {"\"Float\"", "3e0", ""},
    {"\"Float\"", "null", ""},
    {"\"Float\"", "true", ""},
    {"\"Float\"", "[3]", ""},
    {"\"Float\"", "\"\"", ""},
    {"\"Float\"", "\"-\"", ""},
    {"\"Long\"", "1152921504606846975", "9223372036854775800"},
    {"\"Long\"", "1152921504606846976", ""},
    {"\"float\"", "3", ""},
    {"\"Float8\"", "3", ""},
    {"null", "3", ""},
    {"4", "3", ""},
};

static void test_messages_have_bytes_when_all_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(messages); i++) {
        char args[128];
        const struct said event = ON("kernel", "nccl", "1", "1", args);
        t2t_index *index;
        t2t_table *table = NULL;
        char bytes[32] = "";

        (void)snprintf(args, sizeof(args), "\"dtype\":%s,\"In msg nelems\":%s",
                       messages[i].dtype, messages[i].nelems);
        index = index_of(NAME, &event, 1);
        assert_int_equal(t2t_collectives(index, NULL, &table, NULL), T2T_OK);
        if (!t2t_table_is_null(table, 0, 10))
            (void)snprintf(bytes, sizeof(bytes), "%lld",
                           (long long)t2t_table_integer(table, 0, 10));
        if (strcmp(bytes, messages[i].bytes))
            fail_msg("%s of %s: %s", messages[i].nelems, messages[i].dtype,
                     bytes);
        assert_true(t2t_table_is_null(table, 0, 11));
        t2t_table_free(table);
        remove_index(NAME, index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_exchanges_are_a_row),
        cmocka_unit_test(test_without_communication_there_is_no_row),
        cmocka_unit_test(test_cross_device_reduce_is_an_allreduce),
        cmocka_unit_test(test_messages_have_bytes_when_all_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
