/* test_nodes.c - index.h: ways through the tree */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/reader.h"

#define NAME "test_nodes"
#define PATH NAME ".t2t"

#define X(cat, name, pid, tid, ts, dur, args)                                  \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":" pid     \
    ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{" args "}},"
#define PY(name, ts, dur) X("python_function", name, "1", "1", ts, dur, "")
#define OP(name, ts, dur, args) X("cpu_op", name, "1", "1", ts, dur, args)
#define LAUNCH(name, ts, dur, number)                                          \
    X("cuda_runtime", name, "1", "1", ts, dur, "\"correlation\":" number)
#define KERNEL(name, ts, dur, number)                                          \
    X("kernel", name, "0", "7", ts, dur, "\"correlation\":" number)
#define END "{\"ph\":\"i\",\"name\":\"outside\"}]"

/* A launch in a launch, each with GPU events; ids in the comments. */
static const char launches[] =
    "[" /* 0 */ PY("nn.Module: Net_0", "0", "100") /* 1 */
    OP("aten::mm", "10", "50", "")                 /* 2 */
    LAUNCH("outer", "20", "20", "1")               /* 3 */
    LAUNCH("inner", "25", "5", "2")                /* 4: below inner */
    KERNEL("i", "200", "10", "2")                  /* 5, 6: below outer */
    KERNEL("o1", "210", "10", "1") KERNEL("o2", "220", "10", "1") /* 7 */
    PY("nn.Module: Lin_0", "70", "20")                            /* 8 */
    LAUNCH("bare", "75", "5", "9")                                /* 9 */
    KERNEL("unlinked", "300", "10", "0") /* 10 */ END;

static void test_parents_and_depths(void **state)
{
    static const struct {
        t2t_id parent;
        uint32_t depth;
    } expected[] = {
        {T2T_NO_ID, 0}, {0, 1},         {1, 2},         {2, 3},
        {3, 4},         {2, 3},         {2, 3},         {0, 1},
        {7, 2},         {T2T_NO_ID, 0}, {T2T_NO_ID, 0}, {T2T_NO_ID, 0},
    };
    t2t_index *index = make_index(NAME, launches);

    (void)state;
    for (t2t_id id = 0; id < sizeof(expected) / sizeof(expected[0]); id++) {
        assert_int_equal(t2t_index_parent(index, id), expected[id].parent);
        assert_int_equal(t2t_index_depth(index, id), expected[id].depth);
    }
    assert_int_equal(t2t_index_parent(index, T2T_NO_ID), T2T_NO_ID);
    assert_int_equal(t2t_index_depth(index, T2T_NO_ID), 0);
    remove_index(NAME, index);
}

static void test_the_nearest_of_a_layer_above_is_found(void **state)
{
    static const t2t_id expected[][5] = {
        /* python, operation, launch, gpu: of each node */
        {0, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {1, 0, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {2, 0, 1, T2T_NO_ID, T2T_NO_ID},
        {3, 0, 1, 2, T2T_NO_ID},
        {4, 0, 1, 3, T2T_NO_ID},
        {5, 0, 1, 2, T2T_NO_ID},
        {7, 0, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {8, 7, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {9, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {10, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {11, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
    };
    t2t_index *index = make_index(NAME, launches);

    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        for (int layer = T2T_LAYER_PYTHON; layer <= T2T_LAYER_GPU; layer++)
            assert_int_equal(t2t_index_above(index, expected[i][0],
                                             (enum t2t_layer)layer),
                             expected[i][layer]);
    remove_index(NAME, index);
}

static void test_a_gpu_event_knows_its_launch(void **state)
{
    static const t2t_id expected[] = {
        T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, 3,         2,
        2,         T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID,
    };
    t2t_index *index = make_index(NAME, launches);

    (void)state;
    for (t2t_id id = 0; id < sizeof(expected) / sizeof(expected[0]); id++)
        assert_int_equal(t2t_index_launch(index, id), expected[id]);
    assert_int_equal(t2t_index_launch(index, T2T_NO_ID), T2T_NO_ID);
    remove_index(NAME, index);
}

static void test_gpu_events_below_a_node_are_listed(void **state)
{
    static const t2t_id expected[][4] = {
        {4, 5, 6, T2T_NO_ID},
        {4, 5, 6, T2T_NO_ID},
        {4, 5, 6, T2T_NO_ID},
        {4, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {4, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {5, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {6, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {9, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
        {T2T_NO_ID, T2T_NO_ID, T2T_NO_ID, T2T_NO_ID},
    };
    t2t_index *index = make_index(NAME, launches);
    uint32_t own = 0;
    t2t_id gpu;

    (void)state;
    for (t2t_id id = 0; id < sizeof(expected) / sizeof(expected[0]); id++)
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(t2t_index_gpu_event(index, id, n),
                             expected[id][n]);
    assert_int_equal(t2t_index_gpu_event(index, 0, UINT32_MAX), T2T_NO_ID);
    assert_int_equal(t2t_index_gpu_event(index, T2T_NO_ID, 0), T2T_NO_ID);
    /* those that the outer launch started itself */
    for (uint32_t n = 0; (gpu = t2t_index_gpu_event(index, 2, n)) != T2T_NO_ID;
         n++)
        own += t2t_index_launch(index, gpu) == 2;
    assert_int_equal(own, 2);
    remove_index(NAME, index);
}

static void test_all_modules_are_those_of_each(void **state)
{
    static const t2t_id expected[] = {T2T_NO_ID, 0, 0, 0, 0,
                                      0,         0, 0, 7, T2T_NO_ID};
    t2t_index *index = make_index(NAME, launches);
    t2t_id modules[10];

    (void)state;
    assert_int_equal(t2t_index_all_modules(index, modules, NULL), T2T_OK);
    assert_memory_equal(modules, expected, sizeof(expected));
    for (t2t_id id = 0; id < 10; id++)
        assert_int_equal(t2t_index_module(index, id), expected[id]);
    remove_index(NAME, index);
}

/* ---- damage -------------------------------------------------------------- */

/* Changes a number in the file of an open index. */
static void put_number(const t2t_index *index, enum tt_section_id id,
                       uint32_t record, uint32_t value)
{
    FILE *f = fopen(PATH, "r+b");
    size_t bytes = index->section[id]->record_bytes;

    assert_non_null(f);
    assert_int_equal(fseek(f, (long)tt_index_offset(index, id, record),
                           SEEK_SET),
                     0);
    assert_int_equal(fwrite(&value, bytes < 4 ? bytes : 4, 1, f), 1);
    assert_int_equal(fclose(f), 0);
}

static const struct {
    enum tt_section_id id;
    uint32_t record;
    uint32_t value;
} lies[] = {
    {TT_SECTION_PARENT, 0, 0},
    {TT_SECTION_PARENT, 2, 2},
    {TT_SECTION_PARENT, 3, 9},
    {TT_SECTION_PARENT, 5, 5000},
    {TT_SECTION_PARENT, 9, 0},
    {TT_SECTION_SIZE, 2, 0},
    {TT_SECTION_SIZE, 2, UINT32_MAX},
    {TT_SECTION_SIZE, 9, 7},
    {TT_SECTION_FLAGS, 0, 0xff},
    {TT_SECTION_FLAGS, 5, 0},
    {TT_SECTION_FLAGS, 1, TT_FLAG_CUT},
    {TT_SECTION_GPU_RANK, 0, 4},
    {TT_SECTION_GPU_RANK, 2, UINT32_MAX},
    {TT_SECTION_GPU_RANK, 10, 0},
    {TT_SECTION_GPU_RANK, 10, 5000},
    {TT_SECTION_GPU_NODE, 0, 5000},
    {TT_SECTION_GPU_NODE, 1, T2T_NO_ID},
    {TT_SECTION_GPU_NODE, 3, 10},
    {TT_SECTION_LANES, 0, 7},
    {TT_SECTION_LANE, 4, 5000},
    {TT_SECTION_NAME, 4, 5000},
    {TT_SECTION_CATEGORY, 0, 5000},
    {TT_SECTION_START, 2, 1u << 31},
    {TT_SECTION_DURATION, 0, T2T_DURATION_IS_LONG},
    {TT_SECTION_STRING_OFFSET, 1, UINT32_MAX},
};

/* Whether an answer is a node or nothing. */
static void assert_node(t2t_id id)
{
    assert_true(id < 10 || id == T2T_NO_ID);
}

/* Asks everything, which must end and answer nodes. */
static void ask_everything(const t2t_index *index)
{
    t2t_id modules[10];
    uint32_t string;

    (void)t2t_index_all_modules(index, modules, NULL);
    (void)t2t_index_find_string(index, t2t_text_of("k"), &string);
    for (uint32_t i = 0; i < 40; i++)
        (void)t2t_index_next_named(index, i, 0);
    for (t2t_id id = 0; id < 12; id++) {
        assert_true(t2t_index_depth(index, id) < 10);
        assert_node(t2t_index_parent(index, id));
        assert_node(t2t_index_launch(index, id));
        assert_node(t2t_index_module(index, id));
        for (uint32_t n = 0; n < 6; n++)
            assert_node(t2t_index_gpu_event(index, id, n));
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        for (int64_t us = -1; us < 320; us++)
            assert_node(t2t_index_at(index, lane, us * 1000));
}

static void test_a_damaged_tree_still_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        t2t_index *index = make_index(NAME, launches);

        ask_everything(index);
        put_number(index, lies[i].id, lies[i].record, lies[i].value);
        assert_int_equal(t2t_index_verify(index, NULL), T2T_ERR_INDEX_DAMAGE);
        ask_everything(index);
        remove_index(NAME, index);
    }
}

static void test_all_modules_name_an_impossible_parent(void **state)
{
    t2t_index *index = make_index(NAME, launches);
    struct t2t_error err = {0};
    t2t_id modules[10];

    (void)state;
    put_number(index, TT_SECTION_PARENT, 3, 3);
    assert_int_equal(t2t_index_all_modules(index, modules, &err),
                     T2T_ERR_INDEX_DAMAGE);
    assert_string_equal(err.text, "node 3 has an impossible parent");
    assert_int_equal(err.offset, tt_index_offset(index, TT_SECTION_PARENT, 3));
    remove_index(NAME, index);
}

/* ---- as a program uses it ------------------------------------------------ */

/* Two convolutions, the second in a module, and their backward; the engine of
 * the first runs last. */
static const char convolutions[] = "[" OP(
    "aten::convolution", "0", "10",
    "\"Sequence number\":1,\"Fwd thread id\":0,"
    "\"Input Dims\":[[1,3,8,8],[4,3,3,3]]") LAUNCH("cudaLaunchKernel", "2", "1",
                                                   "1")
    KERNEL("f1", "5", "5", "1") OP("aten::convolution", "20", "10",
                                   "\"Sequence number\":2,\"Fwd thread id\":0,"
                                   "\"Input Dims\":[[1,4,6,6],[2,4,3,3]]")
        LAUNCH("cudaLaunchKernel", "22", "1", "2") KERNEL("f2", "25", "5", "2")
            OP("autograd::engine::evaluate_function: ConvolutionBackward0",
               "40", "20", "\"Sequence number\":2,\"Fwd thread id\":1")
                OP("ConvolutionBackward0", "41", "18",
                   "\"Sequence number\":2,\"Fwd thread id\":1")
                    OP("aten::convolution_backward", "42", "10",
                       "") OP("aten::cudnn_conv", "43", "8",
                              "") LAUNCH("cudaLaunchKernel", "44", "1", "3")
                        LAUNCH("cudaLaunchKernel", "46", "1",
                               "4") KERNEL("dgrad", "60", "5",
                                           "3") KERNEL("wgrad", "65", "5", "4")
                            OP("autograd::engine::evaluate_function: "
                               "ConvolutionBackward0",
                               "80", "20",
                               "\"Sequence number\":1,\"Fwd thread id\":1")
                                OP("aten::convolution_backward", "82", "10", "")
                                    LAUNCH("cudaLaunchKernel", "84", "1",
                                           "5") KERNEL("wgrad", "90", "5", "5")
                                        OP("aten::convolution_backward", "110",
                                           "10", "") LAUNCH("cudaLaunchKernel",
                                                            "112", "1", "6")
                                            KERNEL("alone", "115", "5", "6")
                                                END;

/* The forward operation of the nearest node at or above `id` that has one. */
static t2t_id forward_above(const t2t_index *index, t2t_id id)
{
    t2t_id forward = T2T_NO_ID;

    while (id != T2T_NO_ID && forward == T2T_NO_ID) {
        forward = t2t_index_forward(index, id);
        id = t2t_index_parent(index, id);
    }
    return forward;
}

/* Prints, for each kernel below node `id`, its name and the shapes of the
 * forward operation. */
static void print_kernels(const t2t_index *index, t2t_cursor *cursor, t2t_id id,
                          FILE *to)
{
    t2t_id forward = forward_above(index, id);
    t2t_id gpu;

    if (forward == T2T_NO_ID)
        return;
    for (uint32_t n = 0; (gpu = t2t_index_gpu_event(index, id, n)) != T2T_NO_ID;
         n++) {
        struct t2t_text name = t2t_index_name(index, gpu);
        struct t2t_text dims;

        if (t2t_cursor_argument(cursor, forward, "Input Dims", &dims, NULL))
            continue;
        (void)fprintf(to, "%.*s %.*s\n", (int)name.len, name.ptr, (int)dims.len,
                      dims.ptr);
    }
}

static void test_kernels_of_backward_name_the_shapes_of_forward(void **state)
{
    t2t_index *index = make_index(NAME, convolutions);
    t2t_cursor *cursor;
    uint32_t name;
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    (void)state;
    assert_non_null(to);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(
        t2t_index_find_string(index, t2t_text_of("aten::convolution_backward"),
                              &name),
        T2T_OK);
    for (t2t_id id = t2t_index_next_named(index, name, 0); id != T2T_NO_ID;
         id = t2t_index_next_named(index, name, id + 1))
        print_kernels(index, cursor, id, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, "dgrad [[1,4,6,6],[2,4,3,3]]\n"
                              "wgrad [[1,4,6,6],[2,4,3,3]]\n"
                              "wgrad [[1,3,8,8],[4,3,3,3]]\n");
    free(text);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents_and_depths),
        cmocka_unit_test(test_the_nearest_of_a_layer_above_is_found),
        cmocka_unit_test(test_a_gpu_event_knows_its_launch),
        cmocka_unit_test(test_gpu_events_below_a_node_are_listed),
        cmocka_unit_test(test_all_modules_are_those_of_each),
        cmocka_unit_test(test_a_damaged_tree_still_ends),
        cmocka_unit_test(test_all_modules_name_an_impossible_parent),
        cmocka_unit_test(test_kernels_of_backward_name_the_shapes_of_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
