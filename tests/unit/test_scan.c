/* test_scan.c - the strict scanner: what it takes, refuses and marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/scan.h"

/* What a scan said, in a form that two scans can be compared in. */
struct outcome {
    char marks[512]; /* a letter and where, such as "k1 K4 v5 V6 C7" */
    size_t at;       /* bytes consumed */
    enum t2t_status status;
    bool whole; /* tt_scan_finish() */
};

static const char mark_letters[] = ".kKvVC!";

static void note_mark(struct outcome *out, enum tt_scan_mark mark)
{
    size_t len = strlen(out->marks);

    (void)snprintf(out->marks + len, sizeof(out->marks) - len, "%s%c%zu",
                   len ? " " : "", mark_letters[mark], out->at);
}

/*
 * Feeds one piece from memory of just its size, so that a sanitizer sees a read
 * past its end.  False: the scan is over.
 */
static bool feed_piece(struct tt_scan *s, const char *text, size_t len,
                       struct outcome *out)
{
    unsigned char *piece = malloc(len ? len : 1);
    enum tt_scan_mark mark;
    size_t at = 0;
    size_t used;

    assert_non_null(piece);
    memcpy(piece, text, len);
    do {
        mark = tt_scan_feed(s, piece + at, len - at, &used);
        assert_true(used <= len - at);
        at += used;
        out->at += used;
        if (mark)
            note_mark(out, mark);
    } while (mark && mark != TT_SCAN_BAD);
    if (!mark)
        assert_int_equal(at, len);
    free(piece);
    return mark != TT_SCAN_BAD;
}

/* Feeds `first` bytes, then `step` bytes at a time, and releases the scan. */
static void feed_all(struct tt_scan *s, const char *text, size_t len,
                     size_t first, size_t step, struct outcome *out)
{
    size_t piece = first;
    bool more;

    *out = (struct outcome){.at = 0};
    do {
        if (piece > len - out->at)
            piece = len - out->at;
        more = feed_piece(s, text + out->at, piece, out);
        piece = step;
    } while (more && out->at < len);
    out->status = s->status;
    out->whole = tt_scan_finish(s);
    tt_scan_release(s);
}

static void assert_same(const struct outcome *a, const struct outcome *b)
{
    assert_string_equal(a->marks, b->marks);
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->whole, b->whole);
}

/* Scans a document whole, byte by byte and cut in two at every place. */
static void scan_document(const char *text, size_t len, uint32_t watch,
                          struct outcome *out)
{
    struct tt_scan s;
    struct outcome cut;

    tt_scan_init(&s, watch);
    feed_all(&s, text, len, len, len, out);
    tt_scan_init(&s, watch);
    feed_all(&s, text, len, 1, 1, &cut);
    assert_same(out, &cut);
    for (size_t first = 0; first <= len; first++) {
        tt_scan_init(&s, watch);
        feed_all(&s, text, len, first, len, &cut);
        assert_same(out, &cut);
    }
}

static void test_every_valid_document_is_taken(void **state)
{
    static const char *const table[] = {
        "{}",
        "[]",
        " \t\r\n{ \t\r\n} \t\r\n",
        "0",
        "-0",
        "10",
        "-0.0",
        "1e5",
        "1E+05",
        "1.25e-7",
        "123456789012345678901234567890.5",
        "true",
        "false",
        "null",
        " \"a string\" ",
        "\"\"",
        "[[[[]]],{}]",
        "{\"\":{\"\":[{}]}}",
        "{\"a\":1,\"a\":2}",
        "[1,-2 , 3.5e1\n,true,false,null,\"x\"]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uABCD\\uabcd\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud83d\"",
        "\"\\u0000\"",
        "\"\x7f\"",
        "\"\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80\"",
        "\"\xef\xbf\xbf \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\"",
        "{\"traceEvents\": [\n  {\"ph\": \"X\", \"ts\": 1.5}\n]}\n",
    };
    struct outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        scan_document(table[i], strlen(table[i]), 9, &out);
        assert_int_equal(out.status, T2T_OK);
        assert_string_equal(out.marks, "");
        assert_true(out.whole);
    }
}

static void test_a_document_that_is_cut_is_not_whole(void **state)
{
    static const char text[] = "{\"a\\u00e9\xc3\xa9\": [true, -1.5e+3, null]}";
    struct outcome out;

    (void)state;
    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        scan_document(text, len, 9, &out);
        assert_int_equal(out.status, T2T_OK);
        assert_false(out.whole);
    }
    scan_document("-", 1, 9, &out);
    assert_false(out.whole);
    scan_document("1.", 2, 9, &out);
    assert_false(out.whole);
    scan_document(" ", 1, 9, &out);
    assert_false(out.whole);
}

struct damage {
    const char *text;
    size_t at; /* the first bad byte */
    enum t2t_status status;
};

static void assert_refused(const struct damage *row, size_t rows)
{
    struct outcome out;
    char mark[32];

    for (size_t i = 0; i < rows; i++) {
        scan_document(row[i].text, strlen(row[i].text), 9, &out);
        (void)snprintf(mark, sizeof(mark), "!%zu", row[i].at);
        assert_string_equal(out.marks, mark);
        assert_string_equal(t2t_status_text(out.status),
                            t2t_status_text(row[i].status));
        assert_false(out.whole);
    }
}

static void test_broken_structure_is_a_syntax_error(void **state)
{
    static const struct damage table[] = {
        {"}", 0, T2T_ERR_JSON_SYNTAX},
        {"x", 0, T2T_ERR_JSON_SYNTAX},
        {"\x01{}", 0, T2T_ERR_JSON_SYNTAX},
        {"\xef\xbb\xbf{}", 0, T2T_ERR_JSON_SYNTAX},
        {"[1,]", 3, T2T_ERR_JSON_SYNTAX},
        {"[,1]", 1, T2T_ERR_JSON_SYNTAX},
        {"[1 2]", 3, T2T_ERR_JSON_SYNTAX},
        {"[1}", 2, T2T_ERR_JSON_SYNTAX},
        {"[[1]}", 4, T2T_ERR_JSON_SYNTAX},
        {"{\"a\":1]", 6, T2T_ERR_JSON_SYNTAX},
        {"{\"a\":1,}", 7, T2T_ERR_JSON_SYNTAX},
        {"{\"a\" 1}", 5, T2T_ERR_JSON_SYNTAX},
        {"{\"a\":}", 5, T2T_ERR_JSON_SYNTAX},
        {"{\"a\"}", 4, T2T_ERR_JSON_SYNTAX},
        {"{,}", 1, T2T_ERR_JSON_SYNTAX},
        {"{a:1}", 1, T2T_ERR_JSON_SYNTAX},
        {"{1:1}", 1, T2T_ERR_JSON_SYNTAX},
        {"{\"id\":1, tid\": 2}", 9, T2T_ERR_JSON_SYNTAX},
        {"{\"n\":\"{\"device\"", 8, T2T_ERR_JSON_SYNTAX},
        {"['a']", 1, T2T_ERR_JSON_SYNTAX},
        {"[1 /* one */]", 3, T2T_ERR_JSON_SYNTAX},
        {"[True]", 1, T2T_ERR_JSON_SYNTAX},
        {"[trve]", 3, T2T_ERR_JSON_SYNTAX},
        {"[truex]", 5, T2T_ERR_JSON_SYNTAX},
        {"[fals]", 5, T2T_ERR_JSON_SYNTAX},
        {"[nil]", 2, T2T_ERR_JSON_SYNTAX},
        {"[1\v]", 2, T2T_ERR_JSON_SYNTAX},
        {"[\xc2\xa0]", 1, T2T_ERR_JSON_SYNTAX},
        {"{\"a\":1\"b\":2}", 6, T2T_ERR_JSON_SYNTAX},
    };

    (void)state;
    assert_refused(table, sizeof(table) / sizeof(*table));
}

static void test_a_bad_escape_is_found_at_its_letter(void **state)
{
    static const struct damage table[] = {
        {"\"torch\\cuda\"", 7, T2T_ERR_JSON_ESCAPE},
        {"\"C:\\Users\"", 4, T2T_ERR_JSON_ESCAPE},
        {"\"\\u12g4\"", 5, T2T_ERR_JSON_ESCAPE},
        {"\"\\u123\"", 6, T2T_ERR_JSON_ESCAPE},
        {"\"\\u 123\"", 3, T2T_ERR_JSON_ESCAPE},
        {"\"\\\n\"", 2, T2T_ERR_JSON_ESCAPE},
        {"\"\\\xc3\xa9\"", 2, T2T_ERR_JSON_ESCAPE},
        {"{\"\\x\":1}", 3, T2T_ERR_JSON_ESCAPE},
    };

    (void)state;
    assert_refused(table, sizeof(table) / sizeof(*table));
}

static void test_a_control_character_in_a_string_is_refused(void **state)
{
    char text[] = "[\"name: ?\"]";
    struct damage row = {text, 8, T2T_ERR_JSON_CONTROL_CHAR};
    struct outcome out;

    (void)state;
    for (char c = 1; c < 0x20; c++) {
        text[8] = c;
        assert_refused(&row, 1);
    }
    text[8] = '\0';
    scan_document(text, sizeof(text) - 1, 9, &out);
    assert_string_equal(out.marks, "!8");
    assert_int_equal(out.status, T2T_ERR_JSON_CONTROL_CHAR);
}

static void test_a_malformed_number_is_refused(void **state)
{
    static const struct damage table[] = {
        {"01", 1, T2T_ERR_JSON_NUMBER},
        {"-01", 2, T2T_ERR_JSON_NUMBER},
        {"[1.]", 3, T2T_ERR_JSON_NUMBER},
        {"[-]", 2, T2T_ERR_JSON_NUMBER},
        {"[--1]", 2, T2T_ERR_JSON_NUMBER},
        {"[+1]", 1, T2T_ERR_JSON_NUMBER},
        {"[.5]", 1, T2T_ERR_JSON_NUMBER},
        {"[-.5]", 2, T2T_ERR_JSON_NUMBER},
        {"[1e]", 3, T2T_ERR_JSON_NUMBER},
        {"[1e+]", 4, T2T_ERR_JSON_NUMBER},
        {"[1e5.5]", 4, T2T_ERR_JSON_NUMBER},
        {"[1.2.3]", 4, T2T_ERR_JSON_NUMBER},
        {"[0x10]", 2, T2T_ERR_JSON_NUMBER},
        {"[1_000]", 2, T2T_ERR_JSON_NUMBER},
        {"[1-2]", 2, T2T_ERR_JSON_NUMBER},
        {"{\"dur\":-1.-234}", 10, T2T_ERR_JSON_NUMBER},
        {"[NaN]", 1, T2T_ERR_JSON_NUMBER},
        {"[Infinity]", 1, T2T_ERR_JSON_NUMBER},
        {"[inf]", 1, T2T_ERR_JSON_NUMBER},
        {"[nan]", 2, T2T_ERR_JSON_NUMBER},
        {"[-Infinity]", 2, T2T_ERR_JSON_NUMBER},
        {"[-inf]", 2, T2T_ERR_JSON_NUMBER},
    };

    (void)state;
    assert_refused(table, sizeof(table) / sizeof(*table));
}

static void test_what_is_not_utf8_is_refused_at_its_first_bad_byte(void **state)
{
    static const struct damage table[] = {
        {"\"\x80\"", 1, T2T_ERR_UTF8},
        {"\"a\xff\"", 2, T2T_ERR_UTF8},
        {"\"\xc0\x80\"", 1, T2T_ERR_UTF8},
        {"\"\xc1\xbf\"", 1, T2T_ERR_UTF8},
        {"\"\xc3\"", 2, T2T_ERR_UTF8},
        {"\"\xc3\\n\"", 2, T2T_ERR_UTF8},
        {"\"\xe0\x9f\xbf\"", 2, T2T_ERR_UTF8},
        {"\"\xe4\xb8\"", 3, T2T_ERR_UTF8},
        {"\"\xed\xa0\x80\"", 2, T2T_ERR_UTF8},
        {"\"\xf0\x8f\xbf\xbf\"", 2, T2T_ERR_UTF8},
        {"\"\xf0\x9f\x98\"", 4, T2T_ERR_UTF8},
        {"\"\xf4\x90\x80\x80\"", 2, T2T_ERR_UTF8},
        {"\"\xf5\x80\x80\x80\"", 1, T2T_ERR_UTF8},
        {"\"plain text, then \xe9t\xe9\"", 19, T2T_ERR_UTF8},
        {"[\xff]", 1, T2T_ERR_UTF8},
    };

    (void)state;
    assert_refused(table, sizeof(table) / sizeof(*table));
}

/* UTF-8 as its definition has it, surrogates and all. */
static size_t encode(uint32_t code, unsigned char *out)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (unsigned char)(lead[len] | code);
    return len;
}

static void test_utf8_is_just_the_code_points_of_unicode(void **state)
{
    unsigned char text[8] = "\"";
    struct tt_scan s;
    size_t used;
    size_t len;
    bool good;

    (void)state;
    for (uint32_t code = 0x80; code < 0x110100; code++) {
        len = 1 + encode(code, text + 1);
        good = (code < 0xd800 || code > 0xdfff) && code < 0x110000;
        text[len++] = '"';
        tt_scan_init(&s, 9);
        if (tt_scan_feed(&s, text, len, &used) != TT_SCAN_BAD)
            assert_true(good && tt_scan_finish(&s));
        else
            assert_true(!good && s.status == T2T_ERR_UTF8 && used == 2);
        tt_scan_release(&s);
    }
}

static void test_text_behind_the_document_is_extra_data(void **state)
{
    static const struct damage table[] = {
        {"{}{}", 2, T2T_ERR_EXTRA_DATA},
        {"{}\n\n  {}", 6, T2T_ERR_EXTRA_DATA},
        {"[] x", 3, T2T_ERR_EXTRA_DATA},
        {"[]]", 2, T2T_ERR_EXTRA_DATA},
        {"[],", 2, T2T_ERR_EXTRA_DATA},
        {"[] \xff", 3, T2T_ERR_EXTRA_DATA},
        {"1 2", 2, T2T_ERR_EXTRA_DATA},
        {"\"a\"1", 3, T2T_ERR_EXTRA_DATA},
        {"truefalse", 4, T2T_ERR_EXTRA_DATA},
    };
    struct outcome out;

    (void)state;
    assert_refused(table, sizeof(table) / sizeof(*table));
    scan_document("{}\0", 3, 9, &out);
    assert_string_equal(out.marks, "!2");
    assert_int_equal(out.status, T2T_ERR_EXTRA_DATA);
}

static void test_marks_stand_where_keys_and_values_do(void **state)
{
    static const struct {
        const char *text;
        uint32_t watch;
        const char *marks;
    } table[] = {
        {" {}", 0, "v1 V3"},
        {"12 ", 0, "v0 V2"},
        {"12", 0, "v0"},
        {"\"a\"", 0, "v0 V3"},
        {"{\"a\":1}", 0, "v0 V7"},
        {"12", 1, ""},
        {"{}", 1, "C2"},
        {"[ ]", 1, "C3"},
        {"{\"a\":1}", 1, "k1 K4 v5 V6 C7"},
        {"{ \"a\" : 1 } ", 1, "k2 K5 v8 V9 C11"},
        {"{\"a\":1,\"b\":[2,{\"c\":3}]}", 1, "k1 K4 v5 V6 k7 K10 v11 V22 C23"},
        {"{\"a\":true, \"b\":\"x\"}", 1, "k1 K4 v5 V9 k11 K14 v15 V18 C19"},
        {"[1, [2], {\"a\":3}, null]", 1, "v1 V2 v4 V7 v9 V16 v18 V22 C23"},
        {"[-1]", 1, "v1 V3 C4"},
        {"[1x]", 1, "v1 !2"},
        {"[1\"\"]", 1, "v1 V2 !2"},
        {"[x]", 1, "!1"},
        {"[1,]", 1, "v1 V2 !3"},
        {"{1:2}", 1, "!1"},
        {"{\"a\":x}", 1, "k1 K4 !5"},
        {"{} {}", 1, "C2 !3"},
        {"{\"a\":[1,2],\"b\":{\"c\":3},\"d\":4}", 2,
         "v6 V7 v8 V9 C10 k16 K19 v20 V21 C22"},
        {"[[[]]]", 2, "v2 V4 C5"},
        {"[[[]]]", 3, "C4"},
        {"[[[]]]", 4, ""},
    };
    struct outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        scan_document(table[i].text, strlen(table[i].text), table[i].watch,
                      &out);
        assert_string_equal(out.marks, table[i].marks);
    }
}

static void test_a_scan_can_begin_inside_an_array(void **state)
{
    static const struct {
        const char *text;
        bool element;
        const char *marks;
        bool whole;
    } table[] = {
        {"1, {\"a\":[2]}]", false, "v0 V1 v3 V12 C13", true},
        {"]", false, "C1", true},
        {" ] \n", false, "C2", true},
        {"]", true, "!0", false},
        {" {}]", true, "v1 V3 C4", true},
        {"{},", true, "v0 V2", false},
        {"{}}", true, "v0 V2 !2", false},
        {"] ,", false, "C1 !2", false},
        {"", false, "", false},
    };
    struct tt_scan s;
    struct outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        for (size_t step = 1; step < 16; step++) {
            tt_scan_init_array(&s, table[i].element);
            feed_all(&s, table[i].text, strlen(table[i].text), step, step,
                     &out);
            assert_string_equal(out.marks, table[i].marks);
            assert_int_equal(out.whole, table[i].whole);
        }
    }
}

/* Feeds all of `text` in one piece and gives its marks. */
static void assert_marks(struct tt_scan *s, const char *text, const char *marks)
{
    struct outcome out = {.at = 0};

    (void)feed_piece(s, text, strlen(text), &out);
    assert_string_equal(out.marks, marks);
}

static void test_a_member_array_can_be_left_to_others(void **state)
{
    struct tt_scan s;
    size_t used;

    (void)state;
    tt_scan_init(&s, 1);
    assert_marks(&s, "{\"n\":1,\"traceEvents\": ", "k1 K4 v5 V6 k7 K20");
    assert_int_equal(tt_scan_feed(&s, (const unsigned char *)"[", 1, &used),
                     TT_SCAN_VALUE_BEGIN);
    assert_int_equal(used, 0);
    assert_marks(&s, "[", "");
    tt_scan_leave_array(&s);
    assert_marks(&s, "", "V0");
    assert_marks(&s, ", \"b\":2}", "k2 K5 v6 V7 C8");
    assert_true(tt_scan_finish(&s));
    tt_scan_release(&s);
}

static void test_a_bare_array_can_be_left_to_others(void **state)
{
    struct tt_scan s;

    (void)state;
    tt_scan_init(&s, 1);
    assert_marks(&s, " [", "");
    tt_scan_leave_array(&s);
    assert_marks(&s, " \n", "C0");
    assert_true(tt_scan_finish(&s));
    tt_scan_release(&s);

    /* Also when the first element has been announced or some were fed. */
    tt_scan_init(&s, 1);
    assert_marks(&s, "[1, 2", "v1 V2 v4");
    tt_scan_release(&s);
    tt_scan_init(&s, 1);
    assert_marks(&s, "[1,", "v1 V2");
    tt_scan_leave_array(&s);
    assert_marks(&s, "x", "C0 !0");
    assert_int_equal(s.status, T2T_ERR_EXTRA_DATA);
    tt_scan_release(&s);
}

static void test_an_unwatched_array_is_left_without_a_mark(void **state)
{
    struct tt_scan s;

    (void)state;
    tt_scan_init(&s, 1);
    assert_marks(&s, "{\"a\":{\"b\":[", "k1 K4 v5");
    tt_scan_leave_array(&s);
    assert_marks(&s, "}}", "V1 C2");
    assert_true(tt_scan_finish(&s));
    tt_scan_release(&s);
}

static void test_kinds_of_deep_levels_are_remembered(void **state)
{
    enum { LEVELS = 1000 };
    static char text[7 * LEVELS];
    struct outcome out;
    struct tt_scan s;
    size_t len = 0;

    (void)state;
    for (int i = 0; i < LEVELS; i++) {
        const char *open = i % 3 ? "[" : "{\"\":";

        memcpy(text + len, open, strlen(open));
        len += strlen(open);
    }
    text[len++] = '1';
    for (int i = LEVELS - 1; i >= 0; i--)
        text[len++] = i % 3 ? ']' : '}';
    tt_scan_init(&s, 2 * LEVELS);
    feed_all(&s, text, len, len, len, &out);
    assert_true(out.whole);

    text[len - 3] = '}'; /* was "]" */
    tt_scan_init(&s, 2 * LEVELS);
    feed_all(&s, text, len, 1, 1, &out);
    assert_int_equal(out.status, T2T_ERR_JSON_SYNTAX);
    assert_int_equal(out.at, len - 3);
}

static void test_nesting_has_a_limit(void **state)
{
    size_t len = TT_SCAN_MAX_DEPTH + 1;
    char *text = malloc(len);
    struct outcome out;
    struct tt_scan s;

    (void)state;
    assert_non_null(text);
    memset(text, '[', len);
    tt_scan_init(&s, UINT32_MAX);
    feed_all(&s, text, len, 4096, 4096, &out);
    assert_int_equal(out.status, T2T_ERR_LIMIT);
    assert_int_equal(out.at, TT_SCAN_MAX_DEPTH);
    free(text);
}

/* Feeds a whole element of `values` values in brackets, numbers and others in
 * turn, the brackets counted; the mark that ends it, and the bytes taken. */
static enum tt_scan_mark feed_values(struct tt_scan *s, unsigned values,
                                     size_t *bytes)
{
    static const char *const value[] = {"1,", "\"\",", "[],", "null,"};
    char text[4096];
    enum tt_scan_mark mark;
    size_t used;

    *bytes = 0;
    mark = tt_scan_feed(s, (const unsigned char *)"[", 1, &used);
    assert_int_equal(mark, TT_SCAN_VALUE_BEGIN);
    mark = tt_scan_feed(s, (const unsigned char *)"[", 1, &used);
    for (unsigned i = 1; !mark && i < values;) {
        size_t len = 0;

        while (i < values && len < sizeof(text) - 8) {
            const char *v = value[i++ % 4];

            memcpy(text + len, v, strlen(v));
            len += strlen(v);
        }
        len -= i == values; /* no comma */
        mark = tt_scan_feed(s, (const unsigned char *)text, len, &used);
        *bytes += used;
    }
    if (!mark)
        mark = tt_scan_feed(s, (const unsigned char *)"]", 1, &used);
    return mark;
}

static void test_the_values_of_an_element_have_a_limit(void **state)
{
    struct tt_scan s;
    size_t bytes;
    size_t used;

    (void)state;
    tt_scan_init_array(&s, false);
    /* each element has a count of its own */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(feed_values(&s, TT_SCAN_MAX_VALUES, &bytes),
                         TT_SCAN_VALUE_END);
        assert_int_equal(tt_scan_feed(&s, (const unsigned char *)",", 1, &used),
                         TT_SCAN_MORE);
    }
    assert_int_equal(feed_values(&s, TT_SCAN_MAX_VALUES + 5, &bytes),
                     TT_SCAN_BAD);
    assert_int_equal(s.status, T2T_ERR_LIMIT);
    assert_string_equal(tt_scan_reason(&s), TT_SCAN_TOO_MANY_VALUES);
    tt_scan_release(&s);
    /* of what is no element of an array nobody counts */
    tt_scan_init(&s, 1);
    assert_int_equal(tt_scan_feed(&s, (const unsigned char *)"[", 1, &used),
                     TT_SCAN_MORE);
    assert_int_equal(feed_values(&s, TT_SCAN_MAX_VALUES + 5, &bytes),
                     TT_SCAN_VALUE_END);
    tt_scan_release(&s);
}

static void test_a_finished_scan_stays_bad(void **state)
{
    struct tt_scan s;

    (void)state;
    tt_scan_init(&s, 1);
    assert_marks(&s, "[}", "!1");
    assert_marks(&s, "]", "!0");
    assert_int_equal(s.status, T2T_ERR_JSON_SYNTAX);
    assert_false(tt_scan_finish(&s));
    tt_scan_release(&s);
}

static void test_the_reason_says_what_must_come(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } table[] = {
        {"{\"a\":,", "a value must come here"},
        {"[}", "a value or the end of the array must come here"},
        {"{\"a\":1,}", "a key in quotes must come here"},
        {"{x", "a key in quotes or the end of the object must come here"},
        {"{\"a\" 1", "a colon must come here"},
        {"{\"a\":1 2", "a comma or the end of the object must come here"},
        {"[1 2", "a comma or the end of the array must come here"},
        {"{} {", "more text follows the document"},
        {"[nil", "the only words are true, false and null"},
        {"\"\\x", "this is not a JSON escape"},
        {"\"\\u12x", "four hex digits must follow \\u"},
        {"\"\n", "a control character in a string must be escaped"},
        {"\"\xff", "this is not UTF-8"},
        {"[01", "this is not a JSON number"},
        {"[NaN", "this is not a JSON number"},
    };
    struct tt_scan s;
    struct outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        out = (struct outcome){.at = 0};
        tt_scan_init(&s, 9);
        assert_false(
            feed_piece(&s, table[i].text, strlen(table[i].text), &out));
        assert_string_equal(tt_scan_reason(&s), table[i].reason);
        tt_scan_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_valid_document_is_taken),
        cmocka_unit_test(test_a_document_that_is_cut_is_not_whole),
        cmocka_unit_test(test_broken_structure_is_a_syntax_error),
        cmocka_unit_test(test_a_bad_escape_is_found_at_its_letter),
        cmocka_unit_test(test_a_control_character_in_a_string_is_refused),
        cmocka_unit_test(test_a_malformed_number_is_refused),
        cmocka_unit_test(
            test_what_is_not_utf8_is_refused_at_its_first_bad_byte),
        cmocka_unit_test(test_utf8_is_just_the_code_points_of_unicode),
        cmocka_unit_test(test_text_behind_the_document_is_extra_data),
        cmocka_unit_test(test_marks_stand_where_keys_and_values_do),
        cmocka_unit_test(test_a_scan_can_begin_inside_an_array),
        cmocka_unit_test(test_a_member_array_can_be_left_to_others),
        cmocka_unit_test(test_a_bare_array_can_be_left_to_others),
        cmocka_unit_test(test_an_unwatched_array_is_left_without_a_mark),
        cmocka_unit_test(test_kinds_of_deep_levels_are_remembered),
        cmocka_unit_test(test_nesting_has_a_limit),
        cmocka_unit_test(test_the_values_of_an_element_have_a_limit),
        cmocka_unit_test(test_a_finished_scan_stays_bad),
        cmocka_unit_test(test_the_reason_says_what_must_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
