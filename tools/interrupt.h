/*
 * interrupt.h - SIGINT, SIGTERM and SIGHUP while there is something to clean
 * up.
 *
 * Between interrupt_begin() and interrupt_end() the first of these signals is
 * noted: who works looks at interrupt_noted() from time to time, cleans up and
 * leaves with interrupt_exit().  The same signal again ends the process at
 * once.  Signals that were ignored, as nohup does, stay so.
 *
 * At all other times they end the process, as they always do, after the file
 * of interrupt_remove() has been removed.
 */
#ifndef T2T_INTERRUPT_H
#define T2T_INTERRUPT_H

#include <stdbool.h>

void interrupt_begin(void);
void interrupt_end(void);

/* Whether there was a signal since interrupt_begin(). */
bool interrupt_noted(void);

/* Prints "t2t: interrupted" and returns 128 and the number of the signal:
 * EXIT_INTERRUPTED for SIGINT, 143 for SIGTERM, 129 for SIGHUP. */
int interrupt_exit(void);

/* The file to remove when a signal ends the process; NULL for none.  The path
 * stays the caller's and must stay until the next call. */
void interrupt_remove(const char *path);

/* Lets these signals wait for interrupt_resume(): for a moment in which a file
 * has a name that nobody is told of. */
void interrupt_hold(void);
void interrupt_resume(void);

/* Removes that file; a handler of signals may call it. */
void interrupt_clean(void);

#endif
