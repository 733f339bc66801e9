/*
 * fuzz_unpack.c - any bytes as a gzip or zstd file: read in large pieces and in
 * small ones, which gives the same text and the same end.
 *
 * The first byte says which of the two the second ones are made to begin as, if
 * any, and how large pieces are.
 */
#include "fuzz.h"

#include <xxhash.h>

#include "input/source.h"

#define MOST ((size_t)1 << 20) /* of text that is looked at */

struct text {
    const uint8_t *ptr;
    size_t len;
    size_t at;
    size_t step;
};

static enum t2t_status give(void *owner, unsigned char *buf, size_t cap,
                            size_t *len, struct t2t_error *err)
{
    struct text *t = owner;
    size_t n = t->len - t->at;

    (void)err;
    n = n < cap ? n : cap;
    n = n < t->step ? n : t->step;
    memcpy(buf, t->ptr + t->at, n);
    t->at += n;
    *len = n;
    return T2T_OK;
}

struct result {
    enum t2t_status status;
    uint64_t offset;
    uint64_t hash;
    uint64_t sound;
    size_t len;
};

static struct result unpack(const uint8_t *ptr, size_t len, size_t step,
                            size_t cap)
{
    struct text t = {ptr, len, 0, step};
    struct tt_reader reader = {give, &t};
    struct t2t_error err = {T2T_OK, T2T_NO_OFFSET, ""};
    XXH3_state_t *hash = XXH3_createState();
    struct result r = {0};
    struct tt_source *s = NULL;
    unsigned char *buf = malloc(cap);

    CHECK(buf && hash);
    (void)XXH3_64bits_reset(hash);
    r.status = tt_source_open_reader(&s, &reader, NULL, &err);
    while (!r.status && r.len < MOST) {
        size_t n = 0;

        r.status =
            tt_source_read(s, buf, cap < MOST - r.len ? cap : MOST - r.len, &n,
                           &err);
        CHECK(r.status || (n && n <= cap));
        if (!r.status) {
            (void)XXH3_64bits_update(hash, buf, n);
            r.len += n;
        }
    }
    r.hash = XXH3_64bits_digest(hash);
    (void)XXH3_freeState(hash);
    if (r.status < 0) {
        CHECK(*err.text && err.code == r.status);
        r.offset = err.offset;
    }
    if (r.status < 0 && s) {
        r.sound = tt_source_sound(s);
        CHECK(r.sound <= r.len + tt_source_facts(s)->skipped);
    }
    tt_source_close(s);
    free(buf);
    return r;
}

/* gzip data says where it was found to be damaged, which is a few bytes further
 * on when more of them were there. */
static bool same_offset(const struct result *a, const struct result *b)
{
    uint64_t apart =
        a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset;

    return a->status == T2T_ERR_GZIP_DATA ? apart <= 8 : !apart;
}

int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    static const unsigned char begin[2][4] = {{0x1f, 0x8b, 8, 0},
                                              {0x28, 0xb5, 0x2f, 0xfd}};
    struct result large, small;
    uint8_t *copy;
    size_t step;

    if (len < 5)
        return 0;
    copy = malloc(len - 1);
    CHECK(copy);
    memcpy(copy, ptr + 1, len - 1);
    if (ptr[0] & 2)
        memcpy(copy, begin[ptr[0] & 1], ptr[0] & 1 ? 4 : 3);
    step = (ptr[0] >> 2) + 1u;
    large = unpack(copy, len - 1, len, 256 << 10);
    small = unpack(copy, len - 1, step, 4096 + step);
    CHECK(large.status == small.status);
    CHECK(same_offset(&large, &small));
    CHECK(large.sound == small.sound);
    /* behind that, how much of a damaged frame is text depends on how much of
     * it the library has seen at a time */
    if (large.status != T2T_ERR_GZIP_DATA && large.status != T2T_ERR_ZSTD_DATA)
        CHECK(large.len == small.len && large.hash == small.hash);
    free(copy);
    return 0;
}
