/* test_category.c - model/category.h and model/anomaly.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/status.h>

#include "model/anomaly.h"
#include "model/category.h"

static const struct {
    const char *category;
    enum t2t_layer layer;
    enum t2t_side side;
} places[] = {
    {"python_function", T2T_LAYER_PYTHON, T2T_HOST},
    {"cpu_op", T2T_LAYER_OPERATION, T2T_HOST},
    {"cuda_runtime", T2T_LAYER_LAUNCH, T2T_HOST},
    {"cuda_driver", T2T_LAYER_LAUNCH, T2T_HOST},
    {"xpu_runtime", T2T_LAYER_LAUNCH, T2T_HOST},
    {"xpu_driver", T2T_LAYER_LAUNCH, T2T_HOST},
    {"privateuse1_runtime", T2T_LAYER_LAUNCH, T2T_HOST},
    {"privateuse1_driver", T2T_LAYER_LAUNCH, T2T_HOST},
    {"kernel", T2T_LAYER_GPU, T2T_DEVICE},
    {"gpu_memcpy", T2T_LAYER_GPU, T2T_DEVICE},
    {"gpu_memset", T2T_LAYER_GPU, T2T_DEVICE},
    {"user_annotation", T2T_LAYER_NONE, T2T_NO_SIDE},
    {"gpu_user_annotation", T2T_LAYER_NONE, T2T_NO_SIDE},
    {"Kernel", T2T_LAYER_NONE, T2T_NO_SIDE},
    {"kernel ", T2T_LAYER_NONE, T2T_NO_SIDE},
    {"kerne", T2T_LAYER_NONE, T2T_NO_SIDE},
    {"", T2T_LAYER_NONE, T2T_NO_SIDE},
};

static void test_a_category_has_a_layer_and_a_side(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *text = places[i].category;
        enum t2t_layer layer = tt_layer_of(text, strlen(text));

        assert_int_equal(layer, places[i].layer);
        assert_int_equal(tt_side_of(layer), places[i].side);
    }
}

static void test_an_event_without_category_has_none(void **state)
{
    (void)state;
    assert_int_equal(tt_layer_of(NULL, 0), T2T_LAYER_NONE);
    assert_int_equal(tt_side_of((enum t2t_layer)77), T2T_NO_SIDE);
}

static void test_the_first_element_is_kept_in_any_order(void **state)
{
    struct tt_anomalies a;

    (void)state;
    tt_anomalies_init(&a);
    assert_int_equal(a.first_position[TT_ANOMALY_NO_NAME], TT_NO_POSITION);
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 9, 900);
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 4, 400);
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 7, 700);
    assert_int_equal(a.count[TT_ANOMALY_NO_NAME], 3);
    assert_int_equal(a.first_position[TT_ANOMALY_NO_NAME], 4);
    assert_int_equal(a.first_offset[TT_ANOMALY_NO_NAME], 400);
    assert_int_equal(a.count[TT_ANOMALY_CUT], 0);
}

static void test_what_is_of_no_element_keeps_the_smallest_offset(void **state)
{
    struct tt_anomalies a;

    (void)state;
    tt_anomalies_init(&a);
    tt_anomaly_note(&a, TT_ANOMALY_DUPLICATE_MEMBER, TT_NO_POSITION, 50);
    tt_anomaly_note(&a, TT_ANOMALY_DUPLICATE_MEMBER, TT_NO_POSITION, 30);
    tt_anomaly_note(&a, TT_ANOMALY_DUPLICATE_MEMBER, TT_NO_POSITION, 40);
    assert_int_equal(a.first_position[TT_ANOMALY_DUPLICATE_MEMBER],
                     TT_NO_POSITION);
    assert_int_equal(a.first_offset[TT_ANOMALY_DUPLICATE_MEMBER], 30);
}

/* Adds position and offset to what was heard. */
static void hear(void *context, enum tt_anomaly kind, uint64_t position,
                 uint64_t offset)
{
    uint64_t *sum = context;

    assert_int_equal(kind, TT_ANOMALY_NO_NAME);
    *sum += position * 1000 + offset;
}

static void test_a_listener_hears_what_is_noted_and_not_what_is_added(void **st)
{
    struct tt_anomalies a;
    struct tt_anomalies part;
    uint64_t sum = 0;

    (void)st;
    tt_anomalies_init(&a);
    tt_anomalies_init(&part);
    a.listener = (struct tt_anomaly_listener){hear, &sum};
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 3, 30);
    tt_anomaly_note(&part, TT_ANOMALY_CUT, 5, 50);
    tt_anomalies_add(&a, &part, 10);
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 1, 10);
    assert_int_equal(sum, 4040);
    tt_anomalies_init(&a);
    tt_anomaly_note(&a, TT_ANOMALY_NO_NAME, 7, 70);
    assert_int_equal(sum, 4040);
}

static void test_counts_of_parts_add_up_in_any_order(void **state)
{
    struct tt_anomalies first;
    struct tt_anomalies second;
    struct tt_anomalies sum;

    (void)state;
    tt_anomalies_init(&first);
    tt_anomalies_init(&second);
    tt_anomalies_init(&sum);
    tt_anomaly_note(&first, TT_ANOMALY_NO_TIME, 2, 20);
    tt_anomaly_note(&second, TT_ANOMALY_NO_TIME, 0, 120);
    tt_anomaly_note(&second, TT_ANOMALY_BYTE_ORDER_MARK, TT_NO_POSITION, 0);
    tt_anomalies_add(&sum, &second, 10);
    tt_anomalies_add(&sum, &first, 0);
    assert_int_equal(sum.count[TT_ANOMALY_NO_TIME], 2);
    assert_int_equal(sum.first_position[TT_ANOMALY_NO_TIME], 2);
    assert_int_equal(sum.first_offset[TT_ANOMALY_NO_TIME], 20);
    assert_int_equal(sum.count[TT_ANOMALY_BYTE_ORDER_MARK], 1);
    assert_int_equal(sum.first_position[TT_ANOMALY_BYTE_ORDER_MARK],
                     TT_NO_POSITION);
    assert_int_equal(sum.first_offset[TT_ANOMALY_BYTE_ORDER_MARK], 0);
}

static void test_every_anomaly_has_a_number_of_its_own(void **state)
{
    (void)state;
#define X(name, number, text, what)                                            \
    assert_int_equal(TT_ANOMALY_##name, number);                               \
    assert_string_equal(tt_anomaly_name(number), text);                        \
    assert_string_equal(tt_anomaly_what(number), what);
    TT_ANOMALY_MAP(X)
#undef X
    assert_string_equal(tt_anomaly_name(TT_ANOMALY_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_category_has_a_layer_and_a_side),
        cmocka_unit_test(test_an_event_without_category_has_none),
        cmocka_unit_test(test_the_first_element_is_kept_in_any_order),
        cmocka_unit_test(test_what_is_of_no_element_keeps_the_smallest_offset),
        cmocka_unit_test(
            test_a_listener_hears_what_is_noted_and_not_what_is_added),
        cmocka_unit_test(test_counts_of_parts_add_up_in_any_order),
        cmocka_unit_test(test_every_anomaly_has_a_number_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
