/* test_file.c - index/file.h */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "fixture.h"
#include "index/file.h"
#include "scratch.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* How files are made: without a name where that is possible, or with one. */
static enum t2t_status (*create)(struct tt_file *f, const char *path,
                                 struct t2t_error *err) = tt_file_create;

static int use_names(void **state)
{
    (void)state;
    create = tt_file_create_named;
    return 0;
}

static int use_best(void **state)
{
    (void)state;
    create = tt_file_create;
    return 0;
}

/* How many names a file has before it is committed. */
static size_t names_of(const struct tt_file *f)
{
    return f->temp_path ? 1 : 0;
}

static void start(struct scratch *s, struct tt_file *f)
{
    make_scratch(s);
    assert_int_equal(create(f, path_in(s, "x.t2t"), NULL), T2T_OK);
}

static void stop(struct scratch *s, struct tt_file *f)
{
    tt_file_release(f);
    remove_scratch(s);
}

/* Commits with an empty header and reads the file back. */
static unsigned char *commit(struct scratch *s, struct tt_file *f, size_t *len)
{
    struct tt_header header = {.element_count = 7};
    uint64_t sync_ns;
    uint64_t bytes;
    unsigned char *ptr;

    assert_int_equal(tt_file_commit(f, &header, &bytes, &sync_ns, NULL),
                     T2T_OK);
    ptr = read_file(path_in(s, "x.t2t"), len);
    assert_int_equal(*len, bytes);
    return ptr;
}

static void assert_content(struct scratch *s, const char *name,
                           const char *text)
{
    size_t len;
    unsigned char *ptr = read_file(path_in(s, name), &len);

    assert_int_equal(len, strlen(text));
    assert_memory_equal(ptr, text, len);
    free(ptr);
}

/* ---- appearing ----------------------------------------------------------- */

static void test_the_file_appears_when_it_is_whole(void **state)
{
    struct scratch s;
    struct tt_file f;
    size_t len;

    (void)state;
    start(&s, &f);
    assert_int_not_equal(access(path_in(&s, "x.t2t"), F_OK), 0);
    assert_int_equal(count_files(&s), names_of(&f));
    free(commit(&s, &f, &len));
    assert_int_equal(count_files(&s), 1);
    tt_file_release(&f);
    assert_int_equal(access(path_in(&s, "x.t2t"), F_OK), 0);
    tt_file_release(&f);
    stop(&s, &f);
}

static void test_what_was_there_stays_until_then(void **state)
{
    struct scratch s;
    struct tt_file f;
    size_t len;

    (void)state;
    make_scratch(&s);
    write_file(path_in(&s, "x.t2t"), "old", 3);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(create(&f, path_in(&s, "x.t2t"), NULL), T2T_OK);
        assert_int_equal(tt_file_write(&f, 0, "new text", 8, NULL), T2T_OK);
        assert_content(&s, "x.t2t", "old");
        if (!i)
            tt_file_release(&f);
        assert_int_equal(count_files(&s), 1 + names_of(&f));
    }
    free(commit(&s, &f, &len));
    assert_int_equal(count_files(&s), 1);
    assert_true(len > 128);
    stop(&s, &f);
}

static void test_several_may_write_the_same_file(void **state)
{
    struct tt_file f[3];
    struct scratch s;
    size_t len;

    (void)state;
    make_scratch(&s);
    for (size_t i = 0; i < COUNT(f); i++)
        assert_int_equal(create(&f[i], path_in(&s, "x.t2t"), NULL), T2T_OK);
    assert_int_equal(count_files(&s), COUNT(f) * names_of(&f[0]));
    for (size_t i = 0; i < COUNT(f); i++) {
        size_t left = (COUNT(f) - 1 - i) * names_of(&f[i]);

        free(commit(&s, &f[i], &len));
        tt_file_release(&f[i]);
        assert_int_equal(count_files(&s), 1 + left);
    }
    remove_scratch(&s);
}

/* Begins a file under a temporary name in a child, which is killed. */
static void leave_one(const char *path, bool written)
{
    pid_t child = fork();
    struct tt_file f;
    int status;

    assert_true(child >= 0);
    if (!child) {
        if (!tt_file_create_named(&f, path, NULL) && written)
            (void)tt_file_write(&f, 500, "some bytes", 10, NULL);
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void test_what_a_killed_one_has_left_is_removed(void **state)
{
    struct scratch s;
    struct tt_file f;

    (void)state;
    make_scratch(&s);
    for (int written = 0; written < 2; written++) {
        leave_one(path_in(&s, "x.t2t"), written);
        assert_int_equal(count_files(&s), 1);
        assert_int_equal(access(path_in(&s, "x.t2t.tmp0"), F_OK), 0);
        assert_int_equal(create(&f, path_in(&s, "other.t2t"), NULL), T2T_OK);
        assert_int_equal(count_files(&s), 1 + names_of(&f));
        tt_file_release(&f);
        assert_int_equal(create(&f, path_in(&s, "x.t2t"), NULL), T2T_OK);
        assert_int_equal(count_files(&s), names_of(&f));
        tt_file_release(&f);
        assert_int_equal(count_files(&s), 0);
    }
    remove_scratch(&s);
}

static void test_what_a_living_one_writes_is_not_removed(void **state)
{
    struct scratch s;
    struct tt_file living, f;

    (void)state;
    make_scratch(&s);
    assert_int_equal(tt_file_create_named(&living, path_in(&s, "x.t2t"), NULL),
                     T2T_OK);
    leave_one(path_in(&s, "x.t2t"), true);
    assert_int_equal(count_files(&s), 2);
    assert_int_equal(create(&f, path_in(&s, "x.t2t"), NULL), T2T_OK);
    assert_int_equal(count_files(&s), 1 + names_of(&f));
    assert_int_equal(access(path_in(&s, "x.t2t.tmp0"), F_OK), 0);
    tt_file_release(&f);
    tt_file_release(&living);
    assert_int_equal(count_files(&s), 0);
    remove_scratch(&s);
}

/* Files of such a name that nobody here has written. */
static void test_what_others_call_so_is_not_removed(void **state)
{
    struct scratch s;
    struct tt_file f;
    size_t len;

    (void)state;
    make_scratch(&s);
    write_file(path_in(&s, "x.t2t.tmp0"), "a text of somebody", 18);
    write_file(path_in(&s, "x.t2t.tmp1"), "short", 5);
    assert_int_equal(symlink("x.t2t", path_in(&s, "x.t2t.tmp2")), 0);
    assert_int_equal(link(path_in(&s, "x.t2t.tmp0"), path_in(&s, "l")), 0);
    assert_int_equal(mkdir(path_in(&s, "x.t2t.tmp3"), 0700), 0);
    for (int i = 0; i < 2; i++) { /* the second replaces the first */
        assert_int_equal(create(&f, path_in(&s, "x.t2t"), NULL), T2T_OK);
        free(commit(&s, &f, &len));
        tt_file_release(&f);
        assert_int_equal(count_files(&s), 6);
    }
    assert_content(&s, "x.t2t.tmp0", "a text of somebody");
    assert_content(&s, "x.t2t.tmp1", "short");
    remove_scratch(&s);
}

/* A name that is as long as names can be. */
static void test_a_name_may_be_as_long_as_any(void **state)
{
    char name[NAME_MAX + 2];
    char path[sizeof(name) + sizeof(struct scratch) + 2];
    uint64_t bytes, sync_ns;
    struct tt_header header = {.element_count = 7};
    struct t2t_error err;
    struct scratch s;
    struct tt_file f;

    (void)state;
    make_scratch(&s);
    for (int i = 0; i < 2; i++) {
        /* characters of two bytes: cutting one in half is no name on some
         * systems */
        for (size_t n = 0; n < sizeof(name) - 1; n += 2)
            memcpy(name + n, "\xc3\xa9", 2);
        name[NAME_MAX - 1] = i ? 'b' : 'a';
        name[NAME_MAX] = '\0';
        (void)snprintf(path, sizeof(path), "%s/%s", s.folder, name);
        assert_int_equal(create(&f, path, NULL), T2T_OK);
        if (f.temp_path)
            assert_non_null(strstr(f.temp_path, "\xc3\xa9.tmp"));
        assert_int_equal(tt_file_commit(&f, &header, &bytes, &sync_ns, NULL),
                         T2T_OK);
        tt_file_release(&f);
        assert_int_equal(count_files(&s), i + 1);
    }
    /* again, over one that is there */
    assert_int_equal(create(&f, path, NULL), T2T_OK);
    assert_int_equal(tt_file_commit(&f, &header, &bytes, &sync_ns, NULL),
                     T2T_OK);
    tt_file_release(&f);
    assert_int_equal(count_files(&s), 2);
    (void)snprintf(path, sizeof(path), "%s/%sx", s.folder, name);
    assert_int_equal(create(&f, path, &err), T2T_ERR_IO);
    assert_memory_equal(err.text, "cannot create ", 14);
    tt_file_release(&f);
    assert_int_equal(count_files(&s), 2);
    remove_scratch(&s);
}

/* ---- bytes --------------------------------------------------------------- */

/* Sections of the table that nobody wrote are all zero but for their place. */
static const struct tt_section *table_of(const unsigned char *file)
{
    const struct tt_header *h = (const void *)file;

    return (const void *)(file + h->table_offset);
}

static void assert_section(const unsigned char *file, enum tt_section_id id,
                           const void *ptr, size_t bytes, size_t record_bytes)
{
    const struct tt_section *t = &table_of(file)[id - 1];

    assert_int_equal(t->id, id);
    assert_int_equal(t->record_bytes, record_bytes);
    assert_int_equal(t->offset % 64, 0);
    assert_int_equal(t->bytes, bytes);
    assert_int_equal(t->count, bytes / record_bytes);
    assert_int_equal(t->zero, 0);
    assert_int_equal(t->xxh3, XXH3_64bits(ptr, bytes));
    if (bytes)
        assert_memory_equal(file + t->offset, ptr, bytes);
}

static void test_header_and_table_say_where_everything_is(void **state)
{
    static const uint64_t starts[] = {1, 2, 3};
    const struct tt_header *h;
    struct scratch s;
    struct tt_file f;
    unsigned char *file;
    size_t len;

    (void)state;
    start(&s, &f);
    assert_int_equal(tt_file_section(&f, TT_SECTION_SOURCE_NAME, "trace.json",
                                     10, NULL),
                     T2T_OK);
    assert_int_equal(tt_file_section(&f, TT_SECTION_START, starts, 3, NULL),
                     T2T_OK);
    assert_int_equal(tt_file_section(&f, TT_SECTION_NAME, NULL, 0, NULL),
                     T2T_OK);
    file = commit(&s, &f, &len);
    h = (const void *)file;
    assert_memory_equal(h->magic, "\x89T2T\r\n\x1a\n", 8);
    assert_int_equal(h->major, 1);
    assert_int_equal(h->minor, 1);
    assert_int_equal(h->header_bytes, 128);
    assert_int_equal(h->file_bytes, len);
    assert_int_equal(h->section_count, 31);
    assert_int_equal(h->table_offset % 8, 0);
    assert_int_equal(h->table_offset + 31 * sizeof(struct tt_section), len);
    assert_int_equal(h->element_count, 7);
    assert_int_equal(h->table_xxh3,
                     XXH3_64bits(table_of(file),
                                 31 * sizeof(struct tt_section)));
    assert_int_equal(h->xxh3, XXH3_64bits(h, 120));
    assert_section(file, TT_SECTION_SOURCE_NAME, "trace.json", 10, 1);
    assert_section(file, TT_SECTION_START, starts, sizeof(starts), 8);
    assert_section(file, TT_SECTION_NAME, "", 0, 4);
    /* 128: the name, 192: starts; the gap between them holds zeros */
    for (size_t at = 138; at < 192; at++)
        assert_int_equal(file[at], 0);
    free(file);
    stop(&s, &f);
}

/* Sizes of a column and of the pieces it is given in. */
static const struct {
    size_t bytes;
    size_t piece;
} columns[] = {
    {0, 1},
    {1, 1},
    {TT_COLUMN_BUFFER - 1, 1000},
    {TT_COLUMN_BUFFER, 1024},
    {TT_COLUMN_BUFFER, TT_COLUMN_BUFFER},
    {TT_COLUMN_BUFFER + 1, TT_COLUMN_BUFFER},
    {TT_COLUMN_BUFFER + 1, TT_COLUMN_BUFFER + 1},
    {3 * TT_COLUMN_BUFFER, 7},
    {300001, 100000},
    {300001, 65535},
};

static unsigned char *make_bytes(size_t len)
{
    unsigned char *ptr = malloc(len + 1);

    assert_non_null(ptr);
    for (size_t i = 0; i < len; i++)
        ptr[i] = (unsigned char)(i * 2654435761u >> 24);
    return ptr;
}

static void test_a_column_is_written_in_pieces_of_any_size(void **state)
{
    unsigned char *bytes = make_bytes(300001);

    (void)state;
    for (size_t i = 0; i < COUNT(columns); i++) {
        struct tt_column c;
        struct scratch s;
        struct tt_file f;
        unsigned char *file;
        uint64_t begin;
        size_t len;

        start(&s, &f);
        assert_int_equal(tt_column_begin(&c, &f, TT_SECTION_FRAMES, NULL),
                         T2T_OK);
        begin = tt_column_offset(&c);
        for (size_t at = 0; at < columns[i].bytes; at += columns[i].piece) {
            size_t left = columns[i].bytes - at;

            assert_int_equal(tt_column_offset(&c), begin + at);
            assert_int_equal(tt_column_add(&c, bytes + at,
                                           left < columns[i].piece
                                               ? left
                                               : columns[i].piece,
                                           NULL),
                             T2T_OK);
        }
        assert_int_equal(tt_column_end(&c, NULL), T2T_OK);
        assert_int_equal(tt_file_section(&f, TT_SECTION_SOURCE_NAME, "behind",
                                         6, NULL),
                         T2T_OK);
        file = commit(&s, &f, &len);
        assert_section(file, TT_SECTION_FRAMES, bytes, columns[i].bytes, 1);
        assert_section(file, TT_SECTION_SOURCE_NAME, "behind", 6, 1);
        free(file);
        stop(&s, &f);
    }
    free(bytes);
}

static void write_piece(struct tt_file *f, enum tt_section_id id, size_t at,
                        const void *ptr, size_t len)
{
    assert_int_equal(tt_file_write(f, f->section[id].offset + at, ptr, len,
                                   NULL),
                     T2T_OK);
}

/* Sections of known size are written side by side, from any end. */
static void test_reserved_sections(void **state)
{
    enum { RECORDS = 5000 };
    static uint64_t starts[RECORDS];
    static uint16_t categories[RECORDS];
    struct scratch s;
    struct tt_file f;
    unsigned char *file;
    size_t len;

    (void)state;
    start(&s, &f);
    for (size_t i = 0; i < RECORDS; i++) {
        starts[i] = i * 77;
        categories[i] = (uint16_t)(i * 7);
    }
    (void)tt_file_reserve(&f, TT_SECTION_START, RECORDS);
    (void)tt_file_reserve(&f, TT_SECTION_CATEGORY, RECORDS);
    for (size_t i = RECORDS; i-- > 0;) {
        write_piece(&f, TT_SECTION_START, i * 8, &starts[i], 8);
        write_piece(&f, TT_SECTION_CATEGORY, i * 2, &categories[i], 2);
    }
    tt_file_end_section(&f, TT_SECTION_START, RECORDS,
                        XXH3_64bits(starts, sizeof(starts)));
    tt_file_end_section(&f, TT_SECTION_CATEGORY, RECORDS,
                        XXH3_64bits(categories, sizeof(categories)));
    assert_int_equal(tt_file_section(&f, TT_SECTION_SOURCE_NAME, "behind", 6,
                                     NULL),
                     T2T_OK);
    file = commit(&s, &f, &len);
    assert_section(file, TT_SECTION_START, starts, sizeof(starts), 8);
    assert_section(file, TT_SECTION_CATEGORY, categories, sizeof(categories),
                   2);
    assert_section(file, TT_SECTION_SOURCE_NAME, "behind", 6, 1);
    free(file);
    stop(&s, &f);
}

static void test_what_was_flushed_can_be_read_back(void **state)
{
    struct tt_column c;
    struct scratch s;
    struct tt_file f;
    uint64_t begin;
    char got[6];

    (void)state;
    start(&s, &f);
    assert_int_equal(tt_column_begin(&c, &f, TT_SECTION_FRAMES, NULL), T2T_OK);
    begin = tt_column_offset(&c);
    assert_int_equal(tt_column_add(&c, "abcdef", 6, NULL), T2T_OK);
    assert_int_equal(tt_file_read(&f, begin, got, 6, NULL), T2T_ERR_IO);
    assert_int_equal(tt_column_flush(&c, NULL), T2T_OK);
    assert_int_equal(tt_column_offset(&c), begin + 6);
    assert_int_equal(tt_file_read(&f, begin + 2, got, 4, NULL), T2T_OK);
    assert_memory_equal(got, "cdef", 4);
    tt_column_release(&c);
    tt_column_release(&c);
    stop(&s, &f);
}

/* ---- failing ------------------------------------------------------------- */

static void test_a_folder_that_is_not_there_is_said(void **state)
{
    struct t2t_error err;
    struct tt_file f;

    (void)state;
    assert_int_equal(create(&f, "no-such-folder/x.t2t", &err), T2T_ERR_IO);
    assert_string_equal(err.text, "cannot create no-such-folder/x.t2t: "
                                  "No such file or directory");
    assert_int_equal(err.offset, T2T_NO_OFFSET);
    tt_file_release(&f);
}

static void test_a_folder_in_its_place_is_not_replaced(void **state)
{
    struct tt_header header = {.element_count = 0};
    struct t2t_error err;
    struct scratch s;
    struct tt_file f;
    uint64_t bytes, sync_ns;

    (void)state;
    start(&s, &f);
    assert_int_equal(mkdir(path_in(&s, "x.t2t"), 0700), 0);
    assert_int_equal(tt_file_commit(&f, &header, &bytes, &sync_ns, &err),
                     T2T_ERR_IO);
    assert_memory_equal(err.text, "cannot rename into place ", 25);
    tt_file_release(&f);
    assert_int_equal(count_files(&s), 1);
    stop(&s, &f);
}

static void test_what_is_no_plain_file_is_not_replaced(void **state)
{
    struct tt_header header = {.element_count = 0};
    struct t2t_error err;
    struct scratch s;
    struct tt_file f;
    struct stat there;
    uint64_t bytes, sync_ns;

    (void)state;
    start(&s, &f);
    assert_int_equal(mkfifo(path_in(&s, "x.t2t"), 0600), 0);
    assert_int_equal(tt_file_commit(&f, &header, &bytes, &sync_ns, &err),
                     T2T_ERR_USAGE);
    assert_non_null(strstr(err.text, "/x.t2t is no plain file"));
    tt_file_release(&f);
    assert_int_equal(create(&f, path_in(&s, "x.t2t"), &err), T2T_ERR_USAGE);
    tt_file_release(&f);
    assert_int_equal(stat(path_in(&s, "x.t2t"), &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    assert_int_equal(count_files(&s), 1);
    stop(&s, &f);
}

static void test_a_file_that_cannot_grow_is_an_error(void **state)
{
    unsigned char *bytes = make_bytes(200000);
    struct t2t_error err;
    struct tt_column c;
    struct scratch s;
    struct tt_file f;

    (void)state;
    start(&s, &f);
    assert_int_equal(tt_column_begin(&c, &f, TT_SECTION_FRAMES, NULL), T2T_OK);
    limit_files(100000);
    assert_int_equal(tt_column_add(&c, bytes, 200000, &err), T2T_ERR_NO_SPACE);
    assert_int_equal(tt_file_section(&f, TT_SECTION_SOURCE_NAME, bytes, 200000,
                                     &err),
                     T2T_ERR_NO_SPACE);
    limit_files(RLIM_INFINITY);
    assert_string_equal(strrchr(err.text, ':'), ": File too large");
    tt_column_release(&c);
    tt_file_release(&f);
    assert_int_equal(count_files(&s), 0);
    stop(&s, &f);
    free(bytes);
}

/* Counts the questions down and then cancels. */
static bool count_down(void *left)
{
    return (*(int *)left)-- > 0;
}

static void test_a_file_that_is_canceled_leaves_none(void **state)
{
    struct tt_header header = {.element_count = 7};
    unsigned char *bytes = make_bytes(200000);
    enum t2t_status st = T2T_ERR_CANCELED;
    int questions = 0;

    (void)state;
    for (; st; questions++) {
        struct t2t_error err = {.code = T2T_OK};
        uint64_t size, sync_ns;
        struct tt_watch watch;
        int left = questions;
        struct scratch s;
        struct tt_file f;

        start(&s, &f);
        write_file(path_in(&s, "x.t2t"), "old", 3);
        tt_watch_init(&watch, count_down, &left);
        watch.interval_ns = watch.due_ns = 0;
        f.watch = &watch;
        st = tt_file_section(&f, TT_SECTION_SOURCE_NAME, bytes, 200000, &err);
        if (!st)
            st = tt_file_commit(&f, &header, &size, &sync_ns, &err);
        tt_file_release(&f);
        if (st) {
            assert_int_equal(st, T2T_ERR_CANCELED);
            assert_string_equal(err.text, "canceled");
            assert_content(&s, "x.t2t", "old");
        }
        assert_int_equal(count_files(&s), 1);
        remove_scratch(&s);
    }
    /* three writes, perhaps one while it syncs, one at the end */
    assert_in_range(questions, 5, 6);
    free(bytes);
}

#define IN_BOTH_WAYS(test)                                                     \
    cmocka_unit_test_setup(test, use_names),                                   \
        cmocka_unit_test_setup(test, use_best)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_BOTH_WAYS(test_the_file_appears_when_it_is_whole),
        IN_BOTH_WAYS(test_what_was_there_stays_until_then),
        IN_BOTH_WAYS(test_several_may_write_the_same_file),
        IN_BOTH_WAYS(test_what_a_killed_one_has_left_is_removed),
        IN_BOTH_WAYS(test_what_a_living_one_writes_is_not_removed),
        IN_BOTH_WAYS(test_what_others_call_so_is_not_removed),
        IN_BOTH_WAYS(test_a_name_may_be_as_long_as_any),
        IN_BOTH_WAYS(test_a_file_that_is_canceled_leaves_none),
        cmocka_unit_test(test_header_and_table_say_where_everything_is),
        cmocka_unit_test(test_a_column_is_written_in_pieces_of_any_size),
        cmocka_unit_test(test_reserved_sections),
        cmocka_unit_test(test_what_was_flushed_can_be_read_back),
        IN_BOTH_WAYS(test_a_folder_that_is_not_there_is_said),
        IN_BOTH_WAYS(test_a_folder_in_its_place_is_not_replaced),
        IN_BOTH_WAYS(test_what_is_no_plain_file_is_not_replaced),
        IN_BOTH_WAYS(test_a_file_that_cannot_grow_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
