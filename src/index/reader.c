/* reader.c - maps an index, checks it and answers about its elements. */
#include "index/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/status.h"
#include "model/category.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "an index is mapped as it is: doc/format.md, Conventions");

/* What a reader knows of a section before it looks at a file. */
static const struct {
    const char *name;
    uint32_t record_bytes;
    uint16_t minor;
} sections[TT_SECTION_END] = {
#define X(name, id, record_bytes, minor) [id] = {#name, record_bytes, minor},
    TT_SECTION_MAP(X)
#undef X
};

static enum t2t_status system_error(struct t2t_error *err, const char *what)
{
    if (errno == ENOMEM)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    return tt_error(err, T2T_ERR_IO, TT_NO_OFFSET, "cannot %s: %s", what,
                    strerror(errno));
}

/* What is wrong with a file of `bytes` bytes, too few for a header: an index
 * cut off, or none. */
static enum t2t_status too_short(int fd, size_t bytes, struct t2t_error *err)
{
    char first[sizeof(TT_MAGIC) - 1];
    ssize_t len;

    do
        len = pread(fd, first, sizeof(first), 0);
    while (len < 0 && errno == EINTR);
    if (len < 0)
        return system_error(err, "read the file");
    if (len && !memcmp(first, TT_MAGIC, (size_t)len))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, bytes,
                        "file of %zu bytes, shorter than its header", bytes);
    return tt_error(err, T2T_ERR_INDEX_FORMAT, 0,
                    "not an index: shorter than its header");
}

static enum t2t_status map_fd(t2t_index *index, int fd, struct t2t_error *err)
{
    struct stat st;
    void *map;

    if (fstat(fd, &st))
        return system_error(err, "look at the file");
    if (S_ISDIR(st.st_mode))
        return tt_error(err, T2T_ERR_INDEX_FORMAT, TT_NO_OFFSET,
                        "a directory is no index");
    if (!S_ISREG(st.st_mode))
        return tt_error(err, T2T_ERR_INDEX_FORMAT, TT_NO_OFFSET,
                        "an index is a regular file");
    if ((uint64_t)st.st_size < sizeof(struct tt_header))
        return too_short(fd, (size_t)st.st_size, err);
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return system_error(err, "map the file");
    /* no pages around the one asked for: most who open an index look at
     * little of it; who does not says so by t2t_index_will_scan() */
    (void)posix_madvise(map, (size_t)st.st_size, POSIX_MADV_RANDOM);
    index->map = map;
    index->bytes = (size_t)st.st_size;
    index->header = map;
    return T2T_OK;
}

static enum t2t_status map_file(t2t_index *index, const char *path,
                                struct t2t_error *err)
{
    enum t2t_status st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return system_error(err, "open the file");
    st = map_fd(index, fd, err);
    (void)close(fd);
    return st;
}

static enum t2t_status check_header(const t2t_index *index,
                                    struct t2t_error *err)
{
    const struct tt_header *h = index->header;

    if (memcmp(h->magic, TT_MAGIC, sizeof(h->magic)) != 0)
        return tt_error(err, T2T_ERR_INDEX_FORMAT, 0, "not an index%s",
                        memcmp(&h->magic[1], &TT_MAGIC[1], 3)
                            ? ""
                            : " any more: its first bytes were changed, as by "
                              "a transfer as text");
    if (h->major != TT_MAJOR)
        return tt_error(err, T2T_ERR_INDEX_VERSION, 8,
                        "format %u.%u, this program reads %u", h->major,
                        h->minor, TT_MAJOR);
    if (h->xxh3 != XXH3_64bits(h, offsetof(struct tt_header, xxh3)))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                        offsetof(struct tt_header, xxh3),
                        "wrong checksum of the header");
    if (h->header_bytes != sizeof(*h))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, 12,
                        "header of %u bytes, not 128", h->header_bytes);
    if (h->file_bytes != index->bytes)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, 16,
                        "file of %zu bytes, its header says %llu", index->bytes,
                        (unsigned long long)h->file_bytes);
    if (h->node_count > h->element_count || h->element_count == TT_NONE)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, 64,
                        "%u nodes of %u elements cannot be", h->node_count,
                        h->element_count);
    return T2T_OK;
}

/* Finds the section table and checks it as a whole. */
static enum t2t_status check_table(t2t_index *index, struct t2t_error *err)
{
    const struct tt_header *h = index->header;
    uint64_t room = index->bytes - sizeof(*h);
    uint64_t bytes = (uint64_t)h->section_count * sizeof(struct tt_section);

    if (h->table_offset < sizeof(*h) || h->table_offset % 8 ||
        h->table_offset - sizeof(*h) > room ||
        bytes > room - (h->table_offset - sizeof(*h)))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, 24,
                        "section table past the end of the file");
    index->table = (const void *)(index->map + h->table_offset);
    if (XXH3_64bits(index->table, (size_t)bytes) != h->table_xxh3)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, h->table_offset,
                        "wrong checksum of the section table");
    return T2T_OK;
}

/* Checks section `i` of the table by itself and remembers it. */
static enum t2t_status check_section(t2t_index *index, uint32_t i,
                                     struct t2t_error *err)
{
    const struct tt_section *s = &index->table[i];
    uint64_t at = (uint64_t)((const unsigned char *)s - index->map);
    bool known = s->id && s->id < TT_SECTION_END;

    if (i && s->id <= index->table[i - 1].id)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                        "sections are not in order");
    if (s->offset > index->bytes || s->bytes > index->bytes - s->offset)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                        "section %u past the end of the file", s->id);
    if (!known)
        return T2T_OK;
    if (s->offset % TT_ALIGN)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                        "section %s is not aligned", sections[s->id].name);
    if (s->record_bytes != sections[s->id].record_bytes)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                        "section %s has records of %u bytes, not %u",
                        sections[s->id].name, s->record_bytes,
                        sections[s->id].record_bytes);
    if (s->bytes % s->record_bytes || s->bytes / s->record_bytes != s->count)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, at,
                        "size of section %s does not fit its count",
                        sections[s->id].name);
    index->section[s->id] = s;
    return T2T_OK;
}

static enum t2t_status check_sections(t2t_index *index, struct t2t_error *err)
{
    for (uint32_t i = 0; i < index->header->section_count; i++) {
        enum t2t_status st = check_section(index, i, err);

        if (st)
            return st;
    }
    for (uint32_t id = 1; id < TT_SECTION_END; id++)
        if (!index->section[id] && sections[id].minor <= index->header->minor)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                            index->header->table_offset,
                            "section %s is missing", sections[id].name);
    return T2T_OK;
}

static uint64_t count_of(const t2t_index *index, enum tt_section_id id)
{
    return index->section[id]->count;
}

static uint64_t frames_for(uint64_t elements, uint64_t a_frame)
{
    return (elements + a_frame - 1) / a_frame;
}

/* A section and how many records it must have, or may have at most. */
struct demand {
    enum tt_section_id id;
    bool at_most;
    uint64_t count;
};

/* Checks each section's count against E, N, G and S. */
static enum t2t_status check_counts(const t2t_index *index,
                                    struct t2t_error *err)
{
    uint64_t e = index->header->element_count;
    uint64_t n = index->header->node_count;
    const struct demand demands[] = {
        {TT_SECTION_START, false, e},
        {TT_SECTION_DURATION, false, e},
        {TT_SECTION_LONG_DURATIONS, true, e},
        {TT_SECTION_NAME, false, e},
        {TT_SECTION_LANE, false, e},
        {TT_SECTION_CATEGORY, false, e},
        {TT_SECTION_PHASE, false, e},
        {TT_SECTION_PARENT, false, n},
        {TT_SECTION_SIZE, false, n},
        {TT_SECTION_FLAGS, false, n},
        {TT_SECTION_GPU_RANK, false, n + 1},
        {TT_SECTION_GPU_NODE, true, n},
        {TT_SECTION_GPU_SUM, false, count_of(index, TT_SECTION_GPU_NODE) + 1},
        {TT_SECTION_FORWARD, true, n},
        {TT_SECTION_BACKWARD, false, count_of(index, TT_SECTION_FORWARD)},
        {TT_SECTION_LANES, true, TT_NONE},
        {TT_SECTION_CATEGORIES, true, UINT16_MAX + 1},
        {TT_SECTION_STRING_OFFSET, true, TT_NONE},
        {TT_SECTION_SHAPES, true, TT_NONE},
        {TT_SECTION_ELEMENT_FRAMES, false, frames_for(e, TT_ELEMENTS_A_FRAME)},
        {TT_SECTION_ORDER_FRAMES, false, frames_for(e, TT_IDS_A_FRAME)},
        {TT_SECTION_PLACE_FRAMES, false, frames_for(e, TT_IDS_A_FRAME)},
        {TT_SECTION_ENVELOPE_FRAMES, true, TT_NONE},
        {TT_SECTION_MEMBERS, true, TT_NONE},
        {TT_SECTION_ANOMALIES, true, TT_NONE},
        {TT_SECTION_ARRAY, false, 1},
        {TT_SECTION_LOST, true, TT_NONE},
    };

    for (size_t i = 0; i < sizeof(demands) / sizeof(demands[0]); i++) {
        const struct demand *d = &demands[i];
        const struct tt_section *s = index->section[d->id];

        if (!s) /* of a minor version later than the file's */
            continue;
        if (d->at_most ? s->count > d->count : s->count != d->count)
            return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                            (uint64_t)((const unsigned char *)s - index->map),
                            "section %s has %llu records, not %llu",
                            sections[d->id].name, (unsigned long long)s->count,
                            (unsigned long long)d->count);
    }
    return T2T_OK;
}

static const void *bytes_of(const t2t_index *index, enum tt_section_id id)
{
    return index->map + index->section[id]->offset;
}

static void bind_directory(const t2t_index *index, enum tt_section_id id,
                           struct tt_directory *out)
{
    out->record = bytes_of(index, id);
    out->count = (uint32_t)count_of(index, id);
}

/* Points to the columns; the counts are checked. */
static void bind_columns(t2t_index *index)
{
    index->start = bytes_of(index, TT_SECTION_START);
    index->duration = bytes_of(index, TT_SECTION_DURATION);
    index->long_duration = bytes_of(index, TT_SECTION_LONG_DURATIONS);
    index->long_count = count_of(index, TT_SECTION_LONG_DURATIONS);
    index->name = bytes_of(index, TT_SECTION_NAME);
    index->lane = bytes_of(index, TT_SECTION_LANE);
    index->category = bytes_of(index, TT_SECTION_CATEGORY);
    index->phase = bytes_of(index, TT_SECTION_PHASE);
    index->parent = bytes_of(index, TT_SECTION_PARENT);
    index->size = bytes_of(index, TT_SECTION_SIZE);
    index->flags = bytes_of(index, TT_SECTION_FLAGS);
    index->gpu_rank = bytes_of(index, TT_SECTION_GPU_RANK);
    index->gpu_node = bytes_of(index, TT_SECTION_GPU_NODE);
    index->gpu_sum = bytes_of(index, TT_SECTION_GPU_SUM);
    index->gpu_count = (uint32_t)count_of(index, TT_SECTION_GPU_NODE);
    index->forward = bytes_of(index, TT_SECTION_FORWARD);
    index->backward = bytes_of(index, TT_SECTION_BACKWARD);
    index->pair_count = (uint32_t)count_of(index, TT_SECTION_FORWARD);
}

/* Points to what is not a column. */
static void bind_rest(t2t_index *index)
{
    struct tt_strings *strings = &index->shapes.strings;

    index->lanes = bytes_of(index, TT_SECTION_LANES);
    index->lane_count = (uint32_t)count_of(index, TT_SECTION_LANES);
    index->categories = bytes_of(index, TT_SECTION_CATEGORIES);
    index->category_count = (uint32_t)count_of(index, TT_SECTION_CATEGORIES);
    strings->offset = bytes_of(index, TT_SECTION_STRING_OFFSET);
    strings->count = (uint32_t)count_of(index, TT_SECTION_STRING_OFFSET) - 1;
    strings->bytes = bytes_of(index, TT_SECTION_STRING_BYTES);
    strings->byte_count = count_of(index, TT_SECTION_STRING_BYTES);
    index->shapes.shape = bytes_of(index, TT_SECTION_SHAPES);
    index->shapes.count = (uint32_t)count_of(index, TT_SECTION_SHAPES);
    index->frames.ptr = index->map;
    index->frames.bytes = index->bytes;
    bind_directory(index, TT_SECTION_ELEMENT_FRAMES, &index->elements);
    bind_directory(index, TT_SECTION_ORDER_FRAMES, &index->order);
    bind_directory(index, TT_SECTION_PLACE_FRAMES, &index->places);
    bind_directory(index, TT_SECTION_ENVELOPE_FRAMES, &index->envelope);
    index->members = bytes_of(index, TT_SECTION_MEMBERS);
    index->member_count = (uint32_t)count_of(index, TT_SECTION_MEMBERS);
    index->array = *(const uint64_t *)bytes_of(index, TT_SECTION_ARRAY);
    if (index->section[TT_SECTION_LOST]) {
        index->losses = bytes_of(index, TT_SECTION_LOST);
        index->loss_count = (uint32_t)count_of(index, TT_SECTION_LOST);
    }
    index->anomalies = bytes_of(index, TT_SECTION_ANOMALIES);
    index->anomaly_count = (uint32_t)count_of(index, TT_SECTION_ANOMALIES);
}

static enum t2t_status bind_sections(t2t_index *index, struct t2t_error *err)
{
    enum t2t_status st = check_counts(index, err);

    if (st)
        return st;
    if (!count_of(index, TT_SECTION_STRING_OFFSET))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                        index->section[TT_SECTION_STRING_OFFSET]->offset,
                        "section STRING_OFFSET has no record");
    bind_columns(index);
    bind_rest(index);
    return T2T_OK;
}

/* Decides once which layer each category is. */
static enum t2t_status read_layers(t2t_index *index, struct t2t_error *err)
{
    index->layers = calloc((size_t)index->category_count + 1, 1);
    if (!index->layers)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    for (uint32_t i = 0; i < index->category_count; i++) {
        struct t2t_text text = t2t_index_string(index, index->categories[i]);

        index->layers[i] = (uint8_t)tt_layer_of(text.ptr, text.len);
    }
    return T2T_OK;
}

enum t2t_status t2t_index_open(t2t_index **out, const char *path,
                               struct t2t_error *err)
{
    t2t_index *index = calloc(1, sizeof(*index));
    enum t2t_status st;

    if (!index)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    st = map_file(index, path, err);
    if (!st)
        st = check_header(index, err);
    if (!st)
        st = check_table(index, err);
    if (!st)
        st = check_sections(index, err);
    if (!st)
        st = bind_sections(index, err);
    if (!st)
        st = read_layers(index, err);
    if (st) {
        t2t_index_close(index);
        return st;
    }
    *out = index;
    return T2T_OK;
}

void t2t_index_close(t2t_index *index)
{
    if (!index)
        return;
    if (index->map)
        (void)munmap((void *)(uintptr_t)index->map, index->bytes);
    free(index->layers);
    free(index);
}

uint64_t tt_index_offset(const t2t_index *index, enum tt_section_id id,
                         uint64_t i)
{
    const struct tt_section *s = index->section[id];

    return s->offset + i * s->record_bytes;
}

size_t tt_index_text_limit(const t2t_index *index)
{
    uint64_t most = TT_FRAME_SPARE + (uint64_t)index->bytes * TT_FRAME_RATIO;
    uint64_t document;

    /* a byte that was repaired is six at most: "\u0001" */
    if (__builtin_mul_overflow(index->header->document_bytes, 6u, &document) ||
        __builtin_add_overflow(document, 64u, &document))
        document = most;
    return (size_t)(document < most ? document : most);
}

/* The text of a header field that is padded with zeros. */
static struct t2t_text padded(const char *ptr, size_t cap)
{
    return (struct t2t_text){ptr, strnlen(ptr, cap)};
}

void t2t_index_info(const t2t_index *index, struct t2t_index_info *out)
{
    const struct tt_header *h = index->header;
    const struct tt_section *source = index->section[TT_SECTION_SOURCE_NAME];

    *out = (struct t2t_index_info){
        .source_name = {(const char *)index->map + source->offset,
                        (size_t)source->bytes},
        .source_bytes = h->source_bytes,
        .source_mtime_ns = h->source_mtime_ns,
        .document_bytes = h->document_bytes,
        .index_bytes = index->bytes,
        .element_count = h->element_count,
        .node_count = h->node_count,
        .gpu_count = index->gpu_count,
        .lane_count = index->lane_count,
        .category_count = index->category_count,
        .string_count = index->shapes.strings.count,
        .forward_count = index->pair_count,
        .member_count = index->member_count,
        .anomaly_count = index->anomaly_count,
        .origin_ns = h->origin_ns,
        .last_end_ns = h->last_end_ns,
        .format_major = h->major,
        .format_minor = h->minor,
        .writer = padded(h->writer, sizeof(h->writer)),
    };
}

struct t2t_text t2t_index_string(const t2t_index *index, uint32_t string)
{
    struct t2t_text text = {NULL, 0};

    (void)tt_string_at(&index->shapes.strings, string, &text);
    return text;
}

struct t2t_text t2t_index_category(const t2t_index *index, uint32_t category)
{
    if (category >= index->category_count)
        return (struct t2t_text){NULL, 0};
    return t2t_index_string(index, index->categories[category]);
}

enum t2t_layer t2t_index_category_layer(const t2t_index *index,
                                        uint32_t category)
{
    if (category >= index->category_count)
        return T2T_LAYER_NONE;
    return (enum t2t_layer)index->layers[category];
}

enum t2t_status t2t_index_section(const t2t_index *index, uint32_t n,
                                  struct t2t_section_info *out)
{
    const struct tt_section *s;

    if (n >= index->header->section_count)
        return T2T_NOT_FOUND;
    s = &index->table[n];
    *out = (struct t2t_section_info){
        .id = s->id,
        .name = s->id < TT_SECTION_END ? sections[s->id].name : NULL,
        .bytes = s->bytes,
        .count = s->count,
    };
    if (!out->name)
        out->name = "unknown";
    return T2T_OK;
}
