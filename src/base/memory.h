/*
 * base/memory.h - memory with a bound: beyond it, it lies in a file.
 *
 * What is taken within the bound is ordinary memory.  What would pass it is a
 * mapped piece of a temporary file without a name, so that the system can write
 * it out and take the pages back; the file is gone however the process ends.
 * Its room on the disk is set aside before it is mapped, so a full disk is a
 * failure here and no signal later.
 *
 * For all that grows with the trace; most of it is gone through in order.
 * NULL is memory without a bound.  Any thread.
 */
#ifndef TT_BASE_MEMORY_H
#define TT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

struct tt_memory_piece {
    char *ptr;
    size_t bytes;
    size_t used;
};

struct tt_memory {
    uv_mutex_t lock;    /* of what follows, but not of what it holds */
    const char *beside; /* the file is in the folder of this path; not owned */
    size_t limit;       /* bytes of ordinary memory */
    size_t used;
    int fd; /* of the file; -1 while there is none */
    uint64_t file_bytes;
    struct tt_memory_piece *piece; /* mapped pieces of it, owned */
    size_t pieces;
    size_t cap;
    int reason; /* errno of the file that failed, or 0 */
};

/* An empty one, to be released; `beside` stays the caller's.  False: there is
 * no lock, and nothing to release. */
bool tt_memory_init(struct tt_memory *m, const char *beside, size_t limit);

/* Ends it: what is in the file is gone. */
void tt_memory_release(struct tt_memory *m);

/* `bytes` bytes, aligned for anything; NULL when there are none. */
void *tt_memory_take(struct tt_memory *m, size_t bytes);

/* The same, all zero. */
void *tt_memory_take_zero(struct tt_memory *m, size_t bytes);

/*
 * Gets the pages of such memory from the system at once: for memory that will
 * all be used, which is quicker than a page at a time.
 */
void tt_memory_warm(void *ptr, size_t bytes);

/* Gives back what was taken with so many bytes; NULL is allowed. */
void tt_memory_give(struct tt_memory *m, void *ptr, size_t bytes);

/*
 * Sees to it that the array at `*(void **)items`, which was taken with room for
 * `*cap` records, has room for one more than `count`, as tt_vec_room() does.
 */
bool tt_memory_grow(struct tt_memory *m, void *items, size_t *cap, size_t count,
                    size_t record_bytes);

static inline bool tt_memory_room(struct tt_memory *m, void *items, size_t *cap,
                                  size_t count, size_t record_bytes)
{
    return count < *cap || tt_memory_grow(m, items, cap, count, record_bytes);
}

#endif
