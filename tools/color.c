/* color.c - the few colours of a terminal. */
#include "color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const color_words[] = {
    [COLOR_AUTO] = "auto",
    [COLOR_ALWAYS] = "always",
    [COLOR_NEVER] = "never",
    NULL,
};

bool color_wanted(FILE *to, enum color_when when)
{
    const char *no = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    if (when != COLOR_AUTO)
        return when == COLOR_ALWAYS;
    if ((no && *no) || !terminal || !strcmp(terminal, "dumb"))
        return false;
    return isatty(fileno(to));
}

const char *paint_code(enum paint paint)
{
    static const char *const codes[] = {
        [PAINT_NOT] = "\x1b[0m",     [PAINT_DIM] = "\x1b[2m",
        [PAINT_BOLD] = "\x1b[1m",    [PAINT_GPU] = "\x1b[32m",
        [PAINT_MODULE] = "\x1b[36m",
    };

    return codes[paint];
}
