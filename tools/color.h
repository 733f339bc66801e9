/*
 * color.h - the few colours of a terminal.
 */
#ifndef T2T_COLOR_H
#define T2T_COLOR_H

#include <stdbool.h>
#include <stdio.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const char *const color_words[]; /* by enum color_when */

enum paint {
    PAINT_NOT,    /* as the terminal is */
    PAINT_DIM,    /* ids, guides */
    PAINT_BOLD,   /* headings */
    PAINT_GPU,    /* GPU events */
    PAINT_MODULE, /* module frames */
};

/*
 * Whether to print colours to `to`: for COLOR_AUTO if it is a terminal that can
 * and NO_COLOR is not set to anything but "".
 */
bool color_wanted(FILE *to, enum color_when when);

/* What begins a colour; PAINT_NOT ends it. */
const char *paint_code(enum paint paint);

#endif
