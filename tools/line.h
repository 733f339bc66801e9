/*
 * line.h - a line for a person, which ends where the terminal does.
 *
 *     struct line line = {.out = out};
 *
 *     line_put(&line, "%8u  ", id);
 *     line_text(&line, name);
 *     line_end(&line);
 *
 * What is put goes out at once.  Names are cut to what is left of the line;
 * when nothing is, they are left out.
 */
#ifndef T2T_LINE_H
#define T2T_LINE_H

#include "color.h"
#include "print.h"

struct line {
    const struct output *out;
    size_t used; /* columns */
};

/* Prints ASCII, whole. */
void line_put(struct line *line, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints text, escaped, cut in the middle. */
void line_text(struct line *line, struct t2t_text text);
void line_static(struct line *line, const char *text);

#define LINE_NO_LIMIT ((size_t)-1)

/* Prints text, escaped, cut in the middle, in at most `columns`, where the line
 * has a limit at all. */
void line_within(struct line *line, struct t2t_text text, size_t columns);

/* Columns that are left; LINE_NO_LIMIT where lines do not end. */
size_t line_room(const struct line *line);

/* Prints text, escaped, cut in the middle to `columns` or fewer, and spaces up
 * to there: on the left of it when `right`. */
void line_cell(struct line *line, struct t2t_text text, size_t columns,
               bool right);

/* Begins a colour, where they are printed; PAINT_NOT ends it. */
void line_paint(struct line *line, enum paint paint);

/* Ends the line; it can be used for the next one. */
void line_end(struct line *line);

#endif
