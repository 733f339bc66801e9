/* fixture.h - an index made of a trace that stands in the test. */
#ifndef TT_TEST_FIXTURE_H
#define TT_TEST_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trace2tree/trace2tree.h>

/* Writes a file of the test's own. */
static inline void write_file(const char *path, const void *ptr, size_t len)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(ptr, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* The bytes of a file, to be freed. */
static inline unsigned char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    unsigned char *ptr;
    long size;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    size = ftell(f);
    assert_true(size >= 0);
    rewind(f);
    ptr = malloc((size_t)size + 1);
    assert_non_null(ptr);
    assert_int_equal(fread(ptr, 1, (size_t)size, f), size);
    assert_int_equal(fclose(f), 0);
    *len = (size_t)size;
    return ptr;
}

/* Builds the index NAME.t2t of the trace `json`, written to NAME.json. */
static inline void build_index(const char *name, const char *json)
{
    struct t2t_build_options options = {.workers = 1};
    struct t2t_error err = {0};
    char trace[64];
    char index[64];

    (void)snprintf(trace, sizeof(trace), "%s.json", name);
    (void)snprintf(index, sizeof(index), "%s.t2t", name);
    write_file(trace, json, strlen(json));
    if (t2t_build(trace, index, &options, NULL, &err))
        fail_msg("%s: %s", trace, err.text);
}

/* The same, opened. */
static inline t2t_index *make_index(const char *name, const char *json)
{
    struct t2t_error err = {0};
    t2t_index *index = NULL;
    char path[64];

    build_index(name, json);
    (void)snprintf(path, sizeof(path), "%s.t2t", name);
    if (t2t_index_open(&index, path, &err))
        fail_msg("%s: %s", path, err.text);
    return index;
}

/* Closes the index and removes both files. */
static inline void remove_index(const char *name, t2t_index *index)
{
    char path[64];

    t2t_index_close(index);
    (void)snprintf(path, sizeof(path), "%s.json", name);
    (void)unlink(path);
    (void)snprintf(path, sizeof(path), "%s.t2t", name);
    (void)unlink(path);
}

#define assert_text(text, expected)                                            \
    do {                                                                       \
        struct t2t_text got_text = (text);                                     \
                                                                               \
        assert_non_null(got_text.ptr);                                         \
        assert_int_equal(got_text.len, strlen(expected));                      \
        assert_memory_equal(got_text.ptr, expected, got_text.len);             \
    } while (0)

#endif
