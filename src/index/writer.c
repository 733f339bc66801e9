/* writer.c - frames, columns and the rest of an index. */
#include "index/writer.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/sort.h"
#include "base/vec.h"
#include "format/frame_write.h"
#include "format/varint.h"
#include "index/column_write.h"
#include "index/file.h"
#include "index/press.h"

/* A directory of frames while it grows. */
struct directory {
    struct tt_frame_record *record; /* owned */
    size_t count;
    size_t cap;
};

struct tt_writer {
    struct tt_memory *memory; /* not owned, or NULL */
    struct tt_file file;
    struct tt_tasks *tasks;  /* not owned */
    struct tt_column frames; /* FRAMES, then ID_FRAMES */
    struct tt_columns columns;
    struct tt_press press;
    const struct tt_helpers *helpers; /* of the tasks, not owned, or NULL */
    struct tt_buffer envelope;        /* not yet a frame */
    struct tt_pack pack;
    struct tt_press_frame *filling; /* that fills up with elements, owned */
    struct tt_buffer raw;           /* of a frame that is read back */
    struct tt_buffer packed;
    struct directory elements;
    struct directory envelopes;
    struct directory order;
    struct directory places;
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

enum t2t_status tt_writer_create(struct tt_writer **out, const char *path,
                                 struct tt_tasks *tasks, struct t2t_error *err)
{
    struct tt_writer *w = calloc(1, sizeof(*w));
    enum t2t_status st;

    if (!w)
        return no_memory(err);
    w->tasks = tasks;
    tt_press_init(&w->press, tasks);
    w->file.fd = -1;
    st = tt_file_create(&w->file, path, err);
    if (!st)
        st = tt_column_begin(&w->frames, &w->file, TT_SECTION_FRAMES, err);
    if (st) {
        tt_writer_free(w);
        return st;
    }
    *out = w;
    return T2T_OK;
}

void tt_writer_set_watch(struct tt_writer *w, struct tt_watch *watch)
{
    w->file.watch = watch;
}

void tt_writer_set_memory(struct tt_writer *w, struct tt_memory *memory)
{
    w->memory = w->pack.memory = memory;
}

void tt_writer_free(struct tt_writer *w)
{
    if (!w)
        return;
    tt_column_release(&w->frames);
    tt_columns_release(&w->columns);
    tt_press_frame_free(w->filling);
    tt_press_release(&w->press);
    tt_buffer_release(&w->raw);
    tt_buffer_release(&w->packed);
    tt_buffer_release(&w->envelope);
    tt_pack_release(&w->pack);
    free(w->elements.record);
    free(w->envelopes.record);
    free(w->order.record);
    free(w->places.record);
    tt_file_release(&w->file);
    free(w);
}

/* ---- frames -------------------------------------------------------------- */

void tt_writer_invite(struct tt_writer *w, const struct tt_helpers *helpers)
{
    size_t most = TT_PRESS_ALONE + 2 * helpers->count;

    w->helpers = helpers;
    tt_press_set_most(&w->press,
                      most < TT_PRESS_HELPED ? most : TT_PRESS_HELPED);
}

void tt_writer_dismiss(struct tt_writer *w)
{
    w->helpers = NULL;
    tt_press_set_most(&w->press, TT_PRESS_ALONE);
}

/* Appends a frame that is compressed to its directory. */
static enum t2t_status write_frame(struct tt_writer *w,
                                   struct tt_press_frame *f,
                                   struct t2t_error *err)
{
    struct directory *d = f->owner;

    if (f->status == T2T_ERR_LIMIT)
        return tt_error(err, T2T_ERR_LIMIT, TT_NO_OFFSET,
                        "%u elements need more than 4 GB", TT_ELEMENTS_A_FRAME);
    if (f->status ||
        !tt_vec_room(&d->record, &d->cap, d->count, sizeof(*d->record)))
        return no_memory(err);
    f->record.offset = tt_column_offset(&w->frames);
    d->record[d->count++] = f->record;
    return tt_column_add(&w->frames, f->packed.ptr, f->record.bytes, err);
}

/* Writes the frames that are compressed, or waits for all of them. */
static enum t2t_status drain(struct tt_writer *w, bool all,
                             struct t2t_error *err)
{
    struct tt_press_frame *f;
    enum t2t_status st = T2T_OK;

    while (!st && (f = tt_press_pop(&w->press, all))) {
        st = write_frame(w, f, err);
        tt_press_give(&w->press, f);
    }
    return st;
}

/* An empty frame; when too many are under way, the first of them is waited
 * for. */
static enum t2t_status take_frame(struct tt_writer *w,
                                  struct tt_press_frame **out,
                                  struct t2t_error *err)
{
    enum t2t_status st = tt_press_take(&w->press, out);

    if (st == T2T_END) {
        struct tt_press_frame *f = tt_press_pop(&w->press, true);

        st = write_frame(w, f, err);
        tt_press_give(&w->press, f);
        return st ? st : tt_press_take(&w->press, out);
    }
    return st ? no_memory(err) : T2T_OK;
}

/* Lets a frame that is filled be a frame of `d`. */
static enum t2t_status push_frame(struct tt_writer *w, struct tt_press_frame *f,
                                  struct directory *d, bool wait,
                                  struct t2t_error *err)
{
    f->owner = d;
    tt_press_push(&w->press, f);
    if (w->helpers && !wait)
        w->helpers->call(w->helpers->context, 1);
    return drain(w, !w->helpers || wait, err);
}

/* ---- while reading ------------------------------------------------------- */

static enum t2t_status end_envelope_frame(struct tt_writer *w,
                                          struct t2t_error *err)
{
    struct tt_press_frame *f;
    struct tt_buffer empty;
    enum t2t_status st;

    if (w->envelope.failed)
        return no_memory(err);
    st = take_frame(w, &f, err);
    if (st)
        return st;
    empty = f->raw;
    f->raw = w->envelope;
    w->envelope = empty;
    return push_frame(w, f, &w->envelopes, true, err);
}

enum t2t_status tt_writer_envelope(struct tt_writer *w, const char *ptr,
                                   size_t len, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    while (!st && len) {
        size_t room = TT_ENVELOPE_A_FRAME - w->envelope.len;
        size_t part = len < room ? len : room;

        tt_buffer_add(&w->envelope, ptr, part);
        ptr += part;
        len -= part;
        if (w->envelope.len == TT_ENVELOPE_A_FRAME)
            st = end_envelope_frame(w, err);
    }
    return st;
}

static enum t2t_status begin_element_frame(struct tt_writer *w,
                                           struct t2t_error *err)
{
    enum t2t_status st = take_frame(w, &w->filling, err);

    if (!st && !w->filling->sheet) {
        w->filling->sheet = tt_sheet_create();
        if (!w->filling->sheet)
            return no_memory(err);
    }
    if (!st)
        tt_pack_begin(&w->pack, w->filling->sheet);
    return st;
}

static enum t2t_status end_element_frame(struct tt_writer *w,
                                         struct t2t_error *err)
{
    struct tt_press_frame *f = w->filling;

    w->filling = NULL;
    tt_pack_end(&w->pack);
    return push_frame(w, f, &w->elements, f->sheet->slots > TT_PRESS_SLOTS,
                      err);
}

enum t2t_status tt_writer_elements(struct tt_writer *w,
                                   const struct tt_batch *b,
                                   const struct tt_intern *strings,
                                   const uint32_t *shapes, size_t shape_count,
                                   struct t2t_error *err)
{
    size_t slot = 0;
    enum t2t_status st = T2T_OK;

    while (w->pack.shapes < shape_count) {
        const struct tt_interned *s = &strings->item[shapes[w->pack.shapes]];

        if (!tt_pack_shape(&w->pack, s->ptr, s->len))
            return no_memory(err);
    }
    for (size_t i = 0; !st && i < b->count; i++) {
        const struct tt_element *e = &b->element[i];

        if (!w->filling && (st = begin_element_frame(w, err)))
            return st;
        if (!tt_pack_add(&w->pack, e->offset, e->shape, b->slot + slot,
                         e->slots - slot))
            return no_memory(err);
        slot = e->slots;
        if (w->filling->sheet->count == TT_ELEMENTS_A_FRAME)
            st = end_element_frame(w, err);
    }
    return st;
}

/* ---- columns ------------------------------------------------------------- */

/* The ids of some positions. */
static enum t2t_status write_places(struct tt_writer *w, const uint32_t *ids,
                                    size_t count, struct t2t_error *err)
{
    struct tt_press_frame *f;
    enum t2t_status st = take_frame(w, &f, err);

    if (st)
        return st;
    f->ids = ids;
    f->count = count;
    return push_frame(w, f, &w->places, false, err);
}

/* The columns' function for the positions of ids. */
static enum t2t_status write_order(void *owner, struct tt_press_frame *f,
                                   struct t2t_error *err)
{
    struct tt_writer *w = owner;

    f->owner = &w->order;
    return write_frame(w, f, err);
}

/* The sink's function. */
static enum t2t_status take_block(void *owner, struct tt_placed_block **block,
                                  struct t2t_error *err)
{
    struct tt_writer *w = owner;

    return tt_columns_take(&w->columns, block, err);
}

/* How many blocks of columns may be under way. */
static size_t most_blocks(const struct tt_writer *w)
{
    size_t most = TT_COLUMNS_ALONE;

    if (w->helpers)
        most += 2 * w->helpers->count;
    return most < TT_COLUMNS_MOST ? most : TT_COLUMNS_MOST;
}

enum t2t_status tt_writer_end_elements(struct tt_writer *w,
                                       struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (w->filling)
        st = end_element_frame(w, err);
    if (!st && w->envelope.len)
        st = end_envelope_frame(w, err);
    if (!st)
        st = drain(w, true, err);
    return st ? st : tt_column_end(&w->frames, err);
}

enum t2t_status tt_writer_begin_columns(struct tt_writer *w, uint32_t elements,
                                        uint32_t nodes, uint32_t gpu_events,
                                        struct tt_sink *sink,
                                        struct t2t_error *err)
{
    const struct tt_columns_size size = {elements, nodes, gpu_events};
    const struct tt_columns_order order = {w, write_order};
    struct tt_placed_block *block;
    enum t2t_status st =
        tt_columns_begin(&w->columns, &w->file, w->memory, w->tasks,
                         most_blocks(w), &size, &order, &block, err);

    if (!st)
        st = tt_column_begin(&w->frames, &w->file, TT_SECTION_ID_FRAMES, err);
    if (!st)
        *sink = (struct tt_sink){w, take_block, block};
    return st;
}

/* The frames of places, which are known when all columns are written, and the
 * end of those. */
static enum t2t_status end_columns(struct tt_writer *w, struct t2t_error *err)
{
    const struct tt_columns *c = &w->columns;
    enum t2t_status st = tt_columns_wait(&w->columns, err);

    for (uint32_t at = 0; !st && at < c->elements; at += TT_IDS_A_FRAME) {
        uint32_t count = c->elements - at;

        st = write_places(w, c->place + at,
                          count < TT_IDS_A_FRAME ? count : TT_IDS_A_FRAME, err);
    }
    if (!st)
        st = drain(w, true, err);
    if (!st)
        st = tt_column_end(&w->frames, err);
    return st ? st : tt_columns_end(&w->columns, err);
}

/* ---- the rest ------------------------------------------------------------ */

static enum t2t_status write_strings(struct tt_writer *w,
                                     const struct tt_intern *strings,
                                     struct t2t_error *err)
{
    struct tt_column c = {0};
    uint64_t offset = 0;
    enum t2t_status st =
        tt_column_begin(&c, &w->file, TT_SECTION_STRING_OFFSET, err);

    for (size_t i = 0; !st && i < strings->count; i++) {
        st = tt_column_add(&c, &offset, sizeof(offset), err);
        offset += strings->item[i].len;
    }
    if (!st)
        st = tt_column_add(&c, &offset, sizeof(offset), err);
    if (!st)
        st = tt_column_end(&c, err);
    if (!st)
        st = tt_column_begin(&c, &w->file, TT_SECTION_STRING_BYTES, err);
    for (size_t i = 0; !st && i < strings->count; i++)
        st = tt_column_add(&c, strings->item[i].ptr, strings->item[i].len, err);
    if (!st)
        st = tt_column_end(&c, err);
    tt_column_release(&c);
    return st;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct tt_pair *x = a;
    const struct tt_pair *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->second < y->second ? -1 : x->second > y->second;
}

static enum t2t_status write_pairs(struct tt_writer *w,
                                   const struct tt_rest *rest,
                                   struct t2t_error *err)
{
    size_t count = rest->forward_count;
    size_t bytes = (count + 1) * sizeof(struct tt_pair);
    struct tt_pair *turned = tt_memory_take(w->memory, bytes);
    enum t2t_status st;

    if (!turned)
        return no_memory(err);
    for (size_t i = 0; i < count; i++)
        turned[i] =
            (struct tt_pair){rest->forward[i].second, rest->forward[i].first};
    st = tt_sort(turned, count, sizeof(*turned), compare_pairs, w->memory,
                 w->file.watch);
    if (st == T2T_ERR_CANCELED)
        (void)tt_watch_stopped(err);
    else if (st)
        (void)no_memory(err);
    if (!st)
        st = tt_file_section(&w->file, TT_SECTION_FORWARD, rest->forward, count,
                             err);
    if (!st)
        st = tt_file_section(&w->file, TT_SECTION_BACKWARD, turned, count, err);
    tt_memory_give(w->memory, turned, bytes);
    return st;
}

/* Where the element at `position` begins, read back from its frame. */
static enum t2t_status find_offset(struct tt_writer *w, uint64_t position,
                                   uint64_t *out, struct t2t_error *err)
{
    const struct tt_frame_record *r =
        &w->elements.record[position / TT_ELEMENTS_A_FRAME];
    const unsigned char *at;
    uint64_t step;
    enum t2t_status st;

    tt_buffer_clear(&w->packed);
    tt_buffer_clear(&w->raw);
    if (!tt_buffer_reserve(&w->packed, r->bytes) ||
        !tt_buffer_reserve(&w->raw, r->raw_bytes))
        return no_memory(err);
    st = tt_file_read(&w->file, r->offset, w->packed.ptr, r->bytes, err);
    if (st)
        return st;
    if (ZSTD_isError(
            ZSTD_decompress(w->raw.ptr, w->raw.cap, w->packed.ptr, r->bytes)))
        return no_memory(err);
    at = (const unsigned char *)w->raw.ptr;
    *out = 0;
    for (uint64_t i = 0; i <= position % TT_ELEMENTS_A_FRAME; i++) {
        if (!tt_varint_get(&at,
                           (const unsigned char *)w->raw.ptr + r->raw_bytes,
                           &step))
            return tt_error(err, T2T_ERR_IO, TT_NO_OFFSET,
                            "%s changed while it was written", w->file.path);
        *out += step;
    }
    return T2T_OK;
}

static enum t2t_status write_anomalies(struct tt_writer *w,
                                       struct tt_anomalies *a,
                                       struct t2t_error *err)
{
    struct tt_anomaly_record record[TT_ANOMALY_COUNT];
    size_t count = 0;

    for (uint32_t kind = 0; kind < TT_ANOMALY_COUNT; kind++) {
        if (a->count[kind] && a->first_position[kind] != TT_NO_POSITION &&
            a->first_offset[kind] == TT_NO_OFFSET) {
            enum t2t_status st = find_offset(w, a->first_position[kind],
                                             &a->first_offset[kind], err);

            if (st)
                return st;
        }
        if (a->count[kind])
            record[count++] =
                (struct tt_anomaly_record){.kind = kind,
                                           .count = a->count[kind],
                                           .first_position =
                                               a->first_position[kind],
                                           .first_offset =
                                               a->first_offset[kind]};
    }
    return tt_file_section(&w->file, TT_SECTION_ANOMALIES, record, count, err);
}

static enum t2t_status write_directories(struct tt_writer *w,
                                         struct t2t_error *err)
{
    struct tt_file *f = &w->file;
    enum t2t_status st;

    st = tt_file_section(f, TT_SECTION_ELEMENT_FRAMES, w->elements.record,
                         w->elements.count, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_ORDER_FRAMES, w->order.record,
                             w->order.count, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_PLACE_FRAMES, w->places.record,
                             w->places.count, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_ENVELOPE_FRAMES, w->envelopes.record,
                             w->envelopes.count, err);
    return st;
}

enum t2t_status tt_writer_finish(struct tt_writer *w, const struct tt_rest *r,
                                 struct t2t_error *err)
{
    struct tt_file *f = &w->file;
    enum t2t_status st = end_columns(w, err);

    if (!st)
        st = tt_file_section(f, TT_SECTION_SIZE, r->sizes, w->columns.nodes,
                             err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_LONG_DURATIONS,
                             w->columns.long_duration, w->columns.long_count,
                             err);
    if (!st)
        st = write_pairs(w, r, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_LANES, r->lanes, r->lane_count, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_CATEGORIES, r->categories,
                             r->category_count, err);
    if (!st)
        st = write_strings(w, r->strings, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_SHAPES, r->shapes, r->shape_count,
                             err);
    if (!st)
        st = write_directories(w, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_MEMBERS, r->members, r->member_count,
                             err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_ARRAY, &r->array, 1, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_LOST, r->losses, r->loss_count, err);
    if (!st)
        st = write_anomalies(w, r->anomalies, err);
    if (!st)
        st = tt_file_section(f, TT_SECTION_SOURCE_NAME, r->source_name,
                             strlen(r->source_name), err);
    return st;
}

enum t2t_status tt_writer_commit(struct tt_writer *w, struct tt_header *header,
                                 uint64_t *bytes, uint64_t *sync_ns,
                                 struct t2t_error *err)
{
    return tt_file_commit(&w->file, header, bytes, sync_ns, err);
}
