/* test_source.c - plain, gzip and zstd text, from files and pipes. */
#define FILE_PATH "test_source.tmp"
#include "source_files.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* --- text ----------------------------------------------------------------- */

static void test_every_kind_gives_the_same_text_in_any_steps(void **state)
{
    static const size_t steps[] = {100, 4096, 70000, 1 << 20};
    struct bytes text = make_text(300000);
    struct outcome out;
    struct bytes b;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        b = pack((enum kind)kind, text.ptr, text.len);
        for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
            read_bytes(b, steps[i], &out);
            assert_text(&out, text);
            assert_int_equal(out.consumed, b.len);
            free(out.text.ptr);
        }
        free(b.ptr);
    }
    free(text.ptr);
}

static void test_text_comes_byte_by_byte(void **state)
{
    struct bytes text = make_text(10000);
    struct outcome out;
    struct bytes b;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        b = pack((enum kind)kind, text.ptr, text.len);
        read_bytes(b, 1, &out);
        assert_text(&out, text);
        free(out.text.ptr);
        free(b.ptr);
    }
    free(text.ptr);
}

static void test_text_of_any_length_comes_back(void **state)
{
    static const size_t lengths[] = {1,     2,     3,      4,     5,
                                     32767, 32768, 65535,  65536, 65537,
                                     65824, 98304, 131072, 262144};
    struct bytes text = make_text(262144);
    struct outcome out;
    struct bytes part;
    struct bytes b;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
            part = (struct bytes){.ptr = text.ptr, .len = lengths[i]};
            b = pack((enum kind)kind, part.ptr, part.len);
            read_bytes(b, lengths[i], &out);
            assert_text(&out, part);
            free(out.text.ptr);
            free(b.ptr);
        }
    }
    free(text.ptr);
}

static void test_a_plain_file_is_mapped(void **state)
{
    struct bytes b = take("{\"traceEvents\": []}", 19);
    const unsigned char *ptr;
    struct tt_source *s;
    uint64_t len;

    (void)state;
    write_file(FILE_PATH, b);
    assert_int_equal(tt_source_open(&s, FILE_PATH, NULL, NULL), T2T_OK);
    assert_true(tt_source_map(s, &ptr, &len));
    assert_false(tt_source_facts(s)->compressed);
    assert_int_equal(len, b.len);
    assert_memory_equal(ptr, b.ptr, b.len);
    tt_source_close(s);
    assert_int_equal(unlink(FILE_PATH), 0);
    free(b.ptr);
}

static void test_only_a_plain_file_is_mapped(void **state)
{
    const unsigned char *ptr;
    struct tt_source *s;
    struct bytes b;
    uint64_t len;

    (void)state;
    for (int kind = GZIP; kind < KINDS; kind++) {
        b = pack((enum kind)kind, "[1, 2]", 6);
        write_file(FILE_PATH, b);
        assert_int_equal(tt_source_open(&s, FILE_PATH, NULL, NULL), T2T_OK);
        assert_false(tt_source_map(s, &ptr, &len));
        assert_true(tt_source_facts(s)->compressed);
        tt_source_close(s);
        assert_int_equal(unlink(FILE_PATH), 0);
        free(b.ptr);
    }
}

static void test_the_name_of_a_file_means_nothing(void **state)
{
    struct bytes text = take("[1, 2]", 6);
    struct bytes b = gzip(text.ptr, text.len);
    struct outcome out;

    (void)state;
    write_file("test_source.json.gz", text);
    read_source("test_source.json.gz", 100, &out);
    assert_text(&out, text);
    free(out.text.ptr);
    assert_int_equal(unlink("test_source.json.gz"), 0);
    write_file("test_source.json.zst", b);
    read_source("test_source.json.zst", 100, &out);
    assert_text(&out, text);
    free(out.text.ptr);
    assert_int_equal(unlink("test_source.json.zst"), 0);
    free(text.ptr);
    free(b.ptr);
}

static void test_facts_are_those_of_the_file(void **state)
{
    struct bytes b = pack(GZIP, "[1, 2]", 6);
    const struct tt_source_facts *facts;
    struct tt_source *s;
    struct stat st;

    (void)state;
    write_file(FILE_PATH, b);
    assert_int_equal(stat(FILE_PATH, &st), 0);
    assert_int_equal(tt_source_open(&s, "./" FILE_PATH, NULL, NULL), T2T_OK);
    facts = tt_source_facts(s);
    assert_int_equal(facts->bytes, b.len);
    assert_int_equal(facts->mtime_ns,
                     st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
    assert_string_equal(facts->name, FILE_PATH);
    assert_int_equal(facts->skipped, 0);
    tt_source_close(s);
    assert_int_equal(unlink(FILE_PATH), 0);
    free(b.ptr);
}

static void test_a_plain_file_can_be_read_in_blocks(void **state)
{
    struct tt_source_terms terms = {.path = FILE_PATH, .no_map = true};
    struct bytes text = make_text(300000);
    const unsigned char *ptr;
    struct bytes got = {malloc(text.len + 1), 0, 0};
    struct tt_source *s;
    uint64_t len;
    size_t n;

    (void)state;
    assert_non_null(got.ptr);
    write_file(FILE_PATH, text);
    assert_int_equal(tt_source_open_on(&s, &terms, NULL, NULL), T2T_OK);
    assert_false(tt_source_facts(s)->mapped);
    assert_int_equal(tt_source_facts(s)->bytes, text.len);
    assert_false(tt_source_map(s, &ptr, &len));
    while (
        !tt_source_read(s, got.ptr + got.len, text.len + 1 - got.len, &n, NULL))
        got.len += n;
    assert_int_equal(got.len, text.len);
    assert_memory_equal(got.ptr, text.ptr, text.len);
    tt_source_close(s);
    assert_int_equal(unlink(FILE_PATH), 0);
    free(got.ptr);
    free(text.ptr);
}

/* Reads all there is in steps; what came at the end. */
static enum t2t_status read_all(struct tt_source *s, size_t step, size_t *len,
                                struct t2t_error *err)
{
    unsigned char buf[1000];
    enum t2t_status st = T2T_OK;
    size_t n;

    assert_true(step <= sizeof(buf));
    for (*len = 0; !st; *len += st ? 0 : n)
        st = tt_source_read(s, buf, step, &n, err);
    assert_int_equal(tt_source_read(s, buf, step, &n, err), st);
    return st;
}

static void test_text_that_is_too_long_is_refused(void **state)
{
    static const struct {
        int more; /* than there is */
        size_t step;
    } limits[] = {{0, 1000}, {1, 1000},    {-1, 1000},
                  {-1, 7},   {-4990, 999}, {-4999, 2}};
    struct bytes text = make_text(5000);

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        write_file(FILE_PATH, b);
        for (size_t i = 0; i < COUNT(limits); i++) {
            struct tt_source_terms terms = {.path = FILE_PATH,
                                            .no_map = true,
                                            .most = text.len +
                                                    (uint64_t)limits[i].more};
            struct t2t_error err = {T2T_OK, 0, ""};
            struct tt_source *s;
            size_t len;

            assert_int_equal(tt_source_open_on(&s, &terms, NULL, NULL), T2T_OK);
            assert_int_equal(read_all(s, limits[i].step, &len, &err),
                             limits[i].more < 0 ? T2T_ERR_LIMIT : T2T_END);
            if (limits[i].more < 0)
                assert_int_equal(err.offset, terms.most);
            assert_int_equal(len, limits[i].more < 0 ? terms.most : text.len);
            tt_source_close(s);
            terms.no_map = false;
            if (kind == PLAIN)
                assert_int_equal(tt_source_open_on(&s, &terms, NULL, &err),
                                 limits[i].more < 0 ? T2T_ERR_LIMIT : T2T_OK);
            if (kind == PLAIN && limits[i].more >= 0)
                tt_source_close(s);
        }
        assert_int_equal(unlink(FILE_PATH), 0);
        free(b.ptr);
    }
    free(text.ptr);
}

static void test_a_file_that_changes_is_noticed(void **state)
{
    static const struct timespec earlier[2] = {{1, 0}, {1, 0}};
    struct bytes text = make_text(5000);
    struct tt_source *s;

    (void)state;
    for (int i = 0; i < 5; i++) {
        write_file(FILE_PATH, text);
        assert_int_equal(tt_source_open(&s, FILE_PATH, NULL, NULL), T2T_OK);
        assert_false(tt_source_has_changed(s));
        if (i == 0)
            assert_int_equal(truncate(FILE_PATH, 4999), 0);
        else if (i == 1)
            assert_int_equal(truncate(FILE_PATH, 5001), 0);
        else if (i == 2)
            assert_int_equal(utimensat(AT_FDCWD, FILE_PATH, earlier, 0), 0);
        else if (i == 3)
            assert_int_equal(rename(FILE_PATH, FILE_PATH ".old"), 0);
        assert_int_equal(tt_source_has_changed(s), i < 3);
        tt_source_close(s);
        if (i == 3)
            assert_int_equal(rename(FILE_PATH ".old", FILE_PATH), 0);
        assert_int_equal(unlink(FILE_PATH), 0);
    }
    free(text.ptr);
}

static void test_a_byte_order_mark_is_skipped(void **state)
{
    static const char marked[] = "\xef\xbb\xbf[1, 2]";
    struct bytes text = take("[1, 2]", 6);
    const unsigned char *ptr;
    struct tt_source *s;
    struct outcome out;
    struct bytes b;
    uint64_t len;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        b = pack((enum kind)kind, marked, sizeof(marked) - 1);
        read_bytes(b, 100, &out);
        assert_text(&out, text);
        free(out.text.ptr);
        write_file(FILE_PATH, b);
        assert_int_equal(tt_source_open(&s, FILE_PATH, NULL, NULL), T2T_OK);
        assert_int_equal(tt_source_facts(s)->skipped, 3);
        if (tt_source_map(s, &ptr, &len)) {
            assert_int_equal(len, text.len);
            assert_memory_equal(ptr, text.ptr, text.len);
        }
        tt_source_close(s);
        assert_int_equal(unlink(FILE_PATH), 0);
        free(b.ptr);
    }
    free(text.ptr);
}

/* --- pipes ---------------------------------------------------------------- */

static void interrupted(int signal)
{
    (void)signal;
}

/* A child that writes `b` to a pipe in steps and interrupts its parent. */
static pid_t start_writer(const char *fifo, int fd, struct bytes b, size_t step)
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child)
        return child;
    if (fifo)
        fd = open(fifo, O_WRONLY);
    for (size_t at = 0; at < b.len; at += step) {
        (void)kill(getppid(), SIGUSR1);
        write_all(fd, b.ptr + at, b.len - at < step ? b.len - at : step, step);
    }
    _exit(0);
}

static void assert_writer_done(pid_t child)
{
    int status = -1;

    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_int_equal(status, 0);
}

static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = interrupted};

    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

static void test_a_fifo_is_read_through_interrupts(void **state)
{
    struct bytes text = make_text(20000);
    struct outcome out;
    struct bytes b;
    pid_t child;

    (void)state;
    catch_interrupts();
    for (int kind = 0; kind < KINDS; kind++) {
        b = pack((enum kind)kind, text.ptr, text.len);
        assert_int_equal(mkfifo(FILE_PATH, 0600), 0);
        child = start_writer(FILE_PATH, -1, b, kind == PLAIN ? 501 : 7);
        read_source(FILE_PATH, 4096, &out);
        assert_text(&out, text);
        assert_int_equal(out.consumed, b.len);
        assert_writer_done(child);
        assert_int_equal(unlink(FILE_PATH), 0);
        free(out.text.ptr);
        free(b.ptr);
    }
    free(text.ptr);
}

/* Reads standard input while `fd` is in its place. */
static void read_stdin(int fd, const char *path, struct outcome *out)
{
    int saved = dup(STDIN_FILENO);

    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    read_source(path, 4096, out);
    if (saved >= 0) {
        assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(close(saved), 0);
    }
}

static void test_standard_input_may_be_a_pipe_that_does_not_block(void **state)
{
    static const char *const paths[] = {"-", "/dev/stdin"};
    struct bytes text = make_text(20000);
    struct outcome out;
    struct bytes b;
    pid_t child;
    int fds[2];

    (void)state;
    catch_interrupts();
    for (int i = 0; i < 2 * KINDS; i++) {
        b = pack((enum kind)(i / 2), text.ptr, text.len);
        assert_int_equal(pipe2(fds, i % 2 ? 0 : O_NONBLOCK), 0);
        assert_int_equal(fcntl(fds[1], F_SETFL, 0), 0);
        child = start_writer(NULL, fds[1], b, 97);
        assert_int_equal(close(fds[1]), 0);
        read_stdin(fds[0], paths[i % 2], &out);
        assert_text(&out, text);
        assert_writer_done(child);
        assert_int_equal(close(fds[0]), 0);
        free(out.text.ptr);
        free(b.ptr);
    }
    free(text.ptr);
}

static void test_standard_input_may_be_a_file_read_from_before(void **state)
{
    struct bytes b = take("skip[1, 2]", 10);
    struct bytes whole = {.ptr = b.ptr, .len = 10};
    struct bytes rest = {.ptr = b.ptr + 4, .len = 6};
    struct outcome out;
    int fd;

    (void)state;
    write_file(FILE_PATH, b);
    fd = open(FILE_PATH, O_RDONLY);
    assert_true(fd >= 0);
    read_stdin(fd, "-", &out);
    assert_text(&out, whole);
    free(out.text.ptr);
    assert_int_equal(lseek(fd, 4, SEEK_SET), 4);
    read_stdin(fd, "-", &out);
    assert_text(&out, rest);
    free(out.text.ptr);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(FILE_PATH), 0);
    free(b.ptr);
}

static void test_a_file_without_a_size_is_read(void **state)
{
    struct outcome out;

    (void)state;
    if (access("/proc/self/cmdline", R_OK))
        return;
    read_source("/proc/self/cmdline", 4096, &out);
    assert_int_equal(out.status, T2T_END);
    assert_true(out.text.len > 0);
    free(out.text.ptr);
}

/* --- what cannot be a trace ----------------------------------------------- */

static void test_an_empty_document_is_cut_short(void **state)
{
    static const char *const texts[KINDS] = {
        [PLAIN] = "the file is empty",
        [GZIP] = "the file is empty once decompressed",
        [GZIP_MEMBERS] = "the file is empty once decompressed",
        [ZSTD] = "the file is empty once decompressed",
        [ZSTD_FRAMES] = "the file is empty once decompressed",
    };
    struct bytes b;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        b = pack((enum kind)kind, "", 0);
        assert_refused(b, T2T_ERR_TRUNCATED, 0, texts[kind]);
        free(b.ptr);
        b = pack((enum kind)kind, "\xef\xbb\xbf", 3);
        assert_refused(b, T2T_ERR_TRUNCATED, 3,
                       "the file is empty but for a byte order mark");
        free(b.ptr);
    }
}

static void test_what_is_no_file_is_refused(void **state)
{
    struct outcome out;

    (void)state;
    read_source("/", 4096, &out);
    assert_error(&out, T2T_ERR_NOT_A_TRACE, TT_NO_OFFSET,
                 "this is a directory; name a file in it");
    free(out.text.ptr);
    read_source("no/such/file.json", 4096, &out);
    assert_error(&out, T2T_ERR_IO, TT_NO_OFFSET,
                 "cannot open: No such file or directory");
    free(out.text.ptr);
    read_source("/dev/null", 4096, &out);
    assert_error(&out, T2T_ERR_TRUNCATED, 0, "the file is empty");
    free(out.text.ptr);
}

static void test_what_is_not_utf8_text_is_named(void **state)
{
#define UTF16 "the text is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"
#define UTF32 "the text is UTF-32; convert it first: iconv -f UTF-32 -t UTF-8"
    static const struct {
        const char *bytes;
        size_t len;
        const char *text;
    } table[] = {
        {"\xff\xfe{\0\n\0", 6, UTF16},
        {"\xfe\xff\0{\0\n", 6, UTF16},
        {"\xff\xfe", 2, UTF16},
        {"{\0\n\0 \0", 6, UTF16},
        {"\0{\0\n\0 ", 6, UTF16},
        {"\xff\xfe\0\0{\0\0\0", 8, UTF32},
        {"\0\0\xfe\xff\0\0\0{", 8, UTF32},
        {"{\0\0\0\n\0\0\0", 8, UTF32},
        {"\0\0\0{\0\0\0\n", 8, UTF32},
        {"\0\0\0\0\0\0\0\0", 8,
         "the text begins with NUL bytes: it is damaged, or UTF-16 or UTF-32 "
         "and not UTF-8"},
        {"\xfd\x37zXZ\0", 6,
         "the text is compressed with xz; decompress it first: xz -dc"},
        {"BZh91AY&SY", 10,
         "the text is compressed with bzip2; decompress it first: bzip2 -dc"},
        {"\x04\x22\x4d\x18", 4,
         "the text is compressed with lz4; decompress it first: lz4 -dc"},
        {"PK\x03\x04", 4,
         "the text is a zip archive; take the trace out first: unzip -p"},
    };
    struct bytes b;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
            b = pack((enum kind)kind, table[i].bytes, table[i].len);
            assert_refused(b, T2T_ERR_ENCODING, 0, table[i].text);
            free(b.ptr);
        }
    }
}

static void test_what_was_compressed_twice_is_named(void **state)
{
    struct bytes once = gzip("[1, 2]", 6);
    struct bytes twice = zstd(once.ptr, once.len);

    (void)state;
    assert_refused(twice, T2T_ERR_ENCODING, 0,
                   "the text is compressed twice; decompress it once: "
                   "gzip -dc");
    twice.ptr[twice.len - 1] ^= 1;
    assert_refused(twice, T2T_ERR_ZSTD_DATA, twice.len - 4,
                   "the zstd data does not match its checksum");
    free(once.ptr);
    free(twice.ptr);
}

static void test_closing_nothing_is_allowed(void **state)
{
    (void)state;
    tt_source_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_gives_the_same_text_in_any_steps),
        cmocka_unit_test(test_text_comes_byte_by_byte),
        cmocka_unit_test(test_text_of_any_length_comes_back),
        cmocka_unit_test(test_a_plain_file_is_mapped),
        cmocka_unit_test(test_only_a_plain_file_is_mapped),
        cmocka_unit_test(test_the_name_of_a_file_means_nothing),
        cmocka_unit_test(test_facts_are_those_of_the_file),
        cmocka_unit_test(test_a_plain_file_can_be_read_in_blocks),
        cmocka_unit_test(test_text_that_is_too_long_is_refused),
        cmocka_unit_test(test_a_file_that_changes_is_noticed),
        cmocka_unit_test(test_a_byte_order_mark_is_skipped),
        cmocka_unit_test(test_a_fifo_is_read_through_interrupts),
        cmocka_unit_test(test_standard_input_may_be_a_pipe_that_does_not_block),
        cmocka_unit_test(test_standard_input_may_be_a_file_read_from_before),
        cmocka_unit_test(test_a_file_without_a_size_is_read),
        cmocka_unit_test(test_an_empty_document_is_cut_short),
        cmocka_unit_test(test_what_is_no_file_is_refused),
        cmocka_unit_test(test_what_is_not_utf8_text_is_named),
        cmocka_unit_test(test_what_was_compressed_twice_is_named),
        cmocka_unit_test(test_closing_nothing_is_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
