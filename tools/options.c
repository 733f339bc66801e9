/* options.c - parses options and prints help, both from the same rows. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 24
#define FIRST_LONG 256 /* getopt's value of row 0 without a letter */
#define HELP_COLUMN 32

const char *const time_unit_words[] = {
    [T2T_AUTO] = "auto", [T2T_NS] = "ns", [T2T_US] = "us",
    [T2T_MS] = "ms",     [T2T_S] = "s",   NULL,
};

bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
    uint64_t sum = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' ||
            __builtin_mul_overflow(sum, 10u, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
            return false;
    }
    *value = sum;
    return sum <= most;
}

/* Reads the unit at the end of a size and multiplies. */
static bool parse_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    size_t len = strlen(text);
    const char *unit;
    char digits[24];
    uint64_t factor = 1;

    if (!len)
        return false;
    unit = strchr(units, text[len - 1]);
    if (unit) {
        factor = (uint64_t)1 << (10 * (unit - units + 1));
        len--;
    }
    if (len >= sizeof(digits))
        return false;
    memcpy(digits, text, len);
    digits[len] = '\0';
    return parse_number(digits, UINT64_MAX / factor, bytes) &&
           !__builtin_mul_overflow(*bytes, factor, bytes);
}

/* Nanoseconds of a unit, 0 when there is none of that name. */
static uint64_t unit_ns(const char *unit)
{
    if (!*unit || !strcmp(unit, "us"))
        return 1000;
    if (!strcmp(unit, "ns"))
        return 1;
    if (!strcmp(unit, "ms"))
        return 1000000;
    return strcmp(unit, "s") ? 0 : 1000000000;
}

bool parse_time(const char *text, uint64_t *ns)
{
    const char *p = text + strspn(text, "0123456789.");
    uint64_t left = unit_ns(p);
    uint64_t sum = 0;
    bool digit = false;

    if (!left)
        return false;
    for (; *text >= '0' && *text <= '9'; text++, digit = true)
        if (__builtin_mul_overflow(sum, 10u, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
            return false;
    if (__builtin_mul_overflow(sum, left, &sum))
        return false;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++, digit = true) {
            left /= 10; /* what is finer than a nanosecond is left out */
            if (__builtin_add_overflow(sum, left * (uint64_t)(*text - '0'),
                                       &sum))
                return false;
        }
    *ns = sum;
    return digit && text == p;
}

static bool parse_word(const char *text, const char *const *words, int *value)
{
    for (int i = 0; words[i]; i++) {
        if (!strcmp(text, words[i])) {
            *value = i;
            return true;
        }
    }
    return false;
}

/* Sets the field of a row; false when the value is not of its kind. */
static bool set_field(const struct option_row *row, const char *text, void *to)
{
    void *field = (char *)to + row->field;
    uint64_t number;

    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = text;
        return *text != '\0';
    case OPTION_SIZE:
        return parse_size(text, field);
    case OPTION_TIME:
        return parse_time(text, field);
    case OPTION_WORD:
        return parse_word(text, row->words, field);
    case OPTION_NUMBER:
        break;
    }
    if (!parse_number(text, UINT32_MAX - 1, &number))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

/* What getopt_long() needs, made from the rows. */
struct getopt_tables {
    char letters[2 * MOST_OPTIONS + 4];
    struct option longs[MOST_OPTIONS + 2];
};

static void make_tables(const struct option_row *rows, struct getopt_tables *t)
{
    char *letter = t->letters;
    int n = 0;

    *letter++ = ':'; /* tell a missing value from an unknown option */
    *letter++ = 'h';
    for (; rows[n].name && n < MOST_OPTIONS; n++) {
        t->longs[n] =
            (struct option){rows[n].name,
                            rows[n].value ? required_argument : no_argument,
                            NULL, FIRST_LONG + n};
        if (rows[n].letter) {
            *letter++ = rows[n].letter;
            if (rows[n].value)
                *letter++ = ':';
        }
    }
    *letter = '\0';
    t->longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    t->longs[n] = (struct option){NULL, 0, NULL, 0};
}

static const struct option_row *find_row(const struct option_row *rows, int got)
{
    if (got >= FIRST_LONG)
        return &rows[got - FIRST_LONG];
    for (; rows->name; rows++)
        if (rows->letter == got)
            return rows;
    return NULL;
}

int options_parse(const struct command *self, int argc, char **argv, void *to,
                  int *first)
{
    struct getopt_tables t;
    int got;

    make_tables(self->options, &t);
    opterr = 0;
    optind = 1;
    while ((got = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
        const struct option_row *row;

        if (got == 'h') {
            options_help(self);
            return EXIT_DONE;
        }
        if (got == ':')
            return wrong_use(self, "option '%s' needs a value",
                             argv[optind - 1]);
        row = got == '?' ? NULL : find_row(self->options, got);
        if (!row && optopt && optopt < FIRST_LONG)
            return wrong_use(self, "no option '-%c'", optopt);
        if (!row)
            return wrong_use(self, "no option '%s'", argv[optind - 1]);
        if (!set_field(row, optarg, to))
            return wrong_use(self, "--%s takes %s, not '%s'", row->name,
                             row->value, optarg);
    }
    *first = optind;
    return -1;
}

static void help_row(const struct option_row *row)
{
    char letter[5] = "    ";
    int len;

    if (row->letter)
        (void)snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    len = printf("  %s--%s%s%s", letter, row->name, row->value ? " " : "",
                 row->value ? row->value : "");
    if (len >= HELP_COLUMN) {
        (void)putchar('\n');
        len = 0;
    }
    (void)printf("%*s%s\n", HELP_COLUMN - len, "", row->help);
}

void options_help(const struct command *self)
{
    static const struct option_row help = {"help",      'h', NULL,
                                           OPTION_FLAG, 0,   "print this",
                                           NULL};
    const struct option_row *row = self->options;

    (void)printf("t2t %s - %s\n\n", self->name, self->summary);
    (void)printf("usage: t2t %s%s%s%s\n", self->name,
                 row->name ? " [OPTION]..." : "", *self->operands ? " " : "",
                 self->operands);
    (void)printf("%s\n", self->details);
    for (; row->name; row++)
        if (row->help)
            help_row(row);
    help_row(&help);
}
