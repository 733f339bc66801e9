/* op_category.c - finds the category of an operation. */
#include "query/op_category.h"

#include <stdlib.h>

#include "query/op_names.h"
#include "query/word.h"

struct t2t_text tt_op_category_text(enum tt_op_category category)
{
    static const char *const text[] = {
#define X(value, word) word,
        TT_OP_CATEGORY_MAP(X)
#undef X
    };

    return t2t_text_of(text[category]);
}

static int compare_names(const void *left, const void *right)
{
    const struct t2t_text *name = left;
    const char *with = ((const struct tt_op_name *)right)->name;
    size_t len = strlen(with);
    int order = memcmp(name->ptr, with, name->len < len ? name->len : len);

    return order ? order : (name->len > len) - (name->len < len);
}

enum tt_op_category tt_op_category_of_kernel(struct t2t_text kernel)
{
    if (!t2t_text_starts_with(kernel, "void at::native"))
        return TT_OP_OTHER;
    if (tt_has_word(kernel, "elementwise"))
        return TT_OP_ELEMENTWISE;
    if (tt_has_word(kernel, "reduce"))
        return TT_OP_REDUCE;
    if (tt_has_word(kernel, "multi_tensor_apply"))
        return TT_OP_MULTI_TENSOR_APPLY;
    return TT_OP_OTHER;
}

enum tt_op_category tt_op_category_of_name(struct t2t_text name)
{
    const struct tt_op_name *found = NULL;

    if (name.ptr)
        found = bsearch(&name, tt_op_names,
                        sizeof(tt_op_names) / sizeof(tt_op_names[0]),
                        sizeof(tt_op_names[0]), compare_names);
    if (found)
        return found->category;
    if (t2t_text_starts_with(name, "triton"))
        return TT_OP_TRITON;
    if (t2t_text_starts_with(name, "record_param_comms"))
        return TT_OP_RECORD_PARAM_COMMS;
    if (tt_has_word_any_case(name, "graphlaunch"))
        return TT_OP_GRAPH; /* its kernels have no operation of their own */
    return TT_OP_CATEGORIES;
}
