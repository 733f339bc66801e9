/*
 * pipeline/relay.h - a sink that hands what it gets to another sink, on a
 * thread of its own: while the tree of some events is made, the columns of
 * those before are written.
 *
 * What is taken goes through a bounded queue in blocks, which come back through
 * another.  The other sink is called on the relay's thread only, in the same
 * order.  When it fails, the thread ends, the next block is refused with
 * T2T_ERR_CANCELED, and tt_relay_end() says why.
 */
#ifndef TT_PIPELINE_RELAY_H
#define TT_PIPELINE_RELAY_H

#include <uv.h>

#include "base/bqueue.h"
#include "model/sink.h"

struct tt_relay_block;

struct tt_relay {
    struct tt_sink to;
    struct tt_bqueue full;
    struct tt_bqueue empty;
    struct tt_relay_block *filling; /* owned */
    uv_thread_t thread;
    enum t2t_status status; /* the thread's, until it has ended */
    struct t2t_error error;
};

/*
 * Starts one.
 *
 * @param to   copied; what owns it is the thread's until tt_relay_end().
 * @param out  set to the sink to use instead.
 * @return T2T_OK, and tt_relay_end() must follow; T2T_ERR_NO_MEMORY, and it
 *         must not.
 */
enum t2t_status tt_relay_start(struct tt_relay *relay, const struct tt_sink *to,
                               struct tt_sink *out, struct t2t_error *err);

/*
 * Waits until the thread has passed on what it got, and frees.
 *
 * @param st  how the one who filled it fared.
 * @return what the other sink answered if it failed, else `st`.
 */
enum t2t_status tt_relay_end(struct tt_relay *relay, enum t2t_status st,
                             struct t2t_error *err);

#endif
