/* test_frames.c - query/frames.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/frames.h"

#define NAME "test_frames"
#define NONE TT_NO_FRAME

/* What a frame is expected to be. */
struct expected {
    const char *name;
    uint32_t parent;
    uint64_t own_ns;
    uint32_t own_count;
    struct tt_work both;
    struct tt_work forward; /* these two only with backward */
    struct tt_work backward;
};

static void assert_work(const struct tt_work *is,
                        const struct tt_work *expected)
{
    assert_int_equal(is->busy_ns, expected->busy_ns);
    assert_int_equal(is->count, expected->count);
}

static void assert_frames(const t2t_index *index, bool backward,
                          const struct expected *expected, uint32_t count,
                          uint32_t outside)
{
    struct tt_gpu gpu;
    struct tt_frames f;

    assert_int_equal(tt_gpu_read(&gpu, index, NULL, NULL), T2T_OK);
    assert_int_equal(tt_frames_measure(&f, &gpu, backward, NULL), T2T_OK);
    assert_int_equal(f.count, count);
    assert_int_equal(f.outside, outside);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_frame *is = &f.item[i];

        assert_text(t2t_index_string(index, is->name), expected[i].name);
        assert_int_equal(is->parent, expected[i].parent);
        assert_int_equal(is->own_ns, expected[i].own_ns);
        assert_int_equal(is->own_count, expected[i].own_count);
        assert_work(&is->work[TT_BOTH], &expected[i].both);
        assert_work(&is->work[TT_FORWARD], &expected[i].forward);
        assert_work(&is->work[TT_BACKWARD], &expected[i].backward);
    }
    tt_frames_release(&f);
    tt_frames_release(&f);
    tt_gpu_release(&gpu);
}

static void test_no_frame_has_no_work(void **state)
{
    static const struct said events[] = {
        PY("module: A_0", "0", "9"),         PY("nn.Module", "10", "9"),
        OP("nn.Module: A_0", "20", "9", ""), LAUNCH("21", "1"),
        KERNEL("k", "100", "1", "1"),        UNLINKED("k", "200", "1"),
    };
    t2t_index *index = make_index(NAME, "[]");

    (void)state;
    assert_frames(index, true, NULL, 0, 0);
    remove_index(NAME, index);
    index = INDEX_OF(events);
    assert_frames(index, false, NULL, 0, 2);
    assert_frames(index, true, NULL, 0, 2);
    remove_index(NAME, index);
}

static void test_work_counts_for_all_frames_around_it(void **state)
{
    static const struct said events[] = {
        PY("nn.Module: A_0", "0", "100"),
        PY("nn.Module: B_0", "1", "20"),
        LAUNCH("2", "1"),
        KERNEL("k", "200", "10", "1"),
        PY("forward", "30", "60"),
        PY("nn.Module: B_1", "31", "20"),
        LAUNCH("32", "2"),
        KERNEL("k", "205", "10", "2"),
        LAUNCH("60", "3"),
        KERNEL("k", "300", "1", "3"),
        PY("nn.Module: Dropout_0", "95", "2"),
        PY("nn.Module: C_0", "120", "9"),
        LAUNCH("121", "4"),
        KERNEL("nccl", "400", "3", "4"),
        UNLINKED("k", "500", "1"),
    };
    static const struct expected expected[] = {
        {"nn.Module: A_0", NONE, 1000, 1, {16000, 3}, {0}, {0}},
        {"nn.Module: B_0", 0, 10000, 1, {10000, 1}, {0}, {0}},
        {"nn.Module: B_1", 0, 10000, 1, {10000, 1}, {0}, {0}},
        {"nn.Module: Dropout_0", 0, 0, 0, {0, 0}, {0}, {0}},
        {"nn.Module: C_0", NONE, 3000, 1, {3000, 1}, {0}, {0}},
    };
    t2t_index *index = INDEX_OF(events);

    (void)state;
    assert_frames(index, false, expected, COUNT(expected), 1);
    remove_index(NAME, index);
}

#define BACKWARD "autograd::engine::evaluate_function: B"

/* The forward operation of A_0/B_0, and its backward event on thread 2, in
 * which a frame C_0 runs (as of a recomputed forward pass). */
static const struct said links[] = {
    PY("nn.Module: A_0", "0", "100"),
    PY("nn.Module: B_0", "1", "50"),
    OP("fwd", "2", "9", "\"Sequence number\":4,\"Fwd thread id\":0"),
    LAUNCH("3", "1"),
    KERNEL("k", "1000", "10", "1"),
    OP("lone", "150", "9", "\"Sequence number\":5,\"Fwd thread id\":0"),
    {"cpu_op", BACKWARD, "1", "2", "200", "90",
     "\"Sequence number\":4,\"Fwd thread id\":1"},
    {"cuda_runtime", "l", "1", "2", "201", "1", "\"correlation\":2"},
    KERNEL("k", "1005", "10", "2"),
    {"python_function", "nn.Module: C_0", "1", "2", "210", "20", ""},
    {"cuda_runtime", "l", "1", "2", "211", "1", "\"correlation\":3"},
    KERNEL("k", "2000", "1", "3"),
    {"cpu_op", BACKWARD, "1", "2", "300", "9",
     "\"Sequence number\":5,\"Fwd thread id\":1"},
    {"cuda_runtime", "l", "1", "2", "301", "1", "\"correlation\":4"},
    KERNEL("k", "3000", "1", "4"),
};

static void test_backward_work_is_that_of_the_forward_operation(void **state)
{
    static const struct expected by_place[] = {
        {"nn.Module: A_0", NONE, 0, 0, {10000, 1}, {0}, {0}},
        {"nn.Module: B_0", 0, 10000, 1, {10000, 1}, {0}, {0}},
        {"nn.Module: C_0", NONE, 1000, 1, {1000, 1}, {0}, {0}},
    };
    static const struct expected by_link[] = {
        {"nn.Module: A_0", NONE, 0, 0, {15000, 2}, {10000, 1}, {10000, 1}},
        {"nn.Module: B_0", 0, 15000, 2, {15000, 2}, {10000, 1}, {10000, 1}},
        {"nn.Module: C_0", NONE, 1000, 1, {1000, 1}, {1000, 1}, {0, 0}},
    };
    t2t_index *index = INDEX_OF(links);

    (void)state;
    assert_frames(index, false, by_place, COUNT(by_place), 2);
    assert_frames(index, true, by_link, COUNT(by_link), 1);
    remove_index(NAME, index);
}

/* Frames in each other, with a GPU event below each. */
static void test_frames_may_be_in_each_other_however_deep(void **state)
{
    enum { DEEP = 20000 };
    char *json = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&json, &len);
    struct tt_gpu gpu;
    struct tt_frames f;
    t2t_index *index;

    (void)state;
    assert_non_null(to);
    for (int i = 0; i < DEEP; i++)
        (void)fprintf(
            to,
            "%s{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module:"
            " M_%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1e6},"
            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l\",\"pid\":1,"
            "\"tid\":1,\"ts\":%d.5,\"dur\":0.1,\"args\":{\"correlation\":%d}},"
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,"
            "\"tid\":7,\"ts\":%d,\"dur\":0.5,\"args\":{\"correlation\":%d}}",
            i ? "," : "[", i % 10, i, i, i + 1, 2000000 + i, i + 1);
    (void)fputs("]", to);
    assert_int_equal(fclose(to), 0);
    index = make_index(NAME, json);
    free(json);
    assert_int_equal(tt_gpu_read(&gpu, index, NULL, NULL), T2T_OK);
    assert_int_equal(tt_frames_measure(&f, &gpu, true, NULL), T2T_OK);
    assert_int_equal(f.count, DEEP);
    for (uint32_t i = 0; i < DEEP; i++) {
        assert_int_equal(f.item[i].parent, i - 1);
        assert_int_equal(f.item[i].own_ns, 500);
        assert_int_equal(f.item[i].work[TT_BOTH].count, DEEP - i);
        assert_int_equal(f.item[i].work[TT_BOTH].busy_ns, 500 * (DEEP - i));
    }
    tt_frames_release(&f);
    tt_gpu_release(&gpu);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_frame_has_no_work),
        cmocka_unit_test(test_work_counts_for_all_frames_around_it),
        cmocka_unit_test(test_backward_work_is_that_of_the_forward_operation),
        cmocka_unit_test(test_frames_may_be_in_each_other_however_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
