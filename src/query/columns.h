/*
 * query/columns.h - columns that several tables have, with the same meaning.
 */
#ifndef TT_QUERY_COLUMNS_H
#define TT_QUERY_COLUMNS_H

#include <trace2tree/table.h>

#define TT_COLUMN_RECOMPUTE                                                    \
    {                                                                          \
        .name = "recompute", .type = T2T_STRING,                               \
        .help = "yes: below a recompute_fn of torch/utils/checkpoint.py; else" \
                " no"                                                          \
    }

#define TT_COLUMN_COUNT(what)                                                  \
    {                                                                          \
        .name = "count", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL,       \
        .help = "how many " what                                               \
    }

#define TT_COLUMN_DIRECT                                                       \
    {                                                                          \
        .name = "direct_ns", .unit = "ns", .type = T2T_INTEGER,                \
        .flags = T2T_COLUMN_TOTAL | T2T_COLUMN_PART,                           \
        .help = "union of the GPU events, no communication, of each launcher;" \
                " added up"                                                    \
    }

#define TT_COLUMN_SUBTREE                                                      \
    {                                                                          \
        .name = "subtree_ns", .unit = "ns", .type = T2T_INTEGER, .hide = 1,    \
        .flags = T2T_COLUMN_PART,                                              \
        .help = "union of all GPU events below each launcher; added up"        \
    }

#define TT_COLUMN_FIRST_LAUNCHER                                               \
    {                                                                          \
        .name = "first_index", .type = T2T_INTEGER,                            \
        .flags = T2T_COLUMN_HIDDEN,                                            \
        .help = "place in traceEvents of the launcher that starts first"       \
    }

#define TT_COLUMN_FIRST_EVENT                                                  \
    {                                                                          \
        .name = "first_index", .type = T2T_INTEGER,                            \
        .flags = T2T_COLUMN_HIDDEN,                                            \
        .help = "the smallest place in traceEvents of any"                     \
    }

#define TT_COLUMN_DIRECT_PERCENT                                               \
    {                                                                          \
        .name = "percent", .unit = "%", .type = T2T_REAL,                      \
        .flags = T2T_COLUMN_BAR, .help = "share of all direct time"            \
    }

#define TT_COLUMN_CUMULATIVE                                                   \
    {                                                                          \
        .name = "cumulative_percent", .unit = "%", .type = T2T_REAL,           \
        .hide = 2, .heading = "cumulative",                                    \
        .help = "share of this row and those above it"                         \
    }

#define TT_COLUMN_CATEGORY(rank)                                               \
    {                                                                          \
        .name = "category", .type = T2T_STRING, .hide = rank,                  \
        .help = "of the launcher, by its name, else by its first kernel"       \
    }

#define TT_COLUMN_STREAM                                                       \
    {                                                                          \
        .name = "stream", .type = T2T_STRING,                                  \
        .help = "argument stream of the GPU event, as JSON"                    \
    }

#define TT_COLUMN_SUM                                                          \
    {                                                                          \
        .name = "sum_ns", .unit = "ns", .type = T2T_INTEGER,                   \
        .flags = T2T_COLUMN_TOTAL,                                             \
        .help = "durations, added up however many run at a time"               \
    }

#define TT_COLUMN_MEAN                                                         \
    {                                                                          \
        .name = "mean", .unit = "ns", .type = T2T_REAL, .hide = 1,             \
        .help = "sum_ns / count"                                               \
    }

#define TT_COLUMN_MIN                                                          \
    {                                                                          \
        .name = "min_ns", .unit = "ns", .type = T2T_INTEGER, .hide = 3,        \
        .help = "shortest duration"                                            \
    }

#define TT_COLUMN_MAX                                                          \
    {                                                                          \
        .name = "max_ns", .unit = "ns", .type = T2T_INTEGER, .hide = 2,        \
        .help = "longest duration"                                             \
    }

/* ---- of launches and holes ----------------------------------------------- */

#define TT_COLUMN_DEVICE(rank)                                                 \
    {                                                                          \
        .name = "device", .type = T2T_STRING, .hide = rank,                    \
        .help = "pid of the GPU"                                               \
    }

/* tid: by lane, other than the argument. */
#define TT_COLUMN_TID(rank)                                                    \
    {                                                                          \
        .name = "stream", .type = T2T_STRING, .hide = rank,                    \
        .help = "tid there"                                                    \
    }

#define TT_COLUMN_HOLES                                                        \
    {                                                                          \
        .name = "count", .type = T2T_INTEGER, .flags = T2T_COLUMN_TOTAL,       \
        .heading = "holes", .help = "how many"                                 \
    }

/* With `total`, T2T_COLUMN_TOTAL or 0. */
#define TT_COLUMN_HOLE_SUM(total)                                              \
    {                                                                          \
        .name = "sum_ns", .unit = "ns", .type = T2T_INTEGER,                   \
        .flags = T2T_COLUMN_PART | (total), .heading = "time",                 \
        .help = "their time, added up"                                         \
    }

#define TT_COLUMN_MEAN_OF_SUM(rank)                                            \
    {                                                                          \
        .name = "mean", .unit = "ns", .type = T2T_REAL, .hide = rank,          \
        .help = "sum / count"                                                  \
    }

#define TT_COLUMN_LONGEST_HOLE(rank)                                           \
    {                                                                          \
        .name = "max_ns", .unit = "ns", .type = T2T_INTEGER, .hide = rank,     \
        .heading = "longest", .help = "the longest hole"                       \
    }

#define TT_COLUMN_HOLE_SHARE                                                   \
    {                                                                          \
        .name = "percent", .unit = "%", .type = T2T_REAL,                      \
        .flags = T2T_COLUMN_BAR, .heading = "share",                           \
        .help = "share of all holes"                                           \
    }

#endif
