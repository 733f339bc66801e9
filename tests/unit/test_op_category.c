/* test_op_category.c - query/op_category.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "query/op_category.h"
#include "query/op_names.h"

#define NAMES (sizeof(tt_op_names) / sizeof(tt_op_names[0]))

static void test_the_list_is_in_order_and_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct t2t_text name = t2t_text_of(tt_op_names[i].name);

        if (i && strcmp(tt_op_names[i - 1].name, tt_op_names[i].name) >= 0)
            fail_msg("%s is not in order", tt_op_names[i].name);
        assert_int_equal(tt_op_category_of_name(name), tt_op_names[i].category);
    }
}

static const struct {
    const char *name;
    enum tt_op_category category;
} names[] = {
    {"aten::mm", TT_OP_GEMM},
    {"aten::addmm", TT_OP_GEMM},
    {"aten::ad", TT_OP_CATEGORIES},
    {"aten::m", TT_OP_CATEGORIES},
    {"aten::mm ", TT_OP_CATEGORIES},
    {"Aten::mm", TT_OP_CATEGORIES},
    {"", TT_OP_CATEGORIES},
    {"triton", TT_OP_TRITON},
    {"triton_poi_fused_add_0", TT_OP_TRITON},
    {"Triton", TT_OP_CATEGORIES},
    {"a triton", TT_OP_CATEGORIES},
    {"record_param_comms", TT_OP_RECORD_PARAM_COMMS},
    {"record_param_comms_2", TT_OP_RECORD_PARAM_COMMS},
    {"record_param_comm", TT_OP_CATEGORIES},
    {"cudaGraphLaunch", TT_OP_GRAPH},
    {"hipGraphLaunch_spt", TT_OP_GRAPH},
    {"cuGRAPHLAUNCH", TT_OP_GRAPH},
    {"graphlaunch", TT_OP_GRAPH},
    {"graph launch", TT_OP_CATEGORIES},
    {"triton graphlaunch", TT_OP_TRITON},
    {"void at::native::elementwise", TT_OP_CATEGORIES},
};

static void test_names_say_the_category_or_do_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (tt_op_category_of_name(t2t_text_of(names[i].name)) !=
            names[i].category)
            fail_msg("%s", names[i].name);
    assert_int_equal(tt_op_category_of_name((struct t2t_text){NULL, 0}),
                     TT_OP_CATEGORIES);
    /* a longer name with a zero byte is another one */
    assert_int_equal(tt_op_category_of_name((struct t2t_text){"aten::mm\0", 9}),
                     TT_OP_CATEGORIES);
}

static const struct {
    const char *name;
    enum tt_op_category category;
} kernels[] = {
    {"void at::native::vectorized_elementwise_kernel<4>", TT_OP_ELEMENTWISE},
    {"void at::native::reduce_kernel<512, 1>", TT_OP_REDUCE},
    {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel",
     TT_OP_MULTI_TENSOR_APPLY},
    {"void at::native::multi_tensor_apply_reduce", TT_OP_REDUCE},
    {"void at::native::reduce_elementwise", TT_OP_ELEMENTWISE},
    {"void at::nativeelementwise", TT_OP_ELEMENTWISE},
    {"void at::native::Elementwise", TT_OP_OTHER},
    {"at::native::elementwise", TT_OP_OTHER},
    {" void at::native::elementwise", TT_OP_OTHER},
    {"void at::native::copy", TT_OP_OTHER},
    {"void at::nativ", TT_OP_OTHER},
    {"", TT_OP_OTHER},
};

static void test_a_kernel_says_the_category_of_what_launched_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
        if (tt_op_category_of_kernel(t2t_text_of(kernels[i].name)) !=
            kernels[i].category)
            fail_msg("%s", kernels[i].name);
    assert_int_equal(tt_op_category_of_kernel((struct t2t_text){NULL, 0}),
                     TT_OP_OTHER);
}

static void test_every_category_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TT_OP_CATEGORIES; i++) {
        struct t2t_text text = tt_op_category_text((enum tt_op_category)i);

        assert_true(text.len > 0);
        for (unsigned k = 0; k < i; k++)
            assert_false(t2t_text_equal(text, tt_op_category_text(
                                                  (enum tt_op_category)k)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_list_is_in_order_and_found),
        cmocka_unit_test(test_names_say_the_category_or_do_not),
        cmocka_unit_test(test_a_kernel_says_the_category_of_what_launched_it),
        cmocka_unit_test(test_every_category_has_a_text_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
