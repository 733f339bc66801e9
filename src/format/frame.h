/*
 * format/frame.h - reads the compressed frames of an index.
 *
 * A frame is unpacked into memory that the caller gives, and its raw bytes are
 * then decoded: ids and positions (ORDER_FRAMES, PLACE_FRAMES) or what 4,096
 * elements said (ELEMENT_FRAMES).  doc/format.md, Frames and Elements.
 *
 * Nothing of the file is trusted.  Memory stays in proportion to the file: a
 * frame may claim at most TT_FRAME_SPARE + TT_FRAME_RATIO times its compressed
 * size, and writers keep to that.
 */
#ifndef TT_FORMAT_FRAME_H
#define TT_FORMAT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zstd.h>

#include "base/status.h"
#include "format/format.h"
#include "format/shape.h"

#define TT_FRAME_SPARE (64u << 20)
#define TT_FRAME_RATIO 1024u

/* Where frames lie: the file, as their offsets count in it. */
struct tt_frames {
    const unsigned char *ptr;
    uint64_t bytes;
};

/* Whether the record names a place in `frames` and a size that can be. */
bool tt_frame_fits(const struct tt_frames *frames,
                   const struct tt_frame_record *record);

/*
 * Unpacks a frame that fits into the record->raw_bytes bytes at `to` and
 * checks its size and its checksum.  False: it is damaged.
 */
bool tt_frame_unpack(ZSTD_DCtx *zstd, const struct tt_frames *frames,
                     const struct tt_frame_record *record, unsigned char *to);

/*
 * Decodes a frame of ids or positions, `count` of them, each below `limit`.
 * False: it is damaged.
 */
bool tt_frame_ids(const unsigned char *raw, size_t bytes, uint32_t count,
                  uint32_t limit, uint32_t *ids);

/* What the decoding of elements needs to know of the index. */
struct tt_shapes {
    const uint32_t *shape; /* SHAPES: string ids of templates */
    uint32_t count;
    struct tt_strings strings;
};

/* A frame of elements, decoded.  Large: on the heap. */
struct tt_elements {
    uint32_t count;
    uint64_t offset[TT_ELEMENTS_A_FRAME]; /* in the document */
    uint32_t shape[TT_ELEMENTS_A_FRAME];
    uint32_t first[TT_ELEMENTS_A_FRAME]; /* of its values */
    uint64_t *value;                     /* owned: of all slots */
    size_t value_cap;

    /* While decoding: the elements of a shape form a list. */
    uint32_t next[TT_ELEMENTS_A_FRAME];
    uint32_t last[TT_ELEMENTS_A_FRAME];
    uint32_t order[TT_ELEMENTS_A_FRAME]; /* first element of each list */
    uint32_t order_count;
    uint32_t bucket[2 * TT_ELEMENTS_A_FRAME];
};

/* Frees what it holds; all-zero is allowed. */
void tt_elements_release(struct tt_elements *e);

/*
 * Decodes a frame of `count` elements, at most TT_ELEMENTS_A_FRAME, into `e`,
 * all-zero at first and used again then.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_frame_elements(const unsigned char *raw, size_t bytes,
                                  uint32_t count,
                                  const struct tt_shapes *shapes,
                                  struct tt_elements *e);

#endif
