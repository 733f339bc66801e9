/* feed.c - cuts the text of the array into chunks, at guesses. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/crew.h"
#include "json/split.h"

/* Without a guess a chunk is cut anywhere once it is so many times as long as
 * it should be: the builder will put it together. */
#define LONGEST 32
#define MAPPED 8 /* chunks of mapped text that are fed at a time */

static void fail(struct tt_crew *crew, enum t2t_status st)
{
    crew->status = st;
    if (st == T2T_ERR_NO_MEMORY)
        (void)tt_error(&crew->error, st, TT_NO_OFFSET, "out of memory");
}

/* Hands over text, with its memory if this is the last of it.  False: time to
 * stop, and the memory is still the caller's. */
static bool push(struct tt_crew *crew, const char *text, size_t len,
                 char *memory, size_t memory_bytes)
{
    struct tt_chunk *c = calloc(1, sizeof(*c));

    if (!c) {
        fail(crew, T2T_ERR_NO_MEMORY);
        return false;
    }
    *c = (struct tt_chunk){.text = text,
                           .len = len,
                           .offset = crew->at,
                           .memory = memory,
                           .memory_bytes = memory_bytes};
    crew->at += len;
    return tt_crew_push(crew, c);
}

/* How much of the `left` bytes at `text` the next chunk takes. */
static size_t next_chunk(const struct tt_crew *crew, const char *text,
                         size_t left)
{
    size_t most =
        left / LONGEST < crew->chunk_bytes ? left : crew->chunk_bytes * LONGEST;

    return left <= crew->chunk_bytes
               ? left
               : tt_split_next(text, most, crew->chunk_bytes);
}

static bool feed_map(struct tt_crew *crew)
{
    size_t at = (size_t)(crew->at - crew->skipped);
    bool going = true;

    for (unsigned n = 0; going && n < MAPPED && at < crew->map_len; n++) {
        const char *text = crew->map + at;
        size_t len = next_chunk(crew, text, crew->map_len - at);

        going = push(crew, text, len, NULL, 0);
        at += len;
    }
    return going && at < crew->map_len;
}

/* Reads until the block is full or the text ends. */
static enum t2t_status fill(struct tt_crew *crew, struct tt_block *b)
{
    enum t2t_status st = T2T_OK;

    while (!st && b->len < b->cap) {
        size_t len = 0;

        st = tt_source_read(crew->source, (unsigned char *)b->memory + b->len,
                            b->cap - b->len, &len, &crew->error);
        if (!st)
            b->len += len;
    }
    return st;
}

static bool grow(struct tt_block *b, size_t cap)
{
    char *memory = realloc(b->memory, cap);

    if (!memory)
        return false;
    b->memory = memory;
    b->cap = cap;
    return true;
}

/* Makes an empty block with room for more than the `len` bytes that are to come
 * first.  False: time to stop. */
static bool start(struct tt_crew *crew, struct tt_block *b, size_t len)
{
    *b = (struct tt_block){.len = len, .cap = crew->block_bytes};
    while (b->cap <= len)
        b->cap *= 2;
    b->memory = tt_crew_take_text(crew, b->cap);
    if (!b->memory)
        fail(crew, T2T_ERR_NO_MEMORY);
    return b->memory != NULL;
}

/* Hands over the first `len` bytes of a block, and its memory with the last
 * chunk of them: chunks are given back in this order.  False: time to stop. */
static bool push_block(struct tt_crew *crew, struct tt_block *b, size_t len)
{
    size_t next;

    for (size_t at = 0; at < len; at = next) {
        next = at + next_chunk(crew, b->memory + at, len - at);
        if (!push(crew, b->memory + at, next - at,
                  next == len ? b->memory : NULL, b->cap))
            return false;
    }
    b->memory = NULL;
    return true;
}

/*
 * Cuts a full block at its last guess and hands over the front; the tail
 * becomes the next block.  A block without a guess grows, up to a limit.
 * False: time to stop.
 */
static bool cut(struct tt_crew *crew, struct tt_block *b)
{
    size_t at = tt_split_last(b->memory, b->len, 0);
    struct tt_block tail;

    if (at == b->len && b->cap < crew->chunk_bytes * LONGEST) {
        if (grow(b, b->cap * 2))
            return true;
        fail(crew, T2T_ERR_NO_MEMORY);
        return false;
    }
    if (!start(crew, &tail, b->len - at))
        return false;
    memcpy(tail.memory, b->memory + at, tail.len);
    if (!push_block(crew, b, at)) {
        free(tail.memory);
        return false;
    }
    *b = tail;
    return true;
}

/* Hands over what was read ahead, which stays where it is; the tail of it
 * becomes the first block.  False: time to stop. */
static bool feed_rest(struct tt_crew *crew, struct tt_block *b)
{
    size_t at = 0;
    bool going = true;

    while (going && crew->rest_len - at > crew->chunk_bytes) {
        const char *text = crew->rest + at;
        size_t len = next_chunk(crew, text, crew->rest_len - at);

        going = push(crew, text, len, NULL, 0);
        at += len;
    }
    if (!going)
        return false;
    if (!start(crew, b, crew->rest_len - at))
        return false;
    if (b->len)
        memcpy(b->memory, crew->rest + at, b->len);
    return true;
}

/* Reads a block and cuts it.  False: that was the last, or it is time to stop.
 */
static bool feed_stream(struct tt_crew *crew)
{
    struct tt_block *b = &crew->block;
    enum t2t_status st;

    if (!crew->is_begun && !feed_rest(crew, b))
        return false;
    crew->is_begun = true;
    st = fill(crew, b);
    if (!st)
        return cut(crew, b);
    /* what is left is text that was read, also before damage */
    if (b->len)
        (void)push_block(crew, b, b->len);
    if (st != T2T_END)
        crew->status = st;
    return false;
}

bool tt_feed(struct tt_crew *crew)
{
    return crew->map ? feed_map(crew) : feed_stream(crew);
}
