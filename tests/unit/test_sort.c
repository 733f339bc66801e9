/* test_sort.c - base/sort.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* 12 bytes: not the size of anything simple. */
struct record {
    uint32_t key;
    uint32_t other;
    uint32_t twin; /* of other */
};

static int compare(const void *a, const void *b)
{
    const struct record *x = a;
    const struct record *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->other < y->other ? -1 : x->other > y->other;
}

static struct record *make(size_t count, uint32_t keys)
{
    struct record *r = malloc((count + 1) * sizeof(*r));
    uint32_t random = 1;

    assert_non_null(r);
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        r[i] = (struct record){(random >> 8) % keys, (uint32_t)i, (uint32_t)i};
    }
    return r;
}

static void test_it_sorts_as_qsort_does(void **state)
{
    static const size_t counts[] = {0,     1,     2,     16383, 16384,
                                    16385, 32768, 32769, 49153, 100000};

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        for (uint32_t keys = 1; keys < 1000000; keys *= 97) {
            struct record *got = make(counts[i], keys);
            struct record *want = make(counts[i], keys);

            qsort(want, counts[i], sizeof(*want), compare);
            assert_int_equal(tt_sort(got, counts[i], sizeof(*got), compare,
                                     NULL, NULL),
                             T2T_OK);
            assert_memory_equal(got, want, counts[i] * sizeof(*got));
            free(got);
            free(want);
        }
    }
}

static bool count_down(void *left)
{
    return (*(int *)left)-- > 0;
}

static void test_it_can_be_canceled_at_any_question(void **state)
{
    enum t2t_status st = T2T_ERR_CANCELED;
    int questions = 0;

    (void)state;
    for (; st; questions++) {
        struct record *r = make(60000, 1000);
        int left = questions;
        struct tt_watch w;

        tt_watch_init(&w, count_down, &left);
        w.interval_ns = w.due_ns = 0;
        st = tt_sort(r, 60000, sizeof(*r), compare, NULL, &w);
        if (st)
            assert_int_equal(st, T2T_ERR_CANCELED);
        free(r);
    }
    /* four pieces, and each of two passes over 60,000 records */
    assert_in_range(questions, 4 + 2 * 60000 / 4096 - 6, 4 + 2 * 60000 / 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_sorts_as_qsort_does),
        cmocka_unit_test(test_it_can_be_canceled_at_any_question),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
