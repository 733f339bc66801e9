/* test_relay.c - pipeline/relay.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline/relay.h"

/* Expects elements by position, nodes first, and fails at one of them. */
struct checker {
    uint32_t next;
    uint32_t nodes;
    uint32_t fails_at;
    bool wrong;
};

static enum t2t_status take(void *owner, struct tt_placed **placed,
                            size_t count, size_t nodes, struct t2t_error *err)
{
    struct checker *c = owner;

    assert_int_not_equal(count, 0);
    for (size_t i = 0; i < count; i++) {
        if (c->next == c->fails_at)
            return tt_error(err, T2T_ERR_NO_SPACE, 7, "no space for %u",
                            c->next);
        c->wrong |= (*placed)[i].position != c->next;
        c->wrong |= (i < nodes) != (c->next < c->nodes);
        c->next++;
    }
    return T2T_OK;
}

/* Sends `nodes` nodes and `others` others; how that went. */
static enum t2t_status send_all(struct checker *c, uint32_t nodes,
                                uint32_t others, struct t2t_error *err)
{
    struct tt_sink to = {.owner = c, .take = take};
    enum t2t_status st = T2T_OK;
    struct tt_relay relay;
    struct tt_sink sink;

    c->nodes = nodes;
    assert_int_equal(tt_relay_start(&relay, &to, &sink, NULL), T2T_OK);
    for (uint32_t i = 0; !st && i < nodes + others; i++) {
        struct tt_placed p = {.position = i};

        st = i < nodes ? tt_sink_node(&sink, &p, NULL)
                       : tt_sink_other(&sink, &p, NULL);
    }
    if (!st)
        st = tt_sink_flush(&sink, NULL);
    return tt_relay_end(&relay, st, err);
}

/* Numbers around those of a block, and many blocks. */
static const uint32_t counts[] = {0, 1, 4095, 4096, 4097, 100000};

#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static void test_all_arrives_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNTS; i++)
        for (size_t k = 0; k < COUNTS; k++) {
            struct checker c = {.fails_at = UINT32_MAX};

            assert_int_equal(send_all(&c, counts[i], counts[k], NULL), T2T_OK);
            assert_int_equal(c.next, counts[i] + counts[k]);
            assert_false(c.wrong);
        }
}

static void test_a_failure_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNTS; i++) {
        struct checker c = {.fails_at = counts[i]};
        struct t2t_error err = {0};

        assert_int_equal(send_all(&c, 60000, 60000, &err), T2T_ERR_NO_SPACE);
        assert_int_equal(c.next, counts[i]);
        assert_false(c.wrong);
        assert_int_equal(err.code, T2T_ERR_NO_SPACE);
        assert_int_equal(err.offset, 7);
    }
}

static void test_it_ends_as_the_one_who_filled_it(void **state)
{
    struct checker c = {.fails_at = UINT32_MAX, .nodes = 10};
    struct tt_sink to = {.owner = &c, .take = take};
    struct tt_placed p = {.position = 0};
    struct tt_relay relay;
    struct tt_sink sink;

    (void)state;
    assert_int_equal(tt_relay_start(&relay, &to, &sink, NULL), T2T_OK);
    assert_int_equal(tt_sink_node(&sink, &p, NULL), T2T_OK);
    assert_int_equal(tt_relay_end(&relay, T2T_ERR_NO_MEMORY, NULL),
                     T2T_ERR_NO_MEMORY);
    assert_int_equal(c.next, 0); /* it was not flushed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_arrives_in_order),
        cmocka_unit_test(test_a_failure_comes_back),
        cmocka_unit_test(test_it_ends_as_the_one_who_filled_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
