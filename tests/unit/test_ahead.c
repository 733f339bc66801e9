/*
 * test_ahead.c - input/ahead.h by way of input/source.h: a zstd file of many
 * frames is the same text, and damaged in the same place, whoever decompresses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uv.h>
#include <zstd.h>

#include "base/buffer.h"
#include "base/watch.h"
#include "folder.h"
#include "input/source.h"

/* Threads that help a source while it is read, and how often they could. */
struct help {
    struct tt_source *source;
    atomic_bool over;
    atomic_uint asked;
    atomic_uint done;
};

static void ask(void *context, unsigned more)
{
    struct help *h = context;

    h->asked += more;
}

static void help(void *arg)
{
    struct help *h = arg;

    while (!h->over)
        if (tt_source_help(h->source))
            h->done++;
}

/* How a text ended, and what it was. */
struct end {
    enum t2t_status status;
    struct t2t_error err;
    uint64_t consumed;
    uint64_t sound;
    uint64_t counted;
    struct tt_buffer text;
};

/* Reads a file in pieces of `cap`, with two helpers or none. */
static struct end read_file(const char *path, size_t cap, bool with_help,
                            unsigned *asked)
{
    struct end e = {.err = {T2T_OK, T2T_NO_OFFSET, ""}};
    struct help h = {.source = NULL};
    struct tt_helpers helpers = {2, ask, &h};
    struct tt_watch watch;
    uv_thread_t thread[2];
    unsigned char *buf = malloc(cap);

    assert_non_null(buf);
    tt_watch_init(&watch, NULL, NULL);
    assert_int_equal(tt_source_open(&h.source, path, &watch, &e.err), T2T_OK);
    if (with_help)
        tt_source_invite(h.source, &helpers);
    for (int i = 0; with_help && i < 2; i++)
        assert_int_equal(uv_thread_create(&thread[i], help, &h), 0);
    while (!e.status) {
        size_t len = 0;

        e.status = tt_source_read(h.source, buf, cap, &len, &e.err);
        if (!e.status)
            tt_buffer_add(&e.text, (const char *)buf, len);
    }
    h.over = true;
    for (int i = 0; with_help && i < 2; i++)
        uv_thread_join(&thread[i]);
    e.consumed = tt_source_consumed(h.source);
    e.sound = tt_source_sound(h.source);
    e.counted = tt_watch_bytes(&watch);
    tt_source_close(h.source);
    free(buf);
    if (asked)
        *asked = h.asked;
    return e;
}

static void assert_same(const char *path, size_t cap, unsigned *asked)
{
    struct end a = read_file(path, cap, false, NULL);
    struct end b = read_file(path, cap, true, asked);

    assert_int_equal(a.status, b.status);
    assert_string_equal(a.err.text, b.err.text);
    assert_int_equal(a.err.offset, b.err.offset);
    assert_int_equal(a.sound, b.sound);
    if (a.status == T2T_END) {
        assert_int_equal(a.consumed, b.consumed);
        assert_int_equal(b.counted, b.consumed);
    }
    assert_int_equal(a.text.len, b.text.len);
    assert_true(!a.text.len || !memcmp(a.text.ptr, b.text.ptr, a.text.len));
    tt_buffer_release(&a.text);
    tt_buffer_release(&b.text);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Adds a frame of `len` bytes of text that says its length or does not. */
static void add_frame(struct tt_buffer *file, size_t len, bool says,
                      uint64_t *random)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t cap = ZSTD_compressBound(len);
    char *text = malloc(len + 1);
    char *packed = malloc(cap);
    size_t got;

    assert_true(context && text && packed);
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + next_random(random) % 7);
    if (file->len == 0 && len)
        text[0] = '{'; /* it begins like a trace */
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, says);
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, len % 2 == 0);
    got = ZSTD_compress2(context, packed, cap, text, len);
    assert_false(ZSTD_isError(got));
    tt_buffer_add(file, packed, got);
    (void)ZSTD_freeCCtx(context);
    free(text);
    free(packed);
}

static void add_skippable(struct tt_buffer *file, unsigned char len)
{
    const char head[8] = {0x53, 0x2a, 0x4d, 0x18, (char)len};

    tt_buffer_add(file, head, sizeof(head));
    for (unsigned char i = 0; i < len; i++)
        tt_buffer_add_byte(file, 'x');
}

static void write_file(const char *path, const struct tt_buffer *file)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(file->ptr, 1, file->len, f), file->len);
    assert_int_equal(fclose(f), 0);
}

/* Frames of all kinds: long and short ones, empty ones, what is skipped. */
static void make_frames(struct tt_buffer *file, uint64_t *random)
{
    add_frame(file, 100000, true, random);
    for (int i = 0; i < 60; i++) {
        size_t len = next_random(random) % 70000;

        if (next_random(random) % 4 == 0)
            add_skippable(file, (unsigned char)(next_random(random) % 100));
        add_frame(file, i % 9 ? len : (size_t)(i % 2),
                  next_random(random) % 3 != 0, random);
    }
    add_frame(file, 9 << 20, true, random);
    add_frame(file, 9 << 20, false, random);
    add_frame(file, 1000, true, random);
}

static void test_the_text_is_the_same(void **state)
{
    const char *path = path_in(&scratch, "frames.zst");
    struct tt_buffer file = {0};
    uint64_t random = 1;
    unsigned asked;

    (void)state;
    make_frames(&file, &random);
    write_file(path, &file);
    assert_same(path, 1 << 20, &asked);
    assert_in_range(asked, 40, 200);
    assert_same(path, 4096, NULL);
    tt_buffer_release(&file);
}

static void test_damage_is_the_same(void **state)
{
    const char *path = path_in(&scratch, "damaged.zst");
    uint64_t random = 2;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct tt_buffer file = {0};
        size_t at;

        add_frame(&file, 100, true, &random);
        for (int i = 0; i < 12; i++)
            add_frame(&file, next_random(&random) % 3000, i % 3 != 0, &random);
        at = 150 + next_random(&random) % (file.len - 150);
        switch (round % 4) {
        case 0:
            file.len = at; /* cut */
            break;
        case 1:
            tt_buffer_add(&file, "something else", 14);
            break;
        default:
            file.ptr[at] = (char)(file.ptr[at] ^ (1 << round % 8));
        }
        write_file(path, &file);
        assert_same(path, 1 << 16, NULL);
        tt_buffer_release(&file);
    }
}

static void test_what_is_mapped_needs_no_help(void **state)
{
    struct help h = {.source = NULL};
    struct tt_helpers helpers = {2, ask, &h};
    const char *path = path_in(&scratch, "plain.json");
    FILE *f = fopen(path, "wb");
    struct t2t_error err;

    (void)state;
    assert_non_null(f);
    assert_true(fputs("{\"traceEvents\": []}", f) >= 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(tt_source_open(&h.source, path, NULL, &err), T2T_OK);
    tt_source_invite(h.source, &helpers);
    assert_false(tt_source_help(h.source));
    tt_source_close(h.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_text_is_the_same),
        cmocka_unit_test(test_damage_is_the_same),
        cmocka_unit_test(test_what_is_mapped_needs_no_help),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
