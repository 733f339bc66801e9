/* document.c - the head of the document, then its array, chunk by chunk. */
#include "pipeline/document.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 << 10) /* read at a time before the array */

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* ---- before the array ---------------------------------------------------- */

/* Whether it is the gzip or zstd data that are damaged. */
static bool is_about_container(enum t2t_status st)
{
    return st <= T2T_ERR_GZIP_DATA && st >= T2T_ERR_ZSTD_TRUNCATED;
}

/* Looks for the array in mapped text. */
static enum t2t_status prefix_of_map(struct tt_build *b, const char *map,
                                     uint64_t len, struct t2t_error *err)
{
    struct tt_crew *crew = &b->crew;
    uint64_t at = 0;
    enum t2t_status st = T2T_OK;

    crew->map = map;
    crew->map_len = len;
    while (!st && at < len) {
        size_t part = len - at < BLOCK_BYTES ? (size_t)(len - at) : BLOCK_BYTES;
        size_t used;

        st = tt_envelope_feed(&b->assembly.envelope, map + at, part, crew->at,
                              &used, err);
        at += used;
        crew->at += used;
        if (!st)
            st = tt_build_advance(b, crew->at, err);
    }
    return st;
}

/* The next block of text that is read. */
static enum t2t_status read_block(struct tt_build *b, struct t2t_error *err)
{
    struct tt_crew *crew = &b->crew;
    enum t2t_status st = tt_source_read(b->source, (unsigned char *)crew->rest,
                                        BLOCK_BYTES, &crew->rest_len, err);

    if (st >= 0 || !is_about_container(st) ||
        b->assembly.damage.tolerance != T2T_SALVAGE)
        return st;
    b->cut = st;
    if (err)
        crew->error = *err;
    return T2T_END;
}

/* Looks for the array in text that is read; what was read past it goes to the
 * crew. */
static enum t2t_status prefix_of_stream(struct tt_build *b,
                                        struct t2t_error *err)
{
    struct tt_crew *crew = &b->crew;
    enum t2t_status st = T2T_OK;

    crew->rest = malloc(BLOCK_BYTES);
    if (!crew->rest)
        return no_memory(err);
    while (!st) {
        size_t used;

        st = read_block(b, &crew->error);
        if (st == T2T_END)
            return T2T_OK; /* and no array */
        if (st) {
            if (err)
                *err = crew->error;
            return st;
        }
        st = tt_envelope_feed(&b->assembly.envelope, crew->rest, crew->rest_len,
                              crew->at, &used, err);
        crew->at += used;
        crew->rest_len -= used;
        memmove(crew->rest, crew->rest + used, crew->rest_len);
        if (!st)
            st = tt_build_advance(b, crew->at, err);
    }
    return st;
}

/* The array begins in text that was held behind damage, which is read again. */
static enum t2t_status take_held(struct tt_build *b, struct t2t_error *err)
{
    struct tt_buffer *held = &b->assembly.envelope.held;
    struct tt_crew *crew = &b->crew;

    if (!held->len)
        return T2T_OK;
    crew->at -= held->len;
    if (!crew->map) {
        tt_buffer_add(held, crew->rest, crew->rest_len);
        if (held->failed)
            return no_memory(err);
        free(crew->rest);
        crew->rest = held->ptr;
        crew->rest_len = held->len;
        *held = (struct tt_buffer){0};
    }
    tt_buffer_release(held);
    return T2T_OK;
}

/* T2T_END: the array begins. */
static enum t2t_status read_prefix(struct tt_build *b, struct t2t_error *err)
{
    const unsigned char *map;
    uint64_t len;
    enum t2t_status st;
    enum t2t_status taken;

    b->crew.source = b->source;
    b->crew.skipped = b->crew.at = b->facts->skipped;
    if (b->facts->skipped)
        tt_anomaly_note(&b->trace.anomalies, TT_ANOMALY_BYTE_ORDER_MARK,
                        TT_NO_POSITION, 0);
    if (tt_source_map(b->source, &map, &len))
        st = prefix_of_map(b, (const char *)map, len, err);
    else
        st = prefix_of_stream(b, err);
    if (!st)
        st = tt_envelope_settle(&b->assembly.envelope, b->crew.at, b->cut, err);
    if (st != T2T_END)
        return st;
    taken = take_held(b, err);
    return taken ? taken : T2T_END;
}

/* ---- the array ----------------------------------------------------------- */

static enum t2t_status read_array(struct tt_build *b, struct t2t_error *err)
{
    enum t2t_status st = tt_crew_start(&b->crew, err);
    struct tt_chunk *c;

    while (!st && (c = tt_crew_next(&b->crew))) {
        st = tt_assembly_take(&b->assembly, c, err);
        if (!st)
            st = tt_build_advance(b, c->offset + c->len, err);
        tt_crew_return(&b->crew, c);
    }
    tt_crew_stop(&b->crew);
    if (!st && tt_watch_is_canceled(&b->watch))
        return tt_watch_stopped(err);
    if (st || !b->crew.status)
        return st;
    if (is_about_container(b->crew.status) &&
        b->assembly.damage.tolerance == T2T_SALVAGE) {
        b->cut = b->crew.status;
        return T2T_OK;
    }
    if (err)
        *err = b->crew.error;
    return b->crew.status;
}

/* Whether it may be because the input was not what it had been. */
static bool is_about_input(enum t2t_status st)
{
    return st <= T2T_ERR_LIMIT && st >= T2T_ERR_ZSTD_TRUNCATED;
}

static bool is_about_text(enum t2t_status st)
{
    return st <= T2T_ERR_NOT_A_TRACE && st >= T2T_ERR_UTF8;
}

/*
 * Text that came out of damaged gzip or zstd data may be nonsense: then the
 * damage is what is said, not the nonsense at `*err`, so the rest is
 * decompressed to see.  Where the text was still right, what is wrong with it
 * comes first.
 */
static enum t2t_status blame(struct tt_build *b, enum t2t_status said,
                             struct t2t_error *err)
{
    /* a feeder that was sent away before the end has nothing to say */
    enum t2t_status st =
        b->crew.status == T2T_ERR_CANCELED ? T2T_OK : b->crew.status;
    size_t len;

    if (!is_about_text(said) || !b->facts->compressed)
        return said;
    free(b->crew.rest);
    b->crew.rest = st ? NULL : malloc(BLOCK_BYTES);
    while (!st && b->crew.rest) {
        st = tt_source_read(b->source, (unsigned char *)b->crew.rest,
                            BLOCK_BYTES, &len, &b->crew.error);
        if (!st)
            st = tt_build_advance(b, b->parsed, &b->crew.error);
    }
    if (st >= 0 || st == T2T_ERR_LIMIT ||
        (st == T2T_ERR_CANCELED && !tt_watch_is_canceled(&b->watch)))
        return said;
    if (is_about_container(st) && err->offset < tt_source_sound(b->source))
        return said;
    *err = b->crew.error;
    return st;
}

/* Tells of the damage that is held and stands before byte `end`. */
static void tell_held(struct tt_build *b, uint64_t end)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->held_count; i++) {
        if (b->held[i].offset < end)
            b->tell(b->tell_context, &b->held[i]);
        else
            b->held[kept++] = b->held[i];
    }
    b->held_count = kept;
}

/*
 * Says of each damage what the caller is to know.  What is wrong with text that
 * was decompressed waits until it is known whether that was right: damage of
 * the gzip or zstd data comes before it otherwise, as in blame().
 */
void tt_document_damaged(void *arg, const struct t2t_damage *damage)
{
    struct tt_build *b = arg;
    struct t2t_damage told = *damage;

    if (is_about_container(told.status)) {
        tell_held(b, tt_source_sound(b->source));
        told.offset = b->crew.error.offset;
        told.reason = b->crew.error.text;
        b->tell(b->tell_context, &told);
    } else if (!b->facts->compressed) {
        b->tell(b->tell_context, &told);
    } else if (tt_memory_room(&b->memory, &b->held, &b->held_cap, b->held_count,
                              sizeof(*b->held))) {
        b->held[b->held_count++] = told;
    } else {
        b->held_failed = true;
    }
}

/* The text ended with damaged gzip or zstd data: that is a damage also where
 * it was all there, or was nonsense before. */
static enum t2t_status note_cut(struct tt_build *b, struct t2t_error *err)
{
    struct tt_damage *d = &b->assembly.damage;
    enum t2t_status st;

    for (size_t i = 0; i < d->losses; i++)
        if ((enum t2t_status) - (int)d->loss[i].class == b->cut)
            return T2T_OK;
    st = tt_damage_lose(d, b->crew.at, b->crew.at, b->cut, err);
    if (!st)
        tt_damage_end(d, b->crew.at, TT_NO_POSITION);
    return st;
}

/* Tells of all damage that is held and that a build comes to which ends with
 * `st`. */
static enum t2t_status tell_rest(struct tt_build *b, enum t2t_status st,
                                 struct t2t_error *err)
{
    bool all = !is_about_container(st);

    tell_held(b, all ? UINT64_MAX : tt_source_sound(b->source));
    tt_memory_give(&b->memory, b->held, b->held_cap * sizeof(*b->held));
    b->held = NULL;
    return st || !b->held_failed ? st : no_memory(err);
}

enum t2t_status tt_document_read(struct tt_build *b, struct t2t_error *err)
{
    struct t2t_error unwanted;
    enum t2t_status st;

    if (!err)
        err = &unwanted; /* blame() needs it */
    st = tt_build_enter(b, T2T_READING, err);

    if (!st)
        st = read_prefix(b, err);
    if (st == T2T_END)
        st = read_array(b, err);
    if (!st)
        st = tt_assembly_finish(&b->assembly, b->crew.at, b->cut, err);
    if (!st && b->cut)
        st = note_cut(b, err);
    if (!st)
        tt_inbox_finish(b->inbox);
    st = st < 0 ? blame(b, st, err) : st;
    if ((!st || is_about_input(st)) && tt_source_has_changed(b->source))
        st = tt_error(err, T2T_ERR_IO, TT_NO_OFFSET,
                      "the file has changed while it was read");
    return tell_rest(b, st, err);
}
