/* links.c - pairs of forward operations and backward nodes. */
#include <trace2tree/analyze.h>

#include <stdlib.h>

#include "query/row.h"

static const struct t2t_table_column columns[] = {
    {.name = "forward",
     .type = T2T_INTEGER,
     .help = "place in traceEvents of the operation"},
    {.name = "backward",
     .type = T2T_INTEGER,
     .help = "place of the event that computes its gradient"},
};

const struct tt_kind tt_kind_links = TT_KIND("links", columns);

/* A pair by positions in traceEvents. */
struct link {
    uint32_t forward;
    uint32_t backward;
};

static int compare_links(const void *left, const void *right)
{
    const struct link *a = left;
    const struct link *b = right;

    if (a->forward != b->forward)
        return a->forward < b->forward ? -1 : 1;
    return (a->backward > b->backward) - (a->backward < b->backward);
}

/* Reads the pairs as positions. */
static enum t2t_status read_links(const t2t_index *index,
                                  const struct t2t_columns *c,
                                  struct link *link, struct t2t_error *err)
{
    uint32_t *place = malloc(((size_t)c->element_count + 1) * sizeof(*place));
    enum t2t_status st;

    if (!place)
        return tt_no_memory(err);
    st = t2t_index_all_positions(index, place, err);
    for (uint32_t i = 0; !st && i < c->pair_count; i++) {
        const struct t2t_pair *pair = &c->forward[i];

        if (pair->first >= c->node_count || pair->second >= c->node_count)
            st = tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                          "link %u holds an impossible value", i);
        else
            link[i] = (struct link){place[pair->second], place[pair->first]};
    }
    free(place);
    return st;
}

enum t2t_status t2t_links(const t2t_index *index, t2t_table **out,
                          struct t2t_error *err)
{
    struct tt_rows rows = {NULL, T2T_OK};
    struct t2t_columns c;
    struct link *link;
    enum t2t_status st = T2T_OK;

    t2t_index_columns(index, &c);
    link = malloc(((size_t)c.pair_count + 1) * sizeof(*link));
    if (!link)
        return tt_no_memory(err);
    if (c.pair_count)
        st = read_links(index, &c, link, err);
    if (!st)
        st = tt_rows_open(&rows, &tt_kind_links, 0, 0, err);
    if (!st)
        qsort(link, c.pair_count, sizeof(*link), compare_links);
    for (uint32_t i = 0; !st && i < c.pair_count; i++) {
        tt_row_unsigned(&rows, link[i].forward);
        tt_row_unsigned(&rows, link[i].backward);
    }
    free(link);
    return tt_rows_close(&rows, st, out, err);
}
