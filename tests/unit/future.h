/* future.h - an index as a later minor version may write it. */
#ifndef TT_TEST_FUTURE_H
#define TT_TEST_FUTURE_H

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "format/format.h"

#define FUTURE_MINOR 7
#define FUTURE_SECTION 1000
#define FUTURE_RECORD 7   /* bytes */
#define FUTURE_RECORDS 3  /* of them */
#define FUTURE_KIND 900   /* of an anomaly */
#define FUTURE_FLAGS 0xa0 /* bits of every node */

static inline struct tt_header *future_header(unsigned char *ptr)
{
    return (struct tt_header *)(void *)ptr;
}

static inline struct tt_section *future_table(unsigned char *ptr)
{
    return (struct tt_section *)(void *)(ptr +
                                         future_header(ptr)->table_offset);
}

/* Makes the checksums of sections, table and header right. */
static inline void future_seal(unsigned char *ptr)
{
    struct tt_header *h = future_header(ptr);
    struct tt_section *table = future_table(ptr);

    for (uint32_t i = 0; i < h->section_count; i++)
        table[i].xxh3 =
            XXH3_64bits(ptr + table[i].offset, (size_t)table[i].bytes);
    h->table_xxh3 = XXH3_64bits(table, h->section_count * sizeof(*table));
    h->xxh3 = XXH3_64bits(h, offsetof(struct tt_header, xxh3));
}

/* Moves ANOMALIES to `at`, one of a kind of the future behind them; where it
 * ends. */
static inline size_t future_anomaly(unsigned char *ptr, struct tt_section *s,
                                    size_t at)
{
    const struct tt_anomaly_record more = {.kind = FUTURE_KIND,
                                           .count = 5,
                                           .first_position = UINT64_MAX,
                                           .first_offset = UINT64_MAX};

    memcpy(ptr + at, ptr + s->offset, s->bytes);
    memset(ptr + s->offset, 0, s->bytes);
    memcpy(ptr + at + s->bytes, &more, sizeof(more));
    s->offset = at;
    s->bytes += sizeof(more);
    s->count++;
    return at + s->bytes;
}

/*
 * The index of `len` bytes at `ptr` with what the future may add: a section of
 * an odd record at an odd place, a kind of anomaly, bits of flags.  To be
 * freed; NULL when memory is short.
 */
static inline unsigned char *make_future(const unsigned char *ptr, size_t len,
                                         size_t *out_len)
{
    unsigned char *to = calloc(1, 2 * len + 4096);
    struct tt_header *h = future_header(to);
    struct tt_section table[TT_SECTION_END];
    size_t bytes = (TT_SECTION_END - 1) * sizeof(*table);
    size_t at = (len + 63) / 64 * 64;

    if (!to)
        return NULL;
    memcpy(to, ptr, len);
    memcpy(table, to + h->table_offset, bytes);
    memset(to + h->table_offset, 0, bytes);
    for (uint64_t i = 0; i < table[TT_SECTION_FLAGS - 1].bytes; i++)
        to[table[TT_SECTION_FLAGS - 1].offset + i] |= FUTURE_FLAGS;
    at = future_anomaly(to, &table[TT_SECTION_ANOMALIES - 1], at) + 5;
    memset(to + at, 'x', FUTURE_RECORD * FUTURE_RECORDS);
    table[TT_SECTION_END - 1] =
        (struct tt_section){.id = FUTURE_SECTION,
                            .record_bytes = FUTURE_RECORD,
                            .offset = at,
                            .bytes = FUTURE_RECORD * FUTURE_RECORDS,
                            .count = FUTURE_RECORDS};
    at = (at + FUTURE_RECORD * FUTURE_RECORDS + 7) / 8 * 8;
    memcpy(to + at, table, sizeof(table));
    h->minor = FUTURE_MINOR;
    h->table_offset = at;
    h->section_count = TT_SECTION_END;
    *out_len = h->file_bytes = at + sizeof(table);
    future_seal(to);
    return to;
}

#endif
