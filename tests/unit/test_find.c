/* test_find.c - t2t_find() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fixture.h"

#define NAME "test_find"
#define X(cat, name, tid, ts, dur, args)                                       \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name                       \
    "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur                  \
    ",\"args\":{" args "}},"
#define MODULE(name, ts, dur)                                                  \
    X("python_function", "nn.Module: " name, "1", ts, dur, "")

/*
 * Ids: 0 Model_0, 1 Block_3, 2 forward, 3 Linear_7, 4 aten::mm, 5 launch,
 * 6 gemm, 7 Linear_70, 8 ATEN::add, 9 loss, 10 engine, 11 MmBackward0,
 * 12 launch, 13 gemm, 14 the kernel without launch; outside: 15 a note,
 * 16 a name's event without a time.
 */
static const char trace[] = "{\"traceEvents\":[" MODULE("Model_0", "100", "900")
    MODULE("Block_3", "110", "300") /* */
    X("python_function", "a.py(3): forward", "1", "120", "280", "")
        MODULE("Linear_7", "130", "50") /* */
    X("cpu_op", "aten::mm", "1", "140", "30",
      "\"Sequence number\":5,\"Fwd thread id\":0")                     /* */
    X("cuda_runtime", "launch", "1", "150", "10", "\"correlation\":8") /* */
    X("kernel", "gemm", "7", "200", "40.5", "\"correlation\":8")
        MODULE("Linear_70", "500", "100")                       /* */
    X("cpu_op", "ATEN::add", "1", "510", "30", "")              /* */
    X("python_function", "loss \\u00e9", "2", "600", "300", "") /* */
    X("cpu_op", "autograd::engine::evaluate_function: MmBackward0", "2", "610",
      "100", "\"Sequence number\":5,\"Fwd thread id\":1") /* */
    X("cpu_op", "MmBackward0", "2", "620", "80",
      "\"Sequence number\":5,\"Fwd thread id\":1")                       /* */
    X("cuda_runtime", "launch", "2", "630", "10", "\"correlation\":9")   /* */
    X("kernel", "gemm", "7", "640", "60", "\"correlation\":9")           /* */
    X("kernel", "alone\\u0000end", "8", "700", "60", "")                 /* */
    "{\"ph\":\"i\",\"cat\":\"note\",\"name\":\"gemm note\",\"ts\":650}," /* */
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"dur\":5}]}";

#define NODES 15

static void assert_found(const t2t_index *index,
                         const struct t2t_filter *filter, const char *expected)
{
    struct t2t_error err = {0};
    char text[200] = "";
    size_t len = 0;
    t2t_id *ids = NULL;
    uint32_t matched;
    uint32_t count;

    if (t2t_find(index, filter, &ids, &count, &matched, &err))
        fail_msg("%s", err.text);
    assert_non_null(ids);
    assert_true(matched >= count);
    for (uint32_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%u",
                                i ? " " : "", (unsigned)ids[i]);
    assert_string_equal(text, expected);
    free(ids);
}

#define FOUND(index, expected, ...)                                            \
    do {                                                                       \
        struct t2t_filter wanted = {__VA_ARGS__};                              \
                                                                               \
        assert_found(index, &wanted, expected);                                \
    } while (0)

static t2t_index *open_trace(void)
{
    return make_index(NAME, trace);
}

static void test_no_filter_lets_every_node_through(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    assert_found(index, NULL, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14");
    FOUND(index, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", .name = "", .regex = "",
          .category = "", .module = "");
    FOUND(index, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", .outside = true);
    remove_index(NAME, index);
}

static void test_names_are_found_by_a_part_of_them(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    FOUND(index, "4", .name = "aten::mm");
    FOUND(index, "4", .name = "aten");
    FOUND(index, "4 8", .name = "aTEN", .ignore_case = true);
    FOUND(index, "", .name = "aten::mm ");
    FOUND(index, "9", .name = "\xc3\xa9");
    FOUND(index, "6 13", .name = "gemm");
    FOUND(index, "6 13 15", .name = "gemm", .outside = true);
    FOUND(index, "14", .name = "alone");
    FOUND(index, "14", .name = "end", .layer = T2T_LAYER_GPU);
    remove_index(NAME, index);
}

static void test_names_are_found_by_a_regular_expression(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    FOUND(index, "4", .regex = "^aten::(mm|add)$");
    FOUND(index, "4 8", .regex = "^aten::(mm|add)$", .ignore_case = true);
    FOUND(index, "3 7", .regex = "Linear_[0-9]+");
    FOUND(index, "14", .regex = "end$");
    FOUND(index, "7", .name = "Linear", .regex = "0$");
    remove_index(NAME, index);
}

static void test_a_bad_regular_expression_says_why(void **state)
{
    t2t_index *index = open_trace();
    struct t2t_error err = {0};
    t2t_id *ids;
    uint32_t count;

    (void)state;
    assert_int_equal(t2t_find(index, &(struct t2t_filter){.regex = "a(b"}, &ids,
                              &count, NULL, &err),
                     T2T_ERR_USAGE);
    assert_int_equal(err.code, T2T_ERR_USAGE);
    assert_int_equal(strncmp(err.text,
                             "no regular expression: ", strlen("no regular ")),
                     0);
    assert_true(strlen(err.text) > strlen("no regular expression: "));
    assert_int_equal(t2t_find(index, &(struct t2t_filter){.regex = "a(b"}, &ids,
                              &count, NULL, NULL),
                     T2T_ERR_USAGE);
    remove_index(NAME, index);
}

/* `count` names: each `a` `bytes` times, then its number and a z. */
static t2t_index *open_names(uint32_t count, size_t bytes)
{
    size_t each = bytes + 100;
    char *as = malloc(bytes + 1);
    char *json = malloc(count * each + 3);
    t2t_index *index;
    size_t len = 1;

    assert_non_null(as);
    assert_non_null(json);
    memset(as, 'a', bytes);
    as[bytes] = 0;
    json[0] = '[';
    for (uint32_t i = 0; i < count; i++)
        len += (size_t)snprintf(
            json + len, each,
            "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s%uz\",\"tid\":1,"
            "\"ts\":%u,\"dur\":1}",
            i ? "," : "", as, i, i);
    memcpy(json + len, "]", 2);
    index = make_index(NAME, json);
    free(json);
    free(as);
    return index;
}

/* What a search with a regular expression is refused with; "" when it is not.
 */
static const char *refusal(const t2t_index *index, const char *regex)
{
    static struct t2t_error err;
    uint32_t count;
    t2t_id *ids;
    enum t2t_status st = t2t_find(index, &(struct t2t_filter){.regex = regex},
                                  &ids, &count, NULL, &err);

    if (!st) {
        free(ids);
        return "";
    }
    assert_int_equal(st, T2T_ERR_USAGE);
    return err.text;
}

#define NONE "no regular expression: "
#define TOO_LONG "the pattern takes too long on a name"
#define TOO_MUCH "the pattern takes too much memory on a name"

static void test_a_hostile_regular_expression_is_refused(void **state)
{
    static const struct {
        bool is_long; /* the name it is matched with */
        const char *regex;
        const char *reason;
    } hostile[] = {
        {false, "((((a{1,100}){1,100}){1,100}){1,100})",
         NONE "regular expression is too large"},
        {false, "\\C", NONE "using \\C is disabled by the application"},
        {false, "(a|aa)+$z", TOO_LONG},
        {false, "(a|aa)+[xy]", TOO_LONG},
        {false, "(a*)*[xy]", TOO_LONG},
        {false, "(*LIMIT_MATCH=4000000000)(a|aa)+[xy]", TOO_LONG},
        {false, "a.*[xy]", ""},
        {true, "(a+)\\1\\1[xy]", TOO_LONG}, /* each step compares much */
        {true, "a[a]*+[xy]", TOO_LONG},     /* few steps, long ones */
        {true, "(?=.*[xy])", TOO_LONG}, /* some from each place of the name */
        {true, "^a.*[xy]", ""},
        {true, "(a|aa)+[xy]", TOO_MUCH},
    };
    t2t_index *index = open_names(1, 300);
    char many[30001];

    (void)state;
    for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
        if (hostile[i].is_long && !hostile[i - 1].is_long) {
            remove_index(NAME, index);
            index = open_names(1, 400000);
        }
        assert_string_equal(refusal(index, hostile[i].regex),
                            hostile[i].reason);
    }
    memset(many, '(', sizeof(many));
    many[30000] = 0;
    assert_string_equal(refusal(index, many),
                        "a regular expression of more than 4096 bytes");
    many[102] = 0;
    assert_string_equal(refusal(index, many),
                        NONE "parentheses are too deeply nested");
    memset(many, 'a', 4096);
    many[4096] = 0;
    assert_string_equal(refusal(index, many), "");
    remove_index(NAME, index);
}

static void test_the_steps_of_all_names_are_bounded(void **state)
{
    t2t_index *index = open_names(100, 300);

    (void)state;
    assert_string_equal(refusal(index, "a.*[xy]$"), "");
    remove_index(NAME, index);
    index = open_names(3000, 300);
    assert_string_equal(refusal(index, "^a.*[xy]$"), "");
    assert_string_equal(refusal(index, "a.*[xy]$"), TOO_LONG);
    remove_index(NAME, index);
}

static void test_a_part_in_any_case_takes_linear_time(void **state)
{
    t2t_index *index = open_names(1, 1000000);
    clock_t begin = clock();
    char *part = malloc(100002);

    (void)state;
    assert_non_null(part);
    memset(part, 'A', 100000);
    memcpy(part + 100000, "b", 2);
    FOUND(index, "", .name = part, .ignore_case = true);
    part[100000] = '0';
    FOUND(index, "0", .name = part, .ignore_case = true);
    assert_true(clock() - begin < 5 * CLOCKS_PER_SEC);
    free(part);
    remove_index(NAME, index);
}

static void test_regular_expressions_read_utf8(void **state)
{
    t2t_index *index =
        make_index(NAME, "[" X("cpu_op", "\xc3\xa9", "1", "1", "1", "")
                             X("cpu_op", "a\\ud800b", "1", "2", "1", "") "1]");

    (void)state;
    FOUND(index, "0", .regex = "^.$");
    FOUND(index, "0", .regex = "\xc3\x89", .ignore_case = true);
    FOUND(index, "1", .regex = "^a");
    FOUND(index, "1", .regex = "b$");
    FOUND(index, "", .regex = "a.*b");
    assert_string_equal(refusal(index, "\xff"),
                        NONE "UTF-8 error: illegal byte (0xfe or 0xff)");
    remove_index(NAME, index);
}

static void test_categories_and_layers_are_whole(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    FOUND(index, "6 13 14", .category = "kernel");
    FOUND(index, "", .category = "kern");
    FOUND(index, "", .category = "kernels");
    FOUND(index, "15", .category = "note", .outside = true);
    FOUND(index, "5 12", .layer = T2T_LAYER_LAUNCH);
    FOUND(index, "4 8 10 11", .layer = T2T_LAYER_OPERATION);
    FOUND(index, "4 8 10 11 16", .layer = T2T_LAYER_OPERATION, .outside = true);
    FOUND(index, "", .layer = T2T_LAYER_OPERATION, .category = "kernel");
    remove_index(NAME, index);
}

static void test_durations_and_starts_are_bounds(void **state)
{
    t2t_index *index = open_trace();
    struct t2t_element e;

    (void)state;
    FOUND(index, "0 1 9", .min_dur_ns = 300000);
    FOUND(index, "0", .min_dur_ns = 300001);
    FOUND(index, "6", .category = "kernel", .between = true, .from_ns = 200000,
          .to_ns = 640000);
    FOUND(index, "", .category = "kernel", .between = true, .from_ns = 200001,
          .to_ns = 640000);
    FOUND(index, "6 13", .category = "kernel", .between = true,
          .from_ns = 200000, .to_ns = 640001);
    FOUND(index, "0", .between = true, .from_ns = INT64_MIN, .to_ns = 100001);
    FOUND(index, "14", .between = true, .from_ns = 650001, .to_ns = INT64_MAX,
          .outside = true);
    FOUND(index, "", .between = true);
    FOUND(index, "", .between = true, .from_ns = 640000, .to_ns = 640000);
    /* the times of an element are those of the filter */
    assert_int_equal(t2t_index_element(index, 13, &e), T2T_OK);
    FOUND(index, "13", .between = true, .from_ns = e.start_ns,
          .to_ns = e.start_ns + 1);
    remove_index(NAME, index);
}

static void test_a_module_has_what_is_below_and_its_backward(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    FOUND(index, "3 4 5 6 10 11 12 13", .module = "Linear_7");
    FOUND(index, "7 8", .module = "Linear_70");
    FOUND(index, "3 4 5 6 7 8 10 11 12 13", .module = "Linear");
    FOUND(index, "3 4 5 6 10 11 12 13", .module = "Block_3/Linear_7");
    FOUND(index, "3 4 5 6 10 11 12 13", .module = "Model_0/Block_3/Linear");
    FOUND(index, "7 8", .module = "Model/Linear");
    FOUND(index, "1 2 3 4 5 6 10 11 12 13", .module = "Model_0/Block");
    FOUND(index, "", .module = "Block_3/Linear_70");
    FOUND(index, "", .module = "Linear_");
    FOUND(index, "3 4 5 6 10 11 12 13", .module = "nn.Module: Linear_7");
    FOUND(index, "6 13", .module = "Linear_7", .category = "kernel",
          .outside = true);
    remove_index(NAME, index);
}

static void test_a_bad_path_of_modules_says_why(void **state)
{
    t2t_index *index = open_trace();
    char deep[2 * T2T_MODULE_PATH_MAX + 2];
    const char *const bad[] = {"/", "a/", "/a", "a//b", deep};
    struct t2t_error err = {0};
    t2t_id *ids;
    uint32_t count;

    (void)state;
    memset(deep, 'a', sizeof(deep));
    for (size_t i = 1; i < sizeof(deep); i += 2)
        deep[i] = '/';
    deep[sizeof(deep) - 1] = '\0';
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct t2t_filter filter = {.module = bad[i]};

        assert_int_equal(t2t_find(index, &filter, &ids, &count, NULL, &err),
                         T2T_ERR_USAGE);
        assert_int_equal(strncmp(err.text, "a path of ", 10), 0);
    }
    deep[2 * T2T_MODULE_PATH_MAX - 1] = '\0';
    FOUND(index, "", .module = deep);
    remove_index(NAME, index);
}

static void test_orders_are_total(void **state)
{
    t2t_index *index = open_trace();

    (void)state;
    FOUND(index, "13 14 6", .category = "kernel", .order = T2T_BY_DURATION);
    FOUND(index, "10 11 4 8", .layer = T2T_LAYER_OPERATION,
          .order = T2T_BY_GPU_SUM);
    FOUND(index, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 16", .outside = true,
          .order = T2T_BY_START);
    FOUND(index, "1 9 2", .between = true, .to_ns = INT64_MAX,
          .from_ns = 100001, .order = T2T_BY_DURATION, .top = 3);
    remove_index(NAME, index);
}

/* All nodes in an order, the first `top` of them. */
static uint32_t find_top(const t2t_index *index, enum t2t_find_order order,
                         uint32_t top, t2t_id *out)
{
    struct t2t_filter filter = {.order = order, .top = top};
    struct t2t_error err = {0};
    uint32_t matched;
    uint32_t count;
    t2t_id *ids;

    if (t2t_find(index, &filter, &ids, &count, &matched, &err))
        fail_msg("%s", err.text);
    assert_int_equal(matched, NODES);
    memcpy(out, ids, count * sizeof(*ids));
    free(ids);
    return count;
}

static void test_the_top_is_the_start_of_the_whole(void **state)
{
    t2t_index *index = open_trace();
    t2t_id whole[NODES];
    t2t_id part[NODES];

    (void)state;
    for (int order = T2T_BY_ID; order <= T2T_BY_START; order++) {
        assert_int_equal(find_top(index, (enum t2t_find_order)order, 0, whole),
                         NODES);
        for (uint32_t top = 1; top <= NODES + 1; top++) {
            uint32_t count =
                find_top(index, (enum t2t_find_order)order, top, part);

            assert_int_equal(count, top < NODES ? top : NODES);
            assert_memory_equal(part, whole, count * sizeof(*part));
        }
    }
    remove_index(NAME, index);
}

static void test_a_layer_or_an_order_that_is_none_is_refused(void **state)
{
    static const int none[] = {-1, 5, 1 << 20};
    t2t_index *index = open_trace();
    struct t2t_error err;
    uint32_t count;
    t2t_id *ids;

    (void)state;
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        struct t2t_filter filter = {.layer = (enum t2t_layer)none[i]};

        assert_int_equal(t2t_find(index, &filter, &ids, &count, NULL, &err),
                         T2T_ERR_USAGE);
        assert_int_equal(strncmp(err.text, "no such layer: ", 15), 0);
        filter = (struct t2t_filter){.order = (enum t2t_find_order)none[i]};
        assert_int_equal(t2t_find(index, &filter, &ids, &count, NULL, &err),
                         T2T_ERR_USAGE);
        assert_int_equal(strncmp(err.text, "no such order: ", 15), 0);
    }
    remove_index(NAME, index);
}

static void test_a_trace_of_nothing_has_nothing(void **state)
{
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    assert_found(index, NULL, "");
    FOUND(index, "", .module = "a", .regex = "b", .order = T2T_BY_START,
          .outside = true, .top = 3);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_filter_lets_every_node_through),
        cmocka_unit_test(test_names_are_found_by_a_part_of_them),
        cmocka_unit_test(test_names_are_found_by_a_regular_expression),
        cmocka_unit_test(test_a_bad_regular_expression_says_why),
        cmocka_unit_test(test_a_hostile_regular_expression_is_refused),
        cmocka_unit_test(test_the_steps_of_all_names_are_bounded),
        cmocka_unit_test(test_a_part_in_any_case_takes_linear_time),
        cmocka_unit_test(test_regular_expressions_read_utf8),
        cmocka_unit_test(test_categories_and_layers_are_whole),
        cmocka_unit_test(test_durations_and_starts_are_bounds),
        cmocka_unit_test(test_a_module_has_what_is_below_and_its_backward),
        cmocka_unit_test(test_a_bad_path_of_modules_says_why),
        cmocka_unit_test(test_orders_are_total),
        cmocka_unit_test(test_the_top_is_the_start_of_the_whole),
        cmocka_unit_test(test_a_layer_or_an_order_that_is_none_is_refused),
        cmocka_unit_test(test_a_trace_of_nothing_has_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
