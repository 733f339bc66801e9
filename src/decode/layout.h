/*
 * decode/layout.h - the layouts of elements that were seen; inside of decode/
 * only.
 *
 * A writer prints the same text around the values of all events of a kind.  A
 * layout is that text, cut at the values, with the kind of each value and what
 * it is for.  The first element of a layout goes through the tokens and
 * teaches it (decode/learn.h), the next ones are compared with it
 * (decode/match.h); what differs in any way goes through the tokens.
 *
 * Layouts are kept as a tree of steps, so that those that begin alike are
 * compared once.  A step is text, then a value; what comes next depends on the
 * kind of number that the value is.
 */
#ifndef TT_DECODE_LAYOUT_H
#define TT_DECODE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct tt_model;
struct tt_layout; /* decode/draft.h */

/* What follows the text of a step. */
enum tt_step_kind {
    TT_STEP_END,       /* nothing: the element is whole */
    TT_STEP_NAME,      /* the inside of a string: the name's */
    TT_STEP_TEXT,      /* the inside of a string, a slot */
    TT_STEP_CONTAINER, /* an array or object, a slot */
    TT_STEP_TIME,      /* a number: ts or dur */
    TT_STEP_LANE,      /* a number: pid or tid */
    TT_STEP_NUMBER,    /* a number, a slot or two */
};

/* What a value is for.  The first ones are the numbers of the profiler that
 * tt_draft keeps by these numbers. */
enum tt_use {
    TT_USE_CORRELATION,
    TT_USE_EXTERNAL_ID,
    TT_USE_PYTHON_ID,
    TT_USE_PYTHON_PARENT_ID,
    TT_USE_SEQUENCE_NUMBER,
    TT_USE_FORWARD_THREAD,
    TT_USE_RECORDED, /* how many those are */
    TT_USE_PID = TT_USE_RECORDED,
    TT_USE_TID,
    TT_USE_START,
    TT_USE_DURATION,
    TT_USE_ID,
    TT_USE_NAME,
    TT_USE_NONE, /* for the slots alone */
    TT_USE_COUNT
};

/* Kinds of numbers: which way a layout goes on. */
enum { TT_WAY_INTEGER, TT_WAY_DECIMAL, TT_WAY_OTHER, TT_WAYS };

#define TT_NO_STEP 0u

/* Bytes that can be read behind the text of a step. */
#define TT_STEP_PADDING 64u

struct tt_step {
    const char *text; /* in the arena, zeros behind it */
    uint32_t len;
    uint8_t kind;           /* enum tt_step_kind */
    uint8_t use;            /* enum tt_use */
    uint32_t other;         /* the step to try if it is not this one */
    uint32_t next[TT_WAYS]; /* the step behind the value, by its kind; of an
                               end, next[0] is the layout */
};

struct tt_layouts {
    struct tt_step *step; /* by number, [0] is none; owned */
    size_t steps;
    size_t step_cap;
    struct tt_layout *layout; /* by number, owned */
    size_t count;
    size_t cap;
    uint32_t first;  /* the step to try first */
    uint32_t likely; /* the one that came last time behind the same layout */
    uint32_t last;   /* layout of the element before, plus one; 0: none */
    struct tt_arena arena;
    size_t text_bytes;      /* of all steps */
    struct tt_model *model; /* of the element under way, when it was read and
                               before it was settled, the decoder's; NULL:
                               nothing is learned */
    bool fit;               /* and a layout can say it */
};

/* A piece of an element: the text up to a value, and the value. */
struct tt_piece {
    const char *text;
    size_t len;
    enum tt_step_kind kind;
    enum tt_use use;
    unsigned way; /* that the value takes */
};

/* An all-zero table is empty and ready, and so is one with a model, which it
 * keeps. */
void tt_layouts_release(struct tt_layouts *l);

/*
 * Adds a layout, the last of whose pieces is an end.
 *
 * @return its number, which is new; or TT_NO_LAYOUT when it is there already,
 *         there is no more room for layouts, or memory is short.
 */
uint32_t tt_layouts_add(struct tt_layouts *l, const struct tt_piece *piece,
                        size_t count);

#define TT_NO_LAYOUT UINT32_MAX

#endif
