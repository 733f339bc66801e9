/* test_growth.c - doc/format.md, Growth: indexes of later versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"
#include "future.h"

#define NAME "test_growth"
#define PATH NAME ".t2t"
#define FUTURE "test_growth_future.t2t"

static const char trace[] =
    "{\"schemaVersion\":1,\"traceEvents\":["
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"nn.Module: Net_0\","
    "\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":90,\"args\":{\"Python id\":1}},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":"
    "2,\"ts\":20,\"dur\":30,\"args\":{\"Sequence number\":5,\"Fwd thread id\":"
    "0}},"
    "{\"ph\":\"X\",\"cat\":\"xpu_runtime\",\"name\":\"launch\",\"pid\":1,"
    "\"tid\":2,\"ts\":25,\"dur\":45,\"args\":{\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"copy\",\"pid\":0,\"tid\":"
    "7,\"ts\":40,\"dur\":50.5,\"args\":{\"correlation\":7,\"x\":[1, 2.50]}},"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"autograd::engine::evaluate_"
    "function: MmBackward0\",\"pid\":1,\"tid\":2,\"ts\":80,\"dur\":10,\"args\":"
    "{\"Sequence number\":5,\"Fwd thread id\":1}},"
    "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"copy\",\"pid\":0,\"tid\":"
    "7,\"ts\":95,\"dur\":1}, 17]}";

/* An index and the same from the future. */
struct both {
    unsigned char *ptr; /* of the one from the future, owned */
    size_t len;
    t2t_index *now;
    t2t_index *future;
};

static void open_future(struct both *b)
{
    struct t2t_error err;

    write_file(FUTURE, b->ptr, b->len);
    if (t2t_index_open(&b->future, FUTURE, &err))
        fail_msg("%s", err.text);
}

static struct both begin(void)
{
    struct both b = {.now = make_index(NAME, trace)};
    size_t len;
    unsigned char *ptr = read_file(PATH, &len);

    b.ptr = make_future(ptr, len, &b.len);
    assert_non_null(b.ptr);
    free(ptr);
    open_future(&b);
    return b;
}

static void end(struct both *b)
{
    remove_index(NAME, b->now);
    t2t_index_close(b->future);
    (void)unlink(FUTURE);
    free(b->ptr);
}

static void assert_same_text(struct t2t_text a, struct t2t_text b)
{
    assert_int_equal(a.len, b.len);
    assert_int_equal(!a.ptr, !b.ptr);
    if (a.ptr)
        assert_memory_equal(a.ptr, b.ptr, a.len);
}

static void assert_same_element(const struct both *b, t2t_id id)
{
    struct t2t_element x, y;

    assert_int_equal(t2t_index_element(b->now, id, &x), T2T_OK);
    assert_int_equal(t2t_index_element(b->future, id, &y), T2T_OK);
    assert_int_equal(x.parent, y.parent);
    assert_int_equal(x.size, y.size);
    assert_int_equal(x.name, y.name);
    assert_int_equal(x.lane, y.lane);
    assert_int_equal(x.category, y.category);
    assert_int_equal(x.start_ns, y.start_ns);
    assert_int_equal(x.dur_ns, y.dur_ns);
    assert_int_equal(x.layer, y.layer);
    assert_int_equal(x.flags, y.flags);
    assert_int_equal(x.phase, y.phase);
    assert_int_equal(x.in_tree, y.in_tree);
    assert_int_equal(t2t_index_gpu_count(b->now, id),
                     t2t_index_gpu_count(b->future, id));
    assert_int_equal(t2t_index_gpu_sum_ns(b->now, id),
                     t2t_index_gpu_sum_ns(b->future, id));
    assert_int_equal(t2t_index_module(b->now, id),
                     t2t_index_module(b->future, id));
    assert_int_equal(t2t_index_forward(b->now, id),
                     t2t_index_forward(b->future, id));
    assert_int_equal(t2t_index_first_child(b->now, id),
                     t2t_index_first_child(b->future, id));
    assert_int_equal(t2t_index_next_sibling(b->now, id),
                     t2t_index_next_sibling(b->future, id));
}

static void test_everything_is_answered_as_before(void **state)
{
    struct both b = begin();
    struct t2t_index_info x, y;
    t2t_cursor *now, *future;

    (void)state;
    t2t_index_info(b.now, &x);
    t2t_index_info(b.future, &y);
    assert_int_equal(x.format_minor, 1);
    assert_int_equal(y.format_minor, FUTURE_MINOR);
    assert_int_equal(x.element_count, y.element_count);
    assert_int_equal(x.node_count, y.node_count);
    assert_int_equal(x.origin_ns, y.origin_ns);
    assert_int_equal(x.member_count, y.member_count);
    assert_int_equal(t2t_cursor_open(&now, b.now, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_open(&future, b.future, NULL), T2T_OK);
    for (t2t_id id = 0; id < x.element_count; id++) {
        struct t2t_text p, q;

        assert_same_element(&b, id);
        assert_int_equal(t2t_cursor_json(now, id, &p, NULL), T2T_OK);
        assert_int_equal(t2t_cursor_json(future, id, &q, NULL), T2T_OK);
        assert_same_text(p, q);
    }
    for (uint32_t i = 0; i < x.lane_count; i++) {
        struct t2t_lane p, q;

        assert_int_equal(t2t_index_lane(b.now, i, &p), T2T_OK);
        assert_int_equal(t2t_index_lane(b.future, i, &q), T2T_OK);
        assert_int_equal(p.first_node, q.first_node);
        assert_int_equal(p.element_count, q.element_count);
    }
    t2t_cursor_close(now);
    t2t_cursor_close(future);
    end(&b);
}

static void test_an_unknown_section_is_listed_and_verified(void **state)
{
    struct both b = begin();
    struct t2t_section_info s;
    struct t2t_error err;

    (void)state;
    assert_int_equal(t2t_index_section(b.future, TT_SECTION_END - 1, &s),
                     T2T_OK);
    assert_int_equal(s.id, FUTURE_SECTION);
    assert_string_equal(s.name, "unknown");
    assert_int_equal(s.bytes, FUTURE_RECORD * FUTURE_RECORDS);
    assert_int_equal(s.count, FUTURE_RECORDS);
    assert_int_equal(t2t_index_verify(b.future, NULL), T2T_OK);
    t2t_index_close(b.future);
    b.ptr[future_table(b.ptr)[TT_SECTION_END - 1].offset + 20]++;
    open_future(&b);
    assert_int_equal(t2t_index_verify(b.future, &err), T2T_ERR_INDEX_DAMAGE);
    assert_string_equal(err.text, "wrong checksum of section unknown");
    end(&b);
}

static void test_an_unknown_section_lies_in_the_file(void **state)
{
    struct both b = begin();
    struct tt_section *s = &future_table(b.ptr)[TT_SECTION_END - 1];
    struct t2t_error err;
    t2t_index *index = NULL;
    struct tt_header *h = future_header(b.ptr);

    (void)state;
    s->bytes = b.len;
    h->table_xxh3 =
        XXH3_64bits(future_table(b.ptr), TT_SECTION_END * sizeof(*s));
    h->xxh3 = XXH3_64bits(h, offsetof(struct tt_header, xxh3));
    write_file(PATH, b.ptr, b.len);
    assert_int_equal(t2t_index_open(&index, PATH, &err), T2T_ERR_INDEX_DAMAGE);
    assert_string_equal(err.text, "section 1000 past the end of the file");
    end(&b);
}

static void test_an_unknown_anomaly_is_shown_as_unknown(void **state)
{
    struct both b = begin();
    struct t2t_anomaly x, y;
    uint32_t n = 0;

    (void)state;
    for (; !t2t_index_anomaly(b.now, n, &x); n++) {
        assert_int_equal(t2t_index_anomaly(b.future, n, &y), T2T_OK);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.count, y.count);
    }
    assert_true(n > 0);
    assert_int_equal(t2t_index_anomaly(b.future, n, &y), T2T_OK);
    assert_string_equal(y.name, "unknown");
    assert_int_equal(y.count, 5);
    assert_int_equal(t2t_index_anomaly(b.future, n + 1, &y), T2T_NOT_FOUND);
    end(&b);
}

/* Writes `to` wherever `from` stands in the strings. */
static void replace(const struct both *b, const char *from, const char *to)
{
    const struct tt_section *s =
        &future_table(b->ptr)[TT_SECTION_STRING_BYTES - 1];
    size_t len = strlen(from);
    size_t count = 0;

    for (size_t i = 0; i + len <= s->bytes; i++) {
        if (!memcmp(b->ptr + s->offset + i, from, len)) {
            memcpy(b->ptr + s->offset + i, to, len);
            count++;
        }
    }
    assert_true(count > 0);
    future_seal(b->ptr);
}

static void test_a_later_version_may_know_more_categories(void **state)
{
    struct both b = begin();
    struct t2t_element e;
    struct t2t_error err;

    (void)state;
    t2t_index_close(b.future);
    replace(&b, "xpu_runtime", "npu_runtime");
    replace(&b, "gpu_memcpy", "npu_memcpy");
    open_future(&b);
    assert_int_equal(t2t_index_verify(b.future, NULL), T2T_OK);
    assert_int_equal(t2t_index_element(b.future, 3, &e), T2T_OK);
    assert_text(t2t_index_category(b.future, e.category), "npu_memcpy");
    assert_int_equal(e.layer, T2T_LAYER_NONE);
    assert_int_equal(e.flags, T2T_GPU | T2T_LINKED);
    assert_int_equal(e.parent, 2);
    assert_int_equal(t2t_index_gpu_count(b.future, 0), 1);
    t2t_index_close(b.future);
    future_header(b.ptr)->minor = 0;
    future_seal(b.ptr);
    open_future(&b);
    assert_int_equal(t2t_index_verify(b.future, &err), T2T_ERR_INDEX_DAMAGE);
    assert_string_equal(err.text, "a node has no lane or no layer");
    end(&b);
}

static void test_another_major_version_is_refused(void **state)
{
    static const unsigned char majors[] = {0, 2, 255};
    struct both b = begin();

    (void)state;
    for (size_t i = 0; i < sizeof(majors); i++) {
        struct t2t_error err;
        t2t_index *index = NULL;
        char text[64];

        (void)snprintf(text, sizeof(text), "format %u.7, this program reads 1",
                       majors[i]);
        future_header(b.ptr)->major = majors[i];
        future_seal(b.ptr);
        write_file(PATH, b.ptr, b.len);
        assert_int_equal(t2t_index_open(&index, PATH, &err),
                         T2T_ERR_INDEX_VERSION);
        assert_int_equal(err.offset, 8);
        assert_string_equal(err.text, text);
    }
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_is_answered_as_before),
        cmocka_unit_test(test_an_unknown_section_is_listed_and_verified),
        cmocka_unit_test(test_an_unknown_section_lies_in_the_file),
        cmocka_unit_test(test_an_unknown_anomaly_is_shown_as_unknown),
        cmocka_unit_test(test_a_later_version_may_know_more_categories),
        cmocka_unit_test(test_another_major_version_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
