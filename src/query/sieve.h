/*
 * query/sieve.h - which GPU events, and which calls, a selection is about.
 */
#ifndef TT_QUERY_SIEVE_H
#define TT_QUERY_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

#include <trace2tree/selection.h>
#include <trace2tree/step.h>

#include "query/gpu.h"

struct tt_sieve {
    const t2t_index *index;
    const struct t2t_selection *selection;
    t2t_steps *steps;  /* or NULL: owned */
    uint8_t *begins;   /* or NULL: see query/module.h; owned */
    t2t_id below;      /* the next node to look at in `begins` */
    t2t_id until;      /* behind the subtrees of the module so far */
    uint32_t lane;     /* the lane asked for last, and ... */
    bool is_on_device; /* ... whether it is of the device */
    bool cut;          /* also events that reach into the window pass; for the
                          caller to set */
};

/*
 * Makes a sieve of a selection, which stays where it is.
 *
 * @param s  release it with tt_sieve_close(), also after a failure.
 * @return T2T_OK; T2T_ERR_USAGE when a module is no path; T2T_ERR_INDEX_DAMAGE;
 *         T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_sieve_open(struct tt_sieve *s, const t2t_index *index,
                              const struct t2t_selection *selection,
                              struct t2t_error *err);
void tt_sieve_close(struct tt_sieve *s);

/*
 * Whether the event passes.  Asked for by ascending ids.  A call of the host is
 * asked for as an event that is its own launch, as it starts there; it is on no
 * device.
 */
bool tt_sieve_passes(struct tt_sieve *s, const struct tt_gpu_event *e);

#endif
