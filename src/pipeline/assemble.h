/*
 * pipeline/assemble.h - puts decoded chunks together to the document.
 *
 * Chunks are cut at guesses.  The first one begins where the array does; a
 * chunk whose text was understood to its end, behind a comma, proves that the
 * next one begins with an element, and so on.  Where the proof fails, the
 * strict scan goes on byte by byte from the last element that is sure, over as
 * many chunks as it takes, until that element ends; then the rest of the chunk
 * is decoded again from there.  The scan is also the judge of damage: what it
 * calls bad first is the first bad byte of the document, whoever saw it.  What
 * is damaged inside one value it repairs (json/repair.h) unless that is not
 * wanted; the element is then decoded from the repaired text.  What a full
 * batch has left of its chunk is decoded here, too.
 *
 * Damage of the structure ends the build, or is for pipeline/salvage.h.
 *
 * One thread, the builder's.
 */
#ifndef TT_PIPELINE_ASSEMBLE_H
#define TT_PIPELINE_ASSEMBLE_H

#include <trace2tree/build.h>

#include "base/buffer.h"
#include "decode/decoder.h"
#include "index/writer.h"
#include "merge/inbox.h"
#include "pipeline/chunk.h"
#include "pipeline/damage.h"
#include "pipeline/envelope.h"
#include "pipeline/openings.h"
#include "pipeline/seek.h"
#include "pipeline/unclosed.h"
#include "json/repair.h"

/* Text that is still to be taken. */
struct tt_span {
    const char *text;
    size_t len;
    uint64_t offset; /* in the document */
};

enum tt_assemble_state {
    TT_IN_STEP,  /* the next chunk begins with an element, as the worker took it
                    to */
    TT_SCANNING, /* the scan looks for the end of an element */
    TT_SEEKING,  /* behind damage: where may an element begin? */
    TT_TRYING,   /* the array may have ended before the text in `raw` */
    TT_BEHIND,   /* the array has ended */
};

struct tt_assembly {
    struct tt_trace *trace; /* not owned, nor the next two */
    struct tt_inbox *inbox;
    struct tt_writer *writer;
    struct tt_envelope envelope;
    struct tt_decoder *decoder; /* for what is decoded again, owned */
    size_t decoder_number;      /* of the inbox */
    enum tt_assemble_state state;
    struct tt_repair scan;   /* while scanning: of the array; its text is the
                                element under way, from its first byte */
    uint64_t element_offset; /* of that in the document */
    size_t stride;           /* how much text is decoded again at a time */
    bool in_element;
    bool found;  /* the element looked for has begun */
    size_t held; /* bytes of it, when it is whole and waits to be believed */
    size_t held_notes; /* repairs in it that are not counted yet */

    /* Salvage. */
    struct tt_damage damage; /* of the document */
    uint64_t tried;          /* bytes read once more so far */
    uint64_t reach;          /* the furthest bad byte so far */
    struct tt_buffer key; /* the first one of the element lost first, owned */
    struct tt_seek seek;
    struct tt_buffer raw;  /* the element under way, or what may be behind the
                              array, as it was written; owned */
    struct tt_buffer back; /* text that is read once more, owned */
    struct tt_span again;  /* what is left of it; goes before other text */
    uint64_t comma;        /* where the "]" that is tried has one before it too
                              many, or TT_NO_OFFSET */
    struct tt_openings openings; /* of the events so far */
    struct tt_unclosed unclosed;
    bool doomed; /* the element under way is on that list */
};

/* Starts with the text before the array.  Release it whatever is answered.
 * Of the options, NULL for none, those about damage count. */
enum t2t_status tt_assembly_init(struct tt_assembly *a, struct tt_trace *trace,
                                 struct tt_inbox *inbox, size_t decoder_number,
                                 struct tt_writer *writer,
                                 const struct t2t_build_options *options,
                                 struct t2t_error *err);

void tt_assembly_release(struct tt_assembly *a);

/* Takes the next chunk of the array, or of what follows it. */
enum t2t_status tt_assembly_take(struct tt_assembly *a, struct tt_chunk *c,
                                 struct t2t_error *err);

/*
 * At the end of the text, byte `offset`; T2T_ERR_TRUNCATED when that is no end,
 * unless what is there is to be salvaged.
 *
 * @param class  why the text ended: T2T_OK at its own end.
 */
enum t2t_status tt_assembly_finish(struct tt_assembly *a, uint64_t offset,
                                   enum t2t_status class,
                                   struct t2t_error *err);

/* ---- for pipeline/salvage.c ---------------------------------------------- */

/* So much is read of an element that is known to fail. */
#define TT_DOOMED_BYTES 256u

/* Why an element of TT_TOKENS_MAX_BYTES or more is given up. */
#define TT_ELEMENT_TOO_LONG "an element of more than 1 GiB"

/* So much text is decoded again at first behind damage. */
#define TT_LEAST_STRIDE 2048u

/* Steps over `len` bytes. */
static inline void tt_span_step(struct tt_span *s, size_t len)
{
    s->text += len;
    s->len -= len;
    s->offset += len;
}

/* From here on the scan looks for the end of an element. */
void tt_assembly_scan(struct tt_assembly *a);

/* The "]" of the array was taken, the byte before `offset`. */
enum t2t_status tt_assembly_leave(struct tt_assembly *a, uint64_t offset,
                                  struct t2t_error *err);

/* Decodes text again, as if a worker had; `*out` is the caller's. */
enum t2t_status tt_assembly_decode(struct tt_assembly *a, const char *text,
                                   size_t len, uint64_t offset,
                                   struct tt_batch **out,
                                   struct t2t_error *err);

/* Takes the elements of a batch whose beginning is proved; `text` is the part
 * of the document that they were read from, or NULL. */
enum t2t_status tt_assembly_take_batch(struct tt_assembly *a,
                                       struct tt_batch *b, const char *text,
                                       size_t worker, struct t2t_error *err);

#endif
