/*
 * model/category.h - what the category of an event says about its place.
 *
 * A category is the text of `cat`.  A known one puts the event on a layer of
 * the tree and so on a side: the host or a GPU.  All others are kept in the
 * index but are no nodes.
 */
#ifndef TT_MODEL_CATEGORY_H
#define TT_MODEL_CATEGORY_H

#include <stddef.h>

#include <trace2tree/index.h>

/* Category, layer. */
#define TT_CATEGORY_MAP(X)                                                     \
    X("python_function", PYTHON)                                               \
    X("cpu_op", OPERATION)                                                     \
    X("cuda_runtime", LAUNCH)                                                  \
    X("cuda_driver", LAUNCH)                                                   \
    X("xpu_runtime", LAUNCH)                                                   \
    X("xpu_driver", LAUNCH)                                                    \
    X("privateuse1_runtime", LAUNCH)                                           \
    X("privateuse1_driver", LAUNCH)                                            \
    X("kernel", GPU)                                                           \
    X("gpu_memcpy", GPU)                                                       \
    X("gpu_memset", GPU)

/* The layer of the category `ptr`, NULL when an event has none. */
enum t2t_layer tt_layer_of(const char *ptr, size_t len);

/* The side on which the events of a layer lie. */
enum t2t_side tt_side_of(enum t2t_layer layer);

#endif
