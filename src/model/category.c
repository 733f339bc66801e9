/* category.c - the table of categories that are nodes of the tree. */
#include "model/category.h"

#include <string.h>

static const struct {
    const char *text;
    size_t len;
    enum t2t_layer layer;
} categories[] = {
#define X(text, layer) {text, sizeof(text) - 1, T2T_LAYER_##layer},
    TT_CATEGORY_MAP(X)
#undef X
};

enum t2t_layer tt_layer_of(const char *ptr, size_t len)
{
    if (!ptr)
        return T2T_LAYER_NONE;
    for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++)
        if (categories[i].len == len && !memcmp(categories[i].text, ptr, len))
            return categories[i].layer;
    return T2T_LAYER_NONE;
}

enum t2t_side tt_side_of(enum t2t_layer layer)
{
    switch (layer) {
    case T2T_LAYER_NONE:
        return T2T_NO_SIDE;
    case T2T_LAYER_GPU:
        return T2T_DEVICE;
    case T2T_LAYER_PYTHON:
    case T2T_LAYER_OPERATION:
    case T2T_LAYER_LAUNCH:
        return T2T_HOST;
    }
    return T2T_NO_SIDE;
}
