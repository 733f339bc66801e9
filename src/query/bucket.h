/*
 * query/bucket.h - what a GPU event does, told by its category and its name.
 */
#ifndef TT_QUERY_BUCKET_H
#define TT_QUERY_BUCKET_H

#include <stdint.h>

#include <trace2tree/index.h>

enum tt_bucket { TT_COMPUTE, TT_COMMUNICATION, TT_MEMCPY };

#define TT_BUCKETS 3

/* Decides once for each name. */
struct tt_buckets {
    const t2t_index *index;
    uint8_t *decided; /* by name: of kernels, then of the rest; owned */
    uint32_t string_count;
};

enum t2t_status tt_buckets_init(struct tt_buckets *b, const t2t_index *index,
                                struct t2t_error *err);
void tt_buckets_release(struct tt_buckets *b);

/*
 * The bucket of GPU event `e`: a copy (gpu_memcpy, and the kernels that old
 * ROCm versions copied with), communication (nccl, rccl or cross_device_reduce
 * in the name, in any case), else computing, fills included.
 */
enum tt_bucket tt_bucket_of(struct tt_buckets *b, const struct t2t_element *e);

#endif
