/*
 * fuzz_event.c - any bytes as elements of traceEvents: decoded by the tokens
 * and by learned layouts, these with each kind of vector that the machine has,
 * in chunks as a worker gets them: the same batches each time, and what was
 * taken is JSON to the strict scanner, as is nothing else.
 *
 * The first byte says how long chunks are, 0 for all at once.
 */
#include "fuzz.h"

#include "decode/match.h"
#include "json/scan.h"

#include "unit/same_batch.h"

#define SIDES 4

/* Decoders with the matches that there are, the first with none. */
static size_t open_sides(struct side *side)
{
    tt_match *match[SIDES] = {NULL, tt_match_plain};
    size_t count = 2;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        match[count++] = tt_match_avx2;
#endif
    if (tt_match_best() != match[count - 1])
        match[count++] = tt_match_best();
    for (size_t i = 0; i < count; i++) {
        side[i] = (struct side){.d = tt_decoder_create(!match[i])};
        CHECK(side[i].d);
        side[i].d->match = match[i];
    }
    return count;
}

/* Whether the strict scanner takes these pieces for a whole document. */
static bool is_json(const char *const *piece, const size_t *len, size_t count)
{
    struct tt_scan s;
    bool whole = true;

    tt_scan_init(&s, 0);
    for (size_t i = 0; whole && i < count; i++) {
        size_t at = 0;

        while (whole && at < len[i]) {
            size_t used;

            whole = tt_scan_feed(&s, (const uint8_t *)piece[i] + at,
                                 len[i] - at, &used) != TT_SCAN_BAD;
            at += used;
        }
    }
    whole = whole && tt_scan_finish(&s);
    tt_scan_release(&s);
    return whole;
}

/* What a batch has taken is JSON, once the array around it is whole. */
static void check_taken(const struct tt_batch *b, const char *text)
{
    bool comma = b->end != TT_BATCH_CLOSED || b->after_comma;
    const char *piece[] = {"[", text, comma ? "0]" : "]"};
    size_t len[] = {1, b->consumed, comma ? 2 : 1};

    if (b->count)
        CHECK(is_json(piece, len, 3));
}

/* Fallbacks are the same whatever the vectors. */
static void check_learned(const struct side *a, const struct side *b)
{
    CHECK(a->d->layouts.count == b->d->layouts.count);
    CHECK(a->d->layouts.steps == b->d->layouts.steps);
    CHECK(a->d->raw.count == b->d->raw.count);
    CHECK(a->d->strings.count == b->d->strings.count);
}

/* All sides take a chunk, in memory of just its size; what they made of it. */
static struct tt_batch *take(struct side *side, size_t count, const char *text,
                             size_t len, uint64_t offset)
{
    char *copy = malloc(len ? len : 1);
    struct tt_batch *first;

    CHECK(copy);
    memcpy(copy, text, len);
    first = decode(&side[0], copy, len, offset);
    CHECK(first && first->consumed <= len);
    for (size_t i = 1; i < count; i++) {
        struct tt_batch *b = decode(&side[i], copy, len, offset);

        CHECK(b && same_batch(&side[0], &side[i], first, b));
        if (i > 1)
            check_learned(&side[1], &side[i]);
        tt_batch_free(b);
    }
    check_taken(first, copy);
    free(copy);
    return first;
}

/* In chunks, the next one from where the last was understood. */
static void take_chunks(struct side *side, size_t count, const char *text,
                        size_t len, size_t chunk)
{
    size_t at = 0;
    size_t part = chunk;
    enum tt_batch_end end = TT_BATCH_CLEAN;

    while (at < len && end != TT_BATCH_CLOSED) {
        struct tt_batch *b;
        bool last = part >= len - at;
        size_t used;

        b = take(side, count, text + at, last ? len - at : part, at);
        used = b->consumed;
        end = b->end;
        tt_batch_free(b);
        if (!used && last)
            return;
        part = used ? chunk : part * 2;
        at += used;
    }
}

/* With its bracket, which is understood just if it is JSON. */
static void take_whole(struct side *side, size_t count, const char *text,
                       size_t len)
{
    const char *piece[] = {"[", text};
    size_t lens[] = {1, len};
    struct tt_batch *b = take(side, count, text, len, 0);
    bool whole = b->end == TT_BATCH_CLOSED && b->consumed == len - 1 &&
                 !(b->after_comma && b->count);

    CHECK(whole == is_json(piece, lens, 2));
    tt_batch_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    struct side side[SIDES];
    size_t count;
    char *text;

    if (!len)
        return 0;
    text = malloc(len);
    CHECK(text);
    memcpy(text, ptr + 1, len - 1);
    text[len - 1] = ']';
    count = open_sides(side);
    if (ptr[0])
        take_chunks(side, count, text, len - 1, (size_t)ptr[0] * 4);
    take_whole(side, count, text, len);
    for (size_t i = 0; i < count; i++)
        release_side(&side[i]);
    free(text);
    return 0;
}
