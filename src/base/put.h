/*
 * base/put.h - how a writer to a FILE ends.
 */
#ifndef TT_BASE_PUT_H
#define TT_BASE_PUT_H

#include <stdio.h>

#include "base/status.h"

/*
 * Says that writing failed for `reason`, an errno, 0 if that is not known any
 * more; leaves it in errno.  T2T_ERR_NO_SPACE or T2T_ERR_IO.
 */
enum t2t_status tt_put_failed(int reason, struct t2t_error *err);

/* Flushes `to`; the status says whether all that was printed to it went. */
enum t2t_status tt_put_end(FILE *to, struct t2t_error *err);

#endif
