/*
 * query/op_category.h - what kind of operation a name is.
 */
#ifndef TT_QUERY_OP_CATEGORY_H
#define TT_QUERY_OP_CATEGORY_H

#include <trace2tree/text.h>

/* Each: its enum value, its text. */
#define TT_OP_CATEGORY_MAP(X)                                                  \
    X(OP_CONV_BWD, "CONV_bwd")                                                 \
    X(OP_CONV_FWD, "CONV_fwd")                                                 \
    X(OP_CROSSENTROPY_BWD, "CrossEntropy_bwd")                                 \
    X(OP_CROSSENTROPY_FWD, "CrossEntropy_fwd")                                 \
    X(OP_CUSTOMCOLLECTIVE, "CustomCollective")                                 \
    X(OP_ELEMENTWISE, "elementwise")                                           \
    X(OP_FUSEDROPE, "FusedRoPE")                                               \
    X(OP_GEMM, "GEMM")                                                         \
    X(OP_GRAPH, "graph")                                                       \
    X(OP_GROUPEDGEMM_FWD, "GroupedGEMM_fwd")                                   \
    X(OP_GROUPQUANT, "GroupQuant")                                             \
    X(OP_INFERENCEATTENTION, "InferenceAttention")                             \
    X(OP_MHC, "mHC")                                                           \
    X(OP_MOE_AUX, "MoE_aux")                                                   \
    X(OP_MOE_COMM_BWD, "MoE_comm_bwd")                                         \
    X(OP_MOE_COMM_FWD, "MoE_comm_fwd")                                         \
    X(OP_MOE_FUSED, "MoE_fused")                                               \
    X(OP_MOE_UNFUSED, "MoE_unfused")                                           \
    X(OP_MULTI_TENSOR_APPLY, "multi_tensor_apply")                             \
    X(OP_NORM_BWD, "NORM_bwd")                                                 \
    X(OP_NORM_FWD, "NORM_fwd")                                                 \
    X(OP_OTHER, "other")                                                       \
    X(OP_RECORD_PARAM_COMMS, "record_param_comms")                             \
    X(OP_REDUCE, "reduce")                                                     \
    X(OP_RMSNORM, "RMSNorm")                                                   \
    X(OP_ROPE_BWD, "RoPE_bwd")                                                 \
    X(OP_ROPE_FWD, "RoPE_fwd")                                                 \
    X(OP_SDPA_BWD, "SDPA_bwd")                                                 \
    X(OP_SDPA_FWD, "SDPA_fwd")                                                 \
    X(OP_SSM_BWD, "SSM_bwd")                                                   \
    X(OP_SSM_FWD, "SSM_fwd")                                                   \
    X(OP_TRITON, "triton")

enum tt_op_category {
#define X(value, text) TT_##value,
    TT_OP_CATEGORY_MAP(X)
#undef X
        TT_OP_CATEGORIES
};

/* The text of a category; static. */
struct t2t_text tt_op_category_text(enum tt_op_category category);

/*
 * The category of an operation called `name`: that of the list in op_names.h,
 * which is by exact names; else told by how it begins, or a replay of a graph;
 * else TT_OP_CATEGORIES: the name does not say, its first kernel does.
 */
enum tt_op_category tt_op_category_of_name(struct t2t_text name);

/* The category that the name of a kernel says; of no text TT_OP_OTHER. */
enum tt_op_category tt_op_category_of_kernel(struct t2t_text kernel);

#endif
