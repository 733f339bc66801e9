/* kernel_gemm.c - reads the names of GEMMs, which are words between "_". */
#include "query/kernel_gemm.h"

#include <string.h>

#define SIZE_MOST 1000000u /* of a side of a tile; larger ones are none */
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* How a generator writes a type. */
struct spelling {
    const char *text;
    enum t2t_kernel_type type;
};

/* ---- words --------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_identifier(char c)
{
    return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(struct t2t_text word, const char *text)
{
    return t2t_text_equal(word, t2t_text_of(text));
}

static bool ends_with(struct t2t_text word, const char *end)
{
    size_t len = strlen(end);

    return word.len >= len && !memcmp(word.ptr + word.len - len, end, len);
}

static struct t2t_text skip(struct t2t_text text, size_t len)
{
    return (struct t2t_text){text.ptr + len, text.len - len};
}

/* What of `text` is one identifier from its start on. */
static struct t2t_text identifier(struct t2t_text text)
{
    size_t len = 0;

    while (len < text.len && is_identifier(text.ptr[len]))
        len++;
    return (struct t2t_text){text.ptr, len};
}

/* Takes the first word off `rest`, and the "_" behind it; false when there is
 * none.  Words can be empty. */
static bool next_word(struct t2t_text *rest, struct t2t_text *word)
{
    size_t len = 0;

    if (!rest->len)
        return false;
    while (len < rest->len && rest->ptr[len] != '_')
        len++;
    *word = (struct t2t_text){rest->ptr, len};
    *rest = skip(*rest, len < rest->len ? len + 1 : len);
    return true;
}

/* Reads a word such as 128x64 or 128x64x32: how many numbers, or 0. */
static unsigned read_sizes(struct t2t_text word, uint32_t size[3])
{
    unsigned count = 0;
    size_t i = 0;

    while (i < word.len && count < 3) {
        uint32_t value = 0;

        for (; i < word.len && is_digit(word.ptr[i]); i++) {
            value = value * 10 + (uint32_t)(word.ptr[i] - '0');
            if (value > SIZE_MOST)
                return 0;
        }
        if (!value)
            return 0;
        size[count++] = value;
        if (i == word.len)
            return count > 1 ? count : 0;
        if (word.ptr[i++] != 'x')
            return 0;
    }
    return 0;
}

static void set_tile(struct t2t_kernel_gemm *out, const uint32_t size[3],
                     unsigned count)
{
    out->tile_m = size[0];
    out->tile_n = size[1];
    if (count == 3)
        out->tile_k = size[2];
}

/* Reads a word of letters, `no` and `yes`, of A, B and perhaps D. */
static bool read_layout(struct t2t_text word, char no, char yes,
                        struct t2t_kernel_gemm *out)
{
    if (word.len != 2 && word.len != 3)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] != no && word.ptr[i] != yes)
            return false;
    out->transpose_a =
        word.ptr[0] == yes ? T2T_TRANSPOSE_YES : T2T_TRANSPOSE_NO;
    out->transpose_b =
        word.ptr[1] == yes ? T2T_TRANSPOSE_YES : T2T_TRANSPOSE_NO;
    return true;
}

/* The first spelling that `text` begins with, of those up to one without a
 * text; its type is unknown then. */
static const struct spelling *spelling_of(const struct spelling *s,
                                          struct t2t_text text)
{
    while (s->text && !t2t_text_starts_with(text, s->text))
        s++;
    return s;
}

/* ---- Tensile ------------------------------------------------------------- */

/* Longer ones before those that they begin with. */
static const struct spelling tensile_types[] = {
    {"4xi8", T2T_TYPE_INT8},    {"F8N", T2T_TYPE_FP8},
    {"F8", T2T_TYPE_FP8},       {"B8N", T2T_TYPE_BF8},
    {"B8", T2T_TYPE_BF8},       {"I8", T2T_TYPE_INT8},
    {"I", T2T_TYPE_INT32},      {"S", T2T_TYPE_FP32},
    {"D", T2T_TYPE_FP64},       {"H", T2T_TYPE_FP16},
    {"B", T2T_TYPE_BF16},       {"C", T2T_TYPE_COMPLEX64},
    {"Z", T2T_TYPE_COMPLEX128}, {NULL, T2T_TYPE_UNKNOWN},
};

static bool is_problem(const char *p)
{
    for (size_t i = 0; i < 3; i++)
        if (!is_lower(p[1 + i]) || !is_lower(p[6 + i]) || !is_lower(p[11 + i]))
            return false;
    return p[0] == 'C' && p[4] == '_' && p[5] == 'A' && p[9] == '_' &&
           p[10] == 'B';
}

size_t tt_kernel_tensile(struct t2t_text name)
{
    size_t i = 0;

    while (i < name.len) {
        const char *at = memchr(name.ptr + i, 'C', name.len - i);

        if (!at || name.len - (size_t)(at - name.ptr) < TT_TENSILE_PROBLEM)
            return name.len;
        i = (size_t)(at - name.ptr);
        if (is_problem(at))
            return i;
        i++;
    }
    return name.len;
}

/* A word that is nothing but types: how many, or 0. */
static unsigned read_types(struct t2t_text word, enum t2t_kernel_type type[4])
{
    unsigned count = 0;

    while (word.len && count < 4) {
        const struct spelling *s = spelling_of(tensile_types, word);

        if (!s->text)
            return 0;
        type[count++] = s->type;
        word = skip(word, strlen(s->text));
    }
    return word.len ? 0 : count;
}

/* Whether it can be what is computed in for numbers of type `in`.  So the H of
 * HBH is none: it is a flag, as is the B. */
static bool is_compute(enum t2t_kernel_type in, enum t2t_kernel_type type)
{
    return type == T2T_TYPE_FP32 ||
           (in == T2T_TYPE_INT8 && type == T2T_TYPE_INT32);
}

/* Whether the word is flags of a problem: B (beta), H, R, I, Ic. */
static bool is_flags(struct t2t_text word)
{
    static const char *const flags[] = {"B", "H", "R", "Ic", "I", "Ic"};

    for (size_t i = 0; i < COUNT(flags); i++)
        if (t2t_text_starts_with(word, flags[i]))
            word = skip(word, strlen(flags[i]));
    return !word.len;
}

/* The older way: one type, that of A, B and D, and flags behind it.  What is
 * computed in is said only where it can be no other. */
static void read_one_type(struct t2t_text word, struct t2t_text next,
                          struct t2t_kernel_gemm *out)
{
    const struct spelling *s = spelling_of(tensile_types, word);

    if (!s->text || !is_flags(skip(word, strlen(s->text))))
        return;
    out->type_a = s->type;
    out->type_b = s->type;
    out->type_out = s->type;
    if (t2t_text_starts_with(next, "M") && !t2t_text_starts_with(next, "MT"))
        return; /* MX: in another type than it seems */
    if (s->type == T2T_TYPE_FP32 || s->type == T2T_TYPE_FP64 ||
        s->type == T2T_TYPE_COMPLEX64 || s->type == T2T_TYPE_COMPLEX128)
        out->type_compute = s->type;
}

/* BBS_BH and F8B8BS_BH: of A, of B if another, of D, of what is computed in.
 * B_BS_BH says what BBS_BH does. */
static void read_tensile_types(struct t2t_text word, struct t2t_text next,
                               struct t2t_kernel_gemm *out)
{
    enum t2t_kernel_type type[4] = {T2T_TYPE_UNKNOWN};
    enum t2t_kernel_type more[4];
    unsigned count = read_types(word, type);

    if (count == 1 && read_types(next, more) == 2 &&
        is_compute(type[0], more[1])) {
        type[1] = more[0];
        type[2] = more[1];
        count = 3;
    }
    if (count < 3 || !is_compute(type[0], type[count - 1])) {
        read_one_type(word, next, out);
        return;
    }
    out->type_a = type[0];
    out->type_b = type[count - 3];
    out->type_out = type[count - 2];
    out->type_compute = type[count - 1];
}

void tt_kernel_gemm_tensile(struct t2t_text name, struct t2t_kernel_gemm *out)
{
    struct t2t_text rest = skip(identifier(name), TT_TENSILE_PROBLEM);
    struct t2t_text word = {NULL, 0};
    struct t2t_text next = {NULL, 0};
    const char *a = name.ptr + 6;
    const char *b = name.ptr + 11;
    uint32_t size[3];

    out->is_gemm = true;
    if (!memcmp(a, "ilk", 3))
        out->transpose_a = T2T_TRANSPOSE_NO;
    else if (!memcmp(a, "lik", 3))
        out->transpose_a = T2T_TRANSPOSE_YES;
    if (rest.len && *rest.ptr != '_')
        return; /* B goes on */
    if (!memcmp(b, "ljk", 3))
        out->transpose_b = T2T_TRANSPOSE_NO;
    else if (!memcmp(b, "jlk", 3))
        out->transpose_b = T2T_TRANSPOSE_YES;
    (void)next_word(&rest, &word); /* nothing, before the "_" */
    if (next_word(&rest, &word)) {
        struct t2t_text after = rest;

        (void)next_word(&after, &next);
        read_tensile_types(word, next, out);
    }
    while (!out->tile_m && next_word(&rest, &word))
        if (t2t_text_starts_with(word, "MT") &&
            read_sizes(skip(word, 2), size) == 3)
            set_tile(out, size, 3);
}

/* ---- nvjet --------------------------------------------------------------- */

static enum t2t_kernel_type nvjet_type(char letter)
{
    switch (letter) {
    case 'h':
        return T2T_TYPE_FP16;
    case 't':
        return T2T_TYPE_BF16;
    case 's':
        return T2T_TYPE_FP32;
    case 'd':
        return T2T_TYPE_FP64;
    default:
        return T2T_TYPE_UNKNOWN;
    }
}

/* sm90, sm100a. */
static bool is_architecture(struct t2t_text word)
{
    return word.len > 2 && t2t_text_starts_with(word, "sm") &&
           is_digit(word.ptr[2]);
}

/* nvjet[_sm90]_tst_64x16_64x9_..._TNN: types of A and B, of what is computed
 * in, of D; tile; k and how many of those are under way; layouts. */
void tt_kernel_gemm_nvjet(struct t2t_text name, struct t2t_kernel_gemm *out)
{
    struct t2t_text rest = identifier(name);
    struct t2t_text word = {NULL, 0};
    uint32_t size[3];

    out->is_gemm = true;
    (void)next_word(&rest, &word);
    if (!is_word(word, "nvjet") || !next_word(&rest, &word))
        return;
    if (is_architecture(word) && !next_word(&rest, &word))
        return;
    if (word.len == 3) {
        out->type_a = nvjet_type(word.ptr[0]);
        out->type_b = out->type_a;
        out->type_compute = nvjet_type(word.ptr[1]);
        out->type_out = nvjet_type(word.ptr[2]);
    }
    if (next_word(&rest, &word) && read_sizes(word, size) == 2) {
        set_tile(out, size, 2);
        if (next_word(&rest, &word) && read_sizes(word, size) == 2)
            out->tile_k = size[0];
    }
    while (next_word(&rest, &word))
        if (!rest.len)
            (void)read_layout(word, 'N', 'T', out);
}

/* ---- cutlass, and names of cuBLAS that are like it ----------------------- */

/* Each is a word. */
static const struct spelling cutlass_types[] = {
    {"bf16", T2T_TYPE_BF16}, {"f16", T2T_TYPE_FP16}, {"fp16", T2T_TYPE_FP16},
    {"tf32", T2T_TYPE_TF32}, {"f32", T2T_TYPE_FP32}, {"f64", T2T_TYPE_FP64},
    {"s8", T2T_TYPE_INT8},   {"u8", T2T_TYPE_UINT8}, {"s32", T2T_TYPE_INT32},
    {"e4m3", T2T_TYPE_FP8},  {"e5m2", T2T_TYPE_BF8}, {NULL, T2T_TYPE_UNKNOWN},
};

static const char *const architectures[] = {"maxwell", "pascal", "volta",
                                            "turing",  "ampere", "hopper"};

/* Words that stand before or behind the core of a name and are no types. */
static const char *const no_types[] = {"tensorop", "simt",   "relu",  "grouped",
                                       "maxwell",  "pascal", "volta", "turing",
                                       "ampere",   "hopper"};

/* What was read of a name of this kind. */
struct core {
    enum t2t_kernel_type sum; /* in which it sums, of the letter */
    enum t2t_kernel_type before;
    enum t2t_kernel_type behind[5];
    unsigned count;     /* of `behind` */
    bool is_before_odd; /* a word that is neither a type nor known */
    bool is_behind_odd;
};

static bool is_one_of(struct t2t_text word, const char *const *text,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(word, text[i]))
            return true;
    return false;
}

static enum t2t_kernel_type word_type(struct t2t_text word)
{
    const struct spelling *s = spelling_of(cutlass_types, word);

    return s->text && word.len == strlen(s->text) ? s->type : T2T_TYPE_UNKNOWN;
}

/* The letter of s16816gemm. */
static enum t2t_kernel_type sum_type(struct t2t_text core)
{
    if (!is_digit(core.ptr[1]) && core.len != 5)
        return T2T_TYPE_UNKNOWN;
    switch (*core.ptr) {
    case 's':
        return T2T_TYPE_FP32;
    case 'd':
        return T2T_TYPE_FP64;
    case 'h':
        return T2T_TYPE_FP16;
    case 'i':
        return T2T_TYPE_INT32;
    default:
        return T2T_TYPE_UNKNOWN;
    }
}

/* Goes up to the core of the name, a word such as s16816gemm. */
static bool read_core(struct t2t_text *rest, struct core *core)
{
    struct t2t_text word;
    struct t2t_text last = {NULL, 0};

    while (next_word(rest, &word)) {
        if (word.len > 4 && is_lower(*word.ptr) && ends_with(word, "gemm")) {
            core->sum = sum_type(word);
            core->before = word_type(last);
            core->is_before_odd =
                !core->before && !is_one_of(last, no_types, COUNT(no_types));
            return true;
        }
        last = word;
    }
    return false;
}

/* A word between the core and the tile. */
static void add_behind(struct core *core, struct t2t_text word)
{
    enum t2t_kernel_type type = word_type(word);

    if (type && core->count < COUNT(core->behind))
        core->behind[core->count++] = type;
    else if (type || !is_one_of(word, no_types, COUNT(no_types)))
        core->is_behind_odd = true;
}

/*
 * Five types are those of A, B, what it sums in, C and D.  Else the one before
 * the core is that of D, and one behind it that of A and B; a type that is left
 * out is that of the sum.
 */
static void set_types(const struct core *core, struct t2t_kernel_gemm *out)
{
    const enum t2t_kernel_type *behind = core->behind;

    out->type_compute = core->sum;
    if (core->count == 5 && !core->is_behind_odd) {
        out->type_a = behind[0];
        out->type_b = behind[1];
        out->type_compute = behind[2];
        out->type_out = behind[4];
        return;
    }
    if (core->before || !core->is_before_odd)
        out->type_out = core->before ? core->before : core->sum;
    if (core->count > 2 || core->is_behind_odd)
        return;
    out->type_a = core->count ? behind[0] : core->sum;
    out->type_b = core->count == 2 ? behind[1] : out->type_a;
}

/* Reads the words of a name, if it has a core. */
static bool read_words(struct t2t_text rest, struct t2t_kernel_gemm *out)
{
    struct core core = {.sum = T2T_TYPE_UNKNOWN};
    struct t2t_text word;
    uint32_t size[3];
    unsigned count = 0;

    if (!read_core(&rest, &core))
        return false;
    out->is_gemm = true;
    while (!count && next_word(&rest, &word)) {
        count = read_sizes(word, size);
        if (!count)
            add_behind(&core, word);
    }
    if (!count)
        return true; /* nothing says where the types end */
    set_tile(out, size, count);
    set_types(&core, out);
    if (count == 2) {
        struct t2t_text after = rest;

        if (next_word(&after, &word) && read_sizes(word, size) == 2) {
            out->tile_k = size[0];
            rest = after;
        }
    }
    while (next_word(&rest, &word))
        if (read_layout(word, 'n', 't', out))
            break;
    return true;
}

void tt_kernel_gemm_cutlass(struct t2t_text name, struct t2t_kernel_gemm *out)
{
    while (name.len) {
        struct t2t_text word = identifier(name);

        if ((t2t_text_starts_with(word, "cutlass_") ||
             t2t_text_starts_with(word, "cutlass3x_")) &&
            read_words(word, out))
            return;
        name = skip(name, word.len ? word.len : 1);
    }
}

/* bf16bf16: the types of A and B. */
static void read_pair(struct t2t_text word, struct t2t_kernel_gemm *out)
{
    const struct spelling *a = spelling_of(cutlass_types, word);

    if (!a->text)
        return;
    out->type_b = word_type(skip(word, strlen(a->text)));
    if (out->type_b)
        out->type_a = a->type;
}

/* sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x64x64_...: what its
 * other types are the name does not tell. */
static void read_xmma(struct t2t_text rest, struct t2t_kernel_gemm *out)
{
    struct t2t_text word;
    uint32_t size[3];

    out->is_gemm = true;
    if (next_word(&rest, &word))
        read_pair(word, out);
    while (!out->tile_m && next_word(&rest, &word)) {
        if (!out->transpose_a)
            (void)read_layout(word, 'n', 't', out);
        if (t2t_text_starts_with(word, "tilesize") &&
            read_sizes(skip(word, strlen("tilesize")), size) == 3)
            set_tile(out, size, 3);
    }
}

void tt_kernel_gemm_cublas(struct t2t_text name, struct t2t_kernel_gemm *out)
{
    struct t2t_text rest = identifier(name);
    struct t2t_text word = {NULL, 0};
    struct t2t_text all = rest;

    (void)next_word(&rest, &word);
    if (is_one_of(word, architectures, COUNT(architectures)))
        (void)read_words(all, out);
    else if (is_architecture(word) && t2t_text_starts_with(rest, "xmma_gemm_"))
        read_xmma(skip(rest, strlen("xmma_gemm_")), out);
}
