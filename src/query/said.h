/*
 * query/said.h - arguments of many elements, as numbers of texts.
 */
#ifndef TT_QUERY_SAID_H
#define TT_QUERY_SAID_H

#include <trace2tree/index.h>

#include "base/intern.h"

/*
 * Fills number[i * keys + k] with the number in `texts` of argument key[k] of
 * element id[i], compact JSON, "null" where it has no such argument.  Goes
 * through them in the order of the trace, so that each frame of the index is
 * unpacked once.
 *
 * @param id  T2T_NO_ID has no argument.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_LIMIT; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_said(const t2t_index *index, const t2t_id *id,
                        uint32_t count, const char *const *key, uint32_t keys,
                        struct tt_intern *texts, uint32_t *number,
                        struct t2t_error *err);

/* The text of a number. */
static inline struct t2t_text tt_said_text(const struct tt_intern *texts,
                                           uint32_t number)
{
    return (struct t2t_text){texts->item[number].ptr, texts->item[number].len};
}

#endif
