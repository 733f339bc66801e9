/*
 * kernel_name.h - what the name of a kernel says.
 *
 * A kernel's name is often all that a trace says of it: a C++ declaration with
 * its template arguments, or what a generator of kernels put there, size of
 * tiles and types of numbers among it.  This reads such names.  It looks at
 * nothing but the name, and what a name does not say, or says in a way that is
 * not known here, stays empty: nothing is guessed.
 *
 * Functions of their arguments, so any number of threads may call them.  They
 * allocate nothing, cannot fail, take any bytes, and time in proportion to
 * them.
 */
#ifndef TRACE2TREE_KERNEL_NAME_H
#define TRACE2TREE_KERNEL_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/status.h>
#include <trace2tree/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whose kernel it is.  The first that fits, in this order; "begins" is said of
 * the base name, and of the outermost namespace of a mangled one.
 */
enum t2t_kernel_family {
    T2T_KERNEL_UNKNOWN,   /* none of these */
    T2T_KERNEL_TENSILE,   /* holds C???_A???_B???, ? a lower-case letter */
    T2T_KERNEL_NVJET,     /* begins with nvjet */
    T2T_KERNEL_CUTLASS,   /* begins with cutlass */
    T2T_KERNEL_TRITON,    /* begins with triton_: those of Inductor */
    T2T_KERNEL_NCCL,      /* holds nccl or rccl, in any case of letters */
    T2T_KERNEL_AT_NATIVE, /* begins with at::native:: */
    T2T_KERNEL_CK,        /* begins with ck:: or ck_tile:: */
    T2T_KERNEL_AITER,     /* begins with aiter:: */
    T2T_KERNEL_CUBLAS,    /* holds cublas, or begins with an architecture (such
                             as volta_) and is a GEMM, or with sm*_xmma_gemm */
    T2T_KERNEL_CUDNN,     /* holds cudnn */
    T2T_KERNEL_MIOPEN,    /* begins with igemm_ or miopen */
    T2T_KERNEL_ATTENTION, /* its base name holds attn, attention, fmha,
                             flash_fwd or flash_bwd, or begins with sage_ */
    T2T_KERNEL_FAMILIES   /* how many there are */
};

/* What the numbers of a matrix are. */
enum t2t_kernel_type {
    T2T_TYPE_UNKNOWN,
    T2T_TYPE_FP64,
    T2T_TYPE_FP32,
    T2T_TYPE_TF32,
    T2T_TYPE_FP16,
    T2T_TYPE_BF16,
    T2T_TYPE_FP8, /* e4m3 */
    T2T_TYPE_BF8, /* e5m2 */
    T2T_TYPE_INT32,
    T2T_TYPE_INT8,
    T2T_TYPE_UINT8,
    T2T_TYPE_COMPLEX64,  /* of two fp32 */
    T2T_TYPE_COMPLEX128, /* of two fp64 */
    T2T_TYPES            /* how many there are */
};

enum t2t_transpose {
    T2T_TRANSPOSE_UNKNOWN,
    T2T_TRANSPOSE_NO,
    T2T_TRANSPOSE_YES
};

/* How Inductor made a kernel of Triton: poi, red and per of its name. */
enum t2t_triton_kind {
    T2T_TRITON_NONE,
    T2T_TRITON_POINTWISE,
    T2T_TRITON_REDUCTION,
    T2T_TRITON_PERSISTENT, /* a reduction that keeps its rows */
    T2T_TRITON_KINDS       /* how many there are */
};

/*
 * A product of matrices, D = A * B.  Read of names of Tensile, nvjet, cutlass
 * (also where the name is a template argument) and of cuBLAS's own.
 */
struct t2t_kernel_gemm {
    bool is_gemm; /* else all is unknown */
    enum t2t_transpose transpose_a;
    enum t2t_transpose transpose_b;
    uint32_t tile_m; /* rows of D a work group makes; 0 where not known */
    uint32_t tile_n; /* columns; 0 likewise, as is tile_m then */
    uint32_t tile_k; /* numbers summed in a step of its loop; 0 likewise */
    enum t2t_kernel_type type_a;
    enum t2t_kernel_type type_b;
    enum t2t_kernel_type type_out; /* of D */
    enum t2t_kernel_type type_compute;
};

/* A kernel of Inductor: triton_poi_fused_OPS_NUMBER. */
struct t2t_kernel_triton {
    enum t2t_triton_kind kind; /* T2T_TRITON_NONE: all else is empty */
    struct t2t_text ops; /* operations as the name has them; may be no text */
    uint32_t number;     /* of the kernel, in what was compiled */
};

/* Texts point into the name. */
struct t2t_kernel_name {
    struct t2t_text base;
    enum t2t_kernel_family family;
    struct t2t_kernel_gemm gemm;
    struct t2t_kernel_triton triton;
};

/*
 * Reads `name`, which stays the caller's and must outlive what points into it.
 * Of no text everything is empty.
 *
 * The base name is that of a C++ declaration without its result, its template
 * arguments and its parameters, with its namespaces:
 *
 *   - at::native::reduce_kernel of
 *     "void at::native::reduce_kernel<512, 1, ...>(...)";
 *   - (anonymous namespace)::fill of
 *     "void (anonymous namespace)::fill<long>(long*)";
 *   - ns::operator< of "bool ns::operator< <int>(int, int)".
 *
 * Where arguments stand in the middle (A<int>::f(), f()::{lambda()#1}) it ends
 * before the first.  A trailing ".kd" or " [clone .kd]" is taken off.  What has
 * neither parameters nor template arguments (Memcpy HtoD (Pageable -> Device)),
 * and a mangled name (_Z...), is its own base name.  Brackets that do not close
 * run to the end.
 */
T2T_API void t2t_kernel_name_parse(struct t2t_text name,
                                   struct t2t_kernel_name *out);

/* Such as "at-native"; no text for T2T_KERNEL_UNKNOWN and what is none. */
T2T_API struct t2t_text t2t_kernel_family_text(enum t2t_kernel_family family);

/* Such as "bf16"; no text for T2T_TYPE_UNKNOWN and what is none. */
T2T_API struct t2t_text t2t_kernel_type_text(enum t2t_kernel_type type);

/* Such as "pointwise"; no text for T2T_TRITON_NONE and what is none. */
T2T_API struct t2t_text t2t_triton_kind_text(enum t2t_triton_kind kind);

/* What a table says of a kernel's name, in columns. */
enum t2t_kernel_column {
    T2T_KERNEL_BASE_NAME, /* base_name */
    T2T_KERNEL_FAMILY,    /* family */
    T2T_KERNEL_TRANSPOSE, /* transpose: NT, A before B; ? where not known */
    T2T_KERNEL_TILE,      /* tile: 128x128x64, or 128x128 without k */
    T2T_KERNEL_DTYPE,     /* dtype: bf16; of A and B fp8,bf8 where they differ;
                             bf16->fp32 where that of D is another */
    T2T_KERNEL_COLUMNS    /* how many there are */
};

#define T2T_KERNEL_TEXT_MAX 40u /* bytes that such a text can need */

/* The name of a column, such as "base_name"; NULL past the last. */
T2T_API const char *t2t_kernel_column_name(enum t2t_kernel_column column);

/*
 * The text of a column; no text where the name does not say it.
 *
 * @param room  where it may be put.  It may also be a piece of the name, or
 *              stand in the library.
 */
T2T_API struct t2t_text t2t_kernel_name_text(const struct t2t_kernel_name *name,
                                             enum t2t_kernel_column column,
                                             char room[T2T_KERNEL_TEXT_MAX]);

#ifdef __cplusplus
}
#endif

#endif
