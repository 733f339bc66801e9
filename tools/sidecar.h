/*
 * sidecar.h - the index that stands beside a trace, under the trace's name with
 * ".t2t" behind it.
 */
#ifndef T2T_SIDECAR_H
#define T2T_SIDECAR_H

#include <stdbool.h>

#include <trace2tree/trace2tree.h>

#define INDEX_SUFFIX ".t2t"

/* `name` with ".t2t" behind it, to be freed; NULL when memory is short. */
char *sidecar_of(const char *name);

/* What is where the index of a trace goes. */
enum sidecar {
    SIDECAR_NONE,     /* nothing, or an empty file */
    SIDECAR_FITS,     /* an index of the trace as it is now */
    SIDECAR_OTHER,    /* an index of something else */
    SIDECAR_BAD,      /* an index that cannot be read: damage, a version */
    SIDECAR_NO_INDEX, /* something that is no index */
    SIDECAR_UNKNOWN,  /* what that is the system does not tell: no permission,
                         no memory, an error of the disk */
};

/*
 * Looks at `path`, where the index of `trace` is or will be.  Only what is one
 * of the first four may be replaced without being asked to.
 *
 * @param index  set to the open index when it fits or is of something else.
 * @param err    filled with why an index cannot be read.
 */
enum sidecar sidecar_look(const char *trace, const char *path,
                          t2t_index **index, struct t2t_error *err);

/* Whether an index may get the name `path` without being asked to: nothing is
 * there, or an index. */
bool sidecar_is_free(const char *path);

/* Whether `path` is a plain file or nothing at all, which a rename replaces
 * without surprise; a link is not. */
bool sidecar_may_replace(const char *path);

/* Whether the index was made of the file `path` as it is now. */
bool index_fits(const t2t_index *index, const char *path);

/*
 * Whether the file `path` is, or may be, the trace of the index at
 * `index_path`, which may have changed since: it fits, or is the file beside
 * the index that has the index's name without ".t2t", or the source's name.
 */
bool is_trace_of(const t2t_index *index, const char *index_path,
                 const char *path);

/* Whether the file is an index, be it damaged. */
bool is_index(const char *path);

/* The name of the trace beside which an index at `path` stands, to be freed;
 * NULL when the name does not end in ".t2t" or memory is short. */
char *trace_of(const char *path);

/* Whether two paths name one file that is there. */
bool same_file(const char *a, const char *b);

/* Whether a file begins as a trace does: with a bracket, or as gzip or zstd. */
bool looks_like_trace(const char *path);

/* Whether a file is no trace, but may have been meant as one: it is empty or
 * blank, or begins as UTF-16 or UTF-32.  What is wrong a build says. */
bool looks_like_text(const char *path);

/* Whether a file that is no index has been one: what carries it as text changes
 * the bytes around the letters of its beginning. */
bool was_index(const char *path);

/* Whether a file names the events of a trace in its first 4 KB. */
bool names_events(const char *path);

#endif
