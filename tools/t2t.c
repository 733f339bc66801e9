/* t2t.c - finds the subcommand and runs it. */
#include "cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"
#include "print.h"

static const struct command *const commands[] = {
    &cmd_build, &cmd_info,   &cmd_tree,    &cmd_show, &cmd_timeline,
    &cmd_dump,  &cmd_export, &cmd_version, &cmd_help,
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

int fail(const char *path, const struct t2t_error *err)
{
    (void)fprintf(stderr, "t2t: %s: %s: %s", path, t2t_status_text(err->code),
                  err->text);
    if (err->offset != T2T_NO_OFFSET)
        (void)fprintf(stderr, " (at byte %llu)",
                      (unsigned long long)err->offset);
    (void)fputc('\n', stderr);
    return status_of(path, err->code);
}

int wrong_use(const struct command *self, const char *fmt, ...)
{
    va_list ap;

    (void)fputs("t2t: ", stderr);
    va_start(ap, fmt);
    (void)vfprintf(stderr, fmt, ap);
    va_end(ap);
    if (self)
        (void)fprintf(stderr, "; see 't2t help %s'\n", self->name);
    else
        (void)fputs("; see 't2t help'\n", stderr);
    return EXIT_WRONG_USE;
}

int out_of_memory(void)
{
    (void)fputs("t2t: no-memory: out of memory\n", stderr);
    return EXIT_MACHINE;
}

int main(int argc, char **argv)
{
    static char help[] = "help";
    static char version[] = "version";
    static char *nothing[] = {NULL, help, NULL};
    struct output out = {stdout, NULL, 0};
    const struct command *command;
    int status;

    (void)signal(SIGPIPE,
                 SIG_IGN); /* writing into a closed pipe ends quietly */
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
