/*
 * pipeline/envelope.h - the document without its events.
 *
 * It scans what stands before and behind the array of events, finds the array
 * by structure, stores the text, and lists the members.  One thread.
 */
#ifndef TT_PIPELINE_ENVELOPE_H
#define TT_PIPELINE_ENVELOPE_H

#include "base/buffer.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "format/format.h"
#include "index/writer.h"
#include "model/anomaly.h"
#include "json/scan.h"

struct tt_envelope {
    struct tt_scan scan;
    struct tt_writer *writer;        /* takes the text; not owned */
    struct tt_intern *strings;       /* of the index; not owned */
    struct tt_anomalies *anomalies;  /* not owned */
    struct tt_member_record *member; /* owned */
    size_t members;
    size_t member_cap;
    struct tt_idmap keys;  /* strings of the members so far */
    struct tt_buffer key;  /* of the member under way, as written */
    uint64_t stored;       /* bytes of envelope so far */
    uint64_t array;        /* where in it elements belong, if has_array */
    uint64_t value_stored; /* where the value under way began */
    uint64_t value_offset;
    bool started; /* something but white space was seen */
    bool in_key;
    bool is_events; /* the member under way is traceEvents */
    bool has_array; /* the array was found */
};

void tt_envelope_init(struct tt_envelope *e, struct tt_writer *writer,
                      struct tt_intern *strings,
                      struct tt_anomalies *anomalies);

void tt_envelope_release(struct tt_envelope *e);

/*
 * Takes text that stands at `offset` of the document.
 *
 * @param used  set to how many bytes were taken: all, or up to and with the
 *              "[" of the array.
 * @return T2T_OK: all is taken; T2T_END: the array begins; or an error of the
 *         document.
 */
enum t2t_status tt_envelope_feed(struct tt_envelope *e, const char *text,
                                 size_t len, uint64_t offset, size_t *used,
                                 struct t2t_error *err);

/* Goes on behind the "]" of the array, which is stored. */
enum t2t_status tt_envelope_leave(struct tt_envelope *e, struct t2t_error *err);

/* At the end of the document, `offset`: whether it was whole and had events. */
enum t2t_status tt_envelope_finish(struct tt_envelope *e, uint64_t offset,
                                   struct t2t_error *err);

#endif
