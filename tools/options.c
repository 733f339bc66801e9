/* options.c - parses options and prints help, both from the same rows. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 24
#define FIRST_LONG 256 /* getopt's value of row 0 without a letter */
#define HELP_COLUMN 32
#define HELP_WIDTH 80
#define COLUMN_TEXT 28 /* where what a column means begins */

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
            left /= 10; /* what is finer than a nanosecond is no time */
            if ((!left && *text != '0') ||
                __builtin_add_overflow(sum, left * (uint64_t)(*text - '0'),
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
        return parse_size(text, field) && *(uint64_t *)field;
    case OPTION_TIME:
        return parse_time(text, field);
    case OPTION_SPAN:
        return parse_time(text, field) && *(uint64_t *)field;
    case OPTION_WORD:
        return parse_word(text, row->words, field);
    case OPTION_RANGE:
    case OPTION_NUMBER:
    case OPTION_COUNT:
        break;
    }
    if (!parse_number(text, UINT32_MAX - 1, &number) ||
        (row->kind == OPTION_COUNT && !number))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

/* What an option takes, as a message says it. */
static const char *taken(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_TIME:
        return "a time such as 1.5ms";
    case OPTION_SPAN:
        return "a time above 0 such as 1.5ms";
    case OPTION_RANGE:
        return "two times such as 10ms 1.5s, the first not the later one";
    case OPTION_COUNT:
        return "1 or more";
    case OPTION_SIZE:
        return "bytes above 0 such as 512M";
    default:
        return row->value;
    }
}

/* Reads a time that may have a minus sign. */
static bool parse_moment(const char *text, int64_t *ns)
{
    bool before = *text == '-';
    uint64_t span;

    if (!parse_time(text + before, &span) || span > INT64_MAX)
        return false;
    *ns = before ? -(int64_t)span : (int64_t)span;
    return true;
}

/* Sets the field of a row to optarg, and for two times also the next word. */
static int take_value(const struct command *self, const struct option_row *row,
                      char **argv, void *to)
{
    struct time_range *range;

    if (row->kind != OPTION_RANGE) {
        if (set_field(row, optarg, to))
            return -1;
        return wrong_use(self, "--%s takes %s, not '%s'", row->name, taken(row),
                         optarg);
    }
    if (!argv[optind])
        return wrong_use(self, "--%s takes %s", row->name, taken(row));
    range = (struct time_range *)((char *)to + row->field);
    range->given = true;
    if (!parse_moment(optarg, &range->from_ns) ||
        !parse_moment(argv[optind], &range->to_ns) ||
        range->from_ns > range->to_ns)
        return wrong_use(self, "--%s takes %s, not '%s' '%s'", row->name,
                         taken(row), optarg, argv[optind]);
    optind++; /* getopt moves it with the option */
    return -1;
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
    for (; n < MOST_OPTIONS && rows[n].name; n++) {
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

/* The word in which getopt found a letter that is not of ASCII, of which
 * `byte` is the first: it goes on there, or has done with it. */
static const char *word_with(char **argv, int byte)
{
    const char *word = argv[optind];

    return word && *word == '-' && strchr(word, byte) ? word : argv[optind - 1];
}

int options_parse(const struct command *self, int argc, char **argv, void *to,
                  int *first)
{
    struct getopt_tables t;
    int status;
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
        if (!row && optopt > 0 && optopt < 0x80)
            return wrong_use(self, "no option '-%c'", optopt);
        if (!row && optopt && optopt < FIRST_LONG)
            return wrong_use(self, "no option '%s'", word_with(argv, optopt));
        if (!row)
            return wrong_use(self, "no option '%s'", argv[optind - 1]);
        status = take_value(self, row, argv, to);
        if (status >= 0)
            return status;
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
    if (len > HELP_COLUMN - 2) {
        (void)putchar('\n');
        len = 0;
    }
    (void)printf("%*s%s\n", HELP_COLUMN - len, "", row->help);
}

/* Prints `text` from COLUMN_TEXT on, `len` columns of which are behind, in
 * lines of HELP_WIDTH columns. */
static void help_text(int len, const char *text)
{
    int at = COLUMN_TEXT;

    (void)printf("%*s", COLUMN_TEXT - len, "");
    while (*text) {
        int word = (int)strcspn(text, " ");

        if (at > COLUMN_TEXT && at + 1 + word > HELP_WIDTH) {
            (void)printf("\n%*s", COLUMN_TEXT, "");
            at = COLUMN_TEXT;
        } else if (at > COLUMN_TEXT) {
            (void)putchar(' ');
            at++;
        }
        (void)printf("%.*s", word, text);
        at += word;
        text += word;
        text += *text == ' ';
    }
    (void)putchar('\n');
}

/* Says how times, sizes and modules are written, where an option takes them. */
static void help_units(const struct option_row *row)
{
    bool time = false;
    bool size = false;
    bool module = false;

    for (; row->name; row++) {
        if (!row->help)
            continue;
        time |= row->kind == OPTION_TIME || row->kind == OPTION_SPAN ||
                row->kind == OPTION_RANGE;
        size |= row->kind == OPTION_SIZE;
        module |= row->value && !strcmp(row->value, "MODULE");
    }
    if (time)
        (void)puts("\nT is a time: 3s, 1.5ms, 200us or 10ns; without a unit it "
                   "is in us.");
    if (size)
        (void)puts("\nSIZE is in bytes, or with K, M, G or T behind it: 512M.");
    if (module)
        (void)puts("\nMODULE is a frame (Linear_7), a class (Linear) or a path "
                   "of those, each the\nnearest module above the next "
                   "(Net_0/Linear); a / in a name is \\/.  It selects\n"
                   "what has such a frame above, the nearest or not, or above "
                   "the forward operation.");
}

/* Finds a kind of table by its name. */
static const struct t2t_table_column *find_columns(const char *name,
                                                   size_t *count)
{
    const struct t2t_table_column *columns;
    const char *kind;
    unsigned n = 0;

    while ((kind = t2t_table_kind(n++, &columns, count)))
        if (!strcmp(kind, name))
            return columns;
    return NULL;
}

/* Whether one of the tables before `tables[n]` has a column of that name. */
static bool is_told(const char *const *tables, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        size_t count;
        const struct t2t_table_column *c = find_columns(tables[i], &count);

        for (size_t k = 0; c && k < count; k++)
            if (!strcmp(c[k].name, name))
                return true;
    }
    return false;
}

static void help_column(const struct t2t_table_column *c)
{
    int len = printf("  %s%s%s%s", c->name, c->unit && *c->unit ? " (" : "",
                     c->unit && *c->unit ? c->unit : "",
                     c->unit && *c->unit ? ")" : "");

    if (len > COLUMN_TEXT - 2) {
        (void)putchar('\n');
        len = 0;
    }
    help_text(len, c->help);
}

/* Says what the columns of the tables mean, each once. */
static void help_columns(const char *const *tables)
{
    (void)puts("\nColumns, not all in every table, named as in CSV:");
    for (size_t n = 0; tables[n]; n++) {
        size_t count;
        const struct t2t_table_column *c = find_columns(tables[n], &count);

        for (size_t k = 0; c && k < count; k++)
            if (c[k].help && !is_told(tables, n, c[k].name))
                help_column(&c[k]);
    }
}

void options_help(const struct command *self)
{
    static const struct option_row help = {"help",      'h', NULL,
                                           OPTION_FLAG, 0,   "print this",
                                           NULL};
    const struct option_row *row = self->options;

    (void)printf("t2t %s - %s\n\n", self->name, self->summary);
    (void)printf("usage: t2t %s%s%s%s\n", self->name,
                 row->name && row->help ? " [OPTION]..." : "",
                 *self->operands ? " " : "", self->operands);
    (void)printf("%s\n", self->details);
    for (; row->name; row++)
        if (row->help)
            help_row(row);
    help_row(&help);
    help_units(self->options);
    if (self->tables)
        help_columns(self->tables);
    if (self->example)
        (void)printf("\nExample:\n%s", self->example);
}
