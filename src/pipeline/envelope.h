/*
 * pipeline/envelope.h - the document without its events.
 *
 * It scans what stands before and behind the array of events, finds the array
 * by structure, stores the text, and lists the members.  One thread.
 */
#ifndef TT_PIPELINE_ENVELOPE_H
#define TT_PIPELINE_ENVELOPE_H

#include <trace2tree/build.h>

#include "base/buffer.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "format/format.h"
#include "index/writer.h"
#include "model/anomaly.h"
#include "pipeline/damage.h"
#include "json/repair.h"

struct tt_envelope {
    struct tt_repair scan;           /* its text goes to the writer */
    struct tt_writer *writer;        /* takes the text; not owned */
    struct tt_intern *strings;       /* of the index; not owned */
    struct tt_anomalies *anomalies;  /* not owned */
    struct tt_memory *memory;        /* for what it lists, or NULL; not owned */
    struct tt_member_record *member; /* owned */
    size_t members;
    size_t member_cap;
    struct tt_idmap keys;  /* strings of the members so far */
    struct tt_buffer key;  /* of the member under way */
    uint64_t key_stored;   /* where that began, if in_key */
    uint64_t key_offset;   /* the same in the document */
    uint64_t stored;       /* bytes of envelope that the writer has */
    uint64_t array;        /* where in it elements belong, if has_array */
    uint64_t value_stored; /* where the value under way began */
    uint64_t value_offset;
    struct tt_damage *damage; /* not owned */

    /* Salvage keeps members that are whole, and none of one that is not. */
    uint64_t whole;        /* the envelope up to here is whole members ... */
    uint64_t whole_offset; /* ... that end here in the document */
    bool lost;             /* from there on it is given up */
    struct tt_buffer held; /* before the array: the text as it is written, all
                              or from `whole_offset` or later on, owned */
    uint64_t held_offset;  /* of that in the document */
    size_t most_held;      /* when it is searched, if lost */
    bool holds_all;        /* and nothing was stored */
    uint64_t *end;         /* where members end in the document, owned */
    size_t end_cap;

    bool started; /* something but white space was seen */
    bool in_key;
    bool is_events; /* the member under way is traceEvents */
    bool has_array; /* the array was found */
    bool is_bare;   /* it is the whole document */
    bool discreet;  /* values of members become null: base/anonymous.h */
    bool hides;     /* that of the one under way does */
};

void tt_envelope_init(struct tt_envelope *e, struct tt_writer *writer,
                      struct tt_intern *strings, struct tt_anomalies *anomalies,
                      struct tt_damage *damage);

void tt_envelope_release(struct tt_envelope *e);

/*
 * Takes text that stands at `offset` of the document.
 *
 * @param used  set to how many bytes were taken: all, or up to and with the
 *              "[" of the array.
 * @return T2T_OK: all is taken; T2T_END: the array begins, behind damage with
 *         what is held; or an error of the document.
 */
enum t2t_status tt_envelope_feed(struct tt_envelope *e, const char *text,
                                 size_t len, uint64_t offset, size_t *used,
                                 struct t2t_error *err);

/*
 * At the end of the text, `offset`, before the array was found: whether it is
 * in what is held.
 *
 * @param class  why the text ended: T2T_OK at its own end.
 * @return T2T_END: it begins there; T2T_OK: it does not; or an error.
 */
enum t2t_status tt_envelope_settle(struct tt_envelope *e, uint64_t offset,
                                   enum t2t_status class,
                                   struct t2t_error *err);

/* Whether a key, as it is written, is `traceEvents`; it is decoded to `to`,
 * whose `failed` is set when memory is short. */
bool tt_envelope_is_events(const char *quoted, size_t len,
                           struct tt_buffer *to);

/* Goes on behind the "]" of the array, at `offset`; the bracket is stored. */
enum t2t_status tt_envelope_leave(struct tt_envelope *e, uint64_t offset,
                                  struct t2t_error *err);

/*
 * At the end of the document, `offset`: whether it was whole and had events.
 *
 * @param class  why the text ended: T2T_OK at its own end.
 */
enum t2t_status tt_envelope_finish(struct tt_envelope *e, uint64_t offset,
                                   enum t2t_status class,
                                   struct t2t_error *err);

#endif
