/*
 * query/pattern.h - whether names match what a user wrote.
 *
 * A part of a name is looked for in linear time.  A regular expression is
 * matched with limits: each thing that the matcher tries costs a step, and the
 * steps of all names together are bounded, so no expression takes for ever.
 *
 * Initialize, match any number of names, release.  One thread.
 */
#ifndef TT_QUERY_PATTERN_H
#define TT_QUERY_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <trace2tree/find.h>

#include "base/buffer.h"

struct tt_pattern {
    const char *part; /* NULL: any name */
    size_t part_len;
    bool folds;              /* `part` matches in any case */
    struct tt_buffer folded; /* `part` in lower case, if it folds */
    struct tt_buffer text;   /* a name in lower case */

    pcre2_code *code; /* NULL: no regular expression; owned */
    pcre2_match_data *data;
    pcre2_match_context *limits;
    uint64_t steps; /* that are left */
    uint32_t price; /* of a step */
    bool refers;    /* a step may compare as much as a name has */
};

/*
 * Reads what `filter`, which must last, says of names.  Release it whatever is
 * answered.
 *
 * @return T2T_OK; T2T_ERR_USAGE when the regular expression is none or past a
 *         limit; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_pattern_init(struct tt_pattern *p,
                                const struct t2t_filter *filter,
                                struct t2t_error *err);

/* Frees what it holds; all-zero is allowed. */
void tt_pattern_release(struct tt_pattern *p);

/* Whether every name matches. */
bool tt_pattern_is_any(const struct tt_pattern *p);

/*
 * Sets `*matches` to whether the name does.
 *
 * @return T2T_OK; T2T_ERR_USAGE when that passes a limit; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_pattern_match(struct tt_pattern *p, struct t2t_text name,
                                 bool *matches, struct t2t_error *err);

#endif
