/* test_blocks.c - base/blocks.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/blocks.h"

/* The first record of each block: 8 records, 16, ... 8192, 8192, 8192. */
static const size_t firsts[] = {0,    8,    24,   56,   120,   248,   504,
                                1016, 2040, 4088, 8184, 16376, 24568, 32760};
#define FIRSTS (sizeof(firsts) / sizeof(*firsts))

static void test_an_empty_array_can_be_released(void **state)
{
    struct tt_blocks b = {0};

    (void)state;
    tt_blocks_release(&b);
    tt_blocks_release(&b);
    assert_int_equal(b.count, 0);
}

static void test_records_keep_value_and_address(void **state)
{
    static const uint32_t *address[40000];
    struct tt_blocks b = {0};

    (void)state;
    for (uint32_t i = 0; i < 40000; i++) {
        uint32_t *record = tt_blocks_add(&b, sizeof(*record));

        assert_non_null(record);
        *record = i * 3;
        address[i] = record;
        assert_int_equal(b.count, i + 1);
    }
    for (uint32_t i = 0; i < 40000; i++) {
        const uint32_t *record = tt_blocks_at(&b, i, sizeof(*record));

        assert_ptr_equal(record, address[i]);
        assert_int_equal(*record, i * 3);
    }
    tt_blocks_release(&b);
}

static void test_a_block_begins_where_the_last_one_is_full(void **state)
{
    struct tt_blocks b = {0};
    size_t blocks = 0;

    (void)state;
    for (size_t i = 0; i <= firsts[FIRSTS - 1]; i++) {
        assert_int_equal(b.blocks, blocks);
        assert_non_null(tt_blocks_add(&b, 1));
        blocks += i == firsts[blocks];
        assert_int_equal(b.blocks, blocks);
    }
    assert_int_equal(blocks, FIRSTS);
    tt_blocks_release(&b);
}

static void test_records_of_a_block_lie_side_by_side(void **state)
{
    static const size_t sizes[] = {1, 8, 12, 40, 56};

    (void)state;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
        size_t bytes = sizes[s];
        struct tt_blocks b = {0};

        for (size_t i = 0; i < firsts[FIRSTS - 1]; i++)
            memset(tt_blocks_add(&b, bytes), 1, bytes);
        for (size_t n = 0; n + 1 < FIRSTS; n++) {
            const char *first = tt_blocks_at(&b, firsts[n], bytes);
            const char *last = tt_blocks_at(&b, firsts[n + 1] - 1, bytes);

            assert_int_equal(last - first,
                             (firsts[n + 1] - firsts[n] - 1) * bytes);
        }
        tt_blocks_release(&b);
    }
}

static void test_a_million_records_are_no_effort(void **state)
{
    struct tt_blocks b = {0};
    uint64_t sum = 0;

    (void)state;
    for (uint64_t i = 0; i < 1000000; i++)
        *(uint64_t *)tt_blocks_add(&b, sizeof(i)) = i;
    for (size_t i = 0; i < b.count; i++)
        sum += *(uint64_t *)tt_blocks_at(&b, i, sizeof(sum));
    assert_int_equal(sum, 499999500000);
    tt_blocks_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_array_can_be_released),
        cmocka_unit_test(test_records_keep_value_and_address),
        cmocka_unit_test(test_a_block_begins_where_the_last_one_is_full),
        cmocka_unit_test(test_records_of_a_block_lie_side_by_side),
        cmocka_unit_test(test_a_million_records_are_no_effort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
