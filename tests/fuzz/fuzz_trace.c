/*
 * fuzz_trace.c - any bytes as a trace: built with learned layouts and without,
 * by one thread and by two, in chunks of several sizes: the same index or the
 * same error each time, told of the same, and an index is whole; that of a file
 * says the same as that of a pipe.  It may come in zstd frames, also damaged.
 *
 * Some inputs also get every question, and their trace is exported and built
 * again, which gives the same trace; what salvage was the first to give up is
 * what a build that repairs ends with, and it changes nothing that is right.
 */
#include "fuzz.h"

#include <zstd.h>

#include <trace2tree/trace2tree.h>

#define FRAMES 4

struct text {
    const uint8_t *ptr;
    size_t len;
    size_t at;
    size_t step;     /* bytes at a time */
    bool is_file;    /* it is read from one */
    uint8_t *packed; /* owned, where `ptr` is that */
};

static int64_t give(void *context, void *buf, size_t cap)
{
    struct text *t = context;
    size_t n = t->len - t->at < cap ? t->len - t->at : cap;

    n = n < t->step ? n : t->step;
    memcpy(buf, t->ptr + t->at, n);
    t->at += n;
    return (int64_t)n;
}

struct result {
    enum t2t_status status;
    struct t2t_error err;
    struct t2t_build_result counts;
    uint64_t damage;         /* a hash of what it told, in order */
    struct t2t_damage first; /* that is no repair, if `gives_up` */
    bool gives_up;
    uint64_t odd;       /* and of this, in any order */
    unsigned char *ptr; /* the index */
    size_t len;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void tell(void *context, const struct t2t_damage *d)
{
    struct result *r = context;

    if (!d->repaired && !r->gives_up) {
        r->first = *d;
        r->gives_up = true;
    }
    r->damage = mix(mix(r->damage, (uint64_t)d->status), d->offset);
    r->damage = mix(mix(r->damage, d->position), d->repaired);
    r->damage = mix(mix(r->damage, d->lost_offset), d->lost_bytes);
    r->damage = mix(r->damage, d->lost_elements);
    for (const char *at = d->reason ? d->reason : ""; *at; at++)
        r->damage = mix(r->damage, (uint64_t)*at);
}

static void tell_odd(void *context, const struct t2t_odd *o)
{
    struct result *r = context;
    uint64_t hash = mix(mix(1, o->position), o->offset);

    for (const char *at = o->name; *at; at++)
        hash = mix(hash, (uint64_t)*at);
    r->odd += hash;
}

static struct result build(const struct text *text,
                           const struct t2t_build_options *how, int kind)
{
    struct text t = *text;
    struct t2t_build_options options = *how;
    struct result r = {.err = {T2T_OK, T2T_NO_OFFSET, ""}};

    options.tell = tell;
    options.odd = tell_odd;
    options.tell_context = options.odd_context = &r;
    r.status =
        t2t_build_from(give, &t, fuzz_path(kind), &options, &r.counts, &r.err);
    if (!r.status)
        r.ptr = fuzz_read(fuzz_path(kind), &r.len);
    else
        CHECK(r.err.code == r.status && *r.err.text);
    return r;
}

static void check_counts(const struct t2t_build_result *a,
                         const struct t2t_build_result *b)
{
    CHECK(a->source_bytes == b->source_bytes);
    CHECK(a->document_bytes == b->document_bytes);
    CHECK(a->element_count == b->element_count);
    CHECK(a->node_count == b->node_count);
    CHECK(a->gpu_count == b->gpu_count);
    CHECK(a->linked_count == b->linked_count);
    CHECK(a->anomaly_count == b->anomaly_count);
    CHECK(a->loss_count == b->loss_count);
    CHECK(a->lost_count == b->lost_count);
    CHECK(a->lost_bytes == b->lost_bytes);
}

/* An index of a file also has that one's name and time. */
static void check_same(const struct result *a, const struct result *b,
                       bool is_file)
{
    CHECK(a->status == b->status);
    CHECK(a->err.offset == b->err.offset);
    CHECK(!strcmp(a->err.text, b->err.text));
    if (!is_file) {
        CHECK(a->len == b->len);
        CHECK(!a->len || !memcmp(a->ptr, b->ptr, a->len));
    }
    if (a->status)
        return;
    check_counts(&a->counts, &b->counts);
    CHECK(a->counts.index_bytes == a->len && b->counts.index_bytes == b->len);
    CHECK(a->damage == b->damage && a->odd == b->odd);
}

/* The trace of an index, to be freed. */
static struct text export(const t2t_index *index)
{
    struct t2t_error err;
    struct text t = {.step = SIZE_MAX};
    char *ptr = NULL;
    FILE *f = open_memstream(&ptr, &t.len);

    CHECK(f);
    CHECK(!t2t_export_trace(index, f, &err));
    CHECK(!fclose(f));
    t.ptr = (uint8_t *)ptr;
    return t;
}

/* What is exported is JSON, and the index of it says the same. */
static void check_export(const t2t_index *index)
{
    struct t2t_build_options strict = {.workers = 1, .tolerance = T2T_STRICT};
    struct text once = export(index);
    struct result r = build(&once, &strict, 2);
    struct t2t_error err;
    t2t_index *other = NULL;
    struct text again;

    CHECK(!r.status);
    CHECK(!t2t_index_open(&other, fuzz_path(2), &err));
    again = export(other);
    CHECK(once.len == again.len && !memcmp(once.ptr, again.ptr, once.len));
    t2t_index_close(other);
    free((void *)once.ptr);
    free((void *)again.ptr);
    free(r.ptr);
}

/* The first thing that salvage has given up is what a build without it ends
 * with, one that repairs. */
static void check_first(const struct result *salvaged, const struct text *text,
                        const struct t2t_build_options *how)
{
    struct t2t_build_options repair = *how;
    struct result r;

    repair.tolerance = T2T_REPAIR;
    r = build(text, &repair, 2);
    CHECK(!r.status == !salvaged->gives_up);
    if (r.status)
        CHECK(r.status == salvaged->first.status &&
              r.err.offset == salvaged->first.offset);
    free(r.ptr);
}

/* What needs no repair is the same to salvage. */
static void check_sound(const struct result *strict, const struct text *text,
                        const struct t2t_build_options *how)
{
    struct t2t_build_options salvage = *how;
    struct result r;

    salvage.tolerance = T2T_SALVAGE;
    r = build(text, &salvage, 2);
    check_same(strict, &r, false);
    free(r.ptr);
}

/* What was just built is whole, and can be asked. */
static void check_index(int kind, bool all)
{
    struct t2t_error err;
    t2t_index *index = NULL;

    CHECK(!t2t_index_open(&index, fuzz_path(kind), &err));
    CHECK(!t2t_index_verify(index, &err));
    if (all) {
        CHECK(fuzz_ask(index));
        check_export(index);
    }
    t2t_index_close(index);
}

/* Makes it zstd frames, the last of which is whole, cut or changed. */
static void pack(struct text *t, unsigned damage)
{
    size_t room = ZSTD_compressBound(t->len) + FRAMES * (size_t)64;
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    size_t begin = 0;
    size_t len = 0;

    t->packed = malloc(room);
    CHECK(zstd && t->packed);
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, damage & 1);
    for (size_t i = 0; i < FRAMES; i++) {
        size_t from = t->len * i / FRAMES;
        size_t part = t->len * (i + 1) / FRAMES - from;

        begin = len;
        len += ZSTD_compress2(zstd, t->packed + len, room - len, t->ptr + from,
                              part);
        CHECK(len <= room);
    }
    (void)ZSTD_freeCCtx(zstd);
    if (damage == 2)
        len -= (len - begin) / 3;
    if (damage == 3)
        t->packed[begin + (len - begin) * 2 / 3] ^= 0x10;
    t->ptr = t->packed;
    t->len = len;
}

/* What the second byte says, if the first says that there is one. */
static void choose(struct t2t_build_options *o, struct text *t, uint8_t byte)
{
    t->ptr++;
    t->len--;
    o->anonymous = byte & 1;
    if (byte & 2)
        t->step = 7;
    t->is_file = byte & 4;
    o->no_map = byte & 8;
    if (t->is_file)
        return;
    if (byte & 16) /* in eighths of what there is */
        o->max_bytes = 1 + t->len * (byte >> 5) / 8;
    else if (byte & 128)
        pack(t, byte >> 5 & 3);
}

/* One input in sixteen, but all of a corpus. */
static bool is_asked(const struct text *t)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < t->len; i++)
        hash = mix(hash, t->ptr[i]);
    return fuzz_thorough || hash % 16 == 0;
}

/* The first byte says how; the rest is the trace. */
int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    static const enum t2t_tolerance kinds[] = {T2T_REPAIR, T2T_STRICT,
                                               T2T_SALVAGE, T2T_SALVAGE};
    struct t2t_build_options plain = {.workers = 1, .no_layouts = true};
    struct t2t_build_options other;
    struct text text = {ptr + 1, len - 1, 0, SIZE_MAX, false, NULL};
    struct text pipe;
    struct result a, b;

    if (!len)
        return 0;
    plain.tolerance = kinds[ptr[0] & 3];
    if (ptr[0] & 0x80 && text.len)
        choose(&plain, &text, ptr[1]);
    other = plain;
    other.no_layouts = false;
    other.workers = ptr[0] & 4 ? 2 : 1;
    if (ptr[0] & 0x40)
        other.chunk_bytes = (size_t)16 << (ptr[0] >> 3 & 7);
    pipe = text;
    pipe.is_file = false;
    a = build(&pipe, &plain, 0);
    b = build(&text, &other, 1);
    check_same(&a, &b, text.is_file);
    if (!a.status)
        check_index(1, is_asked(&text));
    if (!a.status && plain.tolerance == T2T_SALVAGE && is_asked(&text))
        check_first(&a, &pipe, &plain);
    if (!a.status && plain.tolerance == T2T_STRICT && is_asked(&text))
        check_sound(&a, &pipe, &plain);
    free(a.ptr);
    free(b.ptr);
    free(text.packed);
    return 0;
}
