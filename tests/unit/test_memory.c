/* test_memory.c - base/memory.h, and what lies in it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/blocks.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/memory.h"

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

static void test_what_fits_is_ordinary_memory(void **state)
{
    struct tt_memory m;
    void *a;
    void *b;

    (void)state;
    assert_true(tt_memory_init(&m, "test_memory.t2t", MB));
    a = tt_memory_take(&m, MB / 2);
    b = tt_memory_take_zero(&m, MB / 2);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(m.used, MB);
    assert_int_equal(m.fd, -1);
    tt_memory_give(&m, a, MB / 2);
    tt_memory_give(&m, b, MB / 2);
    tt_memory_give(&m, NULL, 0);
    assert_int_equal(m.used, 0);
    tt_memory_release(&m);
}

/* Pieces of all sizes, small and larger than one that is mapped at a time. */
static void test_what_does_not_fit_is_in_a_file(void **state)
{
    static const size_t sizes[] = {1, 63, 64, 65, 5000, 100 * MB, 3, 40 * MB};
    enum { COUNT = sizeof(sizes) / sizeof(sizes[0]) };
    unsigned char *ptr[COUNT];
    struct tt_memory m;

    (void)state;
    assert_true(tt_memory_init(&m, "./test_memory.t2t", 0));
    for (size_t i = 0; i < COUNT; i++) {
        ptr[i] = i % 2 ? tt_memory_take(&m, sizes[i])
                       : tt_memory_take_zero(&m, sizes[i]);
        assert_non_null(ptr[i]);
        assert_int_equal((uintptr_t)ptr[i] % 64, 0);
        assert_int_equal(ptr[i][0], 0);
        assert_int_equal(ptr[i][sizes[i] - 1], 0);
        ptr[i][0] = ptr[i][sizes[i] - 1] = (unsigned char)(i + 1);
    }
    assert_true(m.fd >= 0);
    assert_int_equal(m.used, 0);
    assert_true(m.file_bytes >= 140 * MB);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(ptr[i][0], i + 1);
        assert_int_equal(ptr[i][sizes[i] - 1], i + 1);
        tt_memory_give(&m, ptr[i], sizes[i]);
    }
    tt_memory_release(&m);
}

static void test_a_file_that_cannot_be_is_a_failure(void **state)
{
    struct tt_memory m;

    (void)state;
    assert_true(tt_memory_init(&m, "no/such/folder/x.t2t", 10));
    assert_null(tt_memory_take(&m, 11));
    assert_int_not_equal(m.reason, 0);
    assert_null(tt_memory_take(&m, SIZE_MAX));
    assert_null(tt_memory_take_zero(&m, SIZE_MAX));
    tt_memory_release(&m);
}

static void test_arrays_grow_from_memory_into_the_file(void **state)
{
    struct tt_memory m;
    uint64_t *v = NULL;
    size_t cap = 0;

    (void)state;
    assert_true(tt_memory_init(&m, "test_memory.t2t", 64 * KB));
    for (uint64_t i = 0; i < 100000; i++) {
        assert_true(tt_memory_room(&m, &v, &cap, i, sizeof(*v)));
        v[i] = i * i;
    }
    for (uint64_t i = 0; i < 100000; i++)
        assert_true(v[i] == i * i);
    assert_true(m.fd >= 0);
    assert_true(m.used <= 64 * KB);
    tt_memory_give(&m, v, cap * sizeof(*v));
    tt_memory_release(&m);
}

/* The same with and without a bound, whatever is asked. */
static void test_tables_work_in_the_file(void **state)
{
    struct tt_memory m;
    struct tt_blocks blocks = {.memory = &m};
    struct tt_idmap map = {.memory = &m};
    struct tt_intern intern = {.arena.memory = &m};

    (void)state;
    assert_true(tt_memory_init(&m, "test_memory.t2t", 4 * KB));
    for (uint32_t i = 0; i < 60000; i++) {
        uint32_t *record = tt_blocks_add(&blocks, sizeof(*record));
        uint32_t *value = tt_idmap_put(&map, i % 7, i, i);
        char text[16];
        int len = snprintf(text, sizeof(text), "%u", i);

        assert_non_null(record);
        assert_non_null(value);
        *record = i;
        assert_int_equal(tt_intern_add(&intern, text, (size_t)len), i);
    }
    assert_true(m.used <= 4 * KB);
    for (uint32_t i = 0; i < 60000; i++) {
        char text[16];
        int len = snprintf(text, sizeof(text), "%u", i);

        assert_int_equal(*(uint32_t *)tt_blocks_at(&blocks, i,
                                                   sizeof(uint32_t)),
                         i);
        assert_int_equal(*tt_idmap_get(&map, i % 7, i), i);
        assert_int_equal(tt_intern_add(&intern, text, (size_t)len), i);
    }
    tt_blocks_release(&blocks);
    tt_idmap_release(&map);
    tt_intern_release(&intern);
    assert_int_equal(m.used, 0);
    assert_ptr_equal(blocks.memory, &m);
    assert_ptr_equal(intern.arena.memory, &m);
    tt_memory_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_fits_is_ordinary_memory),
        cmocka_unit_test(test_what_does_not_fit_is_in_a_file),
        cmocka_unit_test(test_a_file_that_cannot_be_is_a_failure),
        cmocka_unit_test(test_arrays_grow_from_memory_into_the_file),
        cmocka_unit_test(test_tables_work_in_the_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
