/* test_layout.c - decode/layout.h: steps are shared and bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/layout.h"

static struct tt_piece piece(const char *text, enum tt_step_kind kind,
                             unsigned way)
{
    return (struct tt_piece){text, strlen(text), kind, TT_USE_NONE, way};
}

/* A layout of two numbers. */
static uint32_t add(struct tt_layouts *l, const char *first, const char *second,
                    unsigned way)
{
    struct tt_piece pieces[] = {
        piece(first, TT_STEP_NUMBER, TT_WAY_INTEGER),
        piece(second, TT_STEP_NUMBER, way),
        piece("}", TT_STEP_END, 0),
    };

    return tt_layouts_add(l, pieces, 3);
}

static void test_layouts_share_what_they_begin_with(void **state)
{
    struct tt_layouts l = {0};
    const struct tt_step *s;

    (void)state;
    assert_int_equal(add(&l, "{\"a\":", ",\"b\":", TT_WAY_INTEGER), 0);
    assert_int_equal(l.steps, 1 + 3);
    assert_int_equal(add(&l, "{\"a\":", ",\"c\":", TT_WAY_INTEGER), 1);
    assert_int_equal(l.steps, 1 + 5);
    assert_int_equal(add(&l, "{\"a\":", ",\"c\":", TT_WAY_DECIMAL), 2);
    assert_int_equal(l.steps, 1 + 6);
    assert_int_equal(add(&l, "{\"z\":", ",\"c\":", TT_WAY_DECIMAL), 3);
    assert_int_equal(l.steps, 1 + 9);

    s = &l.step[l.first]; /* the newest first */
    assert_memory_equal(s->text, "{\"z\":", 6);
    s = &l.step[s->other];
    assert_memory_equal(s->text, "{\"a\":", 6);
    assert_int_equal(s->other, TT_NO_STEP);
    s = &l.step[s->next[TT_WAY_INTEGER]];
    assert_memory_equal(s->text, ",\"c\":", 6);
    s = &l.step[s->next[TT_WAY_DECIMAL]];
    assert_int_equal(s->kind, TT_STEP_END);
    assert_int_equal(s->next[0], 2);
    tt_layouts_release(&l);
    tt_layouts_release(&l);
}

static void test_a_layout_that_is_there_is_not_added(void **state)
{
    struct tt_layouts l = {0};

    (void)state;
    assert_int_equal(add(&l, "{\"a\":", ",\"b\":", TT_WAY_INTEGER), 0);
    assert_int_equal(add(&l, "{\"a\":", ",\"b\":", TT_WAY_INTEGER),
                     TT_NO_LAYOUT);
    assert_int_equal(l.count, 1);
    tt_layouts_release(&l);
}

static void test_text_has_zeros_behind_it(void **state)
{
    struct tt_layouts l = {0};
    char zeros[TT_STEP_PADDING] = {0};

    (void)state;
    (void)add(&l, "{\"a\":", ",\"b\":", TT_WAY_INTEGER);
    for (size_t i = 1; i < l.steps; i++)
        assert_memory_equal(l.step[i].text + l.step[i].len, zeros,
                            sizeof(zeros));
    tt_layouts_release(&l);
}

/* Adds layouts, each another, until none is taken. */
static uint32_t fill(struct tt_layouts *l, size_t cap)
{
    char *text = malloc(cap + 1);
    uint32_t n = 0;
    uint32_t added;

    assert_non_null(text);
    do {
        int len = snprintf(text, cap, "{\"a%u\":", n);

        assert_true(len > 0);
        memset(text + len, 'x', cap - (size_t)len);
        text[cap] = '\0';
        added = n % 2 ? add(l, text, ",", TT_WAY_INTEGER)
                      : add(l, "{", text, TT_WAY_INTEGER);
        n++;
        assert_true(n < 100000);
    } while (added != TT_NO_LAYOUT);
    free(text);
    return n;
}

static void test_there_are_bounds(void **state)
{
    struct tt_layouts l = {0};
    char text[16];
    uint32_t n;

    (void)state;
    /* steps at one place */
    assert_in_range(fill(&l, 12), 60, 200);
    /* what is there can be gone on from */
    n = l.step[l.first].len;
    assert_in_range(n, 12, 12);
    (void)snprintf(text, sizeof(text), "%s", l.step[l.first].text);
    assert_int_not_equal(add(&l, text, ";", TT_WAY_INTEGER), TT_NO_LAYOUT);
    tt_layouts_release(&l);
    /* bytes */
    assert_in_range(fill(&l, 100000), 8, 12);
    assert_true(l.text_bytes <= 1 << 20);
    tt_layouts_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts_share_what_they_begin_with),
        cmocka_unit_test(test_a_layout_that_is_there_is_not_added),
        cmocka_unit_test(test_text_has_zeros_behind_it),
        cmocka_unit_test(test_there_are_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
