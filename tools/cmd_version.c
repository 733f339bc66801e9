/* cmd_version.c - t2t version. */
#include "cmd.h"

#include <stdio.h>

#include "options.h"

static const struct option_row options[] = {OPTIONS_END};

static int run(const struct command *self, int argc, char **argv)
{
    int first;
    int status = options_parse(self, argc, argv, NULL, &first);

    if (status >= 0)
        return status;
    if (first != argc)
        return wrong_use(self, "version takes no argument");
    (void)printf("t2t %s\n", t2t_version());
    return EXIT_DONE;
}

const struct command cmd_version = {
    "version", "",  "print the version", "",
    options,   run, "  t2t version\n",   NULL,
};
