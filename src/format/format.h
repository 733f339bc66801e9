/*
 * format/format.h - the bytes of an index file, as doc/format.md lays down.
 *
 * Everything on disk is little-endian with fixed widths and no pointers, so
 * these structs are the file.  A change here changes doc/format.md in the same
 * commit.
 */
#ifndef TT_FORMAT_FORMAT_H
#define TT_FORMAT_FORMAT_H

#include <stdint.h>

#define TT_MAGIC "\x89T2T\r\n\x1a\n"
#define TT_MAJOR 1
#define TT_MINOR 1
#define TT_ALIGN 64u /* every section begins at a multiple of this */
#define TT_NONE UINT32_MAX
#define TT_NO_TIME INT64_MIN

#define TT_ELEMENTS_A_FRAME 4096u   /* doc/format.md, Elements */
#define TT_IDS_A_FRAME 16384u       /* doc/format.md, Frames */
#define TT_ENVELOPE_A_FRAME 65536u  /* doc/format.md, Frames */
#define TT_VALUES_MAX 1024u         /* of an element: doc/format.md, Elements */
#define TT_LONG_DURATION UINT32_MAX /* look in LONG_DURATIONS */

struct tt_header {
    unsigned char magic[8];
    uint16_t major;
    uint16_t minor;
    uint32_t header_bytes;
    uint64_t file_bytes;
    uint64_t table_offset;
    uint32_t section_count;
    uint32_t zero;
    uint64_t source_bytes;
    int64_t source_mtime_ns;
    uint64_t document_bytes;
    uint32_t element_count;
    uint32_t node_count;
    int64_t origin_ns;
    int64_t last_end_ns;
    uint64_t table_xxh3;
    char writer[24];
    uint64_t xxh3;
};
_Static_assert(sizeof(struct tt_header) == 128, "doc/format.md, Header");

struct tt_section {
    uint32_t id;
    uint32_t record_bytes;
    uint64_t offset;
    uint64_t bytes;
    uint64_t count;
    uint64_t xxh3;
    uint64_t zero;
};
_Static_assert(sizeof(struct tt_section) == 48, "doc/format.md, Sections");

/* Name, id, bytes of a record, minor version that it came with: files of an
 * earlier one are without it.  doc/format.md, Growth. */
#define TT_SECTION_MAP(X)                                                      \
    X(START, 1, 8, 0)                                                          \
    X(DURATION, 2, 4, 0)                                                       \
    X(LONG_DURATIONS, 3, 16, 0)                                                \
    X(NAME, 4, 4, 0)                                                           \
    X(LANE, 5, 4, 0)                                                           \
    X(CATEGORY, 6, 2, 0)                                                       \
    X(PHASE, 7, 1, 0)                                                          \
    X(PARENT, 8, 4, 0)                                                         \
    X(SIZE, 9, 4, 0)                                                           \
    X(FLAGS, 10, 1, 0)                                                         \
    X(GPU_RANK, 11, 4, 0)                                                      \
    X(GPU_NODE, 12, 4, 0)                                                      \
    X(GPU_SUM, 13, 8, 0)                                                       \
    X(FORWARD, 14, 8, 0)                                                       \
    X(BACKWARD, 15, 8, 0)                                                      \
    X(LANES, 16, 64, 0)                                                        \
    X(CATEGORIES, 17, 4, 0)                                                    \
    X(STRING_OFFSET, 18, 8, 0)                                                 \
    X(STRING_BYTES, 19, 1, 0)                                                  \
    X(SHAPES, 20, 4, 0)                                                        \
    X(FRAMES, 21, 1, 0)                                                        \
    X(ELEMENT_FRAMES, 22, 24, 0)                                               \
    X(ORDER_FRAMES, 23, 24, 0)                                                 \
    X(PLACE_FRAMES, 24, 24, 0)                                                 \
    X(ENVELOPE_FRAMES, 25, 24, 0)                                              \
    X(MEMBERS, 26, 32, 0)                                                      \
    X(ANOMALIES, 27, 32, 0)                                                    \
    X(SOURCE_NAME, 28, 1, 0)                                                   \
    X(ID_FRAMES, 29, 1, 0)                                                     \
    X(ARRAY, 30, 8, 0)                                                         \
    X(LOST, 31, 40, 1)

enum tt_section_id {
#define X(name, id, record_bytes, minor) TT_SECTION_##name = id,
    TT_SECTION_MAP(X)
#undef X
        TT_SECTION_END /* one past the last id */
};

/* Bits of FLAGS; readers see to it that nobody meets any other. */
enum {
    TT_FLAG_CROSSED = 1,
    TT_FLAG_CUT = 2,
    TT_FLAG_ROOT_OP = 4,
    TT_FLAG_GPU = 8,
    TT_FLAG_LINKED = 16,
    TT_FLAGS_KNOWN = 31, /* all of them */
};

struct tt_long_duration {
    uint32_t id;
    uint32_t zero;
    uint64_t dur_ns;
};
_Static_assert(sizeof(struct tt_long_duration) == 16,
               "doc/format.md, Sections");

/* FORWARD: first is the backward node; BACKWARD: first is the forward one. */
struct tt_pair {
    uint32_t first;
    uint32_t second;
};
_Static_assert(sizeof(struct tt_pair) == 8, "doc/format.md, Sections");

struct tt_lane_record {
    uint8_t side;
    uint8_t pid_kind;
    uint8_t tid_kind;
    uint8_t zero[5];
    uint64_t pid;
    uint64_t tid;
    uint32_t process_name;
    uint32_t thread_name;
    uint32_t first_node;
    uint32_t node_count;
    uint32_t element_count;
    uint32_t zero2;
    int64_t start_ns;
    int64_t end_ns;
};
_Static_assert(sizeof(struct tt_lane_record) == 64, "doc/format.md, Lanes");

struct tt_frame_record {
    uint64_t offset;
    uint32_t bytes;
    uint32_t raw_bytes;
    uint64_t xxh3;
};
_Static_assert(sizeof(struct tt_frame_record) == 24, "doc/format.md, Frames");

struct tt_member_record {
    uint32_t key;
    uint32_t zero;
    uint64_t envelope_offset;
    uint64_t bytes;
    uint64_t document_offset;
};
_Static_assert(sizeof(struct tt_member_record) == 32, "doc/format.md, Members");

struct tt_anomaly_record {
    uint32_t kind;
    uint32_t zero;
    uint64_t count;
    uint64_t first_position;
    uint64_t first_offset;
};
_Static_assert(sizeof(struct tt_anomaly_record) == 32,
               "doc/format.md, Anomalies");

struct tt_loss_record {
    uint64_t offset;
    uint64_t bytes;
    uint64_t damage;
    uint64_t position;
    uint32_t class;
    uint32_t elements;
};
_Static_assert(sizeof(struct tt_loss_record) == 40, "doc/format.md, Lost");

/* Bytes of a template that stand for a value.  doc/format.md, Elements. */
enum {
    TT_HOLE_NAME = 1,
    TT_HOLE_PID = 2,
    TT_HOLE_TID = 3,
    TT_HOLE_START = 4,
    TT_HOLE_DURATION = 5,
    TT_HOLE_INTEGER = 6,
    TT_HOLE_DECIMAL = 7,
    TT_HOLE_TEXT = 8,
    TT_HOLE_END, /* one past the last */
};

#endif
