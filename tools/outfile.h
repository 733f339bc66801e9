/*
 * outfile.h - the file of -o, which is whole or not there.
 *
 * It is written beside its place, without a name where the system has files
 * without one, else as FILE.t2t-tmp0 (or 1 and so on), and gets its name when
 * the command has succeeded; a command that fails or is interrupted leaves FILE
 * as it was.  A file without a name vanishes however the process ends; one with
 * a temporary name, which it also has for a moment when it replaces another, is
 * left by a process that is killed, and the next one that writes FILE removes
 * it: it is not locked any more.  What is no plain file, has several names or
 * another owner, or stands in a folder that cannot be written is written in
 * place.
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
 * removes it.  False: it could not be named, for the reason in errno.
 */
bool outfile_end(bool keep);

#endif
