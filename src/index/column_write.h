/*
 * index/column_write.h - the columns of an index while they are written.
 *
 * Elements come in blocks, in the order of ids.  Whoever has time
 * (base/tasks.h) writes the columns of a block to their places in the file and
 * compresses its positions.  In order follow the checksums, which go from front
 * to back, and the frames of positions.
 *
 *     begin -> the sink, for every element -> end -> release
 *
 * One thread, the owner of the tasks.
 */
#ifndef TT_INDEX_COLUMN_WRITE_H
#define TT_INDEX_COLUMN_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include <xxhash.h>

#include "base/memory.h"
#include "base/tasks.h"
#include "format/format.h"
#include "index/file.h"
#include "index/press.h"
#include "model/sink.h"

/* Blocks under way, that is filled and those that are written: without help,
 * and at most. */
#define TT_COLUMNS_ALONE 1
#define TT_COLUMNS_MOST 10
#define TT_COLUMNS_COUNT 11

struct tt_column_block;

/* Where frames of positions go, in the order of ids. */
struct tt_columns_order {
    void *owner;
    enum t2t_status (*write)(void *owner, struct tt_press_frame *frame,
                             struct t2t_error *err);
};

struct tt_columns {
    struct tt_file *file;     /* not owned */
    struct tt_memory *memory; /* not owned, or NULL */
    struct tt_task_queue queue;
    struct tt_task_queue errands;
    struct tt_task warm;                  /* gets the pages of `place` */
    XXH3_state_t *hash[TT_COLUMNS_COUNT]; /* owned */
    struct tt_column_block *filling;      /* owned, as are all blocks */
    struct tt_column_block *spare;
    size_t blocks; /* that there are */
    size_t most;
    struct tt_columns_order order;
    uint32_t *place;   /* the id of the element at each position, owned */
    uint32_t elements; /* there is room for */
    uint32_t next_id;  /* elements so far */
    uint32_t nodes;    /* of these */
    uint32_t gpu_rank; /* GPU events so far */
    uint64_t gpu_ns;   /* sum of their durations */
    struct tt_long_duration *long_duration; /* by id, owned */
    size_t long_count;
    size_t long_cap;
};

/* What there will be. */
struct tt_columns_size {
    uint32_t elements;
    uint32_t nodes;
    uint32_t gpu_events;
};

/*
 * Makes room for the columns at the end of `file`.
 *
 * @param c     all zero; release it whatever is answered.
 * @param most    blocks that may be under way.
 * @param order   copied.
 * @param block   set to the first one to fill.
 */
enum t2t_status tt_columns_begin(struct tt_columns *c, struct tt_file *file,
                                 struct tt_memory *memory,
                                 struct tt_tasks *tasks, size_t most,
                                 const struct tt_columns_size *size,
                                 const struct tt_columns_order *order,
                                 struct tt_placed_block **block,
                                 struct t2t_error *err);

/* Takes a block, as the sink's function does. */
enum t2t_status tt_columns_take(struct tt_columns *c,
                                struct tt_placed_block **block,
                                struct t2t_error *err);

/* Waits for all blocks. */
enum t2t_status tt_columns_wait(struct tt_columns *c, struct t2t_error *err);

/* Ends the sections, when all blocks are waited for. */
enum t2t_status tt_columns_end(struct tt_columns *c, struct t2t_error *err);

/* Frees it; nobody helps any more. */
void tt_columns_release(struct tt_columns *c);

#endif
