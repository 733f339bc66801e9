/* test_columns.c - index.h: columns, names */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"

#define NAME "test_columns"

#define X(cat, name, pid, tid, ts, dur, args)                                  \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":" pid     \
    ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{" args "}},"

/* Ids in the comments; times in us. */
static const char trace[] = "[" /* 0 */
    X("cpu_op", "fwd", "1", "2", "10", "20",
      "\"Sequence number\":5,\"Fwd thread id\":0") /* 1 */
    X("cuda_runtime", "launch", "1", "2", "12", "3",
      "\"correlation\":7") /* 2 and 3 */
    X("kernel", "k", "0", "7", "20.5", "2.25", "\"correlation\":7")
        X("kernel", "k", "0", "7", "25", "4294967.296",
          "\"correlation\":7") /* 4 */
    X("cpu_op", "autograd::engine::evaluate_function: B", "1", "2", "40", "9",
      "\"Sequence number\":5,\"Fwd thread id\":1") /* 5: outside */
    "{\"ph\":\"i\",\"name\":\"fwd\",\"pid\":1,\"tid\":2},"
    /* 6 */ "17]";

static void test_columns_are_those_of_the_elements(void **state)
{
    static const int64_t start_ns[] = {10000, 12000,        20500,       25000,
                                       40000, T2T_NO_START, T2T_NO_START};
    static const uint32_t dur_ns[] = {20000, 3000, 2250, T2T_DURATION_IS_LONG,
                                      9000,  0,    0};
    static const uint8_t phase[] = {'X', 'X', 'X', 'X', 'X', 'i', 0};
    t2t_index *index = make_index(NAME, trace);
    struct t2t_columns c;

    (void)state;
    t2t_index_columns(index, &c);
    assert_int_equal(c.element_count, 7);
    assert_int_equal(c.long_count, 1);
    assert_memory_equal(c.start_ns, start_ns, sizeof(start_ns));
    assert_memory_equal(c.dur_ns, dur_ns, sizeof(dur_ns));
    assert_memory_equal(c.phase, phase, sizeof(phase));
    assert_int_equal(c.long_duration[0].id, 3);
    assert_int_equal(c.long_duration[0].dur_ns, 4294967296);
    assert_text(t2t_index_string(index, c.name[2]), "k");
    assert_int_equal(c.name[2], c.name[3]);
    assert_int_equal(c.name[0], c.name[5]);
    assert_int_equal(c.name[6], T2T_NO_ID);
    assert_int_equal(c.lane[0], c.lane[4]);
    assert_int_not_equal(c.lane[0], c.lane[2]);
    assert_int_equal(c.lane[6], T2T_NO_ID);
    assert_text(t2t_index_category(index, c.category[1]), "cuda_runtime");
    assert_int_equal(c.category[2], c.category[3]);
    remove_index(NAME, index);
}

static void test_columns_are_those_of_the_tree(void **state)
{
    static const t2t_id parent[] = {T2T_NO_ID, 0, 1, 1, T2T_NO_ID};
    static const uint32_t size[] = {4, 3, 1, 1, 1};
    static const uint8_t flags[] = {T2T_ROOT_OP, 0, T2T_GPU | T2T_LINKED,
                                    T2T_GPU | T2T_LINKED, T2T_ROOT_OP};
    static const uint32_t gpu_rank[] = {0, 0, 0, 1, 2, 2};
    static const t2t_id gpu_node[] = {2, 3};
    static const uint64_t gpu_sum_ns[] = {0, 2250, 4294969546};
    t2t_index *index = make_index(NAME, trace);
    struct t2t_columns c;

    (void)state;
    t2t_index_columns(index, &c);
    assert_int_equal(c.node_count, 5);
    assert_int_equal(c.gpu_count, 2);
    assert_int_equal(c.pair_count, 1);
    assert_memory_equal(c.parent, parent, sizeof(parent));
    assert_memory_equal(c.size, size, sizeof(size));
    assert_memory_equal(c.flags, flags, sizeof(flags));
    assert_memory_equal(c.gpu_rank, gpu_rank, sizeof(gpu_rank));
    assert_memory_equal(c.gpu_node, gpu_node, sizeof(gpu_node));
    assert_memory_equal(c.gpu_sum_ns, gpu_sum_ns, sizeof(gpu_sum_ns));
    assert_int_equal(c.forward[0].first, 4);
    assert_int_equal(c.forward[0].second, 0);
    assert_int_equal(c.backward[0].first, 0);
    assert_int_equal(c.backward[0].second, 4);
    remove_index(NAME, index);
}

static void test_an_empty_trace_has_empty_columns(void **state)
{
    t2t_index *index = make_index(NAME, "[]");
    struct t2t_columns c;

    (void)state;
    t2t_index_columns(index, &c);
    assert_int_equal(c.element_count, 0);
    assert_int_equal(c.node_count, 0);
    assert_int_equal(c.gpu_count, 0);
    assert_int_equal(c.long_count, 0);
    assert_int_equal(c.pair_count, 0);
    assert_int_equal(c.gpu_rank[0], 0);
    assert_int_equal(c.gpu_sum_ns[0], 0);
    remove_index(NAME, index);
}

static void test_a_string_is_found_whole_or_not(void **state)
{
    static const char *const none[] = {"", "fw", "fwd ", "Fwd", "l"};
    t2t_index *index = make_index(NAME, trace);
    uint32_t string = 0;

    (void)state;
    assert_int_equal(t2t_index_find_string(index, t2t_text_of("fwd"), &string),
                     T2T_OK);
    assert_text(t2t_index_string(index, string), "fwd");
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        string = 0;
        assert_int_equal(t2t_index_find_string(index, t2t_text_of(none[i]),
                                               &string),
                         T2T_NOT_FOUND);
        assert_int_equal(string, T2T_NO_ID);
    }
    assert_int_equal(t2t_index_find_string(index, t2t_text_of(NULL), &string),
                     T2T_NOT_FOUND);
    remove_index(NAME, index);
}

static void test_a_string_may_hold_a_zero(void **state)
{
    static const struct t2t_text name = {"a\0b", 3};
    t2t_index *index =
        make_index(NAME, "[{\"ph\":\"i\",\"name\":\"a\\u0000b\"},"
                         "{\"ph\":\"i\",\"name\":\"\"}]");
    uint32_t string;

    (void)state;
    assert_int_equal(t2t_index_find_string(index, name, &string), T2T_OK);
    assert_int_equal(t2t_index_next_named(index, string, 0), 0);
    assert_int_equal(t2t_index_find_string(index, t2t_text_of("a"), &string),
                     T2T_NOT_FOUND);
    assert_int_equal(t2t_index_find_string(index, t2t_text_of(""), &string),
                     T2T_OK);
    assert_int_equal(t2t_index_next_named(index, string, 0), 1);
    remove_index(NAME, index);
}

static void test_elements_are_found_by_name(void **state)
{
    t2t_index *index = make_index(NAME, trace);
    uint32_t string;

    (void)state;
    assert_int_equal(t2t_index_find_string(index, t2t_text_of("k"), &string),
                     T2T_OK);
    assert_int_equal(t2t_index_next_named(index, string, 0), 2);
    assert_int_equal(t2t_index_next_named(index, string, 2), 2);
    assert_int_equal(t2t_index_next_named(index, string, 3), 3);
    assert_int_equal(t2t_index_next_named(index, string, 4), T2T_NO_ID);
    assert_int_equal(t2t_index_next_named(index, string, 7), T2T_NO_ID);
    assert_int_equal(t2t_index_next_named(index, string, T2T_NO_ID), T2T_NO_ID);
    assert_int_equal(t2t_index_find_string(index, t2t_text_of("fwd"), &string),
                     T2T_OK);
    assert_int_equal(t2t_index_next_named(index, string, 1), 5);
    /* element 6 has no name */
    assert_int_equal(t2t_index_next_named(index, T2T_NO_ID, 0), T2T_NO_ID);
    assert_int_equal(t2t_index_next_named(index, 5000, 0), T2T_NO_ID);
    remove_index(NAME, index);
}

static void test_what_will_be_read_changes_no_answer(void **state)
{
    t2t_index *index = make_index(NAME, trace);
    struct t2t_columns c;
    const char *bytes;

    (void)state;
    t2t_index_columns(index, &c);
    bytes = (const char *)c.name;
    t2t_index_will_read(index, c.name, 7 * sizeof(*c.name));
    t2t_index_will_read(index, c.start_ns, 0);
    /* not within the map: ignored */
    t2t_index_will_read(index, NULL, 16);
    t2t_index_will_read(index, &c, sizeof(c));
    t2t_index_will_read(index, bytes, SIZE_MAX);
    t2t_index_will_read(index, bytes + (1u << 30), 16);
    t2t_index_will_scan(index);
    t2t_index_will_scan(index);
    assert_text(t2t_index_string(index, c.name[2]), "k");
    assert_int_equal(t2t_index_verify(index, NULL), T2T_OK);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_those_of_the_elements),
        cmocka_unit_test(test_columns_are_those_of_the_tree),
        cmocka_unit_test(test_an_empty_trace_has_empty_columns),
        cmocka_unit_test(test_a_string_is_found_whole_or_not),
        cmocka_unit_test(test_a_string_may_hold_a_zero),
        cmocka_unit_test(test_elements_are_found_by_name),
        cmocka_unit_test(test_what_will_be_read_changes_no_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
