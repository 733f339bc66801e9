/*
 * find.h - the elements of an index that a filter lets through.
 *
 * A search goes once through the index.  It only reads, so any number of
 * threads may search one open index.
 */
#ifndef TRACE2TREE_FIND_H
#define TRACE2TREE_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/index.h>

#ifdef __cplusplus
extern "C" {
#endif

enum t2t_find_order {
    T2T_BY_ID = 0,
    T2T_BY_DURATION, /* the longest first */
    T2T_BY_GPU_SUM,  /* the largest t2t_index_gpu_sum_ns() first */
    T2T_BY_START,    /* the earliest first; those without a start last */
};

#define T2T_MODULE_PATH_MAX 64 /* frames of a path */

/*
 * What is looked for: whatever passes all that is set.  All zero: every node
 * of the tree, in order of id.  Texts are UTF-8, end with a NUL, and may be
 * NULL or "" for "any".
 */
struct t2t_filter {
    const char *name; /* a part of the name */

    /*
     * A Perl-compatible regular expression (pcre2pattern(3)) that matches a
     * part of the name, in UTF-8 whatever the locale.  Bytes of a name that are
     * no UTF-8 match nothing.  At most 4,096 bytes, and 100 parentheses in each
     * other; what it may try on a name, and on all of them, is limited.
     */
    const char *regex;

    bool ignore_case; /* of `name`, for ASCII letters, and of `regex` */

    const char *category; /* the whole of it, such as "cpu_op" */

    enum t2t_layer layer; /* T2T_LAYER_NONE: any */

    /*
     * A module: its frame with or without "nn.Module: " ("Linear_7"), its class
     * ("Linear": any frame of it), or a path of those ("Model_0/Block_3"), each
     * the nearest module above the next; a / in a name is written \/, and a
     * backslash \\.  Lets through the frames themselves
     * and all below them; and below an event, on the way up, whose forward
     * link leads to an operation below such a frame.
     */
    const char *module;

    uint64_t min_dur_ns;

    bool between;    /* whether from_ns and to_ns count: */
    int64_t from_ns; /* starts at it or later; on the trace's clock, as
                        start_ns of an element */
    int64_t to_ns;   /* starts before it */

    bool outside; /* also elements outside the tree */

    enum t2t_find_order order; /* ties by id */

    uint32_t top; /* at most so many, the first ones; 0: all */
};

/*
 * Finds what passes `filter`.  Takes time in proportion to the elements of the
 * index, and memory to `top`, or to what is found when that is 0.
 *
 * @param filter   NULL: every node.
 * @param ids      set on success to a new array, in the order asked for; to be
 *                 freed with free().  Not NULL, even when nothing is found.
 * @param count    set to its length.
 * @param matched  set to how many pass, `count` or more; may be NULL.
 * @return T2T_OK; T2T_ERR_USAGE when the regular expression, the path, the
 *         layer or the order is none, or the expression passes a limit, with
 *         the reason in `err`; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_find(const t2t_index *index,
                                 const struct t2t_filter *filter, t2t_id **ids,
                                 uint32_t *count, uint32_t *matched,
                                 struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
