/* export.c - the envelope with the elements put back in. */
#include <trace2tree/export.h>

#include <errno.h>
#include <stdbool.h>

#include "base/buffer.h"
#include "base/put.h"
#include "index/cursor.h"
#include "index/reader.h"
#include "index/verify.h"

#define NO_ARRAY "no array is where the elements belong"
#define PIECE_BYTES ((size_t)256 << 10) /* written at a time, or more */

struct export
{
    const t2t_index *index;
    t2t_cursor *cursor; /* owned */
    FILE *to;
    struct tt_buffer text; /* not yet written */
    uint64_t envelope;     /* bytes of it that came before this frame */
    char last;             /* the byte of it that came last */
    bool has_elements;     /* they have been put in */
    struct t2t_error *err;
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

static enum t2t_status flush(struct export *x)
{
    size_t len = x->text.len;

    if (x->text.failed)
        return no_memory(x->err);
    errno = 0;
    if (len && fwrite(x->text.ptr, 1, len, x->to) != len)
        return tt_put_failed(errno, x->err);
    tt_buffer_clear(&x->text);
    return T2T_OK;
}

static enum t2t_status put(struct export *x, const char *ptr, size_t len)
{
    tt_buffer_add(&x->text, ptr, len);
    return x->text.len < PIECE_BYTES ? T2T_OK : flush(x);
}

static enum t2t_status put_elements(struct export *x)
{
    uint32_t count = x->index->header->element_count;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < count; i++) {
        st = i ? put(x, ",\n", 2) : put(x, "\n", 1);
        if (!st)
            st = tt_cursor_append(x->cursor, i, &x->text, x->err);
    }
    if (!st && count)
        st = put(x, "\n", 1);
    return st;
}

/* Writes a frame of the envelope, with the elements in it if they belong
 * there. */
static enum t2t_status put_frame(struct export *x, struct t2t_text text)
{
    uint64_t head = x->index->array - x->envelope;
    enum t2t_status st;

    if (x->index->array < x->envelope || head >= text.len)
        head = text.len;
    st = put(x, text.ptr, (size_t)head);
    if (head)
        x->last = text.ptr[head - 1];
    if (!st && head < text.len) {
        if (x->last != '[' || text.ptr[head] != ']')
            return tt_damage_at(x->index, TT_SECTION_ARRAY, 0, NO_ARRAY,
                                x->err);
        x->has_elements = true;
        st = put_elements(x);
    }
    if (!st && head < text.len)
        st = put(x, text.ptr + head, text.len - (size_t)head);
    x->envelope += text.len;
    return st;
}

static enum t2t_status put_document(struct export *x)
{
    uint32_t frames = x->index->envelope.count;
    enum t2t_status st = T2T_OK;

    for (uint32_t i = 0; !st && i < frames; i++) {
        struct t2t_text text;

        st = tt_cursor_envelope_frame(x->cursor, i, &text, x->err);
        if (!st)
            st = put_frame(x, text);
    }
    if (!st && !x->has_elements)
        st = tt_damage_at(x->index, TT_SECTION_ARRAY, 0, NO_ARRAY, x->err);
    return st ? st : flush(x);
}

enum t2t_status t2t_export_trace(const t2t_index *index, FILE *to,
                                 struct t2t_error *err)
{
    struct export x = {.index = index, .to = to, .err = err};
    enum t2t_status st = t2t_cursor_open(&x.cursor, index, err);

    t2t_index_will_scan(index);
    if (!st)
        st = put_document(&x);
    t2t_cursor_close(x.cursor);
    tt_buffer_release(&x.text);
    return st ? st : tt_put_end(to, err);
}
