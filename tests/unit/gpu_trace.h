/* gpu_trace.h - small traces with GPU work, as rows; tables of them as CSV. */
#ifndef TT_TEST_GPU_TRACE_H
#define TT_TEST_GPU_TRACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/trace2tree.h>

#include "fixture.h"

/* A complete event: what stands in it, as JSON where it is no text. */
struct said {
    const char *category;
    const char *name;
    const char *pid;
    const char *tid;
    const char *ts; /* us, as dur */
    const char *dur;
    const char *args; /* members of the object */
};

/* Thread 1 of process 1; stream 7 of device 0. */
#define PY(name, ts, dur)                                                      \
    {                                                                          \
        "python_function", name, "1", "1", ts, dur, ""                         \
    }
#define OP(name, ts, dur, args)                                                \
    {                                                                          \
        "cpu_op", name, "1", "1", ts, dur, args                                \
    }
#define LAUNCH(ts, number)                                                     \
    {                                                                          \
        "cuda_runtime", "launch", "1", "1", ts, "1", "\"correlation\":" number \
    }
#define KERNEL(name, ts, dur, number)                                          \
    {                                                                          \
        "kernel", name, "0", "7", ts, dur,                                     \
            "\"stream\":7,\"correlation\":" number                             \
    }
#define UNLINKED(name, ts, dur)                                                \
    {                                                                          \
        "kernel", name, "0", "7", ts, dur, "\"stream\":7"                      \
    }
#define STEP(number, ts, dur)                                                  \
    {                                                                          \
        "user_annotation", "ProfilerStep#" number, "1", "1", ts, dur, ""       \
    }

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The rows as a trace, to be freed. */
static inline char *trace_of(const struct said *row, size_t count)
{
    char *json = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&json, &len);

    assert_non_null(to);
    for (size_t i = 0; i < count; i++)
        assert_true(fprintf(to,
                            "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\","
                            "\"pid\":%s,\"tid\":%s,\"ts\":%s,\"dur\":%s,"
                            "\"args\":{%s}}",
                            i ? ",\n" : "[", row[i].category, row[i].name,
                            row[i].pid, row[i].tid, row[i].ts, row[i].dur,
                            row[i].args) > 0);
    assert_true(fputs(count ? "]" : "[]", to) >= 0);
    assert_int_equal(fclose(to), 0);
    return json;
}

/* The index of the rows. */
static inline t2t_index *index_of(const char *name, const struct said *row,
                                  size_t count)
{
    char *json = trace_of(row, count);
    t2t_index *index = make_index(name, json);

    free(json);
    return index;
}

#define INDEX_OF(rows) index_of(NAME, rows, COUNT(rows))

/* The id of the element at `position`. */
static inline t2t_id id_at(const t2t_index *index, uint32_t position)
{
    t2t_cursor *cursor;
    t2t_id id = T2T_NO_ID;

    assert_int_equal(t2t_cursor_open(&cursor, index, NULL), T2T_OK);
    assert_int_equal(t2t_cursor_id(cursor, position, &id, NULL), T2T_OK);
    t2t_cursor_close(cursor);
    return id;
}

/* Compares a table, which it frees, with its CSV without the header. */
static inline void assert_csv(t2t_table *table, const char *expected)
{
    char *csv = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&csv, &len);
    const char *rows;

    assert_non_null(to);
    assert_non_null(table);
    assert_int_equal(t2t_table_write_csv(table, to, NULL), T2T_OK);
    assert_int_equal(fclose(to), 0);
    t2t_table_free(table);
    rows = strchr(csv, '\n');
    assert_non_null(rows);
    assert_string_equal(rows + 1, expected);
    free(csv);
}

#endif
