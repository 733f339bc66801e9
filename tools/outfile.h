/*
 * outfile.h - the file of -o, which is whole or not there.
 *
 * It is written as FILE.tmpPID beside its place and renamed when the command
 * has succeeded; a command that fails or is interrupted leaves FILE as it was.
 * What is no plain file, has several names or another owner, or stands in a
 * folder that cannot be written is written in place.
 *
 * There is one at a time.
 */
#ifndef T2T_OUTFILE_H
#define T2T_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens `path` for writing; NULL leaves the reason in errno. */
FILE *outfile_open(const char *path);

/*
 * After the stream has been closed: gives the file its name when `keep`, else
 * removes it.  False: renaming failed, for the reason in errno.
 */
bool outfile_end(bool keep);

#endif
