/* cmd_help.c - t2t help: the commands, or one of them. */
#include "cmd.h"

#include <stdio.h>

#include "options.h"

static const struct option_row options[] = {OPTIONS_END};

static void list_commands(void)
{
    const struct command *command;
    unsigned n = 0;

    (void)puts("t2t reads the trace of a GPU profiler once and answers from "
               "its index.\n\n"
               "usage: t2t COMMAND [OPTION]... [ARGUMENT]...\n");
    while ((command = command_at(n++)))
        (void)printf("  %-9s %-17s %s\n", command->name, command->operands,
                     command->summary);
    (void)puts(
        "\n"
        "Example:\n"
        "  t2t build rank0.json.gz           writes rank0.json.gz.t2t\n"
        "  t2t tree rank0.json.gz | less     every call with its GPU events\n"
        "  t2t show rank0.json.gz 17         all about the call with id 17\n"
        "  t2t timeline rank0.json.gz        what the GPUs did and when not\n"
        "\n"
        "INDEX is an index or the trace beside which it lies.  't2t help "
        "COMMAND' says\n"
        "more about a command and its options.");
}

static int run(const struct command *self, int argc, char **argv)
{
    const struct command *command;
    int first;
    int status = options_parse(self, argc, argv, NULL, &first);

    if (status >= 0)
        return status;
    if (argc - first > 1)
        return wrong_use(self, "help takes one command");
    if (first == argc) {
        list_commands();
        return EXIT_DONE;
    }
    command = command_find(argv[first]);
    if (!command)
        return wrong_use(NULL, "no command '%s'", argv[first]);
    options_help(command);
    return EXIT_DONE;
}

const struct command cmd_help = {
    "help", "[COMMAND]", "say how t2t, or a command, is used", "", options, run,
};
