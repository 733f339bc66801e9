/*
 * table.h - a typed table: what every analysis answers.
 *
 * Cells are exact: integers stay integers whatever unit a person sees.  A table
 * is built row by row, may then be sorted and cut to its top, and is then only
 * read; it belongs to one thread until then.  A cell takes 9 bytes, and equal
 * texts are kept once.
 */
#ifndef TRACE2TREE_TABLE_H
#define TRACE2TREE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <trace2tree/status.h>
#include <trace2tree/text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct t2t_table t2t_table;

enum t2t_type {
    T2T_INTEGER, /* -2^63 to 2^64 - 1 */
    T2T_REAL,    /* double; NaN is printed nan, null in JSON */
    T2T_STRING,  /* UTF-8 */
};

/* How a person wants durations; CSV and JSON are always in ns. */
enum t2t_time_unit { T2T_AUTO, T2T_NS, T2T_US, T2T_MS, T2T_S };

/* What else is so of a column; the first three are about text only. */
enum t2t_column_flag {
    T2T_COLUMN_HIDDEN = 1, /* not in text, only in CSV and JSON */
    T2T_COLUMN_BAR = 2,    /* a percentage: text draws a bar, 100 is full */
    T2T_COLUMN_CUT = 4,    /* names: cut before other texts are */
    T2T_COLUMN_TOTAL = 8,  /* numbers of which a sum over rows means something:
                              text adds it up in a last row */
    T2T_COLUMN_PART = 16 /* durations, parts of one another: with T2T_AUTO text
                            has all these columns in one unit, that of the
                            largest of them */
};

/*
 * A column.  All texts are static.  What is 0 or NULL says nothing special, so
 * name members: {.name = "count", .type = T2T_INTEGER}.
 */
struct t2t_table_column {
    const char *name; /* as in CSV, such as "time_ns" */
    const char *unit; /* "ns", "%", "bytes"; NULL and "" for none */
    enum t2t_type type;
    unsigned flags;      /* of enum t2t_column_flag */
    unsigned hide;       /* where text is too wide, columns with the highest go
                            first; the last of equals before the others */
    const char *heading; /* in text, without unit; NULL: the name without _ns */
    const char *help;    /* one line: what it means, how it is computed; NULL */
};

/*
 * Makes an empty table.
 *
 * @param name     what the table is, such as "timeline"; static.
 * @param columns  static array of `count` columns, not copied.
 * @return T2T_OK; T2T_ERR_USAGE when there is no column, or one of no type;
 *         T2T_ERR_NO_MEMORY.
 */
T2T_API enum t2t_status t2t_table_create(t2t_table **out, const char *name,
                                         const struct t2t_table_column *columns,
                                         size_t count, struct t2t_error *err);

/* Frees `table`.  NULL is allowed. */
T2T_API void t2t_table_free(t2t_table *table);

/*
 * Appends a cell to the row under way; a row is full with its last column.
 * Text is copied.
 *
 * @return T2T_OK; T2T_ERR_NO_MEMORY; T2T_ERR_USAGE when the column is of
 *         another type, or the table was sorted or cut; T2T_ERR_LIMIT past
 *         4,294,967,295 rows.
 */
T2T_API enum t2t_status t2t_table_add_integer(t2t_table *table, int64_t value);
T2T_API enum t2t_status t2t_table_add_unsigned(t2t_table *table,
                                               uint64_t value);
T2T_API enum t2t_status t2t_table_add_real(t2t_table *table, double value);
T2T_API enum t2t_status t2t_table_add_string(t2t_table *table,
                                             struct t2t_text text);
/* An empty cell of any type. */
T2T_API enum t2t_status t2t_table_add_null(t2t_table *table);

/*
 * Says of what the table is a selection: `json` is the JSON text of a value,
 * such as "true", and is copied; `key` is static.
 */
T2T_API enum t2t_status t2t_table_select(t2t_table *table, const char *key,
                                         const char *json);

/*
 * Orders the rows by a column: numbers by size, texts by their bytes, NaN and
 * behind it empty cells last, `descending` or not.  Rows that are equal there
 * stay in order.  No cell can be added after that.
 *
 * @return T2T_OK; T2T_ERR_USAGE when there is no such column;
 *         T2T_ERR_NO_MEMORY, nothing changed then.
 */
T2T_API enum t2t_status t2t_table_sort(t2t_table *table, size_t column,
                                       bool descending);

/*
 * Keeps the first `count` rows.  The others are gone but for their number and
 * their part in totals.  No cell can be added after that.
 */
T2T_API void t2t_table_top(t2t_table *table, size_t count);

T2T_API const char *t2t_table_name(const t2t_table *table);
T2T_API size_t t2t_table_row_count(const t2t_table *table);
/* How many rows there were before t2t_table_top(). */
T2T_API size_t t2t_table_row_count_of(const t2t_table *table);
T2T_API size_t t2t_table_column_count(const t2t_table *table);
/* NULL past the last. */
T2T_API const struct t2t_table_column *t2t_table_column(const t2t_table *table,
                                                        size_t column);

#define T2T_NO_COLUMN SIZE_MAX

/* The column of that name, or T2T_NO_COLUMN, which has only empty cells. */
T2T_API size_t t2t_table_find_column(const t2t_table *table, const char *name);

/*
 * Whether a cell is empty, and its value by the column's type.  A cell that is
 * not there, empty or of another type is 0, NaN or no text.  An integer past
 * int64_t is INT64_MAX to t2t_table_integer(), and whole to
 * t2t_table_unsigned(), to which one below 0 is 0.
 */
T2T_API bool t2t_table_is_null(const t2t_table *table, size_t row,
                               size_t column);
T2T_API int64_t t2t_table_integer(const t2t_table *table, size_t row,
                                  size_t column);
T2T_API uint64_t t2t_table_unsigned(const t2t_table *table, size_t row,
                                    size_t column);
T2T_API double t2t_table_real(const t2t_table *table, size_t row,
                              size_t column);
T2T_API struct t2t_text t2t_table_string(const t2t_table *table, size_t row,
                                         size_t column);

/* The n-th part of the selection; NULL past the last. */
T2T_API const char *t2t_table_selection(const t2t_table *table, size_t n,
                                        const char **json);

/* How t2t_table_write_text() lays a table out. */
struct t2t_text_style {
    unsigned width; /* columns of the terminal; 0: as wide as it gets */
    enum t2t_time_unit unit;
    bool ascii;       /* bars and cuts are ASCII; names are UTF-8 always */
    const char *keep; /* a column that is shown, hidden or not, such as that by
                         which rows are sorted; NULL */
    const char *hint; /* how to see columns that did not fit, such as
                         "--format csv has them"; NULL */
};

/*
 * Writes the table for a person: what was selected, headings with units,
 * aligned rows, then totals of all rows, how many rows there were when not all
 * are there, and which columns did not fit.
 *
 * No line is longer than `width`.  In this order: names (T2T_COLUMN_CUT) are
 * cut in the middle, bars left out, other texts cut, columns left out by
 * `hide`, texts cut to 8 columns; at last the columns on the right go.  Numbers
 * are whole unless nothing else is left.  T2T_AUTO is one unit for a column,
 * the largest of which it has one.  There are totals when two rows were there
 * and the first column that is shown, which names them, has none itself.
 * Control characters are escaped; characters that are wide or combine take the
 * columns that they take on a terminal, whatever the locale.
 *
 * @return T2T_OK; T2T_ERR_IO or T2T_ERR_NO_SPACE when `to` has an error, with
 *         the reason in errno; T2T_ERR_NO_MEMORY; T2T_ERR_USAGE for a unit
 *         that is none.  But for the last the same for the other writers.
 */
T2T_API enum t2t_status t2t_table_write_text(const t2t_table *table, FILE *to,
                                             const struct t2t_text_style *style,
                                             struct t2t_error *err);

/*
 * Writes RFC 4180 CSV with line feeds and a header; empty cells are empty.
 * Reals are the shortest text that reads back equal.
 */
T2T_API enum t2t_status t2t_table_write_csv(const t2t_table *table, FILE *to,
                                            struct t2t_error *err);

/*
 * Writes {"table", "trace", "selection", "columns", "rows"}; before the rows
 * "rows_of", how many there were, when t2t_table_top() took some away.  Reals
 * are as in CSV; NaN and infinities are null, as empty cells are.
 *
 * @param trace  the name of the trace.
 */
T2T_API enum t2t_status t2t_table_write_json(const t2t_table *table, FILE *to,
                                             struct t2t_text trace,
                                             struct t2t_error *err);

#ifdef __cplusplus
}
#endif

#endif
