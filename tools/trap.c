/* trap.c - puts zeros in the place of what is missing, or ends it all. */
#include "trap.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd.h"
#include "interrupt.h"

const char trap_text[] = "the file was cut while it was read, or its disk "
                         "fails";

static volatile sig_atomic_t building;
static volatile sig_atomic_t noted;
static char named[4001]; /* printable, for the message */
static uintptr_t page;   /* bytes of one */

/* Puts a page of zeros at `address`. */
static bool cover(void *address)
{
    char *at = (char *)address - (uintptr_t)address % page;

    return mmap(at, page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
}

static void put(const char *text)
{
    size_t len = strlen(text);
    ssize_t n = 1;

    for (; len && n > 0; len -= (size_t)n) {
        n = write(STDERR_FILENO, text, len);
        text += n > 0 ? n : 0;
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code != BUS_ADRERR) { /* no file: what always happens */
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    if (building && cover(info->si_addr)) {
        noted = 1;
        return;
    }
    put("t2t: ");
    put(named);
    put(*named ? ": io: " : "io: ");
    put(trap_text);
    put("\n");
    interrupt_clean();
    _exit(EXIT_MACHINE);
}

void trap_set(void)
{
    struct sigaction action = {.sa_sigaction = handle};
    long bytes = sysconf(_SC_PAGESIZE);

    page = bytes > 0 ? (uintptr_t)bytes : 4096;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
}

void trap_name(const char *path)
{
    size_t len = 0;

    for (; path && path[len] && len < sizeof(named) - 1; len++) {
        unsigned char c = (unsigned char)path[len];

        named[len] = c < ' ' || c == 0x7f ? '?' : path[len];
    }
    named[len] = '\0';
}

void trap_begin(void)
{
    noted = 0;
    building = 1;
}

void trap_end(void)
{
    building = 0;
}

bool trap_noted(void)
{
    return noted != 0;
}
