/* test_build.c - trace2tree/build.h: same bytes, first bad byte, no litter. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <zstd.h>

#include "fixture.h"
#include "folder.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const char *trace_path(void)
{
    return path_in(&scratch, "trace.json");
}

static const char *index_path(void)
{
    return path_in(&scratch, "x.t2t");
}

#define WAY(threads, bytes)                                                    \
    {                                                                          \
        .workers = threads, .chunk_bytes = bytes, .tolerance = T2T_STRICT      \
    }

/* Every way to build; the first is the plainest. */
static const struct t2t_build_options ways[] = {
    WAY(1, 0),    WAY(2, 0),    WAY(8, 0),    WAY(1, 1),
    WAY(2, 1),    WAY(8, 1),    WAY(1, 7),    WAY(2, 7),
    WAY(8, 7),    WAY(1, 64),   WAY(2, 64),   WAY(8, 64),
    WAY(1, 1024), WAY(2, 1024), WAY(8, 1024), WAY(3, 333)};

static enum t2t_status build(const struct t2t_build_options *options,
                             struct t2t_error *err)
{
    return t2t_build(trace_path(), index_path(), options, NULL, err);
}

static void write_text(const char *text, size_t len)
{
    write_file(trace_path(), text, len);
}

/* Writes the text as one zstd frame; its checksum may be wrong. */
static void write_frame(const char *text, size_t len, bool damaged)
{
    size_t cap = ZSTD_compressBound(len);
    char *packed = malloc(cap);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    size_t size;

    assert_non_null(packed);
    assert_non_null(zstd);
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    size = ZSTD_compress2(zstd, packed, cap, text, len);
    assert_false(ZSTD_isError(size));
    packed[size - 1] ^= damaged;
    write_file(trace_path(), packed, size);
    (void)ZSTD_freeCCtx(zstd);
    free(packed);
}

static void write_zstd(const char *text, size_t len)
{
    write_frame(text, len, false);
}

/* ---- the same bytes ------------------------------------------------------ */

/* Text that grows. */
struct text {
    char *ptr;
    size_t len;
    size_t cap;
};

static void __attribute__((format(printf, 2, 3)))
add(struct text *t, const char *format, ...)
{
    va_list args;
    int len;

    if (t->cap - t->len < 1000) {
        t->cap = t->cap ? 2 * t->cap : 4000;
        t->ptr = realloc(t->ptr, t->cap);
        assert_non_null(t->ptr);
    }
    va_start(args, format);
    len = vsnprintf(t->ptr + t->len, t->cap - t->len, format, args);
    va_end(args);
    assert_in_range(len, 0, 999);
    t->len += (size_t)len;
}

/* Objects in an event that look like events: each "},{" is a wrong guess. */
static void add_nested(struct text *t, unsigned i, unsigned count)
{
    add(t,
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"nested %u\",\"pid\":1,"
        "\"tid\":%u,\"ts\":%u.%03u,\"dur\":%u,\"args\":{\"l\":[{}",
        i, i % 3, i, i % 1000, 1 + i % 7);
    for (unsigned n = 0; n < count; n++)
        add(t,
            ",{\"ph\":\"X\",\"name\":\"in %u\",\"ts\":%u},\n {\"a\":[{},{}]}",
            n, n);
    add(t, "],\"s\":\"}, {\\\"ph\\\":\\\"X\\\"},{\"}}");
}

static void add_plain(struct text *t, unsigned i)
{
    if (i % 2)
        add(t,
            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\","
            "\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":0.5,\"args\":"
            "{\"correlation\":%u}}",
            i % 3, i, i);
    else
        add(t,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%u\",\"pid\":0,"
            "\"tid\":7,\"ts\":%u,\"dur\":2.25,\"args\":{\"correlation\":%u}}",
            i % 10, i, i + 1);
}

static void add_odd(struct text *t, unsigned i)
{
    static const char *const odd[] = {
        "17",
        "[{\"a\":1},{\"b\":2},{\"c\":3}]",
        "\"},{\\\"\"",
        "null",
        "{\"ph\":\"B\",\"cat\":\"cpu_op\",\"ts\":\"5\",\"ts\":6}",
        "{\"ph\":\"E\",\"ts\":1e3}",
        "{}",
        "{\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":1}}"};

    add(t, "%s", odd[i % COUNT(odd)]);
}

/* A document of `count` elements, with one of `longest` bytes and more. */
static struct text make_document(unsigned count, size_t longest)
{
    struct text t = {0};

    add(&t, "{\"schemaVersion\": 1,\n\"traceEvents\": [\n");
    for (unsigned i = 0; i < count; i++) {
        if (i)
            add(&t, i % 5 ? ",\n" : " , ");
        if (i % 4 == 1)
            add_nested(&t, i, 1 + i % 9);
        else if (i % 4 == 3)
            add_odd(&t, i / 4);
        else
            add_plain(&t, i);
    }
    add(&t, ",{\"long\":[0");
    while (longest--)
        add(&t, longest % 20 ? ",%zu" : ",{\"n\":1},{\"m\":%zu}", longest % 10);
    add(&t, "]}\n],\"traceName\": \"},{\\\"x\\\"\"}\n");
    return t;
}

/* Builds in every way and compares with the first, from byte `from` on. */
static void assert_same_index(const unsigned char *want, size_t want_len,
                              size_t from)
{
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct t2t_error err = {0};
        unsigned char *got;
        size_t len;

        if (build(&ways[i], &err))
            fail_msg("%u workers, chunks of %zu: byte %llu: %s",
                     ways[i].workers, ways[i].chunk_bytes,
                     (unsigned long long)err.offset, err.text);
        assert_int_equal(count_files(&scratch), 2);
        got = read_file(index_path(), &len);
        assert_int_equal(len, want_len);
        if (memcmp(got + from, want + from, len - from))
            fail_msg("%u workers, chunks of %zu: another index",
                     ways[i].workers, ways[i].chunk_bytes);
        free(got);
    }
    assert_int_equal(unlink(index_path()), 0);
}

static void assert_same_in_every_way(const struct text *t)
{
    unsigned char *want;
    t2t_index *index;
    size_t len;

    write_text(t->ptr, t->len);
    assert_int_equal(build(&ways[0], NULL), T2T_OK);
    assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
    assert_int_equal(t2t_index_verify(index, NULL), T2T_OK);
    t2t_index_close(index);
    want = read_file(index_path(), &len);
    assert_same_index(want, len, 0);
    write_zstd(t->ptr, t->len); /* the header is about another file */
    assert_same_index(want, len, 128);
    free(want);
}

static void test_wrong_guesses_do_not_matter(void **state)
{
    struct text t = make_document(60, 3000);

    (void)state;
    assert_same_in_every_way(&t);
    free(t.ptr);
}

static void test_a_document_of_wrong_guesses_only_is_read(void **state)
{
    struct text t = {0};

    (void)state;
    add(&t, "[");
    for (unsigned i = 0; i < 8; i++) {
        add_nested(&t, i, 60);
        add(&t, i < 7 ? "," : "]");
    }
    assert_same_in_every_way(&t);
    free(t.ptr);
}

static void test_elements_longer_than_a_chunk_are_read(void **state)
{
    static const struct t2t_build_options some[] = {WAY(1, 0), WAY(8, 0),
                                                    WAY(2, 64), WAY(8, 1024)};
    struct text t = make_document(2, 150000); /* also than the default chunk */

    (void)state;
    write_text(t.ptr, t.len);
    for (size_t i = 0; i < COUNT(some); i++) {
        struct t2t_build_result result;

        assert_int_equal(t2t_build(trace_path(), index_path(), &some[i],
                                   &result, NULL),
                         T2T_OK);
        assert_int_equal(result.element_count, 3);
    }
    assert_int_equal(unlink(index_path()), 0);
    free(t.ptr);
}

static void test_a_document_of_many_chunks_is_the_same(void **state)
{
    static const struct t2t_build_options some[] = {WAY(8, 0), WAY(3, 1024)};
    struct text t = make_document(8000, 10);
    struct t2t_build_result result;
    unsigned char *want;
    size_t want_len;

    (void)state;
    assert_true(t.len > 5 * (128u << 10));
    write_text(t.ptr, t.len);
    assert_int_equal(t2t_build(trace_path(), index_path(), &ways[0], &result,
                               NULL),
                     T2T_OK);
    assert_int_equal(result.element_count, 8001);
    assert_int_equal(result.document_bytes, t.len);
    want = read_file(index_path(), &want_len);
    for (size_t i = 0; i < COUNT(some); i++) {
        unsigned char *got;
        size_t len;

        assert_int_equal(build(&some[i], NULL), T2T_OK);
        got = read_file(index_path(), &len);
        assert_int_equal(len, want_len);
        assert_memory_equal(got, want, len);
        free(got);
    }
    assert_int_equal(unlink(index_path()), 0);
    free(want);
    free(t.ptr);
}

/* Verifies the index and compares the length of its member "a". */
static void assert_member(size_t want)
{
    struct t2t_text key, json;
    t2t_index *index;
    t2t_cursor *c;

    assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
    assert_int_equal(t2t_index_verify(index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_member(c, 0, &key, &json, NULL), T2T_OK);
    assert_text(key, "a");
    assert_int_equal(json.len, want);
    t2t_cursor_close(c);
    t2t_index_close(index);
}

/* Members of any length before and behind the array, which are read in
 * blocks. */
static void test_members_may_be_very_long(void **state)
{
    static const size_t lengths[] = {65500, 65536, 200000};

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct text t = {0};
        unsigned char *want;
        size_t len;

        add(&t, "{\"a\":\"");
        for (size_t n = 0; n < lengths[i]; n++)
            add(&t, "%c", (int)('a' + n * 7 % 26));
        add(&t, "\",\"traceEvents\":[1,{\"a\":2}],\"b\":[0");
        for (size_t n = 0; n < lengths[i] / 10; n++)
            add(&t, ",%zu", n);
        add(&t, "]}");
        write_text(t.ptr, t.len);
        assert_int_equal(build(&ways[0], NULL), T2T_OK);
        assert_member(lengths[i] + 2);
        want = read_file(index_path(), &len);
        write_zstd(t.ptr, t.len);
        for (size_t n = 0; n < COUNT(ways); n += 2) {
            unsigned char *got;
            size_t got_len;

            assert_int_equal(build(&ways[n], NULL), T2T_OK);
            got = read_file(index_path(), &got_len);
            assert_int_equal(got_len, len);
            assert_memory_equal(got + 128, want + 128, len - 128);
            free(got);
        }
        free(want);
        free(t.ptr);
    }
    assert_int_equal(unlink(index_path()), 0);
}

/* Where each element begins, whatever the chunks. */
static void test_offsets_are_those_of_the_document(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf [ {\"a\":1},{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":"
        "\"o\",\"ts\":1,\"dur\":1},\n\n17,[{},{\"b\":1},{\"c\":1}] ]";
    static const uint64_t offsets[] = {6, 14, 68, 71};

    (void)state;
    write_text(text, sizeof(text) - 1);
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct t2t_index_info info;
        t2t_index *index;
        t2t_cursor *c;
        struct t2t_anomaly a;

        assert_int_equal(build(&ways[i], NULL), T2T_OK);
        assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
        t2t_index_info(index, &info);
        assert_int_equal(info.element_count, COUNT(offsets));
        assert_int_equal(info.document_bytes, sizeof(text) - 1);
        assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
        for (uint32_t n = 0; n < COUNT(offsets); n++) {
            uint64_t offset;
            t2t_id id;

            assert_int_equal(t2t_cursor_id(c, n, &id, NULL), T2T_OK);
            assert_int_equal(t2t_cursor_offset(c, id, &offset, NULL), T2T_OK);
            assert_int_equal(offset, offsets[n]);
        }
        assert_int_equal(t2t_index_anomaly(index, 0, &a), T2T_OK);
        assert_string_equal(a.name, "not-an-object");
        assert_int_equal(a.first_offset, 68);
        t2t_cursor_close(c);
        t2t_index_close(index);
    }
    assert_int_equal(unlink(index_path()), 0);
}

/* ---- damage -------------------------------------------------------------- */

#define E                                                                      \
    "{\"ph\":\"X\",\"args\":{\"l\":[{\"a\":1},{\"b\":2}]}}" /* 43 bytes        \
                                                             */
#define D "{\"traceEvents\":[" E "," E ","                  /* 100 */
#define SYNTAX T2T_ERR_JSON_SYNTAX
#define NUMBER T2T_ERR_JSON_NUMBER
#define CUT T2T_ERR_TRUNCATED

static const struct {
    const char *text;
    enum t2t_status status;
    uint64_t offset;
} damaged[] = {
    {"", CUT, 0},
    {"\xef\xbb\xbf", CUT, 3},
    {"  \n", CUT, 3},
    {"{", CUT, 1},
    {D, CUT, 100},
    {D E, CUT, 141},
    {D E "]", CUT, 142},
    {D "{\"name\":\"", CUT, 109},
    {D "{\"name\":\"\\u00", CUT, 113},
    {"{}", T2T_ERR_NOT_A_TRACE, T2T_NO_OFFSET},
    {"{\"traceEvents\":{}}", T2T_ERR_NOT_A_TRACE, 15},
    {"{\"events\":[" E "]}", T2T_ERR_NOT_A_TRACE, T2T_NO_OFFSET},
    {"17", T2T_ERR_NOT_A_TRACE, T2T_NO_OFFSET},
    {D E "],\"traceEvents\":[]}", T2T_ERR_NOT_A_TRACE, 156},
    {D "]}", SYNTAX, 100},
    {D " ]}", SYNTAX, 101},
    {D "," E "]}", SYNTAX, 100},
    {D E E "]}", SYNTAX, 141},
    {D E "}", SYNTAX, 141},
    {D E "]]}", SYNTAX, 142},
    {D E "],}", SYNTAX, 143},
    {D "{\"a\":1,}]}", SYNTAX, 107},
    {D "{\"a\"}]}", SYNTAX, 104},
    {D "{\"a\":[{\"b\":1},{\"c\" 2}]}]}", SYNTAX, 119},
    {D "{\"a\":\"b\\c\"}]}", T2T_ERR_JSON_ESCAPE, 108},
    {D "{\"a\":\"\\u00\"}]}", T2T_ERR_JSON_ESCAPE, 110},
    {D "{\"a\":\"b\tc\"}]}", T2T_ERR_JSON_CONTROL_CHAR, 107},
    {D "{\"a\":01}]}", NUMBER, 106},
    {D "{\"ts\":1.}]}", NUMBER, 108},
    {D "{\"ts\":.5}]}", NUMBER, 106},
    {D "{\"dur\":NaN}]}", NUMBER, 107},
    {D "{\"pid\":1e}]}", NUMBER, 109},
    {D "{\"a\":\"\xc3(\"}]}", T2T_ERR_UTF8, 107},
    {D "{\"a\":\"\xf0\x9f\x8c\"}]}", T2T_ERR_UTF8, 109},
    {D "{\"\x80\":1}]}", T2T_ERR_UTF8, 102},
    {D E "]}x", T2T_ERR_EXTRA_DATA, 143},
    {D E "]} {}", T2T_ERR_EXTRA_DATA, 144},
    {"[" E "],", T2T_ERR_EXTRA_DATA, 43},
    {"\xff\xfe[\0]\0", T2T_ERR_ENCODING, 0},
};

static void assert_refused(size_t row, const struct t2t_build_options *way)
{
    struct t2t_error err = {0};
    enum t2t_status st = build(way, &err);

    if (st != damaged[row].status || err.code != st ||
        err.offset != damaged[row].offset)
        fail_msg("%s: %u workers, chunks of %zu: %s at %llu, not %s at %llu",
                 damaged[row].text, way->workers, way->chunk_bytes,
                 t2t_status_text(st), (unsigned long long)err.offset,
                 t2t_status_text(damaged[row].status),
                 (unsigned long long)damaged[row].offset);
    assert_true(strlen(err.text) > 0);
    assert_int_equal(count_files(&scratch), 1);
}

static void test_damage_is_told_by_class_and_first_bad_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(damaged); i++) {
        write_text(damaged[i].text, strlen(damaged[i].text));
        for (size_t n = 0; n < COUNT(ways); n++)
            assert_refused(i, &ways[n]);
    }
}

static void test_damage_in_a_compressed_trace_is_told_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(damaged); i++) {
        size_t len = strlen(damaged[i].text);

        write_zstd(damaged[i].text, len);
        for (size_t n = 0; n < COUNT(ways); n += 3)
            assert_refused(i, &ways[n]);
    }
}

/* Documents that are whole, no trace, bad and cut short. */
static const char *const any_documents[] = {"[1]", "{}",      "[1,]",
                                            "[1",  "{\"a\":", "[\"\xff\"]",
                                            "[1]x"};

/* What damaged data make of the text says nothing. */
static void test_damage_of_compressed_data_is_told_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(any_documents); i++) {
        write_frame(any_documents[i], strlen(any_documents[i]), true);
        for (size_t n = 0; n < COUNT(ways); n++) {
            struct t2t_error err = {0};

            assert_int_equal(build(&ways[n], &err), T2T_ERR_ZSTD_DATA);
            assert_int_equal(err.code, T2T_ERR_ZSTD_DATA);
            assert_int_equal(count_files(&scratch), 1);
        }
    }
}

/* ---- files --------------------------------------------------------------- */

static void test_a_build_that_fails_leaves_the_old_index(void **state)
{
    unsigned char *got;
    size_t len;

    (void)state;
    write_text("[1,x", 4);
    write_file(index_path(), "old", 3);
    assert_int_equal(build(NULL, NULL), T2T_ERR_JSON_SYNTAX);
    assert_int_equal(count_files(&scratch), 2);
    got = read_file(index_path(), &len);
    assert_int_equal(len, 3);
    assert_memory_equal(got, "old", 3);
    free(got);
    assert_int_equal(unlink(index_path()), 0);
}

static void test_a_build_replaces_the_old_index(void **state)
{
    t2t_index *index;

    (void)state;
    write_text("[1]", 3);
    write_file(index_path(), "old", 3);
    assert_int_equal(build(NULL, NULL), T2T_OK);
    assert_int_equal(count_files(&scratch), 2);
    assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
    t2t_index_close(index);
    assert_int_equal(unlink(index_path()), 0);
}

static void test_a_tolerance_that_is_none_is_refused(void **state)
{
    struct t2t_build_options options = {.tolerance = (enum t2t_tolerance)3};
    struct t2t_error err = {0};

    (void)state;
    write_text("[1]", 3);
    assert_int_equal(build(&options, &err), T2T_ERR_USAGE);
    assert_string_equal(err.text, "no such tolerance: 3");
    options.tolerance = (enum t2t_tolerance) - 1;
    assert_int_equal(build(&options, NULL), T2T_ERR_USAGE);
    assert_int_equal(access(index_path(), F_OK), -1);
}

static void test_a_trace_is_not_replaced_by_its_index(void **state)
{
    struct t2t_error err = {0};
    unsigned char *got;
    size_t len;

    (void)state;
    write_text("[1]", 3);
    assert_int_equal(link(trace_path(), index_path()), 0);
    assert_int_equal(build(NULL, &err), T2T_ERR_USAGE);
    assert_string_equal(err.text, "the index would replace the trace");
    got = read_file(index_path(), &len);
    assert_int_equal(len, 3);
    free(got);
    assert_int_equal(unlink(index_path()), 0);
}

static void test_a_trace_that_is_not_there_is_an_io_error(void **state)
{
    struct t2t_error err = {0};

    (void)state;
    (void)unlink(trace_path());
    assert_int_equal(build(NULL, &err), T2T_ERR_IO);
    assert_int_equal(err.code, T2T_ERR_IO);
    assert_int_equal(count_files(&scratch), 0);
}

static void test_a_folder_is_no_trace(void **state)
{
    (void)state;
    assert_int_equal(t2t_build(scratch.folder, index_path(), NULL, NULL, NULL),
                     T2T_ERR_NOT_A_TRACE);
    assert_int_equal(count_files(&scratch), 0);
}

static void test_an_index_needs_a_folder(void **state)
{
    struct t2t_error err = {0};

    (void)state;
    write_text("[1]", 3);
    assert_int_equal(t2t_build(trace_path(), "no-such-folder/x.t2t", NULL, NULL,
                               &err),
                     T2T_ERR_IO);
    assert_string_equal(err.text, "cannot create no-such-folder/x.t2t: "
                                  "No such file or directory");
}

static void test_a_full_disk_leaves_nothing(void **state)
{
    struct text t = make_document(200, 10);

    (void)state;
    write_text(t.ptr, t.len);
    for (rlim_t most = 0; most <= 8000; most += 1000) {
        enum t2t_status st;

        limit_files(most);
        st = build(&ways[1], NULL);
        limit_files(RLIM_INFINITY);
        assert_int_equal(st, T2T_ERR_NO_SPACE);
        assert_int_equal(count_files(&scratch), 1);
    }
    free(t.ptr);
}

/* ---- results ------------------------------------------------------------- */

static void test_the_result_says_what_there_was(void **state)
{
    static const char text[] =
        "{\"traceEvents\":["
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"l\",\"ts\":1,"
        "\"dur\":1,\"args\":{\"correlation\":1}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":2,\"dur\":1,"
        "\"args\":{\"correlation\":1}},"
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"m\",\"ts\":2,"
        "\"dur\":1,\"args\":{\"correlation\":2}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"i\",\"ts\":9,\"dur\":1,"
        "\"args\":{\"correlation\":2}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"j\",\"ts\":3,\"dur\":1},"
        "{\"ph\":\"i\",\"ts\":4},5]}";
    struct t2t_build_result r;
    struct stat st;

    (void)state;
    write_zstd(text, sizeof(text) - 1);
    memset(&r, 0xff, sizeof(r));
    assert_int_equal(t2t_build(trace_path(), index_path(), NULL, &r, NULL),
                     T2T_OK);
    assert_int_equal(stat(trace_path(), &st), 0);
    assert_int_equal(r.source_bytes, st.st_size);
    assert_int_equal(r.document_bytes, sizeof(text) - 1);
    assert_int_equal(stat(index_path(), &st), 0);
    assert_int_equal(r.index_bytes, st.st_size);
    assert_int_equal(r.element_count, 7);
    assert_int_equal(r.node_count, 5);
    assert_int_equal(r.gpu_count, 3);
    assert_int_equal(r.linked_count, 2);
    assert_int_equal(r.anomaly_count, 2); /* no launch; no object */
    assert_int_equal(unlink(index_path()), 0);
}

static void test_a_trace_can_come_from_standard_input(void **state)
{
    int saved = dup(STDIN_FILENO);
    struct t2t_index_info info;
    t2t_index *index;
    int ends[2];

    (void)state;
    assert_true(saved >= 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "[1,{\"a\":2},3]", 13), 13);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(t2t_build("-", index_path(), NULL, NULL, NULL), T2T_OK);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(saved), 0);
    assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
    t2t_index_info(index, &info);
    assert_int_equal(info.element_count, 3);
    assert_int_equal(info.source_bytes, 0);
    assert_int_equal(info.source_mtime_ns, 0);
    assert_text(info.source_name, "");
    t2t_index_close(index);
    assert_int_equal(unlink(index_path()), 0);
}

/* The key "" is at NULL where it is decoded. */
static void test_members_may_have_no_name(void **state)
{
    static const char text[] = "{\"\":1,\"\":2,\"traceEvents\":[]}";
    struct t2t_text key, json;
    struct t2t_anomaly a;
    t2t_index *index;
    t2t_cursor *c;

    (void)state;
    write_text(text, sizeof(text) - 1);
    assert_int_equal(build(NULL, NULL), T2T_OK);
    assert_int_equal(t2t_index_open(&index, index_path(), NULL), T2T_OK);
    assert_int_equal(t2t_cursor_open(&c, index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_member(c, 1, &key, &json, NULL), T2T_OK);
    assert_text(key, "");
    assert_text(json, "2");
    assert_int_equal(t2t_index_anomaly(index, 0, &a), T2T_OK);
    assert_string_equal(a.name, "duplicate-member");
    assert_int_equal(a.first_offset, 9);
    t2t_cursor_close(c);
    t2t_index_close(index);
    assert_int_equal(unlink(index_path()), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_guesses_do_not_matter),
        cmocka_unit_test(test_a_document_of_wrong_guesses_only_is_read),
        cmocka_unit_test(test_elements_longer_than_a_chunk_are_read),
        cmocka_unit_test(test_a_document_of_many_chunks_is_the_same),
        cmocka_unit_test(test_members_may_be_very_long),
        cmocka_unit_test(test_offsets_are_those_of_the_document),
        cmocka_unit_test(test_damage_is_told_by_class_and_first_bad_byte),
        cmocka_unit_test(test_damage_in_a_compressed_trace_is_told_the_same),
        cmocka_unit_test(test_damage_of_compressed_data_is_told_first),
        cmocka_unit_test(test_a_build_that_fails_leaves_the_old_index),
        cmocka_unit_test(test_a_build_replaces_the_old_index),
        cmocka_unit_test(test_a_tolerance_that_is_none_is_refused),
        cmocka_unit_test(test_a_trace_is_not_replaced_by_its_index),
        cmocka_unit_test(test_a_trace_that_is_not_there_is_an_io_error),
        cmocka_unit_test(test_a_folder_is_no_trace),
        cmocka_unit_test(test_an_index_needs_a_folder),
        cmocka_unit_test(test_a_full_disk_leaves_nothing),
        cmocka_unit_test(test_the_result_says_what_there_was),
        cmocka_unit_test(test_a_trace_can_come_from_standard_input),
        cmocka_unit_test(test_members_may_have_no_name),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
