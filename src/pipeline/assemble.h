/*
 * pipeline/assemble.h - puts decoded chunks together to the document.
 *
 * Chunks are cut at guesses.  The first one begins where the array does; a
 * chunk whose text was understood to its end, behind a comma, proves that the
 * next one begins with an element, and so on.  Where the proof fails, the
 * strict scan goes on byte by byte from the last element that is sure, over as
 * many chunks as it takes, until that element ends; then the rest of the chunk
 * is decoded again from there.  The scan is also the judge of damage: what it
 * calls bad first is the first bad byte of the document, whoever saw it.
 *
 * One thread, the builder's.
 */
#ifndef TT_PIPELINE_ASSEMBLE_H
#define TT_PIPELINE_ASSEMBLE_H

#include "base/buffer.h"
#include "decode/decoder.h"
#include "index/writer.h"
#include "merge/inbox.h"
#include "pipeline/chunk.h"
#include "pipeline/envelope.h"
#include "json/scan.h"

enum tt_assemble_state {
    TT_IN_STEP,  /* the next chunk begins with an element, as the worker took it
                    to */
    TT_SCANNING, /* the scan looks for the end of an element */
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
    struct tt_scan scan;    /* while scanning: of the array */
    struct tt_buffer carry; /* the element under way, from its first byte */
    uint64_t carry_offset;  /* of it in the document */
    bool in_element;
    bool found; /* the element looked for has begun */
};

/* Starts with the text before the array.  Release it whatever is answered. */
enum t2t_status tt_assembly_init(struct tt_assembly *a, struct tt_trace *trace,
                                 struct tt_inbox *inbox, size_t decoder_number,
                                 struct tt_writer *writer,
                                 struct t2t_error *err);

void tt_assembly_release(struct tt_assembly *a);

/* Takes the next chunk of the array, or of what follows it. */
enum t2t_status tt_assembly_take(struct tt_assembly *a, struct tt_chunk *c,
                                 struct t2t_error *err);

/* At the end of the text, byte `offset`. */
enum t2t_status tt_assembly_finish(struct tt_assembly *a, uint64_t offset,
                                   struct t2t_error *err);

#endif
