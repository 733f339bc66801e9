/* test_writer.c - index/writer.h, read back by the public reader */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/writer.h"
#include "scratch.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define PYTHON 0 /* categories of the indexes made here */
#define LAUNCH 1
#define KERNEL 2
#define NO_CATEGORY 3

/* Strings and shapes of the indexes made here. */
enum { S_PYTHON, S_LAUNCH, S_KERNEL, S_NAME, S_SHAPE, S_OTHER, S_VALUE, S_KEY };

static const char *const texts[] = {"python_function",
                                    "cuda_runtime",
                                    "kernel",
                                    "a name",
                                    "{\"name\":\x01,\"a\":\x06}",
                                    "[\x08]",
                                    "\"value\"",
                                    "key"};

static const uint32_t shapes[] = {S_SHAPE, S_OTHER};
static const uint32_t categories[] = {S_PYTHON, S_LAUNCH, S_KERNEL, TT_NONE};

/* An index that is written. */
struct subject {
    struct scratch s;
    struct tt_tasks tasks;
    struct tt_writer *w;
    struct tt_intern strings;
    struct tt_anomalies anomalies;
    struct tt_sink sink;
    struct tt_rest rest;
    struct tt_header header;
};

static void start(struct subject *x)
{
    *x = (struct subject){.w = NULL};
    make_scratch(&x->s);
    for (uint32_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(tt_intern_add(&x->strings, texts[i], strlen(texts[i])),
                         i);
    tt_anomalies_init(&x->anomalies);
    x->rest = (struct tt_rest){.strings = &x->strings,
                               .shapes = shapes,
                               .shape_count = COUNT(shapes),
                               .categories = categories,
                               .category_count = COUNT(categories),
                               .anomalies = &x->anomalies,
                               .array = 1,
                               .source_name = "trace.json"};
    memcpy(x->header.writer, "a test", 7);
    assert_int_equal(tt_tasks_init(&x->tasks), T2T_OK);
    assert_int_equal(tt_writer_create(&x->w, path_in(&x->s, "x.t2t"), &x->tasks,
                                      NULL),
                     T2T_OK);
    assert_int_equal(tt_writer_envelope(x->w, "[]", 2, NULL), T2T_OK);
}

static void stop(struct subject *x)
{
    tt_writer_free(x->w);
    tt_tasks_release(&x->tasks);
    tt_intern_release(&x->strings);
    remove_scratch(&x->s);
}

/* Hands over an element as a batch of its own. */
static void element(struct subject *x, uint64_t offset, uint32_t shape,
                    uint64_t slot)
{
    struct tt_element e = {.offset = offset, .shape = shape, .slots = 1};
    struct tt_batch b = {.element = &e, .count = 1, .slot = &slot, .slots = 1};

    assert_int_equal(tt_writer_elements(x->w, &b, &x->strings, shapes,
                                        COUNT(shapes), NULL),
                     T2T_OK);
}

static void begin(struct subject *x, uint32_t elements, uint32_t nodes,
                  uint32_t gpu_events)
{
    x->header.element_count = elements;
    x->header.node_count = nodes;
    assert_int_equal(tt_writer_end_elements(x->w, NULL), T2T_OK);
    assert_int_equal(tt_writer_begin_columns(x->w, elements, nodes, gpu_events,
                                             &x->sink, NULL),
                     T2T_OK);
}

static void node(struct subject *x, struct tt_placed p)
{
    assert_int_equal(tt_sink_node(&x->sink, &p, NULL), T2T_OK);
}

static void other(struct subject *x, struct tt_placed p)
{
    p.parent = TT_NONE;
    assert_int_equal(tt_sink_other(&x->sink, &p, NULL), T2T_OK);
}

/*
 * Finishes, commits and opens.  Elements here do not say what their columns do,
 * so verifying ends with that at the latest; but layout and checksums, which
 * come first, are right.
 */
static t2t_index *finish(struct subject *x)
{
    struct t2t_error err = {0};
    t2t_index *index = NULL;
    uint64_t bytes, sync_ns;

    if (tt_sink_flush(&x->sink, &err) ||
        tt_writer_finish(x->w, &x->rest, &err) ||
        tt_writer_commit(x->w, &x->header, &bytes, &sync_ns, &err) ||
        t2t_index_open(&index, path_in(&x->s, "x.t2t"), &err))
        fail_msg("%s", err.text);
    if (t2t_index_verify(index, &err) &&
        (strstr(err.text, "checksum") || strstr(err.text, "section")))
        fail_msg("%s", err.text);
    assert_int_equal(count_files(&x->s), 1);
    return index;
}

/* ---- a small one --------------------------------------------------------- */

static const uint32_t sizes[] = {3, 2, 1, 1};
static const struct tt_lane_record lanes[] = {
    {.side = 0,
     .pid_kind = 1,
     .tid_kind = 3,
     .pid = 4,
     .tid = S_NAME,
     .process_name = S_KEY,
     .thread_name = TT_NONE,
     .first_node = 0,
     .node_count = 3,
     .element_count = 2,
     .start_ns = -50,
     .end_ns = 50},
    {.side = 1,
     .pid = 0,
     .process_name = TT_NONE,
     .thread_name = S_NAME,
     .first_node = 3,
     .node_count = 1,
     .element_count = 2,
     .start_ns = 5,
     .end_ns = 90},
    {.side = 2,
     .process_name = TT_NONE,
     .thread_name = TT_NONE,
     .first_node = 4,
     .element_count = 1},
};

/* A frame, a launch with a GPU event below it, a GPU event of its own; outside
 * an element and one that is no object. */
static t2t_index *make_small(struct subject *x)
{
    start(x);
    for (uint32_t i = 0; i < 5; i++)
        element(x, 100 + i * 10, 0, i * 7);
    element(x, 200, 1, S_VALUE);
    begin(x, 6, 4, 2);
    node(x, (struct tt_placed){.start_ns = -50,
                               .dur_ns = 100,
                               .name = S_NAME,
                               .lane = 0,
                               .parent = TT_NONE,
                               .position = 3,
                               .category = PYTHON,
                               .phase = 'X'});
    node(x, (struct tt_placed){.start_ns = 0,
                               .dur_ns = 1,
                               .name = S_KEY,
                               .lane = 0,
                               .parent = 0,
                               .position = 0,
                               .category = LAUNCH,
                               .phase = 'B',
                               .flags = TT_FLAG_CROSSED | TT_FLAG_CUT});
    node(x, (struct tt_placed){.start_ns = 5,
                               .dur_ns = 40,
                               .name = S_NAME,
                               .lane = 1,
                               .parent = 1,
                               .position = 4,
                               .category = KERNEL,
                               .phase = 'X',
                               .flags = TT_FLAG_GPU | TT_FLAG_LINKED});
    node(x, (struct tt_placed){.start_ns = 60,
                               .dur_ns = 30,
                               .name = S_NAME,
                               .lane = 1,
                               .parent = TT_NONE,
                               .position = 2,
                               .category = KERNEL,
                               .phase = 'X',
                               .flags = TT_FLAG_GPU});
    other(x, (struct tt_placed){.start_ns = TT_NO_TIME,
                                .name = S_NAME,
                                .lane = 2,
                                .position = 1,
                                .category = NO_CATEGORY,
                                .phase = 'i'});
    other(x, (struct tt_placed){.start_ns = TT_NO_TIME,
                                .name = TT_NONE,
                                .lane = TT_NONE,
                                .position = 5,
                                .category = NO_CATEGORY});
    x->rest.sizes = sizes;
    x->rest.lanes = lanes;
    x->rest.lane_count = COUNT(lanes);
    x->header.document_bytes = 300;
    x->header.source_bytes = 77;
    x->header.source_mtime_ns = -5;
    x->header.origin_ns = -50;
    x->header.last_end_ns = 90;
    return finish(x);
}

static void test_what_was_handed_over_can_be_asked_for(void **state)
{
    static const uint32_t parents[] = {T2T_NO_ID, 0, 1, T2T_NO_ID};
    struct subject x;
    t2t_index *index = make_small(&x);
    struct t2t_index_info info;
    struct t2t_element e;

    (void)state;
    t2t_index_info(index, &info);
    assert_int_equal(info.element_count, 6);
    assert_int_equal(info.node_count, 4);
    assert_int_equal(info.gpu_count, 2);
    assert_int_equal(info.lane_count, 3);
    assert_int_equal(info.category_count, 4);
    assert_int_equal(info.string_count, COUNT(texts));
    assert_int_equal(info.document_bytes, 300);
    assert_int_equal(info.source_bytes, 77);
    assert_int_equal(info.source_mtime_ns, -5);
    assert_int_equal(info.origin_ns, -50);
    assert_int_equal(info.last_end_ns, 90);
    assert_text(info.source_name, "trace.json");
    assert_text(info.writer, "a test");
    for (uint32_t id = 0; id < 4; id++) {
        assert_int_equal(t2t_index_element(index, id, &e), T2T_OK);
        assert_int_equal(e.parent, parents[id]);
        assert_int_equal(e.size, sizes[id]);
        assert_true(e.in_tree);
    }
    assert_int_equal(t2t_index_element(index, 1, &e), T2T_OK);
    assert_int_equal(e.flags, T2T_CROSSED | T2T_CUT);
    assert_int_equal(e.phase, 'B');
    assert_int_equal(e.layer, T2T_LAYER_LAUNCH);
    assert_int_equal(e.dur_ns, 1);
    assert_text(t2t_index_string(index, e.name), "key");
    assert_int_equal(t2t_index_element(index, 5, &e), T2T_OK);
    assert_false(e.in_tree || e.has_start);
    assert_int_equal(e.lane, T2T_NO_ID);
    assert_int_equal(e.phase, 0);
    t2t_index_close(index);
    stop(&x);
}

static void test_gpu_events_have_ranks_and_sums(void **state)
{
    static const uint64_t sums[] = {40, 40, 40, 30, 0};
    struct subject x;
    t2t_index *index = make_small(&x);
    const t2t_id *nodes;
    uint32_t count;

    (void)state;
    nodes = t2t_index_gpu_nodes(index, &count);
    assert_int_equal(count, 2);
    assert_int_equal(nodes[0], 2);
    assert_int_equal(nodes[1], 3);
    for (uint32_t id = 0; id < COUNT(sums); id++)
        assert_int_equal(t2t_index_gpu_sum_ns(index, id), sums[id]);
    t2t_index_close(index);
    stop(&x);
}

static void test_lanes_and_strings_are_kept(void **state)
{
    struct subject x;
    t2t_index *index = make_small(&x);
    struct t2t_lane lane;

    (void)state;
    for (uint32_t i = 0; i < COUNT(texts); i++)
        assert_text(t2t_index_string(index, i), texts[i]);
    assert_null(t2t_index_string(index, COUNT(texts)).ptr);
    assert_null(t2t_index_category(index, NO_CATEGORY).ptr);
    assert_int_equal(t2t_index_lane(index, 0, &lane), T2T_OK);
    assert_int_equal(lane.pid.number, 4);
    assert_text(lane.tid.text, "a name");
    assert_text(lane.process_name, "key");
    assert_null(lane.thread_name.ptr);
    assert_int_equal(lane.node_count, 3);
    assert_int_equal(lane.start_ns, -50);
    assert_int_equal(t2t_index_lane(index, 3, &lane), T2T_NOT_FOUND);
    t2t_index_close(index);
    stop(&x);
}

static void test_elements_say_what_they_said(void **state)
{
    /* ids 0 to 5 */
    static const uint32_t positions[] = {3, 0, 4, 2, 1, 5};
    static const char *const json[] = {"{\"name\":\"a name\",\"a\":21}",
                                       "{\"name\":\"key\",\"a\":0}",
                                       "{\"name\":\"a name\",\"a\":28}",
                                       "{\"name\":\"a name\",\"a\":14}",
                                       "{\"name\":\"a name\",\"a\":7}",
                                       "[\"value\"]"};
    struct subject x;
    t2t_index *index = make_small(&x);
    t2t_cursor *c;

    (void)state;
    assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
    for (uint32_t id = 0; id < 6; id++) {
        uint64_t offset;
        uint32_t n;
        struct t2t_text text;

        assert_int_equal(t2t_cursor_position(c, id, &n, NULL), T2T_OK);
        assert_int_equal(n, positions[id]);
        assert_int_equal(t2t_cursor_id(c, positions[id], &n, NULL), T2T_OK);
        assert_int_equal(n, id);
        assert_int_equal(t2t_cursor_offset(c, id, &offset, NULL), T2T_OK);
        assert_int_equal(offset, id == 5 ? 200 : 100 + 10 * positions[id]);
        assert_int_equal(t2t_cursor_json(c, id, &text, NULL), T2T_OK);
        assert_text(text, json[id]);
    }
    t2t_cursor_close(c);
    t2t_index_close(index);
    stop(&x);
}

/* ---- times --------------------------------------------------------------- */

static const struct {
    int64_t start_ns;
    uint64_t dur_ns;
} times[] = {
    {0, 0},
    {1, UINT32_MAX - 1},
    {INT64_MIN, UINT32_MAX},
    {INT64_MIN, UINT64_MAX},
    {INT64_MAX, 0},
    {-1, (uint64_t)1 << 63},
    {7, 7},
};

static void test_times_of_any_size_come_back(void **state)
{
    static const uint32_t ones[] = {1, 1, 1, 1, 1, 1, 1};
    struct tt_lane_record lane = {.process_name = TT_NONE,
                                  .thread_name = TT_NONE,
                                  .node_count = COUNT(times),
                                  .element_count = COUNT(times)};
    struct subject x;
    t2t_index *index;
    uint64_t sum = 0;

    (void)state;
    start(&x);
    for (uint32_t i = 0; i < COUNT(times); i++)
        element(&x, i, 1, S_VALUE);
    begin(&x, COUNT(times), COUNT(times), COUNT(times));
    for (uint32_t i = 0; i < COUNT(times); i++)
        node(&x, (struct tt_placed){.start_ns = times[i].start_ns,
                                    .dur_ns = times[i].dur_ns,
                                    .name = TT_NONE,
                                    .parent = TT_NONE,
                                    .position = i,
                                    .category = KERNEL,
                                    .flags = TT_FLAG_GPU});
    lane.side = 1;
    x.rest.sizes = ones;
    x.rest.lanes = &lane;
    x.rest.lane_count = 1;
    x.header.document_bytes = 100;
    index = finish(&x);
    for (uint32_t i = 0; i < COUNT(times); i++) {
        struct t2t_element e;

        assert_int_equal(t2t_index_element(index, i, &e), T2T_OK);
        assert_int_equal(e.start_ns, times[i].start_ns);
        assert_int_equal(e.dur_ns, times[i].dur_ns);
        assert_true(e.has_start);
        assert_int_equal(t2t_index_gpu_sum_ns(index, i), times[i].dur_ns);
        assert_int_equal(t2t_index_gpu_rank(index, i), i);
        sum += times[i].dur_ns;
    }
    assert_int_equal(sum, (uint64_t)UINT32_MAX * 2 - 2 + ((uint64_t)1 << 63) +
                              7); /* modulo 2^64 */
    t2t_index_close(index);
    stop(&x);
}

/* ---- sizes --------------------------------------------------------------- */

/* Elements `from` to `from + count - 1` of such an index, in one batch. */
static void batch(struct subject *x, uint32_t from, uint32_t count)
{
    static struct tt_element e[1000];
    static uint64_t slot[1000];
    struct tt_batch b = {.element = e,
                         .count = count,
                         .slot = slot,
                         .slots = count};

    for (uint32_t i = 0; i < count; i++) {
        slot[i] = 3 * (uint64_t)(from + i);
        e[i] = (struct tt_element){.offset = 1 + 10 * (uint64_t)(from + i),
                                   .slots = i + 1};
    }
    assert_int_equal(tt_writer_elements(x->w, &b, &x->strings, shapes,
                                        COUNT(shapes), NULL),
                     T2T_OK);
}

/* Half the elements are nodes, in an order that is not that of the file. */
static t2t_index *make_many(struct subject *x, uint32_t elements)
{
    static uint32_t ones[20000];
    static struct tt_lane_record lane;
    uint32_t nodes = elements / 2;

    for (uint32_t i = 0; i < nodes; i++)
        ones[i] = 1;
    lane = (struct tt_lane_record){.process_name = TT_NONE,
                                   .thread_name = TT_NONE,
                                   .node_count = nodes,
                                   .element_count = elements};
    start(x);
    for (uint32_t i = 0; i < elements; i += 1000)
        batch(x, i, elements - i < 1000 ? elements - i : 1000);
    begin(x, elements, nodes, 0);
    for (uint32_t i = 0; i < nodes; i++)
        node(x, (struct tt_placed){.name = S_NAME,
                                   .parent = TT_NONE,
                                   .position = 2 * (nodes - 1 - i),
                                   .category = PYTHON,
                                   .phase = 'X'});
    for (uint32_t i = 0; i < elements; i++)
        if (i % 2 || i / 2 >= nodes)
            other(x, (struct tt_placed){.name = S_NAME,
                                        .position = i,
                                        .category = NO_CATEGORY,
                                        .phase = 'i'});
    x->rest.sizes = ones;
    x->rest.lanes = &lane;
    x->rest.lane_count = 1;
    x->header.document_bytes = 1000000;
    return finish(x);
}

static void test_any_number_of_elements_fills_its_frames(void **state)
{
    static const uint32_t counts[] = {0,    1,     2,     4095,  4096, 4097,
                                      8192, 16383, 16384, 16385, 32769};

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct subject x;
        t2t_index *index = make_many(&x, counts[i]);
        t2t_cursor *c;

        assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
        for (uint32_t id = 0; id < counts[i]; id += 1 + counts[i] / 50) {
            uint32_t position;
            uint64_t offset;
            struct t2t_text text;
            char want[64];

            assert_int_equal(t2t_cursor_position(c, id, &position, NULL),
                             T2T_OK);
            assert_int_equal(t2t_cursor_offset(c, id, &offset, NULL), T2T_OK);
            assert_int_equal(offset, 1 + 10 * (uint64_t)position);
            assert_int_equal(t2t_cursor_json(c, id, &text, NULL), T2T_OK);
            (void)snprintf(want, sizeof(want), "{\"name\":\"a name\",\"a\":%u}",
                           3 * position);
            assert_text(text, want);
        }
        t2t_cursor_close(c);
        t2t_index_close(index);
        stop(&x);
    }
}

/* Lengths of envelopes, "[]" at the start counted, and of the pieces in which
 * the rest comes. */
static const struct {
    size_t len;
    size_t piece;
} envelopes[] = {
    {3, 1},         {4, 2},           {65535, 1000},   {65536, 65536},
    {65537, 65536}, {131072, 131072}, {200000, 70000}, {200000, 3},
};

static void test_an_envelope_of_any_size_comes_back(void **state)
{
    char *text = malloc(200000);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 200000; i++)
        text[i] = (char)('a' + i * 2654435761u / 65536 % 26);
    memcpy(text, "[]", 2);
    for (size_t i = 0; i < COUNT(envelopes); i++) {
        size_t len = envelopes[i].len;
        struct tt_member_record members[] = {
            {.key = S_KEY, .bytes = len / 3, .document_offset = 5},
            {.key = S_NAME, .envelope_offset = len / 3, .bytes = len / 2}};
        struct t2t_text key, json;
        struct subject x;
        t2t_index *index;
        t2t_cursor *c;

        start(&x);
        for (size_t at = 2; at < len; at += envelopes[i].piece)
            assert_int_equal(tt_writer_envelope(x.w, text + at,
                                                len - at < envelopes[i].piece
                                                    ? len - at
                                                    : envelopes[i].piece,
                                                NULL),
                             T2T_OK);
        begin(&x, 0, 0, 0);
        x.rest.members = members;
        x.rest.member_count = COUNT(members);
        x.header.document_bytes = len;
        index = finish(&x);
        assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
        assert_int_equal(t2t_cursor_member(c, 0, &key, &json, NULL), T2T_OK);
        assert_text(key, "key");
        assert_int_equal(json.len, len / 3);
        assert_memory_equal(json.ptr, text, len / 3);
        assert_int_equal(t2t_cursor_member(c, 1, &key, &json, NULL), T2T_OK);
        assert_int_equal(json.len, len / 2);
        assert_memory_equal(json.ptr, text + len / 3, len / 2);
        assert_int_equal(t2t_cursor_member(c, 2, &key, &json, NULL),
                         T2T_NOT_FOUND);
        t2t_cursor_close(c);
        t2t_index_close(index);
        stop(&x);
    }
    free(text);
}

/* ---- the rest ------------------------------------------------------------ */

static void test_links_can_be_followed_both_ways(void **state)
{
    static const struct tt_pair forward[] = {{1, 3}, {2, 0}, {3, 0}};
    static const uint32_t ones[] = {1, 1, 1, 1};
    struct tt_lane_record lane = {.process_name = TT_NONE,
                                  .thread_name = TT_NONE,
                                  .node_count = 4,
                                  .element_count = 4};
    struct subject x;
    t2t_index *index;

    (void)state;
    start(&x);
    for (uint32_t i = 0; i < 4; i++)
        element(&x, i, 0, i);
    begin(&x, 4, 4, 0);
    for (uint32_t i = 0; i < 4; i++)
        node(&x, (struct tt_placed){.name = S_NAME,
                                    .parent = TT_NONE,
                                    .position = i,
                                    .category = PYTHON});
    x.rest.sizes = ones;
    x.rest.lanes = &lane;
    x.rest.lane_count = 1;
    x.rest.forward = forward;
    x.rest.forward_count = COUNT(forward);
    x.header.document_bytes = 100;
    index = finish(&x);
    assert_int_equal(t2t_index_forward(index, 0), T2T_NO_ID);
    assert_int_equal(t2t_index_forward(index, 1), 3);
    assert_int_equal(t2t_index_forward(index, 3), 0);
    assert_int_equal(t2t_index_backward(index, 0, 0), 2);
    assert_int_equal(t2t_index_backward(index, 0, 1), 3);
    assert_int_equal(t2t_index_backward(index, 0, 2), T2T_NO_ID);
    assert_int_equal(t2t_index_backward(index, 3, 0), 1);
    t2t_index_close(index);
    stop(&x);
}

static void test_offsets_of_anomalies_are_filled_in(void **state)
{
    /* kind, position, offset given, offset that comes out */
    static const struct {
        enum tt_anomaly kind;
        uint64_t position, given, offset;
    } rows[] = {
        {TT_ANOMALY_NOT_AN_OBJECT, 0, T2T_NO_OFFSET, 1},
        {TT_ANOMALY_CROSSED, 4095, T2T_NO_OFFSET, 40951},
        {TT_ANOMALY_CUT, 4096, T2T_NO_OFFSET, 40961},
        {TT_ANOMALY_GPU_WITHOUT_LAUNCH, 4999, T2T_NO_OFFSET, 49991},
        {TT_ANOMALY_GPU_AT_ZERO, 17, 12345, 12345},
        {TT_ANOMALY_BYTE_ORDER_MARK, TT_NO_POSITION, 3, 3},
        {TT_ANOMALY_DUPLICATE_MEMBER, TT_NO_POSITION, T2T_NO_OFFSET,
         T2T_NO_OFFSET},
    };
    struct t2t_anomaly a;
    struct subject x;
    t2t_index *index;

    (void)state;
    start(&x);
    for (size_t i = 0; i < COUNT(rows); i++)
        tt_anomaly_note(&x.anomalies, rows[i].kind, rows[i].position,
                        rows[i].given);
    for (uint32_t i = 0; i < 5000; i++)
        element(&x, 1 + 10 * (uint64_t)i, 1, S_VALUE);
    begin(&x, 5000, 0, 0);
    for (uint32_t i = 0; i < 5000; i++)
        other(&x, (struct tt_placed){.name = TT_NONE,
                                     .lane = TT_NONE,
                                     .position = i,
                                     .category = NO_CATEGORY});
    x.header.document_bytes = 100000;
    index = finish(&x);
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(t2t_index_anomaly(index, i, &a), T2T_OK);
        assert_string_equal(a.name, tt_anomaly_name(rows[i].kind));
        assert_int_equal(a.count, 1);
        assert_int_equal(a.first_position, rows[i].position);
        assert_int_equal(a.first_offset, rows[i].offset);
    }
    assert_int_equal(t2t_index_anomaly(index, COUNT(rows), &a), T2T_NOT_FOUND);
    t2t_index_close(index);
    stop(&x);
}

/* ---- leaving early ------------------------------------------------------- */

static void test_what_is_not_committed_leaves_no_file(void **state)
{
    (void)state;
    for (int step = 0; step < 6; step++) {
        struct subject x;

        start(&x);
        if (step > 0)
            element(&x, 0, 0, 1);
        if (step > 1)
            begin(&x, 1, 0, 0);
        if (step > 2)
            other(&x, (struct tt_placed){.name = TT_NONE,
                                         .lane = TT_NONE,
                                         .category = NO_CATEGORY});
        if (step > 3)
            assert_int_equal(tt_sink_flush(&x.sink, NULL), T2T_OK);
        if (step > 4)
            assert_int_equal(tt_writer_finish(x.w, &x.rest, NULL), T2T_OK);
        assert_int_not_equal(access(path_in(&x.s, "x.t2t"), F_OK), 0);
        tt_writer_free(x.w);
        x.w = NULL;
        assert_int_equal(count_files(&x.s), 0);
        stop(&x);
    }
    tt_writer_free(NULL);
}

static void test_a_disk_that_is_full_is_an_error_at_any_step(void **state)
{
    (void)state;
    for (rlim_t most = 0; most < 8000; most += 311) {
        enum t2t_status st;
        struct t2t_error err = {0};
        struct subject x;
        uint64_t bytes = 0;
        uint64_t sync_ns;

        start(&x);
        element(&x, 0, 0, 1);
        begin(&x, 1, 0, 0);
        other(&x, (struct tt_placed){.name = TT_NONE,
                                     .lane = TT_NONE,
                                     .category = NO_CATEGORY});
        limit_files(most);
        st = tt_sink_flush(&x.sink, &err);
        if (!st)
            st = tt_writer_finish(x.w, &x.rest, &err);
        if (!st)
            st = tt_writer_commit(x.w, &x.header, &bytes, &sync_ns, &err);
        limit_files(RLIM_INFINITY);
        assert_true(st == T2T_ERR_NO_SPACE || (!st && bytes <= most));
        tt_writer_free(x.w);
        x.w = NULL;
        assert_int_equal(count_files(&x.s), !st);
        stop(&x);
    }
}

static void test_a_folder_that_is_not_there_is_an_error(void **state)
{
    struct t2t_error err = {0};
    struct tt_writer *w = NULL;
    struct tt_tasks tasks;

    (void)state;
    assert_int_equal(tt_tasks_init(&tasks), T2T_OK);
    assert_int_equal(tt_writer_create(&w, "no-such-folder/x.t2t", &tasks, &err),
                     T2T_ERR_IO);
    assert_null(w);
    tt_tasks_release(&tasks);
    assert_int_equal(err.code, T2T_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_handed_over_can_be_asked_for),
        cmocka_unit_test(test_gpu_events_have_ranks_and_sums),
        cmocka_unit_test(test_lanes_and_strings_are_kept),
        cmocka_unit_test(test_elements_say_what_they_said),
        cmocka_unit_test(test_times_of_any_size_come_back),
        cmocka_unit_test(test_any_number_of_elements_fills_its_frames),
        cmocka_unit_test(test_an_envelope_of_any_size_comes_back),
        cmocka_unit_test(test_links_can_be_followed_both_ways),
        cmocka_unit_test(test_offsets_of_anomalies_are_filled_in),
        cmocka_unit_test(test_what_is_not_committed_leaves_no_file),
        cmocka_unit_test(test_a_disk_that_is_full_is_an_error_at_any_step),
        cmocka_unit_test(test_a_folder_that_is_not_there_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
