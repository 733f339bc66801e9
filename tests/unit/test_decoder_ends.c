/* test_decoder_ends.c - decode/decoder.h: how far a text is understood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/decoder.h"
#include "format/format.h"
#include "json/scan.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* How a text ends. */
struct ending {
    size_t count;
    size_t consumed;
    enum tt_batch_end end;
    bool after_comma;
};

static const struct {
    const char *text;
    struct ending ending;
} endings[] = {
    {"", {0, 0, TT_BATCH_CLEAN, true}},
    {" \n", {0, 2, TT_BATCH_CLEAN, true}},
    {"]", {0, 0, TT_BATCH_CLOSED, true}},
    {" ] }", {0, 1, TT_BATCH_CLOSED, true}},
    {"{}]", {1, 2, TT_BATCH_CLOSED, false}},
    {"{} ] }", {1, 3, TT_BATCH_CLOSED, false}},
    {"{},", {1, 3, TT_BATCH_CLEAN, true}},
    {"{} , \n", {1, 6, TT_BATCH_CLEAN, true}},
    {"{},]", {1, 3, TT_BATCH_CLOSED, true}},
    {"{},{}", {1, 3, TT_BATCH_OPEN, false}},
    {"{},{} ", {1, 3, TT_BATCH_OPEN, false}},
    {"{},{},", {2, 6, TT_BATCH_CLEAN, true}},
    {"{},{}]", {2, 5, TT_BATCH_CLOSED, false}},
    {"1", {0, 0, TT_BATCH_OPEN, false}},
    {"1,2", {1, 2, TT_BATCH_OPEN, false}},
    {"1,2 ", {1, 2, TT_BATCH_OPEN, false}},
    {"1,2]", {2, 3, TT_BATCH_CLOSED, false}},
    {"1,[2,3]]", {2, 7, TT_BATCH_CLOSED, false}},
    {"1,[2,3]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,tru", {1, 2, TT_BATCH_OPEN, false}},
    {"1,true", {1, 2, TT_BATCH_OPEN, false}},
    {"1,\"a", {1, 2, TT_BATCH_OPEN, false}},
    {"1,,2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1 2]", {0, 0, TT_BATCH_OPEN, false}},
    {"{}{}]", {0, 0, TT_BATCH_OPEN, false}},
    {"{}}", {0, 0, TT_BATCH_OPEN, false}},
    {"{}:", {0, 0, TT_BATCH_OPEN, false}},
    {"1,01,2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"ts\":01},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"pid\":1.},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"dur\":1e},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"id\":-},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"args\":{\"k\":+1}},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"args\":{\"k\":1,}},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"args\":{\"k\" 1}},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"args\":{\"k\":1 \"l\":2}},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"name\":\"\x01\"},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"\\x\":1},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"a\":\"\xff\"},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"a\":1,},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{,\"a\":1},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"a\"},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{a:1},2]", {1, 2, TT_BATCH_OPEN, false}},
    {"1,{\"a\":1],2]", {1, 2, TT_BATCH_OPEN, false}},
    {"a\":1},{\"b\":2},", {0, 0, TT_BATCH_OPEN, false}},
};

/* Each element has the slots its template asks for, and its text slots. */
static void assert_sound(const struct tt_batch *b)
{
    size_t slot = 0;
    size_t text = 0;

    for (size_t i = 0; i < b->count; i++) {
        const struct tt_element *e = &b->element[i];
        const struct tt_interned *t;

        assert_true(e->shape < b->fresh_count);
        assert_true(e->lane == TT_NO_LANE || e->lane < b->lanes);
        assert_true(e->start_ns <= e->end_ns);
        t = &b->fresh[e->shape];
        for (size_t n = 0; n < t->len; n++) {
            if (t->ptr[n] == TT_HOLE_TEXT) {
                assert_int_equal(b->text[text++], slot);
                assert_true(b->slot[slot] < b->fresh_count);
            }
            slot += t->ptr[n] >= TT_HOLE_INTEGER && t->ptr[n] < TT_HOLE_END;
            slot += t->ptr[n] == TT_HOLE_DECIMAL;
        }
        assert_int_equal(e->slots, slot);
        assert_int_equal(e->texts, text);
    }
    assert_true(b->slots >= slot); /* more: of one that was given up */
    assert_true(b->texts >= text);
}

/* Decodes text in memory of just its size and compares how it ends. */
static void assert_ending(const char *text, size_t len, const struct ending *e)
{
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();
    char *copy = malloc(len ? len : 1);

    assert_non_null(copy);
    memcpy(copy, text, len);
    assert_int_equal(tt_decoder_run(d, copy, len, 1000, b), T2T_OK);
    free(copy); /* strings of the batch are the decoder's */
    if (b->count != e->count || b->consumed != e->consumed || b->end != e->end)
        fail_msg("%zu elements, %zu bytes, end %d; not %zu, %zu, %d: %.*s",
                 b->count, b->consumed, b->end, e->count, e->consumed, e->end,
                 (int)len, text);
    if (e->end == TT_BATCH_CLOSED)
        assert_int_equal(b->after_comma, e->after_comma);
    assert_sound(b);
    tt_batch_free(b);
    tt_decoder_free(d);
}

static void test_a_text_ends_clean_closed_or_open(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(endings); i++)
        assert_ending(endings[i].text, strlen(endings[i].text),
                      &endings[i].ending);
}

/* ---- against the strict scan --------------------------------------------- */

static size_t behind_space(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

/* How a text must end by the judgement of the scan. */
static void judge(const char *text, size_t len, struct ending *e)
{
    struct tt_scan s;
    enum tt_scan_mark mark = TT_SCAN_VALUE_BEGIN;
    size_t at = 0;

    *e = (struct ending){.end = TT_BATCH_OPEN};
    tt_scan_init_array(&s, false);
    while (mark == TT_SCAN_VALUE_BEGIN || mark == TT_SCAN_VALUE_END) {
        size_t used, behind;

        mark =
            tt_scan_feed(&s, (const unsigned char *)text + at, len - at, &used);
        at += used;
        if (mark != TT_SCAN_VALUE_END)
            continue;
        behind = behind_space(text, len, at);
        if (behind == len || (text[behind] != ',' && text[behind] != ']'))
            break;
        e->count++;
        e->consumed = text[behind] == ',' ? behind + 1 : behind;
        if (text[behind] == ']') {
            e->end = TT_BATCH_CLOSED;
            break;
        }
    }
    tt_scan_release(&s);
    at = behind_space(text, len, e->consumed);
    if (e->end == TT_BATCH_CLOSED || (at < len && text[at] != ']'))
        return;
    e->end = at == len ? TT_BATCH_CLEAN : TT_BATCH_CLOSED;
    e->after_comma = true;
    e->consumed = at;
}

static void assert_as_judged(const char *text, size_t len)
{
    struct ending e;

    judge(text, len, &e);
    assert_ending(text, len, &e);
}

/* A chunk with something of everything. */
static const char chunk[] =
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1,"
    " \"tid\": -2, \"ts\": 1.25, \"dur\": 3e0, \"args\": {\"External id\": 7,"
    " \"l\": [1, {\"k\": [null, \"}],{\\\"\"]}], \"s\": \"a\\u00e9\xc3\xa9\"}}"
    " ,\n{\"ph\":\"M\",\"args\":{\"name\":\"\\ud83c\\udf33\"},\"id\":0.5},"
    "12, -0 , \"x\", [[ ],{}], true,null,{},"
    "{\"ts\":\"1\",\"ts\":[2],\"pid\":{\"a\": true}} ] , \"rest\": [1]}";

#define CHUNK (sizeof(chunk) - 1)

static void test_a_chunk_cut_at_any_byte_gives_whole_elements(void **state)
{
    (void)state;
    for (size_t len = 0; len <= CHUNK; len++)
        assert_as_judged(chunk, len);
}

static void test_a_chunk_that_begins_anywhere_is_safe(void **state)
{
    (void)state;
    for (size_t from = 0; from < CHUNK; from++)
        assert_as_judged(chunk + from, CHUNK - from);
}

static void test_a_byte_changed_anywhere_is_noticed_or_valid(void **state)
{
    static const char bytes[] = "{}[],:\"\\ 0-.eux\n\x1f\x80\xff";
    char text[CHUNK];

    (void)state;
    for (size_t at = 0; at < CHUNK; at++) {
        /* a third of them at each place, the 0 behind them too */
        for (size_t n = at % 3; n < sizeof(bytes); n += 3) {
            memcpy(text, chunk, CHUNK);
            text[at] = bytes[n];
            assert_as_judged(text, CHUNK);
        }
    }
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

static void test_pieces_in_any_order_are_noticed_or_valid(void **state)
{
    static const char *const pieces[] = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        " ",
        "1",
        "-",
        "0",
        ".5",
        "e3",
        "true",
        "null",
        "\"a\"",
        "\"a\":",
        "\"ts\":",
        "{\"ph\":\"X\",\"ts\":1,\"dur\":2",
        "\"pid\":",
        "\"args\":{",
        "\\",
        "\\u00",
        "\xc3\xa9",
        "\xed",
        "\x01",
        "},{\"",
        "\"dur\":",
    };
    uint32_t random = 1;

    (void)state;
    for (int i = 0; i < 6000; i++) {
        char text[256] = "";
        size_t len = 0;

        for (uint32_t n = next_random(&random) % 14; n; n--)
            len +=
                (size_t)snprintf(text + len, sizeof(text) - len, "%s",
                                 pieces[next_random(&random) % COUNT(pieces)]);
        assert_as_judged(text, len);
    }
}

static void test_random_bytes_are_safe(void **state)
{
    uint32_t random = 7;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        char text[64];
        size_t len = next_random(&random) % sizeof(text);

        for (size_t n = 0; n < len; n++)
            text[n] = (char)next_random(&random);
        assert_as_judged(text, len);
    }
}

/* ---- sizes --------------------------------------------------------------- */

static void test_many_elements_share_shapes_and_names(void **state)
{
    const unsigned count = 50000;
    size_t cap = (size_t)count * 100;
    char *text = malloc(cap);
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();
    size_t len = 0;

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, cap - len,
                                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":"
                                "\"op%u\",\"tid\":%u,\"ts\":%u,\"dur\":1},\n",
                                i % 100, i % 10, i);
    for (size_t at = 0, n = 0; at < len; at += b->consumed, n += b->count) {
        size_t left = count - n;

        tt_batch_clear(b);
        assert_int_equal(tt_decoder_run(d, text + at, len - at, at, b), T2T_OK);
        assert_int_equal(b->count, left < TT_BATCH_MOST ? left : TT_BATCH_MOST);
        assert_int_equal(b->end, TT_BATCH_CLEAN);
        /* and cpu_op and the template */
        assert_int_equal(b->fresh_count, n ? 0 : 100 + 2);
        assert_int_equal(b->lanes, n ? 0 : 10);
        for (size_t i = 0; i < b->count; i++)
            assert_int_equal(b->element[i].start_ns, (n + i) * 1000);
    }
    free(text);
    tt_batch_free(b);
    tt_decoder_free(d);
}

static void test_a_long_element_is_an_element(void **state)
{
    const size_t long_len = 1000000;
    char *text = malloc(long_len + 64);
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();
    size_t len;

    (void)state;
    assert_non_null(text);
    len = (size_t)snprintf(text, 32, "{\"args\":{\"s\":\"");
    memset(text + len, 's', long_len);
    len += long_len;
    memcpy(text + len, "\"}}]", 4);
    len += 4;
    assert_int_equal(tt_decoder_run(d, text, len, 0, b), T2T_OK);
    assert_int_equal(b->count, 1);
    assert_int_equal(b->end, TT_BATCH_CLOSED);
    assert_int_equal(b->fresh[b->slot[0]].len, long_len + 2);
    free(text);
    tt_batch_free(b);
    tt_decoder_free(d);
}

static void test_a_text_past_all_limits_is_no_memory(void **state)
{
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();

    (void)state;
    assert_int_equal(tt_decoder_run(d, "", SIZE_MAX, 0, b), T2T_ERR_NO_MEMORY);
    tt_batch_free(b);
    tt_batch_free(NULL);
    tt_decoder_free(d);
    tt_decoder_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_ends_clean_closed_or_open),
        cmocka_unit_test(test_a_chunk_cut_at_any_byte_gives_whole_elements),
        cmocka_unit_test(test_a_chunk_that_begins_anywhere_is_safe),
        cmocka_unit_test(test_a_byte_changed_anywhere_is_noticed_or_valid),
        cmocka_unit_test(test_pieces_in_any_order_are_noticed_or_valid),
        cmocka_unit_test(test_random_bytes_are_safe),
        cmocka_unit_test(test_many_elements_share_shapes_and_names),
        cmocka_unit_test(test_a_long_element_is_an_element),
        cmocka_unit_test(test_a_text_past_all_limits_is_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
