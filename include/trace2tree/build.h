/*
 * build.h - trace in, index out.
 *
 * A build reads the trace once, start to end, in bounded buffers, with as many
 * worker threads as asked for, and writes the index beside its place, without a
 * name where the system has files without one, else as NAME.tmp0 (or 1 and so
 * on), shortened where that is too long; it gets its name when it is whole and
 * on disk.  A build that fails or is canceled leaves what was there before and
 * no other file; so does a process that is killed, but for the second kind of
 * file, which it also is for a moment when there is an index to replace.  Such
 * a file is removed by the next build of that index, once the one that wrote it
 * is gone: they hold a lock on it (flock) while they live.
 *
 * Of builds of one index at the same time each writes a file of its own; the
 * last to end is the one that stays.
 *
 * What has the index's name at the end is replaced, an index or not, also what
 * has appeared since the build began; but for the trace itself, a device, a
 * FIFO or a socket, with which the build is T2T_ERR_USAGE, and a folder.  A
 * caller that minds looks again in the last call of the watch, which comes just
 * before, and cancels.
 *
 * The library touches no signals.  To end a build early, as Ctrl-C should, let
 * the handler set a flag (volatile sig_atomic_t, or an atomic where another
 * thread sets it) and have the progress function answer false when it is set.
 * With t2t_build_from() the reading function must see the flag too if it can
 * wait for long: see t2t_build_read.
 *
 * The index is the same, byte for byte, for any number of workers and any
 * size of chunk.
 */
#ifndef TRACE2TREE_BUILD_H
#define TRACE2TREE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What becomes of a damaged document.
 *
 * Damage inside one value - a backslash that begins no escape, a raw control
 * character, bytes that are no UTF-8, a number that JSON does not have - can be
 * repaired, and so can what the format allows and JSON does not: a comma behind
 * the last event, a bare array without its end.  Repairs are anomalies of the
 * index, counted with the place of the first.  Everything else ends the build.
 */
enum t2t_tolerance {
    T2T_REPAIR = 0,
    T2T_STRICT = 1,  /* repair nothing: any damage ends the build */
    T2T_SALVAGE = 2, /* repair, and where that is not possible give up what is
                        damaged: see t2t_index_loss() */
};

/* A damage of the document. */
struct t2t_damage {
    enum t2t_status status; /* its class: T2T_ERR_JSON_ESCAPE ... */
    uint64_t offset;        /* of the first bad byte in the JSON text; of the
                               gzip and zstd classes in the compressed file */
    uint64_t position;      /* of the element in traceEvents, UINT64_MAX for
                               none */
    bool repaired;          /* else a part of the document is given up: */
    uint64_t lost_offset;   /* where it begins */
    uint64_t lost_bytes;    /* 0: only a comma, an end, or a right checksum
                               was missing */
    uint32_t lost_elements; /* that keep their place, as null */
    const char *reason;     /* of what is given up, such as "a colon must come
                               here", as in t2t_error; static storage, but for
                               the gzip and zstd classes, where it is valid
                               during the call; NULL: the class says it */
};

/*
 * Told of each damage that is repaired, of strings the first of its kind, or
 * given up, in order of the offsets at which that was decided; so the first one
 * that is no repair is what a build without T2T_SALVAGE ends with.  Damage of
 * gzip or zstd data is told where the text before it is known to be right, what
 * is wrong with the text behind that after it, all when everything is read.
 * Called on the thread that called t2t_build(); `damage` is valid during the
 * call.
 */
typedef void t2t_build_tell(void *context, const struct t2t_damage *damage);

/* Something odd that is no damage, as t2t_index_anomaly() counts it. */
struct t2t_odd {
    const char *name;  /* of the kind, such as "no-duration"; static storage */
    uint64_t position; /* of the element in traceEvents, UINT64_MAX for none */
    uint64_t offset;   /* of that in the JSON text; T2T_NO_OFFSET where only the
                          index will tell: t2t_cursor_offset() */
};

/*
 * Told of each odd thing: of those in what elements say in order of the trace,
 * then, in no order that matters, of those in the tree.  Called on the thread
 * that called t2t_build(), for every one, be they millions; `odd` is valid
 * during the call.
 */
typedef void t2t_build_odd(void *context, const struct t2t_odd *odd);

/*
 * What a build does now.  All bytes of the source are read when T2T_READING
 * ends: source_bytes stands at all of them in the phases after it, which take
 * their time, too.
 */
enum t2t_build_phase {
    T2T_READING, /* reading, parsing, putting in order */
    T2T_TREE,    /* nesting and linking; writes most of the index, too */
    T2T_WRITING, /* writing the rest */
    T2T_SYNCING, /* waiting for the disk */
};

/* A phase in words, such as "making the tree".  Static storage; "unknown" for
 * other values. */
T2T_API const char *t2t_build_phase_text(enum t2t_build_phase phase);

/* How far a build is. */
struct t2t_build_progress {
    enum t2t_build_phase phase;
    uint64_t source_bytes;   /* of the source read so far, before
                                decompression */
    uint64_t source_total;   /* all there are: of a file its size, else what
                                t2t_build_options says; 0: not known */
    uint64_t document_bytes; /* of the JSON text parsed so far */
    uint32_t element_count;  /* elements of traceEvents so far */
};

/*
 * Told how far a build is: at the beginning of each phase, about ten times a
 * second, also while a pipe has no data, once before the index gets its name,
 * and once when a build from a function has failed.  Called on the thread that
 * called t2t_build(); calls never overlap. `progress` is valid during the call.
 *
 * @return true to go on; false to cancel: then it is not called again, and the
 *         build ends within a few hundred milliseconds with T2T_ERR_CANCELED,
 *         whatever else happens to it then.
 */
typedef bool t2t_build_watch(void *context,
                             const struct t2t_build_progress *progress);

/* All zero is a good choice. */
struct t2t_build_options {
    unsigned workers;       /* threads at work, the caller's being one; others
                               only read or write for it; 0: one for each
                               processor, at most 16 */
    size_t chunk_bytes;     /* what a worker takes at a time; 0: 128 KiB.  For
                               tests: the result does not depend on it */
    bool no_layouts;        /* read every event the long way.  For tests: only
                               the time it takes depends on it */
    bool no_map;            /* read a plain file in blocks, never map it: no
                               SIGBUS when somebody cuts it meanwhile, see
                               t2t_build(); takes longer */
    uint64_t max_bytes;     /* of the document, decompressed: one that is longer
                               is T2T_ERR_LIMIT, and no more of it is read.  Of
                               a trace that nobody trusts; 0: any number */
    uint64_t memory_bytes;  /* how much memory to take at most, see below; 0: a
                               quarter of the machine's, or of what a container
                               may use */
    t2t_build_watch *watch; /* told of progress, may cancel; NULL: nobody */
    void *watch_context;    /* given to it */
    uint64_t source_total;  /* bytes of a source that does not tell (a pipe, a
                               function), before decompression, if the caller
                               knows: told to the watch, else not used, and
                               not held against the source; 0: not known */
    bool anonymous;         /* leave out whose trace it is, see below */
    enum t2t_tolerance tolerance;
    t2t_build_tell *tell; /* told of damage; NULL: nobody */
    void *tell_context;   /* given to it */
    t2t_build_odd *odd;   /* told of odd things; NULL: nobody */
    void *odd_context;    /* given to it */
};

/*
 * About anonymous: an index so made has no name of its source.  Of the members
 * of the document only these keep their values, all others are null:
 * schemaVersion, deviceProperties, distributedInfo, displayTimeUnit,
 * baseTimeNanoseconds, record_shapes, profile_memory, with_stack, with_flops,
 * with_modules, and the versions of CUDA, CUPTI, HIP and roctracer.  In all
 * strings of elements the folders of absolute paths are "_/":
 * "/home/me/train.py(7): main" is "_/train.py(7): main".  Keys of the document
 * stay, and whatever else names and arguments say.
 */

/*
 * About memory_bytes: what a build keeps of the trace until all is read (60
 * bytes of each event or so, different names and arguments once, 1,000 bytes of
 * each thread and stream) is ordinary memory up to that, less what threads and
 * buffers need (15 MB and 6 for each thread, 68 more for three and more where
 * that fits), but 8 MB at least.  Where it is too little for all threads that
 * are asked for there are fewer.  The rest is in a temporary file without a
 * name in the folder of the index, which the system writes and reads as it sees
 * fit.  So a trace of any size can be built with little memory, given room on
 * that disk.  The result does not depend on it.  An element is held whole while
 * it is read: one of hundreds of megabytes takes several times that, whatever
 * is set.
 */

/* What a build did. */
struct t2t_build_result {
    uint64_t source_bytes;   /* read, before decompression */
    uint64_t document_bytes; /* after decompression */
    uint64_t index_bytes;
    uint32_t element_count; /* elements of traceEvents */
    uint32_t node_count;    /* of them in the tree */
    uint32_t gpu_count;     /* GPU events */
    uint32_t linked_count;  /* of them under a launch */
    uint64_t anomaly_count; /* odd things, see t2t_index_anomaly() */
    uint32_t loss_count;    /* parts given up, see t2t_index_loss() */
    uint32_t lost_count;    /* elements in them that have a place */
    uint64_t lost_bytes;    /* of the document */
    /* Where the time went, wall clock. */
    uint64_t read_ns;  /* reading, parsing, putting in order */
    uint64_t merge_ns; /* nesting, linking, numbering, writing */
    uint64_t sync_ns;  /* waiting for the disk */
};

/*
 * Builds the index `index_path` of the trace `trace_path`: a plain, gzip or
 * zstd file, told by its content, or "-" for standard input.
 *
 * A file that is no longer as it was when the build has read it, by its size
 * and time, is T2T_ERR_IO; one that only lost its name is read as it is.  A
 * plain file is mapped: cut shorter than what is still to be read, or on a disk
 * that fails, it gets the process a SIGBUS.  A program that must live through
 * that sets no_map, or handles the signal, as `t2t` does: it puts other pages
 * there, and its watch cancels the build.
 *
 * @param options  NULL for the defaults.
 * @param result   filled on success when not NULL.
 * @param err      filled on failure when not NULL.
 * @return T2T_OK, or why not: any error of status.h but those of an index;
 *         T2T_ERR_USAGE, too, for a tolerance that is none.
 */
T2T_API enum t2t_status t2t_build(const char *trace_path,
                                  const char *index_path,
                                  const struct t2t_build_options *options,
                                  struct t2t_build_result *result,
                                  struct t2t_error *err);

/*
 * Gives the next bytes of a trace: fills `buf` with up to `cap` bytes.
 *
 * One that may wait for long should not, when the build is canceled: poll() the
 * descriptor with a timeout, or together with one that wakes it, look at the
 * same flag as the watch (an atomic: this is another thread), and return.  What
 * it returns then does not matter: a build from a function that fails asks the
 * watch once more, and where that says false, too, T2T_ERR_CANCELED is the
 * answer and not what came of bytes that were missing.
 *
 * @return how many, 1 to `cap`; 0 at the end; below 0 on failure, which ends
 *         the build with T2T_ERR_IO.  It is not called again after these two.
 */
typedef int64_t t2t_build_read(void *context, void *buf, size_t cap);

/*
 * Builds the index of the bytes that `read` gives, plain, gzip or zstd, told by
 * their content.  It is the same, byte for byte, as that of a pipe with these
 * bytes: without the source's name, size and time.
 *
 * `read` is called on a thread that is not the caller's, the same one for all
 * calls, and never by two at a time.  It is called ahead of need, by some
 * calls, so that bytes may be taken that a build which fails never looks at;
 * but not after t2t_build_from() has returned.  A build that fails or is
 * canceled waits for a call under way to return.
 *
 * @param context  given to `read`.
 * @return as t2t_build(); T2T_ERR_IO when `read` failed.
 */
T2T_API enum t2t_status t2t_build_from(t2t_build_read *read, void *context,
                                       const char *index_path,
                                       const struct t2t_build_options *options,
                                       struct t2t_build_result *result,
                                       struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
