/* test_source_damage.c - gzip and zstd data that are cut or damaged. */
#define FILE_PATH "test_source_damage.tmp"
#include "source_files.h"

/* --- gzip ----------------------------------------------------------------- */

/* A member that holds "[1, 2]" as it is, with all that a header can have. */
/* clang-format off */
static const unsigned char member[] = {
    0x1f, 0x8b, 8, 0x1f, 0, 0, 0, 0, 0, 255, /* 0: magic to system */
    3, 0, 'a', 'b', 'c',                     /* 10: extra field */
    'n', 'a', 'm', 'e', 0,                   /* 15: name */
    'c', 0,                                  /* 20: comment */
    0x2d, 0xd6,                              /* 22: checksum of these */
    1, 6, 0, 0xf9, 255,                      /* 24: the last block, stored */
    '[', '1', ',', ' ', '2', ']',            /* 29 */
    0xff, 0xe7, 0xc9, 0x61, 6, 0, 0, 0,      /* 35: checksum, length */
};
/* clang-format on */

static void test_a_gzip_header_may_have_everything(void **state)
{
    struct bytes text = take("[1, 2][1, 2]", 12);
    struct bytes b = take(member, sizeof(member));
    struct outcome out;

    (void)state;
    join(&b, member, sizeof(member));
    read_bytes(b, 100, &out);
    assert_text(&out, text);
    free(out.text.ptr);
    free(text.ptr);
    free(b.ptr);
}

static void test_gzip_damage_is_found_where_it_is(void **state)
{
    static const struct {
        size_t at; /* of the second member, the byte to change */
        unsigned char byte;
        enum t2t_status status;
        size_t offset; /* in the second member */
        const char *text;
    } table[] = {
        {0, '[', T2T_ERR_GZIP_DATA, 0,
         "the gzip data is followed by something else"},
        {1, 0x8c, T2T_ERR_GZIP_DATA, 0,
         "the gzip data is followed by something else"},
        {2, 9, T2T_ERR_GZIP_DATA, 2, "the gzip header names an unknown method"},
        {3, 0x3f, T2T_ERR_GZIP_DATA, 3, "the gzip header has unknown flags"},
        {16, 'x', T2T_ERR_GZIP_CRC, 22,
         "the gzip header does not match its checksum"},
        {30, 'x', T2T_ERR_GZIP_CRC, 35,
         "the gzip data does not match its checksum"},
        {35, 'x', T2T_ERR_GZIP_CRC, 35,
         "the gzip data does not match its checksum"},
        {39, 7, T2T_ERR_GZIP_CRC, 39,
         "the gzip data does not match its length"},
    };
    struct bytes b = take(member, sizeof(member));

    (void)state;
    join(&b, member, sizeof(member));
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        unsigned char *second = b.ptr + sizeof(member);

        second[table[i].at] = table[i].byte;
        assert_refused(b, table[i].status, sizeof(member) + table[i].offset,
                       table[i].text);
        second[table[i].at] = member[table[i].at];
    }
    free(b.ptr);
}

static void test_deflate_damage_is_found_near_its_place(void **state)
{
    static const unsigned char blocks[][4] = {
        {7, 6, 0, 0xf9},    /* a type that does not exist */
        {0xfd, 6, 0, 0xf9}, /* too many codes */
        {3, 2, 0, 0},       /* a copy of text before the first */
        {1, 7, 0, 0xf9},    /* a length and not its complement */
    };
    struct bytes b = take(member, sizeof(member));
    struct outcome out;

    (void)state;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
        memcpy(b.ptr + 24, blocks[i], sizeof(blocks[i]));
        read_bytes(b, 100, &out);
        assert_int_equal(out.status, T2T_ERR_GZIP_DATA);
        assert_string_equal(out.err.text, "the gzip data is damaged");
        assert_in_range(out.err.offset, 24, 35);
        free(out.text.ptr);
    }
    free(b.ptr);
}

static void test_zeros_may_follow_gzip_data_and_nothing_else(void **state)
{
    struct bytes text = take("[1, 2]", 6);
    struct bytes b = take(member, sizeof(member));
    struct outcome out;

    (void)state;
    for (int i = 0; i < 1000; i++)
        join(&b, "", 1);
    read_bytes(b, 100, &out);
    assert_text(&out, text);
    free(out.text.ptr);
    join(&b, member, sizeof(member));
    assert_refused(b, T2T_ERR_GZIP_DATA, sizeof(member) + 1000,
                   "the gzip data is followed by something else");
    b.len = sizeof(member);
    join(&b, "\n", 1);
    assert_refused(b, T2T_ERR_GZIP_DATA, sizeof(member),
                   "the gzip data is followed by something else");
    free(text.ptr);
    free(b.ptr);
}

/* Reads each beginning of `b`; at `seams` one may end. */
static void assert_cuts(struct bytes b, const size_t seams[2],
                        struct bytes text, enum t2t_status status)
{
    struct outcome out;

    for (size_t len = 4; len < b.len; len++) {
        read_bytes((struct bytes){.ptr = b.ptr, .len = len}, 1000, &out);
        if (len == seams[0] || len == seams[1]) {
            assert_int_equal(out.status, T2T_END);
        } else {
            assert_int_equal(out.status, status);
            assert_int_equal(out.err.offset, len);
        }
        assert_true(out.text.len <= text.len);
        assert_memory_equal(out.text.ptr, text.ptr, out.text.len);
        free(out.text.ptr);
    }
}

static void test_gzip_data_cut_anywhere_end_there(void **state)
{
    struct bytes text = make_text(3000);
    struct bytes b = gzip(text.ptr, 2000);
    size_t seams[2] = {b.len, 0};

    (void)state;
    join_and_free(&b, gzip(text.ptr + 2000, 1000));
    assert_cuts(b, seams, text, T2T_ERR_GZIP_TRUNCATED);
    assert_refused((struct bytes){.ptr = b.ptr, .len = b.len - 1},
                   T2T_ERR_GZIP_TRUNCATED, b.len - 1,
                   "the gzip data is cut short");
    free(text.ptr);
    free(b.ptr);
}

/* All text before a damaged byte comes, in whatever steps it is asked for. */
static void assert_damage_is_steady(struct bytes b, struct bytes text)
{
    static const size_t steps[] = {1000, 50000, 100000, 1 << 20};
    struct outcome first;
    struct outcome out;

    read_bytes(b, 77777, &first);
    assert_true(first.text.len <= text.len || first.status < 0);
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        read_bytes(b, steps[i], &out);
        assert_int_equal(out.status, first.status);
        assert_int_equal(out.err.offset, first.err.offset);
        assert_int_equal(out.text.len, first.text.len);
        assert_memory_equal(out.text.ptr, first.text.ptr, first.text.len);
        free(out.text.ptr);
    }
    free(first.text.ptr);
}

static void test_damage_shows_the_same_in_any_steps(void **state)
{
    struct bytes text = make_text(200000);
    size_t at;
    struct bytes b;

    (void)state;
    for (int kind = GZIP; kind < KINDS; kind++) {
        b = pack((enum kind)kind, text.ptr, text.len);
        for (size_t i = 1; i < 12; i++) {
            at = b.len * i / 12;
            b.ptr[at] ^= 0x55;
            assert_damage_is_steady(b, text);
            b.ptr[at] ^= 0x55;
        }
        free(b.ptr);
    }
    free(text.ptr);
}

/* Changes every byte of a small file: an error, or the text is untouched. */
static void test_no_damaged_byte_changes_the_text_in_silence(void **state)
{
    struct bytes text = make_text(600);
    struct outcome out;
    struct bytes b;

    (void)state;
    for (int kind = GZIP; kind < KINDS; kind++) {
        b = pack((enum kind)kind, text.ptr, text.len);
        for (size_t at = 4; at < b.len; at++) {
            for (int bit = 0; bit < 8; bit += 3) {
                b.ptr[at] ^= (unsigned char)(1 << bit);
                read_bytes(b, 1000, &out);
                if (out.status == T2T_END)
                    assert_text(&out, text);
                free(out.text.ptr);
                b.ptr[at] ^= (unsigned char)(1 << bit);
            }
        }
        free(b.ptr);
    }
    free(text.ptr);
}

/* --- zstd ----------------------------------------------------------------- */

static void test_zstd_data_cut_anywhere_end_there(void **state)
{
    struct bytes text = make_text(3000);
    struct bytes b = zstd(text.ptr, 2000);
    size_t seams[2] = {b.len, 0};

    (void)state;
    join(&b, skippable, sizeof(skippable));
    seams[1] = b.len;
    join_and_free(&b, zstd(text.ptr + 2000, 1000));
    assert_cuts(b, seams, text, T2T_ERR_ZSTD_TRUNCATED);
    assert_refused((struct bytes){.ptr = b.ptr, .len = b.len - 1},
                   T2T_ERR_ZSTD_TRUNCATED, b.len - 1,
                   "the zstd data is cut short");
    free(text.ptr);
    free(b.ptr);
}

/* A frame with one block that holds "[1, 2]" as it is and no checksum. */
/* clang-format off */
static const unsigned char frame[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0, 0, /* 0: magic, descriptor, window */
    0x31, 0, 0,                   /* 6: the last block, raw, 6 bytes */
    '[', '1', ',', ' ', '2', ']', /* 9 */
};
/* clang-format on */

static void test_zstd_damage_is_found_where_it_is(void **state)
{
    static const struct {
        size_t at; /* of the second frame, the byte to change */
        unsigned char byte;
        size_t offset; /* in the second frame */
        const char *text;
    } table[] = {
        {0, '[', 0, "the zstd data is followed by something else"},
        {3, 0, 0, "the zstd data is followed by something else"},
        {6, 0x37, 5, "the zstd data is damaged"},
        {6, 0x35, 9, "the zstd data is damaged"},
    };
    struct bytes b = take(frame, sizeof(frame));

    (void)state;
    join(&b, frame, sizeof(frame));
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        unsigned char *second = b.ptr + sizeof(frame);

        second[table[i].at] = table[i].byte;
        assert_refused(b, T2T_ERR_ZSTD_DATA, sizeof(frame) + table[i].offset,
                       table[i].text);
        second[table[i].at] = frame[table[i].at];
    }
    join(&b, "\n", 1);
    assert_refused(b, T2T_ERR_ZSTD_DATA, 2 * sizeof(frame),
                   "the zstd data is followed by something else");
    free(b.ptr);
}

static void test_a_zstd_checksum_is_verified(void **state)
{
    struct bytes text = make_text(3000);
    struct bytes b = zstd(text.ptr, text.len);

    (void)state;
    b.ptr[b.len - 1] ^= 1;
    assert_refused(b, T2T_ERR_ZSTD_DATA, b.len - 4,
                   "the zstd data does not match its checksum");
    free(text.ptr);
    free(b.ptr);
}

static void test_zstd_frames_with_a_long_window_open(void **state)
{
    struct bytes text = take("[1, 2]", 6);
    struct bytes b = take(frame, sizeof(frame));
    struct outcome out;

    (void)state;
    b.ptr[5] = (28 - 10) << 3; /* 256 MB */
    read_bytes(b, 100, &out);
    assert_text(&out, text);
    free(out.text.ptr);
    b.ptr[5] = (32 - 10) << 3;
    assert_refused(b, T2T_ERR_ZSTD_DATA, 0,
                   "the zstd data needs a window over 2 GB; compress it again "
                   "without --long");
    free(text.ptr);
    free(b.ptr);
}

static void test_zstd_frames_with_a_dictionary_are_refused(void **state)
{
    /* clang-format off */
    static const unsigned char with_dictionary[] = {
        0x28, 0xb5, 0x2f, 0xfd, 1, 0, 77, /* descriptor, window, dictionary */
        0x31, 0, 0, '[', '1', ',', ' ', '2', ']',
    };
    /* clang-format on */
    struct bytes b = take(with_dictionary, sizeof(with_dictionary));

    (void)state;
    assert_refused(b, T2T_ERR_ZSTD_DATA, 0,
                   "the zstd data needs a dictionary; decompress it first, "
                   "with zstd -d -D DICTIONARY");
    free(b.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gzip_header_may_have_everything),
        cmocka_unit_test(test_gzip_damage_is_found_where_it_is),
        cmocka_unit_test(test_deflate_damage_is_found_near_its_place),
        cmocka_unit_test(test_zeros_may_follow_gzip_data_and_nothing_else),
        cmocka_unit_test(test_gzip_data_cut_anywhere_end_there),
        cmocka_unit_test(test_damage_shows_the_same_in_any_steps),
        cmocka_unit_test(test_no_damaged_byte_changes_the_text_in_silence),
        cmocka_unit_test(test_zstd_data_cut_anywhere_end_there),
        cmocka_unit_test(test_zstd_damage_is_found_where_it_is),
        cmocka_unit_test(test_a_zstd_checksum_is_verified),
        cmocka_unit_test(test_zstd_frames_with_a_long_window_open),
        cmocka_unit_test(test_zstd_frames_with_a_dictionary_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
