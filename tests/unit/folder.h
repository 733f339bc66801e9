/*
 * folder.h - one scratch folder for all tests of a program, as making them is
 * slow.
 */
#ifndef TT_TEST_FOLDER_H
#define TT_TEST_FOLDER_H

#include "scratch.h"

static struct scratch scratch; /* of all tests */

static inline int make_folder(void **state)
{
    (void)state;
    make_scratch(&scratch);
    return 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove_scratch(&scratch);
    return 0;
}

#endif
