/* source_zstd.c - zstd frames, any number of them, to text. */
#include "input/unpacker.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "input/ahead.h"

/* Frames made with --long=31 or --ultra -22 open too; 31 is the limit. */
#define WINDOW_LOG_MAX 31

/* What the library wants to see before it says what a frame is. */
#define FRAME_START_BYTES 5

struct zstd {
    struct tt_unpacker unpacker;
    ZSTD_DCtx *context;
    bool inside;    /* a frame is under way */
    size_t wanted;  /* bytes until the unit under way, such as a block, is
                       whole: never given more at a time, so that an error
                       belongs to the unit */
    uint64_t unit;  /* where that unit begins */
    uint64_t frame; /* where the frame under way begins */
    bool full;      /* the last step filled the buffer: it may hold back text */
    struct tt_ahead *ahead;    /* with helpers, else NULL; owned */
    struct tt_ahead_text text; /* what is left of a frame of it */
    bool has_text;
};

static enum t2t_status failed(const struct zstd *z, size_t result,
                              struct t2t_error *err)
{
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    case ZSTD_error_checksum_wrong:
        return tt_error(err, T2T_ERR_ZSTD_DATA, z->unit,
                        "the zstd data does not match its checksum");
    case ZSTD_error_frameParameter_windowTooLarge:
        return tt_error(err, T2T_ERR_ZSTD_DATA, z->frame,
                        "the zstd data needs a window over 2 GB; compress it "
                        "again without --long");
    case ZSTD_error_dictionary_wrong:
        return tt_error(err, T2T_ERR_ZSTD_DATA, z->frame,
                        "the zstd data needs a dictionary; decompress it "
                        "first, with zstd -d -D DICTIONARY");
    default:
        return tt_error(err, T2T_ERR_ZSTD_DATA, z->unit,
                        "the zstd data is damaged");
    }
}

/* Looks for another frame.  T2T_END: there is none. */
static enum t2t_status begin_frame(struct zstd *z, struct tt_raw *raw,
                                   struct t2t_error *err)
{
    enum t2t_status st = tt_raw_fill(raw, FRAME_START_BYTES, err);

    if (st)
        return st;
    if (!tt_raw_left(raw))
        return T2T_END;
    z->unit = tt_raw_at(raw);
    z->frame = z->unit;
    z->wanted = FRAME_START_BYTES;
    z->inside = true;
    if (!tt_zstd_begins(raw->block + raw->pos, tt_raw_left(raw)))
        return tt_error(err, T2T_ERR_ZSTD_DATA, z->unit,
                        "the zstd data is followed by something else");
    return T2T_OK;
}

/*
 * Gives the library what is left of the unit, or what there is of it; nothing
 * while it holds back text, which it would drop at an error.
 */
static enum t2t_status go_on(struct zstd *z, struct tt_raw *raw,
                             ZSTD_outBuffer *out, struct t2t_error *err)
{
    size_t had = out->pos;
    ZSTD_inBuffer in = {0};
    enum t2t_status st = tt_raw_fill(raw, 1, err);
    size_t result;

    if (st)
        return st;
    in.src = raw->block + raw->pos;
    if (!z->full)
        in.size = tt_raw_left(raw) < z->wanted ? tt_raw_left(raw) : z->wanted;
    result = ZSTD_decompressStream(z->context, out, &in);
    if (ZSTD_isError(result))
        return failed(z, result, err);
    z->unpacker.given += out->pos - had;
    if (!result || (!z->full && !in.size && out->pos == had))
        z->unpacker.sound = z->unpacker.given;
    if (!z->full && !in.size && out->pos == had)
        return tt_error(err, T2T_ERR_ZSTD_TRUNCATED, tt_raw_at(raw),
                        "the zstd data is cut short");
    raw->pos += in.pos;
    if (in.pos == z->wanted)
        z->unit = tt_raw_at(raw);
    z->wanted = result;
    z->inside = result != 0;
    z->full = out->pos == out->size;
    return T2T_OK;
}

/* Begins a frame that was decompressed ahead, if the next one was. */
static bool begin_ahead(struct zstd *z, const struct tt_raw *raw)
{
    z->has_text = z->ahead && tt_ahead_take(z->ahead, tt_raw_at(raw), &z->text);
    return z->has_text;
}

/* Gives text of a frame that was decompressed ahead. */
static enum t2t_status go_on_ahead(struct zstd *z, struct tt_raw *raw,
                                   ZSTD_outBuffer *out, struct t2t_error *err)
{
    size_t room = out->size - out->pos;
    size_t n = z->text.len < room ? z->text.len : room;

    if (n)
        memcpy((char *)out->dst + out->pos, z->text.ptr, n);
    out->pos += n;
    z->unpacker.given += n;
    z->text.ptr += n;
    z->text.len -= n;
    if (z->text.len)
        return T2T_OK;
    z->unpacker.sound = z->unpacker.given;
    z->has_text = false;
    return tt_raw_skip(raw, z->text.end, err);
}

static enum t2t_status zstd_read(struct tt_unpacker *d, struct tt_raw *raw,
                                 unsigned char *buf, size_t cap, size_t *len,
                                 struct t2t_error *err)
{
    struct zstd *z = (struct zstd *)d;
    ZSTD_outBuffer out = {buf, cap, 0};
    enum t2t_status st = T2T_OK;

    while (!st && out.pos < cap) {
        if (z->has_text || (!z->inside && begin_ahead(z, raw))) {
            st = go_on_ahead(z, raw, &out, err);
            continue;
        }
        if (!z->inside)
            st = begin_frame(z, raw, err);
        if (!st)
            st = go_on(z, raw, &out, err);
    }
    *len = out.pos;
    return st;
}

static void zstd_free(struct tt_unpacker *d)
{
    struct zstd *z = (struct zstd *)d;

    tt_ahead_free(z->ahead);
    (void)ZSTD_freeDCtx(z->context);
    free(z);
}

/* Without memory nobody helps. */
static void zstd_invite(struct tt_unpacker *d, int fd,
                        const struct tt_helpers *helpers)
{
    ((struct zstd *)d)->ahead = tt_ahead_create(fd, helpers);
}

static bool zstd_help(struct tt_unpacker *d)
{
    struct tt_ahead *ahead = ((struct zstd *)d)->ahead;

    return ahead && tt_ahead_help(ahead);
}

bool tt_zstd_begins(const unsigned char *ptr, size_t len)
{
    static const unsigned char frame[4] = {0x28, 0xb5, 0x2f, 0xfd};
    static const unsigned char skippable[4] = {0x50, 0x2a, 0x4d, 0x18};
    size_t n = len < 4 ? len : 4;

    return n &&
           (!memcmp(ptr, frame, n) || ((ptr[0] & 0xf0) == skippable[0] &&
                                       !memcmp(ptr + 1, skippable + 1, n - 1)));
}

enum t2t_status tt_zstd_create(struct tt_unpacker **out, struct t2t_error *err)
{
    struct zstd *z = calloc(1, sizeof(*z));

    if (!z)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    z->unpacker = (struct tt_unpacker){.read = zstd_read,
                                       .free = zstd_free,
                                       .invite = zstd_invite,
                                       .help = zstd_help};
    z->context = ZSTD_createDCtx();
    if (!z->context ||
        ZSTD_isError(ZSTD_DCtx_setParameter(z->context, ZSTD_d_windowLogMax,
                                            WINDOW_LOG_MAX))) {
        zstd_free(&z->unpacker);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    *out = &z->unpacker;
    return T2T_OK;
}
