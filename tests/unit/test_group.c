/* test_group.c - query/group.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "query/group.h"

static void add(struct tt_groups *g, const char *key, uint64_t amount)
{
    assert_int_equal(tt_groups_add(g, key, strlen(key), amount, NULL), T2T_OK);
}

static void test_no_member_makes_no_group(void **state)
{
    struct tt_groups g = {.count = 0};

    (void)state;
    assert_int_equal(tt_groups_collect(&g, NULL), T2T_OK);
    tt_groups_rank(&g);
    tt_groups_rank_by_place(&g, NULL);
    assert_int_equal(g.count, 0);
    assert_int_equal(g.members, 0);
    assert_int_equal(g.total, 0);
    tt_groups_release(&g);
    assert_null(g.item);
}

static void test_members_of_a_key_are_a_group(void **state)
{
    static const uint32_t member[] = {0, 3, 1, 4, 5, 2};
    struct tt_groups g = {.count = 0};

    (void)state;
    add(&g, "a", 1);
    add(&g, "b", 10);
    add(&g, "", 100);
    add(&g, "a", 2);
    add(&g, "b", 20);
    add(&g, "b", 30);
    assert_int_equal(tt_groups_collect(&g, NULL), T2T_OK);
    assert_int_equal(g.count, 3);
    assert_int_equal(g.members, 6);
    assert_int_equal(g.total, 163);
    assert_memory_equal(g.member, member, sizeof(member));
    assert_int_equal(g.item[0].count, 2);
    assert_int_equal(g.item[0].first, 0);
    assert_int_equal(g.item[0].amount, 3);
    assert_int_equal(g.item[0].start, 0);
    assert_int_equal(g.item[1].count, 3);
    assert_int_equal(g.item[1].first, 1);
    assert_int_equal(g.item[1].amount, 60);
    assert_int_equal(g.item[1].start, 2);
    assert_int_equal(g.item[2].count, 1);
    assert_int_equal(g.item[2].first, 2);
    assert_int_equal(g.item[2].amount, 100);
    assert_int_equal(g.item[2].start, 5);
    tt_groups_rank(&g);
    assert_int_equal(g.item[0].ordinal, 2);
    assert_int_equal(g.item[1].ordinal, 1);
    assert_int_equal(g.item[2].ordinal, 0);
    tt_groups_release(&g);
}

static void test_equal_amounts_rank_by_place(void **state)
{
    static const uint32_t position[] = {40, 30, 20, 35, 10, 5};
    struct tt_groups g = {.count = 0};

    (void)state;
    add(&g, "a", 5); /* 40 */
    add(&g, "b", 3); /* 30, 20 */
    add(&g, "b", 2);
    add(&g, "c", 4); /* 35, 10 */
    add(&g, "c", 1);
    add(&g, "d", 1); /* 5 */
    tt_groups_rank_by_place(&g, position);
    assert_int_equal(g.item[0].ordinal, 2);
    assert_int_equal(g.item[0].place, 10);
    assert_int_equal(g.item[1].ordinal, 1);
    assert_int_equal(g.item[1].place, 20);
    assert_int_equal(g.item[2].ordinal, 0);
    assert_int_equal(g.item[2].place, 40);
    assert_int_equal(g.item[3].ordinal, 3);
    assert_int_equal(g.item[3].place, 5);
    tt_groups_release(&g);
}

static void test_amounts_may_be_more_than_64_bits(void **state)
{
    struct tt_groups g = {.count = 0};

    (void)state;
    add(&g, "a", UINT64_MAX);
    add(&g, "a", 1);
    add(&g, "b", UINT64_MAX - 1);
    assert_true(g.item[0].amount == (unsigned __int128)1 << 64);
    assert_true(g.item[1].amount == UINT64_MAX - 1);
    assert_true(g.total == ((unsigned __int128)1 << 65) - 2);
    tt_groups_rank(&g);
    assert_int_equal(g.item[0].ordinal, 0);
    tt_groups_release(&g);
}

static void test_keys_are_bytes(void **state)
{
    struct tt_groups g = {.count = 0};

    (void)state;
    assert_int_equal(tt_groups_add(&g, "a\0b", 3, 1, NULL), T2T_OK);
    assert_int_equal(tt_groups_add(&g, "a\0c", 3, 1, NULL), T2T_OK);
    assert_int_equal(tt_groups_add(&g, "a", 1, 1, NULL), T2T_OK);
    assert_int_equal(tt_groups_add(&g, "a\0b", 3, 1, NULL), T2T_OK);
    assert_int_equal(g.count, 3);
    assert_int_equal(g.item[0].count, 2);
    tt_groups_release(&g);
}

static void test_a_hundred_thousand_groups(void **state)
{
    enum { GROUPS = 100000 };
    struct tt_groups g = {.count = 0};

    (void)state;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < GROUPS; i++)
            assert_int_equal(tt_groups_add(&g, &i, sizeof(i), GROUPS - i, NULL),
                             T2T_OK);
    assert_int_equal(tt_groups_collect(&g, NULL), T2T_OK);
    tt_groups_rank(&g);
    assert_int_equal(g.count, GROUPS);
    for (uint32_t i = 0; i < GROUPS; i++) {
        assert_int_equal(g.item[i].ordinal, i);
        assert_int_equal(g.item[i].amount, 2 * (uint64_t)(GROUPS - i));
        assert_int_equal(g.member[g.item[i].start], i);
        assert_int_equal(g.member[g.item[i].start + 1], GROUPS + i);
    }
    tt_groups_release(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_member_makes_no_group),
        cmocka_unit_test(test_members_of_a_key_are_a_group),
        cmocka_unit_test(test_equal_amounts_rank_by_place),
        cmocka_unit_test(test_amounts_may_be_more_than_64_bits),
        cmocka_unit_test(test_keys_are_bytes),
        cmocka_unit_test(test_a_hundred_thousand_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
