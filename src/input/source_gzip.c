/* source_gzip.c - gzip members, any number of them, to text. */
#include "input/unpacker.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

/* The libraries count in 32 bits. */
#define PIECE_MAX ((size_t)1 << 30)

/*
 * Headers and trailers are read here, RFC 1952, so that offsets and classes are
 * the same with either library.  The library inflates what is between them.
 */
enum header_flag {
    FLAG_HEADER_CRC = 2,
    FLAG_EXTRA = 4,
    FLAG_NAME = 8,
    FLAG_COMMENT = 16,
    FLAGS_RESERVED = 0xe0
};

struct gzip {
    struct tt_unpacker unpacker;
    bool inside;    /* the inflated part of a member is under way */
    bool later;     /* not the first member */
    uint32_t crc;   /* of the header, then of the text of the member */
    uint32_t bytes; /* text of the member, modulo 2^32 */
#ifdef HAVE_ISAL
    bool careful; /* damage is near: see inflate_some() */
    bool broken;  /* the text stops behind what is still in `inflate` */
    struct inflate_state inflate;
    struct inflate_state before; /* the same before the last step */
#else
    z_stream inflate;
#endif
};

static enum t2t_status damaged(const struct tt_raw *raw, struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_GZIP_DATA, tt_raw_at(raw),
                    "the gzip data is damaged");
}

/*
 * The library's part, twice: inflate_begin() and inflate_finish() take and give
 * back what it needs, inflate_again() is for the next member, checksum() goes
 * on with a CRC-32, inflate_some() makes text of bytes of `raw`: T2T_OK when it
 * wants more bytes or more room, T2T_END when the member's data ended, with
 * `raw` just behind them.
 */
#ifdef HAVE_ISAL

static bool inflate_begin(struct gzip *g)
{
    isal_inflate_init(&g->inflate);
    return true;
}

static void inflate_finish(struct gzip *g)
{
    (void)g;
}

static void inflate_again(struct gzip *g)
{
    g->careful = false;
    isal_inflate_reset(&g->inflate);
}

static uint32_t checksum(uint32_t crc, const unsigned char *ptr, size_t len)
{
    return crc32_gzip_refl(crc, ptr, len);
}

/* All of `from` that means something: its text buffer is large and last. */
static void copy_state(struct inflate_state *to,
                       const struct inflate_state *from)
{
    memcpy(to, from,
           offsetof(struct inflate_state, tmp_out_buffer) +
               (size_t)from->tmp_out_valid);
}

/*
 * One call of the library.  What it says of bytes that are left is wrong after
 * an error, its pointers are right.
 */
static int call_library(struct inflate_state *z, struct tt_raw *raw,
                        size_t given, unsigned char *buf, size_t cap,
                        size_t *len)
{
    int result;

    z->next_in = raw->block + raw->pos;
    z->avail_in = (uint32_t)given;
    z->next_out = buf;
    z->avail_out = (uint32_t)cap;
    result = isal_inflate(z);
    raw->pos = (size_t)(z->next_in - raw->block);
    *len = (size_t)(z->next_out - buf);
    return result;
}

/* Whole bytes the library has read ahead of what it has used. */
static size_t read_ahead(const struct inflate_state *z)
{
    size_t bytes = z->read_in_length > 0 ? (size_t)z->read_in_length / 8 : 0;

    return bytes < TT_RAW_KEPT ? bytes : TT_RAW_KEPT;
}

/*
 * At an error the library leaves text it has already made in its own buffer.
 * The error comes when that has been given away.
 */
static enum t2t_status take_rest(struct inflate_state *z, struct tt_raw *raw,
                                 unsigned char *buf, size_t cap, size_t *len,
                                 struct t2t_error *err)
{
    size_t rest = (size_t)(z->tmp_out_valid - z->tmp_out_processed);
    size_t n = rest < cap ? rest : cap;

    memcpy(buf, z->tmp_out_buffer + z->tmp_out_processed, n);
    z->tmp_out_processed += (int32_t)n;
    *len += n;
    return rest ? T2T_OK : damaged(raw, err);
}

/*
 * The library's fast loop counts the text of a bad copy before it sees that it
 * is bad: up to 258 bytes of anything.  Its slow loop, which it uses for fewer
 * than 8 bytes, does not.  So at an error the step is done again, slowly.
 */
static enum t2t_status inflate_some(struct gzip *g, struct tt_raw *raw,
                                    unsigned char *buf, size_t cap, size_t *len,
                                    struct t2t_error *err)
{
    const size_t few = 4;
    size_t given = tt_raw_left(raw);
    size_t pos = raw->pos;
    int result;

    *len = 0;
    if (g->broken)
        return take_rest(&g->inflate, raw, buf, cap, len, err);
    if (!g->careful) {
        copy_state(&g->before, &g->inflate);
        result = call_library(&g->inflate, raw, given, buf, cap, len);
        g->careful = result < 0;
        if (g->careful)
            copy_state(&g->inflate, &g->before);
    }
    if (g->careful) {
        raw->pos = pos;
        result = call_library(&g->inflate, raw, given < few ? given : few, buf,
                              cap, len);
        g->broken = result < 0;
    }
    if (g->broken || g->inflate.block_state == ISAL_BLOCK_FINISH)
        raw->pos -= read_ahead(&g->inflate);
    if (g->broken)
        return take_rest(&g->inflate, raw, buf + *len, cap - *len, len, err);
    return g->inflate.block_state == ISAL_BLOCK_FINISH ? T2T_END : T2T_OK;
}

#else

static bool inflate_begin(struct gzip *g)
{
    return inflateInit2(&g->inflate, -15) == Z_OK;
}

static void inflate_finish(struct gzip *g)
{
    (void)inflateEnd(&g->inflate);
}

static void inflate_again(struct gzip *g)
{
    (void)inflateReset(&g->inflate);
}

static uint32_t checksum(uint32_t crc, const unsigned char *ptr, size_t len)
{
    return (uint32_t)crc32_z(crc, ptr, len);
}

static enum t2t_status inflate_some(struct gzip *g, struct tt_raw *raw,
                                    unsigned char *buf, size_t cap, size_t *len,
                                    struct t2t_error *err)
{
    z_stream *z = &g->inflate;
    int result;

    z->next_in = raw->block + raw->pos;
    z->avail_in = (uInt)tt_raw_left(raw);
    z->next_out = buf;
    z->avail_out = (uInt)cap;
    result = inflate(z, Z_NO_FLUSH);
    *len = cap - z->avail_out;
    raw->pos = raw->len - z->avail_in;
    if (result == Z_STREAM_END)
        return T2T_END;
    if (result == Z_MEM_ERROR)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    if (result != Z_OK && result != Z_BUF_ERROR)
        return damaged(raw, err);
    return T2T_OK;
}

#endif

static enum t2t_status cut_short(const struct tt_raw *raw,
                                 struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_GZIP_TRUNCATED, tt_raw_at(raw),
                    "the gzip data is cut short");
}

/* The next byte of a header or trailer. */
static enum t2t_status take_byte(struct gzip *g, struct tt_raw *raw,
                                 unsigned char *byte, struct t2t_error *err)
{
    enum t2t_status st = tt_raw_fill(raw, 1, err);

    if (st)
        return st;
    if (!tt_raw_left(raw))
        return cut_short(raw, err);
    *byte = raw->block[raw->pos++];
    g->crc = checksum(g->crc, byte, 1);
    return T2T_OK;
}

/* A number of `bytes` bytes, little-endian. */
static enum t2t_status take_number(struct gzip *g, struct tt_raw *raw,
                                   unsigned bytes, uint32_t *number,
                                   struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;
    unsigned char byte = 0;

    *number = 0;
    for (unsigned i = 0; !st && i < bytes; i++) {
        st = take_byte(g, raw, &byte, err);
        *number |= (uint32_t)byte << (8 * i);
    }
    return st;
}

static enum t2t_status skip_extra(struct gzip *g, struct tt_raw *raw,
                                  struct t2t_error *err)
{
    uint32_t bytes;
    unsigned char byte;
    enum t2t_status st = take_number(g, raw, 2, &bytes, err);

    while (!st && bytes--)
        st = take_byte(g, raw, &byte, err);
    return st;
}

static enum t2t_status skip_text(struct gzip *g, struct tt_raw *raw,
                                 struct t2t_error *err)
{
    unsigned char byte;
    enum t2t_status st;

    do
        st = take_byte(g, raw, &byte, err);
    while (!st && byte);
    return st;
}

static enum t2t_status check_header_crc(struct gzip *g, struct tt_raw *raw,
                                        struct t2t_error *err)
{
    uint64_t at = tt_raw_at(raw);
    uint32_t crc = g->crc & 0xffff;
    uint32_t stored;
    enum t2t_status st = take_number(g, raw, 2, &stored, err);

    if (!st && stored != crc)
        return tt_error(err, T2T_ERR_GZIP_CRC, at,
                        "the gzip header does not match its checksum");
    return st;
}

/* Reads the header; the magic number is there. */
static enum t2t_status read_header(struct gzip *g, struct tt_raw *raw,
                                   struct t2t_error *err)
{
    uint64_t at = tt_raw_at(raw);
    uint32_t start;
    uint32_t rest;
    unsigned flags;
    enum t2t_status st;

    g->crc = 0;
    st = take_number(g, raw, 4, &start, err); /* magic, method, flags */
    if (st)
        return st;
    flags = start >> 24;
    if ((start >> 16 & 0xff) != 8)
        return tt_error(err, T2T_ERR_GZIP_DATA, at + 2,
                        "the gzip header names an unknown method");
    if (flags & FLAGS_RESERVED)
        return tt_error(err, T2T_ERR_GZIP_DATA, at + 3,
                        "the gzip header has unknown flags");
    st = take_number(g, raw, 4, &rest, err); /* time */
    if (!st)
        st = take_number(g, raw, 2, &rest, err); /* level, system */
    if (!st && flags & FLAG_EXTRA)
        st = skip_extra(g, raw, err);
    if (!st && flags & FLAG_NAME)
        st = skip_text(g, raw, err);
    if (!st && flags & FLAG_COMMENT)
        st = skip_text(g, raw, err);
    if (!st && flags & FLAG_HEADER_CRC)
        st = check_header_crc(g, raw, err);
    return st;
}

/* Tapes and disks pad a file with zeros: to its end, they mean nothing. */
static enum t2t_status skip_zeros(struct tt_raw *raw, bool *any,
                                  struct t2t_error *err)
{
    enum t2t_status st = tt_raw_fill(raw, 1, err);

    *any = false;
    while (!st && tt_raw_left(raw) && !raw->block[raw->pos]) {
        *any = true;
        raw->pos++;
        st = tt_raw_fill(raw, 1, err);
    }
    return st;
}

/* Looks for another member and reads its header.  T2T_END: there is none. */
static enum t2t_status begin_member(struct gzip *g, struct tt_raw *raw,
                                    struct t2t_error *err)
{
    bool zeros = false;
    enum t2t_status st = T2T_OK;

    if (g->later)
        st = skip_zeros(raw, &zeros, err);
    if (!st)
        st = tt_raw_fill(raw, 2, err);
    if (st)
        return st;
    if (g->later && !tt_raw_left(raw))
        return T2T_END;
    if (zeros || !tt_gzip_begins(raw->block + raw->pos, tt_raw_left(raw)))
        return tt_error(err, T2T_ERR_GZIP_DATA, tt_raw_at(raw),
                        "the gzip data is followed by something else");
    st = read_header(g, raw, err);
    if (st)
        return st;
    if (g->later)
        inflate_again(g);
    g->later = true;
    g->inside = true;
    g->crc = 0;
    g->bytes = 0;
    return T2T_OK;
}

static enum t2t_status end_member(struct gzip *g, struct tt_raw *raw,
                                  struct t2t_error *err)
{
    uint64_t at = tt_raw_at(raw);
    uint32_t text_crc = g->crc;
    uint32_t crc;
    uint32_t bytes;
    enum t2t_status st = take_number(g, raw, 4, &crc, err);

    if (!st)
        st = take_number(g, raw, 4, &bytes, err);
    if (st)
        return st;
    if (crc != text_crc)
        return tt_error(err, T2T_ERR_GZIP_CRC, at,
                        "the gzip data does not match its checksum");
    if (bytes != g->bytes)
        return tt_error(err, T2T_ERR_GZIP_CRC, at + 4,
                        "the gzip data does not match its length");
    g->inside = false;
    return T2T_OK;
}

/* Text of the member under way; its trailer, when it ends. */
static enum t2t_status go_on(struct gzip *g, struct tt_raw *raw,
                             unsigned char *buf, size_t cap, size_t *len,
                             struct t2t_error *err)
{
    enum t2t_status st = tt_raw_fill(raw, 1, err);
    size_t left = tt_raw_left(raw);

    *len = 0;
    if (st)
        return st;
    st = inflate_some(g, raw, buf, cap < PIECE_MAX ? cap : PIECE_MAX, len, err);
    g->crc = checksum(g->crc, buf, *len);
    g->bytes += (uint32_t)*len;
    g->unpacker.given += *len;
    if (st == T2T_END)
        st = end_member(g, raw, err);
    else if (!st && !*len && tt_raw_left(raw) == left)
        st = left ? damaged(raw, err) : cut_short(raw, err);
    if ((!st && !g->inside) || st == T2T_ERR_GZIP_TRUNCATED)
        g->unpacker.sound = g->unpacker.given;
    return st;
}

static enum t2t_status gzip_read(struct tt_unpacker *d, struct tt_raw *raw,
                                 unsigned char *buf, size_t cap, size_t *len,
                                 struct t2t_error *err)
{
    struct gzip *g = (struct gzip *)d;
    enum t2t_status st = T2T_OK;
    size_t n;

    *len = 0;
    while (!st && *len < cap) {
        if (!g->inside)
            st = begin_member(g, raw, err);
        if (st)
            break;
        st = go_on(g, raw, buf + *len, cap - *len, &n, err);
        *len += n;
    }
    return st;
}

static void gzip_free(struct tt_unpacker *d)
{
    struct gzip *g = (struct gzip *)d;

    inflate_finish(g);
    free(g);
}

bool tt_gzip_begins(const unsigned char *ptr, size_t len)
{
    return len && ptr[0] == 0x1f && (len < 2 || ptr[1] == 0x8b);
}

enum t2t_status tt_gzip_create(struct tt_unpacker **out, struct t2t_error *err)
{
    struct gzip *g = calloc(1, sizeof(*g));

    if (!g || !inflate_begin(g)) {
        free(g);
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    }
    g->unpacker = (struct tt_unpacker){.read = gzip_read, .free = gzip_free};
    *out = &g->unpacker;
    return T2T_OK;
}
