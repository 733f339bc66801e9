/* test_frame_write.c - format/frame_write.h, read back by format/frame.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/frame.h"
#include "format/frame_write.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const unsigned char *raw_of(const struct tt_buffer *b)
{
    return (const unsigned char *)b->ptr;
}

static void assert_bytes(const struct tt_buffer *b, const char *bytes,
                         size_t len)
{
    assert_false(b->failed);
    assert_int_equal(b->len, len);
    if (len)
        assert_memory_equal(b->ptr, bytes, len);
}

/* ---- ids and positions --------------------------------------------------- */

static const struct {
    uint32_t ids[6];
    size_t count;
    const char *bytes;
    size_t len;
} id_frames[] = {
    {{0}, 0, "", 0},
    {{0}, 1, "\0", 1},
    {{5}, 1, "\x0a", 1},
    {{0, 1, 2, 3}, 4, "\0\0\0\0", 4},
    {{2, 1, 0}, 3, "\x04\x03\x03", 3},
    {{0, 0, 0}, 3, "\0\x01\x01", 3},
    {{64, 0}, 2, "\x80\x01\x81\x01", 4},
    {{TT_NONE - 1, 0}, 2, "\xfc\xff\xff\xff\x1f\xfd\xff\xff\xff\x1f", 10},
};

static void test_ids_are_steps_from_the_one_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(id_frames); i++) {
        struct tt_buffer b = {0};
        uint32_t ids[6] = {0};

        tt_frame_write_ids(id_frames[i].ids, id_frames[i].count, &b);
        assert_bytes(&b, id_frames[i].bytes, id_frames[i].len);
        assert_true(tt_frame_ids(raw_of(&b), b.len,
                                 (uint32_t)id_frames[i].count, TT_NONE, ids));
        assert_memory_equal(ids, id_frames[i].ids,
                            id_frames[i].count * sizeof(*ids));
        tt_buffer_release(&b);
    }
}

static void test_a_frame_full_of_ids_comes_back(void **state)
{
    static uint32_t ids[TT_IDS_A_FRAME];
    static uint32_t got[TT_IDS_A_FRAME];
    struct tt_buffer b = {0};
    uint32_t random = 1;

    (void)state;
    for (size_t i = 0; i < TT_IDS_A_FRAME; i++) {
        random = random * 1664525u + 1013904223u;
        ids[i] = random % (TT_NONE - 1);
    }
    tt_frame_write_ids(ids, TT_IDS_A_FRAME, &b);
    assert_true(tt_frame_ids(raw_of(&b), b.len, TT_IDS_A_FRAME, TT_NONE, got));
    assert_memory_equal(got, ids, sizeof(ids));
    tt_buffer_release(&b);
}

static void test_frames_are_appended(void **state)
{
    static const uint32_t ids[] = {1};
    struct tt_buffer b = {0};

    (void)state;
    tt_buffer_add(&b, "x", 1);
    tt_frame_write_ids(ids, 1, &b);
    tt_frame_write_ids(ids, 1, &b);
    assert_bytes(&b, "x\x02\x02", 3);
    tt_buffer_release(&b);
}

/* ---- elements ------------------------------------------------------------ */

/* Templates, and how many slots they have. */
static const struct {
    const char *template;
    size_t slots;
} shapes[] = {
    {"{}", 0},
    {"{\"a\":\x06}", 1},
    {"{\"a\":\x07}", 2},
    {"{\"a\":\x08}", 1},
    {"{\"n\":\x01,\"a\":\x06,\"t\":\x04,\"b\":\x07,\"c\":\x08,\"d\":\x06}", 5},
    {"\x06", 1},
};

#define SHAPES COUNT(shapes)

/* The shapes as an index would have them. */
struct index {
    uint64_t offset[SHAPES + 1];
    uint32_t shape[SHAPES];
    char bytes[256];
    struct tt_shapes shapes;
};

static void make_index(struct index *x)
{
    *x = (struct index){.offset = {0}};
    for (uint32_t i = 0; i < SHAPES; i++) {
        size_t len = strlen(shapes[i].template);

        memcpy(x->bytes + x->offset[i], shapes[i].template, len);
        x->offset[i + 1] = x->offset[i] + len;
        x->shape[i] = i;
    }
    x->shapes =
        (struct tt_shapes){x->shape,
                           SHAPES,
                           {x->offset, x->bytes, x->offset[SHAPES], SHAPES}};
}

static struct tt_pack *make_pack(void)
{
    struct tt_pack *p = calloc(1, sizeof(*p));

    assert_non_null(p);
    tt_pack_begin(p, tt_sheet_create());
    assert_non_null(p->sheet);
    for (size_t i = 0; i < SHAPES; i++)
        assert_true(
            tt_pack_shape(p, shapes[i].template, strlen(shapes[i].template)));
    assert_int_equal(p->shapes, SHAPES);
    return p;
}

/* Ends the frame, appends its bytes and begins another. */
static void write_frame(struct tt_pack *p, struct tt_buffer *to)
{
    struct tt_sheet *sheet = p->sheet;

    tt_pack_end(p);
    tt_sheet_write(sheet, to);
    tt_sheet_clear(sheet, 100);
    assert_int_equal(sheet->count, 0);
    tt_pack_begin(p, sheet);
}

static void free_pack(struct tt_pack *p)
{
    tt_sheet_free(p->sheet);
    tt_pack_release(p);
    tt_pack_release(p);
    free(p);
}

static void test_a_frame_is_offsets_shapes_and_columns(void **state)
{
    static const uint64_t first[] = {(uint64_t)-1, 15, 1, 7, 100};
    static const uint64_t second[] = {5};
    static const uint64_t third[] = {1, 12, 3, 300, 90};
    struct tt_pack *p = make_pack();
    struct tt_buffer b = {0};

    (void)state;
    assert_true(tt_pack_add(p, 200, 4, first, 5));
    assert_true(tt_pack_add(p, 210, 1, second, 1));
    assert_true(tt_pack_add(p, 211, 4, third, 5));
    write_frame(p, &b);
    assert_bytes(&b,
                 "\xc8\x01\x0a\x01" /* offsets 200, +10, +1 */
                 "\x04\x01\x04"
                 "\x01\x04"     /* -1, +2 */
                 "\x1e\x05"     /* 15, -3: mantissas */
                 "\x01\x03"     /* digits */
                 "\x07\xac\x02" /* strings 7 and 300 */
                 "\xc8\x01\x13" /* 100, -10 */
                 "\x0a",        /* the column of shape 1 */
                 20);
    assert_int_equal(p->sheet->count, 0);
    tt_buffer_release(&b);
    free_pack(p);
}

static uint64_t next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return *random >> 32 ^ *random;
}

/* Values that are hard to write as differences. */
static uint64_t hard_value(uint64_t *random)
{
    static const uint64_t ends[] = {0, 1, UINT64_MAX, INT64_MAX,
                                    (uint64_t)INT64_MIN};
    uint64_t r = next_random(random);

    return r % 3 ? ends[r / 3 % COUNT(ends)] : next_random(random);
}

/* What was packed, to be compared. */
struct packed {
    uint64_t offset;
    uint32_t shape;
    uint64_t slot[5];
};

static void pack_some(struct tt_pack *p, struct packed *to, uint32_t count,
                      uint64_t *random)
{
    uint64_t offset = next_random(random) % 1000;

    for (uint32_t i = 0; i < count; i++) {
        to[i].offset = offset;
        to[i].shape = (uint32_t)(next_random(random) % SHAPES);
        for (size_t n = 0; n < 5; n++)
            to[i].slot[n] = hard_value(random);
        assert_true(tt_pack_add(p, offset, to[i].shape, to[i].slot,
                                shapes[to[i].shape].slots));
        assert_int_equal(p->sheet->count, i + 1);
        offset += next_random(random) >> (i ? 30 : 2);
    }
}

static void assert_unpacks(const struct tt_buffer *b, const struct packed *want,
                           uint32_t count)
{
    struct tt_elements *e = calloc(1, sizeof(*e));
    struct index x;

    assert_non_null(e);
    make_index(&x);
    assert_int_equal(tt_frame_elements(raw_of(b), b->len, count, &x.shapes, e),
                     T2T_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(e->offset[i], want[i].offset);
        assert_int_equal(e->shape[i], want[i].shape);
        for (size_t n = 0; n < shapes[want[i].shape].slots; n++)
            assert_int_equal(e->value[e->first[i] + n], want[i].slot[n]);
    }
    tt_elements_release(e);
    free(e);
}

static void test_elements_come_back_from_their_frame(void **state)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 100, 4095, 4096, 4096, 5};
    static struct packed want[TT_ELEMENTS_A_FRAME];
    struct tt_pack *p = make_pack();
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) { /* one pack, used again */
        struct tt_buffer b = {0};

        pack_some(p, want, counts[i], &random);
        write_frame(p, &b);
        assert_false(b.failed);
        assert_unpacks(&b, want, counts[i]);
        tt_buffer_release(&b);
    }
    free_pack(p);
}

static void test_a_cut_frame_of_elements_is_damage(void **state)
{
    static struct packed want[8];
    struct tt_pack *p = make_pack();
    struct tt_elements *e = calloc(1, sizeof(*e));
    struct tt_buffer b = {0};
    uint64_t random = 2;
    struct index x;

    (void)state;
    assert_non_null(e);
    make_index(&x);
    pack_some(p, want, 8, &random);
    write_frame(p, &b);
    for (size_t len = 0; len < b.len; len++) {
        unsigned char *copy = malloc(len ? len : 1);

        assert_non_null(copy);
        memcpy(copy, b.ptr, len);
        assert_int_equal(tt_frame_elements(copy, len, 8, &x.shapes, e),
                         T2T_ERR_INDEX_DAMAGE);
        free(copy);
    }
    tt_buffer_add_byte(&b, 0);
    assert_int_equal(tt_frame_elements(raw_of(&b), b.len, 8, &x.shapes, e),
                     T2T_ERR_INDEX_DAMAGE);
    tt_elements_release(e);
    free(e);
    tt_buffer_release(&b);
    free_pack(p);
}

static void test_shapes_can_be_learned_between_frames(void **state)
{
    static const char template[] = "[\x08,\x08]";
    static const uint64_t slot[] = {3, 4};
    struct tt_pack *p = make_pack();
    struct tt_buffer b = {0};

    (void)state;
    assert_true(tt_pack_add(p, 0, 0, slot, 0));
    for (int i = 0; i < 1000; i++)
        assert_true(tt_pack_shape(p, template, sizeof(template) - 1));
    assert_true(tt_pack_add(p, 2, SHAPES + 999, slot, 2));
    write_frame(p, &b);
    assert_bytes(&b, "\0\x02\0\xed\x07\x03\x04", 7);
    tt_buffer_release(&b);
    free_pack(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_steps_from_the_one_before),
        cmocka_unit_test(test_a_frame_full_of_ids_comes_back),
        cmocka_unit_test(test_frames_are_appended),
        cmocka_unit_test(test_a_frame_is_offsets_shapes_and_columns),
        cmocka_unit_test(test_elements_come_back_from_their_frame),
        cmocka_unit_test(test_a_cut_frame_of_elements_is_damage),
        cmocka_unit_test(test_shapes_can_be_learned_between_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
