/* test_climb.c - query/climb.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu_trace.h"
#include "query/climb.h"

#define NAME "test_climb"
#define DEEP 100000

/* What nodes decide, and how many were asked. */
struct asking {
    uint32_t (*decide)(t2t_id id);
    uint32_t asked;
};

static uint32_t ask(void *context, t2t_id id)
{
    struct asking *a = context;

    a->asked++;
    return a->decide(id);
}

static uint32_t every_third(t2t_id id)
{
    return id % 3 == 0 ? 100 + id : 0;
}

static uint32_t nobody(t2t_id id)
{
    (void)id;
    return 0;
}

static uint32_t the_largest(t2t_id id)
{
    return id == 2 ? UINT32_MAX - 1 : 0;
}

/* ids: 0 a (1 b (2 c (3 d, 4 e)), 5 f), 6 g (7 h) */
static const struct said tree[] = {
    PY("a", "0", "100"), PY("b", "1", "50"),  PY("c", "2", "40"),
    PY("d", "3", "1"),   PY("e", "5", "1"),   PY("f", "60", "10"),
    PY("g", "200", "9"), PY("h", "201", "1"),
};

static void assert_climbs(uint32_t (*decide)(t2t_id id),
                          const uint32_t expected[COUNT(tree)])
{
    t2t_index *index = INDEX_OF(tree);
    struct asking asking = {decide, 0};
    struct tt_climb c;

    assert_int_equal(tt_climb_init(&c, index, ask, &asking, NULL), T2T_OK);
    for (int round = 0; round < 2; round++)
        for (t2t_id id = COUNT(tree); id-- > 0;)
            assert_true(tt_climb(&c, id) == expected[id]);
    assert_int_equal(asking.asked, COUNT(tree)); /* each once */
    assert_int_equal(tt_climb(&c, COUNT(tree)), 0);
    assert_int_equal(tt_climb(&c, T2T_NO_ID), 0);
    tt_climb_release(&c);
    tt_climb_release(&c);
    remove_index(NAME, index);
}

static void test_the_nearest_that_decides_does(void **state)
{
    static const uint32_t thirds[] = {100, 100, 100, 103, 100, 100, 106, 106};
    static const uint32_t none[COUNT(tree)] = {0};
    static const uint32_t largest[] = {
        0, 0, UINT32_MAX - 1, UINT32_MAX - 1, UINT32_MAX - 1, 0, 0, 0};

    (void)state;
    assert_climbs(every_third, thirds);
    assert_climbs(nobody, none);
    assert_climbs(the_largest, largest);
}

static uint32_t the_root(t2t_id id)
{
    return id == 0 ? 7 : 0;
}

/* A stack of frames, each a nanosecond shorter than the one around it. */
static t2t_index *make_deep(void)
{
    char *json = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&json, &len);
    t2t_index *index;

    assert_non_null(to);
    for (int i = 0; i < DEEP; i++)
        (void)fprintf(to,
                      "%s{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":"
                      "\"f\",\"pid\":1,\"tid\":1,\"ts\":0.%06d,\"dur\":1e3}",
                      i ? "," : "[", i);
    (void)fputs("]", to);
    assert_int_equal(fclose(to), 0);
    index = make_index(NAME, json);
    free(json);
    return index;
}

static void test_no_way_is_gone_twice_however_deep(void **state)
{
    t2t_index *index = make_deep();
    struct asking asking = {the_root, 0};
    struct tt_climb c;

    (void)state;
    assert_int_equal(t2t_index_depth(index, DEEP - 1), DEEP - 1);
    assert_int_equal(tt_climb_init(&c, index, ask, &asking, NULL), T2T_OK);
    for (t2t_id id = 0; id < DEEP; id += 2)
        assert_int_equal(tt_climb(&c, id), 7);
    for (t2t_id id = DEEP; id-- > 0;)
        assert_int_equal(tt_climb(&c, id), 7);
    assert_int_equal(asking.asked, DEEP);
    tt_climb_release(&c);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearest_that_decides_does),
        cmocka_unit_test(test_no_way_is_gone_twice_however_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
