/*
 * index/reader.h - what is behind an open index.
 *
 * Opening checks what doc/format.md lists under "What a reader checks" and
 * binds the sections; after that every getter checks each number it takes out
 * of the file before it uses it.  Nothing changes after opening, so any number
 * of threads may read.
 */
#ifndef TT_INDEX_READER_H
#define TT_INDEX_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace2tree/index.h>

#include "format/format.h"
#include "format/frame.h"
#include "format/shape.h"

/* One of the directories of frames. */
struct tt_directory {
    const struct tt_frame_record *record;
    uint32_t count;
};

struct t2t_index {
    const unsigned char *map; /* the whole file, owned */
    size_t bytes;
    const struct tt_header *header;
    const struct tt_section *table;
    const struct tt_section *section[TT_SECTION_END]; /* by id; NULL: one of a
                                          later minor version than the file */

    /* E records each. */
    const int64_t *start;
    const uint32_t *duration;
    const uint32_t *name;
    const uint32_t *lane;
    const uint16_t *category;
    const uint8_t *phase;

    /* N records each, gpu_rank one more. */
    const uint32_t *parent;
    const uint32_t *size;
    const uint8_t *flags;
    const uint32_t *gpu_rank;

    const uint32_t *gpu_node;
    const uint64_t *gpu_sum; /* gpu_count + 1 */
    uint32_t gpu_count;

    const struct tt_long_duration *long_duration;
    uint64_t long_count;
    const struct tt_pair *forward;
    const struct tt_pair *backward;
    uint32_t pair_count;

    const struct tt_lane_record *lanes;
    uint32_t lane_count;
    const uint32_t *categories; /* string ids */
    uint32_t category_count;
    uint8_t *layers; /* of the categories, owned */

    struct tt_shapes shapes; /* holds the strings, too */
    struct tt_frames frames;
    struct tt_directory elements;
    struct tt_directory order;
    struct tt_directory places;
    struct tt_directory envelope;
    const struct tt_member_record *members;
    uint32_t member_count;
    uint64_t array; /* where in the envelope elements belong; unchecked */
    const struct tt_loss_record *losses;
    uint32_t loss_count;
    const struct tt_anomaly_record *anomalies;
    uint32_t anomaly_count;
};

/* Where the record `i` of section `id` lies in the file. */
uint64_t tt_index_offset(const t2t_index *index, enum tt_section_id id,
                         uint64_t i);

/*
 * Fills `out` with lane `lane`, whose names need not be checked; false when
 * there is none or it holds an impossible value.
 */
bool tt_index_lane_at(const t2t_index *index, uint32_t lane,
                      struct t2t_lane *out);

/* Has the system fetch a frame, all pages of it at a time. */
void tt_index_will_unpack(const t2t_index *index, uint64_t offset,
                          uint64_t bytes);

/* How many bytes a text made from this file may have: as much as it says the
 * document has, but in proportion to the file. */
size_t tt_index_text_limit(const t2t_index *index);

#endif
