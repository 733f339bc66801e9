/* column_write.c - blocks of elements to pieces of columns. */
#include "index/column_write.h"

#include <stdlib.h>

#include "index/press.h"

/* What a column has a value for. */
enum of { ELEMENTS, NODES, GPU_EVENTS, OF_COUNT };

/* Some elements with ids that follow each other, and what is written of them
 * that is not in the block already. */
struct tt_column_block {
    struct tt_task task;
    struct tt_columns *columns;   /* not owned */
    struct tt_column_block *next; /* spare */
    uint32_t first[OF_COUNT];     /* of the trace */
    uint32_t count[OF_COUNT];     /* in the block */
    uint64_t gpu_ns;              /* sum of the durations before it */
    bool has_long;                /* there is a long duration */
    struct tt_press_frame *order; /* of its positions, owned */
    enum t2t_status status;       /* of writing it */
    struct t2t_error error;
    struct tt_placed_block block;
    uint32_t duration[TT_SINK_ROOM];
    uint32_t gpu_rank[TT_SINK_ROOM];
    uint32_t gpu_node[TT_SINK_ROOM];
    uint64_t gpu_sum[TT_SINK_ROOM];
};

_Static_assert(TT_SINK_ROOM == TT_IDS_A_FRAME,
               "the positions of a block are a frame");

/* The columns by the section each of them is: where its values stand, the bytes
 * of one, what has one, and how many more there are. */
static const struct column {
    enum tt_section_id section;
    size_t at;
    unsigned bytes;
    enum of of;
    unsigned more;
} columns[] = {
#define AT(member) offsetof(struct tt_column_block, member)
    {TT_SECTION_START, AT(block.start_ns), 8, ELEMENTS, 0},
    {TT_SECTION_DURATION, AT(duration), 4, ELEMENTS, 0},
    {TT_SECTION_NAME, AT(block.name), 4, ELEMENTS, 0},
    {TT_SECTION_LANE, AT(block.lane), 4, ELEMENTS, 0},
    {TT_SECTION_CATEGORY, AT(block.category), 2, ELEMENTS, 0},
    {TT_SECTION_PHASE, AT(block.phase), 1, ELEMENTS, 0},
    {TT_SECTION_PARENT, AT(block.parent), 4, NODES, 0},
    {TT_SECTION_FLAGS, AT(block.flags), 1, NODES, 0},
    {TT_SECTION_GPU_RANK, AT(gpu_rank), 4, NODES, 1},
    {TT_SECTION_GPU_NODE, AT(gpu_node), 4, GPU_EVENTS, 0},
    {TT_SECTION_GPU_SUM, AT(gpu_sum), 8, GPU_EVENTS, 1},
#undef AT
};

_Static_assert(sizeof(columns) / sizeof(*columns) == TT_COLUMNS_COUNT,
               "there are so many columns");

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* ---- a block, on any thread ---------------------------------------------- */

static void shorten_durations(struct tt_column_block *b)
{
    const uint64_t *dur = b->block.dur_ns;

    b->has_long = false;
    for (size_t i = 0; i < b->count[ELEMENTS]; i++) {
        bool is_long = dur[i] >= TT_LONG_DURATION;

        b->duration[i] = is_long ? TT_LONG_DURATION : (uint32_t)dur[i];
        b->has_long |= is_long;
    }
}

static void sum_up_gpu(struct tt_column_block *b)
{
    uint64_t sum = b->gpu_ns;
    uint32_t gpu = 0;

    for (size_t i = 0; i < b->count[NODES]; i++) {
        b->gpu_rank[i] = b->first[GPU_EVENTS] + gpu;
        if (!(b->block.flags[i] & TT_FLAG_GPU))
            continue;
        b->gpu_node[gpu] = b->first[NODES] + (uint32_t)i;
        b->gpu_sum[gpu++] = sum;
        sum += b->block.dur_ns[i];
    }
}

/* Which element stands where, both ways: no two stand at one place. */
static void put_positions(struct tt_column_block *b)
{
    const uint32_t *position = b->block.position;
    uint32_t id = b->first[ELEMENTS];

    for (size_t i = 0; i < b->count[ELEMENTS]; i++)
        b->columns->place[position[i]] = id++;
    b->order->ids = position;
    b->order->count = b->count[ELEMENTS];
    tt_buffer_clear(&b->order->raw);
    tt_press_run(b->order);
}

static const void *values_of(const struct tt_column_block *b,
                             const struct column *c)
{
    return (const char *)b + c->at;
}

static void write_block(struct tt_task *task)
{
    struct tt_column_block *b = (struct tt_column_block *)task;
    struct tt_file *f = b->columns->file;

    shorten_durations(b);
    sum_up_gpu(b);
    put_positions(b);
    b->status = T2T_OK;
    for (size_t i = 0; !b->status && i < TT_COLUMNS_COUNT; i++) {
        const struct column *c = &columns[i];

        b->status =
            tt_file_write(f,
                          f->section[c->section].offset +
                              (uint64_t)b->first[c->of] * c->bytes,
                          values_of(b, c), (size_t)b->count[c->of] * c->bytes,
                          &b->error);
    }
}

/* ---- in order, on one thread at a time ----------------------------------- */

static bool keep_long(struct tt_columns *c, const struct tt_column_block *b)
{
    for (uint32_t i = 0; i < b->count[ELEMENTS]; i++) {
        if (b->duration[i] != TT_LONG_DURATION)
            continue;
        if (!tt_memory_room(c->memory, &c->long_duration, &c->long_cap,
                            c->long_count, sizeof(*c->long_duration)))
            return false;
        c->long_duration[c->long_count++] =
            (struct tt_long_duration){.id = b->first[ELEMENTS] + i,
                                      .dur_ns = b->block.dur_ns[i]};
    }
    return true;
}

/* The block is written, and those before it have gone through this. */
static void add_up_block(struct tt_task *task)
{
    struct tt_column_block *b = (struct tt_column_block *)task;
    struct tt_columns *c = b->columns;

    for (size_t i = 0; !b->status && i < TT_COLUMNS_COUNT; i++)
        (void)XXH3_64bits_update(c->hash[i], values_of(b, &columns[i]),
                                 (size_t)b->count[columns[i].of] *
                                     columns[i].bytes);
    if (!b->status && b->has_long && !keep_long(c, b))
        b->status = no_memory(&b->error);
}

/* ---- the owner's --------------------------------------------------------- */

static enum t2t_status end_block(struct tt_columns *c,
                                 struct tt_column_block *b,
                                 struct t2t_error *err)
{
    enum t2t_status st = b->status;

    if (st && err)
        *err = b->error;
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
    (void)tt_task_pop(&c->errands, true);
    return st;
}

static void free_block(struct tt_column_block *b)
{
    if (b)
        tt_press_frame_free(b->order);
    free(b);
}

static struct tt_column_block *create_block(struct tt_columns *c)
{
    struct tt_column_block *b = malloc(sizeof(*b));

    if (!b)
        return NULL;
    b->task.run = write_block;
    b->task.run_in_order = add_up_block;
    b->columns = c;
    b->order = tt_press_frame_create();
    if (!b->order) {
        free(b);
        return NULL;
    }
    return b;
}

/* An empty block to fill. */
static enum t2t_status take_block(struct tt_columns *c,
                                  struct tt_placed_block **out,
                                  struct t2t_error *err)
{
    bool many = !c->spare && c->blocks == c->most;
    enum t2t_status st = end_blocks(c, many, err);
    struct tt_column_block *b = c->spare;

    if (st)
        return st;
    if (b) {
        c->spare = b->next;
    } else {
        b = create_block(c);
        if (!b)
            return no_memory(err);
        c->blocks++;
    }
    tt_placed_clear(&b->block);
    c->filling = b;
    *out = &b->block;
    return T2T_OK;
}

enum t2t_status tt_columns_take(struct tt_columns *c,
                                struct tt_placed_block **block,
                                struct t2t_error *err)
{
    struct tt_column_block *b = c->filling;

    b->first[ELEMENTS] = b->first[NODES] = c->next_id;
    b->first[GPU_EVENTS] = c->gpu_rank;
    b->gpu_ns = c->gpu_ns;
    b->count[ELEMENTS] = b->block.count;
    b->count[NODES] = b->block.nodes;
    b->count[GPU_EVENTS] = b->block.gpu_events;
    c->next_id += b->block.count;
    c->nodes += b->block.nodes;
    c->gpu_rank += b->block.gpu_events;
    c->gpu_ns += b->block.gpu_ns;
    c->filling = NULL;
    tt_task_push(&c->queue, &b->task);
    return take_block(c, block, err);
}

static void warm_places(struct tt_task *task)
{
    struct tt_columns *c =
        (struct tt_columns *)((char *)task - offsetof(struct tt_columns, warm));

    tt_memory_warm(c->place, (size_t)c->elements * sizeof(*c->place));
}

enum t2t_status tt_columns_begin(struct tt_columns *c, struct tt_file *file,
                                 struct tt_memory *memory,
                                 struct tt_tasks *tasks, size_t most,
                                 const struct tt_columns_size *size,
                                 const struct tt_columns_order *order,
                                 struct tt_placed_block **block,
                                 struct t2t_error *err)
{
    size_t bytes = ((size_t)size->elements + 1) * sizeof(*c->place);
    const uint64_t counts[OF_COUNT] = {size->elements, size->nodes,
                                       size->gpu_events};

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
        (void)tt_file_reserve(file, columns[i].section,
                              counts[columns[i].of] + columns[i].more);
    }
    c->place = tt_memory_take(memory, bytes);
    if (!c->place)
        return no_memory(err);
    tt_task_queue_init(&c->errands, tasks);
    c->warm.run = warm_places;
    tt_task_push(&c->errands, &c->warm);
    if (most == TT_COLUMNS_ALONE)
        (void)tt_task_pop(&c->errands, true);
    return take_block(c, block, err);
}

/* Adds the last value of a column that has one more: the sum of all. */
static enum t2t_status add_last(struct tt_columns *c, size_t column,
                                uint32_t count, struct t2t_error *err)
{
    const struct column *k = &columns[column];
    const struct tt_section *s = &c->file->section[k->section];
    const void *value = k->section == TT_SECTION_GPU_RANK
                            ? (const void *)&c->gpu_rank
                            : (const void *)&c->gpu_ns;

    (void)XXH3_64bits_update(c->hash[column], value, k->bytes);
    return tt_file_write(c->file, s->offset + (uint64_t)count * k->bytes, value,
                         k->bytes, err);
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

void tt_columns_release(struct tt_columns *c)
{
    size_t bytes = ((size_t)c->elements + 1) * sizeof(*c->place);
    struct tt_task *next;

    for (struct tt_task *t = c->queue.first; t; t = next) {
        next = t->next;
        free_block((struct tt_column_block *)t);
    }
    tt_task_queue_release(&c->queue);
    tt_task_queue_release(&c->errands);
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
