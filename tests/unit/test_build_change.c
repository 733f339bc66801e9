/* test_build_change.c - trace2tree/build.h: a trace that changes while it is
 * read. */
#include <sys/stat.h>

#define FILE_PATH "unused"
#include "build_files.h"

#include <trace2tree/build.h>

/* What becomes of the trace while it is read. */
enum change { CUT, EMPTIED, TOUCHED, LONGER, RENAMED, GONE, CHANGES };

static bool change_it(void *context, const struct t2t_build_progress *p)
{
    static const struct timespec earlier[2] = {{1, 0}, {1, 0}};
    enum change *change = context;

    (void)p;
    if (*change == CUT)
        assert_int_equal(truncate(trace_path(), 100000), 0);
    else if (*change == EMPTIED)
        assert_int_equal(truncate(trace_path(), 0), 0);
    else if (*change == TOUCHED)
        assert_int_equal(utimensat(AT_FDCWD, trace_path(), earlier, 0), 0);
    else if (*change == LONGER)
        assert_int_equal(truncate(trace_path(), 5000000), 0);
    else if (*change == RENAMED)
        assert_int_equal(rename(trace_path(), path_in(&scratch, "old")), 0);
    else if (*change == GONE)
        assert_int_equal(unlink(trace_path()), 0);
    *change = CHANGES; /* once */
    return true;
}

/* Builds `b`, which changes so. */
static enum t2t_status build_changing(struct bytes b, enum change change,
                                      bool no_map, struct t2t_error *err)
{
    struct t2t_build_options options = {.workers = 2,
                                        .no_map = no_map,
                                        .watch = change_it,
                                        .watch_context = &change};

    write_file(trace_path(), b);
    return t2t_build(trace_path(), index_path(), &options, NULL, err);
}

static void test_a_trace_that_changes_gets_no_index(void **state)
{
    struct bytes text = make_trace(20000);

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        for (int change = 0; change < CHANGES; change++) {
            /* a map of what is cut is a signal */
            bool no_map = kind == PLAIN && change < TOUCHED;
            bool is_whole = change >= RENAMED;
            struct t2t_error err;

            if (change == CUT && b.len < 100000)
                continue;
            assert_int_equal(build_changing(b, (enum change)change, no_map,
                                            &err),
                             is_whole ? T2T_OK : T2T_ERR_IO);
            if (!is_whole)
                assert_string_equal(err.text,
                                    "the file has changed while it was read");
            assert_int_equal(access(index_path(), F_OK), is_whole ? 0 : -1);
            (void)remove(index_path());
            (void)remove(trace_path());
            (void)remove(path_in(&scratch, "old"));
            assert_int_equal(count_files(&scratch), 0);
        }
        free(b.ptr);
    }
    free(text.ptr);
}

static void test_a_trace_that_is_not_mapped_gets_the_same_index(void **state)
{
    struct bytes text = make_trace(20000);
    struct bytes want, got;

    (void)state;
    assert_int_equal(build_changing(text, CHANGES, false, NULL), T2T_OK);
    want = read_whole(index_path());
    assert_int_equal(build_changing(text, CHANGES, true, NULL), T2T_OK);
    got = read_whole(index_path());
    /* but for the time of the trace, which was written twice, in the header */
    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.ptr + 128, want.ptr + 128, want.len - 128);
    free(got.ptr);
    assert_int_equal(remove(index_path()), 0);
    assert_int_equal(remove(trace_path()), 0);
    free(text.ptr);
    free(want.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_trace_that_changes_gets_no_index),
        cmocka_unit_test(test_a_trace_that_is_not_mapped_gets_the_same_index),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
