/* build_files.h - a folder with a trace and its index, for tests of builds. */
#include "source_files.h"

#include "folder.h"

static const char *trace_path(void)
{
    return path_in(&scratch, "trace");
}

static const char *index_path(void)
{
    return path_in(&scratch, "x.t2t");
}

/* A trace of `count` events, to be freed. */
static struct bytes make_trace(unsigned count)
{
    struct bytes b = take("{\"traceEvents\":[", 16);
    char line[160];

    for (unsigned i = 0; i < count; i++)
        join(&b, line,
             (size_t)snprintf(line, sizeof(line),
                              "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":"
                              "\"op %u\",\"pid\":1,\"tid\":%u,\"ts\":%u.%03u,"
                              "\"dur\":%u}",
                              i ? "," : "", i % 50, i % 3, i, i % 1000, i % 9));
    join(&b, "]}\n", 3);
    return b;
}

static struct bytes read_whole(const char *path)
{
    struct bytes b = take("", 0);
    unsigned char buf[4096];
    FILE *f = fopen(path, "rb");
    size_t n;

    assert_non_null(f);
    while ((n = fread(buf, 1, sizeof(buf), f)))
        join(&b, buf, n);
    assert_int_equal(fclose(f), 0);
    return b;
}
