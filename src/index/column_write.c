/* column_write.c - blocks of elements to pieces of columns. */
#include "index/column_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* What a column has a value for. */
enum of { ELEMENTS, NODES, GPU_EVENTS, OF_COUNT };

/* The columns by the section each of them is: the type of a value, what has
 * one, and how many more there are. */
#define COLUMN_MAP(X)                                                          \
    X(START, start, int64_t, ELEMENTS, 0)                                      \
    X(DURATION, duration, uint32_t, ELEMENTS, 0)                               \
    X(NAME, name, uint32_t, ELEMENTS, 0)                                       \
    X(LANE, lane, uint32_t, ELEMENTS, 0)                                       \
    X(CATEGORY, category, uint16_t, ELEMENTS, 0)                               \
    X(PHASE, phase, uint8_t, ELEMENTS, 0)                                      \
    X(PARENT, parent, uint32_t, NODES, 0)                                      \
    X(FLAGS, flags, uint8_t, NODES, 0)                                         \
    X(GPU_RANK, gpu_rank, uint32_t, NODES, 1)                                  \
    X(GPU_NODE, gpu_node, uint32_t, GPU_EVENTS, 0)                             \
    X(GPU_SUM, gpu_sum, uint64_t, GPU_EVENTS, 1)

/* The values of the elements of a block, column by column. */
struct values {
    uint32_t position[TT_SINK_ROOM]; /* no column, but frames */
#define X(section, name, type, of, more) type name[TT_SINK_ROOM];
    COLUMN_MAP(X)
#undef X
};

static const struct column {
    enum tt_section_id section;
    enum of of;
    unsigned more;
    size_t bytes; /* of a value */
    size_t at;    /* where its values begin */
} columns[] = {
#define X(section, name, type, of, more)                                       \
    {TT_SECTION_##section, of, more, sizeof(type),                             \
     offsetof(struct values, name)},
    COLUMN_MAP(X)
#undef X
};

_Static_assert(TT_SINK_ROOM == TT_IDS_A_FRAME,
               "the positions of a block are a frame");
_Static_assert(sizeof(columns) / sizeof(*columns) == TT_COLUMNS_COUNT,
               "there are so many columns");

/* Some elements with ids that follow each other. */
struct tt_column_block {
    struct tt_task task;
    struct tt_columns *columns;   /* not owned */
    struct tt_column_block *next; /* spare */
    uint32_t first[OF_COUNT];     /* of the trace */
    uint32_t count[OF_COUNT];     /* in the block */
    uint64_t gpu_sum;             /* before it */
    bool has_long;                /* there is a long duration */
    struct tt_press_frame *order; /* of its positions, owned */
    enum t2t_status status;       /* of writing it */
    struct t2t_error error;
    struct values values;
    struct tt_placed placed[TT_SINK_ROOM];
};

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* ---- a block ------------------------------------------------------------- */

static uint32_t short_duration(uint64_t dur_ns)
{
    return dur_ns < TT_LONG_DURATION ? (uint32_t)dur_ns : TT_LONG_DURATION;
}

/* The columns that every element has. */
static void sort_elements(struct tt_column_block *b)
{
    const struct tt_placed *p = b->placed;
    struct values *v = &b->values;

    for (size_t i = 0; i < b->count[ELEMENTS]; i++) {
        v->start[i] = p[i].start_ns;
        v->duration[i] = short_duration(p[i].dur_ns);
        v->name[i] = p[i].name;
        v->lane[i] = p[i].lane;
        v->category[i] = p[i].category;
        v->phase[i] = p[i].phase;
        b->has_long |= v->duration[i] == TT_LONG_DURATION;
    }
}

/* Those that only nodes have. */
static void sort_nodes(struct tt_column_block *b)
{
    const struct tt_placed *p = b->placed;
    struct values *v = &b->values;
    uint64_t sum = b->gpu_sum;
    uint32_t gpu = 0;

    for (size_t i = 0; i < b->count[NODES]; i++) {
        v->parent[i] = p[i].parent;
        v->flags[i] = p[i].flags;
        v->gpu_rank[i] = b->first[GPU_EVENTS] + gpu;
        if (!(p[i].flags & TT_FLAG_GPU))
            continue;
        v->gpu_node[gpu] = b->first[NODES] + (uint32_t)i;
        v->gpu_sum[gpu++] = sum;
        sum += p[i].dur_ns;
    }
}

/* Which element stands where, both ways: no two stand at one place. */
static void sort_positions(struct tt_column_block *b)
{
    uint32_t id = b->first[ELEMENTS];

    for (size_t i = 0; i < b->count[ELEMENTS]; i++, id++) {
        b->values.position[i] = b->placed[i].position;
        b->columns->place[b->placed[i].position] = id;
    }
    b->order->ids = b->values.position;
    b->order->count = b->count[ELEMENTS];
    tt_buffer_clear(&b->order->raw);
    tt_press_run(b->order);
}

static const void *values_of(const struct tt_column_block *b,
                             const struct column *c)
{
    return (const char *)&b->values + c->at;
}

static void write_block(struct tt_task *task)
{
    struct tt_column_block *b = (struct tt_column_block *)task;
    struct tt_file *f = b->columns->file;

    b->has_long = false;
    sort_nodes(b);
    sort_elements(b);
    sort_positions(b);
    b->status = T2T_OK;
    for (size_t i = 0; !b->status && i < TT_COLUMNS_COUNT; i++) {
        const struct column *c = &columns[i];

        b->status = tt_file_write(f,
                                  f->section[c->section].offset +
                                      b->first[c->of] * c->bytes,
                                  values_of(b, c), b->count[c->of] * c->bytes,
                                  &b->error);
    }
}

/* ---- in order ------------------------------------------------------------ */

static enum t2t_status keep_long(struct tt_columns *c,
                                 const struct tt_column_block *b,
                                 struct t2t_error *err)
{
    for (uint32_t i = 0; i < b->count[ELEMENTS]; i++) {
        if (b->values.duration[i] != TT_LONG_DURATION)
            continue;
        if (!tt_memory_room(c->memory, &c->long_duration, &c->long_cap,
                            c->long_count, sizeof(*c->long_duration)))
            return no_memory(err);
        c->long_duration[c->long_count++] =
            (struct tt_long_duration){.id = b->first[ELEMENTS] + i,
                                      .dur_ns = b->placed[i].dur_ns};
    }
    return T2T_OK;
}

/* A block is written, and so are those before it. */
static enum t2t_status end_block(struct tt_columns *c,
                                 struct tt_column_block *b,
                                 struct t2t_error *err)
{
    enum t2t_status st = b->status;

    if (st && err)
        *err = b->error;
    for (size_t i = 0; !st && i < TT_COLUMNS_COUNT; i++)
        (void)XXH3_64bits_update(c->hash[i], values_of(b, &columns[i]),
                                 b->count[columns[i].of] * columns[i].bytes);
    if (!st && b->has_long)
        st = keep_long(c, b, err);
    if (!st && b->count[ELEMENTS])
        st = c->order.write(c->order.owner, b->order, err);
    b->next = c->spare;
    c->spare = b;
    return st;
}

/* Ends blocks that are written: if `wait`, one of those that are not, too. */
static enum t2t_status end_blocks(struct tt_columns *c, bool wait,
                                  struct t2t_error *err)
{
    struct tt_task *t;
    enum t2t_status st = T2T_OK;

    for (; !st && (t = tt_task_pop(&c->queue, wait)); wait = false)
        st = end_block(c, (struct tt_column_block *)t, err);
    return st;
}

enum t2t_status tt_columns_wait(struct tt_columns *c, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    while (!st && c->queue.first)
        st = end_blocks(c, true, err);
    return st;
}

/* An empty block to fill. */
static enum t2t_status take_block(struct tt_columns *c, struct t2t_error *err)
{
    bool many = !c->spare && c->blocks == c->most;
    enum t2t_status st = end_blocks(c, many, err);
    struct tt_column_block *b = c->spare;

    if (st)
        return st;
    if (b) {
        c->spare = b->next;
    } else {
        b = malloc(sizeof(*b));
        if (b && !(b->order = tt_press_frame_create())) {
            free(b);
            b = NULL;
        }
        if (!b)
            return no_memory(err);
        b->columns = c;
        b->task.run = write_block;
        c->blocks++;
    }
    c->filling = b;
    return T2T_OK;
}

enum t2t_status tt_columns_take(struct tt_columns *c, struct tt_placed **placed,
                                size_t count, size_t nodes,
                                struct t2t_error *err)
{
    struct tt_column_block *b = c->filling;
    uint32_t gpu = 0;
    enum t2t_status st;

    b->first[ELEMENTS] = b->first[NODES] = c->next_id;
    b->first[GPU_EVENTS] = c->gpu_rank;
    b->gpu_sum = c->gpu_sum;
    for (size_t i = 0; i < nodes; i++)
        if (b->placed[i].flags & TT_FLAG_GPU) {
            c->gpu_sum += b->placed[i].dur_ns;
            gpu++;
        }
    b->count[ELEMENTS] = (uint32_t)count;
    b->count[NODES] = (uint32_t)nodes;
    b->count[GPU_EVENTS] = gpu;
    c->next_id += (uint32_t)count;
    c->nodes += (uint32_t)nodes;
    c->gpu_rank += gpu;
    c->filling = NULL;
    tt_task_push(&c->queue, &b->task);
    st = take_block(c, err);
    if (!st)
        *placed = c->filling->placed;
    return st;
}

/* ---- all of them --------------------------------------------------------- */

enum t2t_status tt_columns_begin(struct tt_columns *c, struct tt_file *file,
                                 struct tt_memory *memory,
                                 struct tt_tasks *tasks, size_t most,
                                 const struct tt_columns_size *size,
                                 const struct tt_columns_order *order,
                                 struct tt_placed **placed,
                                 struct t2t_error *err)
{
    size_t bytes = ((size_t)size->elements + 1) * sizeof(*c->place);
    const uint64_t counts[OF_COUNT] = {size->elements, size->nodes,
                                       size->gpu_events};
    enum t2t_status st;

    *c = (struct tt_columns){.file = file,
                             .memory = memory,
                             .order = *order,
                             .elements = size->elements,
                             .most = most};
    tt_task_queue_init(&c->queue, tasks);
    for (size_t i = 0; i < TT_COLUMNS_COUNT; i++) {
        c->hash[i] = XXH3_createState();
        if (!c->hash[i])
            return no_memory(err);
        (void)XXH3_64bits_reset(c->hash[i]);
        tt_file_reserve(file, columns[i].section,
                        counts[columns[i].of] + columns[i].more);
    }
    c->place = tt_memory_take(memory, bytes);
    if (!c->place)
        return no_memory(err);
    tt_memory_warm(c->place, bytes);
    st = take_block(c, err);
    if (!st)
        *placed = c->filling->placed;
    return st;
}

/* Adds the last value of a column that has one more: the sum of all. */
static enum t2t_status add_last(struct tt_columns *c, size_t column,
                                uint32_t count, struct t2t_error *err)
{
    const struct column *k = &columns[column];
    const struct tt_section *s = &c->file->section[k->section];
    const void *value = k->section == TT_SECTION_GPU_RANK
                            ? (const void *)&c->gpu_rank
                            : (const void *)&c->gpu_sum;

    (void)XXH3_64bits_update(c->hash[column], value, k->bytes);
    return tt_file_write(c->file, s->offset + count * k->bytes, value, k->bytes,
                         err);
}

enum t2t_status tt_columns_end(struct tt_columns *c, struct t2t_error *err)
{
    const uint32_t count[OF_COUNT] = {c->next_id, c->nodes, c->gpu_rank};
    enum t2t_status st = T2T_OK;

    for (size_t i = 0; !st && i < TT_COLUMNS_COUNT; i++) {
        const struct column *k = &columns[i];

        if (k->more)
            st = add_last(c, i, count[k->of], err);
        tt_file_end_section(c->file, k->section,
                            (uint64_t)count[k->of] + k->more,
                            XXH3_64bits_digest(c->hash[i]));
    }
    return st;
}

static void free_block(struct tt_column_block *b)
{
    if (b)
        tt_press_frame_free(b->order);
    free(b);
}

void tt_columns_release(struct tt_columns *c)
{
    size_t bytes = ((size_t)c->elements + 1) * sizeof(*c->place);
    struct tt_task *next;

    for (struct tt_task *t = c->queue.first; t; t = next) {
        next = t->next;
        free_block((struct tt_column_block *)t);
    }
    tt_task_queue_release(&c->queue);
    for (struct tt_column_block *b; (b = c->spare);) {
        c->spare = b->next;
        free_block(b);
    }
    free_block(c->filling);
    for (size_t i = 0; i < TT_COLUMNS_COUNT; i++)
        (void)XXH3_freeState(c->hash[i]);
    tt_memory_give(c->memory, c->place, bytes);
    tt_memory_give(c->memory, c->long_duration,
                   c->long_cap * sizeof(*c->long_duration));
    *c = (struct tt_columns){.file = NULL};
}
