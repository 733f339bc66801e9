/* cmd_help.c - t2t help: the commands, or one of them. */
#include "cmd.h"

#include <stdio.h>
#include <string.h>

#include "options.h"
#include "topic.h"

struct help_options {
    bool complete;
};

static const struct option_row options[] = {
    {"complete", 0, NULL, OPTION_FLAG, offsetof(struct help_options, complete),
     NULL, NULL},
    OPTIONS_END,
};

static void list_commands(void)
{
    const struct command *command;
    unsigned n = 0;

    (void)puts("usage: t2t COMMAND [OPTION]... [ARGUMENT]...\n");
    while ((command = command_at(n++)))
        (void)printf("  %-12s %-16s %s\n", command->name, command->operands,
                     command->summary);
    (void)puts(
        "\n"
        "Example:\n"
        "  t2t build rank0.json                           "
        "writes rank0.json.t2t\n"
        "  t2t find rank0.json --cat kernel --sort dur    "
        "kernels, the longest first\n"
        "  t2t stack rank0.json 17                        "
        "who called node 17\n"
        "\n"
        "INDEX is NAME.t2t or the trace NAME itself.  't2t help COMMAND' says "
        "more, with\n"
        "examples; 't2t help json' has the keys of --format json.");
}

static void offer_commands(const char *start, bool topics)
{
    const struct command *command;
    const char *topic;
    unsigned n = 0;

    while ((command = command_at(n++)))
        if (!strncmp(command->name, start, strlen(start)))
            (void)puts(command->name);
    for (n = 0; topics && (topic = topic_at(n)); n++)
        if (!strncmp(topic, start, strlen(start)))
            (void)puts(topic);
}

/* Prints what the last of the words behind t2t may become: for the script in
 * tools/completion. */
static void complete(char **word, int count)
{
    const struct command *command;

    if (count <= 1) {
        offer_commands(count ? *word : "", false);
        return;
    }
    command = command_find(*word);
    if (command == &cmd_help && count == 2 && **(word + 1) != '-')
        offer_commands(word[1], true);
    else if (command)
        options_complete(command, word + 1, count - 1);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct help_options o = {false};
    const struct command *command;
    int first;
    int status = options_parse(self, argc, argv, &o, &first);

    if (status >= 0)
        return status;
    if (o.complete) {
        complete(argv + first, argc - first);
        return EXIT_DONE;
    }
    if (argc - first > 1)
        return wrong_use(self, "help takes one command");
    if (first == argc) {
        list_commands();
        return EXIT_DONE;
    }
    command = command_find(argv[first]);
    if (command)
        options_help(command);
    else if (!topic_help(argv[first]))
        return wrong_use(NULL, "no command '%s'", argv[first]);
    return EXIT_DONE;
}

const struct command cmd_help = {
    "help",
    "[COMMAND]",
    "say how t2t, or a command, is used",
    "\n"
    "'t2t help json' explains the keys of --format json.\n",
    options,
    run,
    "  t2t help find\n",
    NULL,
};
