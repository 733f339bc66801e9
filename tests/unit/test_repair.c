/* test_repair.c - what is repaired, how, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/repair.h"

/* What came out of a text: the text itself, marks, repairs. */
struct outcome {
    char text[512];
    size_t len;
    char marks[256]; /* a letter and where in the output */
    char notes[128]; /* a letter of the kind and where in the input */
    enum t2t_status status;
    size_t at; /* bytes consumed */
    bool whole;
};

static void append(char *to, size_t cap, char letter, uint64_t at)
{
    size_t len = strlen(to);

    (void)snprintf(to + len, cap - len, "%s%c%llu", len ? " " : "", letter,
                   (unsigned long long)at);
}

/* Moves what is settled, or all of it, to the outcome. */
static void drain(struct tt_repair *r, struct outcome *out, size_t len)
{
    assert_true(out->len + len < sizeof(out->text));
    if (len)
        memcpy(out->text + out->len, r->text.ptr, len);
    out->len += len;
    tt_repair_take(r, len);
}

/* Feeds a piece from memory of just its size; false at a bad byte. */
static bool feed_piece(struct tt_repair *r, const char *text, size_t len,
                       struct outcome *out)
{
    unsigned char *piece = malloc(len ? len : 1);
    enum tt_scan_mark mark;
    size_t at = 0;
    size_t used;

    assert_non_null(piece);
    memcpy(piece, text, len);
    do {
        mark = tt_repair_feed(r, piece + at, len - at, out->at, &used);
        at += used;
        out->at += used;
        if (mark)
            append(out->marks, sizeof(out->marks), ".kKvVC!"[mark],
                   out -> len + r -> text.len);
    } while (mark && mark != TT_SCAN_BAD);
    free(piece);
    return mark != TT_SCAN_BAD;
}

/* Feeds `first` bytes, then `step` at a time; takes what is settled each time
 * if `eager`. */
static struct outcome run(struct tt_repair *r, const char *text, size_t len,
                          size_t first, size_t step, bool eager)
{
    struct outcome out = {.status = T2T_OK};
    bool going = true;

    for (size_t at = 0; going && at < len;) {
        size_t piece = at ? step : first;

        if (piece > len - at)
            piece = len - at;
        going = feed_piece(r, text + at, piece, &out);
        at += piece;
        if (eager)
            drain(r, &out, tt_repair_settled(r));
    }
    for (size_t i = 0; i < r->notes; i++)
        append(out.notes, sizeof(out.notes), "ecun,"[r->note[i].kind],
               r -> note[i].offset);
    out.status = going ? T2T_OK : r->scan.status;
    out.whole = going && tt_scan_finish(&r->scan);
    drain(r, &out, r->text.len);
    tt_repair_release(r);
    return out;
}

struct row {
    const char *text;
    size_t len; /* 0: to the NUL */
    const char *repaired;
    const char *notes;
    enum t2t_status status;
};

static void check(const struct row *row, bool array)
{
    size_t len = row->len ? row->len : strlen(row->text);
    struct outcome whole = {.len = 0};

    for (size_t first = 1; first <= len; first++) {
        for (int eager = 0; eager < 2; eager++) {
            struct tt_repair r;
            struct outcome out;

            if (array)
                tt_repair_init_array(&r, false, false);
            else
                tt_repair_init(&r, false, 1);
            out = run(&r, row->text, len, first, first, eager);
            assert_int_equal(out.status, row->status);
            assert_string_equal(out.notes, row->notes);
            assert_int_equal(out.len, strlen(row->repaired));
            assert_memory_equal(out.text, row->repaired, out.len);
            if (first > 1 || eager)
                assert_string_equal(out.marks, whole.marks);
            whole = out;
        }
    }
}

static const struct row values[] = {
    /* escapes: the backslash stands for itself */
    {"[\"a\\qb\"]", 0, "[\"a\\\\qb\"]", "e4", T2T_OK},
    {"[\"\\q\\w\",\"\\q\"]", 0, "[\"\\\\q\\\\w\",\"\\\\q\"]", "e3 e10", T2T_OK},
    {"[\"\\u12\"]", 0, "[\"\\\\u12\"]", "e6", T2T_OK},
    {"[\"\\u\"]", 0, "[\"\\\\u\"]", "e4", T2T_OK},
    {"[\"\\u123\\u0041\"]", 0, "[\"\\\\u123\\u0041\"]", "e7", T2T_OK},
    {"{\"k\\q\":1}", 0, "{\"k\\\\q\":1}", "e4", T2T_OK},
    /* control characters */
    {"[\"a\nb\x01\"]", 0, "[\"a\\u000ab\\u0001\"]", "c3", T2T_OK},
    {"[\"a\0b\"]", 7, "[\"a\\u0000b\"]", "c3", T2T_OK},
    {"[\"\\\t\"]", 0, "[\"\\\\\\u0009\"]", "e3 c3", T2T_OK},
    /* bytes that are no UTF-8 */
    {"[\"a\xff\xfe\"]", 0, "[\"a\xef\xbf\xbd\xef\xbf\xbd\"]", "u3", T2T_OK},
    {"[\"\xe2\x82\"]", 0, "[\"\xef\xbf\xbd\xef\xbf\xbd\"]", "u4", T2T_OK},
    {"[\"\xf0\x9f\x98x\"]", 0, "[\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx\"]",
     "u5", T2T_OK},
    {"[\"\xe2\xe2\x82\xac\"]", 0, "[\"\xef\xbf\xbd\xe2\x82\xac\"]", "u3",
     T2T_OK},
    {"[\"\xc0\xaf\"]", 0, "[\"\xef\xbf\xbd\xef\xbf\xbd\"]", "u2", T2T_OK},
    {"[\"\xed\xa0\x80\"]", 0, "[\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"]",
     "u3", T2T_OK},
    /* words and numbers that are none */
    {"[NaN,1]", 0, "[null,1]", "n1", T2T_OK},
    {"[-Infinity]", 0, "[null]", "n2", T2T_OK},
    {"[inf ,nan, -inf]", 0, "[null ,null, null]", "n1 n7 n12", T2T_OK},
    {"{\"a\":01,\"b\":1.}", 0, "{\"a\":null,\"b\":null}", "n6 n14", T2T_OK},
    {"[.5,+1,1e,0x10]", 0, "[null,null,null,null]", "n1 n4 n9 n11", T2T_OK},
    {"{\"a\":{\"b\":[-]}}", 0, "{\"a\":{\"b\":[null]}}", "n12", T2T_OK},
    /* what is whole stays as it is */
    {"{\"a\":[1,\"\\\"\\\\\\u00e9\",true]}", 0,
     "{\"a\":[1,\"\\\"\\\\\\u00e9\",true]}", "", T2T_OK},
    /* the structure's */
    {"[1,]", 0, "[1,", "", T2T_ERR_JSON_SYNTAX},
    {"[\"a\"b\"]", 0, "[\"a\"", "", T2T_ERR_JSON_SYNTAX},
    {"[True]", 0, "[", "", T2T_ERR_JSON_SYNTAX},
    {"[1] x", 0, "[1] ", "", T2T_ERR_EXTRA_DATA},
    {"[1_0]", 0, "[null]", "n2", T2T_OK},
    {"[1,\xff]", 0, "[1,", "", T2T_ERR_UTF8},
};

static void test_values_are_repaired_however_the_text_is_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        check(&values[i], false);
}

static const struct row arrays[] = {
    {"{\"a\":1},]", 0, "{\"a\":1},]", ",8", T2T_OK},
    {"1 , \n ]", 0, "1 , \n ]", ",6", T2T_OK},
    {"[1,],2]", 0, "[1,", "", T2T_ERR_JSON_SYNTAX},
    {"1,,]", 0, "1,", "", T2T_ERR_JSON_SYNTAX},
    {"NaN,{\"d\":NaN}]", 0, "null,{\"d\":null}]", "n0 n9", T2T_OK},
};

static void test_a_comma_may_end_the_array_of_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        check(&arrays[i], true);
}

static void test_strict_repairs_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        size_t len = values[i].len ? values[i].len : strlen(values[i].text);
        struct tt_repair r;
        struct tt_scan s;
        struct outcome out;
        size_t at = 0, used = 0;
        enum tt_scan_mark mark;

        tt_repair_init(&r, true, 1);
        out = run(&r, values[i].text, len, len, len, false);
        tt_scan_init(&s, 1);
        do {
            mark = tt_scan_feed(&s, (const unsigned char *)values[i].text + at,
                                len - at, &used);
            at += used;
        } while (mark && mark != TT_SCAN_BAD);
        assert_int_equal(out.status, mark ? s.status : T2T_OK);
        assert_int_equal(out.at, at);
        assert_string_equal(out.notes, "");
        tt_scan_release(&s);
    }
}

/* A long number comes in many pieces, and all of it may still become null. */
static void test_a_long_number_is_settled_in_linear_time(void **state)
{
    enum { DIGITS = 4 << 20 };
    static const char *const before[] = {"{\"a\":[0,", "{\"a\":0x12,\"b\":"};
    struct tt_repair r;
    size_t used;

    (void)state;
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
        size_t settled;

        tt_repair_init(&r, false, 9);
        (void)tt_repair_feed(&r, (const unsigned char *)before[i],
                             strlen(before[i]), 0, &used);
        settled = tt_repair_settled(&r);
        assert_int_equal(settled, r.text.len);
        for (size_t n = 1; n <= DIGITS; n++) {
            (void)tt_repair_feed(&r, (const unsigned char *)"7", 1, n, &used);
            assert_int_equal(tt_repair_settled(&r), settled);
            if (n != DIGITS / 2)
                continue;
            tt_repair_take(&r, settled);
            settled = 0;
        }
        (void)tt_repair_feed(&r, (const unsigned char *)(i ? " " : ","), 1,
                             DIGITS, &used);
        assert_int_equal(tt_repair_settled(&r), DIGITS + 1);
        tt_repair_release(&r);
    }
}

/* What was looked at is another text when a number was mended. */
static void test_a_number_behind_a_mended_one_is_not_settled(void **state)
{
    static const char text[] = "[1234567x,89,";
    size_t settled[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 6, 6, 9};
    struct tt_repair r;
    size_t used;

    (void)state;
    tt_repair_init(&r, false, 9);
    for (size_t i = 0; i < strlen(text); i++) {
        (void)tt_repair_feed(&r, (const unsigned char *)text + i, 1, i, &used);
        assert_int_equal(tt_repair_settled(&r), settled[i]);
    }
    assert_memory_equal(r.text.ptr, "[null,89,", 9);
    tt_repair_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_repaired_however_the_text_is_cut),
        cmocka_unit_test(test_a_comma_may_end_the_array_of_events),
        cmocka_unit_test(test_strict_repairs_nothing),
        cmocka_unit_test(test_a_long_number_is_settled_in_linear_time),
        cmocka_unit_test(test_a_number_behind_a_mended_one_is_not_settled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
