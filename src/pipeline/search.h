/*
 * pipeline/search.h - where the array of events begins, behind damage before
 * it.
 *
 * There neither depth nor key can be relied on, so each place where the name
 * stands is tried, however it is written: with one quote or none, with escapes,
 * without its colon, without the bracket behind it.  An array that has events
 * and ends with the document, or has no end yet, is the one; of others the
 * longest is, those with events first: one in an object inside of a member ends
 * and something else follows.  Where the name is gone the first event stands
 * for it.
 *
 * Functions of the text alone.
 */
#ifndef TT_PIPELINE_SEARCH_H
#define TT_PIPELINE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct tt_search_found {
    size_t at;  /* where elements begin: behind the bracket, or, where that is
                   missing, at the first element */
    bool named; /* the name stands before it */
};

/*
 * Looks for the array in `text`.
 *
 * @param all  the document ends with it.
 * @return T2T_OK; T2T_END when there is none; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_search_array(const char *text, size_t len, bool all,
                                struct tt_search_found *out);

#endif
