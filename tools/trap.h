/*
 * trap.h - SIGBUS: a file that is mapped becomes shorter, or its disk fails.
 *
 * Traces and indexes are mapped.  When somebody cuts such a file, what is
 * behind its end cannot be read any more, and the system says so by a signal.
 *
 * While an index is built, between trap_begin() and trap_end(), zeros take the
 * place of what is missing and the signal is noted: who works looks at
 * trap_noted() and ends the build, so that nothing is left of it.  At all other
 * times one line says which file it was, the file of interrupt_remove() is
 * removed, and the process ends with EXIT_MACHINE.
 */
#ifndef T2T_TRAP_H
#define T2T_TRAP_H

#include <stdbool.h>

/* Once, when the process begins. */
void trap_set(void);

/* The file that is read now, for the message; NULL: none in particular.  The
 * first 4,000 bytes of it are kept. */
void trap_name(const char *path);

void trap_begin(void);
void trap_end(void);

/* Whether there was such a signal since trap_begin(). */
bool trap_noted(void);

/* What is said about it, without the name of the file. */
extern const char trap_text[];

#endif
