/* cell.c - numbers and texts as they are printed. */
#include "table/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Makes the decimal point of the locale a point. */
static void plain_point(char *text)
{
    char *to = text;
    bool point = false;

    for (const char *p = text; *p; p++) {
        if (strchr("0123456789+-e", *p)) {
            *to++ = *p;
        } else if (!point) {
            *to++ = '.';
            point = true;
        }
    }
    *to = '\0';
}

void tt_real_text(char out[TT_REAL_MAX], double value)
{
    double back = 0;

    if (isnan(value)) {
        memcpy(out, "nan", 4);
        return;
    }
    if (isinf(value)) {
        memcpy(out, value < 0 ? "-inf" : "inf", value < 0 ? 5 : 4);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(out, TT_REAL_MAX, "%.*g", digits, value);
        if (sscanf(out, "%lf", &back) == 1 && back == value)
            break;
    }
    plain_point(out);
    if (!strpbrk(out, ".e"))
        memcpy(out + strlen(out), ".0", 3);
}

void tt_put_integer(FILE *to, const t2t_table *table, size_t row, size_t column)
{
    int64_t value = t2t_table_integer(table, row, column);

    if (value < 0)
        (void)fprintf(to, "%" PRId64, value);
    else
        (void)fprintf(to, "%" PRIu64, t2t_table_unsigned(table, row, column));
}
