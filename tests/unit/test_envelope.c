/* test_envelope.c - pipeline/envelope.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "pipeline/envelope.h"
#include "scratch.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* A document around its array: "before" ends with its "[". */
struct document {
    const char *before;
    const char *behind; /* what follows the "]"; NULL if there is no array */
};

/* What became of it. */
struct outcome {
    enum t2t_status status;
    struct t2t_error err;
    char members[256]; /* "key@offset=value ..." */
    uint64_t duplicates;
    uint64_t first_duplicate;
};

/* Feeds text in pieces of `step`, each in memory of just its size. */
static enum t2t_status feed(struct tt_envelope *e, const char *text,
                            size_t step, uint64_t offset, struct outcome *out)
{
    size_t len = strlen(text);
    enum t2t_status st = T2T_OK;

    for (size_t at = 0; !st && at < len;) {
        size_t piece = len - at < step ? len - at : step;
        char *copy = malloc(piece);
        size_t used;

        assert_non_null(copy);
        memcpy(copy, text + at, piece);
        st = tt_envelope_feed(e, copy, piece, offset + at, &used, &out->err);
        free(copy);
        if (!st)
            assert_int_equal(used, piece);
        at += used;
        if (st == T2T_END)
            assert_int_equal(at, len);
    }
    return st;
}

/* The members, their values taken from the envelope that must have been
 * stored. */
static void describe(const struct tt_envelope *e, const char *stored, char *to,
                     size_t cap)
{
    to[0] = '\0';
    for (size_t i = 0; i < e->members; i++) {
        const struct tt_member_record *m = &e->member[i];
        const struct tt_interned *key = &e->strings->item[m->key];
        size_t len = strlen(to);

        assert_int_equal(m->zero, 0);
        assert_true(m->envelope_offset + m->bytes <= strlen(stored));
        (void)snprintf(to + len, cap - len, "%s%.*s@%u=%.*s", i ? " " : "",
                       (int)key->len, key->ptr, (unsigned)m->document_offset,
                       (int)m->bytes, stored + m->envelope_offset);
    }
}

/* Runs a document whose array takes `array` bytes through an envelope. */
static void run(const struct document *d, size_t step, size_t array,
                struct outcome *out)
{
    struct tt_intern strings = {0};
    struct tt_anomalies anomalies;
    struct tt_damage damage = {.tolerance = T2T_STRICT,
                               .anomalies = &anomalies};
    struct tt_envelope e;
    struct tt_tasks tasks;
    struct tt_writer *w;
    struct scratch s;
    char stored[512];
    uint64_t at = strlen(d->before);

    *out = (struct outcome){.status = T2T_OK};
    make_scratch(&s);
    tt_anomalies_init(&anomalies);
    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    assert_int_equal(tt_writer_create(&w, path_in(&s, "x"), &tasks, NULL),
                     T2T_OK);
    tt_envelope_init(&e, w, &strings, &anomalies, &damage);
    out->status = feed(&e, d->before, step, 0, out);
    if (out->status == T2T_END) {
        assert_non_null(d->behind);
        at += array + 1;
        out->status = tt_envelope_leave(&e, at, &out->err);
        if (!out->status)
            out->status = feed(&e, d->behind, step, at, out);
        at += strlen(d->behind);
    }
    if (!out->status)
        out->status = tt_envelope_finish(&e, at, T2T_OK, &out->err);
    (void)snprintf(stored, sizeof(stored), "%s%s%s", d->before,
                   d->behind ? "]" : "", d->behind ? d->behind : "");
    describe(&e, stored, out->members, sizeof(out->members));
    out->duplicates = anomalies.count[TT_ANOMALY_DUPLICATE_MEMBER];
    out->first_duplicate = anomalies.first_offset[TT_ANOMALY_DUPLICATE_MEMBER];
    tt_envelope_release(&e);
    tt_intern_release(&strings);
    tt_writer_free(w);
    tt_tasks_release(&tasks);
    remove_scratch(&s);
}

/* All steps that a document is fed in. */
static const size_t steps[] = {1, 2, 3, 7, 1000};

static const struct {
    struct document d;
    const char *members;
} documents[] = {
    {{"{\"traceEvents\":[", "}"}, ""},
    {{" \n{ \"traceEvents\" : [", "\n}\n"}, ""},
    {{"[", ""}, ""},
    {{" \t\r\n[", " \n"}, ""},
    {{"{\"a\":1,\"traceEvents\":[", "}"}, "a@5=1"},
    {{"{\"traceEvents\":[", ",\"b\":[2, {}]}"}, "b@1022=[2, {}]"},
    {{"{\"a\": -1.5e3 ,\"traceEvents\":[", ", \"b\":null, \"\":\"\" }"},
     "a@6=-1.5e3 b@1036=null @1045=\"\""},
    {{"{\"trace\\u0045vents\":[", "}"}, ""},
    {{"{\"traceEvents2\":1,\"TraceEvents\":2,\"traceEvent\":3,\"traceEvents\":"
      "[",
      "}"},
     "traceEvents2@16=1 TraceEvents@32=2 traceEvent@47=3"},
    {{"{\"x\":{\"traceEvents\":[1]},\"y\":[[\"]\"]],\"traceEvents\":[", "}"},
     "x@5={\"traceEvents\":[1]} y@29=[[\"]\"]]"},
    {{"{\"k\\n\\u00e9\":\"v\\\"\",\"traceEvents\":[", "}"},
     "k\n\xc3\xa9@13=\"v\\\"\""},
    {{"{\"traceEvents\":[", ",\"x\":{\"traceEvents\":[]}}"},
     "x@1022={\"traceEvents\":[]}"},
};

static void test_the_array_is_found_and_members_are_listed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++) {
        for (size_t n = 0; n < COUNT(steps); n++) {
            struct outcome out;

            run(&documents[i].d, steps[n], 1000, &out);
            assert_int_equal(out.status, T2T_OK);
            assert_string_equal(out.members, documents[i].members);
            assert_int_equal(out.duplicates, 0);
        }
    }
}

static void test_a_member_that_is_there_twice_is_counted(void **state)
{
    static const struct document d = {
        "{\"a\":1,\"b\":2,\"a\":3,\"traceEvents\":[", ",\"\\u0061\":4}"};

    (void)state;
    for (size_t n = 0; n < COUNT(steps); n++) {
        struct outcome out;

        run(&d, steps[n], 0, &out);
        assert_int_equal(out.status, T2T_OK);
        assert_string_equal(out.members, "a@5=1 b@11=2 a@17=3 a@45=4");
        assert_int_equal(out.duplicates, 2);
        assert_int_equal(out.first_duplicate, 17);
    }
}

#define NOT_A_TRACE T2T_ERR_NOT_A_TRACE
#define SYNTAX T2T_ERR_JSON_SYNTAX
#define NONE T2T_NO_OFFSET

static const struct {
    struct document d;
    enum t2t_status status;
    uint64_t offset;
    const char *text; /* NULL: any */
} refused[] = {
    {{"", NULL}, T2T_ERR_TRUNCATED, 0, "it is empty"},
    {{" \n", NULL}, T2T_ERR_TRUNCATED, 2, "it is empty"},
    {{"{}", NULL},
     NOT_A_TRACE,
     NONE,
     "no traceEvents array at the top of the document"},
    {{"{\"a\":1,\"b\\n\":[]}", NULL},
     NOT_A_TRACE,
     NONE,
     "no traceEvents array at the top of the document, only a, b?"},
    {{"42", NULL}, NOT_A_TRACE, NONE, NULL},
    {{"\"traceEvents\"", NULL}, NOT_A_TRACE, NONE, NULL},
    {{"null", NULL}, NOT_A_TRACE, NONE, NULL},
    {{"{\"x\":{\"traceEvents\":[]}}", NULL}, NOT_A_TRACE, NONE, NULL},
    {{"{\"traceEvents\":{}}", NULL},
     NOT_A_TRACE,
     15,
     "traceEvents is no array"},
    {{"{\"traceEvents\": null}", NULL}, NOT_A_TRACE, 16, NULL},
    {{"{\"traceEvents\":5}", NULL}, NOT_A_TRACE, 15, NULL},
    {{"{\"traceEvents\":[", ",\"traceEvents\":[]}"},
     NOT_A_TRACE,
     31,
     "traceEvents is there twice; build --salvage keeps the first"},
    {{"{\"traceEvents\":[", ",\"traceEvents\":1}"}, NOT_A_TRACE, 31, NULL},
    {{"{\"a\":1", NULL}, T2T_ERR_TRUNCATED, 6, "the document is cut short"},
    {{"{\"a\":\"", NULL}, T2T_ERR_TRUNCATED, 6, NULL},
    {{"{\"traceEvents\"", NULL}, T2T_ERR_TRUNCATED, 14, NULL},
    {{"{\"traceEvents\":[", ""}, T2T_ERR_TRUNCATED, 17, NULL},
    {{"{\"traceEvents\":[", ",\"a\":[1"}, T2T_ERR_TRUNCATED, 24, NULL},
    {{"[", "]"}, T2T_ERR_EXTRA_DATA, 2, "more text follows the document"},
    {{"[", " x"}, T2T_ERR_EXTRA_DATA, 3, NULL},
    {{"{\"traceEvents\":[", "}{"}, T2T_ERR_EXTRA_DATA, 18, NULL},
    {{"{\"traceEvents\":[", "]"}, SYNTAX, 17, NULL},
    {{"{\"traceEvents\":[", ",}"}, SYNTAX, 18, NULL},
    {{"{\"traceEvents\":[", " \"a\":1}"}, SYNTAX, 18, NULL},
    {{"{a:1}", NULL}, SYNTAX, 1, NULL},
    {{"x", NULL}, SYNTAX, 0, NULL},
    {{"{\"a\":1,,\"traceEvents\":[]}", NULL}, SYNTAX, 7, NULL},
    {{"{\"a\":\"\x01\"}", NULL}, T2T_ERR_JSON_CONTROL_CHAR, 6, NULL},
    {{"{\"a\":\"\\x\"}", NULL}, T2T_ERR_JSON_ESCAPE, 7, NULL},
    {{"{\"a\xff\":1}", NULL}, T2T_ERR_UTF8, 3, NULL},
    {{"{\"a\":1.}", NULL}, T2T_ERR_JSON_NUMBER, 7, NULL},
    {{"{\"a\":NaN}", NULL}, T2T_ERR_JSON_NUMBER, 5, NULL},
};

static void
test_other_documents_are_refused_at_their_first_bad_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        for (size_t n = 0; n < COUNT(steps); n++) {
            struct outcome out;

            run(&refused[i].d, steps[n], 0, &out);
            assert_string_equal(t2t_status_text(out.status),
                                t2t_status_text(refused[i].status));
            assert_int_equal(out.err.code, refused[i].status);
            assert_int_equal(out.err.offset, refused[i].offset);
            if (refused[i].text)
                assert_string_equal(out.err.text, refused[i].text);
        }
    }
}

static void test_a_long_list_of_keys_is_cut(void **state)
{
    struct document d = {NULL, NULL};
    char text[512] = "{";
    struct outcome out;

    (void)state;
    for (int i = 0; i < 9; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
                       "%s\"key%d\":%d", i ? "," : "", i, i);
    (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "}");
    d.before = text;
    run(&d, 5, 0, &out);
    assert_string_equal(out.err.text,
                        "no traceEvents array at the top of the document, "
                        "only key0, key1, key2, key3, key4, key5");
    memset(text + 2, 'k', 300); /* a key too long to be said */
    memcpy(text + 302, "\":1}", 5);
    run(&d, 5, 0, &out);
    assert_string_equal(out.err.text,
                        "no traceEvents array at the top of the document");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_array_is_found_and_members_are_listed),
        cmocka_unit_test(test_a_member_that_is_there_twice_is_counted),
        cmocka_unit_test(
            test_other_documents_are_refused_at_their_first_bad_byte),
        cmocka_unit_test(test_a_long_list_of_keys_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
