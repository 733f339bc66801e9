/*
 * remark.h - what is to be known about an index: what was repaired in its
 * trace, what is lost, what its tables will not say.
 *
 * Each remark is a paragraph without a name before it, "repaired: 3 strings
 * ...", whose lines end at the 80th column, or at that of a narrower terminal,
 * and are indented from the second one on.
 */
#ifndef T2T_REMARK_H
#define T2T_REMARK_H

#include <stdio.h>

#include "cmd.h"

#define REMARK_MAX 640u

/* Writes what was repaired, without a stop; empty when nothing was. */
void remark_repairs(char out[REMARK_MAX], const t2t_index *index);

/* Writes what is lost: "2 parts, 512 bytes, 1 event (first at byte 12: utf8)";
 * empty when nothing is. */
void remark_losses(char out[REMARK_MAX], const t2t_index *index);

/* Writes row `row` of t2t_suspects(): "gpu-at-zero 2, first id 7: ...". */
void remark_suspect(char out[REMARK_MAX], const t2t_table *suspects,
                    size_t row);

/* Prints a paragraph, "  LABEL: TEXT". */
void remark_put(FILE *to, const char *label, const char *text);

/* Prints those three to standard error, as far as there is something to say. */
void remark_all(const t2t_index *index);

/* Says in one line what was repaired, if anything was. */
void remark_repaired(const char *name, const t2t_index *index);

/* Says in one line what the index lacks, if it was made with --salvage. */
void remark_salvaged(const char *name, const t2t_index *index);

/* fail() of a build of `name` as it was `asked` for: says what to try, too, for
 * which it takes no more memory and reads no more text than that may. */
int fail_build(const char *name, const struct t2t_error *err,
               const struct t2t_build_options *asked);

/* Says that no private index can be made in `place`; EXIT_MACHINE. */
int no_private(const char *place, const struct t2t_error *err);

#endif
