/* interrupt.c - notes signals, or removes a file before they end it all. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

static struct sigaction before[SIGNAL_COUNT];
static volatile sig_atomic_t noted;         /* number of the signal, or 0 */
static const char *volatile file_to_remove; /* or NULL */
static sigset_t mask_before;                /* interrupt_hold() */

static void note(int number)
{
    noted = number;
}

void interrupt_clean(void)
{
    const char *path = file_to_remove;

    if (path)
        (void)unlink(path);
}

/* The default action comes when the handler has returned. */
static void remove_file(int number)
{
    interrupt_clean();
    (void)raise(number);
}

/* Sets what a signal does, once, unless it is ignored. */
static void set_action(int number, void (*handler)(int), struct sigaction *old)
{
    struct sigaction action = {.sa_handler = handler};

    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    if (!sigaction(number, NULL, old) && old->sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

void interrupt_begin(void)
{
    noted = 0;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        set_action(signals[i], note, &before[i]);
}

void interrupt_end(void)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        (void)sigaction(signals[i], &before[i], NULL);
}

bool interrupt_noted(void)
{
    return noted != 0;
}

int interrupt_exit(void)
{
    (void)fputs("t2t: interrupted\n", stderr);
    return 128 + noted;
}

void interrupt_remove(const char *path)
{
    struct sigaction old;

    file_to_remove = path;
    for (size_t i = 0; path && i < SIGNAL_COUNT; i++)
        set_action(signals[i], remove_file, &old);
}

void interrupt_hold(void)
{
    sigset_t mask;

    (void)sigemptyset(&mask);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        (void)sigaddset(&mask, signals[i]);
    (void)pthread_sigmask(SIG_BLOCK, &mask, &mask_before);
}

void interrupt_resume(void)
{
    (void)pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}
