/*
 * model/anomaly.h - what is odd in a trace and can be lived with.
 *
 * Odd input is never dropped in silence: each kind is counted, and the first
 * element concerned is remembered by its position in traceEvents and the byte
 * where it begins.  Counts can be made for parts of a trace, each by its own
 * thread, and added: the sum does not depend on how the trace was cut.
 */
#ifndef TT_MODEL_ANOMALY_H
#define TT_MODEL_ANOMALY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Kind, number, name, sentence without its stop.  Numbers are on disk: add
 * rows at the end, never renumber, never reuse.
 */
#define TT_ANOMALY_MAP(X)                                                      \
    X(NOT_AN_OBJECT, 0, "not-an-object", "element is no object")               \
    X(NO_PHASE, 1, "no-phase", "ph is missing or no string")                   \
    X(NO_TIME, 2, "no-time",                                                   \
      "ts is missing, no number or past 64 bits, so it is outside the tree")   \
    X(NO_DURATION, 3, "no-duration", "X event without dur, which counts as 0") \
    X(BAD_DURATION, 4, "bad-duration",                                         \
      "dur is negative or no number and counts as 0")                          \
    X(END_OVERFLOW, 5, "end-overflow",                                         \
      "end is past 64 bits and set to the last time there is")                 \
    X(NO_NAME, 6, "no-name", "X event without a string as name")               \
    X(NO_CATEGORY, 7, "no-category", "X event without a string as cat")        \
    X(BAD_ARGUMENTS, 8, "bad-arguments", "args is there and no object")        \
    X(QUOTED_TIME, 9, "quoted-time", "ts or dur is a number in quotes")        \
    X(EXPONENT_TIME, 10, "exponent-time", "ts or dur has an exponent")         \
    X(NEGATIVE_TIME, 11, "negative-time", "ts is below 0")                     \
    X(ROUNDED_TIME, 12, "rounded-time",                                        \
      "ts or dur is finer than a nanosecond and was rounded")                  \
    X(DUPLICATE_KEY, 13, "duplicate-key",                                      \
      "key occurs twice in the event or its args, and the last counts")        \
    X(UNMATCHED_END, 14, "unmatched-end", "E event without its B")             \
    X(UNCLOSED_BEGIN, 15, "unclosed-begin",                                    \
      "B event without its E, which ends with its thread")                     \
    X(CROSSED, 16, "crossed", "call began inside another and ended after it")  \
    X(CUT, 17, "cut", "call nested as if it ended with its parent")            \
    X(GPU_WITHOUT_LAUNCH, 18, "gpu-without-launch",                            \
      "GPU event without a launch, a root of its own")                         \
    X(SHARED_CORRELATION, 19, "shared-correlation",                            \
      "GPU event whose number calls of several processes share")               \
    X(GPU_AT_ZERO, 20, "gpu-at-zero", "GPU event that starts at 0")            \
    X(BYTE_ORDER_MARK, 21, "byte-order-mark",                                  \
      "document begins with a byte order mark")                                \
    X(DUPLICATE_MEMBER, 22, "duplicate-member",                                \
      "key occurs twice at the top of the document")                           \
    X(REPAIRED_ESCAPE, 23, "repaired-escape",                                  \
      "string with a backslash that begins no escape, which was kept")         \
    X(REPAIRED_CONTROL_CHAR, 24, "repaired-control-char",                      \
      "string with a raw control character, which was escaped")                \
    X(REPAIRED_UTF8, 25, "repaired-utf8",                                      \
      "string with bytes that are no UTF-8, which became U+FFFD")              \
    X(REPAIRED_NUMBER, 26, "repaired-number",                                  \
      "word or number that JSON does not have, which became null")             \
    X(TRAILING_COMMA, 27, "trailing-comma", "comma behind the last element")   \
    X(ARRAY_NOT_CLOSED, 28, "array-not-closed", "bare array without its end")

enum tt_anomaly {
#define X(name, number, text, what) TT_ANOMALY_##name = number,
    TT_ANOMALY_MAP(X)
#undef X
        TT_ANOMALY_COUNT /* one past the last number */
};

#define TT_NO_POSITION UINT64_MAX

/* Told of each odd thing that is noted, when that is wished. */
struct tt_anomaly_listener {
    void (*hear)(void *context, enum tt_anomaly kind, uint64_t position,
                 uint64_t offset); /* or NULL */
    void *context;
};

/* Counts of one part of a trace, by kind. */
struct tt_anomalies {
    struct tt_anomaly_listener listener;
    uint64_t count[TT_ANOMALY_COUNT];
    uint64_t first_position[TT_ANOMALY_COUNT]; /* or TT_NO_POSITION */
    uint64_t first_offset[TT_ANOMALY_COUNT];   /* of that element, in bytes, or
                                                  T2T_NO_OFFSET */
};

/* Makes all counts 0, without a listener. */
void tt_anomalies_init(struct tt_anomalies *a);

/*
 * Counts one of `kind`, in the element at `position` that begins at `offset`,
 * in any order of positions; TT_NO_POSITION when it is about no element: then
 * the smallest offset counts.
 */
void tt_anomaly_note(struct tt_anomalies *a, enum tt_anomaly kind,
                     uint64_t position, uint64_t offset);

/* Adds `from`, whose position 0 is position `position_base` of `to`; the
 * listener does not hear of it. */
void tt_anomalies_add(struct tt_anomalies *to, const struct tt_anomalies *from,
                      uint64_t position_base);

/* The name of a kind, such as "no-duration"; "unknown" for other numbers. */
const char *tt_anomaly_name(uint32_t kind);

/* Whether it is damage that was repaired; false for other numbers. */
bool tt_anomaly_is_repair(uint32_t kind);

/* What it means, a sentence without its stop. */
const char *tt_anomaly_what(uint32_t kind);

#endif
