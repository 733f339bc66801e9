/* line.c - prints a line that ends where the terminal does. */
#include "line.h"

#include <stdarg.h>
#include <string.h>

#include "cut.h"

size_t line_room(const struct line *line)
{
    size_t width = line->out->width;

    if (!width)
        return LINE_NO_LIMIT;
    return width > line->used ? width - line->used : 0;
}

void line_put(struct line *line, const char *fmt, ...)
{
    va_list ap;
    int len;

    va_start(ap, fmt);
    len = vfprintf(line->out->to, fmt, ap);
    va_end(ap);
    if (len > 0)
        line->used += (size_t)len;
}

void line_within(struct line *line, struct t2t_text text, size_t columns)
{
    size_t left = line_room(line);
    char cut[CUT_MAX];
    size_t used;
    size_t len;

    if (left == LINE_NO_LIMIT) {
        print_text(line->out->to, text);
        return;
    }
    if (left > columns)
        left = columns;
    if (!left)
        return;
    len = text_cut(cut, text, left, &used);
    (void)fwrite(cut, 1, len, line->out->to);
    line->used += used;
}

void line_text(struct line *line, struct t2t_text text)
{
    line_within(line, text, LINE_NO_LIMIT);
}

void line_static(struct line *line, const char *text)
{
    line_text(line, (struct t2t_text){text, strlen(text)});
}

void line_cell(struct line *line, struct t2t_text text, size_t columns,
               bool right)
{
    char cut[CUT_MAX];
    size_t used;
    size_t len = text_cut(cut, text, columns, &used);
    int pad = used < columns ? (int)(columns - used) : 0;

    if (right)
        (void)fprintf(line->out->to, "%*s", pad, "");
    (void)fwrite(cut, 1, len, line->out->to);
    if (!right)
        (void)fprintf(line->out->to, "%*s", pad, "");
    line->used += used + (size_t)pad;
}

void line_paint(struct line *line, enum paint paint)
{
    if (line->out->color)
        (void)fputs(paint_code(paint), line->out->to);
}

void line_end(struct line *line)
{
    (void)putc('\n', line->out->to);
    line->used = 0;
}
