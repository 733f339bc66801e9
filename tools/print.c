/* print.c - opens and closes outputs, prints numbers and texts. */
#include "print.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "outfile.h"

static bool ascii; /* what the user's locale can show */

void output_locale(void)
{
    (void)setlocale(LC_CTYPE, "");
    ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    (void)setlocale(LC_CTYPE, "C.UTF-8");
}

bool output_ascii(void)
{
    return ascii;
}

static bool is_no_space(int reason)
{
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
}

int output_open(const struct command *self, struct output *out,
                const char *path, const struct input *in)
{
    *out = (struct output){.to = stdout};
    if (!path || !strcmp(path, "-"))
        return EXIT_DONE;
    if (in && same_file(path, in->path))
        return wrong_use(self, "-o %s is the index itself", path);
    if (in && is_trace_of(in->index, in->path, path))
        return wrong_use(self, "-o %s is the trace of the index", path);
    if (is_index(path))
        return wrong_use(self, "-o %s is an index", path);
    out->to = outfile_open(path);
    if (!out->to) {
        message("%s: %s: cannot open it: %s", path,
                is_no_space(errno) ? "no-space" : "io", strerror(errno));
        return EXIT_MACHINE;
    }
    out->path = path;
    return EXIT_DONE;
}

int output_wrote(struct output *out, enum t2t_status st)
{
    int reason = errno;

    if (st == T2T_ERR_NO_MEMORY)
        return out_of_memory();
    if (st)
        out->reason = reason;
    return EXIT_DONE;
}

/* Whether a write that failed earlier, its reason gone, went into a pipe that
 * nobody reads any more. */
static bool is_closed_pipe(FILE *to)
{
    struct pollfd end = {.fd = fileno(to), .events = POLLOUT};

    return poll(&end, 1, 0) > 0 && (end.revents & POLLERR);
}

/* Why writing failed, an errno; 0 if that is not known any more. */
static int reason_of(const struct output *out, int last)
{
    int reason = out->reason ? out->reason : last;

    return !reason && is_closed_pipe(out->to) ? EPIPE : reason;
}

/* Whether what was printed is the whole answer. */
static bool is_answer(int status)
{
    return status == EXIT_DONE || status == EXIT_NO;
}

/* Closes the file of -o, which appears when it is to be kept; false leaves the
 * reason in errno. */
static bool close_file(struct output *out, bool keep)
{
    bool closed = !fclose(out->to);

    return outfile_end(closed && keep) && closed;
}

int output_close(struct output *out, int status)
{
    const char *path = out->path ? out->path : "standard output";
    bool failed = ferror(out->to) != 0;
    int reason;

    errno = 0;
    if (fflush(out->to))
        failed = true;
    reason = failed ? reason_of(out, errno) : 0;
    if (out->path && !close_file(out, !failed && is_answer(status))) {
        failed = true;
        reason = reason ? reason : errno;
    }
    if (!failed)
        return status;
    if (!out->path) {
        clearerr(stdout);
        __fpurge(stdout); /* so that it is not said again at the end */
    }
    if (reason == EPIPE)
        return status;
    message("%s: %s: cannot write: %s", path,
            is_no_space(reason) ? "no-space" : "io",
            reason ? strerror(reason) : "an earlier write failed");
    return EXIT_MACHINE;
}

unsigned output_width(const struct output *out)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width;

    if (columns && parse_number(columns, 100000, &width))
        return (unsigned)width;
    if (isatty(fileno(out->to)) && !ioctl(fileno(out->to), TIOCGWINSZ, &size))
        return size.ws_col;
    return 0;
}

void output_dress(struct output *out, size_t least, int color_when)
{
    out->width = output_width(out);
    if (out->width && out->width < least)
        out->width = least;
    out->color = color_wanted(out->to, (enum color_when)color_when);
}

void print_text(FILE *to, struct t2t_text text)
{
    t2t_text_print(to, text, T2T_ESCAPE_TERMINAL);
}

/* Writes ns / scale with three decimals, rounded. */
static void put_scaled(char out[TIME_MAX], uint64_t ns, uint64_t scale)
{
    uint64_t step = scale / 1000;
    uint64_t thousandths = ns / step + (ns % step * 2 >= step && step > 1);

    (void)snprintf(out, TIME_MAX, "%" PRIu64 ".%03u", thousandths / 1000,
                   (unsigned)(thousandths % 1000));
}

/* The unit in which `ns` is read best. */
static enum t2t_time_unit best_unit(uint64_t ns)
{
    if (ns >= 1000000000)
        return T2T_S;
    if (ns >= 1000000)
        return T2T_MS;
    return ns >= 1000 ? T2T_US : T2T_NS;
}

static void put_time(char out[TIME_MAX], uint64_t ns, enum t2t_time_unit unit)
{
    static const uint64_t scales[] = {
        [T2T_US] = 1000, [T2T_MS] = 1000000, [T2T_S] = 1000000000};

    if (unit == T2T_NS)
        (void)snprintf(out, TIME_MAX, "%" PRIu64, ns);
    else
        put_scaled(out, ns, scales[unit]);
}

void time_with_unit(char out[TIME_MAX], uint64_t ns, enum t2t_time_unit unit)
{
    size_t len;

    if (unit == T2T_AUTO)
        unit = best_unit(ns);
    put_time(out, ns, unit);
    len = strlen(out);
    (void)snprintf(out + len, TIME_MAX - len, " %s", time_unit_words[unit]);
}

void time_text(char out[TIME_MAX], uint64_t ns, enum t2t_time_unit unit)
{
    if (unit == T2T_AUTO)
        time_with_unit(out, ns, unit);
    else
        put_time(out, ns, unit);
}

void count_text(char out[COUNT_MAX], uint64_t count)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%" PRIu64, count);
    char *p = out;

    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
}
