/*
 * build.h - trace in, index out.
 *
 * A build reads the trace once, start to end, in bounded buffers, with as many
 * worker threads as asked for, and writes the index under a temporary name
 * beside its place; it is renamed when it is whole and on disk.  A build that
 * fails leaves what was there before and no other file.
 *
 * The index is the same, byte for byte, for any number of workers and any
 * size of chunk.
 */
#ifndef TRACE2TREE_BUILD_H
#define TRACE2TREE_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include <trace2tree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is a good choice. */
struct t2t_build_options {
    unsigned workers;   /* threads that parse; 0: one for each processor */
    size_t chunk_bytes; /* what a worker takes at a time; 0: 128 KiB.  For
                           tests: the result does not depend on it */
};

/* What a build did. */
struct t2t_build_result {
    uint64_t source_bytes;   /* read, as they lie on disk */
    uint64_t document_bytes; /* after decompression */
    uint64_t index_bytes;
    uint32_t element_count; /* elements of traceEvents */
    uint32_t node_count;    /* of them in the tree */
    uint32_t gpu_count;     /* GPU events */
    uint32_t linked_count;  /* of them under a launch */
    uint64_t anomaly_count; /* odd things, see t2t_index_anomaly() */
    /* Where the time went, wall clock. */
    uint64_t read_ns;  /* reading, parsing, putting in order */
    uint64_t merge_ns; /* nesting, linking, numbering, writing */
    uint64_t sync_ns;  /* waiting for the disk */
};

/*
 * Builds the index `index_path` of the trace `trace_path`: a plain, gzip or
 * zstd file, told by its content, or "-" for standard input.
 *
 * @param options  NULL for the defaults.
 * @param result   filled on success when not NULL.
 * @param err      filled on failure when not NULL.
 * @return T2T_OK, or why not: any error of status.h but those of an index.
 */
T2T_API enum t2t_status t2t_build(const char *trace_path,
                                  const char *index_path,
                                  const struct t2t_build_options *options,
                                  struct t2t_build_result *result,
                                  struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
