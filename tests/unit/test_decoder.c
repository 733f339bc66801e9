/* test_decoder.c - decode/decoder.h: templates, fields, ends, garbage. */
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

#include <trace2tree/index.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* A decoder and what it made of one text, in memory of just its size. */
struct subject {
    struct tt_decoder *d;
    struct tt_batch *b;
    char *text;
};

static void decode(struct subject *s, const char *text, size_t len)
{
    *s = (struct subject){tt_decoder_create(false), tt_batch_create(),
                          malloc(len ? len : 1)};
    assert_non_null(s->d);
    assert_non_null(s->b);
    assert_non_null(s->text);
    memcpy(s->text, text, len);
    assert_int_equal(tt_decoder_run(s->d, s->text, len, 0, s->b), T2T_OK);
}

/* Decodes an array of one element. */
static const struct tt_element *decode_one(struct subject *s, const char *json)
{
    char text[1024];
    size_t len = (size_t)snprintf(text, sizeof(text), "%s]", json);

    decode(s, text, len);
    assert_int_equal(s->b->end, TT_BATCH_CLOSED);
    assert_int_equal(s->b->count, 1);
    return s->b->element;
}

static void drop(struct subject *s)
{
    tt_batch_free(s->b);
    tt_decoder_free(s->d);
    free(s->text);
}

/* ---- templates ----------------------------------------------------------- */

/* What a hole stands for, with its values from `slot`; how many they are. */
static size_t describe_hole(const struct tt_batch *b, char hole,
                            const uint64_t *slot, char *to, size_t cap)
{
    static const char *const columns[] = {"",    "name", "pid",
                                          "tid", "ts",   "dur"};

    if (hole < TT_HOLE_INTEGER) {
        (void)snprintf(to, cap, "<%s>", columns[(int)hole]);
        return 0;
    }
    if (hole == TT_HOLE_INTEGER) {
        (void)snprintf(to, cap, "<%lld>", (long long)slot[0]);
        return 1;
    }
    if (hole == TT_HOLE_DECIMAL) {
        (void)snprintf(to, cap, "<%lld/%llu>", (long long)slot[0],
                       (unsigned long long)slot[1]);
        return 2;
    }
    assert_int_equal(hole, TT_HOLE_TEXT);
    assert_true(slot[0] < b->fresh_count);
    (void)snprintf(to, cap, "<%.*s>", (int)b->fresh[slot[0]].len,
                   b->fresh[slot[0]].ptr);
    return 1;
}

/* The template of element `i`, which is of the decoder's first batch. */
static void describe(const struct tt_batch *b, size_t i, char *to, size_t cap)
{
    const struct tt_element *e = &b->element[i];
    size_t slot = i ? b->element[i - 1].slots : 0;
    const struct tt_interned *t;
    size_t len = 0;

    assert_true(e->shape < b->fresh_count);
    t = &b->fresh[e->shape];
    for (size_t n = 0; n < t->len; n++) {
        assert_true(len + 2 < cap);
        if ((unsigned char)t->ptr[n] >= 32) {
            to[len++] = t->ptr[n];
            continue;
        }
        slot +=
            describe_hole(b, t->ptr[n], b->slot + slot, to + len, cap - len);
        len += strlen(to + len);
    }
    to[len] = '\0';
    assert_int_equal(slot, e->slots);
}

#define A64 "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff1234"

struct row {
    const char *json;
    const char *template;
};

static void assert_templates(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct subject s;
        char got[1024];

        (void)decode_one(&s, rows[i].json);
        describe(s.b, 0, got, sizeof(got));
        assert_string_equal(got, rows[i].template);
        drop(&s);
    }
}

static void test_members_of_events_have_holes_of_their_own(void **state)
{
    static const struct row rows[] = {
        {"{}", "{}"},
        {" { } ", "{}"},
        {"{\"ph\":\"X\"}", "{\"ph\":\"X\"}"},
        {"{\"ph\":\"\\u0058\"}", "{\"ph\":\"X\"}"},
        {"{\"ph\":\"\\\"\"}", "{\"ph\":\"\\\"\"}"},
        {"{\"ph\":\"" A64 "\"}", "{\"ph\":\"" A64 "\"}"},
        {"{\"ph\":\"" A64 "5\"}", "{\"ph\":<\"" A64 "5\">}"},
        {"{\"ph\":5}", "{\"ph\":<5>}"},
        {"{\"cat\":\"cpu_op\"}", "{\"cat\":\"cpu_op\"}"},
        {"{\"cat\":\"\\u0063pu\\n\"}", "{\"cat\":\"cpu\\n\"}"},
        {"{\"cat\":\"" A64 "5\"}", "{\"cat\":<\"" A64 "5\">}"},
        {"{\"cat\":[]}", "{\"cat\":<[]>}"},
        {"{\"name\":\"a\\u00e9\\\"\"}", "{\"name\":<name>}"},
        {"{\"name\":\"\"}", "{\"name\":<name>}"},
        {"{\"name\":null}", "{\"name\":null}"},
        {"{\"name\":-1.25}", "{\"name\":<-125/2>}"},
        {"{\"id\":5}", "{\"id\":<5>}"},
        {"{\"id\":\"0x5\"}", "{\"id\":<\"0x5\">}"},
        {"{\"\\u006eame\":\"a\"}", "{\"name\":<name>}"},
        {"{\"names\":\"a\",\"nam\":\"b\"}",
         "{\"names\":<\"a\">,\"nam\":<\"b\">}"},
        {"{\"a\\\"\\n\\ud83c\":1}", "{\"a\\\"\\n\\ud83c\":<1>}"},
        {"{\"\":\"\"}", "{\"\":<\"\">}"},
    };

    (void)state;
    assert_templates(rows, COUNT(rows));
}

static void test_ids_have_a_hole_when_the_lane_says_them(void **state)
{
    static const struct row rows[] = {
        {"{\"pid\":1,\"tid\":2}", "{\"pid\":<pid>,\"tid\":<tid>}"},
        {"{\"pid\":0}", "{\"pid\":<pid>}"},
        {"{\"pid\":-1}", "{\"pid\":<pid>}"},
        {"{\"pid\":-9223372036854775808}", "{\"pid\":<pid>}"},
        {"{\"pid\":18446744073709551615}", "{\"pid\":<pid>}"},
        {"{\"tid\":\"stream 7\"}", "{\"tid\":<tid>}"},
        {"{\"tid\":\"\"}", "{\"tid\":<tid>}"},
        {"{\"tid\":\"007\"}", "{\"tid\":<tid>}"},
        {"{\"tid\":\"7\"}", "{\"tid\":<\"7\">}"},
        {"{\"tid\":\"-0\"}", "{\"tid\":<\"-0\">}"},
        {"{\"tid\":-0}", "{\"tid\":<-0>}"},
        {"{\"tid\":7.0}", "{\"tid\":<70/1>}"},
        {"{\"tid\":7e0}", "{\"tid\":<7e0>}"},
        {"{\"tid\":18446744073709551616}", "{\"tid\":<18446744073709551616>}"},
        {"{\"tid\":null}", "{\"tid\":null}"},
        {"{\"tid\":true}", "{\"tid\":true}"},
        {"{\"tid\":[ 1 ]}", "{\"tid\":<[1]>}"},
    };

    (void)state;
    assert_templates(rows, COUNT(rows));
}

static void test_times_have_a_hole_when_the_column_says_them(void **state)
{
    static const struct row rows[] = {
        {"{\"ts\":1.5}", "{\"ts\":<ts>}"},
        {"{\"ts\":-3}", "{\"ts\":<ts>}"},
        {"{\"ts\":9223372036854775.807}", "{\"ts\":<ts>}"},
        {"{\"ts\":9223372036854775.808}", "{\"ts\":<9223372036854775.808>}"},
        {"{\"ts\":-9223372036854775.807}", "{\"ts\":<ts>}"},
        {"{\"ts\":-9223372036854775.808}", "{\"ts\":<-9223372036854775.808>}"},
        {"{\"ts\":1.2345}", "{\"ts\":<12345/4>}"},
        {"{\"ts\":1.5e3}", "{\"ts\":<1.5e3>}"},
        {"{\"ts\":\"1.5\"}", "{\"ts\":<\"1.5\">}"},
        {"{\"ts\":\"soon\"}", "{\"ts\":<\"soon\">}"},
        {"{\"ts\":null}", "{\"ts\":null}"},
        {"{\"ph\":\"X\",\"ts\":1,\"dur\":2.5}",
         "{\"ph\":\"X\",\"ts\":<ts>,\"dur\":<dur>}"},
        {"{\"dur\":0,\"ts\":1,\"ph\":\"X\"}",
         "{\"dur\":<dur>,\"ts\":<ts>,\"ph\":\"X\"}"},
        {"{\"ph\":\"X\",\"ts\":\"1\",\"dur\":2}",
         "{\"ph\":\"X\",\"ts\":<\"1\">,\"dur\":<dur>}"},
        {"{\"ph\":\"X\",\"ts\":1,\"dur\":-2}",
         "{\"ph\":\"X\",\"ts\":<ts>,\"dur\":<-2>}"},
        {"{\"ph\":\"X\",\"ts\":1,\"dur\":2.0005}",
         "{\"ph\":\"X\",\"ts\":<ts>,\"dur\":<20005/4>}"},
        {"{\"ph\":\"X\",\"ts\":1,\"dur\":\"2\"}",
         "{\"ph\":\"X\",\"ts\":<ts>,\"dur\":<\"2\">}"},
    };

    (void)state;
    assert_templates(rows, COUNT(rows));
}

static void test_arguments_become_slots(void **state)
{
    static const struct row rows[] = {
        {"{\"args\":{}}", "{\"args\":{}}"},
        {"{ \"args\" : { \"n\" : 1 , \"d\" : -0.50 } }",
         "{\"args\":{\"n\":<1>,\"d\":<-50/2>}}"},
        {"{\"args\":{\"s\":\"x y\",\"e\":\"\",\"u\":\"\\u0041\\/\"}}",
         "{\"args\":{\"s\":<\"x y\">,\"e\":<\"\">,\"u\":<\"A/\">}}"},
        {"{\"args\":{\"l\":[1, 2],\"o\":{\"k\": [null]},\"c\":[1,2]}}",
         "{\"args\":{\"l\":<[1,2]>,\"o\":<{\"k\":[null]}>,\"c\":<[1,2]>}}"},
        {"{\"args\":{\"t\":true,\"f\":false,\"n\":null}}",
         "{\"args\":{\"t\":true,\"f\":false,\"n\":null}}"},
        {"{\"args\":{\"e\":1e5,\"z\":-0,\"w\":-0.0,\"h\":1E+400}}",
         "{\"args\":{\"e\":<1e5>,\"z\":<-0>,\"w\":<-0.0>,\"h\":<1E+400>}}"},
        {"{\"args\":{\"b\":12345678901234567890123}}",
         "{\"args\":{\"b\":<12345678901234567890123>}}"},
        {"{\"args\":{\"k\":1,\"k\":2,\"a\\tb\":3}}",
         "{\"args\":{\"k\":<1>,\"k\":<2>,\"a\\tb\":<3>}}"},
        {"{\"args\":{\"ts\":1,\"pid\":2,\"args\":{}}}",
         "{\"args\":{\"ts\":<1>,\"pid\":<2>,\"args\":<{}>}}"},
        {"{\"args\":[1, {}]}", "{\"args\":<[1,{}]>}"},
        {"{\"args\":\"x\"}", "{\"args\":<\"x\">}"},
        {"{\"args\":null}", "{\"args\":null}"},
        {"{\"bt\":[{\"y\": 1}],\"x\":1}", "{\"bt\":<[{\"y\":1}]>,\"x\":<1>}"},
    };

    (void)state;
    assert_templates(rows, COUNT(rows));
}

static void test_what_columns_cannot_say_is_kept_whole(void **state)
{
    static const struct row rows[] = {
        {"{\"name\":\"a\", \"name\":\"b\"}",
         "<{\"name\":\"a\",\"name\":\"b\"}>"},
        {"{\"ts\":1,\"ts\":2.5}", "<{\"ts\":1,\"ts\":2.5}>"},
        {"{\"args\":{},\"args\":{\"k\":1}}",
         "<{\"args\":{},\"args\":{\"k\":1}}>"},
        {"{\"pid\":1,\"\\u0070id\":1}", "<{\"pid\":1,\"pid\":1}>"},
        {"{\"x\":1,\"x\":2}", "{\"x\":<1>,\"x\":<2>}"},
        {"{\"ph\":\"i\",\"ts\":1,\"dur\":2}",
         "<{\"ph\":\"i\",\"ts\":1,\"dur\":2}>"},
        {"{\"ph\":\"X\",\"dur\":2}", "<{\"ph\":\"X\",\"dur\":2}>"},
        {"{\"ph\":\"X\",\"ts\":9223372036854775,\"dur\":1}",
         "<{\"ph\":\"X\",\"ts\":9223372036854775,\"dur\":1}>"},
        {"5", "<5>"},
        {"-0.5", "<-5/1>"},
        {"1e9", "<1e9>"},
        {"\"a\\u0041\"", "<\"aA\">"},
        {"true", "true"},
        {"null", "null"},
        {"[ ]", "<[]>"},
        {"[{\"ph\": \"X\"}]", "<[{\"ph\":\"X\"}]>"},
    };

    (void)state;
    assert_templates(rows, COUNT(rows));
}

/* An element of integers and decimals, `ones` and `twos` slots of them. */
static const struct tt_element *decode_long(struct subject *s, unsigned ones,
                                            unsigned twos)
{
    size_t cap = ((size_t)ones + twos) * 8 + 32;
    char *text = malloc(cap);
    size_t len;

    assert_non_null(text);
    len = (size_t)snprintf(text, cap, "{\"args\":{");
    for (unsigned i = 0; i < ones + twos; i++)
        len += (size_t)snprintf(text + len, cap - len, "%s\"a\":%s",
                                i ? "," : "", i < ones ? "7" : "0.5");
    len += (size_t)snprintf(text + len, cap - len, "}}]");
    decode(s, text, len);
    free(text);
    assert_int_equal(s->b->count, 1);
    return s->b->element;
}

/* doc/format.md, Elements: so that frames stay readable. */
static void test_an_element_of_more_than_1024_slots_is_one_text(void **state)
{
    struct subject s;

    (void)state;
    assert_int_equal(decode_long(&s, 1024, 0)->slots, 1024);
    drop(&s);
    assert_int_equal(decode_long(&s, 0, 512)->slots, 1024);
    drop(&s);
    assert_int_equal(decode_long(&s, 1025, 0)->slots, 1);
    assert_int_equal(s.b->texts, 1);
    assert_int_equal(s.b->fresh[s.b->slot[0]].len, 9 + 1025 * 6 - 1 + 2);
    drop(&s);
    assert_int_equal(decode_long(&s, 1, 512)->slots, 1);
    drop(&s);
}

/* ---- fields -------------------------------------------------------------- */

#define X "{\"ph\":\"X\",\"name\":\"n\","
#define OP X "\"cat\":\"cpu_op\","
#define NO TT_NO_TIME

static const struct {
    const char *json;
    int64_t start_ns;
    int64_t end_ns;
    unsigned flags; /* without TT_OBJECT */
    char phase;
} timed[] = {
    {X "\"ts\":1,\"dur\":2.5}", 1000, 3500, TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":\"1\",\"dur\":\"2e0\"}", 1000, 3000, TT_HAS_START | TT_HAS_END,
     'X'},
    {X "\"ts\":1.0005,\"dur\":1.0015}", 1000, 2002, TT_HAS_START | TT_HAS_END,
     'X'},
    {X "\"ts\":-1}", -1000, -1000, TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":1,\"dur\":-5}", 1000, 1000, TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":1,\"dur\":{}}", 1000, 1000, TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":9223372036854775.806,\"dur\":0.002}", INT64_MAX - 1, INT64_MAX,
     TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":-9223372036854775.808,\"dur\":18446744073709551.615}", INT64_MIN,
     INT64_MAX, TT_HAS_START | TT_HAS_END, 'X'},
    {X "\"ts\":9223372036854775.808,\"dur\":1}", NO, NO, 0, 'X'},
    {X "\"dur\":1}", NO, NO, 0, 'X'},
    {X "\"ts\":[],\"dur\":1}", NO, NO, 0, 'X'},
    {X "\"ts\":1,\"ts\":null}", NO, NO, 0, 'X'},
    {X "\"ts\":null,\"ts\":1,\"dur\":1,\"dur\":2}", 1000, 3000,
     TT_HAS_START | TT_HAS_END, 'X'},
    {"{\"ph\":\"B\",\"ts\":4,\"dur\":9}", 4000, 4000, TT_HAS_START, 'B'},
    {"{\"ph\":\"E\",\"ts\":4}", 4000, 4000, TT_HAS_START, 'E'},
    {"{\"ph\":\"M\"}", NO, NO, 0, 'M'},
    {"{\"ph\":\"\",\"ts\":0}", 0, 0, TT_HAS_START, 0},
    {"{\"ph\":\"XX\",\"ts\":0}", 0, 0, TT_HAS_START, 0},
    {"{\"ph\":\"\\u00e9\",\"ts\":0}", 0, 0, TT_HAS_START, 0},
    {"{\"ph\":\"X\",\"ph\":1,\"ts\":0}", 0, 0, TT_HAS_START, 0},
    {"{\"ts\":0}", 0, 0, TT_HAS_START, 0},
};

static void test_times_are_settled_from_all_members(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(timed); i++) {
        struct subject s;
        const struct tt_element *e = decode_one(&s, timed[i].json);

        assert_int_equal(e->start_ns, timed[i].start_ns);
        assert_int_equal(e->end_ns, timed[i].end_ns);
        assert_int_equal(e->phase, timed[i].phase);
        assert_int_equal(e->flags, timed[i].flags | TT_OBJECT);
        drop(&s);
    }
}

#define ARGS                                                                   \
    "\"args\":{\"correlation\":7,\"External id\":8,\"Python id\":9,"           \
    "\"Python parent id\":10,\"Sequence number\":11,"                          \
    "\"Fwd thread id\":0}}"
#define BOTH (TT_A_SET | TT_B_SET)

static const struct {
    const char *json;
    enum t2t_layer layer;
    uint64_t a;
    uint64_t b;
    unsigned flags; /* without TT_OBJECT */
} recorded[] = {
    {"{\"cat\":\"python_function\"," ARGS, T2T_LAYER_PYTHON, 9, 10, BOTH},
    {"{\"cat\":\"cpu_op\"," ARGS, T2T_LAYER_OPERATION, 8, 11,
     BOTH | TT_FWD_SET | TT_FWD_ZERO},
    {"{\"cat\":\"cuda_runtime\"," ARGS, T2T_LAYER_LAUNCH, 7, 8, BOTH},
    {"{\"cat\":\"kernel\"," ARGS, T2T_LAYER_GPU, 7, 8, BOTH},
    {"{\"cat\":\"gpu_memcpy\"," ARGS, T2T_LAYER_GPU, 7, 8, BOTH},
    {"{\"cat\":\"overhead\"," ARGS, T2T_LAYER_NONE, 0, 0, 0},
    {"{\"cat\":\"cpu_op\"}", T2T_LAYER_OPERATION, 0, 0, 0},
    {"{\"cat\":\"cpu_op\",\"args\":{\"External id\":\"5\"}}",
     T2T_LAYER_OPERATION, 5, 0, TT_A_SET},
    {"{\"cat\":\"cpu_op\",\"args\":{\"External id\":5.0}}", T2T_LAYER_OPERATION,
     0, 0, 0},
    {"{\"cat\":\"cpu_op\",\"args\":{\"External id\":-5,\"Sequence number\":"
     "18446744073709551615}}",
     T2T_LAYER_OPERATION, (uint64_t)-5, UINT64_MAX, BOTH | TT_A_NEGATIVE},
    {"{\"cat\":\"cpu_op\",\"args\":{\"External id\":5,\"External id\":null}}",
     T2T_LAYER_OPERATION, 0, 0, 0},
    {"{\"cat\":\"cpu_op\",\"args\":{\"\\u0045xternal id\":5}}",
     T2T_LAYER_OPERATION, 5, 0, TT_A_SET},
    {"{\"cat\":\"cpu_op\",\"args\":{\"External id\":5},\"args\":{}}",
     T2T_LAYER_OPERATION, 0, 0, 0},
    {"{\"cat\":\"cpu_op\",\"args\":{\"Fwd thread id\":3}}", T2T_LAYER_OPERATION,
     0, 0, TT_FWD_SET},
    {"{\"cat\":\"cuda_driver\",\"args\":{\"External id\":5,\"correlation\":5}}",
     T2T_LAYER_LAUNCH, 5, 5, BOTH | TT_B_OWN},
    {"{\"cat\":\"kernel\",\"args\":{\"External id\":5,\"correlation\":5}}",
     T2T_LAYER_GPU, 5, 5, BOTH},
    {"{\"cat\":\"cuda_driver\",\"args\":{\"External id\":18446744073709551615,"
     "\"correlation\":-1}}",
     T2T_LAYER_LAUNCH, UINT64_MAX, UINT64_MAX, BOTH | TT_A_NEGATIVE},
    {"{\"cat\":\"cpu_op\",\"name\":\"autograd::engine::evaluate_function: x\"}",
     T2T_LAYER_OPERATION, 0, 0, TT_ENGINE},
    {"{\"cat\":\"kernel\",\"cat\":\"cpu_op\"}", T2T_LAYER_OPERATION, 0, 0, 0},
    {"{\"cat\":\"kernel\",\"cat\":5}", T2T_LAYER_NONE, 0, 0, 0},
    {"{\"cat\":\"ac2g\",\"ph\":\"s\",\"id\":7}", T2T_LAYER_NONE, 7, 0,
     TT_A_SET | TT_FLOW_LAUNCH},
    {"{\"cat\":\"async_cpu_to_gpu\",\"ph\":\"f\",\"id\":-7}", T2T_LAYER_NONE,
     (uint64_t)-7, 0, TT_A_SET | TT_A_NEGATIVE | TT_FLOW_LAUNCH},
    {"{\"cat\":\"fwdbwd\",\"ph\":\"s\",\"id\":\"7\"}", T2T_LAYER_NONE, 7, 0,
     TT_A_SET | TT_FLOW_FORWARD},
    {"{\"cat\":\"forward_backward\",\"ph\":\"f\"}", T2T_LAYER_NONE, 0, 0,
     TT_FLOW_FORWARD},
    {"{\"cat\":\"fwdbwd\",\"ph\":\"t\",\"id\":7}", T2T_LAYER_NONE, 0, 0, 0},
};

static void test_recorded_numbers_go_by_layer(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(recorded); i++) {
        struct subject s;
        const struct tt_element *e = decode_one(&s, recorded[i].json);

        assert_int_equal(e->layer, recorded[i].layer);
        assert_int_equal(e->flags, recorded[i].flags | TT_OBJECT);
        assert_int_equal(e->a, recorded[i].a);
        assert_int_equal(e->b, recorded[i].b);
        drop(&s);
    }
}

static const struct tt_interned *string_of(const struct subject *s,
                                           uint64_t number)
{
    assert_true(number < s->b->fresh_count);
    return &s->b->fresh[number];
}

static void assert_string(const struct subject *s, uint64_t number,
                          const char *text)
{
    const struct tt_interned *i = string_of(s, number);

    assert_int_equal(i->len, strlen(text));
    assert_memory_equal(i->ptr, text, i->len);
}

static void test_names_categories_and_labels_are_decoded(void **state)
{
    struct subject s;
    const struct tt_element *e;

    (void)state;
    e = decode_one(&s, "{\"ph\":\"M\",\"name\":\"thread\\u005fname\","
                       "\"cat\":\"a\\\\b\",\"args\":{\"name\":\"t\\u00e9\"}}");
    assert_string(&s, e->name, "thread_name");
    assert_string(&s, e->category, "a\\b");
    assert_string(&s, e->b, "t\xc3\xa9");
    assert_int_equal(e->flags, TT_OBJECT | TT_THREAD_NAME);
    drop(&s);
    e = decode_one(&s, "{\"ph\":\"M\",\"name\":\"process_name\","
                       "\"args\":{\"name\":\"p\",\"name\":\"q\","
                       "\"mane\":\"r\",\"names\":\"s\"}}");
    assert_int_equal(e->category, TT_NO_STRING);
    assert_string(&s, e->b, "q");
    assert_int_equal(e->flags, TT_OBJECT | TT_PROCESS_NAME);
    drop(&s);
    e = decode_one(&s, "{\"ph\":\"M\",\"name\":\"process_name\","
                       "\"args\":{\"name\":5}}");
    assert_int_equal(e->flags, TT_OBJECT);
    drop(&s);
    e = decode_one(&s, "{\"name\":\"a\",\"name\":5}");
    assert_int_equal(e->name, TT_NO_STRING);
    drop(&s);
}

static const struct {
    const char *json;
    enum t2t_side side;
    int pid_kind;
    uint64_t pid;
    const char *text; /* of a text pid */
} lanes[] = {
    {"{\"pid\":1}", T2T_NO_SIDE, TT_ID_INTEGER, 1, NULL},
    {"{\"pid\":1,\"cat\":\"cpu_op\"}", T2T_HOST, TT_ID_INTEGER, 1, NULL},
    {"{\"pid\":1,\"cat\":\"gpu_memset\"}", T2T_DEVICE, TT_ID_INTEGER, 1, NULL},
    {"{}", T2T_NO_SIDE, TT_ID_MISSING, 0, NULL},
    {"{\"pid\":null}", T2T_NO_SIDE, TT_ID_MISSING, 0, NULL},
    {"{\"pid\":\"1\"}", T2T_NO_SIDE, TT_ID_INTEGER, 1, NULL},
    {"{\"pid\":-0}", T2T_NO_SIDE, TT_ID_INTEGER, 0, NULL},
    {"{\"pid\":-1}", T2T_NO_SIDE, TT_ID_INTEGER, UINT64_MAX, NULL},
    {"{\"pid\":9223372036854775807}", T2T_NO_SIDE, TT_ID_INTEGER, INT64_MAX,
     NULL},
    {"{\"pid\":\"9223372036854775808\"}", T2T_NO_SIDE, TT_ID_UNSIGNED,
     (uint64_t)1 << 63, NULL},
    {"{\"pid\":18446744073709551616}", T2T_NO_SIDE, TT_ID_TEXT, 0,
     "18446744073709551616"},
    {"{\"pid\":\"01\"}", T2T_NO_SIDE, TT_ID_TEXT, 0, "01"},
    {"{\"pid\":\"\\u0047PU\"}", T2T_NO_SIDE, TT_ID_TEXT, 0, "GPU"},
    {"{\"pid\":1.0}", T2T_NO_SIDE, TT_ID_TEXT, 0, "1.0"},
    {"{\"pid\":true}", T2T_NO_SIDE, TT_ID_TEXT, 0, "true"},
    {"{\"pid\":[ \"\\ud83c\" ]}", T2T_NO_SIDE, TT_ID_TEXT, 0,
     "[\"\xed\xa0\xbc\"]"},
    {"{\"pid\":1,\"pid\":\"x\"}", T2T_NO_SIDE, TT_ID_TEXT, 0, "x"},
};

static void test_a_lane_is_a_side_and_two_ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lanes); i++) {
        struct subject s;
        const struct tt_element *e = decode_one(&s, lanes[i].json);
        const struct tt_lane *lane = s.b->lane;

        assert_int_equal(e->lane, 0);
        assert_int_equal(s.b->lanes, 1);
        assert_int_equal(lane->side, lanes[i].side);
        assert_int_equal(lane->tid.kind, TT_ID_MISSING);
        assert_int_equal(lane->pid.kind, lanes[i].pid_kind);
        if (lanes[i].text)
            assert_string(&s, lane->pid.value, lanes[i].text);
        else
            assert_int_equal(lane->pid.value, lanes[i].pid);
        drop(&s);
    }
}

#define BIT(kind) (1u << TT_ANOMALY_##kind)

static const struct {
    const char *json;
    unsigned odd;
} oddities[] = {
    {OP "\"ts\":1,\"dur\":1}", 0},
    {"5", BIT(NOT_AN_OBJECT)},
    {"[]", BIT(NOT_AN_OBJECT)},
    {"{\"ts\":1}", BIT(NO_PHASE)},
    {"{\"ph\":1,\"ts\":1}", BIT(NO_PHASE)},
    {"{\"ph\":\"\",\"ts\":1}", 0},
    {"{\"ph\":\"i\"}", BIT(NO_TIME)},
    {"{\"ph\":\"i\",\"ts\":1e400}", BIT(NO_TIME) | BIT(EXPONENT_TIME)},
    {"{\"ph\":\"M\"}", 0},
    {OP "\"ts\":1}", BIT(NO_DURATION)},
    {OP "\"ts\":1,\"dur\":null}", BIT(BAD_DURATION)},
    {OP "\"ts\":1,\"dur\":-1}", BIT(BAD_DURATION)},
    {OP "\"ts\":1,\"dur\":1e16}", BIT(EXPONENT_TIME) | BIT(END_OVERFLOW)},
    {OP "\"ts\":9223372036854775.806,\"dur\":0.001}", 0},
    {OP "\"ts\":9223372036854775.806,\"dur\":0.002}", BIT(END_OVERFLOW)},
    {"{\"ph\":\"X\",\"cat\":\"c\",\"ts\":1,\"dur\":1}", BIT(NO_NAME)},
    {X "\"ts\":1,\"dur\":1}", BIT(NO_CATEGORY)},
    {OP "\"ts\":1,\"dur\":1,\"args\":[]}", BIT(BAD_ARGUMENTS)},
    {OP "\"ts\":\"1\",\"dur\":1}", BIT(QUOTED_TIME)},
    {OP "\"ts\":1,\"dur\":\"1e0\"}", BIT(QUOTED_TIME) | BIT(EXPONENT_TIME)},
    {OP "\"ts\":-0.001,\"dur\":1}", BIT(NEGATIVE_TIME)},
    {OP "\"ts\":1.00001,\"dur\":1}", BIT(ROUNDED_TIME)},
    {OP "\"ts\":1.000000,\"dur\":1}", 0},
    {OP "\"ts\":1,\"dur\":1,\"ph\":\"X\"}", BIT(DUPLICATE_KEY)},
    {OP "\"ts\":1,\"dur\":1,\"bp\":1,\"bp\":2}", BIT(DUPLICATE_KEY)},
    {OP "\"ts\":1,\"dur\":1,\"args\":{\"k\":1,\"\\u006b\":2}}",
     BIT(DUPLICATE_KEY)},
    {OP "\"ts\":1,\"dur\":1,\"args\":{\"ts\":1,\"args\":2}}", 0},
    {OP "\"ts\":1,\"dur\":1,\"args\":{\"o\":{\"k\":1,\"k\":2}}}", 0},
    /* only what the last one says is odd */
    {OP "\"ts\":\"-1e0\",\"ts\":1.00001,\"ts\":2,\"dur\":1}",
     BIT(DUPLICATE_KEY)},
    {OP "\"ts\":1,\"dur\":\"1e0\",\"dur\":1}", BIT(DUPLICATE_KEY)},
    {OP "\"ts\":1,\"dur\":1,\"dur\":\"1\"}",
     BIT(DUPLICATE_KEY) | BIT(QUOTED_TIME)},
    {OP "\"ts\":1,\"dur\":1,\"args\":[],\"args\":{}}", BIT(DUPLICATE_KEY)},
};

static void test_odd_elements_are_counted_where_they_stand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(oddities); i++) {
        struct subject s;
        char text[512];
        size_t at =
            (size_t)snprintf(text, sizeof(text), OP "\"ts\":1,\"dur\":1}, ");

        (void)snprintf(text + at, sizeof(text) - at, "%s]", oddities[i].json);
        decode(&s, text, strlen(text));
        assert_int_equal(s.b->count, 2);
        assert_int_equal(s.b->element[1].odd, oddities[i].odd);
        assert_int_equal(s.b->element[1].offset, at);
        for (unsigned kind = 0; kind < TT_ANOMALY_COUNT; kind++) {
            bool is_odd = oddities[i].odd >> kind & 1;

            assert_int_equal(s.b->anomalies.count[kind], is_odd);
            if (!is_odd)
                continue;
            assert_int_equal(s.b->anomalies.first_position[kind], 1);
            assert_int_equal(s.b->anomalies.first_offset[kind], at);
        }
        drop(&s);
    }
}

/* ---- more than one batch ------------------------------------------------- */

static void test_numbers_stay_and_each_is_told_once(void **state)
{
    static const char first[] = "{\"name\":\"a\",\"pid\":1},{\"name\":\"b\"},";
    static const char second[] =
        " {\"name\":\"b\",\"pid\":1},{\"name\":\"c\"}]";
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();
    struct tt_batch *c = tt_batch_create();

    (void)state;
    assert_int_equal(tt_decoder_run(d, first, strlen(first), 100, b), T2T_OK);
    assert_int_equal(tt_decoder_run(d, second, strlen(second), 134, c), T2T_OK);
    assert_int_equal(b->offset, 100);
    assert_int_equal(b->element[0].offset, 100);
    assert_int_equal(b->element[1].offset, 121);
    assert_int_equal(c->element[0].offset, 135);
    assert_int_equal(c->element[0].name, b->element[1].name);
    assert_int_equal(c->element[0].shape, b->element[0].shape);
    assert_int_equal(c->element[0].lane, b->element[0].lane);
    assert_int_equal(c->element[1].lane, b->element[1].lane);
    assert_int_equal(b->fresh_count, 4); /* a, b and two templates */
    assert_int_equal(c->fresh_count, 1);
    assert_memory_equal(c->fresh[0].ptr, "c", 1);
    assert_int_equal(c->element[1].name, 4);
    assert_int_equal(b->lanes, 2);
    assert_int_equal(c->lanes, 0);
    tt_batch_free(b);
    tt_batch_free(c);
    tt_decoder_free(d);
}

static void test_text_slots_are_listed(void **state)
{
    static const char text[] = "{\"k\":1,\"s\":\"x\",\"d\":0.5,\"l\":[]},"
                               "{\"n\":2},{\"s\":\"x\"}]";
    struct subject s;

    (void)state;
    decode(&s, text, strlen(text));
    assert_int_equal(s.b->slots, 7);
    assert_int_equal(s.b->element[0].slots, 5);
    assert_int_equal(s.b->element[1].slots, 6);
    assert_int_equal(s.b->texts, 3);
    assert_int_equal(s.b->element[0].texts, 2);
    assert_int_equal(s.b->element[1].texts, 2);
    assert_int_equal(s.b->text[0], 1);
    assert_int_equal(s.b->text[1], 4);
    assert_int_equal(s.b->text[2], 6);
    assert_int_equal(s.b->slot[6], s.b->slot[1]);
    assert_string(&s, s.b->slot[4], "[]");
    drop(&s);
}

/* Decodes elements whose names begin with `first`, `first` + 1 and so on, and
 * are of a kilobyte. */
static void decode_names(struct tt_decoder *d, unsigned first, unsigned count,
                         struct tt_batch *b)
{
    size_t cap = count * (size_t)1200;
    char *text = malloc(cap);
    size_t len = 0;

    assert_non_null(text);
    for (unsigned i = first; i < first + count; i++)
        len +=
            (size_t)snprintf(text + len, cap - len,
                             "{\"name\":\"%u%01000d\",\"pid\":%u},", i, 0, i);
    assert_int_equal(tt_decoder_run(d, text, len, 0, b), T2T_OK);
    assert_int_equal(b->end, TT_BATCH_CLEAN);
    assert_int_equal(b->count, count);
    free(text);
}

static void test_what_is_known_is_forgotten_when_it_is_much(void **state)
{
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b[40];
    size_t strings = 0; /* that it knows */
    size_t threads = 0;
    unsigned times = 0;

    (void)state;
    for (unsigned i = 0; i < COUNT(b); i++) {
        b[i] = tt_batch_create();
        tt_decoder_tidy(d);
        tt_decoder_tidy(d); /* says nothing new */
        decode_names(d, i * 100, 100, b[i]);
        if (b[i]->forgets) {
            assert_true(strings * 1000 > TT_DECODER_BYTES / 2);
            assert_true(strings * 1000 < TT_DECODER_BYTES * 2);
            strings = threads = 0;
            times++;
        }
        strings += b[i]->fresh_count;
        threads += b[i]->lanes;
        assert_true(b[i]->element[0].shape < strings);
        assert_int_equal(b[i]->element[99].name, strings - 1);
        assert_int_equal(b[i]->element[99].lane, threads - 1);
    }
    assert_in_range(times, 1, 4); /* of 4 MB of names */
    /* the strings of all batches are still there */
    for (unsigned i = 0; i < COUNT(b); i++) {
        const struct tt_interned *last = &b[i]->fresh[b[i]->fresh_count - 1];
        char text[16];
        int len = snprintf(text, sizeof(text), "%u0", i * 100 + 99);

        assert_memory_equal(last->ptr, text, (size_t)len);
    }
    for (unsigned i = 0; i < COUNT(b); i++)
        tt_batch_free(b[i]);
    tt_decoder_free(d);
}

static void test_a_little_is_never_forgotten(void **state)
{
    struct tt_decoder *d = tt_decoder_create(false);
    struct tt_batch *b = tt_batch_create();

    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        tt_decoder_tidy(d);
        tt_batch_clear(b);
        decode_names(d, 0, 100, b);
        assert_false(b->forgets);
        assert_int_equal(b->fresh_count, i ? 0 : 101);
    }
    tt_batch_free(b);
    tt_decoder_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_of_events_have_holes_of_their_own),
        cmocka_unit_test(test_ids_have_a_hole_when_the_lane_says_them),
        cmocka_unit_test(test_times_have_a_hole_when_the_column_says_them),
        cmocka_unit_test(test_arguments_become_slots),
        cmocka_unit_test(test_what_columns_cannot_say_is_kept_whole),
        cmocka_unit_test(test_an_element_of_more_than_1024_slots_is_one_text),
        cmocka_unit_test(test_times_are_settled_from_all_members),
        cmocka_unit_test(test_recorded_numbers_go_by_layer),
        cmocka_unit_test(test_names_categories_and_labels_are_decoded),
        cmocka_unit_test(test_a_lane_is_a_side_and_two_ids),
        cmocka_unit_test(test_odd_elements_are_counted_where_they_stand),
        cmocka_unit_test(test_numbers_stay_and_each_is_told_once),
        cmocka_unit_test(test_text_slots_are_listed),
        cmocka_unit_test(test_what_is_known_is_forgotten_when_it_is_much),
        cmocka_unit_test(test_a_little_is_never_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
