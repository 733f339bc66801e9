/* test_shape.c - format/shape.h, format/varint.h and format/frame.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "format/frame.h"
#include "format/shape.h"
#include "format/varint.h"

#define TEXT(literal)                                                          \
    (struct t2t_text)                                                          \
    {                                                                          \
        literal, sizeof(literal) - 1                                           \
    }

/* Strings: 0 is "[1,2]", 1 is empty, 2 to 4 are templates. */
static const char bytes[] = "[1,2]"
                            ""
                            "{\"a\":\6}"
                            "{\"d\":\7,\"t\":\x8}"
                            "{}";
static const uint64_t offsets[] = {0, 5, 5, 12, 25, 27};
static const struct tt_strings strings = {offsets, bytes, 27, 5};
static const uint32_t shape_ids[] = {2, 3, 4};
static const struct tt_shapes shapes = {shape_ids, 3, {offsets, bytes, 27, 5}};

static void test_varints_come_back_and_are_bounded(void **state)
{
    static const uint64_t numbers[] = {0,          1,          127,
                                       128,        16383,      16384,
                                       UINT32_MAX, 1ull << 63, UINT64_MAX};
    unsigned char to[TT_VARINT_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const unsigned char *end = tt_varint_put(to, numbers[i]);
        const unsigned char *at = to;
        uint64_t v = 77;

        assert_true(tt_varint_get(&at, end, &v));
        assert_int_equal(v, numbers[i]);
        assert_ptr_equal(at, end);
        at = to;
        assert_false(tt_varint_get(&at, end - 1, &v));
        assert_ptr_equal(at, to);
    }
}

static void test_a_varint_past_64_bits_is_none(void **state)
{
    static const unsigned char high[] =
        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\2";
    static const unsigned char longer[] =
        "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\1";
    const unsigned char *at = high;
    uint64_t v;

    (void)state;
    assert_false(tt_varint_get(&at, high + 10, &v));
    at = longer;
    assert_false(tt_varint_get(&at, longer + 11, &v));
}

static void test_zigzag_keeps_small_numbers_small(void **state)
{
    (void)state;
    assert_int_equal(tt_zigzag(0), 0);
    assert_int_equal(tt_zigzag(-1), 1);
    assert_int_equal(tt_zigzag(1), 2);
    assert_true(tt_zigzag(INT64_MIN) == UINT64_MAX);
    assert_true(tt_unzigzag(UINT64_MAX) == INT64_MIN);
    assert_true(tt_unzigzag(tt_zigzag(INT64_MAX)) == INT64_MAX);
}

/* Renders `shape` and compares. */
static void assert_render(struct t2t_text shape,
                          const struct tt_element_values *values,
                          const char *expected)
{
    struct tt_buffer out = {0};

    assert_true(tt_shape_render(shape, values, &strings, 1000, &out));
    assert_int_equal(out.len, strlen(expected));
    assert_memory_equal(out.ptr, expected, out.len);
    tt_buffer_release(&out);
}

static void assert_no_render(struct t2t_text shape,
                             const struct tt_element_values *values)
{
    struct tt_buffer out = {0};

    assert_false(tt_shape_render(shape, values, &strings, 1000, &out));
    assert_false(out.failed);
    tt_buffer_release(&out);
}

static void test_columns_fill_holes(void **state)
{
    struct tt_element_values v = {
        .name = TEXT("a\"\\\n\x01/\xed\xa0\x80\xc3\xa4"),
        .pid = {T2T_ID_INTEGER, (uint64_t)-5, {NULL, 0}},
        .tid = {T2T_ID_TEXT, 0, TEXT("stream 7")},
        .start_ns = -1500,
        .has_start = true,
        .dur_ns = 12000,
    };

    (void)state;
    assert_render(TEXT("{\"n\":\1,\"p\":\2,\"t\":\3,\"ts\":\4,\"d\":\5}"), &v,
                  "{\"n\":\"a\\\"\\\\\\n\\u0001/\\ud800\xc3\xa4\",\"p\":-5,"
                  "\"t\":\"stream 7\",\"ts\":-1.5,\"d\":12}");
}

static const struct {
    int64_t ns;
    const char *us;
} times[] = {
    {0, "0"},
    {1, "0.001"},
    {10, "0.01"},
    {100, "0.1"},
    {1000, "1"},
    {-1, "-0.001"},
    {1712195495519689047, "1712195495519689.047"},
    {INT64_MAX, "9223372036854775.807"},
    {INT64_MIN, "-9223372036854775.808"},
};

static void test_times_are_exact(void **state)
{
    struct tt_element_values v = {.has_start = true};

    (void)state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        v.start_ns = times[i].ns;
        assert_render(TEXT("\4"), &v, times[i].us);
    }
    v.dur_ns = UINT64_MAX;
    assert_render(TEXT("\5"), &v, "18446744073709551.615");
}

static void test_slots_fill_holes(void **state)
{
    static const uint64_t value[] = {(uint64_t)INT64_MIN, 7,  3, 0,
                                     (uint64_t)-1250,     18, 1};
    struct tt_element_values v = {.value = value};

    (void)state;
    assert_render(TEXT("[\6,\7,\x8,\7,\x8]"), &v,
                  "[-9223372036854775808,0.007,[1,2],"
                  "-0.000000000000001250,]");
}

/* An integer, and as the mantissa of a decimal of `digits`, of any sign. */
static void assert_number(int64_t value, unsigned digits)
{
    uint64_t slots[] = {(uint64_t)value, (uint64_t)value, digits};
    struct tt_element_values v = {.value = slots};
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char expected[96];
    char plain[32];
    int len = snprintf(plain, sizeof(plain), "%0*llu", (int)digits + 1,
                       (unsigned long long)size);
    int whole = len - (int)digits;

    (void)snprintf(expected, sizeof(expected), "%lld,%s%.*s.%s",
                   (long long)value, value < 0 ? "-" : "", whole, plain,
                   plain + whole);
    assert_render(TEXT("\6,\7"), &v, expected);
}

static void test_numbers_have_all_their_digits(void **state)
{
    uint64_t power = 1;

    (void)state;
    for (unsigned digits = 1; digits <= 18; digits++) {
        power *= 10;
        for (unsigned bit = 0; bit < 64; bit++)
            assert_number((int64_t)((uint64_t)1 << bit), digits);
        for (int64_t step = -1; step <= 1; step++) {
            assert_number((int64_t)power + step, digits);
            assert_number(-(int64_t)power + step, digits);
        }
        assert_number(0, digits);
        assert_number(INT64_MAX, digits);
        assert_number(INT64_MIN, digits);
    }
}

/* Literal text, and names, of every length and with what is special at every
 * place: they are gone through eight bytes at a time. */
static void test_text_of_any_length_is_whole(void **state)
{
    static const char *const special[][2] = {
        {"\x1f", "\\u001f"},      {"\"", "\\\""},
        {"\\", "\\\\"},           {"\xed\xa0\x80", "\\ud800"},
        {"\xc3\xa9", "\xc3\xa9"}, {" ", " "},
        {"\x7f", "\x7f"},
    };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

    (void)state;
    for (int before = 0; before < 20; before++) {
        for (int behind = 0; behind < 20; behind++) {
            const size_t k = (size_t)(before + behind) % 7;
            struct tt_element_values v = {0};
            char name[64];
            char shape[64];
            char expected[160];

            (void)snprintf(name, sizeof(name), "%.*s%s%.*s", before, letters,
                           special[k][0], behind, letters);
            (void)snprintf(shape, sizeof(shape), "%.*s\1%.*s\1", before,
                           letters, behind, letters);
            (void)snprintf(expected, sizeof(expected),
                           "%.*s\"%.*s%s%.*s\"%.*s\"%.*s%s%.*s\"", before,
                           letters, before, letters, special[k][1], behind,
                           letters, behind, letters, before, letters,
                           special[k][1], behind, letters);
            v.name = (struct t2t_text){name, strlen(name)};
            assert_render((struct t2t_text){shape, strlen(shape)}, &v,
                          expected);
        }
    }
}

static void test_what_is_no_template_is_refused(void **state)
{
    struct tt_element_values v = {.value = (const uint64_t[]){0, 0}};
    uint32_t count;
    char many[1025];

    (void)state;
    assert_false(tt_shape_values(TEXT("{\0}"), &count));
    assert_false(tt_shape_values(TEXT("{\x9}"), &count));
    assert_true(tt_shape_values(TEXT("\1\2\3\4\5\6\7\x8\6"), &count));
    assert_int_equal(count, 5);
    assert_true(tt_shape_values(TEXT("\6\6\7\7\x8\x8"), &count));
    assert_false(tt_shape_values(TEXT("\1\2\3\4\5\1"), &count));
    assert_false(tt_shape_values(TEXT("\2\2"), &count));
    assert_false(tt_shape_values(TEXT("\3\6\3"), &count));
    assert_false(tt_shape_values(TEXT("\4\4"), &count));
    assert_false(tt_shape_values(TEXT("\5\5\5"), &count));
    memset(many, TT_HOLE_TEXT, sizeof(many));
    assert_true(tt_shape_values((struct t2t_text){many, 1024}, &count));
    assert_int_equal(count, 1024);
    assert_false(tt_shape_values((struct t2t_text){many, 1025}, &count));
    assert_no_render(TEXT("\x1f"), &v);
    assert_no_render(TEXT("\1"), &v); /* has no name */
    assert_no_render(TEXT("\2"), &v); /* has no pid */
    assert_no_render(TEXT("\4"), &v); /* has no start */
}

static void test_slots_that_cannot_be_are_refused(void **state)
{
    static const uint64_t bad[][2] = {{5, 0}, {UINT64_MAX, 0}, {1ull << 32, 0}};
    struct tt_element_values v = {0};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        v.value = bad[i];
        assert_no_render(TEXT("\x8"), &v); /* no such string */
    }
    v.value = (const uint64_t[]){1, 0};
    assert_no_render(TEXT("\7"), &v); /* no digits */
    v.value = (const uint64_t[]){1, 19};
    assert_no_render(TEXT("\7"), &v); /* too many */
}

static void test_rendering_stops_at_its_limit(void **state)
{
    struct tt_element_values v = {.value = (const uint64_t[]){0, 0, 0}};
    struct tt_buffer out = {0};

    (void)state;
    assert_true(tt_shape_render(TEXT("\x8\x8"), &v, &strings, 10, &out));
    tt_buffer_clear(&out);
    assert_false(tt_shape_render(TEXT("\x8\x8"), &v, &strings, 9, &out));
    tt_buffer_release(&out);
}

static void test_strings_are_bounded(void **state)
{
    static const uint64_t wrong[] = {3, 2, 99, UINT64_MAX};
    const struct tt_strings damaged = {wrong, bytes, 27, 3};
    struct t2t_text text;

    (void)state;
    assert_true(tt_string_at(&strings, 0, &text));
    assert_int_equal(text.len, 5);
    assert_true(tt_string_at(&strings, 1, &text));
    assert_int_equal(text.len, 0);
    assert_non_null(text.ptr);
    assert_false(tt_string_at(&strings, 5, &text));
    assert_false(tt_string_at(&strings, UINT32_MAX, &text));
    for (uint32_t i = 0; i < 3; i++)
        assert_false(tt_string_at(&damaged, i, &text));
}

static void test_ids_are_steps_within_bounds(void **state)
{
    /* 2, 3, 0: steps 2, 0, -4 */
    static const unsigned char raw[] = {4, 0, 7};
    uint32_t ids[3];

    (void)state;
    assert_true(tt_frame_ids(raw, 3, 3, 4, ids));
    assert_int_equal(ids[0], 2);
    assert_int_equal(ids[1], 3);
    assert_int_equal(ids[2], 0);
    assert_false(tt_frame_ids(raw, 3, 3, 3, ids)); /* 3 is past the last */
    assert_false(tt_frame_ids(raw, 3, 2, 4, ids)); /* a byte is left */
    assert_false(tt_frame_ids(raw, 2, 3, 4, ids)); /* one is missing */
}

/* Three elements: shapes 1, 0, 1. */
static const unsigned char elements[] = {
    100,  10, 20, /* offsets 100, 110, 130 */
    1,    0,  1,  /* shapes */
    2,    1,      /* shape 1: mantissas 1, 0 */
    3,    2,      /* their digits */
    0,    1,      /* their texts */
    0xc8, 1,      /* shape 0: 100 */
};

static void test_columns_of_a_frame_are_put_in_place(void **state)
{
    struct tt_elements *e = calloc(1, sizeof(*e));

    (void)state;
    assert_non_null(e);
    assert_int_equal(tt_frame_elements(elements, sizeof(elements), 3, &shapes,
                                       e),
                     T2T_OK);
    assert_int_equal(e->offset[2], 130);
    assert_int_equal(e->shape[0], 1);
    assert_int_equal(e->shape[1], 0);
    assert_int_equal(e->value[e->first[0]], 1);
    assert_int_equal(e->value[e->first[0] + 1], 3);
    assert_int_equal(e->value[e->first[0] + 2], 0);
    assert_int_equal(e->value[e->first[1]], 100);
    assert_int_equal(e->value[e->first[2]], 0);
    assert_int_equal(e->value[e->first[2] + 1], 2);
    assert_int_equal(e->value[e->first[2] + 2], 1);
    tt_elements_release(e);
    free(e);
}

static void test_a_frame_that_is_cut_or_too_long_is_refused(void **state)
{
    struct tt_elements *e = calloc(1, sizeof(*e));
    unsigned char more[sizeof(elements) + 1] = {0};

    (void)state;
    assert_non_null(e);
    for (size_t len = 0; len < sizeof(elements); len++)
        assert_int_equal(tt_frame_elements(elements, len, 3, &shapes, e),
                         T2T_ERR_INDEX_DAMAGE);
    memcpy(more, elements, sizeof(elements));
    assert_int_equal(tt_frame_elements(more, sizeof(more), 3, &shapes, e),
                     T2T_ERR_INDEX_DAMAGE);
    more[3] = 3; /* no such shape */
    assert_int_equal(tt_frame_elements(more, sizeof(elements), 3, &shapes, e),
                     T2T_ERR_INDEX_DAMAGE);
    assert_int_equal(tt_frame_elements(more, sizeof(more),
                                       TT_ELEMENTS_A_FRAME + 1, &shapes, e),
                     T2T_ERR_INDEX_DAMAGE);
    tt_elements_release(e);
    free(e);
}

static void test_a_frame_is_unpacked_to_just_its_size(void **state)
{
    static const char raw[] = "a frame a frame a frame a frame";
    unsigned char packed[200];
    unsigned char to[sizeof(raw) + 1];
    ZSTD_DCtx *zstd = ZSTD_createDCtx();
    size_t len = ZSTD_compress(packed, sizeof(packed), raw, sizeof(raw), 1);
    struct tt_frames frames = {packed, len};
    struct tt_frame_record r = {0, (uint32_t)len, sizeof(raw),
                                XXH3_64bits(raw, sizeof(raw))};
    struct tt_frame_record wrong;

    (void)state;
    assert_true(tt_frame_fits(&frames, &r));
    assert_true(tt_frame_unpack(zstd, &frames, &r, to));
    assert_memory_equal(to, raw, sizeof(raw));
    wrong = r;
    wrong.xxh3 ^= 1;
    assert_false(tt_frame_unpack(zstd, &frames, &wrong, to));
    wrong = r;
    wrong.raw_bytes++;
    assert_false(tt_frame_unpack(zstd, &frames, &wrong, to));
    wrong = r;
    wrong.bytes--;
    assert_false(tt_frame_unpack(zstd, &frames, &wrong, to));
    wrong.offset = 2;
    assert_false(tt_frame_fits(&frames, &wrong));
    wrong.offset = UINT64_MAX;
    assert_false(tt_frame_fits(&frames, &wrong));
    wrong = r;
    wrong.raw_bytes = UINT32_MAX;
    assert_false(tt_frame_fits(&frames, &wrong));
    ZSTD_freeDCtx(zstd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varints_come_back_and_are_bounded),
        cmocka_unit_test(test_a_varint_past_64_bits_is_none),
        cmocka_unit_test(test_zigzag_keeps_small_numbers_small),
        cmocka_unit_test(test_columns_fill_holes),
        cmocka_unit_test(test_times_are_exact),
        cmocka_unit_test(test_slots_fill_holes),
        cmocka_unit_test(test_numbers_have_all_their_digits),
        cmocka_unit_test(test_text_of_any_length_is_whole),
        cmocka_unit_test(test_what_is_no_template_is_refused),
        cmocka_unit_test(test_slots_that_cannot_be_are_refused),
        cmocka_unit_test(test_rendering_stops_at_its_limit),
        cmocka_unit_test(test_strings_are_bounded),
        cmocka_unit_test(test_ids_are_steps_within_bounds),
        cmocka_unit_test(test_columns_of_a_frame_are_put_in_place),
        cmocka_unit_test(test_a_frame_that_is_cut_or_too_long_is_refused),
        cmocka_unit_test(test_a_frame_is_unpacked_to_just_its_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
