/* test_vector.c - base/vector_*.h: all that this machine has say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vector_plain.h"
#if defined(__x86_64__)
#include "base/vector_avx2.h"
#include "base/vector_avx512.h"
#elif defined(__aarch64__)
#include "base/vector_neon.h"
#endif

#define LONGEST 200
#define PADDING 64

struct kind {
    bool (*same)(const char *ptr, const char *end, const char *text,
                 size_t len);
    const char *(*plain_end)(const char *ptr, const char *end);
    const char *(*bracket_end)(const char *ptr, const char *end);
};

static struct kind kinds[3];
static size_t kind_count;

static int find_kinds(void **state)
{
    (void)state;
    kinds[kind_count++] =
        (struct kind){tt_same_plain, tt_plain_end_plain, tt_bracket_end_plain};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        kinds[kind_count++] =
            (struct kind){tt_same_avx2, tt_plain_end_avx2, tt_bracket_end_avx2};
    if (__builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        kinds[kind_count++] = (struct kind){tt_same_avx512, tt_plain_end_avx512,
                                            tt_bracket_end_avx512};
#elif defined(__aarch64__)
    kinds[kind_count++] =
        (struct kind){tt_same_neon, tt_plain_end_neon, tt_bracket_end_neon};
#endif
    print_message("# %zu kinds of machine\n", kind_count);
    return 0;
}

/* Memory of just `len` bytes, so that reading past it is noticed. */
static char *exactly(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);

    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

static void fill(char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + i % 23);
}

static void test_equal_text_is_told_from_any_other(void **state)
{
    char text[LONGEST + PADDING] = {0};

    (void)state;
    for (size_t len = 0; len <= LONGEST; len++) {
        memset(text, 0, sizeof(text));
        fill(text, len);
        for (size_t more = 0; more < 70; more += more < 34 ? 1 : 7) {
            char *copy = malloc(len + more ? len + more : 1);

            assert_non_null(copy);
            memset(copy, 'z', len + more);
            memcpy(copy, text, len);
            for (size_t k = 0; k < kind_count; k++) {
                const char *end = copy + len + more;

                assert_true(kinds[k].same(copy, end, text, len));
                for (size_t i = 0; i < len; i += 1 + i / 40) {
                    copy[i] ^= 0x20;
                    assert_false(kinds[k].same(copy, end, text, len));
                    copy[i] ^= 0x20;
                }
                if (len)
                    assert_false(
                        kinds[k].same(copy, copy + len - 1, text, len));
            }
            free(copy);
        }
    }
}

static void test_the_first_byte_of_no_plain_string_is_found(void **state)
{
    char text[LONGEST];

    (void)state;
    fill(text, sizeof(text));
    for (size_t k = 0; k < kind_count; k++)
        assert_ptr_equal(kinds[k].plain_end(text, text), text);
    for (size_t len = 1; len <= 140; len++) {
        char *copy = exactly(text, len);

        for (size_t k = 0; k < kind_count; k++) {
            assert_ptr_equal(kinds[k].plain_end(copy, copy + len), copy + len);
            for (size_t at = 0; at < len; at++) {
                static const char bytes[] = "\"\\\x1f\0\n\x80\xff\xc3";

                copy[at] = bytes[(at + len) % (sizeof(bytes) - 1)];
                if (at + 3 < len)
                    copy[at + 3] = '"';
                assert_ptr_equal(kinds[k].plain_end(copy, copy + len),
                                 copy + at);
                memcpy(copy, text, len);
            }
        }
        free(copy);
    }
}

static void test_every_byte_is_plain_or_not_for_all(void **state)
{
    char text[80];

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool is_plain =
            byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';

        memset(text, 'a', sizeof(text));
        for (size_t at = 0; at < sizeof(text); at += 13) {
            text[at] = (char)byte;
            for (size_t k = 0; k < kind_count; k++)
                assert_ptr_equal(kinds[k].plain_end(text, text + sizeof(text)),
                                 text + (is_plain ? sizeof(text) : at));
            text[at] = 'a';
        }
    }
}

static void test_brackets_are_closed_at_the_same_place(void **state)
{
    static const char bytes[] = "[[{[]}]x, 12;\x5b\x7b\xfb\xdb\xdd\xfd";
    uint64_t random = 1;
    size_t closed = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        char text[LONGEST];
        size_t len = round % LONGEST;
        char *copy;
        const char *wanted;

        for (size_t i = 0; i < len; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[i] = (random >> 60) > 2 + round % 12
                          ? 'a'
                          : bytes[(random >> 33) % (sizeof(bytes) - 1)];
        }
        if (len)
            text[0] = round % 2 ? '[' : '{';
        copy = exactly(text, len);
        wanted = tt_bracket_end_plain(copy, copy + len);
        closed += wanted != NULL;
        for (size_t k = 0; k < kind_count && len; k++)
            assert_ptr_equal(kinds[k].bracket_end(copy, copy + len), wanted);
        free(copy);
    }
    assert_in_range(closed, 2000, 18000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_text_is_told_from_any_other),
        cmocka_unit_test(test_the_first_byte_of_no_plain_string_is_found),
        cmocka_unit_test(test_every_byte_is_plain_or_not_for_all),
        cmocka_unit_test(test_brackets_are_closed_at_the_same_place),
    };

    return cmocka_run_group_tests(tests, find_kinds, NULL);
}
