/* bucket.c - what a GPU event does. */
#include "query/bucket.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "query/word.h"

enum t2t_status tt_buckets_init(struct tt_buckets *b, const t2t_index *index,
                                struct t2t_error *err)
{
    struct t2t_index_info info;

    t2t_index_info(index, &info);
    *b = (struct tt_buckets){.index = index, .string_count = info.string_count};
    b->decided = calloc((size_t)info.string_count * 2 + 1, 1);
    if (!b->decided)
        return tt_no_memory(err);
    return T2T_OK;
}

void tt_buckets_release(struct tt_buckets *b)
{
    free(b->decided);
    b->decided = NULL;
}

/* Whether `name`, with or without ".kd", is one of `words`, up to a NULL. */
static bool is_one_of(struct t2t_text name, const char *const *words)
{
    if (name.len >= 3 && !memcmp(name.ptr + name.len - 3, ".kd", 3))
        name.len -= 3;
    for (; *words; words++)
        if (t2t_text_equal(name, t2t_text_of(*words)))
            return true;
    return false;
}

/* What an event of this name does. */
static enum tt_bucket decide(struct t2t_text name, bool kernel)
{
    static const char *const copies[] = {
        "MEMORY_COPY_HOST_TO_DEVICE",         "MEMORY_COPY_DEVICE_TO_HOST",
        "MEMORY_COPY_DEVICE_TO_DEVICE",       "__amd_rocclr_copyBuffer",
        "__amd_rocclr_copyBufferRect",        "__amd_rocclr_copyBufferAligned",
        "__amd_rocclr_copyBufferRectAligned", NULL,
    };

    if (!name.ptr)
        return TT_COMPUTE;
    if (kernel && is_one_of(name, copies))
        return TT_MEMCPY;
    /* "__amd_rocclr_fillBuffer" has none of these words, so it computes. */
    if (tt_has_word_any_case(name, "nccl") ||
        tt_has_word_any_case(name, "rccl") ||
        tt_has_word_any_case(name, "cross_device_reduce"))
        return TT_COMMUNICATION;
    return TT_COMPUTE;
}

enum tt_bucket tt_bucket_of(struct tt_buckets *b, const struct t2t_element *e)
{
    struct t2t_text category = t2t_index_category(b->index, e->category);
    bool kernel = t2t_text_equal(category, t2t_text_of("kernel"));
    uint8_t *decided;

    if (t2t_text_equal(category, t2t_text_of("gpu_memcpy")))
        return TT_MEMCPY;
    if (e->name >= b->string_count)
        return TT_COMPUTE;
    decided = &b->decided[(kernel ? 0 : (size_t)b->string_count) + e->name];
    if (!*decided)
        *decided =
            (uint8_t)(1 + decide(t2t_index_string(b->index, e->name), kernel));
    return (enum tt_bucket)(*decided - 1);
}
