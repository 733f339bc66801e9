/*
 * odds.h - what is odd in a trace without being damaged: each place, by kind.
 *
 * Made while an index is built, printed when it is there.
 */
#ifndef T2T_ODDS_H
#define T2T_ODDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <trace2tree/trace2tree.h>

#include "json.h"

enum { ODDS_KINDS = 32, ODDS_FEW = 4 };

/* Where something odd is. */
struct odds_place {
    uint64_t position; /* UINT64_MAX: of no element */
    uint64_t offset;   /* T2T_NO_OFFSET until odds_settle() */
};

struct odds_kind {
    const char *name;
    struct odds_place *place; /* owned; sorted in the end */
    size_t count;
    size_t cap;
};

/* All-zero but for `all` is ready. */
struct odds {
    bool all; /* keep all places, not only the first few of each kind */
    bool failed;
    struct odds_kind kind[ODDS_KINDS];
    unsigned kinds;
};

/* Takes one; a t2t_build_odd. */
void odds_add(void *odds, const struct t2t_odd *odd);

/* Sorts the places and asks the index for offsets. */
enum t2t_status odds_settle(struct odds *o, const t2t_index *index,
                            struct t2t_error *err);

/* Prints a line for each kind and, with `all`, for each place, to begin with
 * the name of the trace. */
void odds_print(const struct odds *o, FILE *to, const char *name,
                const t2t_index *index);

/* Prints the member "odd"; an empty list without an index. */
void odds_json(const struct odds *o, struct json *j, const t2t_index *index);

void odds_release(struct odds *o);

#endif
