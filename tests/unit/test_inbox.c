/* test_inbox.c - merge/inbox.h and merge/trace.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/index.h>

#include "decode/decoder.h"
#include "merge/inbox.h"
#include "same_trace.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define WORKERS 3

/* A trace that is filled from the text of several decoders. */
struct subject {
    struct tt_trace trace;
    struct tt_inbox *in;
    struct tt_decoder *decoder[WORKERS];
    uint64_t offset;
};

static void start(struct subject *s)
{
    *s = (struct subject){0};
    tt_trace_init(&s->trace, NULL);
    s->in = tt_inbox_create(&s->trace, WORKERS);
    assert_non_null(s->in);
    for (int i = 0; i < WORKERS; i++)
        s->decoder[i] = tt_decoder_create(false);
}

static void stop(struct subject *s)
{
    tt_inbox_free(s->in);
    tt_trace_release(&s->trace);
    for (int i = 0; i < WORKERS; i++)
        tt_decoder_free(s->decoder[i]);
}

/* Decodes elements, each with its comma, and lets the inbox learn of them. */
static struct tt_batch *learn(struct subject *s, size_t worker,
                              const char *text)
{
    struct tt_batch *b = tt_batch_create();
    size_t len = strlen(text);

    assert_non_null(b);
    assert_int_equal(tt_decoder_run(s->decoder[worker], text, len, s->offset,
                                    b),
                     T2T_OK);
    assert_int_equal(b->end, TT_BATCH_CLEAN);
    assert_int_equal(tt_inbox_learn(s->in, b, worker, NULL), T2T_OK);
    return b;
}

static void take(struct subject *s, size_t worker, const char *text)
{
    size_t len = strlen(text);

    for (size_t at = 0; at < len;) { /* more than a batch takes */
        struct tt_batch *b = learn(s, worker, text + at);

        assert_int_equal(tt_inbox_take(s->in, b, worker, NULL), T2T_OK);
        at += b->consumed;
        s->offset += b->consumed;
        tt_batch_free(b);
    }
}

static void assert_string(const struct tt_trace *t, uint64_t number,
                          const char *text)
{
    assert_true(number < t->strings.count);
    assert_int_equal(t->strings.item[number].len, strlen(text));
    assert_memory_equal(t->strings.item[number].ptr, text, strlen(text));
}

/* ---- numbers ------------------------------------------------------------- */

static void test_strings_are_numbered_as_the_file_uses_them(void **state)
{
    struct subject s;
    struct tt_batch *late;

    (void)state;
    start(&s);
    /* decoded first, taken last */
    late = learn(&s, 0, "{\"name\":\"c\"},{\"name\":\"b\"},{\"name\":\"a\"},");
    take(&s, 1, "{\"name\":\"a\"},{\"name\":\"b\"},");
    assert_int_equal(tt_inbox_take(s.in, late, 0, NULL), T2T_OK);
    tt_batch_free(late);
    assert_int_equal(s.trace.strings.count, 4);
    assert_string(&s.trace, 0, "{\"name\":\x01}");
    assert_string(&s.trace, 1, "a");
    assert_string(&s.trace, 2, "b");
    assert_string(&s.trace, 3, "c");
    for (size_t i = 0; i < 5; i++) {
        static const uint32_t names[] = {1, 2, 3, 2, 1};
        const struct tt_other *o = tt_trace_other(&s.trace, i);

        assert_int_equal(o->name, names[i]);
        assert_int_equal(o->position, i);
    }
    stop(&s);
}

static void test_what_was_decoded_in_vain_leaves_no_string(void **state)
{
    struct subject s;

    (void)state;
    start(&s);
    tt_batch_free(learn(&s, 0, "{\"name\":\"vain\"},{\"name\":\"used\"},"));
    take(&s, 0, "{\"name\":\"used\"},");
    assert_int_equal(s.trace.strings.count, 2);
    assert_string(&s.trace, 1, "used");
    assert_int_equal(s.trace.element_count, 1);
    stop(&s);
}

/* Elements that go to workers in some way; it must not matter in which. */
static const char *const texts[] = {
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":\"t\","
    "\"ts\":1,\"dur\":1,\"args\":{\"s\":\"x\"}},",
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":\"t\",\"ts\":1},",
    "5,{\"ph\":\"s\",\"cat\":\"fwdbwd\",\"id\":\"x\",\"ts\":1},",
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":\"t\","
    "\"args\":{\"name\":\"k\"}},",
    "{\"ph\":\"B\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":\"t\","
    "\"ts\":2},",
    "{\"ph\":\"E\",\"pid\":1,\"tid\":\"t\",\"ts\":3,\"x\":\"x\"},",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":\"t\","
    "\"ts\":1,\"dur\":1,\"args\":{\"s\":\"y\"}},",
};

static void test_it_does_not_matter_who_decodes_what(void **state)
{
    struct subject one;

    (void)state;
    start(&one);
    for (size_t i = 0; i < COUNT(texts); i++)
        take(&one, 0, texts[i]);
    tt_inbox_finish(one.in);
    /* every way to give the texts to two workers, and three in turn */
    for (unsigned way = 0; way <= 1u << COUNT(texts); way++) {
        struct subject s;

        start(&s);
        for (size_t i = 0; i < COUNT(texts); i++)
            take(&s, way >> COUNT(texts) ? i % 3 : way >> i & 1, texts[i]);
        tt_inbox_finish(s.in);
        assert_same_trace(&s.trace, &one.trace);
        stop(&s);
    }
    stop(&one);
}

/* Gives all texts to decoders in turn, again and again, with names and lanes of
 * their own; `tidy`: decoders may forget between batches. */
static void take_much(struct subject *s, bool tidy, unsigned *times)
{
    char text[4000];

    for (unsigned i = 0; i < 4000; i++) {
        size_t worker = i % 2;
        struct tt_batch *b;

        if (tidy)
            tt_decoder_tidy(s->decoder[worker]);
        (void)snprintf(text, sizeof(text),
                       "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":"
                       "\"n%u%0900d\",\"pid\":%u,\"tid\":\"t%u\",\"ts\":%u,"
                       "\"dur\":1,\"args\":{\"k%u\":[%u]}},%s",
                       i, 0, i % 900, i % 700, i, i % 500, i % 300,
                       texts[i % COUNT(texts)]);
        b = learn(s, worker, text);
        *times += b->forgets;
        assert_int_equal(tt_inbox_take(s->in, b, worker, NULL), T2T_OK);
        s->offset += strlen(text);
        tt_batch_free(b);
    }
}

static void test_it_does_not_matter_what_is_forgotten(void **state)
{
    struct subject a;
    struct subject b;
    unsigned times = 0;

    (void)state;
    start(&a);
    start(&b);
    take_much(&a, false, &times);
    assert_int_equal(times, 0);
    take_much(&b, true, &times);
    assert_true(times >= 2); /* both */
    assert_same_trace(&a.trace, &b.trace);
    stop(&a);
    stop(&b);
}

static void test_shapes_and_slots_get_numbers_of_the_index(void **state)
{
    struct subject s;
    struct tt_batch *b;

    (void)state;
    start(&s);
    take(&s, 0, "{\"x\":\"one\"},");
    b = learn(&s, 1, "{\"n\":77,\"y\":\"two\"},{\"x\":\"one\"},{\"n\":1},");
    assert_int_equal(tt_inbox_take(s.in, b, 1, NULL), T2T_OK);
    assert_int_equal(s.trace.shapes.count, 3);
    assert_string(&s.trace, s.trace.shapes.string[0], "{\"x\":\x08}");
    assert_string(&s.trace, s.trace.shapes.string[1],
                  "{\"n\":\x06,\"y\":\x08}");
    assert_int_equal(b->element[0].shape, 1);
    assert_int_equal(b->element[1].shape, 0);
    assert_int_equal(b->element[2].shape, 2);
    assert_int_equal(b->slot[0], 77);
    assert_string(&s.trace, b->slot[1], "\"two\"");
    assert_string(&s.trace, b->slot[2], "\"one\"");
    assert_int_equal(b->slot[3], 1);
    tt_batch_free(b);
    stop(&s);
}

/* ---- where elements go --------------------------------------------------- */

static const struct {
    const char *text;
    bool is_node;
} placed[] = {
    {"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1},", true},
    {"{\"ph\":\"X\",\"cat\":\"python_function\",\"ts\":-1},", true},
    {"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"ts\":1},", true},
    {"{\"ph\":\"X\",\"cat\":\"gpu_memset\",\"ts\":1},", true},
    {"{\"ph\":\"B\",\"cat\":\"cpu_op\",\"ts\":1},", true},
    {"{\"ph\":\"E\",\"cat\":\"cpu_op\",\"ts\":1},", false},
    {"{\"ph\":\"i\",\"cat\":\"cpu_op\",\"ts\":1},", false},
    {"{\"ph\":\"X\",\"cat\":\"cpu_op\"},", false},
    {"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":null},", false},
    {"{\"ph\":\"X\",\"cat\":\"overhead\",\"ts\":1},", false},
    {"{\"ph\":\"X\",\"ts\":1},", false},
    {"{\"cat\":\"cpu_op\",\"ts\":1},", false},
    {"{},", false},
    {"[],", false},
    {"1,", false},
};

static void test_timed_calls_of_a_layer_are_nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(placed); i++) {
        struct subject s;

        start(&s);
        take(&s, 0, placed[i].text);
        assert_int_equal(s.trace.element_count, 1);
        assert_int_equal(s.trace.node_count, placed[i].is_node);
        assert_int_equal(s.trace.others.count, !placed[i].is_node);
        stop(&s);
    }
}

static void test_a_lane_counts_all_its_elements(void **state)
{
    struct subject s;

    (void)state;
    start(&s);
    take(&s, 0,
         "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"ts\":5},"
         "{\"ph\":\"i\",\"cat\":\"cpu_op\",\"pid\":\"1\",\"ts\":5},"
         "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":1,\"ts\":5},"
         "{\"pid\":1},7,"
         "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"ts\":4},");
    assert_int_equal(s.trace.lane_count, 3);
    assert_int_equal(s.trace.lane[0].element_count, 3);
    assert_int_equal(s.trace.lane[1].element_count, 1);
    assert_int_equal(s.trace.lane[2].element_count, 1);
    assert_int_equal(s.trace.gpu_count, 1);
    assert_int_equal(s.trace.lane[0].runs, 1);
    assert_int_equal(s.trace.lane[1].runs, 0);
    /* one thread of three sides */
    assert_int_equal(s.trace.thread_count, 1);
    stop(&s);
}

static const struct {
    const char *text;
    bool correlation;
    bool engine;
} noticed[] = {
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"cuda_runtime\","
     "\"args\":{\"correlation\":1}},",
     true, false},
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"cuda_runtime\","
     "\"args\":{\"correlation\":0}},",
     false, false},
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"cuda_runtime\","
     "\"args\":{\"correlation\":-1}},",
     false, false},
    {"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"args\":{\"correlation\":1}},",
     false, false},
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"kernel\",\"args\":{\"correlation\":1}},",
     false, false},
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"cpu_op\","
     "\"name\":\"autograd::engine::evaluate_function: x\"},",
     false, true},
    {"{\"ph\":\"X\",\"ts\":1,\"cat\":\"python_function\","
     "\"name\":\"autograd::engine::evaluate_function: x\"},",
     false, false},
};

static void test_later_steps_are_told_what_there_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(noticed); i++) {
        struct subject s;

        start(&s);
        take(&s, 0, noticed[i].text);
        assert_int_equal(s.trace.has_correlation, noticed[i].correlation);
        assert_int_equal(s.trace.has_engine, noticed[i].engine);
        stop(&s);
    }
}

static void test_elements_without_a_category_share_one(void **state)
{
    struct subject s;

    (void)state;
    start(&s);
    take(&s, 0,
         "{\"cat\":\"a\"},{},{\"cat\":5},3,{\"cat\":\"b\"},"
         "{\"cat\":\"\"},");
    assert_int_equal(s.trace.categories.count, 4);
    assert_int_equal(s.trace.none_category, 1);
    assert_int_equal(s.trace.categories.string[1], TT_NO_STRING);
    for (size_t i = 0; i < 6; i++) {
        static const uint16_t numbers[] = {0, 1, 1, 1, 2, 3};

        assert_int_equal(tt_trace_other(&s.trace, i)->category, numbers[i]);
    }
    stop(&s);
}

/* ---- pairs --------------------------------------------------------------- */

#define B(name, ts) "{\"ph\":\"B\",\"cat\":\"cpu_op\",\"ts\":" #ts "},"
#define E(ts) "{\"ph\":\"E\",\"ts\":" #ts "},"

/* Texts and the ends of their first B events, in ns. */
static const struct {
    const char *text;
    int64_t ends[3];
    uint64_t unmatched;
    uint64_t unclosed;
} pairs[] = {
    {B(a, 1) E(5), {5000}, 0, 0},
    {B(a, 1) B(b, 2) E(3) E(9), {9000, 3000}, 0, 0},
    {B(a, 1) E(2) B(b, 3) E(4), {2000, 4000}, 0, 0},
    {B(a, 5) E(3), {5000}, 0, 0},
    {E(1) B(a, 2) E(3) E(4), {3000}, 2, 0},
    {B(a, 1) B(b, 2) E(3), {3000, 3000}, 0, 1},
    {B(a, 1) B(b, 2), {2000, 2000}, 0, 2},
    {B(a, 1) "{\"ph\":\"X\",\"ts\":4,\"dur\":6},", {10000}, 0, 1},
    {B(a, 1) "{\"ph\":\"i\",\"ts\":40},", {1000}, 0, 1},
    {B(a, 1) "{\"ph\":\"X\",\"ts\":9,\"tid\":2},", {1000}, 0, 1},
    {B(a, 1) "{\"ph\":\"E\",\"ts\":9,\"tid\":2},", {1000}, 1, 1},
    {B(a, 1) "{\"ph\":\"E\"}," E(4), {4000}, 0, 0},
    {B(a, 1) "{\"ph\":\"E\",\"cat\":\"kernel\",\"ts\":7},", {7000}, 0, 0},
};

static void test_b_and_e_of_a_thread_are_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct subject s;
        const struct tt_lane_events *l;

        start(&s);
        take(&s, 0, pairs[i].text);
        tt_inbox_finish(s.in);
        l = &s.trace.lane[s.trace.lane[0].events.count ? 0 : 1];
        assert_true(l->events.count >= 1);
        for (size_t n = 0; n < l->events.count; n++)
            assert_int_equal(tt_lane_event(l, n)->end_ns, pairs[i].ends[n]);
        assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_UNMATCHED_END],
                         pairs[i].unmatched);
        assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_UNCLOSED_BEGIN],
                         pairs[i].unclosed);
        stop(&s);
    }
}

static void test_a_pair_may_be_outside_the_tree(void **state)
{
    struct subject s;

    (void)state;
    start(&s);
    take(&s, 0, "{\"ph\":\"B\",\"cat\":\"user_annotation\",\"ts\":1},");
    for (int i = 0; i < 300; i++) /* the record does not move */
        take(&s, 1, "{\"ph\":\"i\",\"ts\":1},");
    take(&s, 2, E(8));
    assert_int_equal(tt_trace_other(&s.trace, 0)->end_ns, 8000);
    stop(&s);
}

/* ---- names --------------------------------------------------------------- */

static void test_the_last_name_of_a_thread_or_process_counts(void **state)
{
    struct subject s;
    uint32_t *name;

    (void)state;
    start(&s);
    take(&s, 0,
         "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,"
         "\"args\":{\"name\":\"p\"}},"
         "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,"
         "\"args\":{\"name\":\"t\"}},"
         "{\"pid\":1,\"tid\":3},");
    take(&s, 1,
         "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\"1\","
         "\"tid\":9,\"args\":{\"name\":\"q\"}},"
         "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,"
         "\"args\":{\"name\":\"u\"}},"
         "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,"
         "\"args\":{\"name\":5}},");
    name = tt_idmap_get(&s.trace.process_names, TT_ID_INTEGER, 1);
    assert_non_null(name);
    assert_string(&s.trace, *name, "q");
    assert_null(tt_idmap_get(&s.trace.process_names, TT_ID_INTEGER, 2));
    assert_string(&s.trace, s.trace.thread[s.trace.lane[1].thread].name, "u");
    assert_int_equal(s.trace.thread[s.trace.lane[2].thread].name, TT_NO_STRING);
    stop(&s);
}

/* ---- anomalies and limits ------------------------------------------------ */

static void test_anomalies_are_counted_from_the_first_element(void **state)
{
    struct subject s;

    (void)state;
    start(&s);
    take(&s, 0, "{},{\"ph\":\"i\",\"ts\":1},");
    take(&s, 1, "{\"ph\":\"i\",\"ts\":1},7,8,");
    assert_int_equal(s.trace.anomalies.count[TT_ANOMALY_NOT_AN_OBJECT], 2);
    assert_int_equal(s.trace.anomalies.first_position[TT_ANOMALY_NOT_AN_OBJECT],
                     3);
    assert_int_equal(s.trace.anomalies.first_offset[TT_ANOMALY_NOT_AN_OBJECT],
                     21 + 18);
    assert_int_equal(s.trace.anomalies.first_position[TT_ANOMALY_NO_PHASE], 0);
    stop(&s);
}

static void test_there_are_at_most_65535_categories(void **state)
{
    const uint32_t most = 65535;
    size_t cap = (size_t)most * 20 + 64;
    char *text = malloc(cap);
    struct t2t_error err;
    struct subject s;
    struct tt_batch *b;
    size_t len = 0;

    (void)state;
    assert_non_null(text);
    for (uint32_t i = 0; i < most; i++)
        len += (size_t)snprintf(text + len, cap - len, "{\"cat\":\"%u\"},", i);
    start(&s);
    take(&s, 0, text);
    take(&s, 0, "{},{\"cat\":\"7\"},{\"cat\":null},"); /* none is beside them */
    assert_int_equal(s.trace.categories.count, most + 1);
    b = learn(&s, 0, "{\"cat\":\"8\"},{\"cat\":\"one more\"},");
    assert_int_equal(tt_inbox_take(s.in, b, 0, &err), T2T_ERR_LIMIT);
    assert_int_equal(err.offset, s.offset + 12);
    assert_string_equal(err.text, "more than 65535 different categories");
    tt_batch_free(b);
    stop(&s);
    free(text);
}

static void test_there_are_at_most_4294967294_elements(void **state)
{
    struct t2t_error err;
    struct subject s;
    struct tt_batch *b;

    (void)state;
    start(&s);
    s.trace.element_count = 4294967292; /* as if they had been taken */
    s.offset = 1000;
    b = learn(&s, 0, "1,2,3,");
    assert_int_equal(tt_inbox_take(s.in, b, 0, &err), T2T_ERR_LIMIT);
    assert_int_equal(err.offset, 1000);
    assert_string_equal(err.text,
                        "more than 4294967294 elements in traceEvents");
    tt_batch_free(b);
    take(&s, 0, "1,2,");
    assert_int_equal(s.trace.element_count, 4294967294);
    b = learn(&s, 0, "1,");
    assert_int_equal(tt_inbox_take(s.in, b, 0, NULL), T2T_ERR_LIMIT);
    tt_batch_free(b);
    stop(&s);
}

static void test_a_role_gives_dense_numbers(void **state)
{
    static const uint32_t strings[] = {900, 3, 900, 0, 3, 100000};
    static const uint32_t numbers[] = {0, 1, 0, 2, 1, 3};
    struct tt_role role = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(strings); i++)
        assert_int_equal(tt_role_number(&role, strings[i], 4), numbers[i]);
    assert_int_equal(tt_role_number(&role, 7, 4), UINT32_MAX);
    assert_int_equal(tt_role_number(&role, 0, 4), 2);
    assert_int_equal(tt_role_number(&role, 7, 5), 4);
    assert_int_equal(role.string[3], 100000);
    free(role.number);
    free(role.string);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_numbered_as_the_file_uses_them),
        cmocka_unit_test(test_what_was_decoded_in_vain_leaves_no_string),
        cmocka_unit_test(test_it_does_not_matter_who_decodes_what),
        cmocka_unit_test(test_it_does_not_matter_what_is_forgotten),
        cmocka_unit_test(test_shapes_and_slots_get_numbers_of_the_index),
        cmocka_unit_test(test_timed_calls_of_a_layer_are_nodes),
        cmocka_unit_test(test_a_lane_counts_all_its_elements),
        cmocka_unit_test(test_later_steps_are_told_what_there_is),
        cmocka_unit_test(test_elements_without_a_category_share_one),
        cmocka_unit_test(test_b_and_e_of_a_thread_are_pairs),
        cmocka_unit_test(test_a_pair_may_be_outside_the_tree),
        cmocka_unit_test(test_the_last_name_of_a_thread_or_process_counts),
        cmocka_unit_test(test_anomalies_are_counted_from_the_first_element),
        cmocka_unit_test(test_there_are_at_most_65535_categories),
        cmocka_unit_test(test_there_are_at_most_4294967294_elements),
        cmocka_unit_test(test_a_role_gives_dense_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
