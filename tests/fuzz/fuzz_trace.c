/*
 * fuzz_trace.c - any bytes as a trace: built with learned layouts and without,
 * by one thread and by two, in chunks of several sizes: the same index or the
 * same error each time, and an index is whole.
 */
#include "fuzz.h"

#include <trace2tree/trace2tree.h>

struct text {
    const uint8_t *ptr;
    size_t len;
    size_t at;
};

static int64_t give(void *context, void *buf, size_t cap)
{
    struct text *t = context;
    size_t n = t->len - t->at < cap ? t->len - t->at : cap;

    memcpy(buf, t->ptr + t->at, n);
    t->at += n;
    return (int64_t)n;
}

struct result {
    enum t2t_status status;
    struct t2t_error err;
    unsigned char *ptr; /* the index */
    size_t len;
};

static struct result build(const uint8_t *ptr, size_t len,
                           const struct t2t_build_options *options, int kind)
{
    struct text t = {ptr, len, 0};
    struct result r = {.err = {T2T_OK, T2T_NO_OFFSET, ""}};

    r.status = t2t_build_from(give, &t, fuzz_path(kind), options, NULL, &r.err);
    if (!r.status)
        r.ptr = fuzz_read(fuzz_path(kind), &r.len);
    else
        CHECK(r.err.code == r.status && *r.err.text);
    return r;
}

static void check_same(const struct result *a, const struct result *b)
{
    CHECK(a->status == b->status);
    CHECK(a->err.offset == b->err.offset);
    CHECK(!strcmp(a->err.text, b->err.text));
    CHECK(a->len == b->len);
    CHECK(!a->len || !memcmp(a->ptr, b->ptr, a->len));
}

/* What was just built is whole, and can be asked. */
static void check_index(int kind)
{
    struct t2t_error err;
    t2t_index *index = NULL;

    CHECK(!t2t_index_open(&index, fuzz_path(kind), &err));
    CHECK(!t2t_index_verify(index, &err));
    fuzz_ask(index);
    t2t_index_close(index);
}

/* The first byte says how; the rest is the trace. */
int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    static const enum t2t_tolerance kinds[] = {T2T_REPAIR, T2T_STRICT,
                                               T2T_SALVAGE, T2T_SALVAGE};
    struct t2t_build_options plain = {.workers = 1, .no_layouts = true};
    struct t2t_build_options other = {.workers = 1};
    struct result a, b;

    if (!len)
        return 0;
    plain.tolerance = other.tolerance = kinds[ptr[0] & 3];
    other.workers = ptr[0] & 4 ? 2 : 1;
    other.chunk_bytes = (size_t)16 << (ptr[0] >> 3 & 7);
    if (!(ptr[0] & 0x40))
        other.chunk_bytes = 0;
    a = build(ptr + 1, len - 1, &plain, 0);
    b = build(ptr + 1, len - 1, &other, 1);
    check_same(&a, &b);
    if (!a.status)
        check_index(1);
    free(a.ptr);
    free(b.ptr);
    return 0;
}
