/* t2t.c - finds the subcommand and runs it. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"
#include "print.h"
#include "trap.h"

static const struct command *const commands[] = {
    &cmd_build,    &cmd_check, &cmd_info,     &cmd_tree,        &cmd_find,
    &cmd_show,     &cmd_stack, &cmd_timeline, &cmd_ops,         &cmd_kernels,
    &cmd_launches, &cmd_gaps,  &cmd_modules,  &cmd_collectives, &cmd_links,
    &cmd_report,   &cmd_dump,  &cmd_export,   &cmd_version,     &cmd_help,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const struct command *command_at(unsigned n)
{
    return n < COMMAND_COUNT ? commands[n] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(name, commands[i]->name))
            return commands[i];
    return NULL;
}

/* A file that is not there is the input's fault, not the machine's. */
static int status_of(const char *path, enum t2t_status code)
{
    struct stat st;

    switch (code) {
    case T2T_ERR_USAGE:
        return EXIT_WRONG_USE;
    case T2T_ERR_IO:
        if (stat(path, &st) && (errno == ENOENT || errno == ENOTDIR))
            return EXIT_INPUT;
        return EXIT_MACHINE;
    case T2T_ERR_NO_MEMORY:
    case T2T_ERR_NO_SPACE:
    case T2T_ERR_CANCELED:
        return EXIT_MACHINE;
    default:
        return EXIT_INPUT;
    }
}

void message(const char *fmt, ...)
{
    struct t2t_text text;
    char *line = NULL;
    va_list ap;
    int len;

    va_start(ap, fmt);
    len = vasprintf(&line, fmt, ap);
    va_end(ap);
    (void)fputs("t2t: ", stderr);
    if (len < 0) {
        (void)fputs("no-memory: no memory for a message\n", stderr);
        return;
    }
    text = (struct t2t_text){line, (size_t)len};
    print_text(stderr, text);
    (void)putc('\n', stderr);
    free(line);
}

/* The trace whose build mends the index at `path`, to be freed; NULL when it is
 * not known. */
static char *mending_of(const char *path, enum t2t_status code)
{
    char *trace = code == T2T_ERR_INDEX_DAMAGE ? trace_of(path) : NULL;
    struct stat st;

    if (!trace || !stat(trace, &st))
        return trace;
    free(trace);
    return NULL;
}

bool is_about_container(enum t2t_status class)
{
    return class <= T2T_ERR_GZIP_DATA && class >= T2T_ERR_ZSTD_TRUNCATED;
}

int fail(const char *path, const struct t2t_error *err)
{
    const char *class = t2t_status_text(err->code);
    char *trace = mending_of(path, err->code);
    const char *before = trace ? "; 't2t build --force " : "";
    const char *after = trace ? "' makes it again" : "";
    const char *name = trace ? trace : "";

    if (err->offset == T2T_NO_OFFSET)
        message("%s: %s: %s%s%s%s", path, class, err->text, before, name,
                after);
    else
        message("%s: %s: %s (at byte %" PRIu64 "%s)%s%s%s", path, class,
                err->text, err->offset,
                is_about_container(err->code) ? " of the compressed file" : "",
                before, name, after);
    free(trace);
    return status_of(path, err->code);
}

int wrong_use(const struct command *self, const char *fmt, ...)
{
    char *line = NULL;
    va_list ap;
    int len;

    va_start(ap, fmt);
    len = vasprintf(&line, fmt, ap);
    va_end(ap);
    message("%s; see 't2t help%s%s'", len < 0 ? "wrong use" : line,
            self ? " " : "", self ? self->name : "");
    if (len >= 0)
        free(line);
    return EXIT_WRONG_USE;
}

int out_of_memory(void)
{
    message("no-memory: out of memory");
    return EXIT_MACHINE;
}

int main(int argc, char **argv)
{
    static char help[] = "help";
    static char version[] = "version";
    static char *nothing[] = {NULL, help, NULL};
    static char line[BUFSIZ];
    struct output out = {.to = stdout};
    const struct command *command;
    int status;

    (void)signal(SIGPIPE,
                 SIG_IGN); /* writing into a closed pipe ends quietly */
    (void)signal(SIGXFSZ, SIG_IGN); /* a file at its limit is a write error */
    /* a line is one write, so that those of several commands do not mix */
    (void)setvbuf(stderr, line, _IOLBF, sizeof(line));
    trap_set();
    output_locale();
    if (argc < 2) {
        argc = 2;
        argv = nothing;
    } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        argv[1] = help;
    } else if (!strcmp(argv[1], "--version")) {
        argv[1] = version;
    }
    command = command_find(argv[1]);
    if (!command)
        return wrong_use(NULL, "no command '%s'", argv[1]);
    status = command->run(command, argc - 1, argv + 1);
    return output_close(&out, status);
}
