/*
 * query/kernel_gemm.h - what the name of a GEMM says of it.
 */
#ifndef TT_QUERY_KERNEL_GEMM_H
#define TT_QUERY_KERNEL_GEMM_H

#include <trace2tree/kernel_name.h>

#define TT_TENSILE_PROBLEM 14u /* bytes of Cijk_Alik_Bljk */

/* Where in `name` Cijk_Alik_Bljk begins, or such a thing; its length when
 * nowhere. */
size_t tt_kernel_tensile(struct t2t_text name);

/* Fills `out`, which is zero, from a name of Tensile that begins with the
 * problem. */
void tt_kernel_gemm_tensile(struct t2t_text name, struct t2t_kernel_gemm *out);

/* From one that begins with nvjet. */
void tt_kernel_gemm_nvjet(struct t2t_text name, struct t2t_kernel_gemm *out);

/* From a name in which one that cutlass made stands somewhere. */
void tt_kernel_gemm_cutlass(struct t2t_text name, struct t2t_kernel_gemm *out);

/* From one such as volta_sgemm_128x64_nn or sm90_xmma_gemm_..., if it is. */
void tt_kernel_gemm_cublas(struct t2t_text name, struct t2t_kernel_gemm *out);

#endif
