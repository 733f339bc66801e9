/* assemble.c - proof of the guesses, repair, the end of the array. */
#include "pipeline/assemble.h"

#include "json/token.h"

enum t2t_status tt_assembly_init(struct tt_assembly *a, struct tt_trace *trace,
                                 struct tt_inbox *inbox, size_t decoder_number,
                                 struct tt_writer *writer,
                                 struct t2t_error *err)
{
    *a = (struct tt_assembly){.trace = trace,
                              .inbox = inbox,
                              .writer = writer,
                              .decoder_number = decoder_number};
    tt_envelope_init(&a->envelope, writer, &trace->strings, &trace->anomalies);
    tt_scan_init_array(&a->scan, false);
    a->decoder = tt_decoder_create();
    if (!a->decoder)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}

void tt_assembly_release(struct tt_assembly *a)
{
    tt_envelope_release(&a->envelope);
    tt_scan_release(&a->scan);
    tt_buffer_release(&a->carry);
    tt_decoder_free(a->decoder);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Text behind the "]" of the array. */
static enum t2t_status take_behind(struct tt_assembly *a, const char *text,
                                   size_t len, uint64_t offset,
                                   struct t2t_error *err)
{
    size_t used;

    return tt_envelope_feed(&a->envelope, text, len, offset, &used, err);
}

/* The array ended with the byte before `text`. */
static enum t2t_status leave_array(struct tt_assembly *a, const char *text,
                                   size_t len, uint64_t offset,
                                   struct t2t_error *err)
{
    enum t2t_status st = tt_envelope_leave(&a->envelope, err);

    a->state = TT_BEHIND;
    return st ? st : take_behind(a, text, len, offset, err);
}

/* Takes the elements of a batch whose beginning is proved. */
static enum t2t_status take_batch(struct tt_assembly *a, struct tt_batch *b,
                                  size_t worker, struct t2t_error *err)
{
    const struct tt_trace *t = a->trace;
    enum t2t_status st = tt_inbox_take(a->inbox, b, worker, err);

    if (st)
        return st;
    return tt_writer_elements(a->writer, b, &t->strings, t->shapes.string,
                              t->shapes.count, err);
}

/* Decodes text again, as if a worker had. */
static enum t2t_status decode_again(struct tt_assembly *a, const char *text,
                                    size_t len, uint64_t offset,
                                    struct tt_batch **out,
                                    struct t2t_error *err)
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
static void begin_scan(struct tt_assembly *a)
{
    tt_scan_release(&a->scan);
    tt_scan_init_array(&a->scan, a->trace->element_count > 0);
    tt_buffer_clear(&a->carry);
    a->in_element = false;
    a->found = false;
    a->state = TT_SCANNING;
}

/* The element in the carry is whole. */
static enum t2t_status end_element(struct tt_assembly *a, struct t2t_error *err)
{
    struct tt_batch *b = NULL;
    enum t2t_status st;

    a->in_element = false;
    tt_buffer_add_byte(&a->carry, ']'); /* so that the decoder is sure, too */
    if (a->carry.failed)
        return no_memory(err);
    st = decode_again(a, a->carry.ptr, a->carry.len, a->carry_offset, &b, err);
    if (st)
        return st;
    if (b->end == TT_BATCH_CLOSED && b->count == 1)
        st = take_batch(a, b, a->decoder_number, err);
    else
        st = tt_error(err, T2T_ERR_JSON_SYNTAX, a->carry_offset,
                      "this element is not understood");
    tt_batch_free(b);
    tt_buffer_clear(&a->carry);
    return st;
}

static enum t2t_status keep(struct tt_assembly *a, const char *text, size_t len,
                            struct t2t_error *err)
{
    if (!a->in_element)
        return T2T_OK;
    tt_buffer_add(&a->carry, text, len);
    if (a->carry.len >= TT_TOKENS_MAX_BYTES)
        return tt_error(err, T2T_ERR_LIMIT, a->carry_offset,
                        "an element of more than %zu bytes",
                        TT_TOKENS_MAX_BYTES);
    return a->carry.failed ? no_memory(err) : T2T_OK;
}

static enum t2t_status bad(const struct tt_assembly *a, uint64_t offset,
                           struct t2t_error *err)
{
    if (a->scan.status == T2T_ERR_NO_MEMORY)
        return no_memory(err);
    return tt_error(err, a->scan.status, offset, "%s",
                    tt_scan_reason(&a->scan));
}

/* Text of a chunk, or the rest of it. */
struct span {
    const char *text;
    size_t len;
    uint64_t offset;
};

static enum t2t_status scan_span(struct tt_assembly *a, struct span s,
                                 struct t2t_error *err);

static struct span behind(struct span s, size_t at)
{
    return (struct span){s.text + at, s.len - at, s.offset + at};
}

/*
 * Goes on from a batch that was taken to where it stopped: to the next chunk,
 * behind the array, or on with the scan.  `s` is the text of the batch.
 */
static enum t2t_status go_on(struct tt_assembly *a, const struct tt_batch *b,
                             struct span s, struct t2t_error *err)
{
    size_t at = b->consumed;
    bool dangling = b->after_comma && a->trace->element_count;

    if (b->end == TT_BATCH_CLEAN) {
        a->state = TT_IN_STEP;
        return T2T_OK;
    }
    if (b->end == TT_BATCH_CLOSED && !dangling)
        return leave_array(a, s.text + at + 1, s.len - at - 1,
                           s.offset + at + 1, err);
    begin_scan(a);
    return scan_span(a, behind(s, at), err);
}

/* Decodes the rest of a chunk from an element on that is sure. */
static enum t2t_status redo(struct tt_assembly *a, struct span s,
                            struct t2t_error *err)
{
    struct tt_batch *b = NULL;
    enum t2t_status st = decode_again(a, s.text, s.len, s.offset, &b, err);

    if (!st)
        st = take_batch(a, b, a->decoder_number, err);
    if (!st)
        st = go_on(a, b, s, err);
    tt_batch_free(b);
    return st;
}

/* The first byte of an element: of the one that is looked for, or of the next
 * one, and then the rest is decoded again.  T2T_END: there is no rest. */
static enum t2t_status begin_element(struct tt_assembly *a, struct span s,
                                     size_t at, struct t2t_error *err)
{
    enum t2t_status st;

    if (!a->found) {
        a->found = true;
        a->in_element = true;
        a->carry_offset = s.offset + at;
        return T2T_OK;
    }
    st = redo(a, behind(s, at), err);
    return st ? st : T2T_END;
}

/* Scans on over the text, until the element that is looked for has ended and
 * the next one begins. */
static enum t2t_status scan_span(struct tt_assembly *a, struct span s,
                                 struct t2t_error *err)
{
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    enum t2t_status st = T2T_OK;
    size_t at = 0;

    while (!st && mark != TT_SCAN_MORE) {
        size_t step;

        mark = tt_scan_feed(&a->scan, (const unsigned char *)s.text + at,
                            s.len - at, &step);
        st = keep(a, s.text + at, step, err);
        at += step;
        if (st)
            break;
        if (mark == TT_SCAN_BAD)
            return bad(a, s.offset + at, err);
        if (mark == TT_SCAN_CLOSE)
            return leave_array(a, s.text + at, s.len - at, s.offset + at, err);
        if (mark == TT_SCAN_VALUE_BEGIN)
            st = begin_element(a, s, at, err);
        else if (mark == TT_SCAN_VALUE_END)
            st = end_element(a, err);
    }
    return st == T2T_END ? T2T_OK : st;
}

enum t2t_status tt_assembly_take(struct tt_assembly *a, struct tt_chunk *c,
                                 struct t2t_error *err)
{
    struct span s = {c->text, c->len, c->offset};
    enum t2t_status st;

    if (c->status)
        return no_memory(err);
    st = tt_inbox_learn(a->inbox, c->batch, c->worker, err);
    if (st)
        return st;
    if (a->state == TT_BEHIND)
        return take_behind(a, s.text, s.len, s.offset, err);
    if (a->state == TT_SCANNING)
        return scan_span(a, s, err);
    st = take_batch(a, c->batch, c->worker, err);
    return st ? st : go_on(a, c->batch, s, err);
}

enum t2t_status tt_assembly_finish(struct tt_assembly *a, uint64_t offset,
                                   struct t2t_error *err)
{
    if (a->envelope.has_array && a->state != TT_BEHIND)
        return tt_error(err, T2T_ERR_TRUNCATED, offset,
                        "traceEvents is cut short after %u whole elements",
                        a->trace->element_count);
    return tt_envelope_finish(&a->envelope, offset, err);
}
