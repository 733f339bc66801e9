/* test_salvage.c - what t2t_build() repairs, refuses, gives up and tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <trace2tree/trace2tree.h>

#include "folder.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* What was told, such as "json-escape 12@0 repaired; json-syntax 20 10+5/1". */
static void tell(void *context, const struct t2t_damage *d)
{
    char *said = context;
    size_t len = strlen(said);

    len += (size_t)snprintf(said + len, 256 - len, "%s%s %llu", len ? "; " : "",
                            t2t_status_text(d->status),
                            (unsigned long long)d->offset);
    if (d->position != UINT64_MAX)
        len += (size_t)snprintf(said + len, 256 - len, "@%llu",
                                (unsigned long long)d->position);
    if (d->repaired)
        (void)snprintf(said + len, 256 - len, " repaired");
    else
        (void)snprintf(said + len, 256 - len, " %llu+%llu/%u",
                       (unsigned long long)d->lost_offset,
                       (unsigned long long)d->lost_bytes, d->lost_elements);
}

/* Where a text is read from. */
struct reading {
    const char *text;
    size_t len;
};

static int64_t read_text(void *context, void *buf, size_t cap)
{
    struct reading *r = context;
    size_t len = r->len < cap ? r->len : cap;

    memcpy(buf, r->text, len);
    r->text += len;
    r->len -= len;
    return (int64_t)len;
}

/* Keeps the reason of the first damage. */
static void keep_reason(void *context, const struct t2t_damage *d)
{
    const char **reason = context;

    if (!*reason)
        *reason = d->reason ? d->reason : "none";
}

static enum t2t_status build_from(const char *text,
                                  enum t2t_tolerance tolerance, size_t chunk,
                                  char *said, struct t2t_build_result *result,
                                  struct t2t_error *err)
{
    struct reading r = {text, strlen(text)};
    struct t2t_build_options o = {.workers = 2,
                                  .chunk_bytes = chunk,
                                  .tolerance = tolerance,
                                  .tell = said ? tell : NULL,
                                  .tell_context = said};

    return t2t_build_from(read_text, &r, path_in(&scratch, "x.t2t"), &o, result,
                          err);
}

static enum t2t_status build(const char *text, enum t2t_tolerance tolerance,
                             size_t chunk, char said[256],
                             struct t2t_build_result *result,
                             struct t2t_error *err)
{
    said[0] = '\0';
    return build_from(text, tolerance, chunk, said, result, err);
}

/* The document that the index gives back, without line breaks. */
static void get_document(char *out, size_t cap)
{
    struct t2t_error err = {0};
    t2t_index *index;
    FILE *to = fmemopen(out, cap, "w");
    size_t n = 0;

    assert_non_null(to);
    assert_int_equal(t2t_index_open(&index, path_in(&scratch, "x.t2t"), NULL),
                     T2T_OK);
    if (t2t_index_verify(index, &err))
        fail_msg("%s", err.text);
    assert_int_equal(t2t_export_trace(index, to, NULL), T2T_OK);
    t2t_index_close(index);
    assert_int_equal(fclose(to), 0);
    for (size_t i = 0; out[i]; i++)
        if (out[i] != '\n')
            out[n++] = out[i];
    out[n] = '\0';
}

#define EVENT "{\"ph\":\"X\"}"

static const struct {
    const char *text;
    const char *document; /* NULL: refused */
    const char *said;
} repairs[] = {
    {"[" EVENT "]", "[" EVENT "]", ""},
    {"[{\"ph\":\"a\\q\"}]", "[{\"ph\":\"a\\\\q\"}]",
     "json-escape 10@0 repaired"},
    {"[" EVENT ",{\"ts\":NaN}]", "[" EVENT ",{\"ts\":null}]",
     "json-number 18@1 repaired"},
    {"[" EVENT ",]", "[" EVENT "]", "json-syntax 12 repaired"},
    {"[" EVENT, "[" EVENT "]", "truncated 11 repaired"},
    {"{\"a\":inf,\"traceEvents\":[],\"b\":\"\x01\"}",
     "{\"a\":null,\"traceEvents\":[],\"b\":\"\\u0001\"}",
     "json-number 5 repaired; json-control-char 31 repaired"},
    {"[{\"ph\":\"\xe2\x82\"}]", "[{\"ph\":\"\xef\xbf\xbd\xef\xbf\xbd\"}]",
     "utf8 10@0 repaired"},
    {"[{\"\x01\x02\x03\x04\x05\":\"\"}]",
     "[{\"\\u0001\\u0002\\u0003\\u0004\\u0005\":\"\"}]",
     "json-control-char 3@0 repaired"},
    {"[NaN,NaN]", "[null,null]",
     "json-number 1@0 repaired; json-number 5@1 repaired"},
    {"[" EVENT " " EVENT "]", NULL, NULL},
    {"{\"traceEvents\":[" EVENT, NULL, NULL},
};

static const struct {
    const char *text;
    const char *document;
    const char *said;
} losses[] = {
    /* a comma is missing */
    {"[" EVENT " " EVENT "]", "[" EVENT "," EVENT "]", "json-syntax 12 12+0/0"},
    /* an element is damaged; those behind it keep their places */
    {"[" EVENT ",{\"ph\":\"a\"b\"}," EVENT "]", "[" EVENT ",null," EVENT "]",
     "json-syntax 21@1 12+13/1"},
    /* two of them */
    {"[{\"ph\":},{\"ph\":}," EVENT "]", "[null,null," EVENT "]",
     "json-syntax 7@0 1+16/2"},
    /* an object inside a damaged element is none */
    {"[{\"ph\":1,\"args\":{\"a\":1},x}," EVENT "]", "[null," EVENT "]",
     "json-syntax 24@0 1+26/1"},
    /* nor is one that has a phase: a value before or behind the bad byte */
    {"[{\"ph\":1,\"args\":{\"a\":{\"ph\":\"X\"},x}}," EVENT "]",
     "[null," EVENT "]", "json-syntax 32@0 1+35/1"},
    {"[" EVENT ",{\"ph\":1,\"args\":{\"a\":x,\"b\":{\"ph\":\"X\"}}}," EVENT "]",
     "[" EVENT ",null," EVENT "]", "json-syntax 32@1 12+39/1"},
    {"[" EVENT ",{\"ph\":1,\"args\":{x,\"b\":{\"ph\":\"X\"},\"c\":1}}," EVENT
     "]",
     "[" EVENT ",null," EVENT "]", "json-syntax 28@1 12+41/1"},
    /* or one of a list that begins otherwise than events do */
    {"[" EVENT
     ",{\"ph\":1,\"args\":{x,\"b\":[{ \"ph\":\"X\"},{ \"ph\":\"X\"}]}}," EVENT
     "]",
     "[" EVENT ",null," EVENT "]", "json-syntax 28@1 12+50/1"},
    /* an event that stands like a value, but only before it */
    {"[" EVENT ",{\"ph\":1,\"args\":" EVENT "," EVENT "]",
     "[" EVENT ",null," EVENT "," EVENT "]", "json-syntax 38@1 12+15/1"},
    /* an element without a phase is one if it begins like events */
    {"[" EVENT ",{\"ph\":x},{\"ph\":null}," EVENT "]",
     "[" EVENT ",null,{\"ph\":null}," EVENT "]", "json-syntax 18@1 12+9/1"},
    {"[" EVENT ",{\"ph\":x},{\"a\":null}," EVENT "]",
     "[" EVENT ",null," EVENT "]", "json-syntax 18@1 12+20/1"},
    /* what is repaired in the first one behind it, and behind that */
    {"[{\"ph\":},{\"ph\":\"X\",\"a\":\"\\q\"},{\"ts\":inf},]",
     "[null,{\"ph\":\"X\",\"a\":\"\\\\q\"},{\"ts\":null}]",
     "json-syntax 7@0 1+8/1; json-escape 25@1 repaired; "
     "json-number 35@2 repaired; json-syntax 40 repaired"},
    {"[{\"ph\":},{\"ph\":\"X\",\"a\":\"\\q\"},]",
     "[null,{\"ph\":\"X\",\"a\":\"\\\\q\"}]",
     "json-syntax 7@0 1+8/1; json-escape 25@1 repaired; "
     "json-syntax 29 repaired"},
    /* cut */
    {"{\"traceEvents\":[" EVENT ",{\"ph\":\"", "{\"traceEvents\":[" EVENT "]}",
     "truncated 34 27+7/0"},
    {"{\"traceEvents\":[" EVENT ",", "{\"traceEvents\":[" EVENT "]}",
     "truncated 27 27+0/0"},
    /* the array goes on behind a bracket that is none of it */
    {"[" EVENT "]," EVENT "]", "[" EVENT "," EVENT "]", "extra-data 12 11+2/0"},
    /* a comma before it is then none too many, and told once */
    {"[" EVENT ",]," EVENT "]", "[" EVENT "," EVENT "]",
     "extra-data 13 12+2/0"},
    {"[" EVENT ",],", "[" EVENT "]", "extra-data 13 12+2/0"},
    /* the last element is damaged, and what follows the array is kept */
    {"{\"traceEvents\":[{\"ph\":x}],\"b\":2}",
     "{\"traceEvents\":[null],\"b\":2}", "json-syntax 22@0 16+8/1"},
    /* an element that is open at the end has taken in those behind it */
    {"{\"traceEvents\":[" EVENT ",{\"ph\":1,\"args\":{\"l\":[1," EVENT "," EVENT
     "],\"m\":\"s\"}",
     "{\"traceEvents\":[" EVENT ",null," EVENT "," EVENT "],\"m\":\"s\"}",
     "truncated 81@1 27+23/1"},
    /* a key is no element */
    {"[" EVENT ",{\"ph\":1}},\"ts\":1}," EVENT "]",
     "[" EVENT ",{\"ph\":1}," EVENT "]", "json-syntax 20 20+10/0"},
    /* cut behind the array, and behind a member */
    {"{\"traceEvents\":[" EVENT "]", "{\"traceEvents\":[" EVENT "]}",
     "truncated 27 27+0/0"},
    {"{\"traceEvents\":[],\"a\":1 ", "{\"traceEvents\":[],\"a\":1}",
     "truncated 24 23+1/0"},
    {"{\"traceEvents\":[],\"a\":\"s\"", "{\"traceEvents\":[],\"a\":\"s\"}",
     "truncated 25 25+0/0"},
    /* nonsense before the document */
    {"\"a\":1,\"traceEvents\":[" EVENT "]}", "{\"traceEvents\":[" EVENT "]}",
     "extra-data 3 0+21/0"},
    /* members */
    {"{\"a\":1,\"b\":x,\"traceEvents\":[" EVENT "]}",
     "{\"a\":1,\"traceEvents\":[" EVENT "]}", "json-syntax 11 6+22/0"},
    {"{x,\"traceEvents\":[" EVENT "],\"z\":1}",
     "{\"traceEvents\":[" EVENT "],\"z\":1}", "json-syntax 1 0+18/0"},
    {"{\"traceEvents\":[],\"a\":1,\"b\":\"cut", "{\"traceEvents\":[],\"a\":1}",
     "truncated 32 23+9/0"},
    /* the name of the array */
    {"{\"a\":1,traceEvents:[" EVENT "],\"z\":1}",
     "{\"a\":1,\"traceEvents\":[" EVENT "],\"z\":1}", "json-syntax 7 6+14/0"},
    {"{traceEvents\":[" EVENT "]}", "{\"traceEvents\":[" EVENT "]}",
     "json-syntax 1 0+15/0"},
    {"{\"a\":1,\"traceEvents:[" EVENT "]}",
     "{\"a\":1,\"traceEvents\":[" EVENT "]}", "json-syntax 23 6+15/0"},
    {"{\"a\":\"b,\"traceEvents\":[" EVENT "]}",
     "{\"a\":\"b,\",\"traceEvents\":[" EVENT "]}", "json-syntax 9 9+14/0"},
    {"{\"traceEvents\"[" EVENT "]}", "{\"traceEvents\":[" EVENT "]}",
     "json-syntax 14 0+15/0"},
    {"{x,\"\\u0074raceEvents\":[" EVENT "]}", "{\"traceEvents\":[" EVENT "]}",
     "json-syntax 1 0+23/0"},
    /* its bracket */
    {"{\"a\":1,\"traceEvents\":" EVENT "," EVENT "]}",
     "{\"a\":1,\"traceEvents\":[" EVENT "," EVENT "]}",
     "not-a-trace 21 6+15/0"},
    {"{\"traceEvents\":(" EVENT "]}", "{\"traceEvents\":[" EVENT "]}",
     "json-syntax 15 0+16/0"},
    {"{\"traceEvents\":\"ph\":\"X\"}," EVENT "]}",
     "{\"traceEvents\":[" EVENT "]}", "not-a-trace 15 0+25/0"},
    /* others of that name before it and in it */
    {"{\"a\":{x,\"traceEvents\":[1]},\"traceEvents\":[" EVENT "]}",
     "{\"traceEvents\":[" EVENT "]}", "json-syntax 6 0+42/0"},
    {"{x,\"traceEvents\":[{\"ph\":\"X\",\"traceEvents\":[]}]}",
     "{\"traceEvents\":[{\"ph\":\"X\",\"traceEvents\":[]}]}",
     "json-syntax 1 0+18/0"},
    /* a brace is missing, which shows at the end */
    {"{\"a\":1,\"b\":{\"traceEvents\":[" EVENT "],\"z\":1}",
     "{\"a\":1,\"traceEvents\":[" EVENT "],\"z\":1}", "truncated 45 6+21/0"},
    /* no name is left */
    {"xx," EVENT "," EVENT "]", "[" EVENT "," EVENT "]", "json-syntax 0 0+3/0"},
    {EVENT "," EVENT "]", "[" EVENT "," EVENT "]", "extra-data 10 0+0/0"},
    {"\x01\x02\x03\x04\x05,{\"a\":1}," EVENT "]}",
     "{\"traceEvents\":[" EVENT "]}", "json-syntax 0 0+14/0"},
    /* more text behind the document */
    {"[" EVENT "][" EVENT "]", "[" EVENT "]", "extra-data 12 12+12/0"},
};

static void test_values_are_repaired_the_structure_is_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(repairs); i++)
        for (size_t chunk = 1; chunk <= 64; chunk = chunk * 2 + 1) {
            struct t2t_build_result result = {0};
            char said[256];
            char document[512] = "";
            enum t2t_status st =
                build(repairs[i].text, T2T_REPAIR, chunk, said, &result, NULL);

            if (!repairs[i].document) {
                assert_true(st < 0);
                continue;
            }
            assert_int_equal(st, T2T_OK);
            get_document(document, sizeof(document));
            assert_string_equal(document, repairs[i].document);
            assert_string_equal(said, repairs[i].said);
            assert_int_equal(result.loss_count, 0);
            st = build(repairs[i].text, T2T_STRICT, chunk, said, NULL, NULL);
            assert_int_equal(st < 0, repairs[i].said[0] != '\0');
            assert_string_equal(said, "");
        }
}

static void test_what_is_whole_is_salvaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(losses); i++)
        for (size_t chunk = 1; chunk <= 64; chunk = chunk * 2 + 1) {
            struct t2t_build_result result = {0};
            struct t2t_loss loss;
            t2t_index *index;
            char said[256];
            char document[512] = "";

            assert_true(
                build(losses[i].text, T2T_REPAIR, chunk, said, NULL, NULL) < 0);
            assert_int_equal(build(losses[i].text, T2T_SALVAGE, chunk, said,
                                   &result, NULL),
                             T2T_OK);
            get_document(document, sizeof(document));
            assert_string_equal(document, losses[i].document);
            assert_string_equal(said, losses[i].said);
            assert_int_equal(result.loss_count, 1);
            assert_int_equal(t2t_index_open(&index, path_in(&scratch, "x.t2t"),
                                            NULL),
                             T2T_OK);
            assert_int_equal(t2t_index_loss(index, 0, &loss), T2T_OK);
            assert_int_equal(loss.bytes, result.lost_bytes);
            assert_int_equal(loss.element_count, result.lost_count);
            assert_int_equal(t2t_index_loss(index, 1, &loss), T2T_NOT_FOUND);
            t2t_index_close(index);
        }
}

static void test_repairs_are_salvaged_too(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(repairs); i++) {
        struct t2t_build_result result = {0};
        char said[256];
        char document[512] = "";

        if (!repairs[i].document)
            continue;
        assert_int_equal(build(repairs[i].text, T2T_SALVAGE, 0, said, &result,
                               NULL),
                         T2T_OK);
        get_document(document, sizeof(document));
        assert_string_equal(document, repairs[i].document);
        assert_string_equal(said, repairs[i].said);
        assert_int_equal(result.loss_count, 0);
    }
}

static void test_without_an_array_there_is_nothing_to_salvage(void **state)
{
    static const struct {
        const char *text;
        enum t2t_status status;
    } rows[] = {
        {"", T2T_ERR_TRUNCATED},
        {"{\"a\":x}", T2T_ERR_JSON_SYNTAX},
        {"{\"a\":1}", T2T_ERR_NOT_A_TRACE},
        {"{\"a\":\"cut", T2T_ERR_TRUNCATED},
        {"{\"traceEvents\":1}", T2T_ERR_NOT_A_TRACE},
        {"{\"traceEvents\":{\"a\":{\"ph\":7}}}", T2T_ERR_NOT_A_TRACE},
        {"{\"a\":\"traceEvents", T2T_ERR_TRUNCATED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char said[256];

        assert_int_equal(build(rows[i].text, T2T_SALVAGE, 0, said, NULL, NULL),
                         rows[i].status);
    }
}

static void test_the_reason_is_told_that_a_build_gives(void **state)
{
    static const char *const texts[] = {
        "[" EVENT " " EVENT "]",
        "[" EVENT "] x",
        "[" EVENT ",{\"a\" 1}]",
        "{\"a\":1,\"b\":x,\"traceEvents\":[" EVENT "]}",
        "{\"traceEvents\":[" EVENT "],\"b\":}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct reading r = {texts[i], strlen(texts[i])};
        const char *reason = NULL;
        struct t2t_build_options o = {.tolerance = T2T_SALVAGE,
                                      .tell = keep_reason,
                                      .tell_context = &reason};
        struct t2t_error err;

        assert_int_equal(t2t_build_from(read_text, &r,
                                        path_in(&scratch, "x.t2t"), &o, NULL,
                                        NULL),
                         T2T_OK);
        assert_true(build_from(texts[i], T2T_REPAIR, 0, NULL, NULL, &err) < 0);
        assert_non_null(reason);
        assert_string_equal(reason, err.text);
    }
}

/* Each of many events lacks a bracket and so takes in all that follow it. */
static void test_a_bracket_that_is_missing_costs_its_event(void **state)
{
    static const char event[] =
        "{\"ph\":\"X\",\"args\":{\"list\":[1,2,\"%0200d\"]}},\n";
    static const char hole[] = "{\"ph\":\"X\",\"args\":{\"list\":[\n";
    enum { HOLES = 4000, BETWEEN = 4 }; /* deeper than may be, too */
    const size_t cap = HOLES * (BETWEEN + 1) * 300 + 100;
    char *text = malloc(cap);
    size_t len;

    (void)state;
    assert_non_null(text);
    len = (size_t)snprintf(text, cap, "{\"traceEvents\":[\n");
    for (int i = 0; i < HOLES; i++) {
        for (int k = 0; k < BETWEEN; k++)
            len += (size_t)snprintf(text + len, cap - len, event, i);
        len += (size_t)snprintf(text + len, cap - len, hole);
    }
    (void)snprintf(text + len, cap - len, EVENT "," EVENT "],\"end\":1}");
    for (size_t chunk = 777; chunk < 1000000; chunk *= 40) {
        struct t2t_build_result result = {0};
        struct t2t_loss loss;
        t2t_index *index;

        assert_int_equal(build_from(text, T2T_SALVAGE, chunk, NULL, &result,
                                    NULL),
                         T2T_OK);
        assert_int_equal(result.element_count, HOLES * (BETWEEN + 1) + 2);
        assert_int_equal(result.lost_count, HOLES);
        assert_int_equal(result.loss_count, HOLES);
        assert_int_equal(t2t_index_open(&index, path_in(&scratch, "x.t2t"),
                                        NULL),
                         T2T_OK);
        assert_int_equal(t2t_index_loss(index, HOLES / 2, &loss), T2T_OK);
        assert_int_equal(loss.position, HOLES / 2 * (BETWEEN + 1) + BETWEEN);
        assert_int_equal(loss.bytes, sizeof(hole) - 1);
        /* only the first says where a build ends */
        assert_int_equal(loss.damage_offset, loss.offset + loss.bytes);
        t2t_index_close(index);
    }
    free(text);
}

/* Gives a head, very much space, and the rest. */
struct wide {
    struct reading head;
    size_t space;
    struct reading rest;
};

static int64_t read_wide(void *context, void *buf, size_t cap)
{
    struct wide *w = context;
    size_t len = w->space < cap ? w->space : cap;

    if (w->head.len || !len)
        return read_text(w->head.len ? &w->head : &w->rest, buf, cap);
    memset(buf, ' ', len);
    w->space -= len;
    return (int64_t)len;
}

/* Whether to do all that can be done: some of it takes minutes where every
 * access to memory is looked at. */
static bool is_long(void)
{
    const char *text = getenv("T2T_LONG");

    return text && *text && strcmp(text, "0");
}

static void test_the_array_is_found_far_behind_damage(void **state)
{
    static const struct {
        const char *head;
        const char *rest;
        const char *document;
    } rows[] = {
        {"{\"a\":1,\"b\":x", "\"traceEvents\":[" EVENT "]}",
         "{\"a\":1,\"traceEvents\":[" EVENT "]}"},
        {"{\"a\":1,\"b\":", "x\"traceEvents\":[" EVENT "]}",
         "{\"a\":1,\"traceEvents\":[" EVENT "]}"},
        {"{\"a\":1,\"traceEvents\":[" EVENT, EVENT "],\"b\":2}",
         "{\"a\":1,\"traceEvents\":[" EVENT "," EVENT "],\"b\":2}"},
        {"{\"a\":1,\"traceEvents:[", EVENT "," EVENT "],\"b\":2}",
         "{\"a\":1,\"traceEvents\":[" EVENT "," EVENT "],\"b\":2}"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct wide w = {{rows[i].head, strlen(rows[i].head)},
                         (size_t)(!i || is_long() ? 140 : 2) << 20,
                         {rows[i].rest, strlen(rows[i].rest)}};
        struct t2t_build_options o = {.tolerance = T2T_SALVAGE};
        struct t2t_build_result result = {0};
        char document[512] = "";

        assert_int_equal(t2t_build_from(read_wide, &w,
                                        path_in(&scratch, "x.t2t"), &o, &result,
                                        NULL),
                         T2T_OK);
        get_document(document, sizeof(document));
        assert_string_equal(document, rows[i].document);
        assert_int_equal(result.loss_count, 1);
    }
}

/* Damage of every kind everywhere: it ends, what comes out is sound, and is the
 * same however the text is cut. */
static void test_any_byte_may_be_any_other(void **state)
{
    static const char text[] = "{\"a\":[1],\"traceEvents\":[" EVENT
                               ",{\"ph\":\"M\",\"args\":{\"k\":[2]}"
                               "}," EVENT "],\"z\":\"\\n\"}";
    static const char bytes[] = "\"{]\x01";
    char copy[sizeof(text)];

    (void)state;
    for (size_t i = 0; i < sizeof(text) - 1; i++)
        for (size_t b = 0; b < sizeof(bytes) - 1; b++) {
            char said[256], again[256];
            char document[512] = "", other[512] = "";

            if ((i + b) % 4 && !is_long())
                continue;
            memcpy(copy, text, sizeof(text));
            copy[i] = bytes[b];
            if (build(copy, T2T_SALVAGE, 0, said, NULL, NULL))
                continue;
            get_document(document, sizeof(document));
            assert_int_equal(build(copy, T2T_SALVAGE, 5, again, NULL, NULL),
                             T2T_OK);
            get_document(other, sizeof(other));
            assert_string_equal(said, again);
            assert_string_equal(document, other);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_repaired_the_structure_is_not),
        cmocka_unit_test(test_what_is_whole_is_salvaged),
        cmocka_unit_test(test_repairs_are_salvaged_too),
        cmocka_unit_test(test_without_an_array_there_is_nothing_to_salvage),
        cmocka_unit_test(test_the_reason_is_told_that_a_build_gives),
        cmocka_unit_test(test_a_bracket_that_is_missing_costs_its_event),
        cmocka_unit_test(test_the_array_is_found_far_behind_damage),
        cmocka_unit_test(test_any_byte_may_be_any_other),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
