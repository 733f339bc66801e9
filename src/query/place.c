/* place.c - places in traceEvents. */
#include "query/place.h"

#include <stdlib.h>

#include <trace2tree/cursor.h>

#include "base/status.h"
#include "query/sorted.h"

/* An element, and where its place is wanted. */
struct wanted {
    t2t_id id;
    uint32_t at;
};

static int compare_ids(const void *left, const void *right)
{
    const struct wanted *a = left;
    const struct wanted *b = right;

    return (a->id > b->id) - (a->id < b->id);
}

enum t2t_status tt_places(const t2t_index *index, const t2t_id *id,
                          uint32_t count, uint32_t *position,
                          struct t2t_error *err)
{
    struct wanted *wanted = malloc(((size_t)count + 1) * sizeof(*wanted));
    t2t_cursor *cursor = NULL;
    enum t2t_status st;

    if (!wanted)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < count; i++)
        wanted[i] = (struct wanted){id[i], i};
    tt_sort_unsorted(wanted, count, sizeof(*wanted), compare_ids);
    st = t2t_cursor_open(&cursor, index, err);
    for (uint32_t i = 0; !st && i < count; i++) {
        st = t2t_cursor_position(cursor, wanted[i].id, &position[wanted[i].at],
                                 err);
        if (st == T2T_NOT_FOUND)
            st = tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                          "element %u has no place", wanted[i].id);
    }
    t2t_cursor_close(cursor);
    free(wanted);
    return st;
}
