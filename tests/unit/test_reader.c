/* test_reader.c - trace2tree/index.h: getters, damage, verify */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <xxhash.h>

#include "fixture.h"
#include "format/format.h"

#define NAME "test_reader"
#define PATH NAME ".t2t"

/* Ids in the comments: nodes in preorder, then what is outside the tree. */
static const char trace[] =
    "{\"schemaVersion\":1,\"traceEvents\":["
    /* 0 */ "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module: "
    "Net_0\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":90,\"args\":{\"Python "
    "id\":1}},"
    /* 1 */ "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,"
    "\"tid\":2,\"ts\":20,\"dur\":30,\"args\":{\"Sequence number\":5,\"Fwd "
    "thread id\":0}},"
    /* 2 */ "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":"
    "\"cudaLaunchKernel\",\"pid\":1,\"tid\":2,\"ts\":25,\"dur\":5,\"args\":{"
    "\"correlation\":7}},"
    /* 3 */ "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,"
    "\"tid\":7,\"ts\":40,\"dur\":50.5,\"args\":{\"correlation\":7}},"
    /* 4 */ "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"autograd::engine::"
    "evaluate_function: MmBackward0\",\"pid\":1,\"tid\":2,\"ts\":60,\"dur\":"
    "10,\"args\":{\"Sequence number\":5,\"Fwd thread id\":1}},"
    /* 6 */ "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"ts\":0,"
    "\"args\":{\"name\":\"python\"}},"
    /* 5 */ "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy\","
    "\"pid\":0,\"tid\":\"s\",\"ts\":45,\"dur\":5000000,\"args\":{}},"
    /* 7 */ "17,"
    /* 8 */ "{\"ph\":\"i\",\"pid\":1,\"tid\":2,\"ts\":\"x\"}]}";

static t2t_index *open_index(void)
{
    return make_index(NAME, trace);
}

static void test_info_says_what_is_there(void **state)
{
    t2t_index *index = open_index();
    struct t2t_index_info info;

    (void)state;
    t2t_index_info(index, &info);
    assert_int_equal(info.element_count, 9);
    assert_int_equal(info.node_count, 6);
    assert_int_equal(info.gpu_count, 2);
    assert_int_equal(info.forward_count, 1);
    assert_int_equal(info.member_count, 1);
    assert_int_equal(info.origin_ns, 10000);
    assert_int_equal(info.last_end_ns, 5000045000);
    assert_int_equal(info.document_bytes, sizeof(trace) - 1);
    assert_int_equal(info.source_bytes, sizeof(trace) - 1);
    assert_true(info.source_mtime_ns > 0);
    assert_text(info.source_name, NAME ".json");
    assert_int_equal(info.format_major, 1);
    remove_index(NAME, index);
}

static void test_an_element_says_what_it_is(void **state)
{
    t2t_index *index = open_index();
    struct t2t_element e;

    (void)state;
    assert_int_equal(t2t_index_element(index, 3, &e), T2T_OK);
    assert_text(t2t_index_string(index, e.name), "gemm");
    assert_text(t2t_index_category(index, e.category), "kernel");
    assert_int_equal(e.layer, T2T_LAYER_GPU);
    assert_int_equal(e.parent, 2);
    assert_int_equal(e.size, 1);
    assert_int_equal(e.start_ns, 40000);
    assert_int_equal(e.dur_ns, 50500);
    assert_int_equal(e.flags, T2T_GPU | T2T_LINKED);
    assert_int_equal(e.phase, 'X');
    assert_true(e.has_start && e.in_tree);
    assert_int_equal(t2t_index_element(index, 5, &e), T2T_OK);
    assert_int_equal(e.dur_ns, 5000000000); /* past 32 bits */
    assert_int_equal(e.parent, T2T_NO_ID);
    assert_int_equal(e.flags, T2T_GPU);
    assert_int_equal(t2t_index_element(index, 1, &e), T2T_OK);
    assert_int_equal(e.flags, T2T_ROOT_OP);
    assert_int_equal(t2t_index_element(index, 9, &e), T2T_NOT_FOUND);
    assert_int_equal(t2t_index_element(index, T2T_NO_ID, &e), T2T_NOT_FOUND);
    remove_index(NAME, index);
}

static void test_an_element_outside_the_tree_has_no_place(void **state)
{
    t2t_index *index = open_index();
    struct t2t_element e;

    (void)state;
    assert_int_equal(t2t_index_element(index, 7, &e), T2T_OK);
    assert_false(e.in_tree || e.has_start);
    assert_int_equal(e.lane, T2T_NO_ID); /* it is no object */
    assert_int_equal(e.name, T2T_NO_ID);
    assert_int_equal(e.phase, 0);
    assert_int_equal(e.size, 0);
    assert_null(t2t_index_category(index, e.category).ptr);
    assert_int_equal(t2t_index_element(index, 8, &e), T2T_OK);
    assert_false(e.in_tree || e.has_start);
    assert_int_equal(e.phase, 'i');
    assert_int_not_equal(e.lane, T2T_NO_ID);
    assert_int_equal(t2t_index_gpu_count(index, 8), 0);
    assert_int_equal(t2t_index_module(index, 8), T2T_NO_ID);
    assert_int_equal(t2t_index_first_child(index, 8), T2T_NO_ID);
    assert_int_equal(t2t_index_next_root(index, 8), T2T_NO_ID);
    remove_index(NAME, index);
}

static void test_the_tree_can_be_walked(void **state)
{
    t2t_index *index = open_index();

    (void)state;
    assert_int_equal(t2t_index_next_root(index, 0), 0);
    assert_int_equal(t2t_index_first_child(index, 0), 1);
    assert_int_equal(t2t_index_next_sibling(index, 1), 4);
    assert_int_equal(t2t_index_next_sibling(index, 4), T2T_NO_ID);
    assert_int_equal(t2t_index_first_child(index, 4), T2T_NO_ID);
    assert_int_equal(t2t_index_next_root(index, 1), 5);
    assert_int_equal(t2t_index_next_root(index, 3), 5);
    assert_int_equal(t2t_index_next_root(index, 5), 5);
    assert_int_equal(t2t_index_next_sibling(index, 0), T2T_NO_ID);
    assert_int_equal(t2t_index_next_sibling(index, 5), T2T_NO_ID);
    remove_index(NAME, index);
}

static void test_gpu_events_below_are_a_range(void **state)
{
    t2t_index *index = open_index();
    const t2t_id *ids;
    uint32_t count;

    (void)state;
    ids = t2t_index_gpu_nodes(index, &count);
    assert_int_equal(count, 2);
    assert_int_equal(ids[0], 3);
    assert_int_equal(ids[1], 5);
    assert_int_equal(t2t_index_gpu_count(index, 0), 1);
    assert_int_equal(t2t_index_gpu_sum_ns(index, 0), 50500);
    assert_int_equal(t2t_index_gpu_count(index, 3), 1);
    assert_int_equal(t2t_index_gpu_count(index, 4), 0);
    assert_int_equal(t2t_index_gpu_sum_ns(index, 4), 0);
    assert_int_equal(t2t_index_gpu_sum_ns(index, 5), 5000000000);
    assert_int_equal(t2t_index_gpu_rank(index, 4), 1);
    assert_int_equal(t2t_index_gpu_rank(index, T2T_NO_ID), 2);
    remove_index(NAME, index);
}

static void test_links_and_modules_are_found(void **state)
{
    t2t_index *index = open_index();

    (void)state;
    assert_true(t2t_index_is_module(index, 0));
    assert_false(t2t_index_is_module(index, 1));
    assert_int_equal(t2t_index_module(index, 3), 0);
    assert_int_equal(t2t_index_module(index, 0), T2T_NO_ID);
    assert_int_equal(t2t_index_forward(index, 4), 1);
    assert_int_equal(t2t_index_forward(index, 1), T2T_NO_ID);
    assert_int_equal(t2t_index_backward(index, 1, 0), 4);
    assert_int_equal(t2t_index_backward(index, 1, 1), T2T_NO_ID);
    assert_int_equal(t2t_index_backward(index, 4, 0), T2T_NO_ID);
    remove_index(NAME, index);
}

static void test_lanes_have_ids_and_names(void **state)
{
    t2t_index *index = open_index();
    struct t2t_lane lane;

    (void)state;
    assert_int_equal(t2t_index_lane(index, 0, &lane), T2T_OK);
    assert_int_equal(lane.side, T2T_HOST);
    assert_int_equal(lane.pid.kind, T2T_ID_INTEGER);
    assert_int_equal(lane.pid.number, 1);
    assert_text(lane.process_name, "python");
    assert_null(lane.thread_name.ptr);
    assert_int_equal(lane.node_count, 5);
    assert_int_equal(lane.start_ns, 10000);
    assert_int_equal(t2t_index_lane(index, 2, &lane), T2T_OK);
    assert_int_equal(lane.side, T2T_DEVICE);
    assert_int_equal(lane.tid.kind, T2T_ID_TEXT);
    assert_text(lane.tid.text, "s");
    assert_int_equal(lane.first_node, 5);
    assert_int_equal(t2t_index_lane(index, 99, &lane), T2T_NOT_FOUND);
    remove_index(NAME, index);
}

static void test_a_lane_is_found_on_each_side(void **state)
{
    struct t2t_lane_id process = {.kind = T2T_ID_INTEGER, .number = 1};
    struct t2t_lane_id thread = {.kind = T2T_ID_INTEGER, .number = 2};
    struct t2t_lane_id gpu = {.kind = T2T_ID_INTEGER, .number = 0};
    struct t2t_lane_id stream = {.kind = T2T_ID_TEXT, .text = {"s", 1}};
    struct t2t_lane_id none = {.kind = T2T_ID_MISSING, .number = 7};
    t2t_index *index = open_index();
    struct t2t_index_info info;
    struct t2t_element note;
    struct t2t_lane lane;
    uint32_t beside;

    (void)state;
    assert_int_equal(t2t_index_lane_of(index, T2T_HOST, &process, &thread), 0);
    assert_int_equal(t2t_index_lane_of(index, T2T_DEVICE, &gpu, &stream), 2);
    assert_int_equal(t2t_index_lane_of(index, T2T_DEVICE, &process, &thread),
                     T2T_NO_ID);
    assert_int_equal(t2t_index_lane_of(index, T2T_HOST, &process, &stream),
                     T2T_NO_ID);
    /* a note of the thread, in its lane beside the tree */
    assert_int_equal(t2t_index_element(index, 8, &note), T2T_OK);
    beside = t2t_index_lane_of(index, T2T_NO_SIDE, &process, &thread);
    assert_int_equal(beside, note.lane);
    assert_int_equal(t2t_index_lane(index, beside, &lane), T2T_OK);
    assert_int_equal(t2t_index_lane_of(index, T2T_HOST, &lane.pid, &lane.tid),
                     0);
    /* process_name has no tid: a missing one has no number */
    beside = t2t_index_lane_of(index, T2T_NO_SIDE, &process, &none);
    t2t_index_info(index, &info);
    assert_true(beside < info.lane_count);
    assert_int_equal(t2t_index_lane(index, beside, &lane), T2T_OK);
    assert_int_equal(lane.tid.kind, T2T_ID_MISSING);
    remove_index(NAME, index);
}

static void test_ids_of_lanes_are_equal_by_what_they_are(void **state)
{
    static const struct t2t_lane_id ids[] = {
        {T2T_ID_MISSING, 0, {NULL, 0}}, {T2T_ID_INTEGER, 0, {NULL, 0}},
        {T2T_ID_INTEGER, 1, {NULL, 0}}, {T2T_ID_UNSIGNED, 1, {NULL, 0}},
        {T2T_ID_TEXT, 0, {"1", 1}},     {T2T_ID_TEXT, 0, {"", 0}},
        {T2T_ID_TEXT, 0, {"12", 2}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        for (size_t k = 0; k < sizeof(ids) / sizeof(ids[0]); k++)
            assert_int_equal(t2t_lane_id_equal(&ids[i], &ids[k]), i == k);
}

static void test_places_and_ids_are_inverse(void **state)
{
    static const uint32_t expected[] = {0, 1, 2, 3, 4, 6, 5, 7, 8};
    t2t_index *index = open_index();
    uint32_t position[9];
    t2t_id id[9];

    (void)state;
    assert_int_equal(t2t_index_all_positions(index, position, NULL), T2T_OK);
    assert_int_equal(t2t_index_all_ids(index, id, NULL), T2T_OK);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(position[i], expected[i]);
        assert_int_equal(id[position[i]], i);
    }
    remove_index(NAME, index);
}

static void test_odd_things_are_counted(void **state)
{
    t2t_index *index = open_index();
    struct t2t_anomaly a;

    (void)state;
    assert_int_equal(t2t_index_anomaly(index, 0, &a), T2T_OK);
    assert_string_equal(a.name, "not-an-object");
    assert_int_equal(a.count, 1);
    assert_int_equal(a.first_position, 7);
    assert_memory_equal(trace + a.first_offset, "17,", 3);
    assert_int_equal(t2t_index_anomaly(index, 99, &a), T2T_NOT_FOUND);
    remove_index(NAME, index);
}

static void test_sections_are_listed(void **state)
{
    t2t_index *index = open_index();
    struct t2t_section_info s;
    uint32_t n = 0;

    (void)state;
    assert_int_equal(t2t_index_section(index, 0, &s), T2T_OK);
    assert_string_equal(s.name, "START");
    assert_int_equal(s.count, 9);
    assert_int_equal(s.bytes, 72);
    while (!t2t_index_section(index, n, &s))
        n++;
    assert_int_equal(n, TT_SECTION_END - 1);
    remove_index(NAME, index);
}

/* Makes the checksums of header and table right again. */
static void seal(unsigned char *ptr)
{
    struct tt_header *h = (struct tt_header *)(void *)ptr;
    size_t table = h->section_count * sizeof(struct tt_section);

    if (h->table_offset < 1u << 20 && h->section_count < 100)
        h->table_xxh3 = XXH3_64bits(ptr + h->table_offset, table);
    h->xxh3 = XXH3_64bits(h, offsetof(struct tt_header, xxh3));
}

static struct tt_section *table_of(unsigned char *ptr)
{
    struct tt_header *h = (struct tt_header *)(void *)ptr;

    return (struct tt_section *)(void *)(ptr + h->table_offset);
}

/* Opens the file with these bytes, which must fail. */
static void assert_refused(const unsigned char *ptr, size_t len,
                           enum t2t_status status, const char *text)
{
    struct t2t_error err = {0};
    t2t_index *index = NULL;

    write_file(PATH, ptr, len);
    assert_int_equal(t2t_index_open(&index, PATH, &err), status);
    assert_null(index);
    assert_int_equal(err.code, status);
    assert_string_equal(err.text, text);
}

static const struct {
    size_t offset; /* in the header */
    unsigned char byte;
    enum t2t_status status;
    const char *text;
} headers[] = {
    {0, 'x', T2T_ERR_INDEX_FORMAT,
     "not an index any more: its first bytes were changed, as by a transfer as "
     "text"},
    {1, 'x', T2T_ERR_INDEX_FORMAT, "not an index"},
    {8, 9, T2T_ERR_INDEX_VERSION, "format 9.1, this program reads 1"},
    {12, 120, T2T_ERR_INDEX_DAMAGE, "header of 120 bytes, not 128"},
    {23, 1, T2T_ERR_INDEX_DAMAGE, NULL},
    {31, 1, T2T_ERR_INDEX_DAMAGE, "section table past the end of the file"},
    {24, 1, T2T_ERR_INDEX_DAMAGE, "section table past the end of the file"},
    {34, 1, T2T_ERR_INDEX_DAMAGE, "section table past the end of the file"},
    {32, 28, T2T_ERR_INDEX_DAMAGE, "section ID_FRAMES is missing"},
    {64, 8, T2T_ERR_INDEX_DAMAGE, "section START has 9 records, not 8"},
    {64, 1, T2T_ERR_INDEX_DAMAGE, "6 nodes of 1 elements cannot be"},
    {68, 5, T2T_ERR_INDEX_DAMAGE, "section PARENT has 6 records, not 5"},
};

static void test_open_names_what_is_wrong_with_the_header(void **state)
{
    t2t_index *index = open_index();
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    unsigned char *copy = malloc(len);
    char text[80];

    (void)state;
    assert_non_null(copy);
    (void)snprintf(text, sizeof(text), "file of %zu bytes, its header says %zu",
                   len, len + ((size_t)1 << 56));
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        memcpy(copy, ptr, len);
        copy[headers[i].offset] = headers[i].byte;
        seal(copy);
        assert_refused(copy, len, headers[i].status,
                       headers[i].text ? headers[i].text : text);
    }
    free(copy);
    free(ptr);
    remove_index(NAME, index);
}

static const struct {
    enum tt_section_id id;
    uint64_t add; /* to the offset */
    uint64_t bytes;
    uint64_t count;
    const char *text;
} tables[] = {
    {TT_SECTION_NAME, 0, 32, 8, "section NAME has 8 records, not 9"},
    {TT_SECTION_NAME, 0, 36, 8, "size of section NAME does not fit its count"},
    {TT_SECTION_NAME, 0, 35, 9, "size of section NAME does not fit its count"},
    {TT_SECTION_NAME, 32, 36, 9, "section NAME is not aligned"},
    {TT_SECTION_NAME, 1ull << 40, 36, 9, "section 4 past the end of the file"},
    {TT_SECTION_NAME, 0, UINT64_MAX, 9, "section 4 past the end of the file"},
    {TT_SECTION_GPU_RANK, 0, 24, 6, "section GPU_RANK has 6 records, not 7"},
    {TT_SECTION_GPU_SUM, 0, 16, 2, "section GPU_SUM has 2 records, not 3"},
    {TT_SECTION_BACKWARD, 0, 0, 0, "section BACKWARD has 0 records, not 1"},
    {TT_SECTION_STRING_OFFSET, 0, 0, 0, "section STRING_OFFSET has no record"},
    {TT_SECTION_ELEMENT_FRAMES, 0, 0, 0,
     "section ELEMENT_FRAMES has 0 records, not 1"},
    {TT_SECTION_ORDER_FRAMES, 0, 0, 0,
     "section ORDER_FRAMES has 0 records, not 1"},
};

static void test_open_names_what_is_wrong_with_a_section(void **state)
{
    t2t_index *index = open_index();
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    unsigned char *copy = malloc(len);

    (void)state;
    assert_non_null(copy);
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        struct tt_section *s;

        memcpy(copy, ptr, len);
        s = &table_of(copy)[tables[i].id - 1];
        s->offset += tables[i].add;
        s->bytes = tables[i].bytes;
        s->count = tables[i].count;
        seal(copy);
        assert_refused(copy, len, T2T_ERR_INDEX_DAMAGE, tables[i].text);
    }
    free(copy);
    free(ptr);
    remove_index(NAME, index);
}

static void test_checksums_of_header_and_table_are_read(void **state)
{
    t2t_index *index = open_index();
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    struct tt_header *h = (struct tt_header *)(void *)ptr;

    (void)state;
    ptr[72] ^= 1;
    assert_refused(ptr, len, T2T_ERR_INDEX_DAMAGE,
                   "wrong checksum of the header");
    ptr[72] ^= 1;
    ptr[h->table_offset + 33] ^= 1;
    assert_refused(ptr, len, T2T_ERR_INDEX_DAMAGE,
                   "wrong checksum of the section table");
    free(ptr);
    remove_index(NAME, index);
}

static void test_a_short_file_is_never_an_index(void **state)
{
    t2t_index *index = open_index();
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);

    (void)state;
    t2t_index_close(index);
    index = NULL;
    for (size_t n = 0; n < len; n += n < 200 ? 1 : 97) {
        struct t2t_error err = {0};

        write_file(PATH, ptr, n);
        assert_int_equal(t2t_index_open(&index, PATH, &err),
                         n ? T2T_ERR_INDEX_DAMAGE : T2T_ERR_INDEX_FORMAT);
    }
    for (size_t i = 0; i < 8; i++) { /* a byte of the magic is another one */
        struct t2t_error err = {0};

        ptr[i] ^= 1;
        write_file(PATH, ptr, i + 1);
        assert_int_equal(t2t_index_open(&index, PATH, &err),
                         T2T_ERR_INDEX_FORMAT);
        assert_string_equal(err.text, "not an index: shorter than its header");
        ptr[i] ^= 1;
    }
    free(ptr);
    remove_index(NAME, NULL);
}

static void test_what_is_no_file_is_no_index(void **state)
{
    struct t2t_error err = {0};
    t2t_index *index = NULL;

    (void)state;
    assert_int_equal(t2t_index_open(&index, "no/such/file", &err), T2T_ERR_IO);
    assert_string_equal(err.text,
                        "cannot open the file: No such file or directory");
    assert_int_equal(t2t_index_open(&index, ".", &err), T2T_ERR_INDEX_FORMAT);
    assert_int_equal(t2t_index_open(&index, "/dev/null", &err),
                     T2T_ERR_INDEX_FORMAT);
    assert_null(index);
    t2t_index_close(NULL);
}

/* Opens and verifies what is in the file. */
static enum t2t_status check_file(struct t2t_error *err)
{
    t2t_index *index = NULL;
    enum t2t_status st = t2t_index_open(&index, PATH, err);

    if (!st)
        st = t2t_index_verify(index, err);
    t2t_index_close(index);
    return st;
}

static void put_byte(FILE *f, size_t at, unsigned char byte)
{
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, f), byte);
    assert_int_equal(fflush(f), 0);
}

static void test_verify_notices_each_changed_byte(void **state)
{
    t2t_index *index = open_index();
    struct t2t_error err = {0};
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    FILE *f = fopen(PATH, "r+b");

    (void)state;
    assert_non_null(f);
    t2t_index_close(index);
    assert_int_equal(check_file(&err), T2T_OK);
    for (size_t i = 0; i < len; i++) {
        put_byte(f, i, ptr[i] ^ 0x40);
        if (!check_file(&err))
            fail_msg("byte %zu was changed", i);
        put_byte(f, i, ptr[i]);
    }
    assert_int_equal(check_file(&err), T2T_OK);
    assert_int_equal(fclose(f), 0);
    free(ptr);
    remove_index(NAME, NULL);
}

/* Values that no writer writes, in a file whose checksums are right. */
static const struct {
    enum tt_section_id id;
    uint32_t record;
    uint32_t value; /* its lowest bytes */
    const char *text;
} lies[] = {
    {TT_SECTION_NAME, 0, 5000, "an element holds an impossible value"},
    {TT_SECTION_LANE, 0, 5000, "an element holds an impossible value"},
    {TT_SECTION_CATEGORY, 0, 5000, "an element holds an impossible value"},
    {TT_SECTION_PARENT, 1, 1, "an element holds an impossible value"},
    {TT_SECTION_PARENT, 1, 5000, "an element holds an impossible value"},
    {TT_SECTION_PARENT, 4, 1, "a node is not below its parent"},
    {TT_SECTION_SIZE, 0, 0, "an element holds an impossible value"},
    {TT_SECTION_SIZE, 4, 3, "an element holds an impossible value"},
    {TT_SECTION_SIZE, 4, 2, "a node is not below its parent"},
    {TT_SECTION_DURATION, 0, UINT32_MAX,
     "an element holds an impossible value"},
    {TT_SECTION_LONG_DURATIONS, 0, 4, "an element holds an impossible value"},
    {TT_SECTION_DURATION, 5, 9, "a long duration is of no element"},
    {TT_SECTION_FLAGS, 3, 0, "a node is not in the lane of its parent"},
    {TT_SECTION_FLAGS, 3, 8, "the flags of a node cannot be"},
    {TT_SECTION_GPU_RANK, 2, 1, "a rank among GPU events is wrong"},
    {TT_SECTION_GPU_RANK, 6, 1, "the list of GPU events does not end right"},
    {TT_SECTION_GPU_NODE, 0, 2, "the list of GPU events is wrong"},
    {TT_SECTION_GPU_SUM, 1, 2, "a sum of durations is wrong"},
    {TT_SECTION_FORWARD, 0, 3, "a link is in one direction only"},
    {TT_SECTION_FORWARD, 0, 8, "a link to a forward operation is wrong"},
    {TT_SECTION_BACKWARD, 0, 8, "a link to a backward node is wrong"},
    {TT_SECTION_LANES, 0, 7, "a lane holds an impossible value"},
    {TT_SECTION_CATEGORIES, 0, 5000, "a category has no such string"},
    {TT_SECTION_STRING_OFFSET, 1, 0xffff, "a string ends before it begins"},
    {TT_SECTION_STRING_OFFSET, 0, 1, "strings do not fill their section"},
    {TT_SECTION_STRING_BYTES, 0, 0xff, "a string is not UTF-8"},
    {TT_SECTION_SHAPES, 0, 5000, "a shape is no template"},
    {TT_SECTION_ORDER_FRAMES, 0, 4, "a frame is out of its section"},
    {TT_SECTION_ANOMALIES, 0, 99, "an anomaly holds an impossible value"},
};

static void test_verify_names_what_cannot_be(void **state)
{
    t2t_index *index = open_index();
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);
    unsigned char *copy = malloc(len);

    (void)state;
    assert_non_null(copy);
    t2t_index_close(index);
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        struct t2t_error err = {0};
        struct tt_section *s;
        uint64_t at;

        memcpy(copy, ptr, len);
        s = &table_of(copy)[lies[i].id - 1];
        at = s->offset + (uint64_t)lies[i].record * s->record_bytes;
        memcpy(copy + at, &lies[i].value,
               s->record_bytes < 4 ? s->record_bytes : 4);
        s->xxh3 = XXH3_64bits(copy + s->offset, s->bytes);
        seal(copy);
        write_file(PATH, copy, len);
        assert_int_equal(check_file(&err), T2T_ERR_INDEX_DAMAGE);
        assert_string_equal(err.text, lies[i].text);
    }
    free(copy);
    free(ptr);
    remove_index(NAME, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info_says_what_is_there),
        cmocka_unit_test(test_an_element_says_what_it_is),
        cmocka_unit_test(test_an_element_outside_the_tree_has_no_place),
        cmocka_unit_test(test_the_tree_can_be_walked),
        cmocka_unit_test(test_gpu_events_below_are_a_range),
        cmocka_unit_test(test_links_and_modules_are_found),
        cmocka_unit_test(test_lanes_have_ids_and_names),
        cmocka_unit_test(test_a_lane_is_found_on_each_side),
        cmocka_unit_test(test_ids_of_lanes_are_equal_by_what_they_are),
        cmocka_unit_test(test_places_and_ids_are_inverse),
        cmocka_unit_test(test_odd_things_are_counted),
        cmocka_unit_test(test_sections_are_listed),
        cmocka_unit_test(test_open_names_what_is_wrong_with_the_header),
        cmocka_unit_test(test_open_names_what_is_wrong_with_a_section),
        cmocka_unit_test(test_checksums_of_header_and_table_are_read),
        cmocka_unit_test(test_a_short_file_is_never_an_index),
        cmocka_unit_test(test_what_is_no_file_is_no_index),
        cmocka_unit_test(test_verify_notices_each_changed_byte),
        cmocka_unit_test(test_verify_names_what_cannot_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
