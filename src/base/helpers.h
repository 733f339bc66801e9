/*
 * base/helpers.h - who has time to do some of another's work.
 */
#ifndef TT_BASE_HELPERS_H
#define TT_BASE_HELPERS_H

#include <stddef.h>

struct tt_helpers {
    size_t count; /* of threads */
    /* Tells them, on the thread whose work it is, that there is something to do
     * for so many more of them. */
    void (*call)(void *context, unsigned more);
    void *context;
};

#endif
