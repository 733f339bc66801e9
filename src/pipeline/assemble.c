/* assemble.c - proof of the guesses, repair, the end of the array. */
#include "pipeline/assemble.h"

#include <string.h>

#include "pipeline/salvage.h"
#include "json/token.h"

enum t2t_status tt_assembly_init(struct tt_assembly *a, struct tt_trace *trace,
                                 struct tt_inbox *inbox, size_t decoder_number,
                                 struct tt_writer *writer,
                                 const struct t2t_build_options *options,
                                 struct t2t_error *err)
{
    *a = (struct tt_assembly){.trace = trace,
                              .inbox = inbox,
                              .writer = writer,
                              .decoder_number = decoder_number,
                              .stride = SIZE_MAX / 2};
    a->damage = (struct tt_damage){.anomalies = &trace->anomalies,
                                   .memory = trace->memory};
    if (options) {
        a->damage.tolerance = options->tolerance;
        a->damage.tell = options->tell;
        a->damage.context = options->tell_context;
    }
    tt_envelope_init(&a->envelope, writer, &trace->strings, &trace->anomalies,
                     &a->damage);
    a->envelope.discreet = options && options->anonymous;
    tt_repair_init_array(&a->scan, a->damage.tolerance == T2T_STRICT, false);
    a->decoder = tt_decoder_create(options && options->no_layouts);
    if (!a->decoder)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}

void tt_assembly_release(struct tt_assembly *a)
{
    tt_envelope_release(&a->envelope);
    tt_repair_release(&a->scan);
    tt_decoder_free(a->decoder);
    tt_seek_release(&a->seek);
    tt_buffer_release(&a->raw);
    tt_buffer_release(&a->key);
    tt_buffer_release(&a->back);
    tt_unclosed_release(&a->unclosed);
    tt_damage_release(&a->damage);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Text behind the "]" of the array. */
static enum t2t_status take_behind(struct tt_assembly *a, struct tt_span *s,
                                   struct t2t_error *err)
{
    size_t used;
    enum t2t_status st =
        tt_envelope_feed(&a->envelope, s->text, s->len, s->offset, &used, err);

    tt_span_step(s, s->len);
    return st;
}

/* The "]" of the array was taken, the byte before `offset`. */
enum t2t_status tt_assembly_leave(struct tt_assembly *a, uint64_t offset,
                                  struct t2t_error *err)
{
    a->state = TT_BEHIND;
    return tt_envelope_leave(&a->envelope, offset, err);
}

/* Remembers how the events of a batch begin. */
static void learn_openings(struct tt_assembly *a, const struct tt_batch *b,
                           const char *text)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct tt_element *e = &b->element[i];
        size_t at = (size_t)(e->offset - b->offset);

        if (e->phase)
            tt_openings_learn(&a->openings, text + at, b->consumed - at);
    }
}

/* Takes the elements of a batch whose beginning is proved. */
enum t2t_status tt_assembly_take_batch(struct tt_assembly *a,
                                       struct tt_batch *b, const char *text,
                                       size_t worker, struct t2t_error *err)
{
    const struct tt_trace *t = a->trace;
    enum t2t_status st = tt_inbox_take(a->inbox, b, worker, err);

    if (text && a->damage.tolerance == T2T_SALVAGE)
        learn_openings(a, b, text);

    if (st)
        return st;
    return tt_writer_elements(a->writer, b, &t->strings, t->shapes.string,
                              t->shapes.count, err);
}

/* Decodes text again, as if a worker had. */
enum t2t_status tt_assembly_decode(struct tt_assembly *a, const char *text,
                                   size_t len, uint64_t offset,
                                   struct tt_batch **out, struct t2t_error *err)
{
    struct tt_batch *b = tt_batch_create();
    enum t2t_status st;

    if (!b || tt_decoder_run(a->decoder, text, len, offset, b)) {
        tt_batch_free(b);
        return no_memory(err);
    }
    st = tt_inbox_learn(a->inbox, b, a->decoder_number, err);
    if (st)
        tt_batch_free(b);
    else
        *out = b;
    return st;
}

/* From here on the scan looks for the end of an element. */
void tt_assembly_scan(struct tt_assembly *a)
{
    tt_repair_release(&a->scan);
    tt_repair_init_array(&a->scan, a->damage.tolerance == T2T_STRICT,
                         a->trace->element_count > 0 || a->damage.losing);
    a->in_element = false;
    a->held = 0;
    a->found = false;
    a->state = TT_SCANNING;
}

/* Counts the repairs made since, in the element under way or in none. */
static void count_repairs(struct tt_assembly *a, uint64_t position)
{
    /* where one value is damaged the next ones may be, too */
    if (a->scan.notes)
        a->stride = TT_LEAST_STRIDE;
    tt_damage_repaired(&a->damage, &a->scan, position);
}

/* Takes an element that was decoded by itself; behind damage only one that can
 * be an element of the array. */
static enum t2t_status take_element(struct tt_assembly *a, struct tt_batch *b,
                                    struct tt_span *s, char next,
                                    struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (b->end != TT_BATCH_CLOSED || b->count != 1)
        return tt_error(err, T2T_ERR_JSON_SYNTAX, a->element_offset,
                        "this element is not understood");
    if (a->damage.losing && !tt_salvage_believes(a, b->element, next))
        return tt_salvage_deny(a, s, err);
    if (a->damage.losing)
        st = tt_salvage_end(a, a->element_offset, err);
    if (b->element[0].phase)
        tt_openings_learn(&a->openings, a->raw.ptr, a->raw.len);
    count_repairs(a, a->trace->element_count);
    return st ? st : tt_assembly_take_batch(a, b, NULL, a->decoder_number, err);
}

/* The element that the scan read is whole; `s` is behind it.  `next` is the
 * byte of interest that follows it, 0 when that is not known.  T2T_END: it was
 * tried in vain. */
static enum t2t_status end_element(struct tt_assembly *a, struct tt_span *s,
                                   char next, struct t2t_error *err)
{
    struct tt_buffer *text = &a->scan.text;
    struct tt_batch *b = NULL;
    size_t later = 0;
    enum t2t_status st;

    a->in_element = false;
    if (a->held) {
        text->len = a->held;
        later = a->scan.notes - a->held_notes; /* of what follows it */
        a->scan.notes = a->held_notes;
    }
    a->held = 0;
    tt_decoder_tidy(a->decoder);
    tt_buffer_add_byte(text, ']'); /* so that the decoder is sure, too */
    if (text->failed)
        return no_memory(err);
    st =
        tt_assembly_decode(a, text->ptr, text->len, a->element_offset, &b, err);
    if (!st)
        st = take_element(a, b, s, next, err);
    tt_batch_free(b);
    if (!st && later) {
        memmove(a->scan.note, a->scan.note + a->held_notes,
                later * sizeof(*a->scan.note));
        a->scan.notes = later;
    }
    tt_repair_take(&a->scan, text->len);
    return st;
}

/* Whether the element under way is too long; salvage gives it up, else it is
 * an error. */
static enum t2t_status check_length(struct tt_assembly *a,
                                    enum tt_scan_mark *mark,
                                    struct t2t_error *err)
{
    if (!a->in_element || a->scan.text.len < TT_TOKENS_MAX_BYTES)
        return T2T_OK;
    if (a->damage.tolerance != T2T_SALVAGE)
        return tt_error(err, T2T_ERR_LIMIT, a->element_offset,
                        TT_ELEMENT_TOO_LONG TT_GIVES_IT_UP);
    a->scan.scan.status = T2T_ERR_LIMIT;
    a->scan.scan.reason = TT_ELEMENT_TOO_LONG;
    *mark = TT_SCAN_BAD;
    return T2T_OK;
}

/* The "]" of the array was taken, the byte before `offset`.  Salvage believes
 * it when it has seen what follows, and counts a comma before it then. */
static enum t2t_status close_array(struct tt_assembly *a, uint64_t offset,
                                   struct t2t_error *err)
{
    if (a->damage.tolerance != T2T_SALVAGE) {
        count_repairs(a, TT_NO_POSITION);
        return tt_assembly_leave(a, offset, err);
    }
    tt_salvage_try(a);
    return T2T_OK;
}

/*
 * Goes on from a batch that was taken to where it stopped: to the next text,
 * behind the array, or on with the scan.  `s` is the text of the batch.
 */
static enum t2t_status go_on(struct tt_assembly *a, const struct tt_batch *b,
                             struct tt_span *s, struct t2t_error *err)
{
    bool dangling = b->after_comma && a->trace->element_count;

    tt_span_step(s, b->consumed);
    if (b->end == TT_BATCH_CLEAN) {
        a->state = TT_IN_STEP;
        return T2T_OK;
    }
    if (b->end == TT_BATCH_CLOSED && !dangling) {
        tt_span_step(s, 1);
        return close_array(a, s->offset, err);
    }
    tt_assembly_scan(a);
    return T2T_OK;
}

/*
 * Decodes text again that begins with an element.  Behind a repair it goes by
 * strides, that grow: each damage costs the tokens of the text that is decoded
 * in vain.
 */
static enum t2t_status redo(struct tt_assembly *a, struct tt_span *s,
                            struct t2t_error *err)
{
    struct tt_span part = *s;
    struct tt_batch *b = NULL;
    enum t2t_status st;

    if (part.len > a->stride) {
        part.len = a->stride;
        a->stride *= 2;
    }
    tt_decoder_tidy(a->decoder);
    st = tt_assembly_decode(a, part.text, part.len, part.offset, &b, err);
    if (!st)
        st = tt_assembly_take_batch(a, b, part.text, a->decoder_number, err);
    if (!st)
        st = go_on(a, b, &part, err);
    tt_span_step(s, (size_t)(part.offset - s->offset));
    tt_batch_free(b);
    return st;
}

/*
 * The first byte of an element.  T2T_END: the one that was looked for has
 * ended, and from here on the text is decoded again.
 */
static enum t2t_status begin_element(struct tt_assembly *a,
                                     const struct tt_span *s)
{
    struct tt_repair *r = &a->scan;

    /* What was no value is skipped already, and so is read by the scan. */
    if (a->found && !r->inject) {
        a->state = TT_IN_STEP;
        return T2T_END;
    }
    a->found = true;
    a->in_element = true;
    a->element_offset = r->inject ? r->inject_offset : s->offset;
    a->doomed = tt_unclosed_has(&a->unclosed, a->element_offset);
    tt_repair_take(r, r->text.len);
    tt_buffer_clear(&a->raw);
    return T2T_OK;
}

/* Keeps the element as it is written, in case that it is damaged. */
static void keep_raw(struct tt_assembly *a, const char *ptr, size_t len)
{
    if (a->damage.tolerance == T2T_SALVAGE && a->in_element)
        tt_buffer_add(&a->raw, ptr, len);
}

/* Salvage believes a string or a number only when a comma follows, or the end:
 * it may be the key of an event whose beginning is lost.  Behind damage it
 * wants to see what follows any element. */
static bool hold_element(struct tt_assembly *a)
{
    const struct tt_buffer *text = &a->scan.text;

    if (a->damage.losing || (a->damage.tolerance == T2T_SALVAGE && text->len &&
                             *text->ptr != '{' && *text->ptr != '[')) {
        a->held = text->len;
        a->held_notes = a->scan.notes;
    }
    return a->held;
}

/* Feeds the scan what follows.  Of an element that is known to fail it gets no
 * more than shows what it begins with, and the bad byte there. */
static enum tt_scan_mark feed(struct tt_assembly *a, struct tt_span *s)
{
    bool doomed = a->in_element && a->doomed;
    size_t len = s->len;
    enum tt_scan_mark mark;
    size_t used;

    if (doomed && len > TT_DOOMED_BYTES - a->raw.len)
        len = TT_DOOMED_BYTES - a->raw.len;
    if (a->in_element && len > TT_TOKENS_MAX_BYTES - a->scan.text.len)
        len = TT_TOKENS_MAX_BYTES - a->scan.text.len;
    mark = tt_repair_feed(&a->scan, (const unsigned char *)s->text, len,
                          s->offset, &used);
    keep_raw(a, s->text, used);
    tt_span_step(s, used);
    if (mark == TT_SCAN_MORE && doomed && a->raw.len == TT_DOOMED_BYTES) {
        a->scan.scan.status = a->unclosed.status;
        a->scan.scan.reason = a->unclosed.reason;
        mark = TT_SCAN_BAD;
    }
    return mark;
}

/* Whether what follows the element that is held has been seen, or, of an object
 * behind damage, is bad. */
static bool is_settled(const struct tt_assembly *a, enum tt_scan_mark mark)
{
    return mark == TT_SCAN_VALUE_BEGIN || mark == TT_SCAN_CLOSE ||
           (mark == TT_SCAN_BAD && a->damage.losing &&
            *a->scan.text.ptr == '{');
}

/* The byte that stopped the scan behind an element; 0 at the end of text. */
static char next_byte(enum tt_scan_mark mark, const struct tt_span *s)
{
    if (mark == TT_SCAN_CLOSE)
        return ']';
    return s->len ? *s->text : 0;
}

/* Scans on over the text until the element that is looked for has ended and
 * the next one begins. */
static enum t2t_status scan(struct tt_assembly *a, struct tt_span *s,
                            struct t2t_error *err)
{
    struct tt_repair *r = &a->scan;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    enum t2t_status st = T2T_OK;

    while (!st && mark != TT_SCAN_MORE) {
        mark = feed(a, s);
        st = check_length(a, &mark, err);
        if (st)
            break;
        if (a->held && is_settled(a, mark))
            st = end_element(a, s, next_byte(mark, s), err);
        if (st)
            break;
        if (mark == TT_SCAN_BAD) {
            st = tt_salvage_give_up(a, s, err);
        } else if (mark == TT_SCAN_CLOSE) {
            return close_array(a, s->offset, err);
        } else if (mark == TT_SCAN_VALUE_BEGIN) {
            st = begin_element(a, s);
        } else if (mark == TT_SCAN_VALUE_END) {
            st = hold_element(a) ? T2T_OK : end_element(a, s, 0, err);
        } else if (!a->in_element) {
            tt_repair_take(r, r->text.len);
        }
    }
    return st == T2T_END ? T2T_OK : st;
}

/* Takes the text, whatever it is about. */
static enum t2t_status take_text(struct tt_assembly *a, struct tt_span *chunk,
                                 struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    while (!st && (a->again.len || chunk->len)) {
        struct tt_span *s = a->again.len ? &a->again : chunk;

        if (a->state == TT_BEHIND)
            st = take_behind(a, s, err);
        else if (a->state == TT_SEEKING)
            st = tt_salvage_seek(a, s, err);
        else if (a->state == TT_TRYING)
            st = tt_salvage_go_on(a, s, err);
        else if (a->state == TT_SCANNING)
            st = scan(a, s, err);
        else
            st = redo(a, s, err);
    }
    return st;
}

enum t2t_status tt_assembly_take(struct tt_assembly *a, struct tt_chunk *c,
                                 struct t2t_error *err)
{
    struct tt_span s = {c->text, c->len, c->offset};
    enum t2t_status st;

    if (c->status)
        return no_memory(err);
    st = tt_inbox_learn(a->inbox, c->batch, c->worker, err);
    if (!st && a->state == TT_IN_STEP) {
        st = tt_assembly_take_batch(a, c->batch, c->text, c->worker, err);
        if (!st)
            st = go_on(a, c->batch, &s, err);
    }
    return st ? st : take_text(a, &s, err);
}

/* Whether the text ended inside a bare array, but in no element: viewers take
 * that for its end. */
static bool is_open_between(const struct tt_assembly *a)
{
    if (a->damage.tolerance == T2T_STRICT || !a->envelope.is_bare)
        return false;
    return a->state == TT_IN_STEP ||
           (a->state == TT_SCANNING && !a->damage.losing && !a->in_element &&
            !a->scan.skipping);
}

/*
 * The text ended behind an element that is held, or inside of one: that may
 * have taken in what is behind it, so places in it are tried, as behind a bad
 * byte.
 */
static enum t2t_status try_open(struct tt_assembly *a, uint64_t offset,
                                enum t2t_status class, struct t2t_error *err)
{
    uint64_t began = UINT64_MAX;
    enum t2t_status st = T2T_OK;

    while (!st && a->state == TT_SCANNING && a->in_element &&
           (a->held || a->element_offset != began)) {
        struct tt_span end = {"", 0, offset};

        if (a->held) {
            st = end_element(a, &end, 0, err);
        } else {
            began = a->element_offset;
            a->scan.scan.status = class ? class : T2T_ERR_TRUNCATED;
            st = tt_salvage_give_up(a, &end, err);
        }
        if (st == T2T_END)
            st = take_text(a, &end, err);
    }
    return st;
}

/* The text ended inside the array. */
static enum t2t_status end_early(struct tt_assembly *a, uint64_t offset,
                                 enum t2t_status class, struct t2t_error *err)
{
    struct tt_loss_record *loss;
    enum t2t_status st = T2T_OK;

    if (!class && is_open_between(a)) {
        if (!tt_repair_add(&a->scan, TT_REPAIR_END, offset))
            return no_memory(err);
        count_repairs(a, TT_NO_POSITION);
        return tt_assembly_leave(a, offset, err);
    }
    if (a->damage.tolerance != T2T_SALVAGE)
        return tt_error(err, T2T_ERR_TRUNCATED, offset,
                        "traceEvents is cut short after %u whole element%s",
                        a->trace->element_count,
                        a->trace->element_count == 1 ? "" : "s");
    if (!a->damage.losing)
        st = tt_damage_lose(&a->damage,
                            a->state == TT_SCANNING && a->in_element
                                ? a->element_offset
                                : offset,
                            offset, class ? class : T2T_ERR_TRUNCATED, err);
    if (st)
        return st;
    loss = tt_damage_loss(&a->damage);
    loss->elements = 0; /* what is cut off at the end has no place */
    tt_damage_end(&a->damage, offset, TT_NO_POSITION);
    return tt_assembly_leave(a, offset, err);
}

enum t2t_status tt_assembly_finish(struct tt_assembly *a, uint64_t offset,
                                   enum t2t_status class, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (a->damage.tolerance == T2T_SALVAGE)
        st = try_open(a, offset, class, err);
    if (st)
        return st;
    if (a->state == TT_TRYING &&
        (!a->damage.losing || (!class && tt_scan_finish(&a->scan.scan))))
        st = tt_salvage_accept(a, offset, err);
    else if (a->envelope.has_array && a->state != TT_BEHIND)
        st = end_early(a, offset, class, err);
    return st ? st : tt_envelope_finish(&a->envelope, offset, class, err);
}
