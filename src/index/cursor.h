/*
 * index/cursor.h - what is behind a cursor.
 *
 * cursor.c unpacks frames and renders elements, argument.c takes the JSON of
 * one element apart, member.c reads the envelope.
 */
#ifndef TT_INDEX_CURSOR_H
#define TT_INDEX_CURSOR_H

#include <trace2tree/cursor.h>

#include <zstd.h>

#include "base/buffer.h"
#include "format/frame.h"
#include "index/reader.h"
#include "index/spot.h"
#include "json/token.h"

#define TT_NO_FRAME UINT32_MAX

/* In the order of the trace, ids come from as many places at a time as there
 * are threads and streams; in the order of ids, what elements said comes from
 * as many places of the trace as it has blocks of a category. */
#define TT_CURSOR_FRAMES 16u

/* Frames of elements that were used before are kept only as long as their
 * values are this few. */
#define TT_CURSOR_VALUES ((size_t)2 << 20)

/* The frames of one directory that were used last, the latest one first. */
struct tt_frame_cache {
    void *slot[TT_CURSOR_FRAMES];     /* what is in them, owned */
    uint32_t frame[TT_CURSOR_FRAMES]; /* TT_NO_FRAME: not whole */
    unsigned count;
};

/* A way along the members of an object of `tokens`. */
struct tt_members_walk {
    uint32_t object; /* its token */
    uint32_t n;      /* the member that ... */
    uint32_t token;  /* ... this token begins */
};

struct t2t_cursor {
    const t2t_index *index;
    ZSTD_DCtx *zstd;
    struct tt_buffer raw;           /* the frame unpacked last */
    struct tt_buffer envelope;      /* frame `envelope_frame` of it */
    uint32_t envelope_frame;        /* TT_NO_FRAME: none */
    struct tt_frame_cache elements; /* struct tt_elements */
    struct tt_frame_cache order;    /* uint32_t [TT_IDS_A_FRAME] */
    struct tt_frame_cache places;   /* the same */
    t2t_id known_id;                /* of the place that was asked for last */
    uint32_t known_place;
    struct tt_buffer json; /* of element json_id */
    t2t_id json_id;
    struct tt_tokens tokens; /* of `json`, if has_tokens */
    bool has_tokens;
    bool has_fields;                 /* it is an object */
    bool has_arguments;              /* and `args` in it is one */
    struct tt_members_walk field;    /* of the element */
    struct tt_members_walk argument; /* of its `args` */
    struct tt_spot spot[TT_SPOTS];
    struct tt_buffer part; /* of an element, made from its template */
    struct tt_buffer text; /* a key, a member, a string without escapes */
};

/* What an element said: until the cursor is asked for another. */
struct tt_said {
    uint32_t number;       /* record of SHAPES that names the template */
    struct t2t_text shape; /* the template */
    const uint64_t *value; /* of its slots */
};

/* Fills `err` and returns T2T_ERR_NO_MEMORY. */
enum t2t_status tt_cursor_no_memory(struct t2t_error *err);

/* Says that element `id` cannot be: returns T2T_ERR_INDEX_DAMAGE. */
enum t2t_status tt_cursor_damage(const t2t_cursor *c, t2t_id id,
                                 struct t2t_error *err);

/* Says that element `id` stands at `position`, so that this need not be looked
 * up when it is asked for next. */
static inline void tt_cursor_know(t2t_cursor *c, t2t_id id, uint32_t position)
{
    c->known_id = id;
    c->known_place = position;
}

/* Sees to it that c->json is that of element `id`. */
enum t2t_status tt_cursor_load(t2t_cursor *c, t2t_id id, struct t2t_error *err);

/* What element `id` said. */
enum t2t_status tt_cursor_said(t2t_cursor *c, t2t_id id, struct tt_said *said,
                               struct t2t_error *err);

/* The value at a spot of the template of element `id`, which is the cursor's or
 * the index's. */
enum t2t_status tt_cursor_part(t2t_cursor *c, t2t_id id,
                               const struct tt_said *said,
                               const struct tt_spot *spot,
                               struct t2t_text *json, struct t2t_error *err);

/* Sees to it that the frame of the element at `position`, which is below E, is
 * decoded: `*out` has it until the next call. */
enum t2t_status tt_cursor_elements(t2t_cursor *c, uint32_t position,
                                   const struct tt_elements **out,
                                   struct t2t_error *err);

/* Unpacks a frame of a directory to `to`, which is cleared first. */
enum t2t_status tt_cursor_unpack(t2t_cursor *c, const struct tt_directory *d,
                                 uint32_t frame, struct tt_buffer *to,
                                 struct t2t_error *err);

/* Says that a frame cannot be: returns T2T_ERR_INDEX_DAMAGE. */
enum t2t_status tt_cursor_frame_damage(const t2t_cursor *c,
                                       const struct tt_directory *d,
                                       uint32_t frame, struct t2t_error *err);

/*
 * Appends the element at `position`, which is below E, as compact JSON to `to`,
 * which may have a part of it when that fails.
 */
enum t2t_status tt_cursor_append(t2t_cursor *cursor, uint32_t position,
                                 struct tt_buffer *to, struct t2t_error *err);

/*
 * Unpacks a frame of the envelope; T2T_NOT_FOUND past the last.  The text is
 * the cursor's and lasts until the next call for a frame
 * or a member of the envelope.
 */
enum t2t_status tt_cursor_envelope_frame(t2t_cursor *cursor, uint32_t frame,
                                         struct t2t_text *text,
                                         struct t2t_error *err);

#endif
