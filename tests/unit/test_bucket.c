/* test_bucket.c - query/bucket.h; all names are in test_timeline.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/bucket.h"

#define NAME "test_bucket"

#define EVENT(category, name)                                                  \
    {                                                                          \
        category, name, "0", "7", "1", "1", ""                                 \
    }

static const struct said events[] = {
    EVENT("kernel", "nccl"),
    EVENT("gpu_memset", "nccl"),
    EVENT("gpu_memcpy", "nccl"),
    EVENT("kernel", "__amd_rocclr_copyBuffer"),
    EVENT("gpu_memset", "__amd_rocclr_copyBuffer"),
    EVENT("kernel", ""),
};

static const enum tt_bucket expected[] = {TT_COMMUNICATION, TT_COMMUNICATION,
                                          TT_MEMCPY,        TT_MEMCPY,
                                          TT_COMPUTE,       TT_COMPUTE};

static void assert_buckets(struct tt_buckets *b, const t2t_index *index)
{
    for (uint32_t i = 0; i < COUNT(events); i++) {
        struct t2t_element e;

        assert_int_equal(t2t_index_element(index, id_at(index, i), &e), T2T_OK);
        assert_int_equal(tt_bucket_of(b, &e), expected[i]);
    }
}

static void test_the_same_name_is_told_by_category(void **state)
{
    t2t_index *index = INDEX_OF(events);
    struct tt_buckets b;

    (void)state;
    assert_int_equal(tt_buckets_init(&b, index, NULL), T2T_OK);
    assert_buckets(&b, index);
    assert_buckets(&b, index); /* as remembered */
    tt_buckets_release(&b);
    tt_buckets_release(&b);
    remove_index(NAME, index);
}

static void test_an_event_without_a_name_computes(void **state)
{
    t2t_index *index = INDEX_OF(events);
    struct tt_buckets b;
    struct t2t_element e;

    (void)state;
    assert_int_equal(tt_buckets_init(&b, index, NULL), T2T_OK);
    assert_int_equal(t2t_index_element(index, id_at(index, 0), &e), T2T_OK);
    e.name = T2T_NO_ID;
    assert_int_equal(tt_bucket_of(&b, &e), TT_COMPUTE);
    e.name = b.string_count;
    assert_int_equal(tt_bucket_of(&b, &e), TT_COMPUTE);
    tt_buckets_release(&b);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_name_is_told_by_category),
        cmocka_unit_test(test_an_event_without_a_name_computes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
