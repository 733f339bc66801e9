/* test_assemble.c - pipeline/assemble.h: chunks cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "folder.h"
#include "pipeline/assemble.h"
#include "same_trace.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define WORKERS 2
#define MOST_CUTS 40

/* A document with its array, cut into chunks at these offsets. */
struct text {
    const char *ptr;
    size_t len;
    size_t array; /* where the array's text begins */
    size_t cut[MOST_CUTS];
    size_t cuts;
};

/* What became of it; release it. */
struct outcome {
    enum t2t_status status;
    struct t2t_error err;
    struct tt_trace trace;
};

/* All that the assembly works with. */
struct subject {
    struct tt_writer *writer;
    struct tt_inbox *inbox;
    struct tt_decoder *decoder[WORKERS];
    struct tt_assembly a;
    struct tt_tasks tasks;
};

static int remove_empty_folder(void **state)
{
    assert_int_equal(count_files(&scratch), 0);
    return remove_folder(state);
}

static void start(struct subject *s, struct outcome *out)
{
    const struct t2t_build_options strict = {.tolerance = T2T_STRICT};

    *out = (struct outcome){.status = T2T_OK};
    tt_trace_init(&out->trace, NULL);
    assert_int_equal(tt_tasks_init(&s->tasks), T2T_OK);
    assert_int_equal(tt_writer_create(&s->writer, path_in(&scratch, "x"),
                                      &s->tasks, NULL),
                     T2T_OK);
    s->inbox = tt_inbox_create(&out->trace, WORKERS + 1);
    assert_non_null(s->inbox);
    for (int i = 0; i < WORKERS; i++)
        s->decoder[i] = tt_decoder_create(false);
    assert_int_equal(tt_assembly_init(&s->a, &out->trace, s->inbox, WORKERS,
                                      s->writer, &strict, NULL),
                     T2T_OK);
}

static void stop(struct subject *s)
{
    tt_assembly_release(&s->a);
    for (int i = 0; i < WORKERS; i++)
        tt_decoder_free(s->decoder[i]);
    tt_inbox_free(s->inbox);
    tt_writer_free(s->writer);
    tt_tasks_release(&s->tasks);
}

/* A chunk as a worker leaves it, in memory of just its size. */
static struct tt_chunk *make_chunk(struct subject *s, const char *text,
                                   size_t len, uint64_t offset, size_t worker)
{
    struct tt_chunk *c = calloc(1, sizeof(*c));

    assert_non_null(c);
    c->memory = malloc(len ? len : 1);
    assert_non_null(c->memory);
    memcpy(c->memory, text, len);
    c->text = c->memory;
    c->len = len;
    c->offset = offset;
    c->worker = worker;
    c->batch = tt_batch_create();
    assert_int_equal(tt_decoder_run(s->decoder[worker], c->text, len, offset,
                                    c->batch),
                     T2T_OK);
    return c;
}

static void take_chunks(struct subject *s, const struct text *t,
                        struct outcome *out)
{
    size_t at = t->array;

    for (size_t i = 0; !out->status && i <= t->cuts; i++) {
        size_t end = i < t->cuts ? t->cut[i] : t->len;
        struct tt_chunk *c =
            make_chunk(s, t->ptr + at, end - at, at, i % WORKERS);

        out->status = tt_assembly_take(&s->a, c, &out->err);
        tt_chunk_free(c);
        at = end;
    }
}

static void assemble(const struct text *t, struct outcome *out)
{
    struct subject s;
    size_t used;

    start(&s, out);
    assert_int_equal(tt_envelope_feed(&s.a.envelope, t->ptr, t->array, 0, &used,
                                      NULL),
                     T2T_END);
    assert_int_equal(used, t->array);
    take_chunks(&s, t, out);
    if (!out->status)
        out->status = tt_assembly_finish(&s.a, t->len, T2T_OK, &out->err);
    if (!out->status)
        tt_inbox_finish(s.inbox);
    stop(&s);
}

static void assert_same_outcome(const struct outcome *a,
                                const struct outcome *b)
{
    assert_string_equal(t2t_status_text(a->status), t2t_status_text(b->status));
    if (!a->status) {
        assert_same_trace(&a->trace, &b->trace);
        return;
    }
    assert_int_equal(a->err.code, b->err.code);
    assert_int_equal(a->err.offset, b->err.offset);
    assert_string_equal(a->err.text, b->err.text);
}

/* Assembles the text with its cuts and compares. */
static void assert_cut(const struct text *t, const struct outcome *whole)
{
    struct outcome out;

    assemble(t, &out);
    assert_same_outcome(&out, whole);
    tt_trace_release(&out.trace);
}

static struct text text_of(const char *document)
{
    struct text t = {.ptr = document, .len = strlen(document)};

    t.array = (size_t)(strchr(document, '[') - document) + 1;
    return t;
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

/* Cuts `t` at some sorted places. */
static void cut_somewhere(struct text *t, size_t cuts, uint32_t *random)
{
    t->cuts = cuts;
    for (size_t i = 0; i < cuts; i++) {
        size_t at = t->array + next_random(random) % (t->len - t->array + 1);
        size_t n = i;

        for (; n && t->cut[n - 1] > at; n--)
            t->cut[n] = t->cut[n - 1];
        t->cut[n] = at;
    }
}

/* Cuts the document once at every place, then often at `rounds` times. */
static void assert_cuts(const char *document, size_t step, size_t rounds,
                        struct outcome *whole)
{
    struct text t = text_of(document);
    uint32_t random = 1;

    assemble(&t, whole);
    t.cuts = 1;
    for (t.cut[0] = t.array; t.cut[0] <= t.len; t.cut[0] += step)
        assert_cut(&t, whole);
    for (size_t i = 0; i < rounds; i++) {
        cut_somewhere(&t, 2 + i % (MOST_CUTS - 2), &random);
        assert_cut(&t, whole);
    }
}

/* ---- whole documents ----------------------------------------------------- */

/* Every element looks like several to whoever begins inside of it. */
static const char nested[] =
    "{\"a\":1,\"traceEvents\":[ "
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o\",\"pid\":1,\"ts\":1,"
    "\"dur\":9,\"args\":{\"l\":[{\"ph\":\"X\",\"ts\":1},{\"ph\":\"X\"},"
    "{\"name\":\"in\"}, {\"b\":[[],{\"c\":{}},{\"d\":1}]}],\"s\":\"},{\\\"x\"}}"
    " , [{\"ph\":\"X\",\"ts\":2},{\"ph\":\"X\",\"ts\":3}],{\"ph\":\"M\"},\n"
    "17,\"},{\\\"ph\\\":\\\"X\\\"},\",{\"ph\":\"B\",\"cat\":\"cpu_op\","
    "\"ts\":\"5\"},{\"ph\":\"E\",\"ts\":1e1,\"ts\":12.0005},null,-0.5e-3 , "
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"tid\":\"\xc3\xa9\\u00e9\\ud83c\","
    "\"ts\":3,\"dur\":{\"e\":[{\"a\":1},{\"b\":2}]}} ] , \"rest\" : [{}, "
    "{\"a\":1},{\"b\":2}] }\n";

static void test_a_document_may_be_cut_anywhere(void **state)
{
    struct outcome whole;

    (void)state;
    assert_cuts(nested, 2, 100, &whole);
    assert_int_equal(whole.status, T2T_OK);
    assert_int_equal(whole.trace.element_count, 10);
    assert_int_equal(whole.trace.node_count, 3);
    tt_trace_release(&whole.trace);
}

static const struct {
    const char *document;
    uint32_t elements;
} small[] = {
    {"[]", 0},
    {" [ ] ", 0},
    {"{\"traceEvents\":[]}", 0},
    {"{\"traceEvents\":[ \n ] , \"b\":[1,2] }", 0},
    {"[1]", 1},
    {"[1,2]", 2},
    {"[ 1 , 2 ] ", 2},
    {"[{}]", 1},
    {"[{},{}]\n", 2},
    {"[[],[[]],[[[]]]]", 3},
    {"[\"]\",\"[\",\",\"]", 3},
    {"[true,false,null,1e5,-0]", 5},
    {"{\"traceEvents\":[{\"a\":\"\\\\\"},{\"b\":\"\\\"\"}],\"c\":\"]}\"}", 2},
};

static void test_small_documents_may_be_cut_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(small); i++) {
        struct outcome whole;

        assert_cuts(small[i].document, 1, 8, &whole);
        assert_int_equal(whole.status, T2T_OK);
        assert_int_equal(whole.trace.element_count, small[i].elements);
        tt_trace_release(&whole.trace);
    }
}

/* ---- damage -------------------------------------------------------------- */

#define GOOD "{\"a\":[{\"b\":1},{\"c\":2}]}"

static const struct {
    const char *document;
    enum t2t_status status;
    uint64_t offset;
} damaged[] = {
    {"[,1]", T2T_ERR_JSON_SYNTAX, 1},
    {"[1,]", T2T_ERR_JSON_SYNTAX, 3},
    {"[1, ]", T2T_ERR_JSON_SYNTAX, 4},
    {"[1,,2]", T2T_ERR_JSON_SYNTAX, 3},
    {"[1 2]", T2T_ERR_JSON_SYNTAX, 3},
    {"[1}", T2T_ERR_JSON_SYNTAX, 2},
    {"[{}{}]", T2T_ERR_JSON_SYNTAX, 3},
    {"[" GOOD "," GOOD "," GOOD "x]", T2T_ERR_JSON_SYNTAX, 72},
    {"[" GOOD ",{\"a\":1,}]", T2T_ERR_JSON_SYNTAX, 32},
    {"[" GOOD ",{\"a\" 1}]", T2T_ERR_JSON_SYNTAX, 30},
    {"[" GOOD ",{a:1}]", T2T_ERR_JSON_SYNTAX, 26},
    {"[" GOOD ",[{\"a\":1},{\"b\":2}}]", T2T_ERR_JSON_SYNTAX, 41},
    {"[" GOOD ",tru]", T2T_ERR_JSON_SYNTAX, 28},
    {"[" GOOD ",{\"a\":01}]", T2T_ERR_JSON_NUMBER, 31},
    {"[" GOOD ",{\"a\":1.}]", T2T_ERR_JSON_NUMBER, 32},
    {"[" GOOD ",{\"a\":1e}]", T2T_ERR_JSON_NUMBER, 32},
    {"[" GOOD ",{\"a\":-}]", T2T_ERR_JSON_NUMBER, 31},
    {"[" GOOD ",{\"a\":NaN}]", T2T_ERR_JSON_NUMBER, 30},
    {"[" GOOD ",{\"ts\":+1}]", T2T_ERR_JSON_NUMBER, 31},
    {"[" GOOD ",{\"a\":\"b\nc\"}]", T2T_ERR_JSON_CONTROL_CHAR, 32},
    {"[" GOOD ",{\"a\":\"b\\c\"}]", T2T_ERR_JSON_ESCAPE, 33},
    {"[" GOOD ",{\"a\":\"b\\u00g0\"}]", T2T_ERR_JSON_ESCAPE, 36},
    {"[" GOOD ",{\"a\":\"\xc3(\"}]", T2T_ERR_UTF8, 32},
    {"[" GOOD ",{\"a\":\"\xed\xa0\x80\"}]", T2T_ERR_UTF8, 32},
    {"[" GOOD ",{\"\xff\":1}]", T2T_ERR_UTF8, 27},
    {"[" GOOD ",{\"a\":1", T2T_ERR_TRUNCATED, 31},
    {"[" GOOD ",{\"a\":\"\xc3", T2T_ERR_TRUNCATED, 32},
    {"[" GOOD ",", T2T_ERR_TRUNCATED, 25},
    {"[" GOOD, T2T_ERR_TRUNCATED, 24},
    {"[", T2T_ERR_TRUNCATED, 1},
    {"[1", T2T_ERR_TRUNCATED, 2},
    {"{\"traceEvents\":[" GOOD "]", T2T_ERR_TRUNCATED, 40},
    {"[" GOOD "]]", T2T_ERR_EXTRA_DATA, 25},
    {"[" GOOD "] {\"a\":1}", T2T_ERR_EXTRA_DATA, 26},
    {"{\"traceEvents\":[" GOOD "]],\"b\":1}", T2T_ERR_JSON_SYNTAX, 40},
    {"{\"traceEvents\":[" GOOD "],\"b\":\"\\x\"}", T2T_ERR_JSON_ESCAPE, 47},
    {"{\"traceEvents\":[" GOOD "],\"traceEvents\":[]}", T2T_ERR_NOT_A_TRACE,
     54},
};

static void test_the_first_bad_byte_is_found_wherever_it_is_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(damaged); i++) {
        struct outcome whole;

        assert_cuts(damaged[i].document, 2, 5, &whole);
        assert_string_equal(t2t_status_text(whole.status),
                            t2t_status_text(damaged[i].status));
        assert_int_equal(whole.err.offset, damaged[i].offset);
        tt_trace_release(&whole.trace);
    }
}

/* A byte of the nested document replaced: whole or not, the cut plays no
 * part. */
static void test_a_changed_byte_is_judged_the_same_however_cut(void **state)
{
    static const char bytes[] = "{}[],:\"\\ 0-e\n\x1f\xff";
    char text[sizeof(nested)];
    uint32_t random = 5;

    (void)state;
    for (size_t at = 16; at < sizeof(nested) - 1; at += 5) {
        struct outcome whole;
        struct text t;

        memcpy(text, nested, sizeof(nested));
        text[at] = bytes[next_random(&random) % (sizeof(bytes) - 1)];
        t = text_of(text);
        if (!strstr(text, "\"traceEvents\":["))
            continue;
        assemble(&t, &whole);
        for (size_t i = 0; i < 3; i++) {
            cut_somewhere(&t, 1 + i * 9, &random);
            assert_cut(&t, &whole);
        }
        tt_trace_release(&whole.trace);
    }
}

/* ---- other answers ------------------------------------------------------- */

static void test_a_chunk_without_memory_ends_it(void **state)
{
    struct tt_chunk c = {.text = "1,", .len = 2, .status = T2T_ERR_NO_MEMORY};
    struct t2t_error err;
    struct outcome out;
    struct subject s;

    (void)state;
    start(&s, &out);
    assert_int_equal(tt_assembly_take(&s.a, &c, &err), T2T_ERR_NO_MEMORY);
    assert_string_equal(err.text, "out of memory");
    stop(&s);
    tt_trace_release(&out.trace);
}

static void test_a_document_without_an_array_is_no_trace(void **state)
{
    struct t2t_error err;
    struct outcome out;
    struct subject s;
    size_t used;

    (void)state;
    start(&s, &out);
    assert_int_equal(tt_envelope_feed(&s.a.envelope, "{\"a\":1}", 7, 0, &used,
                                      NULL),
                     T2T_OK);
    assert_int_equal(tt_assembly_finish(&s.a, 7, T2T_OK, &err),
                     T2T_ERR_NOT_A_TRACE);
    stop(&s);
    tt_trace_release(&out.trace);
}

static void test_a_cut_array_says_how_much_is_whole(void **state)
{
    struct text t = text_of("[1,2,[3");
    struct outcome out;

    (void)state;
    assemble(&t, &out);
    assert_int_equal(out.status, T2T_ERR_TRUNCATED);
    assert_string_equal(out.err.text,
                        "traceEvents is cut short after 2 whole elements");
    tt_trace_release(&out.trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_document_may_be_cut_anywhere),
        cmocka_unit_test(test_small_documents_may_be_cut_anywhere),
        cmocka_unit_test(test_the_first_bad_byte_is_found_wherever_it_is_cut),
        cmocka_unit_test(test_a_changed_byte_is_judged_the_same_however_cut),
        cmocka_unit_test(test_a_chunk_without_memory_ends_it),
        cmocka_unit_test(test_a_document_without_an_array_is_no_trace),
        cmocka_unit_test(test_a_cut_array_says_how_much_is_whole),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_empty_folder);
}
