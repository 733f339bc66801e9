/*
 * format/frame_write.h - the raw bytes of frames, to be compressed.
 * doc/format.md, Frames and Elements.
 */
#ifndef TT_FORMAT_FRAME_WRITE_H
#define TT_FORMAT_FRAME_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "format/format.h"

/* Appends a frame of ids or positions. */
void tt_frame_write_ids(const uint32_t *ids, size_t count,
                        struct tt_buffer *to);

/* A shape that is in a frame. */
struct tt_sheet_shape {
    const char *holes; /* not owned */
    uint32_t shape;
    uint32_t head; /* its first element */
};

/* The elements of a frame, which know all that is to be written of them. */
struct tt_sheet {
    uint32_t count;
    uint64_t offset[TT_ELEMENTS_A_FRAME];
    uint32_t shape[TT_ELEMENTS_A_FRAME];
    uint32_t first[TT_ELEMENTS_A_FRAME]; /* of its slots */
    uint32_t next[TT_ELEMENTS_A_FRAME];  /* element of the same shape */
    uint64_t *slot;                      /* owned */
    size_t slots;
    size_t slot_cap;
    struct tt_sheet_shape used[TT_ELEMENTS_A_FRAME]; /* by first use */
    uint32_t used_count;
};

/* An empty one; NULL without memory. */
struct tt_sheet *tt_sheet_create(void);

/* NULL is allowed. */
void tt_sheet_free(struct tt_sheet *s);

/* Empties it; room for more than `kept` slots is freed. */
void tt_sheet_clear(struct tt_sheet *s, size_t kept);

/* Appends the raw bytes of the frame. */
void tt_sheet_write(const struct tt_sheet *s, struct tt_buffer *to);

struct tt_pack_shape {
    const char *holes; /* the bytes of those that have slots, terminated */
    uint32_t used;     /* where it is in the sheet, or TT_NONE */
    uint32_t tail;     /* its last element there */
};

/* What fills sheets; all zero but for its memory, it is ready. */
struct tt_pack {
    struct tt_memory *memory;       /* for what it knows of shapes; not owned */
    struct tt_sheet *sheet;         /* that is filled, not owned; or NULL */
    struct tt_pack_shape *shape_of; /* by number, owned */
    size_t shapes;
    size_t shape_cap;
    struct tt_arena holes; /* good as long as the pack */
};

void tt_pack_release(struct tt_pack *p);

/* Learns the template of the next shape, number p->shapes.  False: memory. */
bool tt_pack_shape(struct tt_pack *p, const char *template, size_t len);

/* Fills `sheet`, which is empty, from now on. */
void tt_pack_begin(struct tt_pack *p, struct tt_sheet *sheet);

/* Adds an element with its `count` slots; the sheet must not be full. */
bool tt_pack_add(struct tt_pack *p, uint64_t offset, uint32_t shape,
                 const uint64_t *slot, size_t count);

/* Ends the sheet, which may be written then. */
void tt_pack_end(struct tt_pack *p);

#endif
