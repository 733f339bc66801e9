/*
 * query/group.h - members that have a key in common: the rows of most tables.
 */
#ifndef TT_QUERY_GROUP_H
#define TT_QUERY_GROUP_H

#include <stdint.h>

#include "base/intern.h"

#include <trace2tree/status.h>

/* A group is numbered when its first member comes. */
struct tt_group {
    uint32_t count; /* members */
    uint32_t first; /* the number of the member that came first, ... */
    uint32_t place; /* ... and its place, if ties are settled by places */
    unsigned __int128 amount; /* by which groups are ranked */
    uint32_t start;           /* where its members are in tt_groups.member */
    uint32_t ordinal;         /* its number, which is also that of its key */
};

struct tt_groups {
    struct tt_intern key;  /* numbers of keys are numbers of groups */
    struct tt_group *item; /* by number until they are ranked; owned */
    size_t cap;
    uint32_t count;
    uint32_t *of; /* group of each member, in the order they came; owned */
    size_t of_cap;
    uint32_t members;
    uint32_t *member; /* by group, in the order they came; owned; NULL until
                         tt_groups_collect() */
    unsigned __int128 total; /* of all amounts */
};

/* An all-zero struct has no group yet. */
void tt_groups_release(struct tt_groups *g);

/* Adds the next member, of the group with this key, and its amount. */
enum t2t_status tt_groups_add(struct tt_groups *g, const void *key,
                              size_t key_bytes, uint64_t amount,
                              struct t2t_error *err);

/* Lists the members of each group in g->member. */
enum t2t_status tt_groups_collect(struct tt_groups *g, struct t2t_error *err);

/*
 * Settles the places by position: that of a group is the smallest of its
 * members', position[i] being that of the i-th; then ranks them.
 */
void tt_groups_rank_by_place(struct tt_groups *g, const uint32_t *position);

/* Frees what only adding and ranking need, the keys and g->of, once that is
 * done: where nearly each member is a group, that is much. */
void tt_groups_trim(struct tt_groups *g);

/* Orders the groups: the largest amount first, of equal ones the smallest
 * place. */
void tt_groups_rank(struct tt_groups *g);

#endif
