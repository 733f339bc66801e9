/* test_kernel_name.c - trace2tree/kernel_name.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/kernel_name.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define LONG_BYTES ((size_t)1 << 20) /* hours, were the time its square */

static struct t2t_kernel_name parse(const char *name)
{
    struct t2t_kernel_name out;

    memset(&out, 0xff, sizeof(out));
    t2t_kernel_name_parse(t2t_text_of(name), &out);
    return out;
}

/* NULL is no text. */
static void assert_is(struct t2t_text text, const char *expected,
                      const char *name)
{
    if (!t2t_text_equal(text, t2t_text_of(expected)))
        fail_msg("%s: \"%.*s\", not \"%s\"", name, (int)text.len,
                 text.ptr ? text.ptr : "", expected ? expected : "(no text)");
}

static void assert_column(const struct t2t_kernel_name *name,
                          enum t2t_kernel_column column, const char *expected,
                          const char *text)
{
    char room[T2T_KERNEL_TEXT_MAX];

    assert_is(t2t_kernel_name_text(name, column, room), expected, text);
}

/* ---- base name ----------------------------------------------------------- */

static const struct {
    const char *name;
    const char *base;
} bases[] = {
    {"", ""},
    {"gemm", "gemm"},
    {"foo(int)", "foo"},
    {"void foo<int>(int)", "foo"},
    {"void a::b::foo<4, a::c<int>, a::d<e, 2ul> >(int, a::c<int>)",
     "a::b::foo"},
    {"a::b const* c::foo<int>(int)", "c::foo"},
    /* unnamed namespaces and parts */
    {"void (anonymous namespace)::foo<int>(int*)",
     "(anonymous namespace)::foo"},
    {"a::(anonymous namespace)::foo(long)", "a::(anonymous namespace)::foo"},
    {"void a::{lambda(int)#1}::run<int>(int)", "a::{lambda(int)#1}::run"},
    {"a::foo[abi:cxx11](int)", "a::foo[abi:cxx11]"},
    /* brackets that are no template arguments */
    {"std::enable_if<((8)>(0))&&a<int>::b, void>::type c::foo<int>(int)",
     "c::foo"},
    {"void foo<(a)0, (4 > 3), &b::operator-> >(int)", "foo"},
    {"void foo<a(b&)::{lambda()#1}::operator()() const::{lambda(c)#2}>(d)",
     "foo"},
    {"decltype (a->b) c::foo<int>(int)", "c::foo"},
    /* operators */
    {"bool a::operator< <int>(int, int)", "a::operator<"},
    {"bool a::operator<(int, int)", "a::operator<"},
    {"a& b::operator<<(a&, int)", "b::operator<<"},
    {"a* b::operator->(int)", "b::operator->"},
    {"void a::operator()(int) const", "a::operator()"},
    {"void a::operator()<int>(int) const", "a::operator()"},
    {"a::operator unsigned int()", "a::operator unsigned int"},
    {"operators(int)", "operators"},
    {"my_operator<int>(int)", "my_operator"},
    /* arguments in the middle */
    {"foo(int)::{lambda(int)#1}::operator()(int) const", "foo"},
    {"void a<int>::foo(int)", "a"},
    /* without parameters */
    {"void a::foo<int>", "a::foo"},
    {"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"},
    {"Memset (Device)", "Memset (Device)"},
    {"a b c", "a b c"},
    /* ends */
    {"copy.kd", "copy"},
    {"void foo<int>(int) [clone .kd]", "foo"},
    {"foo [clone .kd]", "foo"},
    {".kd", ".kd"},
    /* mangled */
    {"_ZN1a3fooIiEEvT_.kd", "_ZN1a3fooIiEEvT_"},
    /* what does not close, or open */
    {"void a::foo<4, b::c<int", "a::foo"},
    {"void foo(int, float", "foo"},
    {"void foo<a(b>(int)", "foo"},
    {"foo)bar>baz", "foo)bar>baz"},
    {"<unknown>", "<unknown>"},
    {"(((", "((("},
    {" ", " "},
    {"operator", "operator"},
    {"operator<", "operator<"},
    {"a::operator", "a::operator"},
    {"operator< <", "operator<"},
};

static void test_a_base_name_is_without_result_and_arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bases); i++)
        assert_is(parse(bases[i].name).base, bases[i].base, bases[i].name);
}

static void test_a_base_name_points_into_the_name(void **state)
{
    static const char name[] = "void a::foo<int>(int)";

    (void)state;
    assert_ptr_equal(parse(name).base.ptr, name + 5);
}

static void test_of_no_text_everything_is_empty(void **state)
{
    struct t2t_kernel_name name = parse(NULL);

    (void)state;
    assert_int_equal(name.family, T2T_KERNEL_UNKNOWN);
    assert_false(name.gemm.is_gemm);
    assert_int_equal(name.triton.kind, T2T_TRITON_NONE);
    for (int i = 0; i < T2T_KERNEL_COLUMNS; i++)
        assert_column(&name, (enum t2t_kernel_column)i, NULL, "no text");
}

/* ---- family -------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *family;
} families[] = {
    {"foo", NULL},
    {"Cijk_Ailk_Bljk_SB_MT64x64x16", "tensile"},
    {"Custom_Cijk_Alik_Bljk_x", "tensile"},
    {"Cijk_Ailk_Blj", NULL},
    {"nvjet_tst_64x8_64x8_1x1_v_bz_TNT", "nvjet"},
    {"my_nvjet_tst", NULL},
    {"void cutlass::Kernel<int>(int)", "cutlass"},
    {"cutlass_80_simt_sgemm_128x32_8x5_nn_align1", "cutlass"},
    {"void foo<cutlass::bfloat16_t>(int)", NULL},
    {"triton_tem_fused_mm_1", "triton"},
    {"create_indices_triton", NULL},
    {"ncclDevKernel_Sum(int)", "nccl"},
    {"void foo<RCCL>(int)", "nccl"},
    {"void at::native::fill<float>(int)", "at-native"},
    {"_ZN2at6native4fillIfEEvi", "at-native"},
    {"at::cuda::spin(long)", NULL},
    {"void ck::kernel_gemm<int>(int)", "ck"},
    {"void ck_tile::kentry<1, int>(int)", "ck"},
    {"_ZN2ck11kernel_gemmIiEEvi", "ck"},
    {"_ZN7ck_tile6kentryIiEEvi", "ck"},
    {"_ZN3foo2ckIiEEvi", NULL},
    {"void aiter::norm<int>(int)", "aiter"},
    {"_ZN5aiter4normIiEEvi.kd", "aiter"},
    {"void splitK<float>(cublasSplitKParams<float>, int)", "cublas"},
    {"volta_sgemm_64x32_nn", "cublas"},
    {"volta_something_64x32_nn", NULL},
    {"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_x", "cublas"},
    {"sm80_xmma_fprop_implicit_gemm_cudnn", "cudnn"},
    {"void cudnn::ops::toNhwc<float>(int)", "cudnn"},
    {"igemm_fwd_gtcx9_nhwc_bf16_bt64x64x16", "miopen"},
    {"attn_bwd", "attention"},
    {"void flash::flash_fwd_kernel<int>(int)", "attention"},
    {"fmhaKernel_x", "attention"},
    {"void foo<attn>(int)", NULL},
    {"cache_flash_kernel", NULL},
};

static void test_a_name_tells_the_family(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(families); i++) {
        struct t2t_kernel_name name = parse(families[i].name);

        assert_column(&name, T2T_KERNEL_FAMILY, families[i].family,
                      families[i].name);
    }
}

/* ---- GEMM ---------------------------------------------------------------- */

/* A name and its columns; out and compute are texts of types. */
struct gemm {
    const char *name;
    const char *transpose;
    const char *tile;
    const char *dtype;
    const char *out;
    const char *compute;
};

static const struct gemm gemms[] = {
    /* Tensile */
    {"Cijk_Ailk_Bljk_BBS_BH_Bias_MT128x64x32_MI16x16x1_SN", "NN", "128x64x32",
     "bf16", "bf16", "fp32"},
    {"Cijk_Alik_Bjlk_HHS_BH_MT64x16x256_SE", "TT", "64x16x256", "fp16", "fp16",
     "fp32"},
    {"Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_MT16x48x64_MI", "TN", "16x48x64",
     "bf16", "bf16", "fp32"},
    {"Cijk_Ailk_Bjlk_HSS_BH_MT32x32x8_SN.kd", "NT", "32x32x8", "fp16->fp32",
     "fp32", "fp32"},
    {"Cijk_Ailk_Bjlk_SB_MT32x16x8_SN", "NT", "32x16x8", "fp32", "fp32", "fp32"},
    {"Cijk_Ailk_Bjlk_S_B_Bias_MT32x16x8_SN", "NT", "32x16x8", "fp32", "fp32",
     "fp32"},
    {"Cijk_Ailk_Bjlk_S_MX_B_Bias_MT32x16x8_SN", "NT", "32x16x8", "fp32", "fp32",
     NULL},
    {"Cijk_Ailk_Bljk_DB_MT64x64x4_SN", "NN", "64x64x4", "fp64", "fp64", "fp64"},
    {"Cijk_Ailk_Bljk_ZB_MT64x64x4_SN", "NN", "64x64x4", "complex128",
     "complex128", "complex128"},
    {"Cijk_Ailk_Bljk_HBH_MT64x64x4_SN", "NN", "64x64x4", "fp16", "fp16", NULL},
    {"Cijk_Ailk_Bljk_BBH_MT64x64x4_SN", "NN", "64x64x4", "bf16", "bf16", NULL},
    {"Cijk_Ailk_Bljk_I8II_BH_MT64x64x4_SN", "NN", "64x64x4", "int8->int32",
     "int32", "int32"},
    {"Cijk_Ailk_Bljk_F8F8S_BH_MT64x64x4_SN", "NN", "64x64x4", "fp8", "fp8",
     "fp32"},
    {"Cijk_Ailk_Bljk_F8NB8NHS_BH_MT64x64x4_SN", "NN", "64x64x4",
     "fp8,bf8->fp16", "fp16", "fp32"},
    {"Cijk_Ailk_Bljk_QQS_BH_MT64x64x4_SN", "NN", "64x64x4", NULL, NULL, NULL},
    {"Cijk_Ailk_Bljk_BBBBBS_BH_MT64x64x4_SN", "NN", "64x64x4", NULL, NULL,
     NULL},
    {"Custom_Cijk_Alik_Bljk_BBS_BH_UserArgs_x", "TN", NULL, "bf16", "bf16",
     "fp32"},
    {"Cijk_Akli_Bljk_SB_MT8x8x8", "?N", "8x8x8", "fp32", "fp32", "fp32"},
    {"Cijk_Akli_Bklj_SB_MT8x8", NULL, NULL, "fp32", "fp32", "fp32"},
    {"Cijk_Ailk_Bljkm_SB_MT8x8x8", "N?", NULL, NULL, NULL, NULL},
    {"Cijk_Ailk_Bljk", "NN", NULL, NULL, NULL, NULL},
    {"Cijk_Ailk_Bljk_", "NN", NULL, NULL, NULL, NULL},
    {"Cijk_Ailk_Bljk_SB_MT8x0x8_MT9999999x8x8_MTx_MT8x8x8x8_MT4x4x4", "NN",
     "4x4x4", "fp32", "fp32", "fp32"},
    {"Cijk_Ailk_Bljk_SB(MT8x8x8)", "NN", NULL, "fp32", "fp32", "fp32"},
    /* nvjet */
    {"nvjet_tst_96x48_64x9_2x1_2cta_v_bz_bias_TNT", "TN", "96x48x64", "bf16",
     "bf16", "fp32"},
    {"nvjet_hsh_96x48_64x9_2x1_v_bz_NTN", "NT", "96x48x64", "fp16", "fp16",
     "fp32"},
    {"nvjet_sm90_hss_96x48_64x9_2x1_v_bz_NNN", "NN", "96x48x64", "fp16->fp32",
     "fp32", "fp32"},
    {"nvjet_qqtst_96x48_128x6_2x1_v_bz_TNT", "TN", "96x48x128", NULL, NULL,
     NULL},
    {"nvjet_tst_96x48_64x9_1x2_h_bz_coopA", NULL, "96x48x64", "bf16", "bf16",
     "fp32"},
    {"nvjet_tst", NULL, NULL, "bf16", "bf16", "fp32"},
    {"nvjet", NULL, NULL, NULL, NULL, NULL},
    {"nvjet_T", NULL, NULL, NULL, NULL, NULL},
    {"nvjet_sm90", NULL, NULL, NULL, NULL, NULL},
    /* cutlass */
    {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_96x64_16x5_nt_align4>("
     "cutlass_80_tensorop_s1688gemm_96x64_16x5_nt_align4::Params)",
     "NT", "96x64x16", "fp32", "fp32", "fp32"},
    {"cutlass_80_wmma_tensorop_f16_s161616gemm_f16_32x32_128x2_tn_align8", "TN",
     "32x32x128", "fp16", "fp16", "fp32"},
    {"cutlass_75_tensorop_bf16_s1688gemm_relu_bf16_96x64_nn_align1", "NN",
     "96x64", "bf16", "bf16", "fp32"},
    {"cutlass_80_tensorop_s16816gemm_bf16_96x64_32x3_tt_align8", "TT",
     "96x64x32", "bf16->fp32", "fp32", "fp32"},
    {"cutlass_80_tensorop_h16816gemm_96x64_32x3_tt_align8", "TT", "96x64x32",
     "fp16", "fp16", "fp16"},
    {"cutlass_80_tensorop_s8_i16832gemm_s8_96x64_64x3_tn_align16", "TN",
     "96x64x64", "int8", "int8", "int32"},
    {"cutlass_80_tensorop_i16832gemm_s4_96x64_64x3_tn_align16", "TN",
     "96x64x64", NULL, "int32", "int32"},
    {"cutlass_80_tensorop_f16_s16816gemm_f16_s8_96x64_64x3_tn_align8", "TN",
     "96x64x64", "fp16,int8->fp16", "fp16", "fp32"},
    {"cutlass_80_tensorop_gz884gemm_32x32_8x3_nn_align1", "NN", "32x32x8", NULL,
     NULL, NULL},
    {"cutlass3x_sm90_tensorop_s64x96x16gemm_bf16_bf16_f32_f32_f32_64x96x64_"
     "2x1x1_0_tnn_align8_warpspecialized",
     "TN", "64x96x64", "bf16->fp32", "fp32", "fp32"},
    {"cutlass3x_sm90_tensorop_s64x96x32gemm_e4m3_e5m2_f32_bf16_e4m3_64x96x128_"
     "1x1x1_0_tnt_align16",
     "TN", "64x96x128", "fp8,bf8->fp8", "fp8", "fp32"},
    {"cutlass_80_tensorop_s1688gemm_align4", NULL, NULL, NULL, NULL, NULL},
    /* cuBLAS */
    {"volta_sgemm_96x32_sliced1x4_tn", "TN", "96x32", "fp32", "fp32", "fp32"},
    {"turing_fp16_s1688gemm_fp16_96x64_ldg8_f2f_nn", "NN", "96x64", "fp16",
     "fp16", "fp32"},
    {"ampere_dgemm_64x64_nt", "NT", "64x64", "fp64", "fp64", "fp64"},
    {"ampere_gcgemm_64x32_nt", "NT", "64x32", NULL, NULL, NULL},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize96x64x32_x_cublas", "TN",
     "96x64x32", "bf16", NULL, NULL},
    {"sm80_xmma_gemm_x_y_nt_n_tilesize96x64x32", "NT", "96x64x32", NULL, NULL,
     NULL},
    {"sm80_xmma_gemm_", NULL, NULL, NULL, NULL, NULL},
};

static void test_a_name_tells_of_a_gemm(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(gemms); i++) {
        const struct gemm *g = &gemms[i];
        struct t2t_kernel_name name = parse(g->name);

        if (!name.gemm.is_gemm)
            fail_msg("%s: no GEMM", g->name);
        assert_column(&name, T2T_KERNEL_TRANSPOSE, g->transpose, g->name);
        assert_column(&name, T2T_KERNEL_TILE, g->tile, g->name);
        assert_column(&name, T2T_KERNEL_DTYPE, g->dtype, g->name);
        assert_is(t2t_kernel_type_text(name.gemm.type_out), g->out, g->name);
        assert_is(t2t_kernel_type_text(name.gemm.type_compute), g->compute,
                  g->name);
    }
}

static const char *const others[] = {
    "gemm",
    "foo_sgemm_64x64_nn",
    "volta_64x64_nn",
    "void cutlass::Kernel<int>(int)",
    "cutlass_tensorop_bf16_s16816fprop_bf16_96x64_32x4_nhwc_align8",
    "void cutlass::Kernel<my_cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(int)",
    "void foo<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(int)",
    "Cijk_AilkBljk_SB_MT64x64x16",
    "Cijk_A_lk_Bljk_SB_MT64x64x16",
    "cijk_Ailk_Bljk_SB_MT64x64x16",
    "sm80_xmma_dgrad_nn_n_tilesize64x64x16",
    "smx_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x16",
    "triton_tem_fused_mm_3",
};

static void test_other_names_tell_of_no_gemm(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        struct t2t_kernel_name name = parse(others[i]);

        if (name.gemm.is_gemm)
            fail_msg("%s: a GEMM", others[i]);
        assert_column(&name, T2T_KERNEL_TRANSPOSE, NULL, others[i]);
        assert_column(&name, T2T_KERNEL_TILE, NULL, others[i]);
        assert_column(&name, T2T_KERNEL_DTYPE, NULL, others[i]);
        assert_int_equal(name.gemm.tile_k, 0);
        assert_int_equal(name.gemm.type_out, T2T_TYPE_UNKNOWN);
        assert_int_equal(name.gemm.type_compute, T2T_TYPE_UNKNOWN);
    }
}

static void test_the_parts_of_a_gemm_are_each_in_their_place(void **state)
{
    struct t2t_kernel_gemm gemm =
        parse("Cijk_Alik_Bljk_F8NB8NHS_BH_MT48x32x16_SN").gemm;

    (void)state;
    assert_int_equal(gemm.transpose_a, T2T_TRANSPOSE_YES);
    assert_int_equal(gemm.transpose_b, T2T_TRANSPOSE_NO);
    assert_int_equal(gemm.tile_m, 48);
    assert_int_equal(gemm.tile_n, 32);
    assert_int_equal(gemm.tile_k, 16);
    assert_int_equal(gemm.type_a, T2T_TYPE_FP8);
    assert_int_equal(gemm.type_b, T2T_TYPE_BF8);
    assert_int_equal(gemm.type_out, T2T_TYPE_FP16);
    assert_int_equal(gemm.type_compute, T2T_TYPE_FP32);
}

/* ---- Triton -------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *kind;
    const char *ops;
    uint32_t number;
} tritons[] = {
    {"triton_poi_fused_add_mul_12", "pointwise", "add_mul", 12},
    {"triton_red_fused__to_copy_1", "reduction", "_to_copy", 1},
    {"triton_per_fused_sum_0.kd", "persistent-reduction", "sum", 0},
    {"triton_poi_fused_7", "pointwise", NULL, 7},
    {"triton_poi_fused_exp2_4294967295", "pointwise", "exp2", UINT32_MAX},
    {"triton_poi_fused_exp2_4294967296", NULL, NULL, 0},
    {"triton_poi_fused_exp2", NULL, NULL, 0},
    {"triton_poi_fused_", NULL, NULL, 0},
    {"triton_foo_fused_add_1", NULL, NULL, 0},
    {"a_triton_poi_fused_add_1", NULL, NULL, 0},
};

static void test_a_name_of_inductor_tells_what_is_fused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tritons); i++) {
        struct t2t_kernel_triton t = parse(tritons[i].name).triton;

        assert_is(t2t_triton_kind_text(t.kind), tritons[i].kind,
                  tritons[i].name);
        assert_is(t.ops, tritons[i].ops, tritons[i].name);
        if (t.kind)
            assert_int_equal(t.number, tritons[i].number);
    }
}

/* ---- columns ------------------------------------------------------------- */

static void test_columns_have_names(void **state)
{
    static const char *const names[] = {"base_name", "family", "transpose",
                                        "tile", "dtype"};

    (void)state;
    assert_int_equal(COUNT(names), T2T_KERNEL_COLUMNS);
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(t2t_kernel_column_name((enum t2t_kernel_column)i),
                            names[i]);
    assert_null(t2t_kernel_column_name(T2T_KERNEL_COLUMNS));
}

static void test_every_value_has_a_text_and_no_other(void **state)
{
    (void)state;
    for (int i = 1; i < T2T_KERNEL_FAMILIES; i++)
        assert_non_null(t2t_kernel_family_text((enum t2t_kernel_family)i).ptr);
    for (int i = 1; i < T2T_TYPES; i++)
        assert_non_null(t2t_kernel_type_text((enum t2t_kernel_type)i).ptr);
    for (int i = 1; i < T2T_TRITON_KINDS; i++)
        assert_non_null(t2t_triton_kind_text((enum t2t_triton_kind)i).ptr);
    assert_null(t2t_kernel_family_text(T2T_KERNEL_UNKNOWN).ptr);
    assert_null(t2t_kernel_family_text(T2T_KERNEL_FAMILIES).ptr);
    assert_null(t2t_kernel_type_text(T2T_TYPE_UNKNOWN).ptr);
    assert_null(t2t_kernel_type_text(T2T_TYPES).ptr);
    assert_null(t2t_triton_kind_text(T2T_TRITON_NONE).ptr);
    assert_null(t2t_triton_kind_text(T2T_TRITON_KINDS).ptr);
}

/* The longest of each. */
static void test_a_text_has_room(void **state)
{
    struct t2t_kernel_name name = {.family = T2T_KERNEL_UNKNOWN};

    (void)state;
    name.gemm = (struct t2t_kernel_gemm){
        .tile_m = UINT32_MAX,
        .tile_n = UINT32_MAX,
        .tile_k = UINT32_MAX,
        .type_a = T2T_TYPE_COMPLEX128,
        .type_b = T2T_TYPE_COMPLEX64,
        .type_out = T2T_TYPE_COMPLEX128,
    };
    assert_column(&name, T2T_KERNEL_TILE, "4294967295x4294967295x4294967295",
                  "tile");
    assert_column(&name, T2T_KERNEL_DTYPE, "complex128,complex64->complex128",
                  "dtype");
}

/* ---- any bytes ----------------------------------------------------------- */

static bool is_inside(struct t2t_text part, const char *bytes, size_t len)
{
    return !part.ptr || (part.ptr >= bytes && part.ptr <= bytes + len &&
                         part.len <= len - (size_t)(part.ptr - bytes));
}

/* Parses a copy that ends where the name does, so that a look past the end is
 * seen by a tool that watches memory. */
static void parse_exactly(const char *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);
    struct t2t_kernel_name name;
    char room[T2T_KERNEL_TEXT_MAX];

    assert_non_null(copy);
    memcpy(copy, bytes, len);
    t2t_kernel_name_parse((struct t2t_text){copy, len}, &name);
    assert_non_null(name.base.ptr);
    assert_true(is_inside(name.base, copy, len));
    assert_true(is_inside(name.triton.ops, copy, len));
    assert_true(len == 0 || name.base.len > 0);
    for (int i = 0; i < T2T_KERNEL_COLUMNS; i++)
        (void)t2t_kernel_name_text(&name, (enum t2t_kernel_column)i, room);
    free(copy);
}

static void test_numbers_that_name_nothing_have_no_text(void **state)
{
    static const int none[] = {-1, 3, 100, 1 << 20};
    char room[T2T_KERNEL_TEXT_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(none); i++) {
        struct t2t_kernel_name name = {.family = (enum t2t_kernel_family)0};
        struct t2t_kernel_gemm *gemm = &name.gemm;

        gemm->transpose_a = (enum t2t_transpose)none[i];
        assert_null(
            t2t_kernel_name_text(&name, T2T_KERNEL_TRANSPOSE, room).ptr);
        gemm->transpose_b = gemm->transpose_a;
        gemm->transpose_a = T2T_TRANSPOSE_NO;
        assert_null(
            t2t_kernel_name_text(&name, T2T_KERNEL_TRANSPOSE, room).ptr);
        if (none[i] == 3)
            continue; /* which is one of the others */
        assert_null(
            t2t_kernel_family_text((enum t2t_kernel_family)none[i]).ptr);
        assert_null(t2t_kernel_type_text((enum t2t_kernel_type)none[i]).ptr);
        assert_null(t2t_triton_kind_text((enum t2t_triton_kind)none[i]).ptr);
        assert_null(t2t_kernel_column_name((enum t2t_kernel_column)none[i]));
        assert_null(
            t2t_kernel_name_text(&name, (enum t2t_kernel_column)none[i], room)
                .ptr);
    }
}

static void test_every_start_and_end_of_a_name_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(gemms); i++) {
        size_t len = strlen(gemms[i].name);

        for (size_t cut = 0; cut <= len; cut++) {
            parse_exactly(gemms[i].name, cut);
            parse_exactly(gemms[i].name + cut, len - cut);
        }
    }
    for (size_t i = 0; i < COUNT(bases); i++) {
        size_t len = strlen(bases[i].name);

        for (size_t cut = 0; cut <= len; cut++) {
            parse_exactly(bases[i].name, cut);
            parse_exactly(bases[i].name + cut, len - cut);
        }
    }
}

static void test_any_bytes_are_read(void **state)
{
    static const char *const pieces[] = {
        "<",        ">",      "(",        ")",
        "{",        "}",      " ",        "::",
        "->",       "_",      "operator", "a",
        "\xff",     "",       "Cijk_",    "A",
        "lik_",     "Bljk_",  "BBS_",     "MT",
        "64x",      "gemm_",  "128",      "nn",
        "cutlass_", "nvjet_", "tst",      "triton_poi_fused_"};
    char bytes[256];
    uint32_t seed = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t len = 0;

        for (int i = 0; i < 14; i++) {
            const char *p;

            seed = seed * 1664525u + 1013904223u;
            p = pieces[(seed >> 16) % COUNT(pieces)];
            memcpy(bytes + len, p, strlen(p));
            len += strlen(p);
        }
        if (round % 2)
            bytes[(seed >> 8) % (len + 1)] = (char)(seed >> 24);
        parse_exactly(bytes, len);
    }
}

static void test_long_names_take_time_in_proportion(void **state)
{
    static const char *const pieces[] = {
        "<",      "(",        "(>",       "operator<",  "operator ", "Cijk_A",
        "C",      "cutlass_", "::",       "_",          "a<b> ",     "f(",
        "{",      "sgemm_",   "cutlass ", "cutlass_a ", "(a)::",     "nccn",
        "1x1_MT", "9",        "o",        "f<operator"};
    char *bytes = malloc(LONG_BYTES);

    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t len = strlen(pieces[i]);
        static const char *const starts[] = {"x",
                                             "nvjet_",
                                             "cutlass::k<",
                                             "Cijk_Ailk_Bljk_",
                                             "triton_poi_fused_",
                                             "volta_"};

        for (size_t s = 0; s < COUNT(starts); s++) {
            size_t at = strlen(starts[s]);

            memcpy(bytes, starts[s], at);
            for (; at + len <= LONG_BYTES; at += len)
                memcpy(bytes + at, pieces[i], len);
            parse_exactly(bytes, at);
        }
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_base_name_is_without_result_and_arguments),
        cmocka_unit_test(test_a_base_name_points_into_the_name),
        cmocka_unit_test(test_of_no_text_everything_is_empty),
        cmocka_unit_test(test_a_name_tells_the_family),
        cmocka_unit_test(test_a_name_tells_of_a_gemm),
        cmocka_unit_test(test_other_names_tell_of_no_gemm),
        cmocka_unit_test(test_the_parts_of_a_gemm_are_each_in_their_place),
        cmocka_unit_test(test_a_name_of_inductor_tells_what_is_fused),
        cmocka_unit_test(test_columns_have_names),
        cmocka_unit_test(test_every_value_has_a_text_and_no_other),
        cmocka_unit_test(test_a_text_has_room),
        cmocka_unit_test(test_numbers_that_name_nothing_have_no_text),
        cmocka_unit_test(test_every_start_and_end_of_a_name_is_read),
        cmocka_unit_test(test_any_bytes_are_read),
        cmocka_unit_test(test_long_names_take_time_in_proportion),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
