/*
 * fuzz_index.c - any bytes as an index, and every question about it.
 *
 * The checksums of header and table are made right first, and the size, or
 * hardly any input would get past them; a first byte that is odd leaves them.
 */
#include "fuzz.h"

#include <xxhash.h>

#include <trace2tree/trace2tree.h>

#include "format/format.h"

/* Makes right what a mutation seldom does. */
static void settle(unsigned char *ptr, size_t len)
{
    struct tt_header h;
    uint64_t bytes;

    if (len < sizeof(h))
        return;
    memcpy(&h, ptr, sizeof(h));
    memcpy(h.magic, TT_MAGIC, sizeof(h.magic));
    h.major = TT_MAJOR;
    h.header_bytes = sizeof(h);
    h.file_bytes = len;
    bytes = (uint64_t)h.section_count * sizeof(struct tt_section);
    if (h.table_offset < len && bytes <= len - h.table_offset)
        h.table_xxh3 = XXH3_64bits(ptr + h.table_offset, (size_t)bytes);
    h.xxh3 = XXH3_64bits(&h, offsetof(struct tt_header, xxh3));
    memcpy(ptr, &h, sizeof(h));
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
        settle(copy, len - 1);
    fuzz_write(path, copy, len - 1);
    st = t2t_index_open(&index, path, &err);
    CHECK(!st == (index != NULL));
    CHECK(!st || *err.text);
    if (index)
        fuzz_ask(index);
    t2t_index_close(index);
    free(copy);
    return 0;
}
