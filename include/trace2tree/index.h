/*
 * index.h - an open index.
 *
 * An index is read-only and mapped.  Everything a getter returns points into
 * the map: it stays valid until t2t_index_close() and must not be freed.  One
 * open index may be read from any number of threads at a time.  The file must
 * not be truncated while it is open; t2t replaces an index by renaming.
 *
 * Ids.  Each element of traceEvents has an id, 0 to element_count - 1.  The
 * nodes of the tree come first, in preorder, so the subtree of `id` is the
 * range [id, id + size).  Elements outside the tree follow in file order.
 * The place of an element in traceEvents is its position, another number.
 */
#ifndef TRACE2TREE_INDEX_H
#define TRACE2TREE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/status.h>
#include <trace2tree/text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t t2t_id;
#define T2T_NO_ID UINT32_MAX

typedef struct t2t_index t2t_index;

/* Where an event stands in the tree, decided by its category. */
enum t2t_layer {
    T2T_LAYER_NONE = 0,      /* outside: kept, but no node */
    T2T_LAYER_PYTHON = 1,    /* Python frame; "nn.Module: ..." is a module */
    T2T_LAYER_OPERATION = 2, /* cpu_op */
    T2T_LAYER_LAUNCH = 3,    /* call of the runtime or the driver */
    T2T_LAYER_GPU = 4,       /* kernel, copy or fill on a GPU */
};

/* Bits of t2t_element.flags. */
enum {
    T2T_CROSSED = 1, /* started inside the event open then, ended after it */
    T2T_CUT = 2,     /* nested as if it ended with its parent */
    T2T_ROOT_OP = 4, /* an operation with no operation above it */
    T2T_GPU = 8,     /* a GPU event */
    T2T_LINKED = 16, /* a GPU event whose parent is its launch */
};

/* An element of traceEvents. */
struct t2t_element {
    t2t_id id;
    t2t_id parent;     /* T2T_NO_ID for a root and outside the tree */
    uint32_t size;     /* nodes of the subtree with itself; 0 outside */
    uint32_t name;     /* string id, or T2T_NO_ID */
    uint32_t lane;     /* lane, or T2T_NO_ID for an element that is no object */
    uint32_t category; /* category, see t2t_index_category() */
    int64_t start_ns;  /* on the trace's clock; see has_start */
    uint64_t dur_ns;
    enum t2t_layer layer; /* of its category, also outside the tree */
    unsigned flags;
    char phase;     /* `ph`; 0 if it is not one ASCII character */
    bool has_start; /* false: no readable time, start_ns is meaningless */
    bool in_tree;   /* it is a node */
};

/* What the whole index is about. */
struct t2t_index_info {
    struct t2t_text source_name; /* last part of the trace's path; may be "" */
    uint64_t source_bytes;       /* the trace file's size; 0 for a pipe */
    int64_t source_mtime_ns;     /* ns since 1970; 0 for a pipe */
    uint64_t document_bytes;     /* size of the JSON text */
    uint64_t index_bytes;
    uint32_t element_count;
    uint32_t node_count;
    uint32_t gpu_count;
    uint32_t lane_count;
    uint32_t category_count;
    uint32_t string_count;
    uint32_t forward_count; /* forward-backward pairs */
    uint32_t member_count;
    uint32_t anomaly_count; /* kinds of them */
    int64_t origin_ns;      /* printed times count from here */
    int64_t last_end_ns;
    unsigned format_major;
    unsigned format_minor;
    struct t2t_text writer; /* the program that wrote it */
};

/*
 * On which side of the machine a lane is.  The layer of an element decides, not
 * its pid and tid: what is of no layer, such as annotations, flows, metadata
 * and counters, is in a lane of its own with T2T_NO_SIDE, although it has the
 * pid and tid of a thread or of a stream.  t2t_index_lane_of() leads from one
 * to the other.
 */
enum t2t_side {
    T2T_HOST = 0,    /* Python frames, operations, launches */
    T2T_DEVICE = 1,  /* GPU events */
    T2T_NO_SIDE = 2, /* elements of no layer: none of them is a node */
};

/* How a pid or tid is known: T2T_ID_MISSING has neither number nor text. */
enum t2t_id_kind {
    T2T_ID_MISSING = 0,
    T2T_ID_INTEGER = 1,  /* int64_t in `number` */
    T2T_ID_UNSIGNED = 2, /* uint64_t in `number`, 2^63 and above */
    T2T_ID_TEXT = 3,     /* `text` */
};

struct t2t_lane_id {
    enum t2t_id_kind kind;
    uint64_t number;
    struct t2t_text text;
};

/* Whether both are the same id: the same number, or the same text. */
static inline bool t2t_lane_id_equal(const struct t2t_lane_id *a,
                                     const struct t2t_lane_id *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == T2T_ID_TEXT)
        return t2t_text_equal(a->text, b->text);
    return a->kind == T2T_ID_MISSING || a->number == b->number;
}

/*
 * All elements of one side, pid and tid: a thread of the host, a stream of a
 * GPU, or what is beside the tree with the pid and tid of either.
 *
 * `node_count` and `element_count` count different things.  The trees of a
 * thread hold the GPU events that it launched, so node_count has them, but
 * their own lane is the stream: its element_count has them, and its node_count
 * just those without a launch.  How many nodes have a lane as their own is not
 * kept; go through t2t_columns.lane for that.  start_ns and end_ns are about
 * these: of a stream, about all that ran on it.
 */
struct t2t_lane {
    enum t2t_side side;
    struct t2t_lane_id pid;
    struct t2t_lane_id tid;
    struct t2t_text process_name; /* ptr NULL if the trace has none */
    struct t2t_text thread_name;
    t2t_id first_node;      /* its trees (GPU: unlinked roots) are the nodes */
    uint32_t node_count;    /* first_node to first_node + node_count - 1 */
    uint32_t element_count; /* elements whose own lane it is, nodes or not */
    int64_t start_ns;       /* the earliest start of its nodes; 0 if none */
    int64_t end_ns;         /* their latest end */
};

struct t2t_anomaly {
    const char *name; /* such as "missing-duration"; static */
    const char *what; /* a sentence without its stop; static */
    uint64_t count;
    uint64_t first_position; /* in traceEvents; UINT64_MAX if none */
    uint64_t first_offset;   /* byte in the JSON text, or T2T_NO_OFFSET */
    bool is_repair;          /* damage that was repaired: see build.h */
};

/* A part of a damaged document that T2T_SALVAGE gave up. */
struct t2t_loss {
    enum t2t_status status; /* the class of the damage */
    uint64_t damage_offset; /* its first byte in the JSON text */
    uint64_t offset;        /* what was given up begins here ... */
    uint64_t bytes;         /* ... and is so long */
    uint64_t position;      /* of the first element lost; UINT64_MAX if none */
    uint32_t element_count; /* elements lost that have a place in traceEvents:
                               they are there as null */
};

struct t2t_section_info {
    uint32_t id;
    const char *name; /* static; "unknown" for one of a later version */
    uint64_t bytes;
    uint64_t count; /* records */
};

/* Two linked nodes: see t2t_columns. */
struct t2t_pair {
    t2t_id first;
    t2t_id second;
};

/* The duration of an element that 32 bits cannot hold: see t2t_columns. */
struct t2t_long_duration {
    t2t_id id;
    uint32_t zero;
    uint64_t dur_ns;
};

#define T2T_NO_START INT64_MIN          /* in start_ns of t2t_columns */
#define T2T_DURATION_IS_LONG UINT32_MAX /* in dur_ns of t2t_columns */

/*
 * The columns of an index as they are mapped, for those who want arrays: each
 * has one entry an element, by id, but for those said to be of nodes or GPU
 * events.  They are read-only and valid until t2t_index_close().
 *
 * The values are those of the file and are not checked: in a damaged file any
 * of them can be anything.  So either call t2t_index_verify() once, after
 * which every id, string, lane and category below is T2T_NO_ID or within its
 * count, or compare each with its bound before it is used as one;
 * t2t_index_element() checks one element at a time.
 */
struct t2t_columns {
    uint32_t element_count; /* E */
    uint32_t node_count;    /* N, not more than E */
    uint32_t gpu_count;     /* G, not more than N */
    uint32_t long_count;    /* not more than E */
    uint32_t pair_count;    /* not more than N */

    /* Of elements: [E]. */
    const int64_t *start_ns;  /* nanoseconds on the trace's clock.  An element
                                 outside the tree without a readable time has
                                 T2T_NO_START; a node always has a time */
    const uint32_t *dur_ns;   /* nanoseconds; T2T_DURATION_IS_LONG: it is that
                                 of the entry of long_duration with the id */
    const uint32_t *name;     /* string id, see t2t_index_string(), below
                                 string_count; T2T_NO_ID without a name */
    const uint32_t *lane;     /* below lane_count; T2T_NO_ID for an element
                                 that is no object */
    const uint16_t *category; /* below category_count: t2t_index_category() */
    const uint8_t *phase;     /* the character of `ph`; 0 if it is not one */

    /* Of nodes: [N]. */
    const t2t_id *parent; /* below the node's own id; T2T_NO_ID for a root */
    const uint32_t *size; /* nodes of the subtree with itself: 1 to N - id */
    const uint8_t *flags; /* T2T_CROSSED, ...; ignore other bits */
    const uint32_t *gpu_rank; /* [N + 1]: GPU events with a smaller id; so
                                 those below node i are the entries
                                 gpu_rank[i] to gpu_rank[i + size[i]] - 1 of
                                 gpu_node */

    /* Of GPU events. */
    const t2t_id *gpu_node;     /* [G]: their ids, ascending */
    const uint64_t *gpu_sum_ns; /* [G + 1]: nanoseconds of all events before
                                   that entry of gpu_node, modulo 2^64 */

    const struct t2t_long_duration *long_duration; /* [long_count]: by id,
                                                      ascending */
    const struct t2t_pair *forward;  /* [pair_count]: first is the backward
                                        node, second its forward operation; by
                                        first, each at most once */
    const struct t2t_pair *backward; /* [pair_count]: first is the forward
                                        operation, second the backward node;
                                        by first, then second */
};

/*
 * Opens the index at `path`.  Checks header, section table and that each
 * section has the size its count demands; reads no section (t2t_index_verify()
 * does).
 *
 * @param out  set on success; release with t2t_index_close().
 * @param err  filled on failure when not NULL.
 * @return T2T_OK; T2T_ERR_IO; T2T_ERR_INDEX_FORMAT when it is no index;
 *         T2T_ERR_INDEX_VERSION; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_index_open(t2t_index **out, const char *path,
                                       struct t2t_error *err);

/* Unmaps and frees `index`.  NULL is allowed. */
T2T_API void t2t_index_close(t2t_index *index);

/* Fills `out`. */
T2T_API void t2t_index_info(const t2t_index *index, struct t2t_index_info *out);

/*
 * Says that much of the index will be read, such as whole columns.  Otherwise,
 * from t2t_index_open() on, the system reads single pages, so that looking at
 * a few elements of a large index is cheap.  What it says, or leaves unsaid,
 * is about time only; it holds until t2t_index_close().  Any thread.
 */
T2T_API void t2t_index_will_scan(const t2t_index *index);

/*
 * The same of the `bytes` bytes at `from`, which point into a column: see
 * t2t_index_columns().  What is not within the map is ignored.
 */
T2T_API void t2t_index_will_read(const t2t_index *index, const void *from,
                                 size_t bytes);

/* Fills `out` with pointers to the columns and their counts. */
T2T_API void t2t_index_columns(const t2t_index *index, struct t2t_columns *out);

/*
 * Fills `out` with the element `id`.
 *
 * @return T2T_OK; T2T_NOT_FOUND when there is no such id;
 *         T2T_ERR_INDEX_DAMAGE when the file holds an impossible value there.
 */
T2T_API enum t2t_status t2t_index_element(const t2t_index *index, t2t_id id,
                                          struct t2t_element *out);

/* String `string` (a name, ...); ptr NULL when there is none, or damage. */
T2T_API struct t2t_text t2t_index_string(const t2t_index *index,
                                         uint32_t string);

/* The name of element `id`; ptr NULL when it has none, or there is no such id,
 * or damage. */
T2T_API struct t2t_text t2t_index_name(const t2t_index *index, t2t_id id);

/*
 * Sets `*string` to the id of the string that is `text`, all of it, byte by
 * byte, so that names can be compared as numbers.  Looks at all strings, which
 * are few beside the elements.
 *
 * @return T2T_OK; T2T_NOT_FOUND when no element has such a name, argument or
 *         lane; then `*string` is T2T_NO_ID.
 */
T2T_API enum t2t_status t2t_index_find_string(const t2t_index *index,
                                              struct t2t_text text,
                                              uint32_t *string);

/*
 * The first element at or after id `from` whose name is string `string`, or
 * T2T_NO_ID; also when there is no such string.  Reads the names from `from`
 * up to what it answers, so that going on from each answer + 1 reads every
 * name once; say t2t_index_will_read() of t2t_columns.name before that.
 * Elements outside the tree come behind the nodes.
 */
T2T_API t2t_id t2t_index_next_named(const t2t_index *index, uint32_t string,
                                    t2t_id from);

/* The text of a category; ptr NULL for elements without one. */
T2T_API struct t2t_text t2t_index_category(const t2t_index *index,
                                           uint32_t category);

/* The layer of a category. */
T2T_API enum t2t_layer t2t_index_category_layer(const t2t_index *index,
                                                uint32_t category);

/* Fills `out` with lane `lane`; T2T_NOT_FOUND past the last;
 * T2T_ERR_INDEX_DAMAGE. */
T2T_API enum t2t_status t2t_index_lane(const t2t_index *index, uint32_t lane,
                                       struct t2t_lane *out);

/*
 * The lane of a side with a pid and a tid, or T2T_NO_ID.  So the thread on
 * which an annotation was recorded is that of T2T_HOST with the pid and tid of
 * the annotation's lane.  Looks at each lane.
 */
T2T_API uint32_t t2t_index_lane_of(const t2t_index *index, enum t2t_side side,
                                   const struct t2t_lane_id *pid,
                                   const struct t2t_lane_id *tid);

/* ---- the tree and its links ---------------------------------------------- *
 *
 * The functions from here on that return no status never fail.  They answer
 * T2T_NO_ID or 0 for an id that is none and for an element outside the tree.
 * An id that they answer is that of a node, in a damaged file too, where it may
 * be another than it should.
 */

/* The parent of node `id`; T2T_NO_ID for a root. */
T2T_API t2t_id t2t_index_parent(const t2t_index *index, t2t_id id);

/* How many nodes are above node `id`: 0 for a root.  Takes as many steps. */
T2T_API uint32_t t2t_index_depth(const t2t_index *index, t2t_id id);

/* The nearest node of `layer` above node `id`, which is not counted itself, or
 * T2T_NO_ID.  Takes a step for each node between. */
T2T_API t2t_id t2t_index_above(const t2t_index *index, t2t_id id,
                               enum t2t_layer layer);

/* First child of node `id`, or T2T_NO_ID. */
T2T_API t2t_id t2t_index_first_child(const t2t_index *index, t2t_id id);

/* The node after `id` under the same parent, or T2T_NO_ID.  Roots of one lane
 * are no siblings: see t2t_index_next_root(). */
T2T_API t2t_id t2t_index_next_sibling(const t2t_index *index, t2t_id id);

/* The first root at or after node `id`, or T2T_NO_ID. */
T2T_API t2t_id t2t_index_next_root(const t2t_index *index, t2t_id id);

/*
 * What ran on a lane at a time: the innermost node of `lane` whose start is at
 * or before `time_ns` and whose end is behind it, as the tree nests it:
 *   - a node that is T2T_CUT ends with its parent;
 *   - a node that the next call crossed, so that it was taken out from under
 *     it (see "The tree" in doc/architecture.md), ends where that call starts.
 * Of a stream, where GPU events do not nest, it is the one that started last
 * of those that run, of equal starts the larger id, linked or not.
 *
 * On a thread it takes O(log^2) steps of the lane's nodes, and those up the
 * tree; on a stream it looks at every GPU event of the index.
 *
 * @param time_ns  on the trace's clock, as start_ns is.
 */
T2T_API t2t_id t2t_index_at(const t2t_index *index, uint32_t lane,
                            int64_t time_ns);

/* The launch that GPU event `id` comes from; T2T_NO_ID when it has none, and
 * for what is no GPU event.  Constant time. */
T2T_API t2t_id t2t_index_launch(const t2t_index *index, t2t_id id);

/*
 * The n-th GPU event in the subtree of node `id`, n from 0, by id, or
 * T2T_NO_ID past the last; a GPU event is the only one of its own subtree.
 * Those that a launch itself started, if there are launches below it, are
 * those whose t2t_index_launch() it is.  Constant time.
 */
T2T_API t2t_id t2t_index_gpu_event(const t2t_index *index, t2t_id id,
                                   uint32_t n);

/* GPU events in the subtree of node `id`, itself included: 1 for a GPU event;
 * 0 outside the tree.  Constant time. */
T2T_API uint32_t t2t_index_gpu_count(const t2t_index *index, t2t_id id);

/* Sum of their durations, that of `id` itself included if it is one, modulo
 * 2^64.  A sum, not busy time.  Constant time. */
T2T_API uint64_t t2t_index_gpu_sum_ns(const t2t_index *index, t2t_id id);

/*
 * The ids of all GPU events, ascending; `*count` is how many.  Those in the
 * subtree of node `id` are the entries [rank, rank + count) with
 * t2t_index_gpu_rank() and t2t_index_gpu_count() of it.  The ids are those of
 * the file, not checked: t2t_index_element() checks them.
 */
T2T_API const t2t_id *t2t_index_gpu_nodes(const t2t_index *index,
                                          uint32_t *count);

/* GPU events with an id smaller than `id`; all of them for id >= nodes.
 * Constant time. */
T2T_API uint32_t t2t_index_gpu_rank(const t2t_index *index, t2t_id id);

/* The nearest "nn.Module: " frame above node `id`, or T2T_NO_ID.  Takes a step
 * for each node between. */
T2T_API t2t_id t2t_index_module(const t2t_index *index, t2t_id id);

/*
 * Fills modules[id] for all node_count nodes with what t2t_index_module()
 * answers, in linear time.  The caller owns the array.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE when a parent is impossible.
 */
T2T_API enum t2t_status t2t_index_all_modules(const t2t_index *index,
                                              t2t_id *modules,
                                              struct t2t_error *err);

/* Whether the element is a Python frame whose name begins "nn.Module:". */
T2T_API bool t2t_index_is_module(const t2t_index *index, t2t_id id);

/*
 * What the name of a module frame says: "Linear_7" of "nn.Module: Linear_7",
 * and the class, "Linear", which is that without the number.  Both point into
 * the name; one that does not begin with nn.Module: is taken as it is.
 */
T2T_API struct t2t_text t2t_module_frame_name(struct t2t_text name);
T2T_API struct t2t_text t2t_module_class_name(struct t2t_text name);

/*
 * The forward operation of backward node `id`, or T2T_NO_ID.  The backward node
 * of a link is the one named "autograd::engine::evaluate_function: ...", also
 * where the trace's own flow ends at the XyzBackward0 below it.  O(log n) of
 * the links.
 */
T2T_API t2t_id t2t_index_forward(const t2t_index *index, t2t_id id);

/* The n-th backward node of forward operation `id` (n from 0), or T2T_NO_ID.
 * O(log n) of the links, whatever `n`. */
T2T_API t2t_id t2t_index_backward(const t2t_index *index, t2t_id id,
                                  uint32_t n);

/* Fills `out` with the n-th kind of anomaly; T2T_NOT_FOUND past the last. */
T2T_API enum t2t_status t2t_index_anomaly(const t2t_index *index, uint32_t n,
                                          struct t2t_anomaly *out);

/* Fills `out` with the n-th loss, in order of offsets; T2T_NOT_FOUND past the
 * last. */
T2T_API enum t2t_status t2t_index_loss(const t2t_index *index, uint32_t n,
                                       struct t2t_loss *out);

/* Fills `out` with the n-th section; T2T_NOT_FOUND past the last. */
T2T_API enum t2t_status t2t_index_section(const t2t_index *index, uint32_t n,
                                          struct t2t_section_info *out);

/*
 * Fills positions[id], the place in traceEvents, for all element_count ids, or
 * with t2t_index_all_ids() ids[position].  The caller owns the array.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_index_all_positions(const t2t_index *index,
                                                uint32_t *positions,
                                                struct t2t_error *err);
T2T_API enum t2t_status t2t_index_all_ids(const t2t_index *index, t2t_id *ids,
                                          struct t2t_error *err);

/*
 * Reads the whole index: every checksum, every reference, every frame.
 *
 * @return T2T_OK, or T2T_ERR_INDEX_DAMAGE with the offset of the first damage.
 */
T2T_API enum t2t_status t2t_index_verify(const t2t_index *index,
                                         struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
