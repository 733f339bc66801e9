/* build.c - t2t_build(): wires document, tree and writer. */
#include "pipeline/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "pipeline/document.h"

#define CHUNK_BYTES ((size_t)128 << 10)
/* Few steps are quicker, above all for gzip; but who waits for a pipe has what
 * has come of it at once. */
#define BLOCK_CHUNKS 8
#define MAX_WORKERS 1024u

/* More than this nobody asked for are of no use: what three or four decode is
 * all that the builder can take in, and decompressing takes some more. */
#define MOST_BY_DEFAULT 16u
/* What is not in base/memory: see build.h. */
#define BUFFER_BYTES ((uint64_t)15 << 20)
#define WORKER_BYTES ((uint64_t)6 << 20)
#define LEAST_ARRAYS ((uint64_t)8 << 20)
#define HELPING_BYTES ((uint64_t)TT_HELPED_BYTES + TT_WRITER_HELPED_BYTES)

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* ---- progress ------------------------------------------------------------ */

const char *t2t_build_phase_text(enum t2t_build_phase phase)
{
    switch (phase) {
    case T2T_READING:
        return "reading";
    case T2T_TREE:
        return "making the tree";
    case T2T_WRITING:
        return "writing the index";
    case T2T_SYNCING:
        return "waiting for the disk";
    }
    return "unknown";
}

/* Tells the caller how far the build is; the watcher of b->watch. */
static bool tell(void *arg)
{
    struct tt_build *b = arg;
    struct t2t_build_progress p = {
        .phase = b->phase,
        .source_total = b->source_total,
        .document_bytes = b->parsed,
        .element_count = b->trace.element_count,
    };

    if (b->facts) {
        if (b->facts->bytes)
            p.source_total = b->facts->bytes;
        /* of mapped text nobody reads more than the head: what is parsed
         * counts */
        p.source_bytes =
            b->facts->mapped ? b->parsed : tt_watch_bytes(&b->watch);
    }
    return b->told(b->told_context, &p);
}

enum t2t_status tt_build_enter(struct tt_build *b, enum t2t_build_phase phase,
                               struct t2t_error *err)
{
    b->phase = phase;
    return tt_watch_now(&b->watch) ? T2T_OK : tt_watch_stopped(err);
}

/* Asks, when `at` bytes of the document are parsed. */
enum t2t_status tt_build_advance(struct tt_build *b, uint64_t at,
                                 struct t2t_error *err)
{
    b->parsed = at;
    return tt_watch_go_on(&b->watch) ? T2T_OK : tt_watch_stopped(err);
}

/* ---- the index ----------------------------------------------------------- */

static enum t2t_status describe_lanes(struct tt_build *b, struct t2t_error *err)
{
    const struct tt_trace *t = &b->trace;

    b->lanes = t->lane_count + 1;
    b->lane = tt_memory_take(&b->memory, b->lanes * sizeof(*b->lane));
    if (!b->lane)
        return no_memory(err);
    for (size_t i = 0; i < t->lane_count; i++) {
        uint32_t number = b->tree.lane[i];
        const struct tt_lane *lane = &t->lanes.lane[number];
        const struct tt_lane_events *l = &t->lane[number];
        const uint32_t *process =
            tt_idmap_get(&t->process_names, lane->pid.kind, lane->pid.value);

        b->lane[i] = (struct tt_lane_record){
            .side = lane->side,
            .pid_kind = lane->pid.kind,
            .tid_kind = lane->tid.kind,
            .pid = lane->pid.value,
            .tid = lane->tid.value,
            .process_name = process ? *process : TT_NONE,
            .thread_name = t->thread[l->thread].name,
            .first_node = l->node_count ? l->first_node : t->node_count,
            .node_count = l->node_count,
            .element_count = l->element_count,
            .start_ns = l->start_ns,
            .end_ns = l->end_ns,
        };
    }
    return T2T_OK;
}

/* How many strips are under way with so many to help. */
static size_t strips_of(size_t helpers)
{
    size_t strips = helpers ? 2 + 2 * helpers : 0;

    return strips < TT_STITCH_STRIPS ? strips : TT_STITCH_STRIPS;
}

/* Makes the tree; others nest and write the columns meanwhile, unless one
 * thread is asked for. */
static enum t2t_status make_tree(struct tt_build *b, struct t2t_error *err)
{
    const struct tt_trace *t = &b->trace;
    struct tt_stitching how = {.tasks = &b->tasks, .events = TT_STITCH_EVENTS};
    struct tt_sink sink;
    enum t2t_status st = tt_build_enter(b, T2T_TREE, err);

    if (!st)
        st = tt_writer_end_elements(b->writer, err);
    if (st)
        return st;
    tt_hands_start(&b->hands, &b->tasks, b->crew.workers - 1);
    tt_writer_invite(b->writer, &b->hands.helpers);
    how.strips = strips_of(b->hands.helpers.count);
    st = tt_writer_begin_columns(b->writer, t->element_count, t->node_count,
                                 t->gpu_count, &sink, err);
    if (!st)
        st = tt_tree_make(&b->tree, &b->trace, &how, &sink, err);
    return st ? st : describe_lanes(b, err);
}

_Static_assert(sizeof(struct tt_link) == sizeof(struct tt_pair),
               "a link is a pair: backward, then forward");

static enum t2t_status write_rest(struct tt_build *b, struct t2t_error *err)
{
    struct tt_trace *t = &b->trace;
    struct tt_rest rest = {
        .sizes = b->tree.size,
        .strings = &t->strings,
        .shapes = t->shapes.string,
        .shape_count = t->shapes.count,
        .categories = t->categories.string,
        .category_count = t->categories.count,
        .lanes = b->lane,
        .lane_count = t->lane_count,
        .forward = (const struct tt_pair *)b->tree.flows.link,
        .forward_count = b->tree.flows.links,
        .members = b->assembly.envelope.member,
        .member_count = b->assembly.envelope.members,
        .array = b->assembly.envelope.array,
        .losses = b->assembly.damage.loss,
        .loss_count = b->assembly.damage.losses,
        .anomalies = &t->anomalies,
        .source_name = b->anonymous ? "" : b->facts->name,
    };
    enum t2t_status st = tt_build_enter(b, T2T_WRITING, err);

    return st ? st : tt_writer_finish(b->writer, &rest, err);
}

static void fill_header(struct tt_build *b)
{
    struct tt_header *h = &b->header;

    h->source_bytes = b->facts->bytes;
    h->source_mtime_ns = b->facts->mtime_ns;
    h->document_bytes = b->crew.at;
    h->element_count = b->trace.element_count;
    h->node_count = b->trace.node_count;
    h->origin_ns = b->tree.origin_ns;
    h->last_end_ns = b->tree.last_end_ns;
    memcpy(h->writer, "trace2tree " PACKAGE_VERSION,
           sizeof("trace2tree " PACKAGE_VERSION));
}

static void fill_result(struct tt_build *b)
{
    struct t2t_build_result *r = &b->result;

    r->source_bytes = tt_source_consumed(b->source);
    r->document_bytes = b->crew.at;
    r->element_count = b->trace.element_count;
    r->node_count = b->trace.node_count;
    r->gpu_count = b->trace.gpu_count;
    for (size_t i = 0; i < b->trace.launches.count; i++)
        r->linked_count += tt_trace_launch(&b->trace, i)->count;
    r->loss_count = (uint32_t)b->assembly.damage.losses;
    for (size_t i = 0; i < b->assembly.damage.losses; i++) {
        r->lost_bytes += b->assembly.damage.loss[i].bytes;
        r->lost_count += b->assembly.damage.loss[i].elements;
    }
    for (unsigned i = 0; i < TT_ANOMALY_COUNT; i++)
        r->anomaly_count += b->trace.anomalies.count[i];
}

static void drop_events(void *trace)
{
    tt_trace_drop_events(trace);
}

/* Syncs and renames.  While the disk is waited for, the events are freed, which
 * takes a while too, unless one thread is asked for. */
static enum t2t_status commit(struct tt_build *b, struct t2t_error *err)
{
    uv_thread_t thread;
    bool beside = b->crew.workers > 1 &&
                  !uv_thread_create(&thread, drop_events, &b->trace);
    enum t2t_status st =
        tt_writer_commit(b->writer, &b->header, &b->result.index_bytes,
                         &b->result.sync_ns, err);

    if (beside)
        (void)uv_thread_join(&thread);
    return st;
}

static enum t2t_status run(struct tt_build *b, struct t2t_error *err)
{
    uint64_t start = uv_hrtime();
    uint64_t read;
    enum t2t_status st = tt_document_read(b, err);

    read = uv_hrtime();
    if (!st)
        st = make_tree(b, err);
    if (!st)
        st = write_rest(b, err);
    tt_hands_end(&b->hands);
    if (st)
        return st;
    fill_header(b);
    fill_result(b);
    b->result.read_ns = read - start;
    b->result.merge_ns = uv_hrtime() - read;
    st = tt_build_enter(b, T2T_SYNCING, err);
    return st ? st : commit(b, err);
}

/* How the memory that a build may take is divided. */
struct shares {
    size_t workers; /* as many as are wanted, but no more than fit */
    bool helping;   /* text may be decompressed ahead, frames be compressed */
    size_t arrays;  /* ordinary memory for what grows with the trace */
};

static size_t wanted_workers(const struct t2t_build_options *options)
{
    unsigned workers = options ? options->workers : 0;

    if (!workers) {
        workers = uv_available_parallelism();
        return workers < MOST_BY_DEFAULT ? workers : MOST_BY_DEFAULT;
    }
    return workers < MAX_WORKERS ? workers : MAX_WORKERS;
}

static uint64_t allowed_bytes(const struct t2t_build_options *options)
{
    uint64_t all = uv_get_total_memory();
    uint64_t limit = uv_get_constrained_memory();

    if (options && options->memory_bytes)
        return options->memory_bytes;
    return (limit && limit < all ? limit : all) / 4;
}

static struct shares divide(const struct t2t_build_options *options)
{
    uint64_t all = allowed_bytes(options);
    uint64_t most = all > BUFFER_BYTES + LEAST_ARRAYS
                        ? (all - BUFFER_BYTES - LEAST_ARRAYS) / WORKER_BYTES
                        : 0;
    struct shares s = {.workers = wanted_workers(options)};
    uint64_t others;

    if (s.workers > most)
        s.workers = most ? (size_t)most : 1;
    others = BUFFER_BYTES + s.workers * WORKER_BYTES;
    s.helping = s.workers >= TT_CREW_HELPING &&
                all >= others + HELPING_BYTES + LEAST_ARRAYS;
    if (s.helping)
        others += HELPING_BYTES;
    all = all > others + LEAST_ARRAYS ? all - others : LEAST_ARRAYS;
    s.arrays = all < SIZE_MAX ? (size_t)all : SIZE_MAX;
    return s;
}

/* Says of each odd thing what the caller is to know; of repairs he is told as
 * damage. */
static void hear(void *arg, enum tt_anomaly kind, uint64_t position,
                 uint64_t offset)
{
    const struct tt_build *b = arg;
    struct t2t_odd odd = {.name = tt_anomaly_name(kind),
                          .position = position,
                          .offset = offset};

    if (!tt_anomaly_is_repair(kind))
        b->odd(b->odd_context, &odd);
}

/* Makes the parts; `b` is all zero.  What was made is in it. */
static enum t2t_status set_up(struct tt_build *b, const char *index_path,
                              const struct t2t_build_options *options,
                              struct t2t_error *err)
{
    struct shares shares = divide(options);
    size_t chunk =
        options && options->chunk_bytes ? options->chunk_bytes : CHUNK_BYTES;
    struct t2t_build_options told = {.workers = 0};
    enum t2t_status st;

    if (options)
        told = *options;
    if (told.tell) {
        b->tell = told.tell;
        b->tell_context = told.tell_context;
        told.tell = tt_document_damaged;
        told.tell_context = b;
    }
    tt_trace_init(&b->trace, &b->memory);
    b->trace.watch = &b->watch;
    b->odd = told.odd;
    b->odd_context = told.odd_context;
    if (b->odd)
        b->trace.anomalies.listener = (struct tt_anomaly_listener){hear, b};
    b->inbox = tt_inbox_create(&b->trace, shares.workers + 1);
    if (!b->inbox)
        return no_memory(err);
    st = tt_writer_create(&b->writer, index_path, &b->tasks, err);
    if (st)
        return st;
    tt_writer_set_watch(b->writer, &b->watch);
    tt_writer_set_memory(b->writer, &b->memory);
    st = tt_crew_init(&b->crew, shares.workers, chunk, told.no_layouts, err);
    if (st)
        return st;
    b->crew.watch = &b->watch;
    b->crew.helping = shares.helping;
    b->crew.writer = b->writer;
    b->crew.tasks = &b->tasks;
    if (told.anonymous)
        tt_inbox_be_discreet(b->inbox);
    if (b->facts->compressed)
        b->crew.block_bytes = chunk * BLOCK_CHUNKS;
    st = tt_assembly_init(&b->assembly, &b->trace, b->inbox, shares.workers,
                          b->writer, &told, err);
    if (!st)
        st = run(b, err);
    tt_assembly_release(&b->assembly);
    tt_crew_release(&b->crew);
    return st;
}

/* Where the trace is: a path, or a function. */
struct origin {
    const char *path;
    bool no_map;
    uint64_t most; /* bytes of the document; 0: any */
    t2t_build_read *read;
    void *context;
};

static enum t2t_status open_source(struct tt_build *b,
                                   const struct origin *from,
                                   struct t2t_error *err)
{
    struct tt_source_terms terms = {.path = from->path,
                                    .no_map = from->no_map,
                                    .most = from->most};
    enum t2t_status st = T2T_OK;

    if (!from->path) {
        st = tt_pump_start(&b->pump, from->read, from->context, &b->watch, err);
        terms.reader = &b->pump.reader;
    }
    return st ? st : tt_source_open_on(&b->source, &terms, &b->watch, err);
}

/* Whether a build that failed was canceled.  The caller's function may have
 * seen that it should be, and failed, before its watch was asked again. */
static bool is_canceled(struct tt_build *b)
{
    return b->pump.all ? !tt_watch_now(&b->watch)
                       : tt_watch_is_canceled(&b->watch);
}

/* Memory was short because the file for the rest of it failed. */
static enum t2t_status no_room(const struct tt_build *b, struct t2t_error *err)
{
    int reason = b->memory.reason;
    enum t2t_status code = T2T_ERR_IO;

    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        code = T2T_ERR_NO_SPACE;
    else if (reason == ENOMEM)
        code = T2T_ERR_NO_MEMORY;
    return tt_error(err, code, TT_NO_OFFSET,
                    "cannot set aside a temporary file for what does not fit "
                    "the memory: %s",
                    strerror(reason));
}

static struct tt_build *create(const char *index_path,
                               const struct t2t_build_options *options)
{
    struct tt_build *b = calloc(1, sizeof(*b));

    if (!b || tt_tasks_init(&b->tasks)) {
        free(b);
        return NULL;
    }
    if (!tt_memory_init(&b->memory, index_path, divide(options).arrays)) {
        tt_tasks_release(&b->tasks);
        free(b);
        return NULL;
    }
    if (options) {
        b->told = options->watch;
        b->told_context = options->watch_context;
        b->source_total = options->source_total;
        b->anonymous = options->anonymous;
    }
    tt_watch_init(&b->watch, b->told ? tell : NULL, b);
    return b;
}

static void end(struct tt_build *b)
{
    tt_tree_release(&b->tree);
    tt_trace_release(&b->trace);
    tt_inbox_free(b->inbox);
    tt_writer_free(b->writer);
    tt_memory_give(&b->memory, b->lane, b->lanes * sizeof(*b->lane));
    tt_source_close(b->source);
    tt_pump_stop(&b->pump);
    tt_memory_release(&b->memory);
    tt_tasks_release(&b->tasks);
    free(b);
}

static enum t2t_status build(const struct origin *from, const char *index_path,
                             const struct t2t_build_options *options,
                             struct t2t_build_result *result,
                             struct t2t_error *err)
{
    struct tt_build *b;
    enum t2t_status st;

    if (options && (unsigned)options->tolerance > T2T_SALVAGE)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                        "no such tolerance: %d", (int)options->tolerance);
    b = create(index_path, options);
    if (!b)
        return no_memory(err);
    st = open_source(b, from, err);
    if (!st && tt_source_is_at(b->source, index_path))
        st = tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                      "the index would replace the trace");
    if (!st) {
        b->facts = tt_source_facts(b->source);
        st = set_up(b, index_path, options, err);
    }
    if (st == T2T_ERR_NO_MEMORY && b->memory.reason)
        st = no_room(b, err);
    if (st && is_canceled(b))
        st = tt_watch_stopped(err);
    if (!st && result)
        *result = b->result;
    end(b);
    return st;
}

enum t2t_status t2t_build(const char *trace_path, const char *index_path,
                          const struct t2t_build_options *options,
                          struct t2t_build_result *result,
                          struct t2t_error *err)
{
    struct origin from = {.path = trace_path,
                          .no_map = options && options->no_map,
                          .most = options ? options->max_bytes : 0};

    return build(&from, index_path, options, result, err);
}

enum t2t_status t2t_build_from(t2t_build_read *read, void *context,
                               const char *index_path,
                               const struct t2t_build_options *options,
                               struct t2t_build_result *result,
                               struct t2t_error *err)
{
    struct origin from = {.read = read,
                          .context = context,
                          .most = options ? options->max_bytes : 0};

    return build(&from, index_path, options, result, err);
}
