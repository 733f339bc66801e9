/*
 * info.h - the lists that t2t info prints, as tables.
 */
#ifndef T2T_INFO_H
#define T2T_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "node.h"
#include "print.h"

struct info {
    struct nodes nodes;
    struct output out;
    bool whole;               /* print long lists whole */
    bool json;                /* for a program: texts as they are */
    uint32_t linked_count;    /* GPU events under a launch */
    uint32_t *category_count; /* elements of each category, owned */
};

/* Counts what the index does not say; an exit status after a message. */
int info_count(struct info *in);

/* Frees what it holds. */
void info_release(struct info *in);

/*
 * Makes a list.
 *
 * @param table  set to a new table; its name is the key in JSON.
 * @param left   set to the rows left out, as nobody reads that many.
 * @return EXIT_DONE, or another exit status after a message.
 */
typedef int info_list(struct info *in, t2t_table **table, uint64_t *left);

info_list info_anomalies;
info_list info_categories;
info_list info_devices;
info_list info_lanes;
info_list info_losses;
info_list info_members;
info_list info_sections;
info_list info_suspects;

#endif
