/*
 * fuzz_index.c - any bytes as an index, and every question about it.  One that
 * is checked and found whole has an answer to each.
 *
 * The checksums of header and table are made right first, and the size, or
 * hardly any input would get past them; a first byte that is odd leaves them.
 * With its second bit so are those of sections and frames.
 */
#include "fuzz.h"

#include <xxhash.h>
#include <zstd.h>

#include <trace2tree/trace2tree.h>

#include "format/format.h"

#define MOST ((size_t)1 << 16) /* of a frame that is looked at */

/* Makes right the size and the checksum of a frame that can be unpacked. */
static void settle_frame(const unsigned char *ptr, size_t len,
                         unsigned char *record)
{
    struct tt_frame_record r;
    unsigned long long raw;
    unsigned char *to;

    memcpy(&r, record, sizeof(r));
    if (r.offset > len || r.bytes > len - r.offset)
        return;
    raw = ZSTD_getFrameContentSize(ptr + r.offset, r.bytes);
    if (raw > MOST)
        return;
    to = malloc((size_t)raw + 1);
    CHECK(to);
    if (ZSTD_decompress(to, (size_t)raw, ptr + r.offset, r.bytes) == raw) {
        r.raw_bytes = (uint32_t)raw;
        r.xxh3 = XXH3_64bits(to, (size_t)raw);
        memcpy(record, &r, sizeof(r));
    }
    free(to);
}

/* The frames of a section and the section. */
static void settle_section(unsigned char *ptr, size_t len,
                           unsigned char *record)
{
    struct tt_section s;

    memcpy(&s, record, sizeof(s));
    if (s.offset > len || s.bytes > len - s.offset)
        return;
    if (s.id >= TT_SECTION_ELEMENT_FRAMES && s.id <= TT_SECTION_ENVELOPE_FRAMES)
        for (uint64_t at = 0; s.bytes - at >= sizeof(struct tt_frame_record);
             at += sizeof(struct tt_frame_record))
            settle_frame(ptr, len, ptr + s.offset + at);
    s.xxh3 = XXH3_64bits(ptr + s.offset, (size_t)s.bytes);
    memcpy(record, &s, sizeof(s));
}

/* Makes right what a mutation seldom does. */
static void settle(unsigned char *ptr, size_t len, bool sections)
{
    struct tt_header h;
    uint64_t bytes;
    bool fits;

    if (len < sizeof(h))
        return;
    memcpy(&h, ptr, sizeof(h));
    memcpy(h.magic, TT_MAGIC, sizeof(h.magic));
    h.major = TT_MAJOR;
    h.header_bytes = sizeof(h);
    h.file_bytes = len;
    bytes = (uint64_t)h.section_count * sizeof(struct tt_section);
    fits = h.table_offset < len && bytes <= len - h.table_offset;
    if (fits && sections)
        for (uint64_t at = 0; at < bytes; at += sizeof(struct tt_section))
            settle_section(ptr, len, ptr + h.table_offset + at);
    if (fits)
        h.table_xxh3 = XXH3_64bits(ptr + h.table_offset, (size_t)bytes);
    h.xxh3 = XXH3_64bits(&h, offsetof(struct tt_header, xxh3));
    memcpy(ptr, &h, sizeof(h));
}

/* Answers of one that is whole. */
static void check_index(const t2t_index *index)
{
    struct t2t_error err;
    bool whole = !t2t_index_verify(index, &err);

    CHECK(fuzz_ask(index) || !whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    const char *path = fuzz_path(0);
    struct t2t_error err = {T2T_OK, T2T_NO_OFFSET, ""};
    t2t_index *index = NULL;
    unsigned char *copy;
    enum t2t_status st;

    if (!len)
        return 0;
    copy = malloc(len);
    CHECK(copy);
    memcpy(copy, ptr + 1, len - 1);
    if (!(ptr[0] & 1))
        settle(copy, len - 1, ptr[0] & 2);
    fuzz_write(path, copy, len - 1);
    st = t2t_index_open(&index, path, &err);
    CHECK(!st == (index != NULL));
    CHECK(!st || *err.text);
    if (index)
        check_index(index);
    t2t_index_close(index);
    free(copy);
    return 0;
}
