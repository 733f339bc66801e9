/*
 * index/writer.h - writes the index of a trace: what elements said while they
 * come in file order, then columns in the order of ids, then the rest.
 *
 *     create -> envelope and elements as they come -> end_elements
 *            -> begin_columns -> its sink, for every element
 *            -> finish -> commit -> free
 *
 * Free it when nobody helps with its tasks: what is not committed leaves no
 * file.  One thread, the owner of the tasks.
 */
#ifndef TT_INDEX_WRITER_H
#define TT_INDEX_WRITER_H

#include "base/helpers.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "base/watch.h"
#include "format/format.h"
#include "model/anomaly.h"
#include "model/batch.h"
#include "model/sink.h"

struct tt_writer;

/* Starts an index that will be at `path`.  Frames are compressed and columns
 * written as `tasks`, which stay the caller's. */
enum t2t_status tt_writer_create(struct tt_writer **out, const char *path,
                                 struct tt_tasks *tasks, struct t2t_error *err);

/* Asks `watch`, which stays the caller's, from now on: at every write, in long
 * loops, while it syncs. */
void tt_writer_set_watch(struct tt_writer *w, struct tt_watch *watch);

/* What grows with the trace lies in `memory`, which stays the caller's, from
 * now on. */
void tt_writer_set_memory(struct tt_writer *w, struct tt_memory *memory);

/* `helpers`, not owned, do its tasks from now on, until it is told that they
 * are gone; without them it does them itself. */
void tt_writer_invite(struct tt_writer *w, const struct tt_helpers *helpers);
void tt_writer_dismiss(struct tt_writer *w);

/* Memory that it takes for frames under way, helped, at most; without, a
 * fifth. */
#define TT_WRITER_HELPED_BYTES ((size_t)24 << 20)

/* Frees it, and the file unless it was committed.  NULL is allowed. */
void tt_writer_free(struct tt_writer *w);

/* Appends to the document without its events (doc/format.md, Frames). */
enum t2t_status tt_writer_envelope(struct tt_writer *w, const char *ptr,
                                   size_t len, struct t2t_error *err);

/*
 * Appends the elements of a batch, which has the numbers of the index.
 * `shapes` has the string of each shape there is so far, `strings` their text.
 */
enum t2t_status tt_writer_elements(struct tt_writer *w,
                                   const struct tt_batch *b,
                                   const struct tt_intern *strings,
                                   const uint32_t *shapes, size_t shape_count,
                                   struct t2t_error *err);

/* Ends elements and envelope. */
enum t2t_status tt_writer_end_elements(struct tt_writer *w,
                                       struct t2t_error *err);

/*
 * Makes room for the columns.
 *
 * @param sink  set to where the elements are to be handed; the writer's.
 */
enum t2t_status tt_writer_begin_columns(struct tt_writer *w,
                                        uint32_t element_count,
                                        uint32_t node_count, uint32_t gpu_count,
                                        struct tt_sink *sink,
                                        struct t2t_error *err);

/* What goes into the index beside elements; all of it the caller's. */
struct tt_rest {
    const uint32_t *sizes; /* of the subtree of each node */
    const struct tt_intern *strings;
    const uint32_t *shapes; /* strings */
    size_t shape_count;
    const uint32_t *categories; /* strings */
    size_t category_count;
    const struct tt_lane_record *lanes;
    size_t lane_count;
    const struct tt_pair *forward; /* by backward node */
    size_t forward_count;
    const struct tt_member_record *members;
    size_t member_count;
    uint64_t array; /* where in the envelope elements belong */
    const struct tt_loss_record *losses;
    size_t loss_count;
    struct tt_anomalies *anomalies; /* missing offsets are filled in */
    const char *source_name;
};

/* Writes the rest. */
enum t2t_status tt_writer_finish(struct tt_writer *w,
                                 const struct tt_rest *rest,
                                 struct t2t_error *err);

/* Writes the header, of which facts about the trace are given, syncs, renames.
 * See tt_file_commit(). */
enum t2t_status tt_writer_commit(struct tt_writer *w, struct tt_header *header,
                                 uint64_t *bytes, uint64_t *sync_ns,
                                 struct t2t_error *err);

#endif
