/* columns.c - the columns of an open index as they are, and searches in them.
 */
#include "index/reader.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* The public records are those of the file. */
_Static_assert(sizeof(struct t2t_pair) == sizeof(struct tt_pair) &&
                   offsetof(struct t2t_pair, second) ==
                       offsetof(struct tt_pair, second),
               "doc/format.md, Sections");
_Static_assert(sizeof(struct t2t_long_duration) ==
                       sizeof(struct tt_long_duration) &&
                   offsetof(struct t2t_long_duration, dur_ns) ==
                       offsetof(struct tt_long_duration, dur_ns),
               "doc/format.md, Sections");
_Static_assert(T2T_NO_START == TT_NO_TIME &&
                   T2T_DURATION_IS_LONG == TT_LONG_DURATION &&
                   T2T_NO_ID == TT_NONE,
               "doc/format.md, Sections");

void t2t_index_columns(const t2t_index *index, struct t2t_columns *out)
{
    *out = (struct t2t_columns){
        .element_count = index->header->element_count,
        .node_count = index->header->node_count,
        .gpu_count = index->gpu_count,
        .long_count = (uint32_t)index->long_count,
        .pair_count = index->pair_count,
        .start_ns = index->start,
        .dur_ns = index->duration,
        .name = index->name,
        .lane = index->lane,
        .category = index->category,
        .phase = index->phase,
        .parent = index->parent,
        .size = index->size,
        .flags = index->flags,
        .gpu_rank = index->gpu_rank,
        .gpu_node = index->gpu_node,
        .gpu_sum_ns = index->gpu_sum,
        .long_duration = (const void *)index->long_duration,
        .forward = (const void *)index->forward,
        .backward = (const void *)index->backward,
    };
}

/* Gives the system advice about `bytes` bytes at `at` in the map. */
static void advise(const t2t_index *index, size_t at, size_t bytes, int advice)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t before = page > 0 ? at % (size_t)page : 0;

    if (bytes)
        (void)posix_madvise((void *)(uintptr_t)(index->map + at - before),
                            bytes + before, advice);
}

void t2t_index_will_scan(const t2t_index *index)
{
    advise(index, 0, index->bytes, POSIX_MADV_NORMAL);
}

void t2t_index_will_read(const t2t_index *index, const void *from, size_t bytes)
{
    uintptr_t at = (uintptr_t)from - (uintptr_t)index->map;

    if (at <= index->bytes && bytes <= index->bytes - at)
        advise(index, at, bytes, POSIX_MADV_NORMAL);
}

void tt_index_will_unpack(const t2t_index *index, uint64_t offset,
                          uint64_t bytes)
{
    advise(index, (size_t)offset, (size_t)bytes, POSIX_MADV_WILLNEED);
}

enum t2t_status t2t_index_find_string(const t2t_index *index,
                                      struct t2t_text text, uint32_t *string)
{
    const struct tt_strings *s = &index->shapes.strings;

    *string = T2T_NO_ID;
    t2t_index_will_read(index, s->offset,
                        ((size_t)s->count + 1) * sizeof(*s->offset));
    for (uint32_t i = 0; text.ptr && i < s->count; i++) {
        struct t2t_text other;

        if (s->offset[i + 1] - s->offset[i] != text.len ||
            !tt_string_at(s, i, &other) || !t2t_text_equal(other, text))
            continue;
        *string = i;
        return T2T_OK;
    }
    return T2T_NOT_FOUND;
}

t2t_id t2t_index_next_named(const t2t_index *index, uint32_t string,
                            t2t_id from)
{
    uint32_t count = index->header->element_count;

    if (string >= index->shapes.strings.count)
        return T2T_NO_ID;
    for (t2t_id id = from; id < count; id++)
        if (index->name[id] == string)
            return id;
    return T2T_NO_ID;
}
