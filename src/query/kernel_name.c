/* kernel_name.c - reads the names of kernels. */
#include <trace2tree/kernel_name.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query/kernel_gemm.h"
#include "query/word.h"

#define NOWHERE ((size_t)-1)
#define OPERATOR "operator"
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static struct t2t_text piece(struct t2t_text text, size_t from, size_t to)
{
    return (struct t2t_text){text.ptr + from, to - from};
}

/* ---- base name ----------------------------------------------------------- */

static bool is_open(char c)
{
    return c == '(' || c == '{' || c == '[';
}

static bool is_close(char c)
{
    return c == ')' || c == '}' || c == ']';
}

static bool is_symbol(char c)
{
    return c && strchr("<>=!+-*/%^&|~,", c);
}

static bool is_identifier(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether the word "operator" begins at `at`. */
static bool is_operator(struct t2t_text name, size_t at)
{
    size_t len = sizeof(OPERATOR) - 1;

    return name.len - at > len && !memcmp(name.ptr + at, OPERATOR, len) &&
           !is_identifier(name.ptr[at + len]) &&
           (!at || !is_identifier(name.ptr[at - 1]));
}

/* Behind an operator, which begins at `at`: operator<=, operator().  Of one
 * that is a word, operator bool, behind "operator". */
static size_t operator_end(struct t2t_text name, size_t at)
{
    size_t i = at + sizeof(OPERATOR) - 1;

    if (name.len - i > 1 && is_open(name.ptr[i]) && is_close(name.ptr[i + 1]))
        return i + 2;
    while (i < name.len && is_symbol(name.ptr[i]))
        i++;
    return i;
}

/*
 * Behind the bracket that closes the one at `i`, or the end of the name.  Among
 * template arguments everything in round, square and curly brackets is passed
 * by, as > may be "greater" there; so two counts are enough, at any depth.
 */
static size_t bracket_end(struct t2t_text name, size_t i)
{
    size_t angles = name.ptr[i] == '<';
    size_t rounds = !angles;

    for (i++; i < name.len; i++) {
        char c = name.ptr[i];

        if (is_open(c)) {
            rounds++;
        } else if (is_close(c)) {
            if (rounds)
                rounds--;
        } else if (!rounds && c == 'o' && is_operator(name, i)) {
            i = operator_end(name, i) - 1;
        } else if (!rounds && c == '<') {
            angles++;
        } else if (!rounds && c == '>' && name.ptr[i - 1] != '-') {
            angles--;
        }
        if (!angles && !rounds)
            return i + 1;
    }
    return name.len;
}

/* A part of a declaration between spaces that no bracket holds. */
struct word {
    size_t begin;
    size_t end;          /* its first bracket of arguments, or NOWHERE */
    bool has_parameters; /* one of its brackets is round */
};

struct declaration {
    struct t2t_text name;
    struct word word;       /* the one that is read */
    struct t2t_text called; /* the last word with parameters, up to them */
    struct t2t_text typed;  /* the last one with template arguments only */
};

static void end_word(struct declaration *d, size_t end)
{
    struct word *w = &d->word;

    if (w->end != NOWHERE && w->end > w->begin) {
        struct t2t_text text = piece(d->name, w->begin, w->end);

        if (w->has_parameters)
            d->called = text;
        else
            d->typed = text;
    }
    *w = (struct word){end + 1, NOWHERE, false};
}

/* Passes the bracket at `i` by.  Where a part of the name begins, it is that
 * part: (anonymous namespace), {lambda()#1}. */
static size_t read_bracket(struct declaration *d, size_t i)
{
    struct word *w = &d->word;
    char c = d->name.ptr[i];
    bool is_part = i == w->begin ||
                   (i > 1 && !memcmp(d->name.ptr + i - 2, "::", 2)) ||
                   c == '{' || c == '[';

    if (!is_part) {
        if (w->end == NOWHERE)
            w->end = i;
        if (c == '(')
            w->has_parameters = true;
    }
    return bracket_end(d->name, i);
}

static void read_declaration(struct declaration *d)
{
    struct t2t_text name = d->name;
    bool is_after = false; /* in "operator bool" behind the first word */
    size_t i = 0;

    while (i < name.len) {
        char c = name.ptr[i];

        if (c == 'o' && is_operator(name, i)) {
            i = operator_end(name, i);
            is_after = i < name.len && name.ptr[i] == ' ';
            if (is_after && d->word.end == NOWHERE && name.len - i > 1 &&
                name.ptr[i + 1] == '<')
                d->word.end = i++; /* operator< <int> */
        } else if (is_open(c) || c == '<') {
            i = read_bracket(d, i);
            is_after = false;
        } else {
            if (c == ' ' && !is_after)
                end_word(d, i);
            i++;
        }
    }
    end_word(d, name.len);
}

static bool take_end(struct t2t_text *name, const char *end)
{
    size_t len = strlen(end);

    if (name->len <= len || memcmp(name->ptr + name->len - len, end, len))
        return false;
    name->len -= len;
    return true;
}

static struct t2t_text base_of(struct t2t_text name)
{
    struct declaration d = {.word = {0, NOWHERE, false}};

    if (!take_end(&name, " [clone .kd]"))
        (void)take_end(&name, ".kd");
    if (t2t_text_starts_with(name, "_Z"))
        return name;
    d.name = name;
    read_declaration(&d);
    if (d.called.ptr)
        return d.called;
    return d.typed.ptr ? d.typed : name;
}

/* ---- family -------------------------------------------------------------- */

static const char *const family_texts[T2T_KERNEL_FAMILIES] = {
    [T2T_KERNEL_TENSILE] = "tensile", [T2T_KERNEL_NVJET] = "nvjet",
    [T2T_KERNEL_CUTLASS] = "cutlass", [T2T_KERNEL_TRITON] = "triton",
    [T2T_KERNEL_NCCL] = "nccl",       [T2T_KERNEL_AT_NATIVE] = "at-native",
    [T2T_KERNEL_CK] = "ck",           [T2T_KERNEL_AITER] = "aiter",
    [T2T_KERNEL_CUBLAS] = "cublas",   [T2T_KERNEL_CUDNN] = "cudnn",
    [T2T_KERNEL_MIOPEN] = "miopen",   [T2T_KERNEL_ATTENTION] = "attention",
};

enum where { BASE_BEGINS, MANGLED_BEGINS, BASE_HOLDS, NAME_HOLDS };

/* What tells a family, in the order of the enum. */
static const struct sign {
    enum t2t_kernel_family family;
    enum where where;
    const char *text; /* in any case where it may stand anywhere */
} signs[] = {
    {T2T_KERNEL_NVJET, BASE_BEGINS, "nvjet"},
    {T2T_KERNEL_CUTLASS, BASE_BEGINS, "cutlass"},
    {T2T_KERNEL_TRITON, BASE_BEGINS, "triton_"},
    {T2T_KERNEL_NCCL, NAME_HOLDS, "nccl"},
    {T2T_KERNEL_NCCL, NAME_HOLDS, "rccl"},
    {T2T_KERNEL_AT_NATIVE, BASE_BEGINS, "at::native::"},
    {T2T_KERNEL_AT_NATIVE, MANGLED_BEGINS, "2at6native"},
    {T2T_KERNEL_CK, BASE_BEGINS, "ck::"},
    {T2T_KERNEL_CK, BASE_BEGINS, "ck_tile::"},
    {T2T_KERNEL_CK, MANGLED_BEGINS, "2ck"},
    {T2T_KERNEL_CK, MANGLED_BEGINS, "7ck_tile"},
    {T2T_KERNEL_AITER, BASE_BEGINS, "aiter::"},
    {T2T_KERNEL_AITER, MANGLED_BEGINS, "5aiter"},
    {T2T_KERNEL_CUBLAS, NAME_HOLDS, "cublas"},
    {T2T_KERNEL_CUDNN, NAME_HOLDS, "cudnn"},
    {T2T_KERNEL_MIOPEN, BASE_BEGINS, "igemm_"},
    {T2T_KERNEL_MIOPEN, BASE_BEGINS, "miopen"},
    {T2T_KERNEL_ATTENTION, BASE_HOLDS, "attn"},
    {T2T_KERNEL_ATTENTION, BASE_HOLDS, "attention"},
    {T2T_KERNEL_ATTENTION, BASE_HOLDS, "fmha"},
    {T2T_KERNEL_ATTENTION, BASE_HOLDS, "flash_fwd"},
    {T2T_KERNEL_ATTENTION, BASE_HOLDS, "flash_bwd"},
    {T2T_KERNEL_ATTENTION, BASE_BEGINS, "sage_"},
};

static bool has_sign(struct t2t_text name, struct t2t_text base,
                     const struct sign *sign)
{
    switch (sign->where) {
    case BASE_BEGINS:
        return t2t_text_starts_with(base, sign->text);
    case MANGLED_BEGINS:
        return t2t_text_starts_with(base, "_ZN") &&
               t2t_text_starts_with(piece(base, 3, base.len), sign->text);
    case BASE_HOLDS:
        return tt_has_word_any_case(base, sign->text);
    case NAME_HOLDS:
        return tt_has_word_any_case(name, sign->text);
    }
    return false;
}

static enum t2t_kernel_family family_by_sign(struct t2t_text name,
                                             struct t2t_text base)
{
    for (size_t i = 0; i < COUNT(signs); i++)
        if (has_sign(name, base, &signs[i]))
            return signs[i].family;
    return T2T_KERNEL_UNKNOWN;
}

/* ---- Triton -------------------------------------------------------------- */

/* Of the part of the name, and what it is called here. */
static const struct {
    const char *start;
    const char *text;
} kinds[T2T_TRITON_KINDS] = {
    [T2T_TRITON_POINTWISE] = {"triton_poi_fused_", "pointwise"},
    [T2T_TRITON_REDUCTION] = {"triton_red_fused_", "reduction"},
    [T2T_TRITON_PERSISTENT] = {"triton_per_fused_", "persistent-reduction"},
};

/* Takes the decimal number that ends `text` off it; false when there is none,
 * or one past 32 bits. */
static bool take_number(struct t2t_text *text, uint32_t *number)
{
    size_t begin = text->len;
    uint64_t value = 0;

    while (begin && text->ptr[begin - 1] >= '0' && text->ptr[begin - 1] <= '9')
        begin--;
    if (begin == text->len || (begin && text->ptr[begin - 1] != '_'))
        return false;
    for (size_t i = begin; i < text->len; i++) {
        value = value * 10 + (uint64_t)(text->ptr[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    text->len = begin ? begin - 1 : 0;
    *number = (uint32_t)value;
    return true;
}

static void read_triton(struct t2t_text base, struct t2t_kernel_triton *out)
{
    for (size_t i = T2T_TRITON_NONE + 1; i < T2T_TRITON_KINDS; i++) {
        struct t2t_text ops;

        if (!t2t_text_starts_with(base, kinds[i].start))
            continue;
        ops = piece(base, strlen(kinds[i].start), base.len);
        if (!take_number(&ops, &out->number))
            return;
        out->kind = (enum t2t_triton_kind)i;
        if (ops.len)
            out->ops = ops;
    }
}

/* ---- what is offered ----------------------------------------------------- */

void t2t_kernel_name_parse(struct t2t_text name, struct t2t_kernel_name *out)
{
    size_t problem;

    *out = (struct t2t_kernel_name){.family = T2T_KERNEL_UNKNOWN};
    if (!name.ptr)
        return;
    out->base = base_of(name);
    problem = tt_kernel_tensile(name);
    if (problem < name.len) {
        out->family = T2T_KERNEL_TENSILE;
        tt_kernel_gemm_tensile(piece(name, problem, name.len), &out->gemm);
        return;
    }
    out->family = family_by_sign(name, out->base);
    if (out->family == T2T_KERNEL_NVJET)
        tt_kernel_gemm_nvjet(out->base, &out->gemm);
    if (out->family == T2T_KERNEL_CUTLASS)
        tt_kernel_gemm_cutlass(name, &out->gemm);
    if (out->family == T2T_KERNEL_TRITON)
        read_triton(out->base, &out->triton);
    if (!out->family || out->family >= T2T_KERNEL_CUBLAS) {
        tt_kernel_gemm_cublas(out->base, &out->gemm);
        if (out->gemm.is_gemm)
            out->family = T2T_KERNEL_CUBLAS;
    }
}

struct t2t_text t2t_kernel_family_text(enum t2t_kernel_family family)
{
    if ((unsigned)family >= COUNT(family_texts))
        return t2t_text_of(NULL);
    return t2t_text_of(family_texts[family]);
}

struct t2t_text t2t_kernel_type_text(enum t2t_kernel_type type)
{
    static const char *const texts[T2T_TYPES] = {
        [T2T_TYPE_FP64] = "fp64",
        [T2T_TYPE_FP32] = "fp32",
        [T2T_TYPE_TF32] = "tf32",
        [T2T_TYPE_FP16] = "fp16",
        [T2T_TYPE_BF16] = "bf16",
        [T2T_TYPE_FP8] = "fp8",
        [T2T_TYPE_BF8] = "bf8",
        [T2T_TYPE_INT32] = "int32",
        [T2T_TYPE_INT8] = "int8",
        [T2T_TYPE_UINT8] = "uint8",
        [T2T_TYPE_COMPLEX64] = "complex64",
        [T2T_TYPE_COMPLEX128] = "complex128",
    };

    return t2t_text_of((unsigned)type < COUNT(texts) ? texts[type] : NULL);
}

struct t2t_text t2t_triton_kind_text(enum t2t_triton_kind kind)
{
    return t2t_text_of((unsigned)kind < COUNT(kinds) ? kinds[kind].text : NULL);
}

/* ---- columns ------------------------------------------------------------- */

const char *t2t_kernel_column_name(enum t2t_kernel_column column)
{
    static const char *const names[T2T_KERNEL_COLUMNS] = {
        [T2T_KERNEL_BASE_NAME] = "base_name", [T2T_KERNEL_FAMILY] = "family",
        [T2T_KERNEL_TRANSPOSE] = "transpose", [T2T_KERNEL_TILE] = "tile",
        [T2T_KERNEL_DTYPE] = "dtype",
    };

    return (unsigned)column < COUNT(names) ? names[column] : NULL;
}

static struct t2t_text transpose_text(const struct t2t_kernel_gemm *gemm,
                                      char *room)
{
    static const char letters[] = {'?', 'N', 'T'};

    if ((!gemm->transpose_a && !gemm->transpose_b) ||
        (unsigned)gemm->transpose_a >= sizeof(letters) ||
        (unsigned)gemm->transpose_b >= sizeof(letters))
        return t2t_text_of(NULL);
    room[0] = letters[gemm->transpose_a];
    room[1] = letters[gemm->transpose_b];
    return (struct t2t_text){room, 2};
}

static struct t2t_text tile_text(const struct t2t_kernel_gemm *gemm, char *room)
{
    int len;

    if (!gemm->tile_m)
        return t2t_text_of(NULL);
    len = snprintf(room, T2T_KERNEL_TEXT_MAX, "%" PRIu32 "x%" PRIu32,
                   gemm->tile_m, gemm->tile_n);
    if (gemm->tile_k)
        len += snprintf(room + len, T2T_KERNEL_TEXT_MAX - (size_t)len,
                        "x%" PRIu32, gemm->tile_k);
    return (struct t2t_text){room, (size_t)len};
}

static struct t2t_text dtype_text(const struct t2t_kernel_gemm *gemm,
                                  char *room)
{
    struct t2t_text a = t2t_kernel_type_text(gemm->type_a);
    struct t2t_text b = t2t_kernel_type_text(gemm->type_b);
    struct t2t_text out = t2t_kernel_type_text(gemm->type_out);
    bool is_mixed = gemm->type_a != gemm->type_b;
    bool is_other = out.ptr && (is_mixed || gemm->type_out != gemm->type_a);
    int len;

    if (!a.ptr || !b.ptr)
        return t2t_text_of(NULL);
    len = snprintf(room, T2T_KERNEL_TEXT_MAX, "%s%s%s%s%s", a.ptr,
                   is_mixed ? "," : "", is_mixed ? b.ptr : "",
                   is_other ? "->" : "", is_other ? out.ptr : "");
    return (struct t2t_text){room, (size_t)len};
}

struct t2t_text t2t_kernel_name_text(const struct t2t_kernel_name *name,
                                     enum t2t_kernel_column column,
                                     char room[T2T_KERNEL_TEXT_MAX])
{
    switch (column) {
    case T2T_KERNEL_BASE_NAME:
        return name->base;
    case T2T_KERNEL_FAMILY:
        return t2t_kernel_family_text(name->family);
    case T2T_KERNEL_TRANSPOSE:
        return transpose_text(&name->gemm, room);
    case T2T_KERNEL_TILE:
        return tile_text(&name->gemm, room);
    case T2T_KERNEL_DTYPE:
        return dtype_text(&name->gemm, room);
    case T2T_KERNEL_COLUMNS:
        break;
    }
    return t2t_text_of(NULL);
}
