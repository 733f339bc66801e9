/* put.c - what became of what was written. */
#include "base/put.h"

#include <errno.h>
#include <string.h>

enum t2t_status tt_put_failed(int reason, struct t2t_error *err)
{
    enum t2t_status code = T2T_ERR_IO;

    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        code = T2T_ERR_NO_SPACE;
    (void)tt_error(err, code, TT_NO_OFFSET, "cannot write: %s",
                   reason ? strerror(reason) : "an earlier write failed");
    errno = reason;
    return code;
}

enum t2t_status tt_put_end(FILE *to, struct t2t_error *err)
{
    errno = 0;
    if (!fflush(to) && !ferror(to))
        return T2T_OK;
    return tt_put_failed(errno, err);
}
