/* completion.c - what may come next on the command line. */
#include <stdio.h>
#include <string.h>

#include "options.h"

/* The words behind a subcommand, the last of them under way. */
struct typed {
    const struct command *command;
    char **word;
    int count;
};

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static void offer(const char *dashes, const char *text, const char *start)
{
    if (begins(text, start))
        (void)printf("%s%s\n", dashes, text);
}

/* The row of an option as it is typed, "--name" or "-n", or NULL. */
static const struct option_row *find_option(const struct typed *t, int at)
{
    const char *word = at >= 0 ? t->word[at] : "";

    for (const struct option_row *r = t->command->options; r->name; r++) {
        if (begins(word, "--") && !strcmp(word + 2, r->name))
            return r;
        if (r->letter && word[0] == '-' && word[1] == r->letter && !word[2])
            return r;
    }
    return NULL;
}

/* Words that an option takes behind it. */
static int values_of(const struct option_row *row)
{
    if (!row || !row->value)
        return 0;
    return row->kind == OPTION_RANGE ? 2 : 1;
}

static bool is_equals(const struct typed *t, int at)
{
    return at >= 0 && !strcmp(t->word[at], "=");
}

/* The option of which the word at `at` is a value; bash splits --name=value
 * into three words. */
static const struct option_row *option_of(const struct typed *t, int at)
{
    for (int back = 1; back <= 2; back++) {
        int from = at - back - is_equals(t, at - back);
        const struct option_row *row = find_option(t, from);

        if (values_of(row) >= back)
            return row;
    }
    return NULL;
}

/* Offers values for "--name=start" in one word, as it comes from a bash that
 * does not split words at "="; false if the word is none. */
static bool offer_joined(const struct typed *t, const char *word)
{
    const char *equals = begins(word, "--") ? strchr(word, '=') : NULL;
    size_t len = equals ? (size_t)(equals - word) - 2 : 0;

    if (!equals)
        return false;
    for (const struct option_row *r = t->command->options; r->name; r++) {
        if (strlen(r->name) != len || strncmp(word + 2, r->name, len) != 0 ||
            r->kind != OPTION_WORD)
            continue;
        for (const char *const *value = r->words; *value; value++)
            if (begins(*value, equals + 1))
                (void)printf("%.*s=%s\n", (int)len + 2, word, *value);
    }
    return true;
}

static void offer_values(const struct option_row *row, const char *start)
{
    if (row->kind == OPTION_WORD)
        for (const char *const *word = row->words; *word; word++)
            offer("", *word, start);
    else if (!strcmp(row->value, "FILE"))
        (void)puts("@file");
}

static void offer_options(const struct typed *t, const char *start)
{
    for (const struct option_row *r = t->command->options; r->name; r++)
        if (r->help)
            offer("--", r->name, start + strspn(start, "-"));
    offer("--", "help", start + strspn(start, "-"));
}

/* How many operands stand before the last word. */
static int count_operands(const struct typed *t)
{
    int operands = 0;

    for (int i = 0; i < t->count - 1; i++)
        operands += (t->word[i][0] != '-' || !t->word[i][1]) &&
                    !is_equals(t, i) && !option_of(t, i);
    return operands;
}

/* The n-th operand in words such as "INDEX [NODE]" or "TRACE...". */
static const char *operand_at(const char *operands, int n)
{
    const char *next;

    while (n-- && (next = strchr(operands, ' ')))
        operands = next + 1;
    if (n >= 0 && !strstr(operands, "..."))
        return "";
    return operands + (*operands == '[');
}

static void offer_operands(const struct typed *t)
{
    const char *operand = operand_at(t->command->operands, count_operands(t));

    if (begins(operand, "INDEX") || begins(operand, "TRACE|INDEX"))
        (void)puts("@index"); /* traces, too: either name will do */
    else if (begins(operand, "TRACE"))
        (void)puts("@trace");
}

void options_complete(const struct command *self, char **word, int count)
{
    struct typed t = {self, word, count};
    const char *start = word[count - 1];
    const struct option_row *row;
    bool equals = is_equals(&t, count - 1);

    row = option_of(&t, equals ? count : count - 1);
    if (row)
        offer_values(row, equals ? "" : start);
    else if (offer_joined(&t, start))
        return;
    else if (*start == '-')
        offer_options(&t, start);
    else
        offer_operands(&t);
}
