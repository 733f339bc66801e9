/* said.c - arguments of many elements. */
#include "query/said.h"

#include <stdlib.h>
#include <string.h>

#include <trace2tree/cursor.h>

#include "base/status.h"
#include "query/place.h"
#include "query/word.h"

/* An element, and where its numbers go. */
struct wanted {
    uint32_t place;
    uint32_t at;
};

static int compare_places(const void *left, const void *right)
{
    const struct wanted *a = left;
    const struct wanted *b = right;

    return (a->place > b->place) - (a->place < b->place);
}

/* Whether `text` begins with \\udxxx. */
static bool half_of_pair(const char *text, size_t len, unsigned *unit)
{
    char digits[5];

    if (len < 6 || memcmp(text, "\\ud", 3))
        return false;
    memcpy(digits, text + 2, 4);
    digits[4] = '\0';
    *unit = (unsigned)strtoul(digits, NULL, 16);
    return true;
}

/* The number of `json` in `texts`.  Halves of surrogate pairs, the only thing
 * but control characters that it escapes by number, become what they are in
 * names, three bytes each, so that a table shows them the same way. */
static uint32_t number_of(struct tt_intern *texts, struct t2t_text json)
{
    char *text;
    size_t len = 0;
    uint32_t number;

    if (!tt_has_word(json, "\\ud"))
        return tt_intern_add(texts, json.ptr, json.len);
    text = malloc(json.len);
    if (!text)
        return TT_INTERN_FAILED;
    for (size_t i = 0; i < json.len;) {
        unsigned unit;

        if (json.ptr[i] != '\\' || json.len - i < 2) {
            text[len++] = json.ptr[i++];
        } else if (half_of_pair(json.ptr + i, json.len - i, &unit)) {
            text[len++] = (char)(0xe0 | unit >> 12);
            text[len++] = (char)(0x80 | (unit >> 6 & 0x3f));
            text[len++] = (char)(0x80 | (unit & 0x3f));
            i += 6;
        } else {
            text[len++] = json.ptr[i++];
            text[len++] = json.ptr[i++];
        }
    }
    number = tt_intern_add(texts, text, len);
    free(text);
    return number;
}

/* The number of one argument; TT_INTERN_FAILED after a failure. */
static enum t2t_status read_one(t2t_cursor *cursor, t2t_id id, const char *key,
                                struct tt_intern *texts, uint32_t *number,
                                struct t2t_error *err)
{
    struct t2t_text json = {"null", 4};
    enum t2t_status st = T2T_OK;

    if (id != T2T_NO_ID)
        st = t2t_cursor_argument(cursor, id, key, &json, err);
    if (st && st != T2T_NOT_FOUND)
        return st;
    *number = number_of(texts, json);
    if (*number == TT_INTERN_FAILED)
        return tt_no_memory(err);
    return T2T_OK;
}

/* Sees to it that the cursor knows where the element is that is at `place`:
 * looking that up by id takes long where the order is none. */
static enum t2t_status go_to(t2t_cursor *cursor, uint32_t place,
                             struct t2t_error *err)
{
    t2t_id id;
    enum t2t_status st = t2t_cursor_id(cursor, place, &id, err);

    return st == T2T_NOT_FOUND ? T2T_OK : st;
}

/* The elements in the order of the trace. */
static enum t2t_status put_in_order(const t2t_index *index, const t2t_id *id,
                                    uint32_t count, struct wanted *wanted,
                                    struct t2t_error *err)
{
    uint32_t *place = malloc(((size_t)count + 1) * sizeof(*place));
    t2t_id *known = malloc(((size_t)count + 1) * sizeof(*known));
    enum t2t_status st = T2T_OK;

    if (!place || !known)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++)
        known[i] = id[i] == T2T_NO_ID ? 0 : id[i];
    if (!st && count)
        st = tt_places(index, known, count, place, err);
    for (uint32_t i = 0; !st && i < count; i++)
        wanted[i] = (struct wanted){place[i], i};
    if (!st)
        qsort(wanted, count, sizeof(*wanted), compare_places);
    free(place);
    free(known);
    return st;
}

enum t2t_status tt_said(const t2t_index *index, const t2t_id *id,
                        uint32_t count, const char *const *key, uint32_t keys,
                        struct tt_intern *texts, uint32_t *number,
                        struct t2t_error *err)
{
    struct wanted *wanted = malloc(((size_t)count + 1) * sizeof(*wanted));
    t2t_cursor *cursor = NULL;
    enum t2t_status st;

    if (!wanted)
        return tt_no_memory(err);
    st = put_in_order(index, id, count, wanted, err);
    if (!st)
        st = t2t_cursor_open(&cursor, index, err);
    for (uint32_t i = 0; !st && i < count; i++) {
        size_t at = wanted[i].at;

        st = go_to(cursor, wanted[i].place, err);
        for (uint32_t k = 0; !st && k < keys; k++)
            st = read_one(cursor, id[at], key[k], texts, &number[at * keys + k],
                          err);
    }
    t2t_cursor_close(cursor);
    free(wanted);
    return st;
}
