/* test_cursor.c - trace2tree/cursor.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/cursor.h"

#define NAME "test_cursor"

/* The source of each element beside what the cursor makes of it. */
static const struct {
    const char *source;
    const char *json;
} elements[] = {
    {"{ \"ph\" : \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", "
     "\"pid\": 1, \"tid\": 2, \"ts\": 1.500, \"dur\": 2.000, \"args\": "
     "{\"External id\": 3,\"Input Dims\" : [ [1, 2] , [ ] ], \"x\": -0.50,"
     " \"big\": 18446744073709551615, \"e\": 1e3, \"n\": null }}",
     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,"
     "\"tid\":2,\"ts\":1.5,\"dur\":2,\"args\":{\"External id\":3,"
     "\"Input Dims\":[[1,2],[]],\"x\":-0.50,\"big\":18446744073709551615,"
     "\"e\":1e3,\"n\":null}}"},
    {"{\"name\":\"\\u00e4\\n\\/\\u0001\\ud83d\\ude00\",\"pid\":\"7\","
     "\"tid\":null,\"ts\":\"5\",\"ph\":\"i\",\"args\":{\"k\\u0065y\":"
     "\"v\\\"\",\"\":[true,false],\"tab\\t\":1,\"a\":1,\"a\":2}}",
     "{\"name\":\"\xc3\xa4\\n/\\u0001\xf0\x9f\x98\x80\",\"pid\":\"7\","
     "\"tid\":null,\"ts\":\"5\",\"ph\":\"i\",\"args\":{\"key\":\"v\\\"\","
     "\"\":[true,false],\"tab\\t\":1,\"a\":1,\"a\":2}}"},
    {"\"just text\"", "\"just text\""},
    {"[ {\"args\":1} ]", "[{\"args\":1}]"},
    {"{\"ph\":\"i\",\"args\":{\"a\":1},\"args\":{\"b\":2}}",
     "{\"ph\":\"i\",\"args\":{\"a\":1},\"args\":{\"b\":2}}"},
    {"{\"ph\":\"i\",\"args\":[1]}", "{\"ph\":\"i\",\"args\":[1]}"},
    {"{}", "{}"},
};

#define COUNT ((uint32_t)(sizeof(elements) / sizeof(elements[0])))

struct open_cursor {
    t2t_index *index;
    t2t_cursor *cursor;
    char trace[4096];
};

static struct open_cursor *begin(void)
{
    struct open_cursor *o = calloc(1, sizeof(*o));
    size_t len = 0;

    assert_non_null(o);
    len += (size_t)snprintf(o->trace, sizeof(o->trace),
                            "{\"schema\" : 1, \"traceEvents\": [\n");
    for (uint32_t i = 0; i < COUNT; i++)
        len += (size_t)snprintf(o->trace + len, sizeof(o->trace) - len, "%s%s",
                                i ? " ,\n " : "", elements[i].source);
    (void)snprintf(o->trace + len, sizeof(o->trace) - len,
                   "], \"info\": {\"rank\": [ 0, \"x\" ]} ,\"a\\\"b\":\"\"}");
    o->index = make_index(NAME, o->trace);
    assert_int_equal(t2t_cursor_open(&o->cursor, o->index, NULL), T2T_OK);
    return o;
}

static void end(struct open_cursor *o)
{
    t2t_cursor_close(o->cursor);
    remove_index(NAME, o->index);
    free(o);
}

static void test_an_element_comes_back_compact(void **state)
{
    struct open_cursor *o = begin();

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct t2t_text json;

        assert_int_equal(t2t_cursor_json(o->cursor, i, &json, NULL), T2T_OK);
        assert_text(json, elements[i].json);
    }
    end(o);
}

static void test_an_element_knows_its_place(void **state)
{
    struct open_cursor *o = begin();

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t offset;
        uint32_t position;
        t2t_id id;

        assert_int_equal(t2t_cursor_id(o->cursor, i, &id, NULL), T2T_OK);
        assert_int_equal(t2t_cursor_position(o->cursor, id, &position, NULL),
                         T2T_OK);
        assert_int_equal(position, i);
        assert_int_equal(t2t_cursor_offset(o->cursor, id, &offset, NULL),
                         T2T_OK);
        assert_memory_equal(o->trace + offset, elements[i].source,
                            strlen(elements[i].source));
    }
    end(o);
}

static void test_an_argument_is_found_by_its_key(void **state)
{
    static const struct {
        t2t_id id;
        const char *key;
        const char *json; /* NULL: there is none */
    } found[] = {
        {0, "External id", "3"}, {0, "Input Dims", "[[1,2],[]]"},
        {0, "x", "-0.50"},       {0, "n", "null"},
        {0, "External", NULL},   {0, "External id ", NULL},
        {1, "key", "\"v\\\"\""}, {1, "tab\t", "1"},
        {1, "", "[true,false]"}, {1, "a", "2"}, /* the last counts */
        {2, "a", NULL},          {3, "args", NULL},
        {4, "b", "2"}, /* of the last args */
        {4, "a", NULL},          {5, "a", NULL},
        {6, "a", NULL},
    };
    struct open_cursor *o = begin();

    (void)state;
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
        struct t2t_text json;
        enum t2t_status st = t2t_cursor_argument(o->cursor, found[i].id,
                                                 found[i].key, &json, NULL);

        assert_int_equal(st, found[i].json ? T2T_OK : T2T_NOT_FOUND);
        if (!st)
            assert_text(json, found[i].json);
    }
    end(o);
}

/* The argument by way of the template, and, once the element is tokenized, in
 * its JSON. */
static void same_both_ways(struct open_cursor *o, t2t_id id, const char *key)
{
    struct t2t_text json;
    struct t2t_text first;
    struct t2t_text ignored;
    char *text = NULL;
    enum t2t_status st;

    assert_int_equal(t2t_cursor_json(o->cursor, (id + 1) % COUNT, &json, NULL),
                     T2T_OK);
    st = t2t_cursor_argument(o->cursor, id, key, &json, NULL);
    if (!st)
        text = strndup(json.ptr, json.len);
    (void)t2t_cursor_field_at(o->cursor, id, 0, &first, &ignored, NULL);
    assert_int_equal(t2t_cursor_argument(o->cursor, id, key, &json, NULL), st);
    if (!st)
        assert_text(json, text);
    free(text);
}

static void test_an_argument_is_the_same_by_template(void **state)
{
    static const char *const keys[] = {
        "External id",
        "Input Dims",
        "x",
        "big",
        "e",
        "n",
        "key",
        "tab\t",
        "",
        "a",
        "b",
        "ph",
        "args",
        "a key of more than thirty-one bytes",
    };
    struct open_cursor *o = begin();

    (void)state;
    for (int round = 0; round < 2; round++)
        for (t2t_id id = 0; id < COUNT; id++)
            for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
                same_both_ways(o, id, keys[k]);
    end(o);
}

/* More values than a template may have, and a long key. */
static void test_an_argument_of_very_many_is_found(void **state)
{
    enum { MANY = 1500 };
    char *trace = malloc(200 + 32 * MANY);
    static const char long_key[] = "a key of more than thirty-one bytes";
    struct t2t_text json;
    t2t_index *index;
    t2t_cursor *cursor;
    size_t len;

    (void)state;
    assert_non_null(trace);
    len = (size_t)snprintf(trace, 200,
                           "[{\"ph\":\"i\",\"args\":{\"%s\":7},"
                           "\"name\":\"a\"},{\"args\":{",
                           long_key);
    for (int i = 0; i < MANY; i++)
        len += (size_t)snprintf(trace + len, 32, "\"k%d\":%d,", i, i);
    (void)snprintf(trace + len, 32, "\"last\":[]}}]");
    index = make_index(NAME, trace);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(t2t_cursor_argument(cursor, 0, long_key, &json, NULL),
                         T2T_OK);
        assert_text(json, "7");
        assert_int_equal(t2t_cursor_argument(cursor, 1, "k1499", &json, NULL),
                         T2T_OK);
        assert_text(json, "1499");
        assert_int_equal(t2t_cursor_argument(cursor, 1, "last", &json, NULL),
                         T2T_OK);
        assert_text(json, "[]");
    }
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
    free(trace);
}

static void test_arguments_are_listed_in_any_order(void **state)
{
    static const uint32_t order[] = {0, 1, 2, 3, 4, 2, 0, 4};
    static const char *const keys[] = {"\"key\"", "\"\"", "\"tab\\t\"", "\"a\"",
                                       "\"a\""};
    static const char *const values[] = {"\"v\\\"\"", "[true,false]", "1", "1",
                                         "2"};
    struct open_cursor *o = begin();
    struct t2t_text key;
    struct t2t_text json;

    (void)state;
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        assert_int_equal(t2t_cursor_argument_at(o->cursor, 1, order[i], &key,
                                                &json, NULL),
                         T2T_OK);
        assert_text(key, keys[order[i]]);
        assert_text(json, values[order[i]]);
    }
    assert_int_equal(t2t_cursor_argument_at(o->cursor, 1, 5, &key, &json, NULL),
                     T2T_NOT_FOUND);
    assert_int_equal(t2t_cursor_argument_at(o->cursor, 2, 0, &key, &json, NULL),
                     T2T_NOT_FOUND);
    end(o);
}

static void test_members_come_as_they_were_written(void **state)
{
    static const char *const keys[] = {"schema", "info", "a\"b"};
    static const char *const values[] = {"1", "{\"rank\": [ 0, \"x\" ]}",
                                         "\"\""};
    struct open_cursor *o = begin();
    struct t2t_text key;
    struct t2t_text json;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(t2t_cursor_member(o->cursor, i, &key, &json, NULL),
                         T2T_OK);
        assert_text(key, keys[i]);
        assert_text(json, values[i]);
    }
    assert_int_equal(t2t_cursor_member(o->cursor, 3, &key, &json, NULL),
                     T2T_NOT_FOUND);
    end(o);
}

static void test_an_id_that_is_none_is_not_found(void **state)
{
    static const t2t_id ids[] = {COUNT, COUNT + 1, T2T_NO_ID};
    struct open_cursor *o = begin();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct t2t_text text;
        uint64_t offset;
        uint32_t number;

        assert_int_equal(t2t_cursor_json(o->cursor, ids[i], &text, NULL),
                         T2T_NOT_FOUND);
        assert_int_equal(t2t_cursor_argument(o->cursor, ids[i], "a", &text,
                                             NULL),
                         T2T_NOT_FOUND);
        assert_int_equal(t2t_cursor_offset(o->cursor, ids[i], &offset, NULL),
                         T2T_NOT_FOUND);
        assert_int_equal(t2t_cursor_position(o->cursor, ids[i], &number, NULL),
                         T2T_NOT_FOUND);
        assert_int_equal(t2t_cursor_id(o->cursor, ids[i], &number, NULL),
                         T2T_NOT_FOUND);
    }
    end(o);
}

/* Many elements, so that they fill several frames of each kind. */
static void test_frames_follow_each_other(void **state)
{
    enum { COUNTED = 40000 };
    char *trace = malloc(64 + 64 * COUNTED);
    size_t len;
    t2t_index *index;
    t2t_cursor *cursor;

    (void)state;
    assert_non_null(trace);
    len = (size_t)snprintf(trace, 8, "[");
    for (int i = 0; i < COUNTED; i++)
        len += (size_t)snprintf(trace + len, 64, "%s{\"ph\":\"i\",\"n\":%d}",
                                i ? "," : "", i * 7);
    (void)snprintf(trace + len, 8, "]");
    index = make_index(NAME, trace);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (int k = 0; k < COUNTED; k += 997) {
        int i = k * 13 % COUNTED;
        struct t2t_text json;
        char expected[64];

        (void)snprintf(expected, sizeof(expected), "{\"ph\":\"i\",\"n\":%d}",
                       i * 7);
        assert_int_equal(t2t_cursor_json(cursor, (t2t_id)i, &json, NULL),
                         T2T_OK);
        assert_text(json, expected);
    }
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
    free(trace);
}

static void test_a_member_is_found_by_its_key(void **state)
{
    t2t_index *index =
        make_index(NAME, "{\"a\":1,\"b\":2,\"traceEvents\":[],\"a\" : [ 3 ],"
                         "\"k\\u0065y\":4,\"\":5,\"a \":6}");
    static const struct {
        const char *key;
        const char *json; /* NULL: there is none */
    } found[] = {
        {"a", "[ 3 ]"}, /* the last counts */
        {"b", "2"},     {"key", "4"}, {"", "5"},
        {"c", NULL},    {"A", NULL},  {"traceEvents", NULL},
    };
    t2t_cursor *cursor;

    (void)state;
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
        struct t2t_text json;
        enum t2t_status st =
            t2t_cursor_member_named(cursor, found[i].key, &json, NULL);

        assert_int_equal(st, found[i].json ? T2T_OK : T2T_NOT_FOUND);
        if (!st)
            assert_text(json, found[i].json);
    }
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

/* An element of a trace of many, in which each says its place. */
enum { FRAMES = 40, MANY = FRAMES * 4096 + 5 };

static t2t_index *open_many(void)
{
    char *trace = malloc(64 + 40 * (size_t)MANY);
    t2t_index *index;
    size_t len;

    assert_non_null(trace);
    len = (size_t)snprintf(trace, 8, "[");
    for (int i = 0; i < MANY; i++)
        len += (size_t)snprintf(trace + len, 40, "%s{\"ph\":\"i\",\"n\":%d}",
                                i ? "," : "", i);
    (void)snprintf(trace + len, 8, "]");
    index = make_index(NAME, trace);
    free(trace);
    return index;
}

/* What the cursor answers for element `id`, which must be right. */
static enum t2t_status ask(t2t_cursor *cursor, t2t_id id)
{
    struct t2t_text json;
    char expected[40];
    enum t2t_status st = t2t_cursor_json(cursor, id, &json, NULL);

    (void)snprintf(expected, sizeof(expected), "{\"ph\":\"i\",\"n\":%u}", id);
    if (!st)
        assert_text(json, expected);
    return st;
}

static void test_frames_may_be_asked_for_in_any_order(void **state)
{
    static const uint32_t hops[] = {1, 2, 7, 15, 16, 17, 39};
    t2t_index *index = open_many();
    t2t_cursor *cursor;

    (void)state;
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    /* as many frames in turn as are kept, one fewer, one more */
    for (size_t h = 0; h < sizeof(hops) / sizeof(hops[0]); h++)
        for (uint32_t i = 0; i < 200; i++)
            assert_int_equal(ask(cursor, i % hops[h] * 4096 + i), T2T_OK);
    for (uint32_t i = 0, at = 1; i < 2000; i++, at = at * 48271 % MANY)
        assert_int_equal(ask(cursor, at), T2T_OK);
    assert_int_equal(ask(cursor, MANY - 1), T2T_OK);
    assert_int_equal(ask(cursor, MANY), T2T_NOT_FOUND);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

static void test_frames_of_many_values_are_not_kept(void **state)
{
    t2t_index *index = open_many();
    struct tt_elements *e;
    t2t_cursor *cursor;

    (void)state;
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        assert_int_equal(ask(cursor, frame * 4096), T2T_OK);
    assert_int_equal(cursor->elements.count, TT_CURSOR_FRAMES);
    /* as if the third had more than may be kept: it and older ones go */
    e = cursor->elements.slot[2];
    e->value_cap += TT_CURSOR_VALUES;
    assert_int_equal(ask(cursor, 0), T2T_OK);
    assert_int_equal(cursor->elements.count, 3);
    /* the one in use stays, whatever it takes */
    e = cursor->elements.slot[0];
    e->value_cap += TT_CURSOR_VALUES;
    assert_int_equal(ask(cursor, 1), T2T_OK);
    assert_int_equal(cursor->elements.count, 3);
    assert_int_equal(ask(cursor, 4096), T2T_OK);
    assert_int_equal(cursor->elements.count, 1);
    assert_int_equal(ask(cursor, 2), T2T_OK);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

/* A frame that cannot be unpacked is damaged whenever it is asked for; the
 * others stay what they are. */
static void test_a_damaged_frame_leaves_the_others_alone(void **state)
{
    t2t_index *index = open_many();
    const struct tt_frame_record *bad = &index->elements.record[3];
    FILE *f = fopen(NAME ".t2t", "r+b");
    t2t_cursor *cursor;

    (void)state;
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)(bad->offset + bad->bytes / 2), SEEK_SET),
                     0);
    assert_int_equal(fputc(0x55, f), 0x55);
    assert_int_equal(fputc(0xaa, f), 0xaa);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t frame = i * 7 % FRAMES;

        assert_int_equal(ask(cursor, frame * 4096 + i),
                         frame == 3 ? T2T_ERR_INDEX_DAMAGE : T2T_OK);
    }
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

#define ELEMENT "\",\"traceEvents\":[{\"ph\":\"i\",\"n\":0}]}"

/* A document with three frames of envelope and three members. */
static t2t_index *open_envelope(void)
{
    size_t bytes = 150000;
    char *json = malloc(bytes + 100);
    t2t_index *index;
    size_t len;

    assert_non_null(json);
    len = (size_t)snprintf(json, 100, "{\"a\":1,\"b\":22,\"c\":\"");
    for (size_t i = 0; i < bytes; i++)
        json[len + i] = (char)('a' + i % 26);
    memcpy(json + len + bytes, ELEMENT, sizeof(ELEMENT));
    index = make_index(NAME, json);
    free(json);
    assert_int_equal(index->envelope.count, 3);
    assert_int_equal(index->member_count, 3);
    return index;
}

/* Writes over what the index has mapped. */
static void put(const t2t_index *index, const void *at, const void *ptr,
                size_t len)
{
    FILE *f = fopen(NAME ".t2t", "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, (long)((const unsigned char *)at - index->map),
                           SEEK_SET),
                     0);
    assert_int_equal(fwrite(ptr, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static enum t2t_status ask_member(t2t_cursor *cursor, uint32_t n)
{
    struct t2t_text key;
    struct t2t_text json;

    return t2t_cursor_member(cursor, n, &key, &json, NULL);
}

static void test_a_frame_of_the_envelope_is_unpacked_once(void **state)
{
    t2t_index *index = open_envelope();
    const struct tt_frame_record *r = &index->envelope.record[0];
    t2t_cursor *cursor;

    (void)state;
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(ask_member(cursor, 0), T2T_OK);
    put(index, index->map + r->offset, "\0\0\0\0", 4);
    assert_int_equal(ask(cursor, 0), T2T_OK); /* an element meanwhile */
    assert_int_equal(ask_member(cursor, 1), T2T_OK);
    assert_int_equal(ask_member(cursor, 0), T2T_OK);
    assert_int_equal(ask_member(cursor, 2), T2T_OK);
    assert_int_equal(ask_member(cursor, 0), T2T_ERR_INDEX_DAMAGE);
    assert_int_equal(ask_member(cursor, 0), T2T_ERR_INDEX_DAMAGE);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

static void test_frames_and_members_do_not_overlap(void **state)
{
    t2t_index *index = open_envelope();
    struct tt_frame_record frame = index->envelope.record[1];
    struct tt_member_record member = index->members[1];
    uint64_t before = index->members[0].envelope_offset;
    t2t_cursor *cursor;

    (void)state;
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(ask_member(cursor, 1), T2T_OK);
    put(index, &index->members[1].envelope_offset, &before, sizeof(before));
    assert_int_equal(ask_member(cursor, 1), T2T_ERR_INDEX_DAMAGE);
    put(index, &index->members[1], &member, sizeof(member));
    assert_int_equal(ask_member(cursor, 2), T2T_OK);
    t2t_cursor_close(cursor);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    put(index, &index->envelope.record[1], &index->envelope.record[0],
        sizeof(frame));
    assert_int_equal(ask_member(cursor, 2), T2T_ERR_INDEX_DAMAGE);
    put(index, &index->envelope.record[1], &frame, sizeof(frame));
    assert_int_equal(ask_member(cursor, 2), T2T_OK);
    frame = index->envelope.record[2];
    put(index, &index->envelope.record[1], &frame, sizeof(frame));
    t2t_cursor_close(cursor);
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(ask_member(cursor, 2), T2T_ERR_INDEX_DAMAGE);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

/* What a frame of ids says of its size costs no more than ids do. */
static void test_a_frame_of_ids_is_no_larger_than_they_are(void **state)
{
    t2t_index *index = open_envelope();
    struct tt_frame_record frame = index->order.record[0];
    t2t_cursor *cursor;
    uint32_t position;

    (void)state;
    frame.raw_bytes = 64 << 20;
    put(index, &index->order.record[0], &frame, sizeof(frame));
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_position(cursor, 0, &position, NULL),
                     T2T_ERR_INDEX_DAMAGE);
    assert_int_equal(cursor->raw.cap, 0);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

/* In the order of the trace elements need no frame of where ids stand, of which
 * one may lie behind each where the order is none. */
static void test_an_element_asked_for_by_its_place_is_at_hand(void **state)
{
    t2t_index *index = open_many();
    struct tt_frame_record frame = index->order.record[0];
    t2t_cursor *cursor;
    struct t2t_text json;
    t2t_id id;

    (void)state;
    frame.raw_bytes = 64 << 20;
    put(index, &index->order.record[0], &frame, sizeof(frame));
    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(t2t_cursor_id(cursor, i, &id, NULL), T2T_OK);
        assert_int_equal(t2t_cursor_json(cursor, id, &json, NULL), T2T_OK);
    }
    assert_int_equal(t2t_cursor_json(cursor, 0, &json, NULL),
                     T2T_ERR_INDEX_DAMAGE);
    t2t_cursor_close(cursor);
    remove_index(NAME, index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_element_comes_back_compact),
        cmocka_unit_test(test_an_element_knows_its_place),
        cmocka_unit_test(test_an_argument_is_found_by_its_key),
        cmocka_unit_test(test_an_argument_is_the_same_by_template),
        cmocka_unit_test(test_an_argument_of_very_many_is_found),
        cmocka_unit_test(test_arguments_are_listed_in_any_order),
        cmocka_unit_test(test_members_come_as_they_were_written),
        cmocka_unit_test(test_an_id_that_is_none_is_not_found),
        cmocka_unit_test(test_frames_follow_each_other),
        cmocka_unit_test(test_a_member_is_found_by_its_key),
        cmocka_unit_test(test_frames_may_be_asked_for_in_any_order),
        cmocka_unit_test(test_frames_of_many_values_are_not_kept),
        cmocka_unit_test(test_a_damaged_frame_leaves_the_others_alone),
        cmocka_unit_test(test_a_frame_of_the_envelope_is_unpacked_once),
        cmocka_unit_test(test_frames_and_members_do_not_overlap),
        cmocka_unit_test(test_a_frame_of_ids_is_no_larger_than_they_are),
        cmocka_unit_test(test_an_element_asked_for_by_its_place_is_at_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
