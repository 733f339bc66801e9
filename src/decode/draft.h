/*
 * decode/draft.h - an element while it is decoded; inside of decode/ only.
 *
 * As the members of an element come by, in any order, the draft keeps what the
 * tree will need and writes the template and the slots of doc/format.md,
 * Elements.  What depends on several members is settled at the end.
 */
#ifndef TT_DECODE_DRAFT_H
#define TT_DECODE_DRAFT_H

#include "base/intern.h"
#include "decode/decoder.h"
#include "decode/layout.h"
#include "decode/repeats.h"
#include "decode/walk.h"
#include "json/scalar.h"
#include "json/token.h"

/* Kinds of values that are guessed; each kind has its own numbers. */
enum tt_guessed {
    TT_GUESS_NAME,
    TT_GUESS_TEXT,
    TT_GUESS_CONTAINER,
    TT_GUESSES
};

/* What came behind a value the last time: number plus one, 0 for nothing yet.
 */
struct tt_guess {
    uint32_t value[TT_GUESSES];
};

struct tt_decoder {
    struct tt_tokens tokens;
    struct tt_intern strings;
    size_t told; /* strings already listed in a batch */
    struct tt_repeats repeats;
    /* Arrays and objects as written -> compact: the same few come again. */
    struct tt_intern raw;
    uint32_t *compact; /* string by number of raw, owned */
    size_t compact_cap;
    struct tt_lanes lanes;
    size_t lanes_told;
    struct tt_buffer template; /* of the element under way */
    struct tt_buffer scratch;
    struct tt_walk walk;
    bool in_step; /* the walk's next token is where the walk is */
    struct tt_layouts layouts;
    struct tt_guess *guess; /* by string that came before, owned */
    size_t guess_cap;
    uint32_t before; /* the string that came last */
    /* decode/match.h: elements of known layouts; NULL: nothing is learned */
    bool (*match)(struct tt_decoder *d, struct tt_batch *b,
                  uint64_t chunk_offset);
    bool no_memory;            /* ran out: the batch is worthless */
    bool forgot;               /* since the last batch */
    struct tt_arena forgotten; /* bytes of strings that it forgot */
};

/* A recorded number of the profiler. */
struct tt_recorded {
    uint64_t value;
    bool set; /* a whole number of 64 bits, signed or unsigned */
    bool negative;
};

/* Members that may be there once; also a bit of tt_draft.seen. */
enum tt_member {
    TT_MEMBER_PH,
    TT_MEMBER_CAT,
    TT_MEMBER_NAME,
    TT_MEMBER_PID,
    TT_MEMBER_TID,
    TT_MEMBER_TS,
    TT_MEMBER_DUR,
    TT_MEMBER_ID,
    TT_MEMBER_ARGS,
    TT_MEMBER_OTHER,
};

struct tt_draft {
    struct tt_decoder *d;
    struct tt_batch *b;
    /* The next one of the batch, written where it will be: to copy what was
     * just written makes processors wait. */
    struct tt_element *e;
    unsigned seen;     /* members, a bit each */
    uint32_t ts_odd;   /* what is odd about ts, as in tt_element.odd */
    uint32_t dur_odd;  /* the same of dur */
    uint32_t args_odd; /* the same of args */
    bool whole;        /* holes cannot say it: keep the whole text */
    bool has_phase;    /* ph is a string */
    bool dur_known;    /* dur is a number, plain or quoted */
    bool dur_hole;     /* dur is to come from its column */
    __int128 dur_ns;
    struct tt_lane lane;
    struct tt_id id;
    uint32_t label; /* string of args.name, or TT_NO_STRING */
    struct tt_recorded recorded[TT_USE_RECORDED];
};

/* A draft that is kept, with its element. */
struct tt_model {
    struct tt_draft draft;
    struct tt_element element;
};

/* What all elements of a layout have in common. */
struct tt_layout {
    struct tt_model model; /* the first one, before it was settled */
    uint32_t shape;        /* string: the template */
    uint32_t uses;         /* of the values, a bit each */
    uint32_t likely;       /* the first step of the element behind it */
};

/* The number of these bytes among the decoder's strings. */
uint32_t tt_draft_string(struct tt_draft *f, const char *ptr, size_t len);

/* What a string value with escapes says; the text is the scratch buffer's. */
struct tt_value tt_draft_unescaped(struct tt_draft *f,
                                   const struct tt_value *v);

/* What a string value says. */
static inline struct tt_value tt_draft_decoded(struct tt_draft *f,
                                               const struct tt_value *v)
{
    return v->kind == TT_TEXT_PLAIN ? *v : tt_draft_unescaped(f, v);
}

/* Writes a value as it comes: a hole and its slots, or a literal.  False: it is
 * a number that is none. */
bool tt_draft_store(struct tt_draft *f, const struct tt_value *v);

/* Writes a key and its colon, with the comma before it. */
void tt_draft_key(struct tt_draft *f, const struct tt_value *key);

/* Writes a hole that needs no slot. */
static inline void tt_draft_hole(struct tt_draft *f, char hole)
{
    tt_buffer_add_byte(&f->d->template, hole);
}

/* The name of the event, a string. */
void tt_draft_name(struct tt_draft *f, uint32_t name);

/* What a top-level member is, by its decoded key. */
enum tt_member tt_draft_member(const char *ptr, size_t len);

/* Which number of the profiler an argument is, by its decoded key, or
 * TT_USE_NONE. */
enum tt_use tt_draft_use(const char *ptr, size_t len);

/* The object behind "args"; its bracket is the next byte.  False: not JSON. */
bool tt_draft_args(struct tt_draft *f);

/* The whole number that a value stands for. */
struct tt_recorded tt_draft_whole(struct tt_draft *f, const struct tt_value *v);

/* A time; false if the value is no number, plain or quoted. */
bool tt_draft_time(struct tt_draft *f, const struct tt_value *v,
                   struct tt_time *out);

/* A pid, tid or flow id. */
struct tt_id tt_draft_id(struct tt_draft *f, const struct tt_value *v);

/* The element at the current place of the walk, into the batch.  False: not
 * JSON, or memory ran out. */
bool tt_draft_element(struct tt_decoder *d, struct tt_batch *b,
                      uint64_t chunk_offset);

/* The end of an element of a known layout, whose values are in the draft: the
 * batch has it.  False: a template cannot say it, or memory ran out. */
bool tt_draft_end(struct tt_draft *f, uint32_t shape);

#endif
